#!/usr/bin/env python3
"""What a release build promises of its binaries, read from them by readelf.

    hardening_test.py SOURCE_FOLDER FILE...

PIE, every relocation read-only before main(), no stack that can be executed, stack protector,
checked calls of the C library, no search path for libraries, no name of a folder of this machine.
"""
import pathlib
import re
import subprocess
import sys


def readelf(*arguments):
    return subprocess.run(["readelf", "--wide", *arguments], stdout=subprocess.PIPE, check=True, text=True).stdout


def faults(path, source):
    head, dynamic, segments = readelf("-h", path), readelf("-d", path), readelf("-l", path)
    symbols = readelf("--dyn-syms", path)
    program = "INTERP" in segments
    if not re.search(r"Type: +DYN", head):
        yield "not position-independent"
    if program and not re.search(r"FLAGS_1.*\bPIE\b", dynamic):
        yield "not a PIE"
    if "GNU_RELRO" not in segments:
        yield "no RELRO"
    if not re.search(r"\(BIND_NOW\)|\(FLAGS\).*BIND_NOW|FLAGS_1.*\bNOW\b", dynamic):
        yield "symbols are bound late: RELRO is partial"
    stack = re.search(r"GNU_STACK.*", segments)
    if not stack or re.search(r"\bRWE\b", stack[0]):
        yield "the stack can be executed"
    if "TEXTREL" in dynamic:
        yield "code is relocated"
    if re.search(r"\((RPATH|RUNPATH)\)", dynamic):
        yield "has a search path of its own"
    if "__stack_chk_fail" not in symbols:
        yield "no stack protector"
    # A library may have no call whose size is known only at run time; a program has.
    if program and not re.search(r"\b__(?!stack_)\w+_chk\b", symbols):
        yield "no checked call of the C library (_FORTIFY_SOURCE)"
    if str(source).encode() in path.read_bytes():
        yield f"names the folder {source}"


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    wrong = 0
    for name in sys.argv[2:]:
        path = pathlib.Path(name)
        found = list(faults(path, source))
        print(f"{path.name}: {', '.join(found) or 'as promised'}")
        wrong += len(found)
    return 1 if wrong or len(sys.argv) < 3 else 0


if __name__ == "__main__":
    sys.exit(main())
