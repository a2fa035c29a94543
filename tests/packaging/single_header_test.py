#!/usr/bin/env python3
"""The single header: a program with it alone compiles, links, and answers as the library does.

    single_header_test.py HEADER LIBRARY_ANSWERS VECTORS COMPILER...

LIBRARY_ANSWERS is the same program, linked with the library.
"""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent / "single_header"


def main():
    header, library, vectors = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    files = sorted(str(path) for path in vectors.glob("*.tsv"))
    expected = subprocess.run([library, *files], stdout=subprocess.PIPE, check=True).stdout
    failed = 0
    for compiler in sys.argv[4:]:
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "answers"
            subprocess.run([compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-DSINGLE_HEADER",
                            f"-I{header.parent}", HERE / "answers.cpp", HERE / "other.cpp", "-o", program],
                           check=True)
            got = subprocess.run([program, *files], stdout=subprocess.PIPE, check=True).stdout
        lines, wanted = got.splitlines(), expected.splitlines()
        differ = [pair for pair in zip(lines, wanted) if pair[0] != pair[1]]
        same = lines == wanted and len(lines) > 1000
        print(f"{compiler}: {len(lines)} answers, {'the same' if same else 'not the same'}", *differ[:3], sep="\n  ")
        failed += not same
    return 1 if failed or len(sys.argv) < 5 else 0


if __name__ == "__main__":
    sys.exit(main())
