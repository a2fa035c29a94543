#!/usr/bin/env python3
"""The vectors of tests/vectors through SQL: what the tables say, and byte for byte what the program says.

    vectors_test.py BUILD
"""
import json
import pathlib
import subprocess
import sys
import unittest

import world

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from vectors_test import table, unescape  # noqa: E402

BUILD = None
KINDS = {"uuid": "uuid", "ulid": "ulid", "objectid": "objectid", "ksuid": "ksuid", "typeid": "typeid", "snowflake": "snowflake"}


def program(texts, *arguments):
    """The program's NDJSON, one object for each text."""
    run = subprocess.run([f"{BUILD}/bin/tessera", *arguments, "--json", "--null"], input=b"".join(t.encode() + b"\0" for t in texts),
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    lines = [json.loads(line) for line in run.stdout.decode().splitlines()]
    assert len(lines) == len(texts), (arguments, run.stderr)
    return lines


class Vectors(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.world = world.World(BUILD)
        cls.addClassCleanup(cls.world.__exit__)
        cls.c = cls.world.server("vectors").connect(timezone="UTC")
        cls.addClassCleanup(cls.c.close)
        cls.c.rows("""CREATE EXTENSION tessera;
            CREATE FUNCTION attempt(statement text, id text) RETURNS text LANGUAGE plpgsql AS $$
            DECLARE answer text;
            BEGIN
              EXECUTE statement INTO answer USING id;
              RETURN coalesce(answer, 'null');
            EXCEPTION WHEN OTHERS THEN RETURN 'refused ' || SQLSTATE;
            END $$""")

    def ask(self, expression, texts):
        """`expression` of $1 for each text; 'refused 22P02' where that is an error."""
        self.c.rows("CREATE TEMP TABLE IF NOT EXISTS question (n int, id text); TRUNCATE question")
        rows = "".join(f"{i}\t{text}\n" for i, text in enumerate(texts) if not set(text) & set("\t\n\r\\\0"))
        self.assertEqual(rows.count("\n"), len(texts))
        self.c.copy_in("COPY question FROM STDIN", rows.encode())
        quoted = "SELECT (" + expression.replace("'", "''") + ")::text"
        return self.c.column(f"SELECT attempt('{quoted}', id) FROM question ORDER BY n")

    def equal(self, rows, expression, column, expected):
        rows = list(rows)
        self.assertGreater(len(rows), 0)
        answers = self.ask(expression, [row[column] for row in rows])
        for row, answer in zip(rows, answers):
            self.assertEqual(answer, expected(row), (row["where"], expression))

    def test_ulid(self):
        rows = table("oracle-ulid.tsv")
        self.equal(rows, "$1::ulid::uuid", "ulid", lambda row: row["uuid"])
        self.equal(rows, "$1::uuid::ulid", "uuid", lambda row: row["ulid"])
        self.equal(rows, "$1::ulid::bytea", "ulid", lambda row: "\\x" + row["hex"])
        self.equal(rows, "extract(epoch FROM $1::ulid::timestamptz) * 1000", "ulid", lambda row: row["unix_ms"] + ".000000")
        for form in ("crockford", "base58", "base62", "int", "hex", "typeid"):
            answers = program([row["ulid"] for row in rows], "convert", "--from", "ulid", "--to", form)
            theirs = {row["ulid"]: answer["text"] for row, answer in zip(rows, answers)}
            self.equal(rows, f"tessera_convert($1, '{form}', 'ulid')", "ulid", lambda row: theirs[row["ulid"]])

    def test_ulid_range(self):
        self.equal(table("oracle-ulid-range.tsv"), "(timestamptz 'epoch' + $1::bigint / 1000 * interval '1 s' + $1::bigint % 1000 * interval '1 ms')::ulid", "unix_ms", lambda row: row["min_ulid"])

    def test_encodings(self):
        rows = table("oracle-encodings-128.tsv")
        for column, form in (("base64url", "base64url"), ("crockford_left_padded_ulid", "ulid"), ("base62_22_0-9A-Za-z", "base62")):
            self.equal(rows, f"tessera_convert($1, '{form}', 'uuid')", "uuid", lambda row: row[column])

    def test_base36(self):
        for prefix in ("acct", "post"):
            rows = [row for row in table("oracle-base36-uuid.tsv") if row["prefixed_padded"].startswith(prefix)]
            self.equal(rows, f"tessera_to_public_id('{prefix}', $1::uuid::ulid, 'base36')", "uuid", lambda row: row["prefixed_padded"])
        self.equal(table("oracle-base36-uuid.tsv"), "tessera_body($1::public_id)::uuid", "prefixed_padded", lambda row: row["uuid"])

    def test_typeid(self):
        rows = table("oracle-typeid.tsv")
        self.equal(rows, "tessera_body($1::public_id)::uuid", "typeid", lambda row: row["uuid"])
        self.equal(rows, "tessera_prefix($1::public_id)", "typeid", lambda row: row["prefix"])
        self.equal(rows, "$1::public_id", "typeid", lambda row: row["typeid"])

    def test_times(self):
        self.equal(table("oracle-objectid.tsv"), "extract(epoch FROM tessera_time($1, 'objectid'))::bigint", "hex", lambda row: row["unix_s"])
        self.equal(table("oracle-ksuid.tsv"), "extract(epoch FROM tessera_time($1, 'ksuid'))::bigint", "ksuid", lambda row: row["unix_s"])
        for layout in ("discord", "twitter"):
            rows = [row for row in table("oracle-snowflake.tsv") if row["layout"] == layout]
            self.equal(rows, f"extract(epoch FROM tessera_time($1, 'snowflake-{layout}')) * 1000", "id", lambda row: row["unix_ms"] + ".000000")

    def test_bad_inputs(self):
        """Every row of the corpus: refused or not as it says, with the code of the program."""
        rows = []
        for row in table("bad-inputs.tsv"):
            try:
                text = unescape(row["input"]).decode()
            except UnicodeDecodeError:
                continue  # no such text reaches PostgreSQL
            if row["kind"] in KINDS and not set(text) & set("\t\n\r\\\0"):
                rows.append({**row, "text": text})
        self.assertGreater(len(rows), 100)
        for kind, what in KINDS.items():
            mine = [row for row in rows if row["kind"] == kind]
            answers = self.ask(f"tessera_check($1, '{what}')", [row["text"] for row in mine])
            theirs = program([row["text"] for row in mine], "check", "--as", what)
            for row, answer, other in zip(mine, answers, theirs):
                verdict = "valid" if other["valid"] else other["code"]
                self.assertEqual(answer, verdict, row)
        ulids = [row for row in rows if row["kind"] == "ulid"]
        for row, answer in zip(ulids, self.ask("$1::ulid", [row["text"] for row in ulids])):
            if row["expected"] != "ok":  # friendly spellings are marked otherwise, and are refused here too
                self.assertEqual(answer, "refused 22P02", row)

    def test_inspect_is_the_program(self):
        rows = [row["input"] for row in table("detect.tsv")]
        theirs = program(rows, "inspect")
        answers = self.ask("tessera_inspect($1)", rows)
        ages = ("age", "probability", "file", "line")  # the moment of asking, and where the program read it

        def timeless(value):
            if isinstance(value, dict):
                return {key: timeless(inner) for key, inner in value.items() if key not in ages}
            return [timeless(inner) for inner in value] if isinstance(value, list) else value
        for text, answer, other in zip(rows, answers, theirs):
            self.assertEqual(timeless(json.loads(answer)), timeless(other), text)


if __name__ == "__main__":
    BUILD = sys.argv.pop(1)
    unittest.main(verbosity=2)
