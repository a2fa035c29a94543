#!/usr/bin/env python3
"""The installed program, and beside it what it says of itself: completions and manual pages.

    check_program.py PREFIX VERSION
"""
import pathlib
import re
import subprocess
import sys


def main():
    prefix, version = pathlib.Path(sys.argv[1]), sys.argv[2]
    program = prefix / "bin/tessera"

    def printed(*arguments):
        return subprocess.run([program, *arguments], stdout=subprocess.PIPE, check=True, text=True).stdout

    commands = re.findall(r"^  ([a-z]+) ", printed("help"), re.M)
    expected = {
        "share/bash-completion/completions/tessera": ["completions", "bash"],
        "share/zsh/site-functions/_tessera": ["completions", "zsh"],
        "share/fish/vendor_completions.d/tessera.fish": ["completions", "fish"],
        "share/man/man1/tessera.1": ["manual"],
        **{f"share/man/man1/tessera-{command}.1": ["manual", command] for command in commands},
    }
    wrong = []
    if printed("--version") != f"tessera {version}\n":
        wrong.append("the version")
    for name, arguments in expected.items():
        path = prefix / name
        if not path.exists():
            wrong.append(f"{name} is missing")
        elif path.read_text() != printed(*arguments):
            wrong.append(f"{name} is not what the program prints")
    print(*wrong, sep="\n")
    return 1 if wrong or len(commands) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
