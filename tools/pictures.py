#!/usr/bin/env python3
"""Draws the layout of every kind, as the program knows it: docs/pictures/*.svg.

    pictures.py PROGRAM [--bless]

Names, widths and order of the fields come from `tessera help kinds --json` and `tessera inspect
--json`, which print the layout tables of core. Compares the drawings with those in the tree and exits
1 if one differs, is missing or is left over; --bless writes them anew.
"""
import json
import pathlib
import subprocess
import sys
from xml.sax.saxutils import escape

import usage

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "docs" / "pictures"
NOW = "2026-11-15"

# An ID of each kind to draw: from the standards, where they have one. The second is how inspect is
# told; the third how text and bits go together: digits of so many bits, filled up at which end.
SAMPLES = {
    "ulid": ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "ulid", (5, "left")),
    "uuidv1": ("c232ab00-9414-11ec-b3c8-9f6bdeced846", "uuidv1", (4, "left")),
    "uuidv3": ("5df41881-3aed-3515-88a7-2f4a814cf09e", "uuidv3", (4, "left")),
    "uuidv4": ("919108f7-52d1-4320-9bac-f847db4148a8", "uuidv4", (4, "left")),
    "uuidv5": ("2ed6657d-e927-568b-95e1-2665a8aea6a2", "uuidv5", (4, "left")),
    "uuidv6": ("1ec9414c-232a-6b00-b3c8-9f6bdeced846", "uuidv6", (4, "left")),
    "uuidv7": ("017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "uuidv7", (4, "left")),
    "uuidv8": ("2489e9ad-2ee2-8e00-8ec9-32d5f69181c0", "uuidv8", (4, "left")),
    "snowflake": ("2039815312720154892", "snowflake-twitter", None),
    "objectid": ("56e1fc72e0c917e9c4714161", "objectid", (4, "left")),
    "ksuid": ("1HCpXwx2EK9oYluWbacgeCnFcLf", "ksuid", None),
    "random": ("KFV1B65P8Q3CMC", "random", (5, "right")),
    "short": ("967G=", "short", (5, "right")),
    "public": ("ord_01ARZ3NDEKTSV4RRFFQ69G5FAV", "public", (5, "left")),
}
SNOWFLAKES = ("twitter", "discord", "instagram", "mastodon", "linkedin", "sony", "js53")

# Each role has one colour for light pages and one for dark ones. The letters carry the meaning too.
COLOURS = {
    "time": ("#2563c9", "#7fb0ff"),
    "random": ("#1f7a4d", "#6fd3a0"),
    "version": ("#b3261e", "#ff9a92"),
    "variant": ("#9a5b00", "#f2bb5c"),
    "machine": ("#7b3fb5", "#cfa5f5"),
    "sequence": ("#0b7285", "#62d0e3"),
    "digest": ("#5f5a00", "#d6cf5a"),
    "custom": ("#5c6670", "#b4bec8"),
    "check": ("#b0256b", "#ff9ccb"),
    "prefix": ("#3d4a57", "#d3dbe3"),
}
WIDTH, MARGIN = 760, 24
INNER = WIDTH - 2 * MARGIN


def ask(program, *arguments):
    return subprocess.run([program, *arguments], stdout=subprocess.PIPE, check=True, text=True).stdout


def fields_of(program, text, kind):
    """Fields as inspect tells them: name, role, offset, width, value."""
    answer = json.loads(ask(program, "inspect", "--json", "--now", NOW, "--as", kind, text))
    if not answer["valid"] or answer["text"] != text:
        raise SystemExit(f"pictures: '{text}' is no {kind} to the program")
    return answer["fields"]


class Drawing:
    """Shapes, and at the end the SVG around them."""

    def __init__(self, title, about):
        self.title, self.about, self.shapes, self.height = title, about, [], 0

    def text(self, x, y, words, style="t", anchor="start"):
        where = "" if anchor == "start" else f' text-anchor="{anchor}"'
        self.shapes.append(f'<text class="{style}" x="{x}" y="{y}"{where}>{escape(words)}</text>')

    def box(self, x, y, width, height, role, style=""):
        self.shapes.append(f'<rect class="{role}{style}" x="{x:.1f}" y="{y}" width="{width:.1f}" height="{height}"/>')

    def svg(self):
        light = " ".join(f".{role} {{fill: {pair[0]}}}" for role, pair in COLOURS.items())
        dark = " ".join(f".{role} {{fill: {pair[1]}}}" for role, pair in COLOURS.items())
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.height}" width="{WIDTH}" '
            f'height="{self.height}" role="img" aria-labelledby="title about">',
            f'<title id="title">{escape(self.title)}</title>',
            f'<desc id="about">{escape(self.about)}</desc>',
            "<style>",
            "text {font: 14px system-ui, sans-serif; fill: #1f2933}",
            ".h {font-weight: 600; font-size: 17px} .s, .n {font-size: 12px; fill: #52606d}",
            ".m, .l, .n {font-family: ui-monospace, monospace} .m {font-size: 18px} .v {font-size: 13px}",
            ".l {font-weight: 700; font-size: 13px; fill: #fff}",
            ".card {fill: #fff; stroke: #d5dce3}",
            light,
            "@media (prefers-color-scheme: dark) {",
            "text {fill: #e6ebf0} .s, .n {fill: #a9b4bf} .l {fill: #10161c}",
            ".card {fill: #161b22; stroke: #38424d}",
            dark,
            "}",
            "</style>",
            f'<rect class="card" x="0.5" y="0.5" width="{WIDTH - 1}" height="{self.height - 1}" rx="10"/>',
            *self.shapes,
            "</svg>",
            ""])


def role_at(fields, bit):
    return next((field["role"] for field in fields if field["offset"] <= bit < field["offset"] + field["width"]), None)


def draw_text(drawing, y, text, fields, code, bits):
    """The text in large letters; below each the bits that it stands for, in the colours of their fields."""
    step = min(21, INNER / len(text))
    for number, letter in enumerate(text):
        drawing.text(f"{MARGIN + (number + 0.5) * step:.1f}", y, letter, "m", "middle")
    if code is None:
        return
    size, filled = code
    body = text.index("_") + 1 if "_" in text else 0
    for number in range(body - 1):
        drawing.box(MARGIN + number * step + 1, y + 7, step - 2, 5, "prefix")
    digits = [i for i in range(body, len(text)) if text[i] not in "-"]
    count = -(-bits // size)
    first = bits - count * size if filled == "left" else 0  # of an ID that is filled up in front
    for place, number in enumerate(digits[:count]):
        left = MARGIN + number * step + 1
        run_start, runs = 0, []
        roles = [role_at(fields, first + place * size + bit) for bit in range(size)]
        for bit in range(1, size + 1):
            if bit == size or roles[bit] != roles[run_start]:
                runs.append((run_start, bit, roles[run_start]))
                run_start = bit
        for start, end, role in runs:
            if role:
                drawing.box(left + start * (step - 2) / size, y + 7, (end - start) * (step - 2) / size, 5, role)
    for number in digits[count:]:
        drawing.box(MARGIN + number * step + 1, y + 7, step - 2, 5, "check")


def draw_bar(drawing, y, fields, bits, letters, height=34):
    """All bits as one bar, fields by their widths."""
    scale = INNER / bits
    for field, letter in zip(fields, letters):
        x, width = MARGIN + field["offset"] * scale, field["width"] * scale
        drawing.box(x + 0.5, y, max(width - 1, 1.5), height, field["role"])
        if width >= 9:
            drawing.text(f"{x + width / 2:.1f}", y + height / 2 + 5, letter, "l", "middle")


def draw_legend(drawing, y, rows):
    """A line for each field: letter, name, how many bits, where, what the sample has there."""
    for letter, role, *words in rows:
        drawing.box(MARGIN, y - 13, 18, 17, role)
        drawing.text(MARGIN + 9, y, letter, "l", "middle")
        for x, word, style in zip((54, 190, 270, 360, 460), words, ("t", "t", "s", "s", "n")):
            drawing.text(x, y, word, style)
        y += 24
    return y


def draw_kind(program, info):
    text, asked, code = SAMPLES[info["kind"]]
    if info["kind"] == "short":  # nothing in it is a field: it is one enciphered number
        ask(program, "check", "--as", "short", "--bits", "16", text)
        name = info["layout"].strip("| ").split(" B |")[0]
        fields = [{"name": name, "role": "random", "offset": 0, "width": 16, "value": ""}]
    else:
        fields = fields_of(program, text, asked)
    bits = max(field["offset"] + field["width"] for field in fields)
    letters = "abcdefghijk"[:len(fields)]
    about = "; ".join(f"{field['name']}, {field['width']} bits" for field in fields)
    drawing = Drawing(f"The layout of {info['title']}", f"{text}: {about}")
    drawing.text(MARGIN, 32, info["title"], "h")
    drawing.text(WIDTH - MARGIN, 32, info["size"], "s", "end")
    draw_text(drawing, 72, text, fields, code, bits)
    draw_bar(drawing, 98, fields, bits, letters)
    drawing.text(MARGIN, 148, "bit 0", "s")
    drawing.text(WIDTH - MARGIN, 148, f"bit {bits - 1}", "s", "end")
    rows = []
    for field, letter in zip(fields, letters):
        first, last = field["offset"], field["offset"] + field["width"] - 1
        rows.append((letter, field["role"], field["name"], "1 bit" if first == last else f"{field['width']} bits",
                     str(first) if first == last else f"{first} to {last}", field["role"], field["value"]))
    if info["kind"] == "short":
        rows = [("a", "random", fields[0]["name"], "", "", "16 bits here", "")]
    if info["kind"] == "public":
        rows.insert(0, (" ", "prefix", "prefix", "in text", "only", "type", "ord"))
    if info["kind"] in ("random", "short"):
        rows.append((" ", "check", "check symbol", "in text", "only", "check", text[-1]))
    drawing.height = draw_legend(drawing, 182, rows) - 2
    return drawing.svg()


def draw_snowflakes(program, info):
    """All layouts, one below the other: the same 64 bits, cut in other ways."""
    drawing = Drawing(f"The layouts of {info['title']}s", "64 bits each, cut into time, machine and sequence")
    drawing.text(MARGIN, 32, info["title"], "h")
    drawing.text(WIDTH - MARGIN, 32, info["size"], "s", "end")
    y = 62
    for layout in SNOWFLAKES:
        text = ask(program, "new", "snowflake", "--layout", layout, "--machine", "0", "--at", "2026-01-31T09:00Z").strip()
        answer = json.loads(ask(program, "inspect", "--json", "--now", NOW, "--as", f"snowflake-{layout}", text))
        fields = answer["fields"]
        drawing.text(MARGIN, y, layout)
        drawing.text(WIDTH - MARGIN, y, answer["about"], "s", "end")
        letters = [f"{field['name']} {field['width']}" if field["width"] > 9 else str(field["width"]) for field in fields]
        draw_bar(drawing, y + 8, fields, 64, letters, 28)
        y += 66
    drawing.height = y - 16
    return drawing.svg()


def all_pictures(program):
    kinds = [json.loads(line) for line in ask(program, "help", "kinds", "--json").splitlines()]
    missing = {info["kind"] for info in kinds} ^ set(SAMPLES)
    if missing:
        raise SystemExit(f"pictures: no sample, or no kind: {', '.join(sorted(missing))}")
    pictures = {f"{info['kind']}.svg": draw_kind(program, info) for info in kinds}
    snowflake = next(info for info in kinds if info["kind"] == "snowflake")
    pictures["snowflakes.svg"] = draw_snowflakes(program, snowflake)
    return pictures


def main():
    (program,), flags = usage.arguments(__doc__, "TESSERA", {"--bless"})
    pictures = all_pictures(program)
    if flags:
        FOLDER.mkdir(exist_ok=True)
        for old in FOLDER.glob("*.svg"):
            old.unlink()
        for name, svg in pictures.items():
            (FOLDER / name).write_text(svg)
    wrong = 0
    kept = {path.name: path.read_text() for path in FOLDER.glob("*.svg")}
    for name in sorted(pictures.keys() | kept.keys()):
        if pictures.get(name) != kept.get(name):
            print(f"docs/pictures/{name} is not what is drawn now")
            wrong += 1
    print(f"{len(pictures)} pictures, {wrong} differ")
    if wrong:
        print(f"if the program is right: {sys.argv[0]} {program} --bless")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
