"""The real program, started for a test on free ports in a folder of its own, and ended by its pid.

    with Service(program) as service:
        service.get("/healthz")

A service that does not start, or does not end when told, fails the test with what it said.
"""

import http.client
import json
import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import tempfile
import time

START_S = 60  # a sanitized program on a busy machine takes its time

CONFIG = """\
listen: {{public: "127.0.0.1:0", internal: "127.0.0.1:0", redis: "127.0.0.1:0"}}
store: sqlite:tessera.db
types:
  store: {{prefix: sto, scope: STORE, collection: stores, undelete-days: 7}}
  product: {{prefix: prd, scope: PRODUCT, collection: products, parent: store}}
  order: {{prefix: ord, scope: ORDER, collection: orders, style: checked}}
scopes:
  STORE: {{}}
  PRODUCT: {{}}
  ORDER: {{}}
  COUNTER: {{}}
{more}"""


class Service:
    def __init__(self, program, *flags, config=CONFIG, more="", files=(), environment=(), folder=None):
        self.program = str(pathlib.Path(program).resolve())
        self.own_folder = None if folder else tempfile.TemporaryDirectory(prefix="tessera-service.")
        self.folder = pathlib.Path(folder or self.own_folder.name)
        self.flags = flags
        self.environment = {**os.environ, **dict(environment)}
        if config is not None:
            (self.folder / "tessera.yaml").write_text(config.format(more=more))
        for name, text, mode in files:
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(mode)
        self.process = None
        self.ports = {}

    def run(self, *words, check=True, **options):
        """Another command of the program, in the same folder."""
        return subprocess.run([self.program, *words], cwd=self.folder, env=self.environment, text=True,
                              capture_output=True, check=check, timeout=START_S, **options)

    def start(self, **options):
        self.close()
        (self.folder / "log").write_bytes(b"")
        self.log_file = open(self.folder / "log", "ab")
        self.process = subprocess.Popen(
            [self.program, "serve", *self.flags], cwd=self.folder, env=self.environment,
            stdout=subprocess.PIPE, stderr=self.log_file, stdin=subprocess.DEVNULL, **options)
        os.set_blocking(self.process.stdout.fileno(), False)
        self.greeting = ""
        end = time.monotonic() + START_S
        while '"event":"started"' not in self.log():
            if self.process.poll() is not None or time.monotonic() > end:
                self.kill()
                raise AssertionError(f"the service did not start:\n{self.log()}")
            time.sleep(0.01)
        self.greeting = (self.process.stdout.read() or b"").decode()
        for name, pattern in (("public", r"console: https?://[^ ]*:(\d+)/"),
                              ("internal", r"for your own services: https?://[^ ]*:(\d+)"),
                              ("redis", r"redis-cli -h \S+ -p (\d+)")):
            found = re.search(pattern, self.greeting)
            if found:
                self.ports[name] = int(found[1])
        return self

    def close(self):
        """What an earlier start has left open."""
        if self.process:
            self.log_file.close()
            self.process.stdout.close()

    def log(self):
        return (self.folder / "log").read_text(errors="replace")

    def log_lines(self):
        return [json.loads(line) for line in self.log().splitlines() if line.startswith("{")]

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def stop(self, number=signal.SIGTERM, within_s=START_S):
        self.process.send_signal(number)
        try:
            code = self.process.wait(within_s)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"the service did not end:\n{self.log()}") from None
        assert code == 0, f"the service ended with {code}:\n{self.log()}"

    def __enter__(self):
        return self.start()

    def __exit__(self, kind, *_):
        try:
            if kind is None and self.process.poll() is None:
                self.stop()
        finally:
            self.kill()
            self.close()
            self.clean_up()

    def clean_up(self):
        if self.own_folder:
            self.own_folder.cleanup()

    # Requests.

    def connect(self, listener="public", timeout=START_S):
        return socket.create_connection(("127.0.0.1", self.ports[listener]), timeout=timeout)

    def ask(self, method, path, body=None, listener="public", token=None, fields=()):
        """One request; status, fields (in lower case) and body of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.ports[listener], timeout=START_S)
        try:
            headers = dict(fields)
            if token:
                headers["Authorization"] = "Bearer " + token
            if body is not None and not isinstance(body, (bytes, str)):
                body = json.dumps(body)
                headers.setdefault("Content-Type", "application/json")
            connection.request(method, path, body=body, headers=headers)
            answer = connection.getresponse()
            data = answer.read()
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, data)
        finally:
            connection.close()

    def get(self, path, **options):
        return self.ask("GET", path, **options)

    def post(self, path, body=None, **options):
        return self.ask("POST", path, body, **options)

    def delete(self, path, **options):
        return self.ask("DELETE", path, **options)

    def raw(self, data, listener="public", read_all=True):
        """Bytes as they are; what comes back until the other side ends, or a whole answer is there."""
        with self.connect(listener, timeout=20) as connection:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            got = b""
            while True:
                piece = connection.recv(65536)
                if not piece:
                    return got
                got += piece

    def memory_kib(self):
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
        raise AssertionError("no VmRSS")


class Answer:
    def __init__(self, status, fields, data):
        self.status, self.fields, self.data = status, fields, data

    @property
    def text(self):
        return self.data.decode()

    @property
    def json(self):
        return json.loads(self.data)

    def __repr__(self):
        return f"{self.status} {self.fields} {self.data[:400]!r}"


def make_certificate(folder, name="tessera", days=1):
    """A key and a certificate that signs itself, for 127.0.0.1; paths of both."""
    key, certificate = folder / f"{name}.key", folder / f"{name}.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                    "-nodes", "-keyout", key, "-out", certificate, "-days", str(days), "-subj", f"/CN={name}",
                    "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
    return key, certificate


def trusting(certificate):
    return ssl.create_default_context(cafile=str(certificate))
