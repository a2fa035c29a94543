#!/usr/bin/env python3
"""How fast the functions for MariaDB are, as a ratio to UUID() in the same run; and those in plain SQL.

    mariadb_extension.py TESSERA_UDF.SO NOOP_UDF.SO [--rounds N] [--count N] [--rows N,N] [--csv FILE]

    calls     BENCHMARK(N, f()) on a server of its own; the floor is a function that does nothing
    inserts   N rows (id PRIMARY KEY, number) by INSERT … SELECT … FROM seq_1_to_N; --rows says how many

Everything that is measured is looked at first. The goal is to be faster than every function of the
server itself: NEXTVAL with a cache needs 0.92 of UUID() on one machine.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "extensions"))
from databases import Mariadb  # noqa: E402
from in_turns import measure, print_table, record  # noqa: E402
from rows import Writer  # noqa: E402

CALLS = ["noop_udf()", "UUID()", "SYS_GUID()", "NEXTVAL(numbers)", "RANDOM_BYTES(16)", "tessera_ulid_bytes()",
         "tessera_uuid7_bytes()", "tessera_uuid4_bytes()", "tessera_ulid()", "tessera_uuid7()", "tessera_objectid()",
         "tessera_ksuid()", "tessera_public_id('ord')", "tessera_valid('01ARYZ6S41TSV4RRFFQ69G5FAV', 'ulid')"]
FASTER = 0.92
ROLES = {"noop_udf()": "floor", "UUID()": "lacks order", "SYS_GUID()": "lacks order", "NEXTVAL(numbers)": "lacks secrecy",
         "RANDOM_BYTES(16)": "lacks order", "UUID() as uuid": "lacks order", "random_bytes(16)": "lacks order"}
INSERTS = {"UUID() as uuid": ("UUID()", "UUID"), "random_bytes(16)": ("RANDOM_BYTES(16)", "BINARY(16)"),
           "tessera_ulid_bytes()": ("tessera_ulid_bytes()", "BINARY(16)"),
           "tessera_uuid7_bytes()": ("tessera_uuid7_bytes()", "BINARY(16)"),
           "tessera_ulid() as char(26)": ("tessera_ulid()", "CHAR(26) CHARACTER SET ascii")}


class Session:
    """One client that stays, so that no time is that of a connection."""

    def __init__(self, server):
        self.client = subprocess.Popen([*server.client("test"), "--unbuffered"], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True)

    def run(self, sql):
        start = time.perf_counter()
        self.client.stdin.write(f"{sql};\nSELECT 'done';\n")
        self.client.stdin.flush()
        for line in self.client.stdout:
            if line == "done\n":
                return time.perf_counter() - start
        raise RuntimeError(f"the server said no: {sql}")

    def end(self):
        self.client.stdin.close()
        self.client.wait()


def check(server):
    for name, kind in (("ulid", "ulid"), ("uuid7", "uuidv7"), ("uuid4", "uuidv4"), ("objectid", "objectid"), ("ksuid", "ksuid")):
        ids = server.lines(f"SELECT tessera_{name}() FROM seq_1_to_1000")
        assert len(set(ids)) == 1000, name
        assert name == "uuid4" or ids == sorted(ids), name
        good = server.lines(f"SELECT sum(tessera_valid(tessera_{name}(), '{kind}', 'strict')) FROM seq_1_to_1000")
        assert good == ["1000"], name
    ids = server.lines("SELECT hex(tessera_ulid_bytes()) FROM seq_1_to_1000")
    assert len(set(ids)) == 1000 and ids == sorted(ids)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("noop")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--rows", type=lambda text: [int(part) for part in text.split(",")])
    parser.add_argument("--csv")
    arguments = parser.parse_args()
    count = arguments.count
    out = Writer(arguments.csv, "mariadb")
    with Mariadb(arguments.library) as server:
        shutil.copy(arguments.noop, server.folder / "plugins")
        server.ask("CREATE FUNCTION noop_udf RETURNS STRING SONAME 'noop_udf.so'; CREATE SEQUENCE numbers CACHE 1000")
        check(server)
        session = Session(server)
        rows = {call: lambda call=call: session.run(f"DO BENCHMARK({count}, {call})") for call in CALLS}
        goals = {call: FASTER for call in ("tessera_ulid_bytes()", "tessera_uuid7_bytes()", "tessera_uuid4_bytes()",
                                           "tessera_ulid()", "tessera_uuid7()")}
        times = measure(rows, arguments.rounds, count)
        print_table(f"calls, {count:,} each", times, "UUID()", "noop_udf()", goals)
        record(out, "call", {name: column for name, column in times.items() if "valid" not in name}, ROLES)
        record(out, "read", {name: column for name, column in times.items() if "valid" in name}, ROLES)

        def insert_of(expression, kind, size):
            def run():
                session.run(f"CREATE OR REPLACE TABLE t(id {kind} PRIMARY KEY, number INT)")
                return session.run(f"INSERT INTO t SELECT {expression}, seq FROM seq_1_to_{size}")
            return run

        for size in arguments.rows or [count]:
            rows = {name: insert_of(*what, size) for name, what in INSERTS.items()}
            times = measure(rows, (arguments.rounds + 1) // 2, size)
            print_table(f"inserts, {size:,} rows", times, "UUID() as uuid", None, {"tessera_ulid_bytes()": 1.1})
            record(out, "insert", times, ROLES, axis="rows", at=size)
        session.end()
    with Mariadb() as server:
        server.ask((ROOT / "extensions/sql/mariadb.sql").read_text())
        session = Session(server)
        few = max(1, count // 20)
        rows = {call: lambda call=call: session.run(f"DO BENCHMARK({few}, {call})")
                for call in ("UUID()", "tessera_ulid_bytes()", "tessera_uuid7_bytes()", "tessera_ulid()", "tessera_public_id('ord')")}
        times = measure(rows, arguments.rounds, few)
        print_table(f"plain SQL, {few:,} each", times, "UUID()")
        record(out, "plain_sql", times, ROLES)
        session.end()


if __name__ == "__main__":
    main()
