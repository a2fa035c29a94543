#!/usr/bin/env python3
"""Checks what no compiler checks: that every file of the tree is tidy.

    check_tree.py [ROOT]

Each rule is a function that yields (line number, what is wrong). Prints one line for each
finding and exits 1 if there is any.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import usage

SKIPPED_FOLDERS = {".git", "build", "node_modules", "__pycache__"}
DATA = ("tests/corpus/", "tests/vectors/")  # any bytes are right there
CODE = {".h", ".cpp", ".c"}
TEXT = CODE | {".py", ".cmake", ".txt", ".md", ".json", ".yaml", ".yml", ".sql", ".js", ".html", ".css"}

# Spelled so that this file does not match itself.
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:wor[k]|hom[e]/\w+)/|\.\./share[d]\b")
MARK = re.compile(r"\b(?:TOD[O]|FIXM[E]|XX[X]|HAC[K])\b")
SKIPPED_TEST = re.compile(r"GTEST_SKI[P]|DISABLE[D]_")
FENCE = re.compile(r"^\s*(?:```+|~~~+)\s*(?=\S)([^`]*)$")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def lines_matching(pattern, text, what):
    for number, line in enumerate(text.splitlines(), 1):
        match = pattern.search(line)
        if match:
            yield number, f"{what}: {match[0].strip()}"


def no_machine_paths(path, text):
    yield from lines_matching(MACHINE_PATH, text, "path of somebody's machine")


def no_marks(path, text):
    yield from lines_matching(MARK, text, "mark left behind; write an issue instead")


def no_skipped_tests(path, text):
    if path.suffix in CODE:
        yield from lines_matching(SKIPPED_TEST, text, "test that does not run")


def clean_whitespace(path, text):
    if path.suffix not in TEXT and not text.startswith("#!"):
        return
    if path.suffix != ".md":  # transcripts show what the program prints, tabs and all
        yield from lines_matching(re.compile(r"\t"), text, "tab")
    yield from lines_matching(re.compile(r"[ \t\r]+$"), text, "blanks at the end of the line")
    if not text.endswith("\n") or text.endswith("\n\n"):
        yield text.count("\n") + 1, "does not end with exactly one newline"


def says_what_it_is(path, text):
    """A file of code opens with a comment; only #pragma once may stand before it."""
    if path.suffix in CODE and path.parts[0] in ("src", "include", "apps", "extensions"):
        head = [line for line in text.splitlines()[:5] if line and line != "#pragma once"]
        if not head or not head[0].startswith(("//", "/*")):
            yield 1, "does not begin with a comment that says what it is"


def script_is_executable(path, text):
    if text.startswith("#!") and not os.access(path, os.X_OK):
        yield 1, "has a #! line but is not executable"


def shell_is_checked(path, text):
    if re.match(r"#!.*\b(?:ba|da)?sh\b", text):
        if not shutil.which("shellcheck"):
            yield 1, "cannot be checked: shellcheck is missing (tools/install-deps lint)"
            return
        run = subprocess.run(["shellcheck", "--format=gcc", path], capture_output=True, text=True)
        for line in run.stdout.splitlines():
            yield int(line.split(":")[1]), line.split(":", 3)[3].strip()


def fences_are_plain(path, text):
    """Every C++ block is compiled; nothing on its fence can take it out."""
    if path.suffix == ".md":
        for number, line in enumerate(text.splitlines(), 1):
            fence = FENCE.match(line)
            info = fence[1].strip() if fence else ""
            if re.match(r"(?i)(?:cpp|c\+\+|cxx|console)(?!\w)", info) and info not in ("cpp", "console"):
                yield number, f"write ```cpp or ```console, nothing more: {info}"


def anchors_of(text):
    """The names that GitHub gives to the headings of a page."""
    for heading in re.findall(r"^#+ +(.*?) *#*$", text, re.M):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def links_resolve(path, text):
    if path.suffix != ".md":
        return
    # Code blocks keep their lines but lose their text: brackets in them are no links.
    prose = re.sub(r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), text, flags=re.S | re.M)
    for number, line in enumerate(prose.splitlines(), 1):
        for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            page = path.parent / name if name else path
            if not page.exists():
                yield number, f"link to a file that is not there: {target}"
            elif anchor and page.suffix == ".md" and anchor not in anchors_of(page.read_text()):
                yield number, f"link to a heading that is not there: {target}"


RULES_FOR_DATA = [no_machine_paths]
RULES = [no_machine_paths, no_marks, no_skipped_tests, clean_whitespace, says_what_it_is,
         script_is_executable, shell_is_checked, fences_are_plain, links_resolve]


def files_of(top):
    for folder, folders, names in os.walk(top):
        folders[:] = sorted(set(folders) - SKIPPED_FOLDERS)
        for name in sorted(names):
            if name != ".git":  # of a work tree: it names where the others are
                yield pathlib.Path(folder, name).relative_to(top)


def main():
    words, _ = usage.arguments(__doc__, "[ROOT]")
    os.chdir(pathlib.Path(*words))
    wrong = seen = 0
    for path in files_of("."):
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue  # binary: a picture, a fuzz seed
        seen += 1
        rules = RULES_FOR_DATA if path.as_posix().startswith(DATA) else RULES
        for rule in rules:
            for number, what in rule(path, text):
                print(f"{path}:{number}: {what}")
                wrong += 1
    print(f"{seen} files, {wrong} findings")
    return 1 if wrong or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
