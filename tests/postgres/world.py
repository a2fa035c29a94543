"""PostgreSQL servers with the extension in them, in a temporary folder.

    with world.World(BUILD) as w:          installs the extension into a copy of PostgreSQL
        server = w.server("primary")       initdb, start
        with server.connect() as c: ...

PostgreSQL finds its libraries and scripts by the place of its own program. So the tests need not write
into /usr: they take a folder with copies of the programs, links to all that belongs to them, and what
`cmake --install --component postgresql` puts beside.
"""
import contextlib
import os
import pathlib
import pwd
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import wire

PROGRAMS = ("postgres", "initdb", "pg_ctl", "pg_basebackup", "pg_controldata", "pg_dump", "pg_restore", "psql")
WAIT_S = 120  # for what takes a second


def free_port():
    """Below those that the kernel gives to clients."""
    while True:
        port = random.SystemRandom().randrange(10_000, 32_000)
        with socket.socket() as taken:
            try:
                taken.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def wait_for(what, condition):
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError(f"waited {WAIT_S} s in vain for {what}")


class World:
    def __init__(self, build, preload=()):
        """`preload`: libraries for the dynamic loader of every server, such as that of AddressSanitizer."""
        self.build = pathlib.Path(build)
        self.preload = list(preload)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-pg-"))
        self.servers = []
        self.template = None
        self.account = None
        if os.geteuid() == 0:  # which the server refuses to be
            self.account = pwd.getpwnam("postgres")
        try:
            self._install()
        except BaseException:
            self.__exit__()
            raise

    def _install(self):
        cache = (self.build / "CMakeCache.txt").read_text()
        config = next(line.split("=", 1)[1] for line in cache.splitlines() if line.startswith("PG_CONFIG:"))
        ask = lambda what: pathlib.Path(subprocess.check_output([config, what], text=True).strip())  # noqa: E731
        real_bin, real_lib, real_share = ask("--bindir"), ask("--pkglibdir"), ask("--sharedir")
        self.regress = ask("--pgxs").parent.parent / "test" / "regress" / "pg_regress"
        self.bin = self._below(real_bin)
        self.lib, share = self._below(real_lib), self._below(real_share)
        for folder in (self.bin, self.lib, share / "extension"):
            folder.mkdir(parents=True)
        for name in PROGRAMS:
            shutil.copy(real_bin / name, self.bin / name)
        for real, mine in ((real_lib, self.lib), (real_share, share), (real_share / "extension", share / "extension")):
            for entry in real.iterdir():
                if not entry.name.startswith("tessera") and entry.name != "extension":  # not one that is installed here
                    (mine / entry.name).symlink_to(entry)
        subprocess.run(["cmake", "--install", self.build, "--component", "postgresql"], check=True,
                       env={**os.environ, "DESTDIR": str(self.folder)}, stdout=subprocess.DEVNULL)
        for module in self.build.glob("tests/postgres/tessera_*.so"):
            shutil.copy(module, self.lib)
        if self.preload:
            self.preload.append(str(self.lib / "tessera_no_translations.so"))
        subprocess.run(["chmod", "-R", "a+rX", self.folder], check=True)
        if self.account:
            os.chown(self.folder, self.account.pw_uid, self.account.pw_gid)

    def _below(self, path):
        return self.folder / path.relative_to("/")

    def run(self, *command, **options):
        """A program of PostgreSQL, as the account that owns the servers."""
        options.setdefault("check", True)
        options.setdefault("capture_output", True)
        options.setdefault("text", True)
        if self.account:
            options.update(user=self.account.pw_uid, group=self.account.pw_gid, extra_groups=[])
        try:
            return subprocess.run([str(word) for word in command], cwd="/", timeout=600, **options)
        except subprocess.CalledProcessError as failed:
            raise AssertionError(f"{command}: {failed.stdout}\n{failed.stderr}") from failed

    def server(self, name, settings=(), data_from=None):
        server = Server(self, name, settings, data_from)
        self.servers.append(server)
        server.start()
        return server

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for server in self.servers:
            server.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Server:
    def __init__(self, world, name, settings, data_from):
        self.world, self.name, self.settings = world, name, dict(settings)
        self.data = world.folder / name
        self.port = free_port()
        self.process = None
        self.clock = None  # such as "-60s"; or a file that says so, and may be changed
        if data_from:
            world.run(world.bin / "pg_basebackup", "-D", self.data, "-h", world.folder, "-p", data_from.port, "-U",
                      "root", "-R", "-c", "fast")
        else:
            if world.template is None:
                world.template = world.folder / "template"
                world.run(world.bin / "initdb", "-D", world.template, "-U", "root", "--auth=trust", "--no-sync", "-E", "UTF8",
                          "--locale=C")
            world.run("cp", "-a", world.template, self.data)

    def start(self):
        defaults = {"listen_addresses": "", "unix_socket_directories": self.world.folder, "shared_buffers": "32MB",
                    "max_connections": 60, "autovacuum": "off", "jit": "off",
                    "fsync": "off"}  # processes die here, not machines: what the kernel was given stays
        # It ends with us, also if we are killed.
        words = ["setpriv", "--pdeathsig", "QUIT", self.world.bin / "postgres", "-D", self.data, "-p", self.port]
        for name, value in {**defaults, **self.settings}.items():
            words += ["-c", f"{name}={value}"]
        environment = dict(os.environ)
        preload = list(self.world.preload)
        if self.clock:
            preload.append(faketime_library())
            name = "FAKETIME_TIMESTAMP_FILE" if isinstance(self.clock, pathlib.Path) else "FAKETIME"
            environment.update({name: str(self.clock)}, FAKETIME_DONT_FAKE_MONOTONIC="1", FAKETIME_NO_CACHE="1")
        if preload:
            environment["LD_PRELOAD"] = ":".join(preload)
            environment["ASAN_OPTIONS"] = f"detect_leaks=0:abort_on_error=1:log_path={self.world.folder}/asan"
            environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
        options = {}
        if self.world.account:
            options.update(user=self.world.account.pw_uid, group=self.world.account.pw_gid, extra_groups=[])
        with open(self.world.folder / f"{self.name}.log", "ab") as log:
            self.process = subprocess.Popen([str(word) for word in words], cwd="/", stdout=log, stderr=log,
                                            stdin=subprocess.DEVNULL, env=environment, start_new_session=True, **options)
        wait_for(f"{self.name} to answer", self._answers)

    def _answers(self):
        if self.process.poll() is not None:
            raise AssertionError(f"the server has ended:\n{self.log()}")
        try:
            self.connect().close()
            return True
        except (OSError, wire.Error, wire.Gone):
            return False

    def log(self):
        return (self.world.folder / f"{self.name}.log").read_text(errors="replace")

    def connect(self, database="postgres", user="root", **settings):
        return wire.connect(self.world.folder, self.port, database, user, settings)

    def children(self):
        pid = self.process.pid
        with contextlib.suppress(OSError):
            return [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        return []

    def kill(self):
        """As a power cut of the processes: nothing is flushed."""
        if self.process is None or self.process.poll() is not None:
            return
        os.kill(self.process.pid, signal.SIGSTOP)  # or it would make more children
        children = self.children()
        os.kill(self.process.pid, signal.SIGKILL)
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        self.process.wait()
        wait_for("children to end", lambda: not any(_runs(child) for child in children))

    def stop(self, how=signal.SIGINT):
        os.kill(self.process.pid, how)
        self.process.wait(WAIT_S)

    def psql(self, *words, database="postgres"):
        return self.world.run(self.world.bin / "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", self.world.folder, "-p",
                              self.port, "-U", "root", "-d", database, *words).stdout


def _runs(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def faketime_library():
    found = sorted(pathlib.Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
    if not found:
        raise AssertionError("no libfaketime; tools/install-deps test installs it")
    return str(found[0])
