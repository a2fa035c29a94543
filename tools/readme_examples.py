#!/usr/bin/env python3
"""Turns the ```cpp blocks of Markdown pages into files that the build compiles.

    readme_examples.py ROOT OUT PAGE...

A block with a main() becomes OUT/<page>_<n>_main.cpp, a program of its own. The other blocks
of a page become functions of one file, OUT/<page>_parts.cpp, below their #include lines.
Prints the names of the files. #line makes the compiler's messages point into the page.
"""
import pathlib
import re

import usage

BLOCK = re.compile(r"^```cpp\n(.*?)^```", re.S | re.M)
INCLUDE = re.compile(r"^#include .*\n", re.M)


def sources_of(page, text):
    """Yields (file name, text) for every file that the page `page` becomes."""
    stem = re.sub(r"\W", "_", page.removesuffix(".md").lower())
    includes, functions = [], []
    for number, block in enumerate(BLOCK.finditer(text), 1):
        line = text.count("\n", 0, block.start(1)) + 1
        where = f'#line {line} "{page}"\n'
        if re.search(r"\bmain\(", block[1]):
            yield f"{stem}_{number}_main.cpp", where + block[1]
        else:
            includes += INCLUDE.findall(block[1])
            body = INCLUDE.sub("\n", block[1])  # keeps the line numbers right
            # int, since an example may well say "return 1" when something fails.
            functions.append(f"int example_{number}();\nint example_{number}() {{\n{where}{body}return 0;\n}}\n")
    if functions:
        yield f"{stem}_parts.cpp", "".join(sorted(set(includes)) + functions)


def main():
    (root, out, *pages), _ = usage.arguments(__doc__, "ROOT OUT PAGE...")
    root, out = pathlib.Path(root), pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    for page in pages:
        for name, source in sources_of(page, (root / page).read_text()):
            target = out / name
            if not target.exists() or target.read_text() != source:  # else it would compile again
                target.write_text(source)
            print(name)


if __name__ == "__main__":
    main()
