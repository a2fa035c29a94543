"""Databases for tests of what runs inside of them: SQLite with the extension loaded, and servers of
MariaDB and PostgreSQL, each in a temporary folder, on a socket of its own, ended by its pid.

    with Mariadb(library) as server:
        server.lines("SELECT tessera_ulid()")

A program that is not installed is an error: tests are not skipped.
"""
import ctypes
import os
import pathlib
import pwd
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

START_S = 180  # a machine that is busy with other things


class SqlError(Exception):
    """What a database said instead of an answer."""


def die_with_parent():
    """In the child, before it becomes a server: it ends when the test does, however that ends."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def as_text(value):
    """A value as people see it: bytes in hex."""
    if value is None:
        return "NULL"
    return "x'" + value.hex().upper() + "'" if isinstance(value, bytes) else str(value)


class Sqlite:
    """A connection with the extension loaded."""

    def __init__(self, library, path=":memory:", timeout_s=60):
        self.connection = sqlite3.connect(path, timeout=timeout_s, isolation_level=None)
        self.connection.enable_load_extension(True)
        self.connection.load_extension(str(library))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def rows(self, sql, *values):
        try:
            return self.connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise SqlError(str(error)) from None

    def lines(self, sql):
        """Of several statements, the rows of all; fields are separated by a bar."""
        answers, statement = [], ""
        for part in sql.split(";"):
            statement += part + ";"
            if sqlite3.complete_statement(statement):
                if statement.strip(" \n;"):
                    answers += ["|".join(map(as_text, row)) for row in self.rows(statement)]
                statement = ""
        if statement.strip(" \n;"):
            raise SqlError(f"not a whole statement: {statement}")
        return answers


class Server:
    """What MariaDB and PostgreSQL have in common. Subclasses say how to make, start and ask."""

    account = ""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-extension-"))
        self.folder.chmod(0o755)
        self.process = None
        try:
            if os.geteuid() == 0:
                user = pwd.getpwnam(self.account)
                os.chown(self.folder, user.pw_uid, user.pw_gid)
            self.make()
            self.start()
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT if self.account == "postgres" else signal.SIGKILL)
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def as_account(self):
        """Neither server wants to be root."""
        if os.geteuid() != 0:
            return []
        user = pwd.getpwnam(self.account)
        return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]

    def run(self, *command):
        done = subprocess.run([*self.as_account(), *map(str, command)], capture_output=True, text=True, cwd="/",
                              env={**os.environ, "TMPDIR": str(self.folder)})
        if done.returncode != 0:
            raise RuntimeError(f"{command[0]}: {done.stdout}{done.stderr}")

    def start(self):
        with open(self.folder / "server.log", "ab") as log:
            self.process = subprocess.Popen([*self.as_account(), *map(str, self.command())], stdout=log, stderr=log,
                                            stdin=subprocess.DEVNULL, cwd="/", preexec_fn=die_with_parent)
        end = time.monotonic() + START_S
        while time.monotonic() < end and self.process.poll() is None:
            try:
                self.ask("SELECT 1")
                return
            except SqlError:
                time.sleep(0.02)
        raise RuntimeError(f"a server does not start: {(self.folder / 'server.log').read_text()[-3000:]}")

    def stop(self):
        self.process.send_signal(signal.SIGTERM if self.account == "mysql" else signal.SIGINT)
        self.process.wait()

    def ask(self, sql, database=None):
        """Runs statements in one session; what is printed, fields separated by a tab."""
        done = subprocess.run(self.client(database), input=sql.encode(), capture_output=True)
        if done.returncode != 0:
            raise SqlError(done.stderr.decode(errors="replace").strip())
        return done.stdout

    def lines(self, sql, database=None):
        return self.ask(sql, database).decode().splitlines()


class Mariadb(Server):
    account = "mysql"

    def __init__(self, library=None, settings=()):
        self.library, self.settings = library, settings
        super().__init__()
        self.ask("CREATE DATABASE test")
        if library is not None:
            self.ask((pathlib.Path(library).parent / "install.sql").read_text())

    def make(self):
        plugins = self.folder / "plugins"
        plugins.mkdir()
        if self.library is not None:
            shutil.copy(self.library, plugins)
        self.run("mariadb-install-db", "--no-defaults", f"--datadir={self.folder}/data",
                 "--auth-root-authentication-method=normal", "--skip-test-db", "--skip-name-resolve")

    def command(self):
        return [shutil.which("mariadbd") or "/usr/sbin/mariadbd", "--no-defaults", f"--datadir={self.folder}/data",
                "--skip-networking", f"--socket={self.folder}/socket", f"--pid-file={self.folder}/pid",
                f"--tmpdir={self.folder}", f"--plugin-dir={self.folder}/plugins", "--innodb-buffer-pool-size=256M",
                "--innodb-log-file-size=64M", "--character-set-server=utf8mb4", *self.settings]

    def client(self, database):
        return ["mariadb", "--no-defaults", "-S", f"{self.folder}/socket", "-u", "root", "--batch", "--skip-column-names",
                "--raw", "--default-character-set=utf8mb4", database or ("test" if self.has_test() else "mysql")]

    def has_test(self):
        return (self.folder / "data" / "test").is_dir()


class Postgres(Server):
    account = "postgres"

    def programs(self):
        found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: int(p.parent.name))
        if not found:
            raise RuntimeError("no PostgreSQL; tools/install-deps test installs it")
        return found[-1]

    def make(self):
        self.run(self.programs() / "initdb", "-D", self.folder / "data", "-U", "root", "--auth=trust", "--no-sync",
                 "-E", "UTF8", "--locale=C.UTF-8")

    def command(self):
        return [self.programs() / "postgres", "-D", self.folder / "data", "-c", "listen_addresses=", "-c",
                f"unix_socket_directories={self.folder}", "-c", "autovacuum=off", "-c", "jit=off"]

    def client(self, database):
        return [str(self.programs() / "psql"), "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-h",
                str(self.folder), "-U", "root", "-d", database or "postgres"]
