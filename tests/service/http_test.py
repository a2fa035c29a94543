"""HTTP as the running program speaks it: framing, pipelines, streams, limits and ends.

    http_test.py PROGRAM
"""

import gzip
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import sys
import threading
import time
import unittest

from service import Service

LAST_CALL_S = 0.9  # less than the service waits for those who are silent when it ends
PROGRAM = None
VECTORS = pathlib.Path(__file__).parent.parent / "vectors" / "bad-inputs.tsv"

STATUS = {
    "bad_framing": 400, "bad_host": 400, "invalid_request_line": 400, "unsupported_version": 505,
    "payload_too_large": 413, "headers_too_large": 431, "method_not_allowed": 405,
    "misdirected_request": 421, "unsupported_media_type": 415,
}


def unescape(text):
    text = re.sub(r"\\R\{(\d+)\}\{((?:[^}\\]|\\.)*)\}", lambda m: m[2] * int(m[1]), text)
    return text.encode().decode("unicode_escape").encode("latin-1")


def split_answers(data):
    """Whole answers with a Content-Length, one behind the other."""
    answers = []
    while data:
        head, _, rest = data.partition(b"\r\n\r\n")
        length = int(re.search(rb"(?i)content-length: (\d+)", head)[1])
        answers.append((int(head.split(b" ")[1]), rest[:length]))
        data = rest[length:]
    return answers


class Http(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service(PROGRAM, "--host", "a").start()

    @classmethod
    def tearDownClass(cls):
        cls.service.__exit__(None)

    def test_bad_inputs_are_told_what_is_wrong(self):
        count = 0
        for line in VECTORS.read_text().splitlines():
            kind, text, expected, error, why = (line.split("\t") + [""] * 5)[:5]
            if kind != "http":
                continue
            count += 1
            with self.subTest(why=why):
                got = self.service.raw(unescape(text))
                status = int(got.split(b" ", 2)[1])
                if expected == "ok":
                    self.assertIn(status, (200, 201))
                    continue
                self.assertEqual(status, STATUS[error])
                self.assertIn(f'"code":"{error}"'.encode(), got)
        self.assertEqual(count, 44)
        self.assertEqual(self.service.get("/healthz").status, 200)

    def test_a_pipeline_is_answered_in_order(self):
        paths = [f"/v1/odds?bits={bits}&count=1000" for bits in range(20, 84)]
        got = self.service.raw(b"".join(b"GET %s HTTP/1.1\r\nHost: a\r\n\r\n" % path.encode() for path in paths))
        answers = split_answers(got)
        self.assertEqual([status for status, _ in answers], [200] * 64)
        self.assertEqual([json.loads(body)["bits"] for _, body in answers], list(range(20, 84)))

    def test_a_million_ids_are_streamed(self):
        answer = self.service.post("/v1/ids", {"kind": "ulid", "count": 1000000}, fields={"Accept": "text/plain"})
        ids = answer.text.splitlines()
        self.assertEqual(len(ids), 1000000)
        self.assertEqual(len(set(ids)), 1000000)
        self.assertEqual(ids, sorted(ids))
        self.assertTrue(all(len(text) == 26 for text in ids))

    def test_without_tokens_no_web_page_may_ask(self):
        """By its own name, which it lets point here; or by a form that it sends us."""
        port = self.service.ports["public"]
        before = len(self.service.get("/v1/tenants/acme/stores").json["items"])
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example"):
            for method, path in (("GET", "/v1/types"), ("GET", "/"), ("POST", "/v1/tenants/acme/stores")):
                answer = self.service.ask(method, path, fields={"Host": host})
                self.assertEqual((answer.status, answer.json["code"]), (403, "foreign_host"))
        for origin in ("http://evil.example", "null", "http://127.0.0.1:1"):
            answer = self.service.post("/v1/tenants/acme/stores", fields={"Origin": origin})
            self.assertEqual((answer.status, answer.json["code"]), (403, "foreign_origin"))
        self.assertEqual(len(self.service.get("/v1/tenants/acme/stores").json["items"]), before)
        for fields in ({"Host": f"localhost:{port}"}, {"Host": f"[::1]:{port}"},
                       {"Origin": f"http://127.0.0.1:{port}"}):
            self.assertEqual(self.service.post("/v1/tenants/acme/stores", fields=fields).status, 201)

    def test_compressed_where_asked(self):
        answer = self.service.post("/v1/ids", {"kind": "ulid", "count": 5000},
                                   fields={"Accept": "text/plain", "Accept-Encoding": "gzip"})
        self.assertEqual(answer.fields["content-encoding"], "gzip")
        self.assertEqual(len(gzip.decompress(answer.data).splitlines()), 5000)

    def test_what_may_come_compressed_says_so_to_caches(self):
        """A tag stands for what is said, so it is weak: the bytes differ."""
        plain = self.service.get("/openapi.json")
        zipped = self.service.get("/openapi.json", fields={"Accept-Encoding": "gzip"})
        self.assertEqual(gzip.decompress(zipped.data), plain.data)
        self.assertRegex(plain.fields["etag"], r'^W/"[0-9a-f]+"$')
        for answer in (plain, zipped):
            self.assertEqual(answer.fields["vary"], "Accept-Encoding")
            self.assertEqual(answer.fields["etag"], plain.fields["etag"])
            again = self.service.get("/openapi.json", fields={"If-None-Match": answer.fields["etag"]})
            self.assertEqual((again.status, again.data, again.fields["vary"]), (304, b"", "Accept-Encoding"))
        self.assertNotIn("vary", self.service.get("/healthz").fields, "too little to be compressed")

    def test_a_body_may_come_in_chunks(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.service.ports["public"], timeout=60)
        connection.request("POST", "/v1/ids", body=iter([b'{"kind":', b'"ulid",', b'"count":2}']),
                           headers={"Content-Type": "application/json"}, encode_chunked=True)
        answer = connection.getresponse()
        self.assertEqual(len(json.loads(answer.read())["ids"]), 2)
        connection.close()

    def test_a_client_that_asks_first_is_told_to_go_on(self):
        with self.service.connect() as connection:
            connection.sendall(b"POST /v1/ids HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                               b"Content-Length: 2\r\nExpect: 100-continue\r\n\r\n")
            self.assertEqual(connection.recv(1000), b"HTTP/1.1 100 Continue\r\n\r\n")
            connection.sendall(b"{}")
            self.assertTrue(connection.recv(1000).startswith(b"HTTP/1.1 200 OK\r\n"))

    def test_http_1_0_ends_with_the_connection(self):
        got = self.service.raw(b"GET /healthz HTTP/1.0\r\n\r\n")
        self.assertTrue(got.startswith(b"HTTP/1.1 200 OK\r\n"))
        self.assertIn(b"Connection: close\r\n", got)

    def slow_reader(self, count):
        connection = self.service.connect()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
        body = b'{"kind":"ulid","count":%d}' % count
        connection.sendall(b"POST /v1/ids HTTP/1.1\r\nHost: a\r\nAccept: text/plain\r\nConnection: close\r\n"
                           b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        return connection

    def test_a_slow_reader_gets_all(self):
        with self.slow_reader(100_000) as connection:
            time.sleep(0.5)
            size = 0
            while piece := connection.recv(1 << 20):
                size += len(piece)
            self.assertGreater(size, 2_700_000)

    def test_slow_readers_cost_little(self):
        before = self.service.memory_kib()
        readers = [self.slow_reader(1_000_000) for _ in range(20)]  # half a gigabyte, if it were made at once
        time.sleep(1)
        self.assertLess(self.service.memory_kib() - before, 20 * 1024)
        for connection in readers:
            self.assertTrue(connection.recv(1000).startswith(b"HTTP/1.1 200 OK"))
            connection.close()


class Limits(unittest.TestCase):
    def test_two_thousand_idle_and_five_hundred_slow_connections(self):
        with Service(PROGRAM, "--threads", "1", "--host", "a") as service:
            before = service.memory_kib()
            idle = [service.connect() for _ in range(2000)]
            slow = [service.connect() for _ in range(500)]
            for number, connection in enumerate(slow):
                connection.sendall(b"POST /v1/ids HTTP/1.1\r\nHost: a\r\nX-Slow: " + b"x" * (number % 900))
            self.assertEqual(service.get("/healthz").status, 200)
            grown = service.memory_kib() - before
            print(f"2,500 connections: {grown} KiB more than {before} KiB", file=sys.stderr)
            # A sanitizer keeps shadows of what the program keeps.
            self.assertLess(grown, 2500 * (64 if "TESSERA_SANITIZED" in os.environ else 16))
            end = time.monotonic() + 30
            for connection in slow:
                connection.settimeout(max(0.1, end - time.monotonic()))
                self.assertTrue(connection.recv(100).startswith(b"HTTP/1.1 408 "))
            for connection in idle + slow:
                connection.close()


def is_closed(service):
    """Whether it listens no more."""
    try:
        service.connect(timeout=1).close()
    except OSError:
        return True
    return False


class Life(unittest.TestCase):
    def test_ends_with_what_was_begun_answered(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with Service(PROGRAM, "--host", "a") as service:
                half = service.connect()
                half.sendall(b"POST /v1/tenants/acme/stores HTTP/1.1\r\nHost: a\r\nContent-Le")
                idle = service.connect()
                ending = threading.Thread(target=service.stop, args=(number,))
                time.sleep(0.3)
                ending.start()
                self.assertEqual(idle.recv(1), b"")
                time.sleep(0.3)
                with self.assertRaises(OSError):
                    service.connect(timeout=1).close()
                half.sendall(b"ngth: 0\r\n\r\n")
                got = half.recv(10000)
                self.assertTrue(got.startswith(b"HTTP/1.1 201 "), got)
                self.assertIn(b"Connection: close\r\n", got)
                ending.join()
                half.close()
                idle.close()

    def test_ends_under_load_without_a_failed_request(self):
        """Whoever could connect is answered, with a connection for each request and with one for many.

        Unless it says nothing for longer than the last call lasts, which a busy machine may make it do; or the
        kernel has let it in within the microseconds in which the listener was closed, and takes that back."""
        for keep in (False, True):
            with Service(PROGRAM) as service:
                failures, count, taken_back = [], [0], []

                def ask():
                    connection, silent_since = None, time.monotonic()
                    while True:
                        try:
                            is_new = connection is None
                            if is_new:
                                silent_since = time.monotonic()
                                connection = service.connect()
                        except OSError:
                            return  # it listens no more
                        fields = b"" if keep else b"Connection: close\r\n"
                        try:
                            connection.sendall(b"POST /v1/tenants/acme/stores HTTP/1.1\r\nHost: localhost\r\n"
                                               b"Content-Length: 0\r\n" + fields + b"\r\n")
                            silence = time.monotonic() - silent_since
                            got = connection.recv(10000)
                        except OSError as error:
                            at_closing = is_new and isinstance(error, ConnectionResetError) and is_closed(service)
                            (taken_back if at_closing else failures).append(error)
                            return
                        silent_since = time.monotonic()
                        if got == b"" and silence > LAST_CALL_S:
                            connection.close()
                            connection = None
                            continue
                        if not got.startswith(b"HTTP/1.1 201 "):
                            failures.append(got)
                            return
                        count[0] += 1
                        if not keep or b"Connection: close\r\n" in got:
                            connection.close()
                            connection = None

                threads = [threading.Thread(target=ask) for _ in range(4)]
                for thread in threads:
                    thread.start()
                end = time.monotonic() + 60
                while count[0] < 20 and time.monotonic() < end:
                    time.sleep(0.05)
                service.stop()
                for thread in threads:
                    thread.join()
                self.assertEqual(failures, [])
                self.assertLessEqual(len(taken_back), 1, "no more than one can meet that moment")
                self.assertGreaterEqual(count[0], 20)

    def test_reloads_without_a_failed_request(self):
        with Service(PROGRAM) as service:
            over = threading.Event()
            failures, count = [], [0]

            def ask():
                while not over.is_set():
                    answer = service.post("/v1/ids")
                    count[0] += 1
                    if answer.status != 200:
                        failures.append(answer)

            threads = [threading.Thread(target=ask) for _ in range(4)]
            for thread in threads:
                thread.start()
            config = service.folder / "tessera.yaml"
            for number in range(5):
                config.write_text(config.read_text() + f"  EXTRA{number}: {{}}\n")
                service.process.send_signal(signal.SIGHUP)
                end = time.monotonic() + 30
                while service.log().count('"event":"reloaded"') <= number and time.monotonic() < end:
                    time.sleep(0.01)
            over.set()
            for thread in threads:
                thread.join()
            self.assertEqual(failures, [])
            self.assertGreater(count[0], 20)
            names = [scope["name"] for scope in service.get("/v1/scopes").json["scopes"]]
            self.assertIn("EXTRA4", names)

    def test_filters_are_kept_and_never_believed_too_far(self):
        with Service(PROGRAM, "--filters", ".") as service:
            kept = [service.post("/v1/tenants/acme/stores").json["name"] for _ in range(5)]
            gone = service.post("/v1/tenants/acme/stores").json["name"]
            self.assertEqual(service.delete("/v1/" + gone).status, 200)

            def wait_for(event):  # the filters are there, once they were synced
                end = time.monotonic() + 60
                while not any(line["event"] == event and line["count"] == 3 for line in service.log_lines()):
                    self.assertLess(time.monotonic(), end, service.log())
                    time.sleep(0.1)

            def look_at_all():
                for name in kept:
                    self.assertEqual(service.get("/v1/" + name).status, 200)
                self.assertEqual(service.get("/v1/" + gone).status, 410)
                self.assertEqual(service.get("/v1/tenants/acme/stores/sto_01ARZ3NDEKTSV4RRFFQ69G5FAV").status, 404)

            time.sleep(2.5)  # two syncs
            service.stop()
            wait_for("filters_saved")
            self.assertEqual(len(list(service.folder.glob("*.filter"))), 3)
            # What others create while we are away is found as well.
            made = service.run("registry", "create", "store", "--tenant", "acme").stdout.split("\t")[1].strip()
            kept.append(made)
            service.start()
            wait_for("filters_loaded")
            look_at_all()
            service.stop()
            for file in service.folder.glob("*.filter"):
                file.write_bytes(file.read_bytes()[:-1] + b"x")
            service.start()
            self.assertIn('"event":"filters_loaded","count":0', service.log())
            time.sleep(1.5)
            look_at_all()

    def test_a_mistake_in_the_file_changes_nothing(self):
        with Service(PROGRAM) as service:
            (service.folder / "tessera.yaml").write_text("types: {broken")
            service.process.send_signal(signal.SIGHUP)
            time.sleep(0.5)
            self.assertEqual(service.post("/v1/tenants/acme/stores").status, 201)

    def test_takes_sockets_from_systemd_and_tells_it(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified, socket.socket() as listening:
            service = Service(PROGRAM)
            notified.bind(str(service.folder / "notify"))
            listening.bind(("127.0.0.1", 0))
            listening.listen()
            service.environment.update(NOTIFY_SOCKET=str(service.folder / "notify"), LISTEN_FDS="1",
                                       LISTEN_FDNAMES="public")
            command = f'exec 3<&{listening.fileno()}; LISTEN_PID=$$ exec "$0" serve'
            real = service.program
            script = service.folder / "start"
            script.write_text(f"#!/bin/bash\n{command.replace('$0', real)}\n")
            script.chmod(0o755)
            service.program = str(script)
            service.flags = ()
            service.start(pass_fds=[listening.fileno()])
            try:
                notified.settimeout(30)
                self.assertEqual(notified.recv(100), b"READY=1")
                self.assertEqual(service.ports["public"], listening.getsockname()[1])
                self.assertEqual(service.get("/healthz").status, 200)
                service.stop()
                self.assertEqual(notified.recv(100), b"STOPPING=1")
            finally:
                service.__exit__(None)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main(verbosity=2)
