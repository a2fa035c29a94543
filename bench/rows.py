"""The figures of a run, one a line: what every benchmark writes and every table and picture is made from.

    suite,case,who,role,axis,at,unit,round,value
    core,uuidv4/generate,tessera,ours,threads,2,ns,0,21.07

`who` did `case`, in round `round`. `role` is what it is in the comparison: ours; a peer, with the same
promises; `lacks …`, a peer with fewer; floor, what nobody can be below. `axis` and `at` say where on a curve
it stands, or are empty. The unit says what is better: less, or more if it is so many a second.

A row that cannot be right is refused, with its line: a report must not be made of half a run.
"""
import csv
import math
import re

COLUMNS = ["suite", "case", "who", "role", "axis", "at", "unit", "round", "value"]
LESS_IS_BETTER = {"ns", "ms", "bytes", "%"}
MORE_IS_BETTER = {"/s", "bytes/s"}
AXES = {"", "threads", "connections", "ids", "rows", "scopes", "tenants", "step"}
NAME = re.compile(r"[\w./():'*,=+\- ]{1,80}")


class Broken(Exception):
    """What is wrong with a file of rows, and in which line."""


def is_more_better(unit):
    return unit in MORE_IS_BETTER


def fault_of(row):
    """Why this cannot be a row; nothing, if it can."""
    if set(row) != set(COLUMNS) or None in row.values():
        return f"not the columns {','.join(COLUMNS)}"
    for name in ("suite", "case", "who"):
        if not NAME.fullmatch(row[name]):
            return f"not a name of a {name}: {row[name]!r}"
    if row["role"] not in ("ours", "peer", "floor") and not re.fullmatch(r"lacks [\w ,^-]{1,80}", row["role"]):
        return f"not a role: {row['role']!r}"
    if row["axis"] not in AXES or (row["axis"] == "") != (row["at"] == ""):
        return f"not a place on an axis: {row['axis']!r} {row['at']!r}"
    if row["at"] and not re.fullmatch(r"\d{1,12}", row["at"]):
        return f"not a place on an axis: {row['at']!r}"
    if row["unit"] not in LESS_IS_BETTER | MORE_IS_BETTER:
        return f"not a unit: {row['unit']!r}"
    if not re.fullmatch(r"\d{1,6}", row["round"]):
        return f"not a round: {row['round']!r}"
    try:
        value = float(row["value"])
    except ValueError:
        value = math.nan
    # A table may have grown by nothing, or less; but nothing takes no time.
    if not math.isfinite(value) or value <= 0 and row["unit"] != "%":
        return f"not a figure: {row['value']!r}"
    return ""


class Writer:
    """Adds rows of one suite to a file; without a file they go nowhere."""

    def __init__(self, path, suite):
        self.suite = suite
        self.stream = open(path, "a", newline="") if path else None
        self.writer = csv.writer(self.stream, lineterminator="\n") if path else None
        if path and self.stream.tell() == 0:
            self.writer.writerow(COLUMNS)

    def add(self, case, who, values, unit, role="ours", axis="", at=""):
        """`values` of the rounds, in their order."""
        for turn, value in enumerate(values):
            row = dict(zip(COLUMNS, [self.suite, case, who, role, axis, str(at), unit, str(turn), f"{value:.6g}"]))
            fault = fault_of(row)
            if fault:
                raise Broken(f"{case}, {who}: {fault}")
            if self.writer:
                self.writer.writerow(row.values())
        if self.stream:
            self.stream.flush()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.stream:
            self.stream.close()


def read(path):
    """All rows of a file, as dictionaries."""
    with open(path, newline="") as stream:
        reader = csv.DictReader(stream, restkey="more")
        if reader.fieldnames != COLUMNS:
            raise Broken(f"{path}:1: not the columns {','.join(COLUMNS)}")
        rows, seen = [], set()
        for row in reader:
            fault = fault_of(row)
            key = tuple(row[name] for name in COLUMNS if name != "value") if not fault else None
            if key in seen:
                fault = "the same round a second time"
            if fault:
                raise Broken(f"{path}:{reader.line_num}: {fault}")
            seen.add(key)
            rows.append(row)
    if not rows:
        raise Broken(f"{path}: no rows")
    return rows
