#!/usr/bin/env python3
"""A cluster on this machine: 3 members of etcd, 4 `tessera serve`, and clients that draw by INCRBY.

    bench/cluster.py PROGRAM [--seconds N] [--clients N] [--batch N] [--rate N] [--scopes N]

INCRBY gives as many numbers in a row as it asks for, from the cache of its server. First at --rate longs a second:
how many there were, and writes of etcd for each scope and second, the first seconds included, in which the draws
grow. Then at half of that, while the member that leads is killed: how many requests were refused and asked
again, how many failed for good, and how long the slowest answer took. A client that is late sends what is due in one
pipeline. Everything is checked for numbers that were given twice. Exits with 1 if a request failed or a number came twice.
"""

import argparse
import json
import multiprocessing
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

TESTS = pathlib.Path(__file__).resolve().parent.parent / "tests"
sys.path[:0] = [str(TESTS / "service"), str(TESTS / "service_storm")]  # before our own service.py
from service import Service  # noqa: E402
from storm import free_port  # noqa: E402
from worker import Redis  # noqa: E402

MEMBERS = 3
SERVERS = 4
TRIES = 15  # for a request, before it has failed
PIPELINE = 64  # commands at once, at most

CONFIG = """\
listen: {{{{public: "127.0.0.1:0", internal: "127.0.0.1:0", redis: "127.0.0.1:0"}}}}
store: "{store}"
scopes:
{scopes}"""


class Etcd:
    def __init__(self, folder):
        ports = [(free_port(), free_port()) for _ in range(MEMBERS)]
        self.endpoints = [f"http://127.0.0.1:{client}" for client, _ in ports]
        self.url = "etcd://" + ",".join(f"127.0.0.1:{client}" for client, _ in ports) + "/bench"
        cluster = ",".join(f"m{i}=http://127.0.0.1:{peer}" for i, (_, peer) in enumerate(ports))
        self.members = []
        for i, (client, peer) in enumerate(ports):
            log = open(folder / f"etcd{i}.log", "wb")
            self.members.append(subprocess.Popen(
                ["etcd", "--name", f"m{i}", "--data-dir", str(folder / f"etcd{i}"),
                 "--listen-client-urls", self.endpoints[i], "--advertise-client-urls", self.endpoints[i],
                 "--listen-peer-urls", f"http://127.0.0.1:{peer}",
                 "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer}",
                 "--initial-cluster", cluster, "--heartbeat-interval", "50", "--election-timeout", "500", "--logger", "zap", "--log-level", "error"],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL))
            log.close()

    def status(self):
        """Of all that answer: (index, status)."""
        found = []
        for i, endpoint in enumerate(self.endpoints):
            got = subprocess.run(["etcdctl", f"--endpoints={endpoint}", "--command-timeout=2s", "endpoint", "status",
                                  "-w", "json"], capture_output=True, text=True, env={"ETCDCTL_API": "3"})
            if got.returncode == 0:
                found.append((i, json.loads(got.stdout)[0]["Status"]))
        return found

    def wait(self):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            found = self.status()
            if len(found) == MEMBERS and all(one["leader"] for _, one in found):
                return
            time.sleep(0.1)
        raise SystemExit("cluster: etcd does not start")

    def leader(self):
        return next(i for i, one in self.status() if one["leader"] == one["header"]["member_id"])

    def revision(self):
        return max(one["header"]["revision"] for _, one in self.status())

    def close(self):
        for member in self.members:
            member.kill()
            member.wait()


def draw(port, scope, batch, seconds, rate, phase, out):
    """Ranges as (first, end); `rate` is in commands a second. `phase` is below 1, so that clients do not ask in step."""
    redis, ranges, slowest, again, failed = Redis(port, 60), [], 0.0, 0, 0
    begun = time.monotonic()
    end = begun + seconds
    trips = 0
    while (now := time.monotonic()) < end:
        due = min(int((now - begun) * rate - phase) + 1 - trips, PIPELINE)
        if due < 1:
            time.sleep(0.002)
            continue
        for last in redis.send(*[("INCRBY", scope, batch)] * due):
            for _ in range(TRIES - 1):
                if last is None:  # a range that was drawn all the same stays unused
                    again += 1
                    last, = redis.send(("INCRBY", scope, batch))
            if last is None:
                failed += 1
            else:
                ranges.append((last - batch + 1, last + 1))
        slowest = max(slowest, time.monotonic() - now)
        trips += due
    redis.close()
    out.put((scope, ranges, slowest, again, failed))


def run_clients(ports, options, rate, meanwhile=None):
    out = multiprocessing.Queue()
    clients = [multiprocessing.Process(target=draw, args=(
        ports[i % len(ports)], f"S{i % options.scopes}", options.batch, options.seconds,
        rate / options.batch / options.clients, i / options.clients, out))
        for i in range(options.clients)]
    for client in clients:
        client.start()
    if meanwhile:
        time.sleep(options.seconds / 2)
        meanwhile()
    results = [out.get() for _ in clients]
    for client in clients:
        client.join()
    return results


def told(results):
    return (f"{sum(result[3] for result in results)} asked again, {sum(result[4] for result in results)} failed, "
            f"slowest {max(result[2] for result in results) * 1000:.0f} ms")


def repeated(results):
    """How many ranges begin within one that was given before."""
    count = 0
    for scope in {result[0] for result in results}:
        ranges = sorted(one for result in results if result[0] == scope for one in result[1])
        count += sum(later[0] < earlier[1] for earlier, later in zip(ranges, ranges[1:]))
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--batch", type=int, default=1_000)
    parser.add_argument("--rate", type=int, default=8_000_000)
    parser.add_argument("--scopes", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tessera-cluster.") as folder:
        folder = pathlib.Path(folder)
        etcd, servers = Etcd(folder), []
        try:
            etcd.wait()
            scopes = "".join(f"  S{i}: {{{{}}}}\n" for i in range(options.scopes))
            for i in range(SERVERS):
                (folder / f"server{i}").mkdir()
                servers.append(Service(options.program, folder=folder / f"server{i}",
                                       config=CONFIG.format(store=etcd.url, scopes=scopes)).start())
            ports = [server.ports["redis"] for server in servers]
            before = etcd.revision()
            full = run_clients(ports, options, options.rate)
            writes = (etcd.revision() - before) / options.seconds / options.scopes
            longs = sum(len(result[1]) for result in full) * options.batch / options.seconds
            print(f"full load: {longs / 1e6:.1f} million longs a second, {writes:.1f} etcd writes a second and scope, "
                  f"{told(full)}")

            def kill_leader():
                leader = etcd.leader()
                etcd.members[leader].send_signal(signal.SIGKILL)
                print(f"half load: member {leader}, which leads, is killed")

            half = run_clients(ports, options, options.rate / 2, kill_leader)
            longs = sum(len(result[1]) for result in half) * options.batch / options.seconds
            failed = sum(result[4] for result in full + half)
            twice = repeated(full + half)
            print(f"half load: {longs / 1e6:.1f} million longs a second, {told(half)}; {twice} ranges twice")
            for server in servers:
                server.stop()
            return 1 if failed or twice else 0
        finally:
            for server in servers:
                server.kill()
                server.close()
            etcd.close()


if __name__ == "__main__":
    sys.exit(main())
