"""Who is faster, from rows: medians, spreads, ratios and verdicts.

A ratio is `times as fast`: the peer's time through ours, or our rate through the peer's; 2 is twice as fast, 0.5 half as
fast, whatever the unit. Where both have as many rounds it is the median of the ratios of each round, since whatever
disturbed the machine disturbed both; its spread is the smallest and the largest of them.
"""
import collections
import dataclasses
import json
import statistics

import rows as table
from rows import is_more_better

EVEN = 1.10  # nearer than that is no difference, on a machine that does other things too


@dataclasses.dataclass
class Series:
    """One who, doing one case, at one place: all its rounds."""
    suite: str
    case: str
    who: str
    role: str
    axis: str
    at: int
    unit: str
    values: list

    @property
    def place(self):
        """With whom it can be compared. One thread is not yet a curve."""
        axis, at = ("", 0) if (self.axis, self.at) == ("threads", 1) else (self.axis, self.at)
        return self.suite, self.case, axis, at, self.unit

    @property
    def is_ours(self):
        return self.role == "ours"

    @property
    def lack(self):
        return self.role.removeprefix("lacks ") if self.role.startswith("lacks ") else ""

    @property
    def median(self):
        return statistics.median(self.values)

    @property
    def spread(self):
        """Half of the range of the middle half, as a part of the median."""
        if len(self.values) < 3 or not self.median:
            return 0.0
        low, _, high = statistics.quantiles(self.values, n=4, method="inclusive")
        return (high - low) / 2 / abs(self.median)


@dataclasses.dataclass
class Ratio:
    median: float
    low: float
    high: float


def series_of(rows):
    """The series of all rows, in the order in which each first appears; rounds in their order."""
    found = collections.OrderedDict()
    for row in rows:
        key = tuple(row[name] for name in ("suite", "case", "who", "role", "axis", "at", "unit"))
        found.setdefault(key, []).append((int(row["round"]), float(row["value"])))
    return [Series(*key[:5], int(key[5] or 0), key[6], [value for _, value in sorted(values)]) for key, values in found.items()]


def read_run(folder):
    """Series and machine of a folder of tools/run_bench. Broken if there is nothing in it to compare."""
    try:
        series = series_of(table.read(folder / "raw.csv"))
        machine = json.loads((folder / "machine.json").read_text())
    except (OSError, json.JSONDecodeError) as error:
        raise table.Broken(str(error)) from error
    if not any(one.is_ours for one in series):
        raise table.Broken("no row of tessera in the results")
    return series, machine


def times_as_fast(ours, peer, scale=1, plus=0):
    """`scale` and `plus` change the peer's figures: what counts may be three times a floor, or 5 ns above it."""
    theirs = [value * scale + plus for value in peer.values]
    more = is_more_better(ours.unit)
    pairs = zip(ours.values, theirs) if len(ours.values) == len(theirs) else [(ours.median, statistics.median(theirs))]
    ratios = [own / other if more else other / own for own, other in pairs if own > 0 and other > 0]
    return Ratio(statistics.median(ratios), min(ratios), max(ratios)) if ratios else None


def verdict(ratio, target=None):
    """One word: met or missed where there is a target, else ahead, even or loss."""
    if ratio is None:
        return "–"
    if target is not None:
        return "met" if ratio.median >= target else "missed"
    if ratio.median * EVEN < 1:
        return "loss"
    return "even" if ratio.median < EVEN else "ahead"


def best(series):
    return min(series, key=lambda one: -one.median if is_more_better(one.unit) else one.median, default=None)


def comparisons(series):
    """Each of ours, with its best peer of equal and its best peer of fewer promises, or None."""
    places = collections.defaultdict(list)
    for one in series:
        places[one.place].append(one)
    for ours in series:
        if ours.is_ours:
            peers = [one for one in places[ours.place] if not one.is_ours]
            yield ours, best(one for one in peers if one.role == "peer"), best(one for one in peers if one.lack)


def losses(series):
    """(ours, peer, ratio) wherever a peer is ahead, the worst first; those with the same promises before others."""
    found = []
    for ours, *peers in comparisons(series):
        for peer in filter(None, peers):
            ratio = times_as_fast(ours, peer)
            if verdict(ratio) == "loss":
                found.append((ours, peer, ratio))
    return sorted(found, key=lambda loss: (bool(loss[1].lack), loss[2].median))


def number(value):
    """Three digits, or none behind the point."""
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def quantity(value, unit):
    """With its unit, as people write it: 21.1 ns, 1.5 ms, 412,000/s, 27 MB/s."""
    if unit == "ns":
        for name, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
            if value >= size:
                return f"{value / size:.3g} {name}"
        return f"{value:.3g} ns"
    if unit in ("bytes", "bytes/s"):
        for name, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
            if value >= size:
                return f"{value / size:.3g} {name}{unit[5:]}"
        return f"{value:.3g} {unit}"
    if unit == "/s":
        for name, size in ((" million/s", 1e6),):
            if value >= size:
                return f"{value / size:.3g}{name}"
        return f"{number(float(f'{value:.3g}'))}/s"
    return f"{value:.3g} {unit}"


def title(who, versions):
    """boost_to_chars -> the version goes behind the name of the library: boost 1.81.0 to_chars."""
    library, _, rest = who.partition("_")
    if "(" in who or library not in versions:
        return who if "(" in who else who.replace("_", " ")
    return " ".join(filter(None, [library, versions[library], rest]))
