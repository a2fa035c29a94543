#!/usr/bin/env python3
"""Sets the results of Google Benchmark side by side: tessera, its peers, and who is faster.

    bench_table.py [--all] [--csv FILE] RESULT.json...

Prints Markdown. Rows are named subject/operation/who, and labels say what a peer promises;
bench/README.md has the rules. A loss is printed as a loss; it is never an error. With --all
comes a second table of every row. --csv writes every repetition.

Exit codes: 0; 1 if the results cannot be compared: of a debug build, without any row of
tessera, or if two rows of one operation did different work (their checksums differ).
"""
import argparse
import collections
import csv
import json
import statistics
import sys

EVEN = 1.10  # nearer than that is no difference, on a machine that does other things too


class Row:
    """One line of the benchmark: all its repetitions."""

    def __init__(self, name, label):
        self.name = name
        parts = name.split("/")
        self.threads = int(parts.pop().split(":")[1]) if parts[-1].startswith("threads:") else 1
        # How it was timed, not what.
        how = ("real_time", "manual_time", "iterations:", "repeats:")
        parts = [part for part in parts if not part.startswith(how)]
        self.subject, self.operation, self.who = parts
        self.label = label
        self.times_ns = []
        self.checksum = None

    @property
    def key(self):
        return self.subject, self.operation, self.threads

    @property
    def is_ours(self):
        return self.who.split("_")[0] == "tessera"

    @property
    def lack(self):
        return self.label.removeprefix("lacks ") if self.label.startswith("lacks ") else ""

    @property
    def median_ns(self):
        return statistics.median(self.times_ns)

    @property
    def min_ns(self):
        return min(self.times_ns)

    @property
    def spread(self):
        """Half of the range of the middle half, as a part of the median."""
        if len(self.times_ns) < 3:
            return 0.0
        low, _, high = statistics.quantiles(self.times_ns, n=4)
        return (high - low) / 2 / self.median_ns

    def title(self, versions):
        """boost_to_chars -> Boost's version goes behind its name: boost 1.81.0 to_chars."""
        library, _, rest = self.who.partition("_")
        version = versions.get(library)
        return " ".join(filter(None, [library, version, rest]))


def read(files):
    """The rows by name, in the order of the files, and the context of the first."""
    rows, context = {}, None
    for file in files:
        with open(file) as stream:
            result = json.load(stream)
        context = context or result["context"]
        if result["context"].get("tessera_build") != "release":
            sys.exit(f"bench_table: {file} is of a debug build; such numbers mislead")
        for run in result["benchmarks"]:
            if run["run_type"] != "iteration" or run.get("error_occurred"):
                continue
            row = rows.setdefault(run["run_name"], Row(run["run_name"], run.get("label", "")))
            # Time of the processor, not of the wall: others may run on this machine. With two
            # threads it is what one of them pays for an ID while the other makes them too.
            row.times_ns.append(1e9 / run["items_per_second"])
            row.checksum = run.get("checksum", row.checksum)
    return rows, context


def find_different_work(rows):
    sums = collections.defaultdict(dict)
    for row in rows.values():
        if row.checksum is not None:
            sums[row.key][row.who] = row.checksum
    for key, by_who in sums.items():
        if len(set(by_who.values())) > 1:
            yield f"{'/'.join(key[:2])}: checksums differ: {by_who}"


def number(value):
    return f"{value:.3g}" if value < 100 else f"{value:,.0f}"


def verdict(ours, peer):
    """How many times as fast as the peer; a loss in words that nobody reads over."""
    if peer is None:
        return "–"
    ratio = peer.median_ns / ours.median_ns
    if ratio * EVEN < 1:
        return f"**LOSS** {ratio:.2f}"
    return f"{ratio:.2f} even" if ratio < EVEN else number(ratio)


def compare(rows):
    """Each row of tessera, with its best peer of equal and its best peer of fewer promises."""
    groups = collections.defaultdict(list)
    for row in rows.values():
        groups[row.key].append(row)
    for row in rows.values():
        if row.is_ours:
            peers = [peer for peer in groups[row.key] if not peer.is_ours]
            equal = [peer for peer in peers if peer.label == "peer"]
            fewer = [peer for peer in peers if peer.lack]
            best = [min(list_, key=lambda peer: peer.median_ns, default=None) for list_ in (equal, fewer)]
            yield row, *best


def print_comparison(rows, versions):
    print("| operation | who | threads | ns | ± | best peer, same promises | ns | times as fast "
          "| best peer that promises less | lacks | ns | times as fast |")
    print("| --- | --- | ---: | ---: | ---: | --- | ---: | ---: | --- | --- | ---: | ---: |")
    losses = []
    for ours, equal, fewer in compare(rows):
        cells = [f"{ours.subject}/{ours.operation}", ours.who, ours.threads, number(ours.median_ns),
                 f"{ours.spread:.0%}"]
        cells += [equal.title(versions), number(equal.median_ns)] if equal else ["none", ""]
        cells += [verdict(ours, equal)]
        cells += ([fewer.title(versions), fewer.lack, number(fewer.median_ns), verdict(ours, fewer)]
                  if fewer else ["", "", "", ""])
        print("| " + " | ".join(map(str, cells)) + " |")
        for peer in (equal, fewer):
            if peer and "LOSS" in verdict(ours, peer):
                losses.append((ours, peer))
    print()
    print_losses(losses, versions)


def print_losses(losses, versions):
    for heading, chosen in [
        ("Losses to a peer with the same promises", [pair for pair in losses if not pair[1].lack]),
        ("Losses to a peer that promises less", [pair for pair in losses if pair[1].lack]),
    ]:
        print(f"{heading}: {len(chosen) or 'none'}")
        for ours, peer in chosen:
            lack = f", which lacks {peer.lack}" if peer.lack else ""
            print(f"- {ours.name}: {number(ours.median_ns)} ns, {peer.title(versions)} "
                  f"{number(peer.median_ns)} ns{lack}")
        print()


def print_all(rows, versions):
    print("| row | threads | median ns | min ns | ± | |")
    print("| --- | ---: | ---: | ---: | ---: | --- |")
    for row in sorted(rows.values(), key=lambda row: (row.key, not row.is_ours, row.median_ns)):
        print(f"| {row.subject}/{row.operation}: {row.title(versions)} | {row.threads} "
              f"| {number(row.median_ns)} | {number(row.min_ns)} | {row.spread:.0%} | {row.label} |")


def write_csv(path, rows):
    with open(path, "w", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["row", "threads", "label", "repetition", "ns", "checksum"])
        for row in rows.values():
            name = f"{row.subject}/{row.operation}/{row.who}"
            checksum = "" if row.checksum is None else int(row.checksum)
            for index, time_ns in enumerate(row.times_ns):
                writer.writerow([name, row.threads, row.label, index, f"{time_ns:.3f}", checksum])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="a second table, of every row")
    parser.add_argument("--csv", metavar="FILE", help="write every repetition")
    parser.add_argument("results", nargs="+", metavar="RESULT.json")
    arguments = parser.parse_args()

    rows, versions = read(arguments.results)
    if not any(row.is_ours for row in rows.values()):
        sys.exit("bench_table: no row of tessera in the results")
    different = list(find_different_work(rows))
    if different:
        sys.exit("bench_table: not the same work:\n  " + "\n  ".join(different))
    print_comparison(rows, versions)
    if arguments.all:
        print_all(rows, versions)
    if arguments.csv:
        write_csv(arguments.csv, rows)


if __name__ == "__main__":
    main()
