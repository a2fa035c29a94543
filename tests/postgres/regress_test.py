#!/usr/bin/env python3
"""The suites of sql/ through pg_regress: what psql prints must be what is in expected/.

    regress_test.py BUILD [--sanitizer LIBRARY] [--accept]

--sanitizer: for an extension that was built with AddressSanitizer. --accept: what it prints now is right.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys

import world

HERE = pathlib.Path(__file__).resolve().parent
SUITES = ["install", "ulid", "public_id", "generate", "number", "read"]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("build")
    arguments.add_argument("--sanitizer")
    arguments.add_argument("--accept", action="store_true")
    arguments = arguments.parse_args()
    with world.World(arguments.build, preload=[arguments.sanitizer] if arguments.sanitizer else []) as w:
        server = w.server("regress")
        out = w.folder / "out"
        (out / "expected").mkdir(parents=True)
        shutil.copytree(HERE / "sql", out / "sql")
        shutil.copytree(HERE / "expected", out / "expected", dirs_exist_ok=True)
        for suite in SUITES:  # pg_regress stops at one that has none yet
            (out / "expected" / f"{suite}.out").touch()
        subprocess.run(["chown", "-R", w.folder.owner(), out], check=True)
        run = w.run(w.regress, f"--bindir={w.bin}", f"--inputdir={out}", f"--outputdir={out}", "--dbname=regression",
                    f"--host={w.folder}", f"--port={server.port}", "--user=root", *SUITES, check=False)
        print(run.stdout, run.stderr)
        if arguments.accept:
            for result in (out / "results").glob("*.out"):
                shutil.copyfile(result, HERE / "expected" / result.name)
            return 0
        if run.returncode:
            print((out / "regression.diffs").read_text())
            print("".join(path.read_text(errors="replace") for path in w.folder.glob("asan*"))[:5000])
        return run.returncode


if __name__ == "__main__":
    sys.exit(main())
