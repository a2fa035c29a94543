"""Servers for the tests of the examples: each on a free port of this machine, in a temporary folder, ended
by its pid.

    with Postgres() as database, Service(program, CONFIG) as service: ...
"""
import contextlib
import http.client
import json
import os
import pathlib
import pwd
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

START_S = 120  # on a busy machine


class Server:
    """A process in a folder of its own."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-example."))
        self.process = None

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(self.end)
            try:
                self.process.wait(START_S)
            finally:
                self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    end = signal.SIGTERM

    def spawn(self, command, **options):
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen([str(word) for word in command], stderr=log, stdin=subprocess.DEVNULL,
                                            **{"cwd": self.folder, "stdout": log, **options})

    def log(self):
        return (self.folder / "log").read_text(errors="replace")

    def wait_until(self, ready):
        end = time.monotonic() + START_S
        while not ready():
            if self.process.poll() is not None or time.monotonic() > end:
                raise AssertionError(f"it does not start:\n{self.log()[-3000:]}")
            time.sleep(0.02)


class Postgres(Server):
    end = signal.SIGINT

    def start(self):
        programs = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        if not programs:
            raise AssertionError("no PostgreSQL; tools/install-deps test installs it")
        self.programs = programs[-1]
        account = []
        if os.geteuid() == 0:  # which the server refuses to be
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            account = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
        data = self.folder / "data"
        subprocess.run([*account, self.programs / "initdb", "-D", data, "-U", "shop", "--auth=trust", "--no-sync", "-E", "UTF8",
                        "--locale=C.UTF-8"], check=True, capture_output=True, cwd="/")
        for attempt in range(10):
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
            self.url = f"postgres://shop@127.0.0.1:{port}/postgres"
            self.spawn([*account, self.programs / "postgres", "-D", data, "-p", port, "-c", "listen_addresses=127.0.0.1",
                        "-c", f"unix_socket_directories={self.folder}", "-c", "jit=off"], cwd="/")
            try:
                self.wait_until(lambda: self.answers("SELECT 1"))
                return
            except AssertionError:  # somebody else may have taken the port meanwhile
                if "could not bind" not in self.log() or self.process.poll() is None or attempt == 9:
                    raise

    def answers(self, sql):
        try:
            self.ask(sql)
        except subprocess.CalledProcessError:
            return False
        return True

    def ask(self, sql):
        """The rows, fields with a tab between them."""
        done = subprocess.run([self.programs / "psql", "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-d", self.url],
                              input=sql, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()


class Service(Server):
    """tessera serve, with the configuration given."""

    def __init__(self, program, config):
        super().__init__()
        self.program, self.config = os.path.abspath(program), config

    def start(self):
        (self.folder / "tessera.yaml").write_text(self.config)
        with open(self.folder / "greeting", "wb") as greeting:
            self.spawn([self.program, "serve"], stdout=greeting)
        self.wait_until(lambda: '"event":"started"' in self.log())
        greeting = (self.folder / "greeting").read_text()
        self.port = int(re.search(r"console: http://[^ ]*:(\d+)/", greeting)[1])
        self.redis_port = int(re.search(r"redis-cli -h \S+ -p (\d+)", greeting)[1])


class Program(Server):
    """A server that prints where it is: "name: http://127.0.0.1:1234"."""

    def __init__(self, command, **environment):
        super().__init__()
        self.command, self.environment = command, environment

    def start(self):
        self.spawn(self.command, env={**os.environ, **self.environment}, cwd="/")
        self.wait_until(lambda: "http://127.0.0.1:" in self.log())
        self.port = int(re.search(r"http://127\.0\.0\.1:(\d+)", self.log())[1])

    def kill(self):
        self.process.kill()
        self.process.wait()

    def ask(self, method, path, body=None, token=None, **fields):
        """Status, fields in lower case, and the body: JSON, or nothing."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=START_S)
        headers = {name.replace("_", "-"): value for name, value in fields.items()}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if body is not None and not isinstance(body, str):
            body = json.dumps(body)
        with contextlib.closing(connection):
            connection.request(method, path, body=body, headers=headers)
            answer = connection.getresponse()
            data = answer.read()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, json.loads(data) if data else None
