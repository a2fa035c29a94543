#!/usr/bin/env python3
"""Compiles what arm64 does in its own way for arm64, runs it in an emulator, and compares it with this machine.

    check.py HERE ROOT GENERATED    HERE: the same program for this machine; GENERATED: where tessera/version.h is
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

COMPILER = "aarch64-linux-gnu-g++"
EMULATOR = "qemu-aarch64"
FUZZ = {"ulid_kernel_fuzz.cpp": "ulid_kernel_input", "uuid_fuzz.cpp": "uuid_input"}
CORE = ["ulid_kernel.cpp", "aes256_kernel.cpp", "chacha20_kernel.cpp", "cpu.cpp", "parse_error.cpp", "error.cpp"]
FLAGS = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror"]
PARTS = {"ulid_kernels", "uuid_text", "chacha20", "aes256", "vectors"}


def lines_of(command: list[str]) -> dict[str, str]:
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        sys.exit(f"{command[0]} ended with {done.returncode}\n{done.stderr}")
    return dict(line.split(" ", 1) for line in done.stdout.splitlines())


def main() -> None:
    here, root, generated = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    for program in (COMPILER, EMULATOR):
        if not shutil.which(program):
            sys.exit(f"{program} is not there: tools/install-deps test")
    vectors = str(root / "tests/vectors")
    includes = [f"-I{root / folder}" for folder in ("include", "src", "tests")] + [f"-I{generated}"]
    with tempfile.TemporaryDirectory() as folder:
        sources = [(root / "tests/arm64/main.cpp", [])]
        sources += [(root / "src/core" / name, []) for name in CORE]
        sources += [(root / "src/core" / name, [f"-DLLVMFuzzerTestOneInput={own}"]) for name, own in FUZZ.items()]
        objects = [str(pathlib.Path(folder) / f"{i}.o") for i in range(len(sources))]
        waiting = list(zip(sources, objects, strict=True))
        while waiting:  # two at a time
            pair, waiting = waiting[:2], waiting[2:]
            running = [subprocess.Popen([COMPILER, *FLAGS, *defines, *includes, "-c", str(source), "-o", target])
                       for (source, defines), target in pair]
            if any([process.wait() for process in running]):
                sys.exit("it does not compile for arm64")
        program = str(pathlib.Path(folder) / "arm64")
        subprocess.run([COMPILER, "-static", *objects, "-o", program], check=True)
        there = lines_of([EMULATOR, "-cpu", "max", program, vectors])
    native = lines_of([here, vectors])
    if set(there) != PARTS:
        sys.exit(f"not all parts ran for arm64: {sorted(there)}")
    common = set(there) & set(native)  # a processor without AES instructions says nothing about them
    different = sorted(part for part in common if there[part] != native[part])
    if different or len(common) < len(PARTS) - 1:
        sys.exit(f"not the same on arm64: {different or common}\n{there}\n{native}")
    print(f"{len(common)} parts are the same on arm64 and here")


if __name__ == "__main__":
    main()
