#!/usr/bin/env python3
"""One page with all that a run has shown: claims and their targets first, then pictures, then every row.

    bench_report.py RUN >report.html

RUN is a folder of tools/run_bench, with raw.csv and machine.json. The page is whole in itself: no script, no host is asked for
anything, light or dark as the reader's system is. bench/README.md says how to read it.

Exit codes: 0; 1 if the rows cannot be compared: a broken one, or none of tessera.
"""
import argparse
import collections
import pathlib
import sys

BENCH = pathlib.Path(__file__).resolve().parent.parent / "bench"
sys.path.insert(0, str(BENCH))
import compare  # noqa: E402
import pictures  # noqa: E402
import plots  # noqa: E402
import rows  # noqa: E402
import story  # noqa: E402
from compare import number, quantity, times_as_fast, title  # noqa: E402
from plots import esc  # noqa: E402

WORDS = {"met": "met", "missed": "MISSED", "ahead": "ahead", "even": "even", "loss": "LOSS", "not measured": "not measured", "beside a floor": "a floor"}
GOOD, BAD = ("met", "ahead"), ("missed", "loss")


def tag(result):
    unsure = ' title="not in every round">' if result.is_unsure else ">"
    return f'<span class="tag {result.verdict.split()[0]}"{unsure}{WORDS[result.verdict]}{" ±" if result.is_unsure else ""}</span>'


def times(value):
    return f"{number(value)}\u00a0×"


def head(machine):
    date, commit = machine["date"].replace("T", " ").replace("+00:00", " UTC"), machine["commit"]
    return (f"<h1>Tessera: how fast, beside whom</h1>"
            f'<p class="sub">{esc(date)} · commit {esc(commit[:12])}{esc(commit[40:])} · {esc(machine["mode"])} run, medians of '
            f'{machine["rounds"]} rounds in turns where a row does not say otherwise · {esc(machine["processor"])}, {machine["processors"]} processors, '
            f'{esc(machine["system"])}</p>')


def counts_of(results):
    count = collections.Counter(result.verdict for result in results)
    with_target = count["met"] + count["missed"]
    return count, with_target


def tiles(results, losses):
    count, with_target = counts_of(results)
    same = sum(not peer.lack for _, peer, _ in losses)
    cells = [("good" if count["met"] == with_target else "bad", f"{count['met']} of {with_target}", "targets met", f"{count['missed']} missed"),
             ("bad" if same else "good", str(same), "losses to a peer with the same promises", f"{len(losses) - same} to peers that promise less")]
    for result in results:
        if result.ratio is not None and result.shown:
            kind = "good" if result.verdict in GOOD else "bad" if result.verdict in BAD else ""
            wanted = f", wanted {times(result.target)}" if result.target else ""
            cells.append((kind, times(result.ratio.median), f"{result.area}: {result.text}", f"beside {result.peer}{wanted}"))
    return '<div class="tiles">' + "".join(
        f'<div class="tile {kind}"><b>{esc(figure)}</b><span class="what">{esc(what)}</span><span>{esc(more)}</span></div>'
        for kind, figure, what, more in cells) + "</div>"


def claims_table(results):
    lines, area = [], None
    for result in results:
        if result.area != area:
            area = result.area
            lines.append(f'<tr class="area"><th colspan="8">{esc(area)}</th></tr>')
        if result.ratio is None:
            lines.append(f'<tr><td>{esc(result.text)}</td><td></td><td>{esc(result.peer)}</td><td colspan="4"></td><td>{tag(result)}</td></tr>')
            continue
        ratio = result.ratio
        lines.append(f'<tr><td>{esc(result.text)}</td><td class="n">{esc(result.ours_text)}</td><td>{esc(result.peer)}</td>'
                     f'<td class="n">{esc(result.peer_text)}</td><td class="n" title="{number(ratio.low)} to {number(ratio.high)}">'
                     f'<b>{times(ratio.median)}</b></td><td class="strip">{plots.strip(ratio, result.target, result.verdict.split()[-1])}</td>'
                     f'<td class="n">{f"≥ {number(result.target)} ×" if result.target else ""}</td><td>{tag(result)}</td></tr>')
    return ('<div class="card wide"><table><tr><th>claim</th><th class="n">ours</th><th>beside</th><th class="n">its figure</th>'
            '<th class="n">times as fast</th><th>with its spread</th><th class="n">wanted</th><th></th></tr>' + "".join(lines) + "</table></div>")


def losses_list(losses, versions):
    if not losses:
        return "<p>No row is behind a peer.</p>"
    lines = []
    for ours, peer, ratio in losses:
        where = f", {ours.at:,} {ours.axis}" if ours.place[2] else ""
        lines.append(f"<tr><td>{esc(ours.suite)}: {esc(ours.case)}{esc(where)}</td><td>{esc(title(ours.who, versions))}</td>"
                     f'<td class="n">{esc(quantity(ours.median, ours.unit))}</td><td>{esc(title(peer.who, versions))}</td>'
                     f'<td class="n">{esc(quantity(peer.median, peer.unit))}</td><td class="n"><b>{times(ratio.median)}</b></td>'
                     f'<td>{"lacks " + esc(peer.lack) if peer.lack else "same promises"}</td></tr>')
    return ('<div class="card wide"><table><tr><th>row</th><th>ours</th><th class="n"></th><th>peer</th><th class="n"></th>'
            '<th class="n">times as fast</th><th>the peer</th></tr>' + "".join(lines) + "</table></div>")


def plain(name):
    return name if "(" in name else name.replace("_", " ")


def apart(case, cases):
    """What tells a case from the others, in words."""
    parts = [set(other.split("/")) for other in cases]
    own = [part for part in case.split("/") if not all(part in other for other in parts)]
    return " ".join(own or [case]).replace("registry_", "").replace("_", " ")


def bars_of(picture, series):
    found = [one for one in series if one.suite == picture.suite and one.case in picture.cases and (not picture.only or one.who in picture.only)]
    if picture.at == -1:
        last = max((one.at for one in found), default=0)
        found = [one for one in found if one.at == last]
    else:
        found = [one for one in found if one.place[3] == picture.at]
    if not found:
        return ""
    better = -1 if rows.is_more_better(found[0].unit) else 1
    groups = []
    for case in picture.cases:
        members = sorted((one for one in found if one.case == case), key=lambda one: better * one.median)
        if members:
            groups.append((apart(case, picture.cases) if len(picture.cases) > 1 else "", [(one, plain(one.who)) for one in members]))
    return plots.bars(groups, picture.title, picture.log)


def curves_of(picture, series):
    lines = collections.OrderedDict()
    # In the order of the cases, so that a store has one colour in all pictures; ours before others.
    for one in sorted(series, key=lambda one: (picture.cases.index(one.case) if one.case in picture.cases else 0, not one.is_ours)):
        on_axis = one.axis == picture.axis
        if one.suite == picture.suite and one.case in picture.cases and on_axis and (not picture.only or one.who in picture.only):
            others = {other.who for other in series if other.suite == one.suite and other.case == one.case}
            what = apart(one.case, picture.cases) if len(picture.cases) > 1 else ""
            # Where only we do it, the case says enough.
            name = ": ".join(filter(None, [what, plain(one.who) if len(others) > 1 or not what else ""]))
            lines.setdefault(name, []).append(one)
    lines = {name: sorted(line, key=lambda one: one.at) for name, line in lines.items()}
    if not any(len(line) > 1 for line in lines.values()):
        return ""
    return plots.curves(list(lines.values()), list(lines), picture.axis, picture.title, picture.log_x, picture.log_y)


def pictures_of(series):
    """{area: [cards]}, of what there is."""
    areas = collections.OrderedDict()
    for picture in pictures.PICTURES:
        make = bars_of if isinstance(picture, pictures.Bars) else curves_of
        drawn = make(picture, series)
        if drawn:
            unit = next(one.unit for one in series if one.suite == picture.suite and one.case in picture.cases)
            better = "more is better" if rows.is_more_better(unit) else "less is better"
            note = " ".join(filter(None, [picture.note, better[0].upper() + better[1:] + "."]))
            areas.setdefault(picture.area, []).append(
                f'<div class="card"><h3>{esc(picture.title)}</h3>{drawn}<p class="note">{esc(note)}</p></div>')
    return areas


def all_rows(series, versions):
    lines = []
    for one in series:
        figures = "".join(f'<td class="n">{esc(quantity(value, one.unit))}</td>' for value in (one.median, min(one.values), max(one.values)))
        where = f"{one.at:,} {one.axis}" if one.axis else ""
        lines.append(f"<tr><td>{esc(one.suite)}</td><td>{esc(one.case)}</td><td>{esc(where)}</td><td>{esc(title(one.who, versions))}</td>"
                     f'{figures}<td class="n">{len(one.values)}</td><td>{esc(one.role)}</td></tr>')
    return ('<div class="card wide"><table><tr><th>suite</th><th>row</th><th>at</th><th>who</th><th class="n">median</th><th class="n">least</th>'
            '<th class="n">most</th><th class="n">rounds</th><th>role</th></tr>' + "".join(lines) + "</table></div>")


def how(machine):
    versions = ", ".join(f"{esc(name)} {esc(version)}" for name, version in sorted(machine["versions"].items()))
    suites = ", ".join(f"{esc(name)} {suite['seconds']:.0f} s (load {suite['load']})" for name, suite in machine["suites"].items())
    return (f"<p>{esc(machine['processor'])}, {machine['processors']} processors, {machine['memory_gib']} GiB, kernel {esc(machine['kernel'])}, "
            f"{esc(machine['system'])}.</p><p>Versions: {versions}.</p><p>Suites: {suites}.</p>"
            "<p>Every row proves that it does its work before it is timed. Contenders take turns within each round; a round before the first "
            "warms up. A ratio is the median of the ratios of the rounds, its spread the least and the most of them. Nearer than a tenth "
            "is even. Made from raw.csv by tools/bench_report.py; the run itself by tools/run_bench.</p>")


LEGEND = ('<div class="legend"><span><i style="background:var(--ours)"></i>Tessera</span><span><i style="background:var(--peer)"></i>a peer with the '
          'same promises</span><span><i style="background:var(--lacks)"></i>a peer that promises less</span><span><i style="background:var(--floor)"></i>'
          'a floor: what nobody can be below</span><span>thin lines and bands: from the least to the most seen</span></div>')


def page(series, machine):
    versions = machine["versions"]
    results, losses = story.results(series, versions), compare.losses(series)
    areas = pictures_of(series)
    anchors = {area: area.lower().replace(" ", "-") for area in areas}
    links = "".join(f'<a href="#{anchor}">{esc(area)}</a>' for area, anchor in anchors.items())
    missed = [result for result in results if result.verdict in BAD]
    behind = "".join(f"<li>{esc(result.area)}: {esc(result.text)}: <b>{times(result.ratio.median)}</b> {esc(result.peer)}"
                     + (f", wanted {times(result.target)}" if result.target else "") + "</li>" for result in missed)
    behind = f'<h3>Behind</h3><ul class="behind">{behind}</ul>' if behind else "<p>Every target of this run was met.</p>"
    warn = machine["busy_before"] > 0.1 or machine["mode"] == "smoke" or any(suite["failed"] for suite in machine["suites"].values())
    body = [head(machine), f'<p class="{"warn" if warn else "note"}">{esc(story.about_load(machine))}</p>', tiles(results, losses), behind,
            f'<nav><a href="#claims">All claims</a>{links}<a href="#losses">All losses</a><a href="#rows">Every row</a><a href="#how">How</a></nav>',
            '<h2 id="claims">Claims</h2><p class="note">Times as fast as the named peer: 2 is twice as fast, 0.5 half as fast. The strip '
            'runs from 0.05 to 1,000 by powers of ten: a thin mark at 1, a thick one at what was wanted, a dot for the median, a bar for its spread. '
            '± stands where the spread reaches across the line: not so in every round.</p>',
            claims_table(results), "<h2>Pictures</h2>" + LEGEND]
    for area, cards in areas.items():
        body.append(f'<h2 id="{anchors[area]}">{esc(area)}</h2><div class="cards">{"".join(cards)}</div>')
    body += ['<h2 id="losses">Every row that is behind a peer</h2>', losses_list(losses, versions),
             f'<h2 id="rows">Every row</h2><details><summary>{len(series)} rows</summary>{all_rows(series, versions)}</details>',
             '<h2 id="how">How it was measured</h2>', how(machine)]
    style = (BENCH / "report.css").read_text()
    return ('<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
            f"<title>Tessera: benchmarks of {esc(machine['date'][:10])}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
            + "\n".join(body) + "\n</main>\n</body>\n</html>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=pathlib.Path, metavar="RUN")
    arguments = parser.parse_args()
    try:
        series, machine = compare.read_run(arguments.run)
    except rows.Broken as error:
        sys.exit(f"bench_report: {error}")
    sys.stdout.write(page(series, machine))


if __name__ == "__main__":
    main()
