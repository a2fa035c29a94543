#!/usr/bin/env python3
"""Whatever is fed to the program, it answers: no crash, no hang, no memory that grows with the
input, and nothing of the input reaches a terminal raw.

    garbage_test.py PROGRAM [--sanitized]

With --sanitized the bound on memory is not checked: a sanitizer needs its own.
"""
import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import threading
import unittest

PROGRAM = None
SANITIZED = False
SECONDS_MAX = 60
MEMORY_MAX = 64 * 1024 * 1024
SEED = 20261115

# Every way to read IDs, in every kind of output that is text.
READERS = [
    ["inspect"],
    ["inspect", "--output", "card"],
    ["inspect", "--json"],
    ["inspect", "--as", "uuid"],
    ["check"],
    ["check", "--json"],
    ["check", "--summary"],
    ["check", "--summary", "--json"],
    ["check", "--as", "ulid"],
    ["check", "--as", "ulid", "--strict"],
    ["check", "--as", "uuid", "--json"],
    ["check", "--as", "uuidv7"],
    ["check", "--as", "random"],
    ["check", "--as", "random", "--check", "3", "--json"],
    ["check", "--as", "public"],
    ["check", "--as", "public", "--prefix", "ord", "--style", "checked"],
    ["check", "--as", "typeid"],
    ["check", "--as", "objectid"],
    ["check", "--as", "ksuid"],
    ["check", "--as", "snowflake"],
    ["check", "--as", "name", "--json"],
    ["convert", "--to", "hex"],
    ["convert", "--to", "uuid", "--json"],
    ["convert", "--to", "base62", "--from", "uuid"],
    ["convert", "--to", "hex", "--from", "base58"],
    ["convert", "--to", "uuid", "--from", "crockford"],
    ["convert", "--to", "hex", "--from", "bytes"],
    ["name", "check"],
    ["name", "check", "--json"],
    ["name", "parse"],
    ["name", "parse", "--json"],
]
FRAMES = [[], ["--null"], ["--column", "2"]]


def bound():
    """In the child: more than that and it dies. (What getrusage says would be the parent's.) Its own
    time is bounded, not that of a clock: others may use the machine too."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS_MAX, SECONDS_MAX))
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MAX, MEMORY_MAX))


class Answer:
    """What one run printed, and what it took."""

    def __init__(self, arguments, stdin, cwd):
        process = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, cwd=cwd, env=ENVIRONMENT, preexec_fn=bound)
        feeder = threading.Thread(target=self._feed, args=(process.stdin, stdin))
        feeder.start()
        errors = []
        drain = threading.Thread(target=lambda: errors.append(process.stderr.read()))
        drain.start()
        self.stdout = process.stdout.read()
        drain.join()
        feeder.join()
        self.exit = process.wait()
        self.stderr = errors[0]
        process.stdout.close()
        process.stderr.close()

    @staticmethod
    def _feed(pipe, data):
        try:
            for block in data if not isinstance(data, bytes) else [data]:
                pipe.write(block)
            pipe.close()
        except BrokenPipeError:
            pass


ENVIRONMENT = {"PATH": os.environ["PATH"], "TZ": "UTC", "LC_ALL": "C.UTF-8",
               **{name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}}


def unsafe(text):
    """The first byte or character that a terminal would obey; None if there is none."""
    try:
        decoded = text.decode()
    except UnicodeDecodeError as error:
        return f"no UTF-8: {error}"
    for at, c in enumerate(decoded):
        code = ord(c)
        if (code < 0x20 and c not in "\n\t") or 0x7F <= code < 0xA0 or 0x202A <= code <= 0x202E:
            return f"{c!r} at {at}: {decoded[max(0, at - 20):at + 20]!r}"
    return None


class Garbage(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.random = random.Random(SEED)

    def check(self, arguments, stdin=b"", exits=(0, 1, 2, 3)):
        answer = Answer(arguments, stdin, self.folder)
        with self.subTest(arguments=[a if len(a) < 80 else a[:80] + b"..." if isinstance(a, bytes) else a[:80]
                                     for a in arguments]):
            self.assertIn(answer.exit, exits, answer.stderr[-2000:])
            stdout = answer.stdout
            if arguments[0] == "convert" and "--null" in arguments:
                stdout = stdout.replace(b"\0", b"\n")
            self.assertIsNone(unsafe(stdout), "stdout")
            self.assertIsNone(unsafe(answer.stderr), "stderr")
            self.assertNotIn(b"terminate called", answer.stderr)
            if "--json" in arguments and answer.exit in (0, 1):
                for line in answer.stdout.splitlines():
                    self.assertIsInstance(json.loads(line), dict)
        return answer

    def everywhere(self, data, readers=None, frames=None):
        for reader in READERS if readers is None else readers:
            for frame in FRAMES if frames is None else frames:
                if frame and "bytes" in reader:
                    continue
                self.check(reader + frame, data)

    def test_random_bytes(self):
        self.everywhere(self.random.randbytes(50_000))

    def test_lines_of_random_printable_text(self):
        alphabet = "".join(map(chr, range(0x20, 0x7F)))
        lines = ["".join(self.random.choices(alphabet, k=self.random.randrange(60))) for _ in range(300)]
        self.everywhere("\n".join(lines).encode(), frames=[[]])

    def test_good_ids_with_one_byte_changed(self):
        ids = ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "KFV1B65P8Q3CMC",
               "user_01h455vb4pex5vsknk084sn02q", "1HCpXwx2EK9oYluWbacgeCnFcLf", "56e1fc72e0c917e9c4714161",
               "175928847299117063", "books/1/pages/2", "acct_03e6wlko0bp8e7c9916hklbnd"]
        lines = []
        for _ in range(200):
            line = bytearray(self.random.choice(ids).encode())
            line[self.random.randrange(len(line))] = self.random.randrange(256)
            lines.append(bytes(line))
        self.everywhere(b"\n".join(lines), frames=[[], ["--null"]])

    def test_what_terminals_obey(self):
        nasty = [b"\x1b[31mred\x1b[0m", b"\x1b]0;title\x07", b"\x1b]8;;http://x\x1b\\link", b"\x9b31m",
                 b"\xc2\x9b31m", b"a\rb", b"a\x08b", b"\x00", b"\x7f", "\u202eabc".encode(), "\u2028".encode(),
                 b"\xff\xfe", b"\xed\xa0\x80", b"\xc0\xaf", b"\x1b[2J\x1b[H", b"\x1bP$q\x1b\\", b"%n%s%x",
                 b"$(reboot)", b"';drop table ids;--", b"\x0b\x0c", b"\x1b", b"01ARZ3NDEKTSV4RRFFQ69G5FA\x1b"]
        self.everywhere(b"\n".join(nasty) + b"\n")
        for reader in READERS:
            self.check(reader + ["--", *(text for text in nasty if b"\0" not in text)])

    def test_they_are_shown_as_escapes(self):
        answer = self.check(["check", "--as", "ulid", "--", b"\x1b[31m\xff"])
        self.assertIn(rb"\x1b[31m\xff", answer.stdout)
        answer = self.check(["inspect", "--", b"\x1b[31m\xff"])
        self.assertIn(rb"\x1b[31m\xff", answer.stdout)

    def test_in_every_other_place_of_a_command_line(self):
        nasty = b"\x1b[31m\xff\x07"
        for arguments in ([nasty], ["new", nasty], ["new", "ulid", nasty], ["new", "ulid", b"--" + nasty],
                          ["new", "ulid", b"-" + nasty], ["new", "ulid", "--at", nasty],
                          ["new", "ulid", "--form", nasty], ["new", "ulid", "-n", nasty],
                          ["new", "public", "--prefix", nasty], ["new", "public", "--type", nasty],
                          ["new", "uuidv5", "--namespace", nasty, "--name", "x"],
                          ["new", "uuidv8", "--data", nasty], ["new", "snowflake", "--machine", nasty],
                          ["inspect", "--as", nasty, "x"], ["inspect", "--file", nasty],
                          ["inspect", "--now", nasty, "x"], ["inspect", "--config", nasty, "x"],
                          ["check", "--as", nasty, "x"], ["check", "--file", nasty],
                          ["check", "--prefix", nasty, "x"], ["convert", "--to", nasty, "x"],
                          ["convert", "--to", "typeid", "--prefix", nasty, "x"],
                          ["range", "ulid", nasty, "now"], ["range", nasty, "-1d", "now"],
                          ["range", "ulid", "-1d", "now", "--sql", nasty], ["odds", "--bits", nasty],
                          ["odds", "--bits", "1", "--count", nasty], ["name", nasty], ["name", "new", nasty],
                          ["name", "new", "a", nasty], ["config", nasty], ["config", "check", nasty],
                          ["help", nasty], ["manual", nasty], ["completions", nasty]):
            self.check(arguments, exits=(1, 2, 3))

    def test_in_a_file_and_in_its_name(self):
        name = pathlib.Path(os.fsdecode(os.path.join(os.fsencode(self.folder), b"a\x1b[31m\xff.txt")))
        name.write_bytes(b"x\x1b[32m\n\xff\n")
        for command in ("inspect", "check", "convert"):
            extra = ["--to", "hex"] if command == "convert" else []
            self.check([command, *extra, os.fsencode(name)])
            self.check([command, *extra, "--file", os.fsencode(name)])
        columns = pathlib.Path(self.folder, "columns.csv")
        columns.write_bytes(b"\x1b[31m,\xff\n1,2\n")
        self.check(["check", "--column", "id", str(columns)], exits=(2,))
        config = pathlib.Path(self.folder, "tessera.yaml")
        config.write_bytes(b"types: {\x1b[31m: \xff}\n")
        self.check(["config", "check", str(config)], exits=(1,))
        self.check(["inspect", "x"], exits=(2,))

    def test_lines_of_a_megabyte_and_of_ten(self):
        for size in (1_000_000, 1_048_576, 1_048_577, 10_000_000):
            for byte in (b"a", b"\x1b", b"0", b"-", b"/", b"\xff"):
                data = byte * size + b"\n01ARZ3NDEKTSV4RRFFQ69G5FAV\n"
                everyone = size == 1_000_000 and byte == b"a"
                self.everywhere(data, READERS if everyone else [["inspect", "--json"], ["check"]], frames=[[]])

    def test_a_line_that_is_too_long_is_reported_and_the_next_is_read(self):
        data = b"x" * 10_000_000 + b"\n01ARZ3NDEKTSV4RRFFQ69G5FAV\n"
        answer = self.check(["check", "--as", "ulid", "--json"], data, exits=(1,))
        first, second = map(json.loads, answer.stdout.splitlines())
        self.assertEqual((first["code"], first["line"]), ("line_too_long", 1))
        self.assertEqual((second["valid"], second["line"]), (True, 2))
        answer = self.check(["inspect"], data, exits=(1,))
        self.assertIn(b"line 1: the line is longer than a megabyte", answer.stderr)
        self.assertIn(b"ulid", answer.stdout)
        answer = self.check(["convert", "--from", "ulid", "--to", "hex"], data, exits=(1,))
        self.assertEqual(answer.stdout, b"\n01563e3ab5d3d6764c61efb99302bd5b\n")

    def test_a_hundred_megabytes_cost_no_more_memory_than_one(self):
        block = b"01ARZ3NDEKTSV4RRFFQ69G5FAV\n" * 10_000
        blocks = 100 if SANITIZED else 400
        answer = self.check(["check", "--as", "ulid", "--summary"], [block] * blocks, exits=(0,))
        self.assertEqual(answer.stdout, f"valid\t{blocks * 10_000}\ntotal\t{blocks * 10_000}\n".encode())
        self.check(["check", "--as", "ulid", "--summary"], [b"x" * 1_000_000] * 100, exits=(1,))

    def test_a_huge_argument(self):
        huge = "a" * 120_000  # what Linux allows
        for reader in READERS:
            self.check(reader + [huge])
        self.check([huge], exits=(2,))
        self.check(["new", huge], exits=(2,))
        self.check(["new", "uuidv5", "--namespace", "dns", "--name", huge], exits=(0,))
        self.check(["odds", "--bits", "9" * 100_000, "--count", "1"], exits=(2,))

    def test_many_arguments(self):
        self.check(["check", "--as", "ulid", *["01ARZ3NDEKTSV4RRFFQ69G5FAV"] * 50_000], exits=(0,))

    def test_extreme_numbers(self):
        for number in ("0", "-1", "1e309", "1e-400", "nan", "inf", "-inf", "0x10", "2^2^2^2^2^2^2", "2^-5",
                       "1e6%", "", "^", "%", "9" * 60, "1_", "1,5", "1000", "0.0000001"):
            for flags in (["--bits", number, "--count", "5"], ["--bits", "64", "--count", number],
                          ["--bits", "64", "--probability", number], ["--count", "7", "--probability", number]):
                self.check(["odds", *flags, "--json"], exits=(0, 2))

    def test_extreme_times(self):
        for moment in ("0", "-0d", "+99999999999w", "+100000000d", "99999999999999", "281474976710655",
                       "281474976710656", "9007199254740992", "+10889-08-02", "+275760-09-13", "1969-12-31",
                       "0000-01-01", "-99999999w", "9999-12-31T23:59:59.999Z", "2016-12-31T23:59:60Z"):
            for kind in ("ulid", "uuidv6", "objectid", "ksuid"):
                self.check(["new", kind, "--at", moment], exits=(0, 2))
                self.check(["range", kind, "1970-01-01", moment], exits=(0, 2))
            self.check(["new", "snowflake", "--machine", "1", "--at", moment], exits=(0, 2))
            self.check(["inspect", "--now", moment, "01ARZ3NDEKTSV4RRFFQ69G5FAV"], exits=(0, 1, 2))

    def test_a_reader_that_goes_away_is_no_error(self):
        for arguments in (["new", "ulid", "-n", "10000000"], ["new", "uuidv7", "-n", "10000000", "--json"]):
            process = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            process.stdout.read(100)
            process.stdout.close()
            errors = process.stderr.read()
            process.stderr.close()
            self.assertEqual((process.wait(SECONDS_MAX), errors), (0, b""))

    def test_nothing_is_promised_when_the_answers_could_not_be_written(self):
        # `check | head -1` must not look as if all had been checked.
        data = b"01ARZ3NDEKTSV4RRFFQ69G5FAV\n" * 100_000
        path = pathlib.Path(self.folder, "ids")
        path.write_bytes(data)
        process = subprocess.Popen([PROGRAM, "check", "--as", "ulid", "--file", path], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        process.stdout.read(1)
        process.stdout.close()
        errors = process.stderr.read()
        process.stderr.close()
        self.assertEqual((process.wait(SECONDS_MAX), errors), (3, b""))

    def test_a_full_disk_is_an_error(self):
        for arguments in (["new", "ulid", "-n", "100000"], ["check", "01ARZ3NDEKTSV4RRFFQ69G5FAV"], ["help"],
                          ["completions", "bash"]):
            with open("/dev/full", "wb") as full:
                result = subprocess.run([PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE)
            self.assertEqual(result.returncode, 3, arguments)
            self.assertIn(b"could not write to standard output: No space left on device", result.stderr)

    def test_what_cannot_be_read_is_said_and_the_rest_is_read(self):
        answer = self.check(["check", "--as", "ulid", "--file", "nowhere.txt", "01ARZ3NDEKTSV4RRFFQ69G5FAV"],
                            exits=(3,))
        self.assertIn(b"could not read 'nowhere.txt': No such file or directory", answer.stderr)
        self.assertIn(b"valid\t01ARZ3NDEKTSV4RRFFQ69G5FAV", answer.stdout)
        answer = self.check(["check", "--as", "ulid", "--file", self.folder], exits=(3,))
        self.assertIn(b"Is a directory", answer.stderr)

    def test_closed_standard_streams(self):
        for redirection in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
            result = subprocess.run(["bash", "-c", f'"$0" new ulid {redirection}', PROGRAM],
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS_MAX)
            self.assertIn(result.returncode, (0, 3), redirection)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    if "--sanitized" in sys.argv:
        sys.argv.remove("--sanitized")
        SANITIZED = True
    unittest.main()
