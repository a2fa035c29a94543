#!/usr/bin/env python3
"""How fast the SQLite extension is, as a ratio to randomblob(16) in the same run.

    sqlite_extension.py TESSERA.SO [--rounds N] [--count N] [--rows N,N] [--csv FILE] [--cpu]

    calls     SELECT count(f()) over a table of N rows in memory; the floor is count of a column
    inserts   N rows (id PRIMARY KEY, number) in one transaction into a file, page cache as it comes;
              --rows says how many, the last of several with a table WITHOUT ROWID too

--cpu counts the time of the processor for the calls, which are of one thread and wait for nothing: on a machine that does other
things it is nearer to what a quiet one shows.

Everything that is measured is looked at first. The goals are what the fastest extensions that could be
had needed in relation to randomblob(16) on one machine: sqlite-ulid 0.1 (Rust) for bytes, 0.45, and
sqlean's uuid7() for text, 0.79; for inserts a prototype in C, 0.11 and 0.09.
"""
import argparse
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tests" / "extensions"))
from databases import Sqlite  # noqa: E402
from in_turns import measure, print_table, record  # noqa: E402
from rows import Writer  # noqa: E402

CALLS = {"floor: a column": "n", "randomblob(16)": "randomblob(16)", "lower(hex(randomblob(16)))": "lower(hex(randomblob(16)))",
         "tessera_ulid_bytes()": "tessera_ulid_bytes()", "tessera_uuid7_bytes()": "tessera_uuid7_bytes()",
         "tessera_uuid4_bytes()": "tessera_uuid4_bytes()", "tessera_ulid()": "tessera_ulid()",
         "tessera_uuid7()": "tessera_uuid7()", "tessera_uuid4()": "tessera_uuid4()",
         "tessera_objectid()": "tessera_objectid()", "tessera_ksuid()": "tessera_ksuid()",
         "tessera_public_id('ord')": "tessera_public_id('ord')", "tessera_random(60)": "tessera_random(60)",
         "tessera_valid(text, 'ulid')": "tessera_valid(text, 'ulid')", "tessera_ulid_bytes(text)": "tessera_ulid_bytes(text)"}
GOALS = {"tessera_ulid_bytes()": 0.45, "tessera_uuid7_bytes()": 0.45, "tessera_uuid4_bytes()": 0.45, "tessera_ulid()": 0.74,
         "tessera_uuid7()": 0.79, "tessera_uuid4()": 0.88}
ROLES = {"floor: a column": "floor", "randomblob(16)": "lacks order", "lower(hex(randomblob(16)))": "lacks order"}
INSERTS = {"randomblob(16)": "randomblob(16)", "tessera_ulid_bytes()": "tessera_ulid_bytes()",
           "tessera_uuid7_bytes()": "tessera_uuid7_bytes()", "tessera_ulid()": "tessera_ulid()",
           "tessera_ulid_ordered_bytes()": "tessera_ulid_ordered_bytes()"}


def check(db):
    """That each does its work: distinct, of its kind, increasing where that is promised."""
    for name in ("ulid", "uuid7", "uuid4", "objectid", "ksuid"):
        kind = {"uuid7": "uuidv7", "uuid4": "uuidv4"}.get(name, name)
        ids = [row[0] for row in db.rows(f"SELECT tessera_{name}() FROM numbers LIMIT 1000")]
        assert len(set(ids)) == 1000, name
        assert all(db.rows("SELECT tessera_valid(?1, ?2, 'strict')", i, kind)[0][0] for i in ids), name
        assert name == "uuid4" or ids == sorted(ids), name
    for name in ("ulid_bytes", "uuid7_bytes", "ulid_ordered_bytes"):
        ids = [row[0] for row in db.rows(f"SELECT tessera_{name}() FROM numbers LIMIT 1000")]
        assert len(set(ids)) == 1000 and ids == sorted(ids) and {len(i) for i in ids} == {16}, name


def call_of(db, expression, count, clock):
    def run():
        start = clock()
        [(counted,)] = db.rows(f"SELECT count({expression}) FROM numbers")
        assert counted == count
        return clock() - start
    return run


def insert_of(library, folder, expression, count, options):
    def run():
        path = pathlib.Path(folder, "bench.db")
        for left in pathlib.Path(folder).glob("bench.db*"):
            left.unlink()
        with Sqlite(library, str(path)) as db:
            db.rows(f"CREATE TABLE t(id BLOB NOT NULL PRIMARY KEY, number INTEGER) {options}")
            db.rows("ATTACH ':memory:' AS memory")
            db.rows("CREATE TABLE memory.numbers(n INTEGER PRIMARY KEY)")
            db.rows("INSERT INTO memory.numbers SELECT NULL FROM tessera_new('uuid4', ?1)", count)
            start = time.perf_counter()
            db.rows("BEGIN")
            db.rows(f"INSERT INTO t SELECT {expression}, n FROM memory.numbers")
            db.rows("COMMIT")
            return time.perf_counter() - start
    return run


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--rows", type=lambda text: [int(part) for part in text.split(",")])
    parser.add_argument("--csv")
    parser.add_argument("--cpu", action="store_true")
    arguments = parser.parse_args()
    out = Writer(arguments.csv, "sqlite")
    clock = time.process_time if arguments.cpu else time.perf_counter
    with Sqlite(arguments.library) as db:
        db.rows("CREATE TABLE numbers(n INTEGER PRIMARY KEY, text TEXT)")
        db.rows("INSERT INTO numbers(text) SELECT id FROM tessera_new('ulid', ?1)", arguments.count)
        if arguments.count >= 1000:
            check(db)
        rows = {name: call_of(db, expression, arguments.count, clock) for name, expression in CALLS.items()}
        times = measure(rows, arguments.rounds, arguments.count)
        print_table(f"calls, {arguments.count:,} each", times, "randomblob(16)", "floor: a column", GOALS)
        reads = [name for name in times if "text" in name]  # what reads has no peer here
        record(out, "call", {name: column for name, column in times.items() if name not in reads}, ROLES)
        record(out, "read", {name: times[name] for name in reads}, ROLES)
        start = clock()
        db.rows("SELECT count(bytes) FROM tessera_new('ulid', ?1)", arguments.count)
        print(f"  tessera_new('ulid', n), bytes: {(clock() - start) / arguments.count * 1e9:,.0f} ns a row")
    with tempfile.TemporaryDirectory() as folder:
        sizes = arguments.rows or [arguments.count]
        tables = [(size, "", 0.11, "insert") for size in sizes]
        tables.append((sizes[-1], "WITHOUT ROWID", 0.09, "insert_without_rowid"))
        for size, options, goal, case in tables:
            rows = {name: insert_of(arguments.library, folder, expression, size, options) for name, expression in INSERTS.items()}
            times = measure(rows, (arguments.rounds + 1) // 2, size)
            print_table(f"inserts, {size:,} rows {options}", times, "randomblob(16)", None, {"tessera_ulid_bytes()": goal})
            record(out, case, times, ROLES, axis="rows", at=size)


if __name__ == "__main__":
    main()
