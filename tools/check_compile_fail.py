#!/usr/bin/env python3
"""Checks code that must not compile, and that it fails for the reason it should.

    check_compile_fail.py FILE COMPILER [OPTION...]

FILE is compiled twice. As it stands it must compile, so that nothing else is wrong with it.
With SHOULD_FAIL defined it must not, and the compiler's message must match every regular
expression that FILE names:

    // EXPECT: regex
    #ifdef SHOULD_FAIL
    ... the wrong line ...
    #endif
"""
import pathlib
import re
import subprocess
import sys

import usage


def main():
    (source, *compiler), _ = usage.arguments(__doc__, "FILE COMPILER [OPTION...]")
    expected = re.findall(r"^\s*// EXPECT: (.+?)\s*$", pathlib.Path(source).read_text(), re.M)
    if not expected:
        print(f"{source}: has no line '// EXPECT: regex'")
        return 1

    good = subprocess.run([*compiler, "-fsyntax-only", source], capture_output=True, text=True)
    if good.returncode != 0:
        print(f"{source}: must compile without SHOULD_FAIL, but:\n{good.stderr}")
        return 1
    bad = subprocess.run([*compiler, "-fsyntax-only", "-DSHOULD_FAIL", source], capture_output=True, text=True)
    if bad.returncode == 0:
        print(f"{source}: compiles with SHOULD_FAIL, but must not")
        return 1
    missing = [regex for regex in expected if not re.search(regex, bad.stderr)]
    for regex in missing:
        print(f"{source}: fails, but the message does not match: {regex}")
    if missing:
        print(bad.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
