#!/usr/bin/env python3
"""clang-tidy of many files, less those that were clean before.

    tidy.py BUILD FILE...

BUILD is a configured build folder, for its compile commands. A file is clean as it was if the same
program, with the same checks, has found nothing in the same text of it and of every header in it.
That is remembered in $XDG_CACHE_HOME/tessera-tidy (~/.cache), as ccache remembers what it compiled.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys

DROPPED = ("-c", "-o", "-MF", "-MT", "-MD")
DROPPED_WITH_VALUE = ("-o", "-MF", "-MT")


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    folder = pathlib.Path(base) / "tessera-tidy"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def commands(build):
    """The compile command of each file."""
    entries = json.loads((build / "compile_commands.json").read_text())
    return {pathlib.Path(entry["file"]).resolve(): entry for entry in entries}


def text_of(entry):
    """The file as a compiler sees it, with comments: some of them are for clang-tidy. Without the
    places of its headers, so that one clone knows what another has found."""
    words = shlex.split(entry["command"])
    first = next(i for i, word in enumerate(words) if word.startswith("-"))
    arguments, skip = [], False
    for word in words[first:]:
        if skip or word in DROPPED:
            skip = word in DROPPED_WITH_VALUE and not skip
            continue
        arguments.append(word)
    return subprocess.run(["clang++", *arguments, "-w", "-E", "-C", "-P"], cwd=entry["directory"], check=True,
                          capture_output=True).stdout


def main():
    build, files = pathlib.Path(sys.argv[1]), [pathlib.Path(name) for name in sys.argv[2:]]
    known, cache = commands(build), cache_folder()
    program = subprocess.run(["clang-tidy", "--version"], check=True, capture_output=True).stdout
    checks = pathlib.Path(".clang-tidy").read_bytes()

    def look(file):
        """None if there was no need to; else how clang-tidy ended, and what it said."""
        key = hashlib.sha256(program + checks + os.fsencode(file) + text_of(known[file.resolve()])).hexdigest()
        if (cache / key).exists():
            return None
        run = subprocess.run(["clang-tidy", "-p", str(build), "--quiet", str(file)], check=False,
                             capture_output=True, text=True)
        if run.returncode == 0:
            (cache / key).touch()
        return run.returncode, run.stdout + run.stderr

    read, bad = 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, answer in zip(files, pool.map(look, files)):
            if answer is None:
                continue
            read += 1
            if answer[0] != 0:
                bad += 1
                print(f"clang-tidy: {file}\n{answer[1]}", flush=True)
    print(f"clang-tidy: {len(files) - bad} of {len(files)} files are clean ({len(files) - read} as they were)")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
