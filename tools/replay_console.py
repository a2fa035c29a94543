#!/usr/bin/env python3
"""Replays the ```console blocks of Markdown pages and compares what is printed.

    replay_console.py --bin FOLDER PAGE...

A line `$ command` is run by bash, with FOLDER first in PATH, in an empty folder that the page
keeps to its end; a line `> more` continues it. The lines below are what it must print, on
stdout and stderr together. In them

    ...         within a line stands for any characters, alone on a line for any lines;
    blanks      stand for a tab as well, up to the next eighth column, as on a terminal;
    [exit 1]    as the last line says that the command must exit with 1, else it must with 0.

A page that names 127.0.0.1:2379 gets an etcd of its own there, or rather on a free port, which is
put in its place: its data is gone with the page. A page whose commands ask localhost:8420, localhost:8421 or
`redis-cli -p 8422` gets a service likewise: `tessera serve --init` in the folder of the page.

Prints a diff for each command that behaves differently, and exits 1.
"""
import argparse
import contextlib
import difflib
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests" / "service"))
from service import Service  # noqa: E402

BLOCK = re.compile(r"^```console\n(.*?)^```", re.S | re.M)
TIMEOUT_S = 60
ETCD = "127.0.0.1:2379"
SERVICE = re.compile(r"(?<=localhost:)842[01]\b|(?<=redis-cli -p )8422\b")
LISTENERS = {"8420": "public", "8421": "internal", "8422": "redis"}


def commands_of(text):
    """Yields (line number, command, expected lines, expected exit code)."""
    for block in BLOCK.finditer(text):
        first = text.count("\n", 0, block.start(1)) + 1
        commands = []
        for number, line in enumerate(block[1].splitlines(), first):
            if line.startswith("$ "):
                commands.append((number, [line[2:]], []))
            elif not commands:
                raise ValueError(f"line {number}: a console block begins with '$ command'")
            elif line.startswith("> ") and not commands[-1][2]:
                commands[-1][1].append(line[2:])
            else:
                commands[-1][2].append(line)
        for number, command, expected in commands:
            exit_code = 0
            if expected and (match := re.fullmatch(r"\[exit (\d+)\]", expected[-1])):
                exit_code = int(match[1])
                expected = expected[:-1]
            yield number, "\n".join(command), expected, exit_code


def matches(expected, printed):
    pattern = ""
    for line in expected:
        if line == "...":
            pattern += r"(?:.*\n)*"
        else:
            pattern += ".*".join(re.escape(part) for part in line.split("...")) + r"\n"
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextlib.contextmanager
def etcd():
    """Runs one, and yields the address of its clients."""
    with tempfile.TemporaryDirectory() as folder:
        client, peer = (f"127.0.0.1:{free_port()}" for _ in range(2))
        server = subprocess.Popen(
            ["etcd", "--data-dir", f"{folder}/data", "--listen-client-urls", f"http://{client}",
             "--advertise-client-urls", f"http://{client}", "--listen-peer-urls", f"http://{peer}",
             "--initial-advertise-peer-urls", f"http://{peer}",
             "--initial-cluster", f"default=http://{peer}", "--logger", "zap", "--log-level", "error"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + TIMEOUT_S
            while True:
                try:
                    with urllib.request.urlopen(f"http://{client}/health", timeout=5) as answer:
                        if b"true" in answer.read():
                            break
                except OSError:
                    pass
                if server.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError("etcd does not start; tools/install-deps test installs it")
                time.sleep(0.05)
            yield client
        finally:
            server.kill()
            server.wait()


def service(bin_folder, folder, environment):
    """A service as `make run` starts it, but on free ports; {usual port: port}."""
    any_ports = {f"TESSERA_LISTEN_{name.upper()}": "127.0.0.1:0" for name in LISTENERS.values()}
    return Service(bin_folder / "tessera", "--init", config=None, environment={**environment, **any_ports},
                   folder=folder)


def replay(page, bin_folder):
    """Returns how many commands were run and how many of them misbehaved."""
    run = wrong = 0
    environment = dict(os.environ, PATH=f"{bin_folder}:{os.environ['PATH']}", NO_COLOR="1", TZ="UTC",
                       LC_ALL="C.UTF-8")
    text = page.read_text()
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        address = stack.enter_context(etcd()) if ETCD in text else ETCD
        commands = list(commands_of(text))
        ports = {port: port for port in LISTENERS}
        if any(SERVICE.search(command) for _, command, _, _ in commands):
            served = stack.enter_context(service(bin_folder, folder, environment))
            ports = {port: str(served.ports[name]) for port, name in LISTENERS.items()}
        for number, command, expected, exit_code in commands:
            there = SERVICE.sub(lambda found: ports[found[0]], command.replace(ETCD, address))
            result = subprocess.run(["bash", "-c", there], cwd=folder, env=environment,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, timeout=TIMEOUT_S)
            printed = result.stdout.decode(errors="backslashreplace").replace(address, ETCD)
            for usual, port in ports.items():
                printed = printed.replace(f"127.0.0.1:{port}", f"127.0.0.1:{usual}")
            printed = printed.expandtabs().splitlines()
            expected = [line.expandtabs() for line in expected]
            run += 1
            if matches(expected, printed) and result.returncode == exit_code:
                continue
            wrong += 1
            print(f"{page}:{number}: $ {command}")
            print(*difflib.unified_diff(expected, printed, "the page", "the program", lineterm=""), sep="\n")
            if result.returncode != exit_code:
                print(f"exit code {result.returncode}, the page says {exit_code}")
    return run, wrong


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--bin", required=True, type=pathlib.Path)
    arguments.add_argument("pages", nargs="+", type=pathlib.Path)
    arguments = arguments.parse_args()
    results = [replay(page, arguments.bin.resolve()) for page in arguments.pages]
    run, wrong = map(sum, zip(*results))
    print(f"{run} commands, {wrong} differ")
    return 1 if wrong or not run else 0


if __name__ == "__main__":
    sys.exit(main())
