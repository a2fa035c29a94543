#!/usr/bin/env python3
"""Spells the documents: every word of the prose must be in the English dictionary or in tools/words.txt.

    check_spelling.py ROOT [--bless]

Code, links, file names and whatever is in backticks are not prose. Prints each word that is in neither, with its first
place, and words of the list that no page has any more; exits 1 if there is any. --bless makes the list anew: read
what it adds before you commit it.
"""
import pathlib
import re
import subprocess
import sys

import usage

CODE = re.compile(r"^(```+).*?^\1|^<!--.*?-->$|^---\n.*?^---$|^(?:    |\t).*?$|`[^`\n]*`|\]\([^)]*\)|<[^>\n]*>|&\w+;|\w+://\S+",
                  re.S | re.M)
WORD = re.compile(r"(?<![\w./@_-])[A-Za-z][A-Za-z]*(?:['’][a-z]+)?(?![\w@_]|[./](?=\w))")


def pages_of(root):
    yield from sorted(root.glob("*.md"))
    yield from sorted(path for path in (root / "docs").rglob("*.md") if "node_modules" not in path.parts)
    for name in ("src/README.md", "bench/README.md", "apps/console/README.md"):
        yield root / name


def words_of(text):
    """{word: number of its line} of the prose."""
    blank = lambda found: re.sub(r"[^\n]", " ", found[0])  # noqa: E731
    words = {}
    for number, line in enumerate(CODE.sub(blank, text).splitlines(), 1):
        for word in WORD.findall(line):
            words.setdefault(word.replace("’", "'"), number)
    return words


def main():
    (name,), flags = usage.arguments(__doc__, "ROOT", {"--bless"})
    root = pathlib.Path(name)
    known = {line for line in (root / "tools/words.txt").read_text().splitlines() if line and not line.startswith("#")}
    places = {}
    for page in pages_of(root):
        for word, number in words_of(page.read_text()).items():
            places.setdefault(word, f"{page.relative_to(root)}:{number}")
    plain = {word.removesuffix("'s") for word in places}
    run = subprocess.run(["hunspell", "-d", "en_GB", "-i", "utf-8", "-l"], input="\n".join(sorted(plain)) + "\n",
                         stdout=subprocess.PIPE, check=True, text=True)
    foreign = set(run.stdout.split())
    if flags:
        head = "# Words of the documents that no dictionary has: names, and terms of the trade.\n"
        (root / "tools/words.txt").write_text(head + "".join(f"{word}\n" for word in sorted(foreign, key=lambda one: (one.lower(), one))))
        known = foreign
    wrong = 0
    for word, place in sorted(places.items(), key=lambda pair: pair[1]):
        if word.removesuffix("'s") in foreign and word.removesuffix("'s") not in known:
            print(f"{place}: {word}")
            wrong += 1
    for word in sorted(known - foreign):
        print(f"tools/words.txt: no page needs '{word}'")
        wrong += 1
    print(f"{len(places)} words, {wrong} findings")
    return 1 if wrong or len(places) < 1000 else 0


if __name__ == "__main__":
    sys.exit(main())
