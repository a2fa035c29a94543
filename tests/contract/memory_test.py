#!/usr/bin/env python3
"""Answers of any size are checked in memory that does not grow with them: many values, one long list, one long text.

    memory_test.py PROGRAM
"""
import os
import subprocess
import sys

SIZE = 12 << 20
GROWTH_MAX = 6 << 20  # over what one row takes: kept, the input would need twice as much
PIECE = 1 << 16

ROW = b'{"id":17,"store_id":"sto_01ARZ3NDEKTSV4RRFFQ69G5FAV","note":"paid"}'
LINES = (b"", ROW + b"\n", b"")
LIST = (b"[", ROW + b",\n", ROW + b"]")
TEXT = (b'{"note":"', b"x" * 1024, b'","id":17}')
HAR = (b'{"log":{"version":"1.2","entries":[{"request":{"method":"GET","url":"/a"},"response":{"content":{"text":"[',
       ROW.replace(b'"', b'\\"') + b",", b'{}]"}}}]}}')


def pieces(size, begin, middle, end):
    yield begin
    many = middle * (PIECE // len(middle) + 1)
    for _ in range(size // len(many)):
        yield many
    yield end


def check(program, shape, size):
    """The exit code, what was printed, and the most memory that was used."""
    run = subprocess.Popen([program, "contract", "check", "--responses", "-"], stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    for piece in pieces(size, *shape):
        run.stdin.write(piece)
    run.stdin.close()
    printed = run.stdout.read().decode()
    run.stdout.close()
    _, status, usage = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    return run.returncode, printed, usage.ru_maxrss * 1024


def main():
    for name, shape in {"lines": LINES, "a list": LIST, "a text": TEXT, "a body": HAR}.items():
        _, _, least = check(sys.argv[1], shape, PIECE * 2)
        code, printed, memory = check(sys.argv[1], shape, SIZE)
        print(f"{name}: {memory >> 10} KiB, for a small one {least >> 10} KiB")
        assert code == 1 and "[TC201 integer-id]" in printed, (name, code, printed)
        assert "unreadable" not in printed, (name, printed)
        assert memory - least < GROWTH_MAX, (name, memory, least)


if __name__ == "__main__":
    main()
