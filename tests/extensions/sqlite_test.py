#!/usr/bin/env python3
"""The SQLite extension, loaded as a library: the answers of the program for all vectors, golden output,
and one order for several processes that write one file.

    sqlite_test.py PROGRAM TESSERA.SO [NAME...]
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import agreement
import golden
from databases import Sqlite, SqlError

LIBRARY = None


class Agreement(unittest.TestCase):
    """Whatever the text, the database says what the program says."""

    @classmethod
    def setUpClass(cls):
        cls.texts = agreement.texts()
        cls.db = Sqlite(LIBRARY)
        cls.db.rows("CREATE TABLE t(n INTEGER PRIMARY KEY, text TEXT)")
        for number, text in enumerate(cls.texts):
            cls.db.rows("INSERT INTO t VALUES (?1, CAST(?2 AS TEXT))", number, text)

    @classmethod
    def tearDownClass(cls):
        cls.db.connection.close()

    def answers(self, expression, places=None):
        rows = self.db.rows(f"SELECT n, {expression} FROM t ORDER BY n")
        self.assertEqual(len(rows), len(self.texts))
        return [answer for n, answer in rows if places is None or n in places]

    def agree(self, got, expected, texts=None):
        self.assertEqual(agreement.differences(texts or self.texts, got, expected), [])

    def test_there_is_enough_to_ask(self):
        self.assertGreater(len(self.texts), 3000)

    def test_check(self):
        for kind in agreement.KINDS:
            with self.subTest(kind):
                self.agree(self.answers(f"tessera_check(text, '{kind}')"), agreement.codes(self.texts, "--as", kind))
                self.agree(self.answers(f"tessera_check(text, '{kind}', 'strict')"),
                           agreement.codes(self.texts, "--as", kind, "--strict"))
        for prefix in agreement.PREFIXES:
            for style in ("ulid", "typeid", "base36", "checked"):
                with self.subTest(prefix, style=style):
                    self.agree(self.answers(f"tessera_check(text, '{prefix}:{style}')"),
                               agreement.codes_of_prefix(self.texts, prefix, "--style", style))

    def test_check_of_anything(self):
        without_nul = [i for i, text in enumerate(self.texts) if b"\0" not in text]
        texts = [self.texts[i] for i in without_nul]
        self.agree(self.answers("tessera_check(text)", set(without_nul)), agreement.codes(texts), texts)

    def test_inspect(self):
        expected = agreement.inspections(self.texts)
        got = self.answers("tessera_inspect(text)", set(expected))
        self.agree([agreement.without_moment(answer) for answer in got], list(expected.values()),
                   [self.texts[place] for place in expected])

    def test_time(self):
        for kind in ("ulid", "uuid", "uuidv7", "objectid", "ksuid", "snowflake", "typeid"):
            good = [i for i, code in enumerate(agreement.codes(self.texts, "--as", kind, "--strict")) if code == "valid"]
            self.assertGreater(len(good), 20)
            texts = [self.texts[i] for i in good]
            rows = [self.db.rows("SELECT tessera_time(CAST(?1 AS TEXT), ?2)", text, kind)[0][0] for text in texts]
            self.agree(rows, agreement.times(texts, kind), texts)

    def test_convert(self):
        texts = self.texts[::6]  # a call for each, since one that is refused would end a statement for all
        for kind in agreement.FROM:
            for form in agreement.FORMS:
                expected = agreement.conversions(texts, form, kind)
                with self.subTest(kind, form=form):
                    got = []
                    for text in texts:
                        try:
                            got += self.db.rows("SELECT tessera_convert(CAST(?1 AS TEXT), ?2, ?3)", text, form, kind)[0]
                        except SqlError:
                            got.append(None)
                    self.agree(got, expected, texts)

    def test_bytes_and_back(self):
        for kind in ("ulid", "uuid", "objectid", "ksuid"):
            good = [i for i, code in enumerate(agreement.codes(self.texts, "--as", kind, "--strict")) if code == "valid"]
            texts = [self.texts[i] for i in good]
            expected = agreement.conversions(texts, "hex", kind)
            rows = [self.db.rows(f"SELECT lower(hex(tessera_{kind}_bytes(?1))), tessera_{kind}_text(tessera_{kind}_bytes(?1))",
                                 text.decode())[0] for text in texts]
            self.agree([row[0] for row in rows], expected, texts)
            self.agree([row[1].lower() for row in rows], [text.decode().lower() for text in texts], texts)


class Golden(unittest.TestCase):
    def test_output_is_as_written(self):
        with Sqlite(LIBRARY) as db:
            self.assertEqual(*golden.play("sqlite", db))


WRITER = """
import sys
sys.path.insert(0, sys.argv[1])
from databases import Sqlite
with Sqlite(sys.argv[2], sys.argv[3]) as db:
    for i in range(int(sys.argv[4])):
        db.rows("BEGIN IMMEDIATE")
        for _ in range(1 + i % 7):
            db.rows("INSERT INTO t(who) VALUES (?1)", sys.argv[5])
        db.rows("ROLLBACK" if i % 4 == 3 else "COMMIT")
"""


class Processes(unittest.TestCase):
    """Several processes write one file."""

    def test_ordered_and_numbers_have_the_order_of_the_commits(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "test.db")
            with Sqlite(LIBRARY, path) as db:
                db.rows("PRAGMA journal_mode = WAL")
                db.rows("CREATE TABLE t(n INTEGER PRIMARY KEY AUTOINCREMENT, ulid TEXT DEFAULT (tessera_ulid_ordered()),"
                        " uuid BLOB DEFAULT (tessera_uuid7_ordered_bytes()),"
                        " number INTEGER DEFAULT (tessera_next_long('t')), who TEXT)")
            here = str(pathlib.Path(__file__).parent)
            writers = [subprocess.Popen([sys.executable, "-c", WRITER, here, LIBRARY, path, "60", str(i)])
                       for i in range(4)]
            self.assertEqual([writer.wait() for writer in writers], [0] * 4)
            with Sqlite(LIBRARY, path) as db:
                self.assertGreater(db.rows("SELECT count(*) FROM t")[0][0], 500)
                self.assertGreater(db.rows("SELECT count(DISTINCT who) FROM t")[0][0], 1)
                self.assertEqual(db.rows(
                    "SELECT count(*) FROM (SELECT ulid <= lag(ulid) OVER w OR uuid <= lag(uuid) OVER w"
                    " OR number <= lag(number) OVER w AS bad FROM t WINDOW w AS (ORDER BY n)) WHERE bad")[0][0], 0)

    def test_a_killed_writer_leaves_order_and_file_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "test.db")
            with Sqlite(LIBRARY, path) as db:
                db.rows("CREATE TABLE t(n INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB DEFAULT (tessera_ulid_ordered_bytes()), who TEXT)")
                here = str(pathlib.Path(__file__).parent)
                for round_number in range(3):
                    before = db.rows("SELECT count(*) FROM t")[0][0]
                    writer = subprocess.Popen([sys.executable, "-c", WRITER, here, LIBRARY, path, "1000000", "x"])
                    while db.rows("SELECT count(*) FROM t")[0][0] < before + 20:
                        self.assertIsNone(writer.poll())
                    writer.kill()
                    writer.wait()
                    db.rows("INSERT INTO t(who) VALUES ('y')")
                self.assertEqual(db.rows("SELECT count(*) FROM (SELECT id <= lag(id) OVER (ORDER BY n) AS bad FROM t) WHERE bad")[0][0], 0)
                self.assertEqual(db.rows("PRAGMA integrity_check")[0][0], "ok")


if __name__ == "__main__":
    agreement.program.PROGRAM, LIBRARY = sys.argv[1], sys.argv[2]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
