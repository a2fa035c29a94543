"""The storm: real services on a real store, clients that ask, and everything killed at random.

    storm.py PROGRAM DATABASE STORE FOLDER SECONDS SEED [BUG]

DATABASE is the program that keeps a PostgreSQL; STORE is sqlite, postgres or many. Logs are written to FOLDER,
for check.py. Two services share the store; for `many` they are eight on PostgreSQL, and the clocks of half of
them jump by an hour, and by seconds, both ways. With a BUG the clients ask through a proxy that has it, or, for
rewind, the file of SQLite is put back to what it was, as from an old backup.
"""

import http.client
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
import json

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "service"))
from service import Service  # noqa: E402

import bugs  # noqa: E402

SERVICES = {"sqlite": 2, "postgres": 2, "many": 8}
WORKERS = 4
JUMPS_S = (3600, -3600, 0, 2, -2)  # from the right time
HEAL_S = 60  # until all is up again after the last kill

CONFIG = """\
listen: {{{{public: "127.0.0.1:{public}", internal: "127.0.0.1:{internal}", redis: "127.0.0.1:{redis}"}}}}
store: "{store}"
types:
  store: {{{{prefix: sto, scope: STORE, collection: stores}}}}
  product: {{{{prefix: prd, scope: PRODUCT, collection: products, parent: store, style: checked}}}}
scopes:
  STORE: {{{{step: 50}}}}
  PRODUCT: {{{{step: 50}}}}
  COUNTER: {{{{step: 50}}}}
"""


def free_port(taken=set()):
    """From below those that the kernel gives to clients, so that it is free again after a kill."""
    while True:
        port = random.SystemRandom().randrange(10000, 32000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        if port not in taken:
            taken.add(port)
            return port


class Database:
    """What the services share."""

    def __init__(self, keeper, store, folder):
        self.keeper, self.file = None, folder / "tessera.db"
        self.url = f"sqlite:{self.file}"
        if store != "sqlite":
            self.keeper = subprocess.Popen([keeper], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            self.url = self.keeper.stdout.readline().strip()

    def tell(self, word):
        self.keeper.stdin.write(word + "\n")
        self.keeper.stdin.flush()
        assert self.keeper.stdout.readline().strip() == "done"

    def close(self):
        if self.keeper:
            self.keeper.stdin.close()
            self.keeper.wait()


class Clock:
    """What a service takes for the time, by libfaketime; its monotonic clock goes on."""

    def __init__(self, file):
        self.file = file
        self.jump(0)

    def jump(self, seconds):
        self.seconds = seconds
        new = self.file.with_suffix(".new")
        new.write_text(f"{seconds:+d}\n")
        new.rename(self.file)

    def environment(self):
        found = sorted(pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
        if not found:
            raise AssertionError("no libfaketime; tools/install-deps test installs it")
        return {"LD_PRELOAD": str(found[0]), "FAKETIME_TIMESTAMP_FILE": str(self.file), "FAKETIME_NO_CACHE": "1",
                "FAKETIME_DONT_FAKE_MONOTONIC": "1"}.items()


class Storm:
    def __init__(self, program, keeper, store, folder, seed, bug):
        self.folder, self.random, self.bug = folder, random.Random(seed), bug
        self.log = open(folder / "storm.log", "a", buffering=1)
        self.database = Database(keeper, store, folder)
        self.services, self.ports, self.proxies, self.clocks = [], [], [], []
        for number in range(SERVICES[store]):
            ports = {name: free_port() for name in ("public", "internal", "redis")}
            home = folder / f"service{number}"
            home.mkdir()
            clock = None
            if store == "many" and number % 2 == 1:
                clock = Clock(home / "clock")
                self.clocks.append(clock)
            self.services.append(Service(program, "--grace", "5", folder=home,
                                         environment=clock.environment() if clock else (),
                                         config=CONFIG.format(store=self.database.url, **ports)))
            public = ports["public"]
            if bug in bugs.BUGS:
                public = free_port()
                self.proxies.append(bugs.Proxy(bug, public, ports["public"], seed + number, clock))
            self.ports.append((public, ports["internal"], ports["redis"]))

    def write(self, **event):
        self.log.write(json.dumps(event) + "\n")

    def start(self, number):
        """Until it stands: while the database is down it cannot."""
        end = time.monotonic() + HEAL_S
        while True:
            try:
                return self.services[number].start()
            except AssertionError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)

    # What happens to them.

    def kill_one(self):
        number = self.random.randrange(len(self.services))
        self.services[number].kill()
        self.write(what="kill", whom=f"service {number}")
        time.sleep(self.random.uniform(0, 0.3))
        self.start(number)

    def stop_one(self):
        number = self.random.randrange(len(self.services))
        self.services[number].stop()
        self.start(number)

    def freeze_one(self):
        process = self.services[self.random.randrange(len(self.services))].process
        process.send_signal(signal.SIGSTOP)
        time.sleep(self.random.uniform(0.1, 1.5))
        process.send_signal(signal.SIGCONT)

    def kill_all(self):
        for service in self.services:
            service.kill()
        self.write(what="kill", whom="all services")
        if self.bug == "rewind":
            self.rewind()
        for number in range(len(self.services)):
            self.start(number)

    def kill_database(self):
        self.database.tell(self.random.choice(("kill", "stop")))
        self.write(what="kill", whom="database")
        time.sleep(self.random.uniform(0, 1))
        self.database.tell("restart")

    def freeze_database(self):
        self.database.tell("freeze")
        time.sleep(self.random.uniform(0.1, 1.5))
        self.database.tell("thaw")

    def jump(self):
        clock = self.random.choice(self.clocks)
        clock.jump(self.random.choice(JUMPS_S))
        self.write(what="jump", seconds=clock.seconds)

    def rewind(self):
        """The first time a backup is made, later it is put back."""
        for end in ("", "-wal", "-shm"):
            file, backup = pathlib.Path(f"{self.database.file}{end}"), self.folder / f"backup{end}"
            if (self.folder / "taken").exists():
                file.unlink(missing_ok=True)
                if backup.exists():
                    shutil.copy(backup, file)
            elif file.exists():
                shutil.copy(file, backup)
        (self.folder / "taken").touch()

    def rage(self, seconds):
        todo = [self.kill_one] * 3 + [self.kill_all, self.stop_one, self.freeze_one]
        if self.database.keeper:
            todo += [self.kill_database] * 3 + [self.freeze_database]
        if self.bug:
            todo = [self.kill_all] if self.bug == "rewind" else [self.kill_one]
        for clock, seconds_off in zip(self.clocks, JUMPS_S):  # so that every storm has both
            clock.jump(seconds_off)
            self.write(what="jump", seconds=seconds_off)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(self.random.uniform(0.2, 2))
            self.random.choice(todo)()
            if self.clocks:
                self.jump()

    # The end.

    def ask_for_the_end(self):
        """What the store says of every ID that anybody was given, when all is quiet."""
        paths = set()
        for file in self.folder.glob("worker*.log"):
            for line in file.read_bytes().split(b"\n"):
                event = json.loads(line) if line else {"what": ""}
                if event["what"] == "create":
                    paths.add(event["path"])
        connection = http.client.HTTPConnection("127.0.0.1", self.services[0].ports["public"], timeout=60)
        for path in sorted(paths):
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            self.write(what="final", path=path, status=answer.status)
        connection.close()

    def run(self, seconds):
        for number in range(len(self.services)):
            self.start(number)
        words = [",".join(map(str, ports)) for ports in self.ports]
        worker = pathlib.Path(__file__).parent / "worker.py"
        workers = []
        for number in range(WORKERS):
            self.write(what="worker", name=number)
            workers.append(subprocess.Popen(
                [sys.executable, str(worker), str(self.folder / f"worker{number}.log"), f"w{number}",
                 str(self.random.randrange(1 << 30)), str(seconds), *words]))
        self.rage(seconds - 1)
        for process in workers:
            process.wait(HEAL_S + 60)
        for service in self.services:
            if service.process.poll() is not None:
                raise AssertionError(f"a service ended by itself:\n{service.log()}")
        self.ask_for_the_end()
        verdict = self.services[0].run("registry", "verify", check=False)
        self.write(what="verify", exit=verdict.returncode, said=(verdict.stdout + verdict.stderr)[-300:])
        for service in self.services:
            service.stop()

    def close(self):
        for service in self.services:
            service.kill()
            service.close()
        for proxy in self.proxies:
            proxy.close()
        self.database.close()
        self.log.close()


def main():
    program, keeper, store, folder, seconds, seed, *bug = sys.argv[1:]
    print(f"storm: {store}, {seconds} s, seed {seed}", flush=True)
    storm = Storm(program, keeper, store, pathlib.Path(folder).resolve(), int(seed), bug[0] if bug else None)
    try:
        storm.run(float(seconds))
    finally:
        storm.close()


if __name__ == "__main__":
    os.environ.pop("TESSERA_STORE", None)
    main()
