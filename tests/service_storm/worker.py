"""One client of the storm: asks over HTTP and the Redis protocol, and writes down what it was told.

    worker.py LOG NAME SEED SECONDS HTTP,INTERNAL,REDIS ...

Each of the last words is a service: its three ports. A line of the log is written when an answer is there,
by one write: what is in it was acknowledged. Ends after SECONDS, whatever became of the services.
"""

import http.client
import json
import os
import random
import socket
import sys
import time

TENANTS = ("acme", "globex")
ANSWER_S = 5.0   # for one answer
GIVE_UP_S = 30.0  # for a request that is asked again and again


class Lost(Exception):
    """No answer, or one that does not say what was done."""


class Redis:
    """As much of the protocol as we use."""

    def __init__(self, port, answer_s=ANSWER_S):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=answer_s)
        self.file = self.socket.makefile("rb")

    def send(self, *commands):
        data = b""
        for words in commands:
            data += b"*%d\r\n" % len(words)
            for word in words:
                word = str(word).encode()
                data += b"$%d\r\n%s\r\n" % (len(word), word)
        self.socket.sendall(data)
        return [self.read() for _ in commands]

    def read(self):
        line = self.file.readline()
        if not line.endswith(b"\r\n"):
            raise Lost("the connection ended")
        kind, rest = line[:1], line[1:-2]
        if kind == b":":
            return int(rest)
        if kind == b"$":
            data = self.file.read(int(rest) + 2)
            if len(data) != int(rest) + 2:
                raise Lost("the connection ended")
            return data[:-2].decode()
        if kind == b"*":
            return [self.read() for _ in range(int(rest))]
        return None  # an error, or a word: nothing was given

    def close(self):
        self.file.close()
        self.socket.close()


class Worker:
    def __init__(self, log, name, seed, services):
        self.log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        self.name, self.random, self.services = name, random.Random(seed), services
        self.number = 0
        self.connections = {}
        self.live = []  # (tenant, path), created and not retired by us

    def write(self, **event):
        os.write(self.log, (json.dumps(event) + "\n").encode())

    # Asking.

    def connection(self, service, listener):
        place = (service, listener)
        if place not in self.connections:
            port = self.services[service][listener]
            if listener == 2:
                self.connections[place] = Redis(port)
            else:
                self.connections[place] = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_S)
        return self.connections[place]

    def drop(self, place):
        connection = self.connections.pop(place, None)
        if connection:
            connection.close()

    def ask(self, method, path, body=None, key=None, internal=False):
        """Status and body of one answer, from any service; Lost, if there is none."""
        place = (self.random.randrange(len(self.services)), int(internal))
        fields = {"Content-Type": "application/json"} if body is not None else {}
        if key:
            fields["Idempotency-Key"] = key
        try:
            connection = self.connection(*place)
            connection.request(method, path, None if body is None else json.dumps(body), fields)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.drop(place)
            raise Lost(str(error)) from None

    def ask_until_known(self, *words, **options):
        """Asks again for as long as the answer is lost or says "later": only for what may be repeated."""
        end = time.monotonic() + GIVE_UP_S
        while time.monotonic() < end:
            try:
                status, body = self.ask(*words, **options)
                if status < 500 and status != 429:
                    return status, body
            except Lost:
                pass
            time.sleep(self.random.uniform(0.005, 0.1))
        raise Lost("gave up")

    def redis(self, *commands):
        place = (self.random.randrange(len(self.services)), 2)
        try:
            return self.connection(*place).send(*commands)
        except (OSError, ValueError, Lost) as error:
            self.drop(place)
            raise Lost(str(error)) from None

    # What is done.

    def create(self):
        tenant = self.random.choice(TENANTS)
        self.number += 1
        # Some keys are everybody's at the same moment.
        shared = self.random.random() < 0.3
        key = f"shared-{int(time.time() * 4)}" if shared else f"{self.name}-{self.number}"
        path, count = f"/v1/tenants/{tenant}/stores", 1 if shared else self.random.choice((1, 1, 1, 5))
        parents = [path for whose, path in self.live if whose == tenant and "/products/" not in path]
        if not shared and parents and self.random.random() < 0.3:
            path = self.random.choice(parents) + "/products"
        status, body = self.ask_until_known("POST", path, {"count": count}, key=key)
        if status == 404:
            return  # the parent has ended meanwhile
        if status != 201:
            self.write(what="odd", status=status, body=str(body)[:300])
            return
        for item in body["items"]:
            self.write(what="create", tenant=tenant, key=key, count=count, id=item["id"], path="/v1/" + item["name"],
                       at=time.monotonic())
            if not shared:
                self.live.append((tenant, "/v1/" + item["name"]))
        if len(self.live) > 200:
            self.live = self.live[-100:]

    def retire(self):
        if not self.live:
            return
        _, path = self.live.pop(self.random.randrange(len(self.live)))
        self.write(what="retire_begun", path=path, at=time.monotonic())
        status, body = self.ask_until_known("DELETE", path)
        if status in (200, 410):
            self.write(what="retire", path=path, at=time.monotonic())
        else:
            self.write(what="odd", status=status, body=str(body)[:300])

    def look_up(self):
        if not self.live:
            return
        _, path = self.random.choice(self.live)
        asked = time.monotonic()
        status, _ = self.ask("GET", path)
        if status in (200, 404, 410):
            self.write(what="look", path=path, status=status, at=asked)

    def mint(self):
        kind = self.random.choice(("ulid", "uuidv7", "ksuid", "snowflake"))  # the last needs a leased number
        status, body = self.ask("POST", "/v1/ids", {"kind": kind, "count": self.random.randint(1, 50)})
        if status == 200:
            self.write(what="ids", ids=body["ids"])

    def draw(self):
        count = self.random.randint(1, 100)
        if self.random.random() < 0.5:
            self.number += 1
            key = f"{self.name}-{self.number}"
            status, body = self.ask_until_known("POST", "/v1/segments/COUNTER", {"count": count, "key": key},
                                                internal=True)
        else:
            status, body = self.ask("POST", "/v1/segments/COUNTER", {"count": count}, internal=True)
        if status == 200:
            self.write(what="range", scope="COUNTER", first=int(body["first"]), end=int(body["end"]))

    def take(self):
        status, body = self.ask("POST", "/v1/numbers/COUNTER", {"count": self.random.randint(1, 20)}, internal=True)
        for segment in body.get("segments", ()) if status == 200 else ():
            self.write(what="range", scope="COUNTER", first=int(segment["first"]), end=int(segment["end"]))

    def increment(self):
        for number in self.redis(*[("INCR", "COUNTER")] * self.random.randint(1, 50)):
            if number is not None:
                self.write(what="range", scope="COUNTER", first=number, end=number + 1)

    def increment_by(self):
        count = self.random.randint(2, 100)
        last, = self.redis(("INCRBY", "COUNTER", count))
        if last is not None:
            self.write(what="range", scope="COUNTER", first=last - count + 1, end=last + 1)

    def mint_by_redis(self):
        ids, = self.redis(("TESSERA.NEW", "ulid", 10))
        if ids is not None:
            self.write(what="ids", ids=ids)

    def run(self, seconds):
        todo = [self.create] * 4 + [self.retire] * 2 + [self.look_up] * 2 + [
            self.mint, self.draw, self.take, self.increment, self.increment_by, self.mint_by_redis]
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                self.random.choice(todo)()
            except Lost:
                time.sleep(self.random.uniform(0.005, 0.1))
        self.write(what="over", at=time.monotonic())


if __name__ == "__main__":
    Worker(sys.argv[1], sys.argv[2], int(sys.argv[3]),
           [[int(port) for port in word.split(",")] for word in sys.argv[5:]]).run(float(sys.argv[4]))
