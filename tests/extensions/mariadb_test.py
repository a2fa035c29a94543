#!/usr/bin/env python3
"""The functions for MariaDB, on a server of their own: the answers of the program for all vectors, golden
output, one order for all connections, a binary log in ROW format played into a second server, and any
bytes as arguments.

    mariadb_test.py PROGRAM TESSERA_UDF.SO [NAME...]
"""
import pathlib
import random
import subprocess
import sys
import unittest

import agreement
import golden
from databases import Mariadb, SqlError

LIBRARY = None
SERVER = None


def setUpModule():
    global SERVER
    SERVER = Mariadb(LIBRARY, ["--log-bin=binlog", "--binlog-format=ROW", "--server-id=1", "--sync-binlog=0",
                               "--innodb-flush-log-at-trx-commit=0"])
    folder = pathlib.Path(LIBRARY).parent
    SERVER.ask("SET GLOBAL log_bin_trust_function_creators = 1;" + (folder / "next_long.sql").read_text())


def tearDownModule():
    SERVER.__exit__()


def lines(sql):
    return SERVER.lines(sql)


class Agreement(unittest.TestCase):
    """Whatever the text, the server says what the program says."""

    @classmethod
    def setUpClass(cls):
        cls.texts = agreement.texts()
        values = ",".join(f"({n},x'{text.hex()}')" for n, text in enumerate(cls.texts))
        SERVER.ask("CREATE OR REPLACE TABLE texts(n INT PRIMARY KEY, text VARBINARY(700)) ENGINE=Aria;"
                   f"INSERT INTO texts VALUES {values}")

    def answers(self, *expressions):
        """For each expression the answers to all texts, as bytes in hex: they may be anything."""
        columns = ",".join(f"hex({expression})" for expression in expressions)
        rows = [line.split("\t")[1:] for line in lines(f"SELECT n,{columns} FROM texts ORDER BY n")]
        self.assertEqual(len(rows), len(self.texts))
        return [[None if cell == "NULL" else bytes.fromhex(cell).decode() for cell in column] for column in zip(*rows)]

    def agree(self, got, expected, texts=None):
        self.assertEqual(agreement.differences(texts or self.texts, got, expected), [])

    def test_check(self):
        kinds = agreement.KINDS
        friendly = self.answers(*(f"tessera_check(text,'{kind}')" for kind in kinds))
        strict = self.answers(*(f"tessera_check(text,'{kind}','strict')" for kind in kinds))
        for kind, one, two in zip(kinds, friendly, strict):
            with self.subTest(kind):
                self.agree(one, agreement.codes(self.texts, "--as", kind))
                self.agree(two, agreement.codes(self.texts, "--as", kind, "--strict"))
        styles = ("ulid", "typeid", "base36", "checked")
        for style, answers in zip(styles, self.answers(*(f"tessera_check(text,'ord:{style}')" for style in styles))):
            with self.subTest(style=style):
                self.agree(answers, agreement.codes_of_prefix(self.texts, "ord", "--style", style))

    def test_inspect(self):
        expected = agreement.inspections(self.texts)
        [answers] = self.answers("tessera_inspect(text)")
        self.agree([agreement.without_moment(answers[place]) for place in expected], list(expected.values()),
                   [self.texts[place] for place in expected])

    def test_convert(self):
        for kind in agreement.FROM:
            answers = self.answers(*(f"tessera_convert(text,'{form}','{kind}')" for form in agreement.FORMS))
            for form, got in zip(agreement.FORMS, answers):
                with self.subTest(kind, form=form):
                    self.agree(got, agreement.conversions(self.texts, form, kind))

    def test_time(self):
        kinds = ("ulid", "uuid", "uuidv7", "objectid", "ksuid", "snowflake", "typeid")
        for kind, got in zip(kinds, self.answers(*(f"CAST(tessera_time(text,'{kind}') AS CHAR)" for kind in kinds))):
            codes = agreement.codes(self.texts, "--as", kind, "--strict")
            good = [i for i, code in enumerate(codes) if code == "valid"]
            texts = [self.texts[i] for i in good]
            expected = [None if time is None else str(time) for time in agreement.times(texts, kind)]
            with self.subTest(kind):
                self.agree([got[i] for i in good], expected, texts)
                self.assertEqual({got[i] for i, code in enumerate(codes) if code != "valid"} - {None}, set())

    def test_bytes_and_back(self):
        for kind in ("ulid", "uuid", "objectid", "ksuid"):
            back, digits = self.answers(f"tessera_{kind}_text(tessera_{kind}_bytes(text))",
                                        f"lower(hex(tessera_{kind}_bytes(text)))")
            codes = agreement.codes(self.texts, "--as", kind, "--strict")
            good = [i for i, code in enumerate(codes) if code == "valid"]
            texts = [self.texts[i] for i in good]
            with self.subTest(kind):
                self.agree([digits[i] for i in good], agreement.conversions(texts, "hex", kind), texts)
                self.agree([back[i].lower() for i in good], [text.decode().lower() for text in texts], texts)


class Golden(unittest.TestCase):
    def test_output_is_as_written(self):
        self.assertEqual(*golden.play("mariadb", golden.WithBars(SERVER)))

    def test_removed_and_installed_again(self):
        folder = pathlib.Path(LIBRARY).parent
        SERVER.ask((folder / "remove.sql").read_text())
        self.assertEqual(lines("SELECT count(*) FROM mysql.func WHERE name LIKE 'tessera%'"), ["0"])
        with self.assertRaises(SqlError):
            lines("SELECT tessera_ulid()")
        SERVER.ask((folder / "install.sql").read_text())
        self.assertEqual(lines("SELECT length(tessera_ulid())"), ["26"])


class Order(unittest.TestCase):
    """All connections at once: what a call returned that began later is larger."""

    def test_one_strict_order_for_the_server(self):
        connections, count = 8, 20_000
        clients = []
        for _ in range(connections):
            client = subprocess.Popen(SERVER.client(None), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            client.stdin.write(f"SELECT hex(tessera_ulid_ordered_bytes()), hex(tessera_uuid7_ordered_bytes())"
                               f" FROM seq_1_to_{count};".encode())
            clients.append(client)
        everything = []
        for client in clients:
            client.stdin.close()
        for client in clients:
            with client.stdout:
                rows = [line.split() for line in client.stdout.read().decode().splitlines()]
            self.assertEqual(client.wait(), 0)
            self.assertEqual(len(rows), count)
            for column in zip(*rows):
                self.assertTrue(all(a < b for a, b in zip(column, column[1:])), "not increasing in a connection")
            everything.append(rows)
        for column in (0, 1):
            values = [row[column] for rows in everything for row in rows]
            self.assertEqual(len(set(values)), connections * count)
        # A connection that begins when all have ended is above them all.
        later = lines("SELECT hex(tessera_ulid_ordered_bytes()), hex(tessera_uuid7_ordered_bytes())")[0].split()
        self.assertGreater(later[0], max(row[0] for rows in everything for row in rows))
        self.assertGreater(later[1], max(row[1] for rows in everything for row in rows))

    def test_each_row_has_its_own(self):
        self.assertEqual(lines("SELECT count(DISTINCT tessera_ulid()), count(DISTINCT tessera_random(60)),"
                               " count(DISTINCT tessera_snowflake(1)), count(DISTINCT tessera_public_id('ord'))"
                               " FROM seq_1_to_1000"), ["1000\t1000\t1000\t1000"])

    def test_next_long_counts_for_all(self):
        clients = []
        for _ in range(4):
            client = subprocess.Popen(SERVER.client(None), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            client.stdin.write(b"SELECT tessera_next_long('all') FROM dual;" * 100)
            client.stdin.close()
            clients.append(client)
        numbers = []
        for client in clients:
            with client.stdout:
                numbers += [int(line) for line in client.stdout.read().split()]
            self.assertEqual(client.wait(), 0)
        self.assertEqual(sorted(numbers), list(range(1, 401)))
        SERVER.ask("START TRANSACTION; SELECT tessera_next_long('all'); ROLLBACK")
        self.assertEqual(lines("SELECT tessera_next_long('all')"), ["401"])


class Replication(unittest.TestCase):
    """A binary log in ROW format carries the values, not the calls."""

    def test_a_second_server_gets_the_same_rows(self):
        SERVER.ask("FLUSH BINARY LOGS; CREATE OR REPLACE TABLE orders(n INT AUTO_INCREMENT PRIMARY KEY,"
                   " id BINARY(16) NOT NULL UNIQUE DEFAULT (tessera_ulid_bytes()),"
                   " public_id VARCHAR(40) CHARACTER SET ascii NOT NULL DEFAULT (tessera_public_id('ord')), x INT);"
                   "INSERT INTO orders(x) SELECT seq FROM seq_1_to_500; UPDATE orders SET id = tessera_ulid_bytes() WHERE x < 50;"
                   "FLUSH BINARY LOGS")
        logs = [line.split("\t")[0] for line in lines("SHOW BINARY LOGS")]
        log = SERVER.folder / "data" / logs[-2]
        played = subprocess.run(["mariadb-binlog", "--no-defaults", "--database=test", str(log)], capture_output=True, check=True)
        statements = b"\n".join(line for line in played.stdout.split(b"\n") if not line.startswith(b"#"))
        self.assertNotIn(b"SET id = tessera_ulid_bytes()", statements, "the call is in the log")
        checksum = "SELECT count(*), sum(crc32(concat(id, public_id, x))) FROM orders"
        with Mariadb(LIBRARY) as second:
            second.ask(played.stdout.decode())
            self.assertEqual(second.lines(checksum), lines(checksum))
            self.assertEqual(second.lines("SELECT count(*) FROM orders"), ["500"])

    def test_statement_format_warns(self):
        got = lines("SET SESSION binlog_format = 'STATEMENT'; CREATE TEMPORARY TABLE IF NOT EXISTS nothing(x INT);"
                    "CREATE TABLE IF NOT EXISTS unsafe(id BINARY(16)); INSERT INTO unsafe SELECT tessera_ulid_bytes();"
                    "SHOW WARNINGS")
        self.assertTrue(any("unsafe" in line.lower() for line in got), got)


class Fuzz(unittest.TestCase):
    """Whatever bytes a column holds: an answer, NULL or an error, and the server lives on."""

    CALLS = ["tessera_check({0})", "tessera_check({0},{1})", "tessera_check({0},{1},{2})", "tessera_valid({0},{1})",
             "tessera_inspect({0})", "tessera_inspect({0},{1})", "tessera_time({0})", "tessera_time({0},{1})",
             "tessera_checksum({0})", "tessera_checksum({0},length({1}),{2})", "tessera_convert({0},{1})",
             "tessera_convert({0},{1},{2})", "tessera_ulid_bytes({0})", "tessera_ulid_text({0})", "tessera_uuid_bytes({0})",
             "tessera_uuid_text({0})", "tessera_ksuid_bytes({0})", "tessera_ksuid_text({0})", "tessera_objectid_bytes({0})",
             "tessera_objectid_text({0})", "tessera_public_id({0},{1})", "tessera_random({0},{1})", "tessera_random(length({0}))",
             "tessera_range({0},{1},{2})", "tessera_range_min({0},length({1}),1e9)", "tessera_range_max({0},-1,{2})",
             "tessera_snowflake({0})", "tessera_snowflake(-1)", "tessera_ulid({0})", "tessera_version({0})"]
    SEEDS = [b"01ARYZ6S41TSV4RRFFQ69G5FAV", b"017f22e2-79b0-7cc3-98c4-dc0c0c07398f", b"ord_01ARYZ6S41TSV4RRFFQ69G5FAV",
             b"AHM6A83HENMPS", b"ulid", b"uuidv7", b"ord:checked", b"hex", b"bytes", b"public", b"", b"Z" * 5000, b"\0\0",
             b"507f1f77bcf86cd799439011", b"strict"]

    def test_no_input_ends_the_server(self):
        dice = random.Random(20261116)
        SERVER.ask("CREATE OR REPLACE TABLE fuzz(a BLOB, b BLOB, c BLOB) ENGINE=Aria")

        def literal():
            if dice.random() < 0.05:
                return "NULL"
            text = bytearray(dice.choice(self.SEEDS))
            for _ in range(dice.randrange(3)):
                if text:
                    text[dice.randrange(len(text))] = dice.randrange(256)
            return f"x'{text.hex()}'" if text else "''"

        statements = []
        for _ in range(40):
            statements.append(f"INSERT INTO fuzz VALUES ({literal()},{literal()},{literal()});")
        for call in self.CALLS:
            statements.append(f"SELECT count({call.format('a', 'b', 'c')}) FROM fuzz;")
            for _ in range(20):
                statements.append(f"SELECT count({call.format(literal(), literal(), literal())});")
        client = [*SERVER.client(None), "--force"]
        subprocess.run(client, input="".join(statements).encode(), capture_output=True, timeout=200)
        self.assertEqual(lines("SELECT tessera_valid('01ARYZ6S41TSV4RRFFQ69G5FAV','ulid')"), ["1"])
        self.assertIsNone(SERVER.process.poll())


if __name__ == "__main__":
    agreement.program.PROGRAM, LIBRARY = sys.argv[1], sys.argv[2]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
