#!/usr/bin/env python3
"""Sets the figures of a run side by side: tessera, its peers, and who is faster.

    bench_table.py [--all] RUN

RUN is a folder of tools/run_bench, with raw.csv and machine.json. Prints Markdown: first what was claimed and what came out,
then every row with its best peers, then the losses. A loss is printed as a loss; it is never an error. With --all comes a
table of every row. bench/README.md has the rules.

Exit codes: 0; 1 if the rows cannot be compared: a broken one, or none of tessera.
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench"))
import compare  # noqa: E402
import rows  # noqa: E402
import story  # noqa: E402
from compare import number, quantity, times_as_fast, title  # noqa: E402


def place(series):
    return f"{series.at:,} {series.axis}" if series.axis and series.place[2] else ""


def ratio_text(ratio):
    word = compare.verdict(ratio)
    if word == "loss":
        return f"**LOSS** {ratio.median:.2f}" if ratio.median >= 0.1 else f"**LOSS** {number(ratio.median)}"
    return f"{ratio.median:.2f} even" if word == "even" else number(ratio.median) if ratio else "–"


def print_claims(series, versions):
    print("| claim | ours | peer | its figure | times as fast | least to most | wanted | |")
    print("| --- | ---: | --- | ---: | ---: | --- | ---: | --- |")
    for claim in story.results(series, versions):
        if claim.ratio is None:
            print(f"| {claim.text} | | {claim.peer} | | | | | not measured |")
            continue
        word = {"missed": "**MISSED**", "loss": "**LOSS**"}.get(claim.verdict, claim.verdict) + (" ±" if claim.is_unsure else "")
        wanted = f"≥ {number(claim.target)}" if claim.target else ""
        print(f"| {claim.text} | {claim.ours_text} | {claim.peer} | {claim.peer_text} | {number(claim.ratio.median)} "
              f"| {number(claim.ratio.low)} to {number(claim.ratio.high)} | {wanted} | {word} |")
    print()


def print_comparison(series, versions):
    print("| suite | operation | who | at | figure | ± | best peer, same promises | figure | times as fast "
          "| best peer that promises less | lacks | figure | times as fast |")
    print("| --- | --- | --- | --- | ---: | ---: | --- | ---: | ---: | --- | --- | ---: | ---: |")
    for ours, equal, fewer in compare.comparisons(series):
        cells = [ours.suite, ours.case, title(ours.who, versions), place(ours), quantity(ours.median, ours.unit), f"{ours.spread:.0%}"]
        cells += [title(equal.who, versions), quantity(equal.median, equal.unit), ratio_text(times_as_fast(ours, equal))] \
            if equal else ["none", "", "–"]
        cells += [title(fewer.who, versions), fewer.lack, quantity(fewer.median, fewer.unit), ratio_text(times_as_fast(ours, fewer))] \
            if fewer else [""] * 4
        print("| " + " | ".join(cells) + " |")


def print_losses(series, versions):
    found = compare.losses(series)
    for heading, chosen in [
        ("Losses to a peer with the same promises", [loss for loss in found if not loss[1].lack]),
        ("Losses to a peer that promises less", [loss for loss in found if loss[1].lack]),
    ]:
        print(f"\n{heading}: {len(chosen) or 'none'}")
        for index, (ours, peer, ratio) in enumerate(chosen):
            lack = f", which lacks {peer.lack}" if peer.lack else ""
            where = f" at {place(ours)}" if place(ours) else ""
            print(("" if index else "\n") + f"- {ours.suite}: {ours.case}, {title(ours.who, versions)}{where}: "
                  f"{quantity(ours.median, ours.unit)}, {title(peer.who, versions)} {quantity(peer.median, peer.unit)}{lack}: "
                  f"{number(ratio.median)} times as fast")


def print_all(series, versions):
    print("\n| suite | operation | who | at | median | least | most | ± | role |")
    print("| --- | --- | --- | --- | ---: | ---: | ---: | ---: | --- |")
    for one in series:
        figures = [quantity(value, one.unit) for value in (one.median, min(one.values), max(one.values))]
        print("| " + " | ".join([one.suite, one.case, title(one.who, versions), place(one), *figures, f"{one.spread:.0%}", one.role]) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="a table of every row, too")
    parser.add_argument("run", type=pathlib.Path, metavar="RUN")
    arguments = parser.parse_args()
    try:
        series, machine = compare.read_run(arguments.run)
    except rows.Broken as error:
        sys.exit(f"bench_table: {error}")
    print(f"# Summary of {machine['date'][:10]}\n")
    print(f"Made by `tools/bench_table.py` from raw.csv: {machine['mode']} run of commit {machine['commit'][:12]}, {machine['processor']}, "
          f"{machine['processors']} processors, {machine['system']}. [How to read it](../../README.md).")
    print(f"\n{story.about_load(machine)} ± stands where the spread of a ratio reaches across the line: not so in every round.\n")
    print_claims(series, machine["versions"])
    print_comparison(series, machine["versions"])
    print_losses(series, machine["versions"])
    if arguments.all:
        print_all(series, machine["versions"])


if __name__ == "__main__":
    main()
