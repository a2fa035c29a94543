#!/usr/bin/env python3
"""How fast the program writes IDs into a pipe, as a ratio to `yes` writing lines of one length.

    cli_stream.py PROGRAM [--rounds N] [--seconds S] [--require RATIO] [--startup]

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


def streams(program, kinds, rounds, seconds):
    ratios = {}
    for name in kinds:
        arguments, size = KINDS[name]
        proves_its_work(program, arguments, size)
        mine = [program, *arguments, "-n", str(2**60)]
        theirs = ["yes", "x" * (size - 1)]
        pairs = []
        for turn in range(rounds):
            # Whoever goes first may find the machine warmer or colder.
            if turn % 2:
                yes, own = bytes_a_second(theirs, seconds), bytes_a_second(mine, seconds)
            else:
                own, yes = bytes_a_second(mine, seconds), bytes_a_second(theirs, seconds)
            pairs.append((own, yes))
        ratios[name] = statistics.median(own / yes for own, yes in pairs)
        own = statistics.median(own for own, _ in pairs)
        yes = statistics.median(yes for _, yes in pairs)
        print(f"{name:22} {own / size / 1e6:8.1f} million/s {own / 1e6:8.0f} MB/s   yes {yes / 1e6:8.0f} MB/s"
              f"   ratio {ratios[name]:.2f}", flush=True)
    return ratios


def startup(program):
    if not shutil.which("hyperfine") or not shutil.which("uuidgen"):
        print("hyperfine or uuidgen is missing (tools/install-deps bench)")
        return
    with tempfile.TemporaryDirectory() as folder:
        results = os.path.join(folder, "results.json")
        subprocess.run(["hyperfine", "--shell=none", "--warmup=20", "--runs=300", "--style=none",
                        f"--export-json={results}", f"{program} new ulid", "uuidgen"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for result in json.loads(pathlib.Path(results).read_text())["results"]:
            name = result["command"].replace(program, "tessera")
            print(f"{name:22} {result['median'] * 1e3:6.2f} ms from start to end (median of 300)")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program", type=pathlib.Path)
    arguments.add_argument("--rounds", type=int, default=7)
    arguments.add_argument("--seconds", type=float, default=1.0)
    arguments.add_argument("--only", choices=KINDS)
    arguments.add_argument("--require", type=float)
    arguments.add_argument("--startup", action="store_true")
    arguments = arguments.parse_args()
    program = str(arguments.program.resolve())
    ratios = streams(program, [arguments.only] if arguments.only else KINDS, arguments.rounds, arguments.seconds)
    if arguments.startup:
        startup(program)
    if arguments.require and ratios["ulid"] < arguments.require:
        print(f"ulid: below {arguments.require} of yes")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
