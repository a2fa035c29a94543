#!/usr/bin/env python3
"""Replays the ```console blocks of Markdown pages and compares what is printed.

    replay_console.py --bin FOLDER PAGE...

A line `$ command` is run by bash, with FOLDER first in PATH, in an empty folder that the page
keeps to its end; a line `> more` continues it. The lines below are what it must print, on
stdout and stderr together. In them

    ...         within a line stands for any characters, alone on a line for any lines;
    blanks      stand for a tab as well, up to the next eighth column, as on a terminal;
    [exit 1]    as the last line says that the command must exit with 1, else it must with 0.

Prints a diff for each command that behaves differently, and exits 1.
"""
import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```console\n(.*?)^```", re.S | re.M)
TIMEOUT_S = 60


def commands_of(text):
    """Yields (line number, command, expected lines, expected exit code)."""
    for block in BLOCK.finditer(text):
        first = text.count("\n", 0, block.start(1)) + 1
        commands = []
        for number, line in enumerate(block[1].splitlines(), first):
            if line.startswith("$ "):
                commands.append((number, [line[2:]], []))
            elif not commands:
                raise ValueError(f"line {number}: a console block begins with '$ command'")
            elif line.startswith("> ") and not commands[-1][2]:
                commands[-1][1].append(line[2:])
            else:
                commands[-1][2].append(line)
        for number, command, expected in commands:
            exit_code = 0
            if expected and (match := re.fullmatch(r"\[exit (\d+)\]", expected[-1])):
                exit_code = int(match[1])
                expected = expected[:-1]
            yield number, "\n".join(command), expected, exit_code


def matches(expected, printed):
    pattern = ""
    for line in expected:
        if line == "...":
            pattern += r"(?:.*\n)*"
        else:
            pattern += ".*".join(re.escape(part) for part in line.split("...")) + r"\n"
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def replay(page, bin_folder):
    """Returns how many commands were run and how many of them misbehaved."""
    run = wrong = 0
    environment = dict(os.environ, PATH=f"{bin_folder}:{os.environ['PATH']}", NO_COLOR="1", TZ="UTC",
                       LC_ALL="C.UTF-8")
    with tempfile.TemporaryDirectory() as folder:
        for number, command, expected, exit_code in commands_of(page.read_text()):
            result = subprocess.run(["bash", "-c", command], cwd=folder, env=environment,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, timeout=TIMEOUT_S)
            printed = result.stdout.decode(errors="backslashreplace").expandtabs().splitlines()
            expected = [line.expandtabs() for line in expected]
            run += 1
            if matches(expected, printed) and result.returncode == exit_code:
                continue
            wrong += 1
            print(f"{page}:{number}: $ {command}")
            print(*difflib.unified_diff(expected, printed, "the page", "the program", lineterm=""), sep="\n")
            if result.returncode != exit_code:
                print(f"exit code {result.returncode}, the page says {exit_code}")
    return run, wrong


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--bin", required=True, type=pathlib.Path)
    arguments.add_argument("pages", nargs="+", type=pathlib.Path)
    arguments = arguments.parse_args()
    results = [replay(page, arguments.bin.resolve()) for page in arguments.pages]
    run, wrong = map(sum, zip(*results))
    print(f"{run} commands, {wrong} differ")
    return 1 if wrong or not run else 0


if __name__ == "__main__":
    sys.exit(main())
