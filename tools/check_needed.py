#!/usr/bin/env python3
"""Fails if a program, or a library, loads another library at its start than that of C.

    check_needed.py FILE

Each one costs every command its time, also those that do not use it. A function of OpenSSL or zlib
that is new in the program is added to apps/tessera/lazy/libraries.cpp.
"""
import re
import subprocess
import sys

import usage

ALLOWED = re.compile(r"(libc|libm|libdl|libpthread|ld-linux[-_a-z0-9]*)\.so")


def main():
    (program,), _ = usage.arguments(__doc__, "FILE")
    shown = subprocess.run(["readelf", "--dynamic", program], capture_output=True, text=True, check=True)
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", shown.stdout)
    if not needed:
        sys.exit(f"check_needed: {program} says nothing about libraries")
    wrong = [name for name in needed if not ALLOWED.match(name)]
    if wrong:
        sys.exit(f"check_needed: {program} loads {', '.join(wrong)} at its start")


if __name__ == "__main__":
    main()
