"""Pictures as SVG, drawn by hand so that a report stays small: bars with their spread, curves with theirs, and strips of ratios.

Colours are classes; the page says what they look like in light and in dark. Every mark has its figures in a <title>, which
browsers show and screen readers say.
"""
import html
import math

from compare import quantity

WIDTH = 560


def esc(text):
    return html.escape(str(text), quote=True)


def picture(width, height, label, parts):
    return (f'<svg viewBox="0 0 {width} {height:.0f}" role="img" aria-label="{esc(label)}">' + "".join(parts) + "</svg>")


def text(x, y, words, kind="", anchor="start"):
    """`words` are escaped; `kind` is a class."""
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{esc(words)}</text>'


def steps(low, high, count=4):
    """Round places between two values, for an axis."""
    span = (high - low) or 1
    raw = span / count
    size = 10 ** math.floor(math.log10(raw))
    step = next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor >= raw * 0.999)
    place = math.ceil(low / step - 1e-9) * step
    while place <= high * 1.0001:
        yield place
        place += step


class Scale:
    """Values to places; linear from zero, or by powers of ten."""

    def __init__(self, values, begin, end, log=False, space=40):
        """`space` is what a word on the axis takes."""
        self.begin, self.end, self.log = begin, end, log
        low, high = min(values), max(values)
        if log:
            self.low, self.high = math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9)
            if self.low == self.high:
                self.low, self.high = self.low - 1, self.high + 1
            every = max(1, math.ceil((self.high - self.low) / abs(end - begin) * space))
            self.ticks = [10.0 ** power for power in range(self.low, self.high + 1, every)]
        else:
            self.low, self.high = min(0, low), high * 1.02 or 1
            self.ticks = list(steps(self.low, self.high))

    def __call__(self, value):
        if self.log:
            value = math.log10(value)
        return self.begin + (value - self.low) / (self.high - self.low) * (self.end - self.begin)


def told(series, name):
    values = [quantity(value, series.unit) for value in (series.median, min(series.values), max(series.values))]
    rounds = len(series.values)
    spread = f", {values[1]} to {values[2]} in {rounds} rounds" if rounds > 1 else ", one round"
    return f"{name}: {values[0]}{spread}"


def mark_of(series):
    return "ours" if series.is_ours else "floor" if series.role == "floor" else "lacks" if series.lack else "peer"


def bars(groups, label, log=False):
    """`groups`: (heading or nothing, [(series, name)]). The thin line on a bar reaches from the least to the most that was seen."""
    left, right, height, top = 206, 78, 22, 4
    everything = [series for _, members in groups for series, _ in members]
    scale = Scale([value for series in everything for value in series.values], left, WIDTH - right, log)
    bottom = top + height * (len(everything) + sum(bool(heading) for heading, _ in groups))
    parts = [f'<line x1="{scale(tick):.1f}" x2="{scale(tick):.1f}" y1="{top}" y2="{bottom}" class="grid"/>' for tick in scale.ticks]
    y = top
    for heading, members in groups:
        if heading:
            parts.append(f'<rect x="0" y="{y}" width="{left}" height="{height}" class="paper"/>' + text(0, y + height / 2 + 5, heading, "heading"))
            y += height
        for series, name in members:
            parts.append(bar(series, name, scale, left, y, height))
            y += height
    unit = everything[0].unit
    axis = [text(scale(tick), bottom + 13, tick_text(tick, unit), "tick", "middle") for tick in scale.ticks]
    if log:
        axis.append(text(0, bottom + 13, "by powers of ten", "tick"))
    return picture(WIDTH, bottom + 18, label, parts + axis)


def bar(series, name, scale, left, y, height):
    kind, end, middle = mark_of(series), scale(series.median), y + height / 2
    parts = [f"<g><title>{esc(told(series, name))}</title>", text(left - 8, middle + 4, shortened(name, 28), kind + "-name", "end"),
             f'<rect x="{scale.begin}" y="{y + 4}" width="{max(1.5, end - scale.begin):.1f}" height="{height - 8}" class="bar {kind}"/>']
    if len(series.values) > 1:
        low, high = scale(min(series.values)), scale(max(series.values))
        parts.append(f'<path d="M{low:.1f} {middle}H{high:.1f}M{low:.1f} {middle - 3}v6M{high:.1f} {middle - 3}v6" class="spread"/>')
    tail = max(end, scale(max(series.values)))
    return "".join(parts) + text(tail + 6, middle + 4, quantity(series.median, series.unit), "value") + "</g>"


def short(value):
    for name, size in ((" G", 1e9), (" M", 1e6), (" k", 1e3)):
        if value >= size:
            return f"{value / size:.3g}{name}"
    return f"{value:.3g}"


def tick_text(value, unit):
    """On an axis there is less room."""
    if value == 0:
        return "0"
    return short(value).replace(" ", "") + "/s" if unit == "/s" else quantity(value, unit)


def shortened(name, size):
    return name if len(name) <= size else name[:size - 1] + "…"


def spread_labels(places, lowest, gap=14):
    """Moves labels apart so that none covers another nor lies below `lowest`; their order stays."""
    order = sorted(range(len(places)), key=lambda index: places[index])
    moved = list(places)
    for before, after in zip(order, order[1:]):
        moved[after] = max(moved[after], moved[before] + gap)
    limit = lowest
    for index in reversed(order):
        moved[index] = min(moved[index], limit)
        limit = moved[index] - gap
    return moved


def curves(lines, names, axis, label, log_x=True, log_y=False):
    """`lines`: for each name its series in the order of the axis. The band is from the least to the most that was seen."""
    left, right, top, bottom, height = 66, 172, 10, 36, 240
    every = [series for line in lines for series in line]
    places = sorted({series.at for series in every})
    x = Scale(places, left, WIDTH - right, log_x)
    x.low, x.high = (math.log10(place) if log_x else place for place in (places[0], places[-1]))  # no wider than the figures
    y = Scale([value for series in every for value in series.values], height - bottom, top, log_y, space=25)
    parts = []
    for tick in y.ticks:
        parts.append(f'<line x1="{left}" x2="{WIDTH - right}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" class="grid"/>')
        parts.append(text(left - 6, y(tick) + 4, tick_text(tick, every[0].unit), "tick", "end"))
    last = -100
    for place in places:
        if x(place) - last > 34:
            last = x(place)
            parts.append(text(last, height - bottom + 15, short(place), "tick", "middle"))
    words = axis + (", by powers of ten" if log_x else "") + ("; up by powers of ten too" if log_y else "")
    parts.append(text((left + WIDTH - right) / 2, height - 4, words, "axis", "middle"))
    ends = spread_labels([y(line[-1].median) for line in lines], height - bottom)
    for number, (line, name, end) in enumerate(zip(lines, names, ends)):
        kind = mark_of(line[0]) + f" line-{number % 6}"
        upper = [(x(series.at), y(max(series.values))) for series in line]
        lower = [(x(series.at), y(min(series.values))) for series in reversed(line)]
        if len(line) > 1:
            parts.append(f'<path d="M{"L".join(f"{a:.1f} {b:.1f}" for a, b in upper + lower)}Z" class="band {kind}"/>')
            middle = "L".join(f"{x(series.at):.1f} {y(series.median):.1f}" for series in line)
            parts.append(f'<path d="M{middle}" class="line {kind}"/>')
        for series in line:
            parts.append(f'<circle cx="{x(series.at):.1f}" cy="{y(series.median):.1f}" r="3.2" class="dot {kind}">'
                         f"<title>{esc(told(series, f'{name}, {series.at:,} {series.axis}'))}</title></circle>")
        tail_x, tail_y = x(line[-1].at), y(line[-1].median)
        parts.append(f'<path d="M{tail_x + 5:.1f} {tail_y:.1f}L{WIDTH - right + 10} {end:.1f}" class="leader"/>')
        parts.append(text(WIDTH - right + 13, end + 4, shortened(name, 25), f"label line-{number % 6}"))
    return picture(WIDTH, height, label, parts)


def strip(ratio, target, kind):
    """Where a ratio stands between a hundredth and a thousand: a dot with its spread; the mark is the target, or 1."""
    low, high, width = -1.3, 3, 150
    place = lambda value: 4 + (min(high, max(low, math.log10(value))) - low) / (high - low) * (width - 8)  # noqa: E731
    goal = place(target or 1)
    words = f"{ratio.median:.3g} times as fast, from {ratio.low:.3g} to {ratio.high:.3g}; wanted {target or 1:.3g}"
    return picture(width, 18, words, [
        f"<title>{esc(words)}</title>",
        f'<line x1="4" x2="{width - 4}" y1="9" y2="9" class="grid"/>',
        f'<line x1="{place(1):.1f}" x2="{place(1):.1f}" y1="5" y2="13" class="one"/>',
        f'<rect x="{place(ratio.low):.1f}" y="6.5" width="{max(1, place(ratio.high) - place(ratio.low)):.1f}" height="5" rx="2.5" class="reach {kind}"/>',
        f'<line x1="{goal:.1f}" x2="{goal:.1f}" y1="2" y2="16" class="goal"/>' if target else "",
        f'<circle cx="{place(ratio.median):.1f}" cy="9" r="4" class="point {kind}"/>'])
