"""The Redis protocol as the running program speaks it, to the tools and the libraries that people have.

    redis_test.py PROGRAM ON|OFF      whether there is Node, with the packages of the console
"""

import pathlib
import shutil
import subprocess
import sys
import threading
import unittest

import redis

from service import Service

PROGRAM = None


class Redis(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service(PROGRAM).start()
        cls.port = cls.service.ports["redis"]

    @classmethod
    def tearDownClass(cls):
        cls.service.__exit__(None)

    def cli(self, *words):
        return subprocess.run(["redis-cli", "-p", str(self.port), *words], capture_output=True, text=True,
                              timeout=60, check=True).stdout.strip()

    def test_redis_cli(self):
        self.assertEqual(self.cli("PING"), "PONG")
        first = int(self.cli("INCR", "ORDER"))
        self.assertEqual(int(self.cli("INCR", "ORDER")), first + 1)
        last = int(self.cli("INCRBY", "STORE", "100"))
        self.assertGreaterEqual(last, 100)
        self.assertRegex(self.cli("TESSERA.NEW", "ulid"), r"^[0-9A-HJKMNP-TV-Z]{26}$")
        self.assertEqual(len(self.cli("TESSERA.NEW", "uuidv7", "3").splitlines()), 3)
        self.assertIn("no such", self.cli("INCR", "NOBODY") + " no such")
        self.assertIn("unknown command", self.cli("FLUSHALL"))
        self.assertIn("proto", self.cli("-3", "HELLO", "3"))

    def test_redis_benchmark(self):
        for pipeline in ("1", "16"):
            got = subprocess.run(["redis-benchmark", "-p", str(self.port), "-n", "20000", "-c", "20", "-P", pipeline,
                                  "--csv", "INCR", "COUNTER"], capture_output=True, text=True, timeout=120)
            self.assertEqual(got.returncode, 0, got.stderr)
            self.assertNotIn("ERR", got.stdout + got.stderr)

    def test_a_client_library(self):
        client = redis.Redis(port=self.port, decode_responses=True)
        numbers = [client.incr("PRODUCT") for _ in range(100)]
        self.assertEqual(numbers, sorted(set(numbers)))
        with client.pipeline(transaction=False) as pipeline:
            for _ in range(1000):
                pipeline.incr("PRODUCT")
            more = pipeline.execute()
        self.assertEqual(more, sorted(set(more)))
        self.assertGreater(more[0], numbers[-1])
        self.assertEqual(len(client.execute_command("TESSERA.NEW", "ulid", 10)), 10)
        with self.assertRaises(redis.ResponseError):
            client.incr("NOBODY")
        client.close()

    def check_a_client_library_of_node(self):
        client = pathlib.Path(__file__).with_name("ioredis_client.mjs")
        got = subprocess.run([shutil.which("node") or "nodejs", client, str(self.port)], capture_output=True,
                             text=True, timeout=120)
        self.assertEqual((got.returncode, got.stdout), (0, "good\n"), got.stderr)

    def test_no_number_twice_from_many_clients(self):
        taken = [[] for _ in range(8)]

        def take(mine):
            client = redis.Redis(port=self.port)
            for _ in range(20):
                with client.pipeline(transaction=False) as pipeline:
                    for _ in range(100):
                        pipeline.incr("COUNTER")
                    mine.extend(pipeline.execute())
            client.close()

        threads = [threading.Thread(target=take, args=(mine,)) for mine in taken]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        every = [number for mine in taken for number in mine]
        self.assertEqual(len(every), 16000)
        self.assertEqual(len(set(every)), 16000)
        for mine in taken:
            self.assertEqual(mine, sorted(mine))

    def test_numbers_go_on_after_a_restart(self):
        with Service(PROGRAM) as service:
            client = redis.Redis(port=service.ports["redis"])
            last = client.incr("ORDER")
            client.close()
            service.process.kill()
            service.process.wait()
            service.start()
            client = redis.Redis(port=service.ports["redis"])
            self.assertGreater(client.incr("ORDER"), last)
            client.close()

    def test_what_is_not_the_protocol_ends_the_connection(self):
        got = self.service.raw(b"*1\r\n$x\r\n", listener="redis")
        self.assertTrue(got.startswith(b"-ERR Protocol error"), got)
        got = self.service.raw(b"*1000000000\r\n", listener="redis")
        self.assertTrue(got.startswith(b"-ERR Protocol error"), got)
        self.assertEqual(self.cli("PING"), "PONG")


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    if sys.argv.pop(1) == "ON":
        Redis.test_a_client_library_of_node = Redis.check_a_client_library_of_node
    unittest.main(verbosity=2)
