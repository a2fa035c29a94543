#!/usr/bin/env python3
"""How fast the program writes IDs into a pipe, as a ratio to `yes` writing lines of one length.

    cli_stream.py PROGRAM [--rounds N] [--seconds S] [--require RATIO] [--startup] [--csv FILE]

Each command runs into `cat >/dev/null` for S seconds, counted by the bytes that cat has read, so
that neither the start of a process nor `head` is in the way. The commands take turns, so that
whatever else the machine does is shared by all; the ratio is that of each round, and its median is
what counts. --require exits 1 below it. --startup measures `tessera new ulid` against `uuidgen`.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from in_turns import rounds_of
from rows import Writer

KINDS = {
    "ulid": (["new", "ulid"], 27),
    "uuidv7": (["new", "uuidv7"], 37),
    "uuidv4": (["new", "uuidv4"], 37),
    "ulid --form uuid": (["new", "ulid", "--form", "uuid"], 37),
    "public --prefix ord": (["new", "public", "--prefix", "ord"], 31),
    "random --bits 60": (["new", "random", "--bits", "60"], 14),
    "ksuid": (["new", "ksuid"], 28),
    "objectid": (["new", "objectid"], 25),
}


def bytes_read(pid):
    """What a process has read so far, by the kernel's count."""
    for line in pathlib.Path(f"/proc/{pid}/io").read_text().splitlines():
        if line.startswith("rchar:"):
            return int(line.split()[1])
    raise ValueError("no rchar")


def bytes_a_second(command, seconds):
    """Through a pipe to cat, once it flows."""
    writer = subprocess.Popen(command, stdout=subprocess.PIPE)
    reader = subprocess.Popen(["cat"], stdin=writer.stdout, stdout=subprocess.DEVNULL)
    writer.stdout.close()
    try:
        time.sleep(0.05)
        start_bytes, start = bytes_read(reader.pid), time.monotonic()
        time.sleep(seconds)
        end_bytes, end = bytes_read(reader.pid), time.monotonic()
        if writer.poll() is not None:
            raise RuntimeError(f"{command} ended by itself")
        return (end_bytes - start_bytes) / (end - start)
    finally:
        for process in (writer, reader):
            process.kill()
            process.wait()


def proves_its_work(program, arguments, size):
    """A benchmark must not measure something else: the lines are there, of that size, no two alike."""
    lines = subprocess.run([program, *arguments, "-n", "10000"], stdout=subprocess.PIPE, check=True).stdout.split(b"\n")
    assert lines.pop() == b"" and len(set(lines)) == 10000, arguments
    assert all(len(line) + 1 == size for line in lines), arguments


def streams(out, program, kinds, rounds, seconds):
    ratios = {}
    for name in kinds:
        arguments, size = KINDS[name]
        proves_its_work(program, arguments, size)
        mine = [program, *arguments, "-n", str(2**60)]
        theirs = ["yes", "x" * (size - 1)]
        # Whoever goes first may find the machine warmer or colder: they change places.
        figures = rounds_of({"tessera": lambda: bytes_a_second(mine, seconds), "yes": lambda: bytes_a_second(theirs, seconds)},
                            rounds)
        ratios[name] = statistics.median(own / yes for own, yes in zip(figures["tessera"], figures["yes"]))
        own, yes = statistics.median(figures["tessera"]), statistics.median(figures["yes"])
        for who, role in (("tessera", "ours"), ("yes", "lacks new IDs")):
            out.add(f"stream/{name}", who, figures[who], "bytes/s", role)
        print(f"{name:22} {own / size / 1e6:8.1f} million/s {own / 1e6:8.0f} MB/s   yes {yes / 1e6:8.0f} MB/s"
              f"   ratio {ratios[name]:.2f}", flush=True)
    return ratios


def split(values, count):
    size = max(1, len(values) // count)
    return [values[start:start + size] for start in range(0, size * count, size) if values[start:start + size]]


def startup(out, program, runs):
    for peer in ("hyperfine", "uuidgen"):
        if not shutil.which(peer):
            sys.exit(f"cli_stream: {peer} is missing; tools/install-deps bench installs it")
    with tempfile.TemporaryDirectory() as folder:
        results = os.path.join(folder, "results.json")
        subprocess.run(["hyperfine", "--shell=none", "--warmup=20", f"--runs={runs}", "--style=none",
                        f"--export-json={results}", f"{program} new ulid", "uuidgen"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for result in json.loads(pathlib.Path(results).read_text())["results"]:
            name = result["command"].replace(program, "tessera")
            print(f"{name:22} {result['median'] * 1e3:6.2f} ms from start to end (median of {runs})")
            # So many that single ones would fill the file: tenths of them, in the order in which they ran.
            medians = [statistics.median(part) for part in split(result["times"], 10)]
            who, role = ("uuidgen", "lacks ULIDs") if name == "uuidgen" else ("tessera", "ours")
            out.add("start", who, [seconds * 1000 for seconds in medians], "ms", role)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program", type=pathlib.Path)
    arguments.add_argument("--rounds", type=int, default=7)
    arguments.add_argument("--seconds", type=float, default=1.0)
    arguments.add_argument("--only", choices=KINDS)
    arguments.add_argument("--require", type=float)
    arguments.add_argument("--startup", action="store_true")
    arguments.add_argument("--runs", type=int, default=300, help="of --startup")
    arguments.add_argument("--csv")
    arguments = arguments.parse_args()
    out = Writer(arguments.csv, "cli")
    program = str(arguments.program.resolve())
    ratios = streams(out, program, [arguments.only] if arguments.only else KINDS, arguments.rounds, arguments.seconds)
    if arguments.startup:
        startup(out, program, arguments.runs)
    if arguments.require and ratios["ulid"] < arguments.require:
        print(f"ulid: below {arguments.require} of yes")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
