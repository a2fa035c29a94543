#!/usr/bin/env python3
"""Checks that every test that docs/promises.md names is in the tree.

    check_promises.py [ROOT]

Reads the last column of its tables. A word in `code` there is one of

    Suite.Promise, Suite.Begin*   a GoogleTest or a property of RapidCheck
    file_test.py::test_name       a method of that file
    a/path, a/folder/, a/*.cpp    a file or folder
    name, name.part               of a test of CTest, whole or up to the first dot

or it explains, and stands in the list below. Prints what is missing, and exits 1 if anything is; also if a
promise has no test.
"""
import pathlib
import re
import sys

import usage

WORDS = {"kill -9", "faketime", "getrandom", "tessera registry verify"}  # no names of tests
CODE = re.compile(r"`([^`]+)`")
GTEST = re.compile(r"\b(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)\(\s*(\w+),\s*(\w+)")
CTEST = re.compile(r"add_test\(\s*NAME\s+([\w.]+)")
FOLDERS = ("src", "tests", "extensions", "apps")


def files(root, *suffixes):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in suffixes and "node_modules" not in path.parts:
                yield path


def gtests(root):
    return {f"{suite}.{name}" for path in files(root, ".cpp", ".h")
            for suite, name in GTEST.findall(path.read_text(encoding="utf-8"))}


def ctests(root):
    names = {name.rstrip(".") for path in files(root, ".txt")
             for name in CTEST.findall(path.read_text(encoding="utf-8"))}
    return names | {name.split(".")[0] for name in names}


def has_method(root, name):
    file, _, method = name.partition("::")
    return any(re.search(rf"^\s*def {re.escape(method)}\(", path.read_text(encoding="utf-8"), re.MULTILINE)
               for path in files(root, ".py") if path.name == file)


def rows(text):
    """(line number, cells) of the tables of three columns."""
    for number, line in enumerate(text.splitlines(), 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if line.startswith("| **") and len(cells) == 3:
            yield number, cells


def faults(root):
    text = (root / "docs/promises.md").read_text(encoding="utf-8")
    known, named = gtests(root), ctests(root)
    count = 0
    for number, (promise, _, proof) in rows(text):
        names = [name for name in CODE.findall(proof) if name not in WORDS]
        count += len(names)
        if not names:
            yield number, f"a promise without a test: {promise[:60]}"
        for name in names:
            if "::" in name:
                there = has_method(root, name)
            elif "/" in name:
                there = any(root.glob(name.rstrip("/")))
            elif name.endswith("*"):
                there = any(other.startswith(name[:-1]) for other in known)
            else:
                there = name in known or name in named
            if not there:
                yield number, f"there is no test {name}"
    if count < 80:
        yield 1, f"only {count} tests are named: the page was not read as it is written"


def main():
    words, _ = usage.arguments(__doc__, "[ROOT]")
    root = pathlib.Path(*words)
    found = list(faults(root))
    for number, what in found:
        print(f"docs/promises.md:{number}: {what}")
    print(f"promises: {len(list(rows((root / 'docs/promises.md').read_text(encoding='utf-8'))))}, {len(found)} findings")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
