"""A rolling restart: three services on one store, restarted one after another while clients ask.

    rolling_test.py PROGRAM

A client asks one service; if that does not answer, or says "later", it asks the next. So a request fails if
three services in a row failed it. None may. The same load must find two mistakes that are made on purpose: all restarted at
once, and a store for each.
"""

import http.client
import json
import pathlib
import sys
import tempfile
import threading
import time
import unittest

from service import Service

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "service_storm"))
from storm import free_port  # noqa: E402
from worker import Lost, Redis  # noqa: E402

PROGRAM = None
SERVICES = 3
CLIENTS = 4
ROUNDS = 2
ANSWER_S = 60

CONFIG = """\
listen: {{{{public: "127.0.0.1:{public}", internal: "127.0.0.1:{internal}", redis: "127.0.0.1:{redis}"}}}}
store: "sqlite:{store}"
types:
  store: {{{{prefix: sto, scope: STORE, collection: stores}}}}
scopes:
  STORE: {{{{}}}}
  COUNTER: {{{{}}}}
"""


class Client:
    """Keeps a connection to each listener, as clients do."""

    def __init__(self, ports, first):
        self.ports, self.next, self.connections = ports, first, {}
        self.moved = 0  # to another service, within a request

    def ask(self, listener, request):
        """What `request` makes of a connection; by the first of the three that answers."""
        said = []
        for _ in range(SERVICES):
            service = self.next % SERVICES
            is_old = (service, listener) in self.connections
            # A connection that was at rest may have been closed meanwhile: that says nothing of the service.
            for _ in range(1 + is_old):
                try:
                    return request(self.connection(service, listener))
                except (OSError, http.client.HTTPException, Lost) as error:
                    said.append(f"service {service}: {error!r}")
                    self.drop(service, listener)
            self.next += 1
            self.moved += 1
        raise AssertionError(f"nobody answered: {said}")

    def drop(self, service, listener):
        connection = self.connections.pop((service, listener), None)
        if connection:
            connection.close()

    def connection(self, service, listener):
        place = (service, listener)
        if place not in self.connections:
            port = self.ports[service][listener]
            self.connections[place] = (
                Redis(port, ANSWER_S) if listener == "redis" else
                http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_S))
        return self.connections[place]

    def http(self, method, path, body=None, key=None):
        fields = {"Content-Type": "application/json"}
        if key:
            fields["Idempotency-Key"] = key

        def request(connection):
            connection.request(method, path, None if body is None else json.dumps(body), fields)
            answer = connection.getresponse()
            data = answer.read()
            if answer.status in (429, 503):
                raise Lost(f"{answer.status} {data[:200]}")
            return answer.status, json.loads(data)

        return self.ask("public", request)

    def increment(self, count):
        def request(connection):
            last, = connection.send(("INCRBY", "COUNTER", count))
            if last is None:
                raise Lost("an error")
            return range(last - count + 1, last + 1)

        return self.ask("redis", request)


class Rolling(unittest.TestCase):
    def test_three_are_restarted_without_a_failed_request(self):
        self.roll(ROUNDS)

    def test_finds_that_all_were_away_at_once(self):
        with self.assertRaisesRegex(AssertionError, "nobody answered"):
            self.roll(1, at_once=True)

    def test_finds_that_each_has_a_store_of_its_own(self):
        with self.assertRaisesRegex(AssertionError, "a number twice|404 != 200"):
            self.roll(1, own_store=True)

    def roll(self, rounds, at_once=False, own_store=False):
        with tempfile.TemporaryDirectory(prefix="tessera-rolling.") as folder:
            services, ports = [], []
            for number in range(SERVICES):
                home = pathlib.Path(folder) / str(number)
                home.mkdir()
                ports.append({name: free_port() for name in ("public", "internal", "redis")})
                config = CONFIG.format(store=(home if own_store else pathlib.Path(folder)) / "ids.db", **ports[-1])
                services.append(Service(PROGRAM, "--grace", "30", folder=home, config=config))
            try:
                for service in services:
                    service.start()
                turns = [services] if at_once else [[service] for service in services]
                self.restart_under_load(turns * rounds, ports)
            finally:
                for service in services:
                    service.kill()
                    service.close()

    def restart_under_load(self, turns, ports):
        """`turns`: the services that are away together, one turn after another."""
        failures, ids, numbers, moved, over = [], [], [], [], threading.Event()

        def work(name):
            client, count = Client(ports, name), 0
            while not over.is_set():
                try:
                    count += 1
                    status, body = client.http("POST", "/v1/tenants/acme/stores", {"count": 1}, key=f"{name}-{count}")
                    self.assertEqual(status, 201, body)
                    made, = body["items"]
                    status, body = client.http("GET", "/v1/" + made["name"])
                    self.assertEqual(status, 200, body)
                    ids.append(made["id"])
                    numbers.extend(client.increment(50))
                except Exception as error:  # whatever it is, the test tells
                    failures.append(repr(error))
                    break
            moved.append(client.moved)
            for place in list(client.connections):
                client.drop(*place)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for services in turns:
            seen = len(ids)
            for service in services:
                service.stop()
            for service in services:
                service.start()
            end = time.monotonic() + ANSWER_S  # the load goes on between two restarts
            while len(ids) < seen + 2 * CLIENTS and not failures and time.monotonic() < end:
                time.sleep(0.01)
        over.set()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        self.assertGreater(len(ids), 0)
        self.assertEqual(len(ids), len(set(ids)), "an ID twice")
        self.assertEqual(len(numbers), len(set(numbers)), "a number twice")
        self.assertGreater(sum(moved), 0, "no client met a service that was away")
        print(f"{len(ids)} creations, {len(numbers)} numbers, {sum(map(len, turns))} restarts; "
              f"clients went to another service {sum(moved)} times, and no request failed")


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main(verbosity=2)
