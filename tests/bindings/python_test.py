#!/usr/bin/env python3
"""The package for Python, installed from its wheel: the answers of the program, values as Python has them,
threads, forks, and every example of its README.

    python_test.py PROGRAM FOLDER_WITH_THE_WHEEL
"""
import base64
import csv
import datetime
import doctest
import hashlib
import io
import os
import pathlib
import pickle
import re
import subprocess
import sys
import tempfile
import threading
import unittest
import uuid
import zipfile

import questions

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = HERE.parents[1] / "bindings/python"
WHEEL = None
SITE = tempfile.TemporaryDirectory(prefix="tessera-python.")
ULID = "01ARYZ6S41TSV4RRFFQ69G5FAV"


def install():
    """As pip does: the wheel unpacked into a folder of the path."""
    with zipfile.ZipFile(WHEEL) as wheel:
        wheel.extractall(SITE.name)
    sys.path.insert(0, SITE.name)


class Wheel(unittest.TestCase):
    def test_is_what_it_says(self):
        name, version, python, abi, platform = WHEEL.stem.split("-")
        self.assertEqual((name, python, abi), ("tessera_id", "py3", "none"))
        with zipfile.ZipFile(WHEEL) as wheel:
            self.assertIsNone(wheel.testzip())
            info = f"{name}-{version}.dist-info"
            rows = list(csv.reader(io.StringIO(wheel.read(f"{info}/RECORD").decode())))
            self.assertEqual(sorted(row[0] for row in rows), sorted(wheel.namelist()))
            for path, digest, size in rows:
                if path.endswith("/RECORD"):
                    self.assertEqual((digest, size), ("", ""))
                    continue
                data = wheel.read(path)
                made = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
                self.assertEqual((digest, size), (f"sha256={made}", str(len(data))))
            self.assertIn(f"Tag: py3-none-{platform}\n", wheel.read(f"{info}/WHEEL").decode())
            self.assertIn(f"\nVersion: {version}\n", wheel.read(f"{info}/METADATA").decode())
            self.assertIn("tessera/py.typed", wheel.namelist())
        self.assertEqual(version, (HERE.parents[1] / "VERSION").read_text().split()[0])

    def test_is_made_alike_each_time(self):
        with zipfile.ZipFile(WHEEL) as wheel, tempfile.TemporaryDirectory() as out:
            library = pathlib.Path(out, "libtessera.so.0")
            library.write_bytes(wheel.read("tessera/libtessera.so.0"))
            made = subprocess.run([sys.executable, PACKAGE / "wheel_tool.py", library, WHEEL.stem.split("-")[1], out],
                                  capture_output=True, text=True, check=True).stdout.strip()
            self.assertEqual(pathlib.Path(made).name, WHEEL.name)
            self.assertEqual(pathlib.Path(made).read_bytes(), WHEEL.read_bytes())

    def test_pip_takes_it(self):
        with tempfile.TemporaryDirectory() as out:
            subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-cache-dir",
                            "--disable-pip-version-check", "--root-user-action=ignore", "--target", out, WHEEL],
                           check=True, capture_output=True, text=True)
            said = subprocess.run([sys.executable, "-c", "import tessera; print(tessera.__file__, tessera.ulid())"],
                                  env={**os.environ, "PYTHONPATH": out}, check=True, capture_output=True, text=True)
            self.assertTrue(said.stdout.startswith(out), said.stdout)

    def test_library_is_the_one_of_the_list_and_needs_the_c_library_only(self):
        library = pathlib.Path(SITE.name, "tessera/libtessera.so.0")
        for tool in ("check_abi.py", "check_needed.py"):
            said = subprocess.run([sys.executable, HERE.parents[1] / "tools" / tool, library], capture_output=True, text=True)
            self.assertEqual(said.returncode, 0, said.stdout + said.stderr)


class Agreement(unittest.TestCase):
    """Whatever the text, the package says what the program says."""

    @staticmethod
    def answer(name, arguments, text):
        try:
            if name == "check":
                tessera.check(text, arguments["what"], strict=arguments["strict"], now=arguments.get("now"))
                return ["valid"]
            if name == "inspect":
                return tessera.inspect_json(text, now=arguments["now"])
            if name == "convert":
                return tessera.convert(text, arguments["to"], source=arguments["from"], now=arguments["now"])
            return tessera.time_ms_of(text, arguments["what"])
        except tessera.ParseError as error:
            return [error.code, error.offset] if name == "check" else [error.code]

    def test_on_all_vectors(self):
        asked = 0
        for question, expected in questions.all_of():
            name, arguments, texts = question
            got = [self.answer(name, arguments, text) for text in texts]
            with self.subTest(name=name, **arguments):
                self.assertEqual(questions.differences(question, got, expected), [])
            asked += len(texts)
        self.assertGreater(asked, 100_000)

    def test_on_ranges_and_odds(self):
        for (what, start, end), expected in questions.ranges():
            got = tessera.id_range(what, start, end)
            if what.startswith("snowflake"):
                got = (str(int(text)) for text in got)
            self.assertEqual(list(got), expected, what)
        for question, expected in questions.odds():
            self.assertEqual(vars(tessera.odds(**question)), expected)

    def test_on_what_is_made(self):
        kinds = ["ulid", "uuidv1", "uuidv4", "uuidv6", "uuidv7", "uuidv8", "objectid", "ksuid", "random", "typeid"]
        for kind in kinds:
            made = tessera.new_many(kind, 50)
            self.assertEqual(len(set(made)), 50)
            self.assertEqual(questions.checks([text.encode() for text in made], "--as", kind, "--strict"), [["valid"]] * 50)
        for style in ("ulid", "typeid", "base36", "checked"):
            order = tessera.PublicId("ord", style)
            made = [order.new().encode() for _ in range(50)]
            self.assertEqual(questions.checks(made, "--prefix", "ord", "--style", style), [["valid"]] * 50)
        for bits in (16, 60, 120, 512):
            for check in (1, 2, 3):
                text = tessera.random_id(bits, check).encode()
                self.assertEqual(questions.checks([text], "--as", "random", "--bits", str(bits), "--check", str(check)),
                                 [["valid"]])
                digits, symbols = text[:-check], text[-check:].decode()
                self.assertEqual(tessera.check_symbols(digits, bits=bits, count=check), symbols)

    def test_on_names(self):
        for row in questions.program.table("oracle-uuid-v3-v5.tsv"):
            space, name = uuid.UUID(row["namespace_uuid"]), bytes.fromhex(row["name_utf8_hex"])
            self.assertEqual(str(tessera.uuid_from_name(3, space, name)), row["v3"])
            self.assertEqual(str(tessera.uuid_from_name(5, space, name)), row["v5"])


class Values(unittest.TestCase):
    def test_ulids_are_values(self):
        first, second = tessera.ulid(), tessera.ulid()
        self.assertLess(first, second)
        self.assertGreaterEqual(second, first)
        self.assertLess(str(first), str(second))
        again = tessera.Ulid(str(first))
        self.assertEqual(first, again)
        self.assertEqual(len({first, again, second}), 2)
        self.assertEqual(pickle.loads(pickle.dumps(first)), first)
        self.assertEqual(tessera.Ulid.from_uuid(first.uuid), first)
        self.assertEqual(bytes(first), first.bytes)
        self.assertEqual(int(first), first.uuid.int)
        self.assertNotEqual(first, str(first))
        self.assertEqual(eval(repr(first), {"Ulid": tessera.Ulid}), first)
        with self.assertRaises(TypeError):
            first < str(second)
        with self.assertRaises(AttributeError):
            first._bytes = second.bytes
        with self.assertRaises(ValueError):
            tessera.Ulid.from_bytes(b"short")

    def test_time(self):
        moment = datetime.datetime(2016, 7, 30, 22, 36, 16, 385000, tzinfo=datetime.timezone.utc)
        self.assertEqual(tessera.Ulid(ULID).time, moment)
        self.assertEqual(tessera.time_of(f"ord_{ULID}"), moment)
        smallest, largest = tessera.Ulid.range(moment, moment + datetime.timedelta(milliseconds=1))
        self.assertTrue(smallest < tessera.Ulid(ULID) < largest)
        self.assertEqual((smallest.time, largest.time), (moment, moment))
        with self.assertRaises(ValueError):
            tessera.Ulid.range(datetime.datetime(2026, 1, 1), datetime.datetime(2026, 1, 2))
        with self.assertRaises(ValueError):
            tessera.id_range("ulid", -1, 5)

    def test_errors_say_what_and_where(self):
        with self.assertRaises(tessera.ParseError) as caught:
            tessera.Ulid(ULID[:-1] + "U")
        error = caught.exception
        self.assertIsInstance(error, ValueError)
        self.assertEqual((error.code, error.offset, error.phrase), ("invalid_character", 25, "bad character"))
        self.assertTrue(error.hint)
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((again.code, again.offset, str(again)), (error.code, error.offset, str(error)))
        for wrong in (lambda: tessera.check("x", "No Kind!"), lambda: tessera.new("uuidv5"), lambda: tessera.odds(bits=5),
                      lambda: tessera.random_id(513), lambda: tessera.convert(ULID, "no form"),
                      lambda: tessera.inspect(ULID, "no kind"), lambda: tessera.Snowflakes("no layout", 1)):
            with self.assertRaises(tessera.UsageError):
                wrong()
        with self.assertRaises(tessera.ParseError):
            tessera.PublicId("Not A Prefix")
        with self.assertRaises(ValueError):
            tessera.PublicId("ord", "no style")

    def test_no_text_can_harm(self):
        for text in ("", "\0", "\ud800", "é" * 26, "0" * (1 << 20), b"\xff" * 26, ULID + "\0"):
            for what in ("ulid", "uuid", "snowflake", "random", "ord:checked", "typeid", "name", ""):
                self.assertFalse(tessera.is_valid(text, what) and what not in ("snowflake", "random", "name", ""), (text, what))
        with self.assertRaises(tessera.ParseError):
            tessera.inspect("x" * 65537)
        self.assertEqual(tessera.inspect("\x01" * 65536)["valid"], False)
        self.assertEqual(tessera.inspect("é")["input"], "é")

    def test_public_types(self):
        order = tessera.PublicId("ord")
        self.assertEqual(order, tessera.PublicId("ord", "ulid"))
        self.assertEqual(len({order, tessera.PublicId("ord"), tessera.PublicId("ord", "checked")}), 2)
        with self.assertRaises(tessera.ParseError) as caught:
            order.parse(f"usr_{ULID}")
        self.assertEqual(caught.exception.code, "prefix_mismatch")
        self.assertIsInstance(tessera.PublicId("usr", "typeid").parse(tessera.PublicId("usr", "typeid").new()), uuid.UUID)
        low, high = order.range(1767225600000, 1767312000000)
        self.assertTrue(low < high and low.startswith("ord_"))


class Processes(unittest.TestCase):
    def test_threads_make_different_ids_each_in_order(self):
        made = [None] * 8

        def work(i):
            made[i] = [tessera.ulid() for _ in range(2000)] + tessera.Ulid.many(3000)
        threads = [threading.Thread(target=work, args=(i,)) for i in range(len(made))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for ids in made:
            self.assertTrue(all(a < b for a, b in zip(ids, ids[1:])))
        self.assertEqual(len({one for ids in made for one in ids}), 8 * 5000)

    def test_threads_share_a_snowflake_generator(self):
        flakes, made = tessera.Snowflakes("twitter", 7), []

        def work():
            made.extend([next(flakes) for _ in range(500)])
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(made)), 2000)
        self.assertTrue(all(number >> 12 & 1023 == 7 for number in made))

    def test_forked_children_go_on_with_other_ids(self):
        flakes = tessera.Snowflakes("twitter", 7)
        before = [tessera.ulid() for _ in range(10)]
        readers = []
        for _ in range(4):
            reader, writer = os.pipe()
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    ids = [str(tessera.ulid()) for _ in range(500)] + tessera.new_many("uuidv4", 100) + [tessera.random_id(60)]
                    try:
                        next(flakes)
                    except tessera.MintError as error:
                        ids.append(error.code)
                    with os.fdopen(writer, "w") as pipe:
                        pipe.write("\n".join(ids))
                    status = 0
                finally:
                    os._exit(status)
            os.close(writer)
            readers.append((child, reader))
        mine = [str(tessera.ulid()) for _ in range(500)]
        seen = set(mine) | {str(one) for one in before}
        for child, reader in readers:
            with os.fdopen(reader) as pipe:
                lines = pipe.read().split("\n")
            self.assertEqual(os.waitpid(child, 0)[1], 0)
            self.assertEqual(lines.pop(), "forked")
            self.assertEqual(len(lines), 601)
            self.assertEqual(seen & set(lines), set())
            seen |= set(lines)
            self.assertLess(str(before[-1]), lines[0])


class Examples(unittest.TestCase):
    def test_readme(self):
        page = (PACKAGE / "README.md").read_text()
        blocks = re.findall(r"^```python\n(.*?)^```", page, re.S | re.M)
        test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "README.md", "README.md", 0)
        failed, tried = doctest.DocTestRunner().run(test)
        self.assertEqual(failed, 0)
        self.assertGreater(tried, 15)


if __name__ == "__main__":
    questions.program.PROGRAM = os.path.abspath(sys.argv.pop(1))
    (WHEEL,) = pathlib.Path(sys.argv.pop(1)).glob("*.whl")
    install()
    import tessera
    unittest.main()
