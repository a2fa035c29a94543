"""Clients that are slow on purpose, by slowhttptest: others are served meanwhile, and memory stays bounded.

    slow_test.py PROGRAM
"""

import os
import re
import subprocess
import sys
import threading
import time
import unittest

from service import Service

PROGRAM = None
CONNECTIONS = 400
SECONDS = 12
CONNECTION_KIB = 32  # for each, besides the one answer that it does not take
SHADOWS = 4 if "TESSERA_SANITIZED" in os.environ else 1  # a sanitizer keeps more than the program does


class Slow(unittest.TestCase):
    def attack(self, path, *words, takes_answer=False):
        """Runs slowhttptest, and asks as everybody else does meanwhile."""
        with Service(PROGRAM, "--threads", "1") as service:
            answer_kib = len(service.get(path).data) // 1024 if takes_answer else 0
            limit = SHADOWS * CONNECTIONS * (CONNECTION_KIB + answer_kib)
            before = service.memory_kib()
            over = threading.Event()
            failures, count, peak = [], [0], [before]

            def ask():
                while not over.is_set():
                    for answer in (service.get("/healthz"), service.post("/v1/ids")):
                        count[0] += 1
                        if answer.status != 200:
                            failures.append(answer)
                    peak[0] = max(peak[0], service.memory_kib())
                    time.sleep(0.05)

            asking = threading.Thread(target=ask)
            asking.start()
            got = subprocess.run(
                ["slowhttptest", "-c", str(CONNECTIONS), "-r", "200", "-l", str(SECONDS), "-p", "10", "-u",
                 f"http://127.0.0.1:{service.ports['public']}{path}", *words],
                capture_output=True, text=True, timeout=300)
            over.set()
            asking.join()
            said = re.sub(r"\x1b\[[0-9;]*m", "", got.stdout + got.stderr)
            print(f"slowhttptest {' '.join(words)}: {count[0]} others were answered; {peak[0] - before} KiB of "
                  f"{limit} KiB more than {before} KiB", file=sys.stderr)
            self.assertRegex(said, r"service available: +YES", said[-2000:])
            self.assertNotIn("service available:       NO", said)
            opened = [int(number) for number in re.findall(r"connected: +(\d+)", said)]
            closed = [int(number) for number in re.findall(r"closed: +(\d+)", said)]
            self.assertGreaterEqual(max(a + b for a, b in zip(opened, closed)), CONNECTIONS, said[-2000:])
            self.assertEqual(failures, [])
            self.assertGreater(count[0], 10)
            self.assertLess(peak[0] - before, limit)
            return said

    def test_slow_heads(self):
        self.attack("/healthz", "-H", "-i", "1", "-t", "GET", "-x", "24")

    def test_slow_bodies(self):
        self.attack("/v1/ids", "-B", "-i", "1", "-s", "8192", "-x", "10", "-f", "application/json")

    def test_slow_readers(self):
        self.attack("/openapi.json", "-X", "-w", "256", "-y", "512", "-n", "5", "-z", "32", "-k", "3",
                    takes_answer=True)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main(verbosity=2)
