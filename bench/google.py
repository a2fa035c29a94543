"""Rows from what Google Benchmark wrote.

A name is subject/operation/who, perhaps with a place on an axis behind it: `long/generate/tessera/threads:4`,
`filter/refuse/tessera/ids:100000`. Labels say what a peer promises. Some benchmarks tell figures in counters:

    per_s, bare_per_s     ours and the same by hand, timed in turns
    look_up_per_s@1000    a figure at a place on the axis of the IDs; also bytes_each@1000

Results of a debug build are refused, and those of rows that did different work: their checksums differ. On a machine that
is busy Google Benchmark gives up early, and then what comes before the first ID weighs more than the IDs; rows with such a
repetition are left out, and named.
"""
import collections
import json
import re

from rows import Broken

HOW = re.compile(r"(?:real_time|manual_time|process_time)|(?:iterations|repeats|min_time|min_warmup_time):.*")
PLACE = re.compile(r"([a-z_]+):(\d+)")
NANOSECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
NOT_PEERS = {"context", "date", "host_name", "executable", "num_cpus", "mhz_per_cpu", "cpu_scaling_enabled", "caches",
             "load_avg", "library_build_type", "json_schema_version", "tessera_build"}


def split(name):
    """(case, who, axis, at) of a name. One thread is the start of a curve only where there are more."""
    parts = [part for part in name.split("/") if not HOW.fullmatch(part)]
    axis = at = ""
    if len(parts) == 4:
        place = PLACE.fullmatch(parts.pop())
        if not place:
            raise Broken(f"{name}: the argument needs a name: ArgName()")
        axis, at = place.groups()
    if len(parts) != 3:
        raise Broken(f"{name}: not subject/operation/who")
    return f"{parts[0]}/{parts[1]}", parts[2], axis, at


def role_of(who, label):
    if who.split("_")[0] == "tessera":
        return "ours"
    if label in ("peer", "floor") or label.startswith("lacks "):
        return label
    raise Broken(f"{who}: a peer needs a label: what does it promise?")


def figures_of(run, case, who, role):
    """(case, who, role, axis, at, unit, value) of each figure that one repetition tells."""
    if "bare_per_s" in run:
        yield case, who, role, "", "", "/s", run["per_s"]
        by_hand = "peer" if "never_issued" in case else "lacks tenants, tombstones, keys of requests"
        yield case, "by_hand", by_hand, "", "", "/s", run["bare_per_s"]
        return
    growing = {name: value for name, value in run.items() if "@" in name}
    for name, value in growing.items():
        what, at = name.split("@")
        unit = "bytes" if what.startswith("bytes") else "/s"
        yield f"{case}/{what.removesuffix('_per_s')}", who, role, "ids", at, unit, value
    if growing:
        return
    if "items_per_second" in run:
        yield case, who, role, None, None, "ns", 1e9 / run["items_per_second"]
    elif "bytes_per_second" in run:
        yield case, who, role, None, None, "bytes/s", run["bytes_per_second"]
    else:
        raise Broken(f"{case}/{who}: says neither items nor bytes")


def check_sums(sums):
    for (case, axis, at), by_who in sums.items():
        if len(set(by_who.values())) > 1:
            raise Broken(f"not the same work: {case} {axis} {at}: checksums differ: {by_who}")


def is_too_short(run, min_time_s):
    """Whether less than a fifth of the time was measured that was asked for. One iteration may be all that was asked for."""
    spent_ns = run["iterations"] * max(run["cpu_time"], run["real_time"]) * NANOSECONDS[run["time_unit"]]
    return run["iterations"] > 1 and spent_ns < min_time_s * 1e9 / 5


def convert(path, out, may_be_debug=False, min_time_s=0):
    """Adds the rows of a result to `out`, a rows.Writer. The versions of the peers, and the names of what was left out."""
    with open(path) as stream:
        result = json.load(stream)
    context = result["context"]
    if context.get("tessera_build") != "release" and not may_be_debug:
        raise Broken(f"{path} is of a debug build; such numbers mislead")
    series, sums, too_short = collections.defaultdict(list), collections.defaultdict(dict), set()
    for run in result["benchmarks"]:
        if run["run_type"] != "iteration":
            continue
        if run.get("error_occurred"):
            raise Broken(f"{run['run_name']}: {run.get('error_message', 'failed')}")
        case, who, axis, at = split(run["run_name"])
        if is_too_short(run, min_time_s):
            too_short.add((case, who, axis, at))
        if "checksum" in run:
            sums[case, axis, at][who] = run["checksum"]
        for case, who, role, own_axis, own_at, unit, value in figures_of(run, case, who, role_of(who, run.get("label", ""))):
            place = (axis, at) if own_axis is None else (own_axis, own_at)
            series[case, who, role, *place, unit].append(value)
    check_sums(sums)
    if not any(role == "ours" for _, _, role, *_ in series):
        raise Broken(f"{path}: no row of tessera in the results")
    for (case, who, role, axis, at, unit), values in series.items():
        if (case, who, axis, at) not in too_short:
            out.add(case, who, values, unit, role, axis, at)
    return {name: value for name, value in context.items() if name not in NOT_PEERS}, \
        sorted("/".join(filter(None, [case, who, axis and f"{axis}:{at}"])) for case, who, axis, at in too_short)
