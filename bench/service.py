#!/usr/bin/env python3
"""How fast the service answers, as a ratio to nginx and to Redis in the same run.

    service.py PROGRAM [--rounds N] [--seconds S] [--connections N,N] [--only NAME] [--csv FILE]

Servers run on the first processor with one thread each, whoever asks on the second. They take turns,
so that whatever else the machine does is shared by all; the ratio is that of each round, and its median
is what counts. Every answer is looked at before anything is measured.

    keep-alive   POST /v1/ids, one ULID, 64 connections       nginx `return 200` with as many bytes
    pipelined    the same, 16 requests at a time              nginx likewise
    incr         INCR, 64 connections                         redis-server, appendonly everysec
    incr -P 16   the same, 16 commands at a time              redis-server likewise
    stream       a million ULIDs as text in one answer        a body of that size from a file, by nginx
    connections  keep-alive again, by more and more of them   nginx likewise
"""
import argparse
import os
import pathlib
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tests" / "service"))
from service import Service  # noqa: E402
from in_turns import rounds_of  # noqa: E402
from rows import Writer  # noqa: E402

CPUS = sorted(os.sched_getaffinity(0))  # of a machine with one, it is the same for both
SERVER, ASKER = ["taskset", "-c", str(CPUS[0])], ["taskset", "-c", str(CPUS[-1])]
STREAM_COUNT = 1_000_000
# Both do less: nginx says the same again and again, and Redis may forget a second's numbers in a crash.
PEERS = {"nginx": "lacks new IDs", "nginx_file": "lacks new IDs", "redis": "lacks durability"}


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Server:
    """A peer: started on the first processor, ended by its pid."""

    def __init__(self, command, port):
        self.process = subprocess.Popen([*SERVER, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.port = port
        for _ in range(500):
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.01)
        raise RuntimeError(f"{command[0]} did not start")

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


def start_nginx(folder, body, stream):
    port = free_port()
    (folder / "stream").write_bytes(stream)
    (folder / "nginx.conf").write_text(f"""
daemon off; master_process off; pid {folder}/nginx.pid; error_log /dev/null;
events {{ worker_connections 4096; }}
http {{
  access_log off; keepalive_requests 1000000000; default_type application/json;
  server {{
    listen 127.0.0.1:{port};
    location /v1/ids {{ return 200 '{body}'; }}
    location /stream {{ root {folder}; }}
  }}
}}
""")
    return Server(["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")], port)


def start_redis(folder):
    port = free_port()
    return Server(["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--save", "",
                   "--appendonly", "yes", "--appendfsync", "everysec"], port)


def wrk(port, seconds, script, connections=64):
    got = subprocess.run([*ASKER, "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", script,
                          f"http://127.0.0.1:{port}/v1/ids"], capture_output=True, text=True, check=True).stdout
    if re.search(r"Non-2xx|Socket errors", got):
        raise RuntimeError(got)
    return float(re.search(r"Requests/sec:\s+([\d.]+)", got)[1])


def redis_benchmark(port, seconds, pipeline, key):
    count = int(40_000 * seconds * (8 if pipeline > 1 else 1))
    got = subprocess.run([*ASKER, "redis-benchmark", "-p", str(port), "-c", "64", "-n", str(count), "-P", str(pipeline),
                          "--csv", "INCR", key], capture_output=True, text=True, check=True)
    if "ERR" in got.stdout + got.stderr:
        raise RuntimeError(got.stdout + got.stderr)
    return float(got.stdout.splitlines()[-1].split('","')[1])


def stream(port, path, fields, body=None):
    """Bytes a second of one large answer, from the first byte to the last."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        head = f"{'POST' if body else 'GET'} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{fields}"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        connection.sendall((head + "\r\n" + (body or "")).encode())
        buffer, size = bytearray(1 << 20), 0
        start = time.monotonic()
        while count := connection.recv_into(buffer):
            size += count
        assert size >= 27 * STREAM_COUNT, size
        return 27 * STREAM_COUNT / (time.monotonic() - start)


def in_turns(out, name, rounds, own, peer, unit, goal, who, axis="", at=""):
    figures = rounds_of({"tessera": own, who: peer}, rounds)
    ratio = statistics.median(ours / theirs for ours, theirs in zip(figures["tessera"], figures[who]))
    ours, theirs = (statistics.median(column) for column in figures.values())
    print(f"{name:12} {at!s:5} {ours:14,.0f} {unit}   peer {theirs:14,.0f}   ratio {ratio:5.2f}"
          + (f"   wanted {goal}" if goal else ""), flush=True)
    for key, role in (("tessera", "ours"), (who, PEERS[who])):
        out.add(name, key, figures[key], "bytes/s" if unit.startswith("bytes") else "/s", role, axis, at)


def latency_at_half_load(port, seconds, rate):
    """p50 and p99 when the server has half as much to do as it could, asked by wrk with pauses."""
    def ask(connections, seconds):
        with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
            script.write('wrk.method = "POST"\nfunction delay() return 1 end\n')
            script.flush()
            got = subprocess.run([*ASKER, "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", script.name,
                                  f"http://127.0.0.1:{port}/v1/ids"], capture_output=True, text=True, check=True).stdout
        share = lambda percent: re.search(rf"^ +{percent}% +([\d.]+[mu]?s)$", got, re.M)[1]  # noqa: E731
        return share(50), share(99), float(re.search(r"Requests/sec:\s+([\d.]+)", got)[1])

    connections = max(1, round(rate / 2 * 0.0011))  # each asks, waits a millisecond and its answer's time
    for _ in range(4):  # by wrk's clock a millisecond is longer, and how much depends on how many wait
        got = ask(connections, 1)[2]
        if 0.45 < got / rate < 0.55:
            break
        connections = max(1, round(connections * rate / 2 / got))
    return ask(connections, seconds)


def as_ms(text):
    """What wrk says: 412.00us, 1.20ms, 1.01s."""
    size, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", text).groups()
    return float(size) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program", type=pathlib.Path)
    arguments.add_argument("--rounds", type=int, default=7)
    arguments.add_argument("--seconds", type=int, default=2)
    arguments.add_argument("--connections", default="1,8,64,512")
    arguments.add_argument("--only")
    arguments.add_argument("--csv")
    arguments = arguments.parse_args()
    out = Writer(arguments.csv, "service")
    wanted = lambda name: arguments.only in (None, name)  # noqa: E731

    with tempfile.TemporaryDirectory() as name, Service(arguments.program, "--threads", "1") as service:
        folder = pathlib.Path(name)
        for thread in os.listdir(f"/proc/{service.process.pid}/task"):
            os.sched_setaffinity(int(thread), {CPUS[0]})
        print(f"memory after the start: {service.memory_kib() / 1024:.1f} MiB")
        out.add("memory_at_start", "tessera", [service.memory_kib() * 1024], "bytes")
        answer = service.post("/v1/ids")
        assert answer.status == 200 and len(answer.json["ids"]) == 1, answer
        assert answer.json != service.post("/v1/ids").json
        text = {"Accept": "text/plain"}
        lines = service.post("/v1/ids", {"count": STREAM_COUNT}, fields=text).text.splitlines()
        assert len(lines) == len(set(lines)) == STREAM_COUNT
        one, many = folder / "one.lua", folder / "many.lua"
        one.write_text('wrk.method = "POST"\n')
        many.write_text('wrk.method = "POST"\ninit = function(args)\n  local all = {}\n'
                        '  for i = 1, 16 do all[i] = wrk.format() end\n  req = table.concat(all)\nend\n'
                        'request = function() return req end\n')
        nginx = start_nginx(folder, answer.text, ("\n".join(lines) + "\n").encode())
        redis = start_redis(folder)
        port, seconds, rounds = service.ports["public"], arguments.seconds, arguments.rounds
        try:
            if wanted("keep-alive"):
                in_turns(out, "keep-alive", rounds, lambda: wrk(port, seconds, one), lambda: wrk(nginx.port, seconds, one),
                         "requests/s", 0.85, "nginx")
            if wanted("pipelined"):
                in_turns(out, "pipelined", rounds, lambda: wrk(port, seconds, many), lambda: wrk(nginx.port, seconds, many),
                         "requests/s", 5, "nginx")
            for count in map(int, arguments.connections.split(",")) if wanted("connections") else ():
                in_turns(out, "connections", rounds, lambda: wrk(port, seconds, one, count),
                         lambda: wrk(nginx.port, seconds, one, count), "requests/s", None, "nginx", "connections", count)
            for name, pipeline, goal in (("incr", 1, 0.9), ("incr -P 16", 16, 1.0)):
                if wanted(name):
                    in_turns(out, name, rounds, lambda: redis_benchmark(service.ports["redis"], seconds, pipeline, "COUNTER"),
                             lambda: redis_benchmark(redis.port, seconds, pipeline, "COUNTER"), "commands/s", goal, "redis")
            if wanted("stream"):
                in_turns(out, "stream", rounds,
                         lambda: stream(port, "/v1/ids", "Accept: text/plain\r\n", '{"count":%d}' % STREAM_COUNT),
                         lambda: stream(nginx.port, "/stream", ""), "bytes/s   ", 0.5, "nginx_file")
            if wanted("half load"):
                full = wrk(port, 1, one)
                p50, p99, rate = latency_at_half_load(port, seconds, full)
                print(f"half load    {rate:14,.0f} requests/s   p50 {p50}   p99 {p99}   load {rate / full:.2f}")
                for who, text in (("tessera_p50", p50), ("tessera_p99", p99)):
                    out.add("half_load", who, [as_ms(text)], "ms")
        finally:
            nginx.end()
            redis.end()


if __name__ == "__main__":
    main()
