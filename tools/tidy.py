#!/usr/bin/env python3
"""clang-tidy of many files, less those that were clean before.

    tidy.py BUILD FILE...

BUILD is a configured build folder, for its compile commands. Files of one folder that are compiled alike are read as
one, so that their headers are read once: those whose names clash are kept apart, and where anything is found each
file is read again alone, which is what counts.

They are clean as they were if the same program, with the same checks, has found nothing in the same text of them and
of every header in them. That is remembered in $XDG_CACHE_HOME/tessera-tidy (~/.cache), as ccache remembers what it
compiled.
"""
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import usage

DROPPED = ("-c", "-o", "-MF", "-MT", "-MD")
DROPPED_WITH_VALUE = ("-o", "-MF", "-MT")
# Of a file that includes others: that is what it is for.
ALLOWED_IN_A_BUNDLE = "-bugprone-suspicious-include"


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    folder = pathlib.Path(base) / "tessera-tidy"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def arguments_of(entry):
    """Those of the compiler, without the names of files."""
    words = shlex.split(entry["command"])
    first = next(i for i, word in enumerate(words) if word.startswith("-"))
    arguments, skip = [], False
    for word in words[first:]:
        if skip or word in DROPPED:
            skip = word in DROPPED_WITH_VALUE and not skip
            continue
        arguments.append(word)
    return arguments[:-1]


def compile_commands(build):
    """The folder and the arguments of each file."""
    entries = json.loads((build / "compile_commands.json").read_text())
    return {pathlib.Path(entry["file"]).resolve(): (entry["directory"], arguments_of(entry)) for entry in entries}


class Bundle:
    """Files that are read as one."""

    def __init__(self, folder, arguments, files):
        self.folder, self.arguments, self.files = folder, arguments, files
        self.text = "".join(f'#include "{file.resolve()}"\n' for file in files)

    def clang(self, *more):
        command = ["clang++", *self.arguments, "-w", "-x", "c++", *more, "-"]
        return subprocess.run(command, cwd=self.folder, check=False, capture_output=True, text=True, input=self.text)

    def preprocessed(self):
        """As a compiler sees it, with comments: some of them are for clang-tidy. Without the places of its headers,
        so that one clone knows what another has found."""
        run = self.clang("-E", "-C", "-P")
        run.check_returncode()
        return run.stdout.encode()

    def clashes(self):
        """For each file with an error, the others that the message names; perhaps none."""
        found = collections.defaultdict(set)
        known = {str(file.resolve()): file for file in self.files}
        at = None
        for line in self.clang("-fsyntax-only", "-ferror-limit=0").stderr.splitlines():
            place = re.match(r"(/[^:]+):\d+:\d+: (error|fatal error|note): ", line)
            if place and place[2] != "note":
                at = known.get(place[1])
                if at is not None:
                    found[at].update(())
            elif place and at is not None and place[1] in known and known[place[1]] != at:
                found[at].add(known[place[1]])
        return found

    def parted(self):
        """Several in which fewer names clash; nothing if none does."""
        clashes = self.clashes()
        if not clashes:
            return []
        alone = [file for file, others in clashes.items() if not others]
        shares = []
        for file in self.files:
            if file in alone:
                continue
            against = clashes.get(file, set()) | {other for other, others in clashes.items() if file in others}
            share = next((share for share in shares if not against & set(share)), None)
            if share is None:
                shares.append(share := [])
            share.append(file)
        if len(shares) + len(alone) == 1:  # it does not say with what
            shares, alone = [], self.files
        return [Bundle(self.folder, self.arguments, files) for files in shares + [[file] for file in alone]]


def bundles_of(files, commands):
    alike = collections.defaultdict(list)
    for file in files:
        folder, arguments = commands[file.resolve()]
        alike[folder, tuple(arguments), file.parent].append(file)
    return [Bundle(folder, arguments, group) for (folder, arguments, _), group in alike.items()]


def main():
    (build, *files), _ = usage.arguments(__doc__, "BUILD FILE...")
    build, files = pathlib.Path(build), [pathlib.Path(name) for name in files]
    commands, cache = compile_commands(build), cache_folder()
    program = subprocess.run(["clang-tidy", "--version"], check=True, capture_output=True).stdout
    checks = pathlib.Path(".clang-tidy").read_bytes()
    shown = re.search(rb"^HeaderFilterRegex: '(.*)'$", checks, re.M)

    def key_of(bundle):
        names = b"".join(os.fsencode(file) + b"\n" for file in bundle.files)
        return cache / hashlib.sha256(program + checks + names + bundle.preprocessed()).hexdigest()

    def is_clean_as_one(bundle):
        """Whether clang-tidy has nothing to say of all of them. To it they are headers of a file that we make."""
        headers = [shown[1].decode()] if shown else []
        headers += [str(file.resolve()).replace(".", "[.]") + "$" for file in bundle.files]
        with tempfile.NamedTemporaryFile("w", dir=build, prefix="tidy-", suffix=".cpp") as whole:
            whole.write(bundle.text)
            whole.flush()
            command = ["clang-tidy", "--quiet", f"--checks={ALLOWED_IN_A_BUNDLE}", f"--header-filter={'|'.join(headers)}",
                       os.path.abspath(whole.name), "--", *bundle.arguments, "-w"]
            return subprocess.run(command, cwd=bundle.folder, check=False, capture_output=True).returncode == 0

    def said_of(file):
        """What clang-tidy finds in it alone."""
        run = subprocess.run(["clang-tidy", "-p", str(build), "--quiet", str(file)], check=False, capture_output=True,
                             text=True)
        return [f"clang-tidy: {file}\n{run.stdout}{run.stderr}"] if run.returncode != 0 else []

    def look(bundle):
        """How many files had to be read, and what was said of those that are not clean."""
        key = key_of(bundle)
        if key.exists():
            return 0, []
        if len(bundle.files) == 1:
            answer = 1, said_of(bundle.files[0])
        elif parts := bundle.parted():
            answers = [look(part) for part in parts]
            answer = sum(read for read, _ in answers), [text for _, said in answers for text in said]
        elif is_clean_as_one(bundle):
            answer = len(bundle.files), []
        else:
            answer = len(bundle.files), [text for file in bundle.files for text in said_of(file)]
        if not answer[1]:
            key.touch()
        return answer

    read, bad = 0, 0
    bundles = sorted(bundles_of(files, commands), key=lambda bundle: -len(bundle.files))  # what takes longest first
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for looked_at, said in pool.map(look, bundles):
            read += looked_at
            bad += len(said)
            for text in said:
                print(text, flush=True)
    print(f"clang-tidy: {len(files) - bad} of {len(files)} files are clean ({len(files) - read} as they were)")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
