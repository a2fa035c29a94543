#!/usr/bin/env python3
"""What a build for every x86-64 costs beside one for this processor, and what is left on an older one.

    cmake --preset bench -B build/native -DCMAKE_CXX_FLAGS=-march=native
    cmake --build build/native --target core_bench
    bench/native.py build/release build/native [--rounds N] [--seconds S] [--filter REGEX]

Four contenders take turns, each a process of its own on the same core: the build that packages have, which finds out what
the processor can do; the native one; and the first again, told by TESSERA_CPU to use no more than SSE4.1, and nothing. Wanted:
the first within 15 % of the native one, as the geometric mean of all rows; and the last ahead of Boost and libuuid in each.
Exit code 1 if not.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import google
import in_turns

LIMIT = 1.15
ROWS = (r"^(uuidv4|uuidv7|ulid|objectid|ksuid|snowflake)/generate/tessera(_batch)?/|"
        r"^(uuid|ulid|objectid|hex|base36|base62)/(format|parse)/(tessera$|boost|libuuid)|"
        r"^uuidv4/generate/(boost|libuuid)|^entropy/.*/tessera")
# Not reached by what they lack: Boost's are the same in all.
PEERS = ("boost", "libuuid")


def figures(program, level, args):
    """name -> ns of the rows of one run."""
    environment = {name: value for name, value in os.environ.items() if name != "TESSERA_CPU"}
    if level:
        environment["TESSERA_CPU"] = level
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "rows.json")
        core = str(max(os.sched_getaffinity(0)))
        subprocess.run(["taskset", "-c", core, program, f"--benchmark_filter={args.filter}", f"--benchmark_out={out}",
                        f"--benchmark_min_time={args.seconds}"], env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        run = json.loads(out.read_text())
    if run["context"].get("tessera_build") != "release":
        sys.exit(f"native: {program} is no release build")
    found = {}
    for row in run["benchmarks"]:
        case, who, _, at = google.split(row["name"])
        if at in ("", "1"):
            found[f"{case}/{who}"] = 1e9 / row["items_per_second"]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("native", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.03)
    parser.add_argument("--filter", default=ROWS)
    args = parser.parse_args()

    plain, native = args.build / "src/core/core_bench", args.native / "src/core/core_bench"
    contenders = {"found out": (plain, ""), "native": (native, ""), "sse4.1": (plain, "sse4.1"), "portable": (plain, "portable")}
    rounds = in_turns.rounds_of({name: lambda which=which: figures(*which, args) for name, which in contenders.items()}, args.rounds)
    names = list(rounds["found out"][0])
    ours = [name for name in names if name.split("/")[2].split("_")[0] == "tessera"]

    def median(who, name):
        return statistics.median(run[name] for run in rounds[who])

    def ratio(who, name):
        return statistics.median(mine[name] / theirs[name] for mine, theirs in zip(rounds[who], rounds["native"]))

    print(f"{'ns':34}" + "".join(f"{who:>11}" for who in contenders) + "   found out / native")
    for name in ours:
        print(f"{name:34}" + "".join(f"{median(who, name):11.2f}" for who in contenders) + f"   {ratio('found out', name):.2f}")
    mean = math.exp(statistics.fmean(math.log(ratio("found out", name)) for name in ours))
    good = mean <= LIMIT
    print(f"geometric mean {mean:.3f}, wanted at most {LIMIT}{'' if good else '   MISSED'}")

    for name in names:
        case, operation, who = name.split("/")
        mine = f"{case}/{operation}/tessera"
        if who.split("_")[0] not in PEERS or mine not in ours:
            continue
        for level in ("sse4.1", "portable"):
            times = statistics.median(run[name] / run[mine] for run in rounds[level])
            good = good and times > 1
            print(f"{level:9} {mine:28} {times:7.2f} times as fast as {who}{'' if times > 1 else '   MISSED'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
