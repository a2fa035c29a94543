#!/usr/bin/env python3
"""docs/cli.md is what the program prints of itself.

    reference_test.py PROGRAM [--bless]

--bless writes the page anew.
"""
import difflib
import pathlib
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "cli.md"


def main():
    program = sys.argv[1]
    printed = subprocess.run([program, "manual", "--format", "markdown"], stdout=subprocess.PIPE, check=True,
                             text=True).stdout
    if "--bless" in sys.argv:
        PAGE.write_text(printed)
    kept = PAGE.read_text() if PAGE.exists() else ""
    if kept == printed and "## tessera inspect" in printed:
        return 0
    print(*difflib.unified_diff(kept.splitlines(), printed.splitlines(), "docs/cli.md", "the program", lineterm=""),
          sep="\n")
    print(f"\nif the program is right: {sys.argv[0]} {program} --bless")
    return 1


if __name__ == "__main__":
    sys.exit(main())
