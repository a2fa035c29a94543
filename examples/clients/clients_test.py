#!/usr/bin/env python3
"""The clients in other languages, against a real service; and one answer to each gets lost on the way.

    clients_test.py TESSERA LANGUAGE...      go, rust, java
"""
import http.client
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from support import Service  # noqa: E402

CONFIG = """\
listen: {public: "127.0.0.1:0", internal: "off", redis: "127.0.0.1:0"}
store: sqlite:tessera.db
types:
  order: {prefix: ord, scope: ORDER, collection: orders, style: checked}
scopes:
  ORDER: {}
"""
TESSERA, LANGUAGES = None, []
PATIENCE_S = 240


def build(language, folder):
    """How the client is run."""
    if language == "rust":
        subprocess.run(["rustc", "--edition", "2021", "-o", folder / "client", HERE / "rust/client.rs"], check=True)
        return [folder / "client"]
    if language == "go":
        environment = {**os.environ, "GOCACHE": str(folder / "cache"), "GO111MODULE": "off", "GOFLAGS": ""}
        subprocess.run(["go", "build", "-o", folder / "client", HERE / "go/client.go"], check=True, env=environment)
        return [folder / "client"]
    return ["java", HERE / "java/Client.java"]


class Lossy:
    """Hands connections on to a port. The answer to the first creation gets lost, after it was carried out."""

    def __init__(self, port):
        self.target = port
        self.lost = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self.target))
            threading.Thread(target=self.serve, args=(near, far), daemon=True).start()

    def serve(self, near, far):
        state = {"asked": b""}  # since the last answer; a request may come in pieces
        with near, far:
            back = threading.Thread(target=self.copy, args=(far, near, state, False), daemon=True)
            back.start()
            self.copy(near, far, state, True)
            back.join()

    def copy(self, source, target, state, to_service):
        try:
            while data := source.recv(65536):
                if to_service:
                    state["asked"] += data
                else:
                    creation = state["asked"].startswith(b"POST /v1/tenants/")
                    state["asked"] = b""
                    if creation and self.lost == 0:
                        self.lost += 1
                        break
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self.listener.close()


class Clients(unittest.TestCase):
    def test_each_creates_once_although_an_answer_gets_lost(self):
        for language in LANGUAGES:
            with self.subTest(language), Service(TESSERA, CONFIG) as service:
                folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-client."))
                self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
                lossy = Lossy(service.port)
                self.addCleanup(lossy.close)
                done = subprocess.run([*build(language, folder), str(lossy.port), str(service.redis_port), "monday"],
                                      capture_output=True, text=True, timeout=PATIENCE_S)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(lossy.lost, 1)
                self.check(service, [line.split() for line in done.stdout.splitlines()])

    def check(self, service, lines):
        self.assertEqual([line[0] for line in lines], ["ids", "created", "created", "GET", "DELETE", "GET", "number"])
        ids, first, again, live, deleted, gone, number = lines
        self.assertEqual(len(set(ids[1:])), 3)
        self.assertEqual(ids[1:], sorted(ids[1:]))
        # Its first answer was lost: what it got is that of the repetition.
        self.assertEqual(first[2:], ["true"])
        self.assertEqual(again, first)
        self.assertEqual((live[1], deleted[1], gone[1]), ("200", "200", "410"))
        self.assertGreater(int(number[1]), 0)
        connection = http.client.HTTPConnection("127.0.0.1", service.port)
        connection.request("GET", "/v1/tenants/acme/orders")
        listed = [item["id"] for item in json.load(connection.getresponse())["items"]]
        connection.close()
        self.assertEqual(listed, [first[1]])  # one, and the other is deleted


if __name__ == "__main__":
    TESSERA, LANGUAGES = sys.argv[1], sys.argv[2:]
    if not LANGUAGES or set(LANGUAGES) - {"go", "rust", "java"}:
        sys.exit(__doc__)
    unittest.main(argv=sys.argv[:1])
