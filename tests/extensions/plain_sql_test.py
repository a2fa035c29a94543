#!/usr/bin/env python3
"""The versions in plain SQL: the answers of the program for all vectors, and what they make is good.

    plain_sql_test.py PROGRAM FOLDER_OF_SCRIPTS [NAME...]
"""
import pathlib
import sys
import unittest

import agreement
from databases import Mariadb, Postgres, SqlError

SCRIPTS = None
KINDS = ["ulid", "uuid", "uuidv4", "uuidv7"]
PREFIXES = ["ord", "user", "acct"]
MADE = 2000


def utf8_texts():
    """PostgreSQL has no text with NUL or broken UTF-8 in it."""
    texts = []
    for text in agreement.texts():
        try:
            if b"\0" not in text and text.decode("utf-8"):
                texts.append(text)
        except UnicodeDecodeError:
            pass
    return texts


class Both:
    """What both servers are asked. Subclasses have `server`, and say how their SQL differs."""

    @classmethod
    def setUpClass(cls):
        cls.texts = utf8_texts()
        cls.server = cls.start()
        values = ",".join(f"({n},{cls.text_of(text)})" for n, text in enumerate(cls.texts))
        cls.server.ask(f"CREATE TABLE texts(n INT PRIMARY KEY, v {cls.text_type});INSERT INTO texts VALUES {values}")

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()

    def answers(self, table, *expressions):
        rows = [line.split("\t") for line in self.server.lines(f"SELECT {','.join(expressions)} FROM {table} ORDER BY n")]
        return [list(column) for column in zip(*rows)]

    def agree(self, got, expected, texts):
        self.assertGreater(len(texts), 10)
        self.assertEqual(agreement.differences(texts, got, expected), [])

    def test_check(self):
        got = self.answers("texts", *(f"tessera_check(v,'{what}')" for what in KINDS + PREFIXES))
        for what, answers in zip(KINDS + PREFIXES, got):
            with self.subTest(what):
                expected = agreement.codes(self.texts, "--as", what, "--strict") if what in KINDS else \
                    agreement.codes_of_prefix(self.texts, what, "--strict")
                self.agree(answers, expected, self.texts)
        with self.assertRaises(SqlError):
            self.server.lines("SELECT tessera_check('x','No')")

    def good(self, kind):
        codes = agreement.codes(self.texts, "--as", kind, "--strict")
        return [text for text, code in zip(self.texts, codes) if code == "valid"]

    def with_table(self, texts):
        values = ",".join(f"({n},{self.text_of(text)})" for n, text in enumerate(texts))
        self.server.ask(f"DROP TABLE IF EXISTS good; CREATE TABLE good(n INT PRIMARY KEY, v {self.text_type});"
                        f"INSERT INTO good VALUES {values}")

    def test_convert(self):
        texts = self.good("ulid")
        self.with_table(texts)
        back, digits, time, public = self.answers(
            "good", f"tessera_ulid_text({self.ulid_read})", self.hex_of(self.ulid_read), f"tessera_time({self.ulid_read})",
            f"{self.public_of}('ord', {self.ulid_read})")
        self.agree(back, [text.decode().upper() for text in texts], texts)
        self.agree(digits, agreement.conversions(texts, "hex", "ulid"), texts)
        self.agree(time, [str(time) for time in agreement.times(texts, "ulid")], texts)
        self.agree(public, ["ord_" + text.decode().upper() for text in texts], texts)

    def test_convert_uuids(self):
        texts = self.good("uuid")
        self.with_table(texts)
        [as_ulid] = self.answers("good", f"tessera_ulid_text({self.uuid_read})")
        self.agree(as_ulid, agreement.conversions(texts, "ulid", "uuid"), texts)

    def test_what_is_no_ulid_is_refused(self):
        for text in ("", "01ARYZ6S41TSV4RRFFQ69G5FA", "81ARYZ6S41TSV4RRFFQ69G5FAV", "01ARYZ6S41TSV4RRFFQ69G5FAU"):
            with self.assertRaises(SqlError):
                self.server.lines(f"SELECT {self.ulid_read.replace('v', repr(text))}")

    def test_what_it_makes_is_good(self):
        """By the program's judgement: kind, time, and bits that are not always the same."""
        rows = [line.split("\t") for line in self.server.lines(
            f"SELECT {','.join(self.makers)}, {self.now_ms} FROM {self.series(MADE)}")]
        self.assertEqual(len(rows), MADE)
        ulids, uuids, public, ulid_digits, uuid_digits, now = (list(column) for column in zip(*rows))
        self.assertEqual(set(agreement.codes(ulids, "--as", "ulid", "--strict")), {"valid"})
        self.assertEqual(set(agreement.codes(uuids, "--as", "uuidv7", "--strict")), {"valid"})
        self.assertEqual(set(agreement.codes(public, "--prefix", "ord", "--strict")), {"valid"})
        for made in (ulids, uuids, public, ulid_digits, uuid_digits):
            self.assertEqual(len(set(made)), MADE)
        last = int(now[-1])
        for texts, kind in ((ulids, "ulid"), (uuids, "uuidv7")):
            for time in agreement.times(texts, kind):
                self.assertLessEqual(time, last, "an ID of the future")
                self.assertGreater(time, last - 600_000)
        self.each_bit_varies(agreement.conversions(ulids, "hex", "ulid"), 48)
        self.each_bit_varies(agreement.conversions([p[4:] for p in public], "hex", "ulid"), 48)
        self.each_bit_varies(ulid_digits, 48)
        self.each_bit_varies(uuid_digits, 48, fixed={48, 49, 50, 51, 64, 65})
        self.assertEqual({digits[12] for digits in uuid_digits}, {"7"})
        self.assertEqual({digits[16] for digits in uuid_digits}, set("89ab"))

    def each_bit_varies(self, digits, first, fixed=frozenset()):
        """Of MADE values each random bit is set in about half; ten standard deviations are allowed."""
        numbers = [int(value, 16) for value in digits]
        for bit in range(first, 128):
            if bit in fixed:
                continue
            count = sum(number >> (127 - bit) & 1 for number in numbers)
            self.assertLess(abs(count - MADE / 2), 10 * (MADE ** 0.5) / 2, f"bit {bit}")

    def test_a_prefix_must_be_one(self):
        for prefix in ("", "Ord", "ord_", "_ord", "o1", "x" * 64):
            with self.assertRaises(SqlError):
                self.server.lines(f"SELECT tessera_public_id('{prefix}')")


class OnPostgres(Both, unittest.TestCase):
    text_type = "TEXT"
    ulid_read = "tessera_ulid_uuid(v)"
    uuid_read = "v::uuid"
    public_of = "tessera_public_id"
    makers = ["tessera_ulid()", "tessera_uuid7()", "tessera_public_id('ord')", "replace(tessera_ulid_uuid()::text,'-','')",
              "replace(tessera_uuid7()::text,'-','')"]
    now_ms = "tessera_now_ms()"

    @staticmethod
    def start():
        server = Postgres()
        server.ask((SCRIPTS / "postgres.sql").read_text())
        server.ask((SCRIPTS / "postgres.sql").read_text())  # twice is once
        return server

    @staticmethod
    def text_of(text):
        return f"convert_from('\\x{text.hex()}','UTF8')"

    @staticmethod
    def hex_of(expression):
        return f"replace(({expression})::text,'-','')"

    @staticmethod
    def series(count):
        return f"generate_series(1,{count})"


class OnMariadb(Both, unittest.TestCase):
    text_type = "TEXT CHARACTER SET utf8mb4"
    ulid_read = "tessera_ulid_to_bytes(v)"
    uuid_read = "tessera_uuid_to_bytes(v)"
    public_of = "tessera_public_id_of"
    makers = ["tessera_ulid()", "tessera_uuid7()", "tessera_public_id('ord')", "lower(hex(tessera_ulid_bytes()))",
              "lower(hex(tessera_uuid7_bytes()))"]
    now_ms = "floor(unix_timestamp(sysdate(3))*1000)"

    @staticmethod
    def start():
        server = Mariadb()
        server.ask((SCRIPTS / "mariadb.sql").read_text())
        server.ask((SCRIPTS / "mariadb.sql").read_text())
        return server

    @staticmethod
    def text_of(text):
        return f"convert(x'{text.hex()}' USING utf8mb4)"

    @staticmethod
    def hex_of(expression):
        return f"lower(hex({expression}))"

    @staticmethod
    def series(count):
        return f"seq_1_to_{count}"


if __name__ == "__main__":
    agreement.program.PROGRAM, SCRIPTS = sys.argv[1], pathlib.Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
