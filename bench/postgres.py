#!/usr/bin/env python3
"""How fast the PostgreSQL extension is, as a ratio to PostgreSQL's own functions in the same run.

    postgres.py BUILD [--rounds N] [--values N] [--rows N,N] [--clients N,N] [--only NAME] [--csv FILE]

All take turns on one server, in one connection unless a row says otherwise, so that whatever else the machine does
is shared by all; the ratio is that of each round, and its median is what counts. Before anything is measured, the
values are looked at: they differ, and increase where they should.

    generate     EXPLAIN ANALYZE SELECT f() FROM generate_series(1, N)        gen_random_uuid(), and a function in C
                                                                              that does nothing and returns a uuid
    connections  the same in several connections at a time (8)                gen_random_uuid()
    insert       N rows (id, int) with primary key; time and size of index    gen_random_uuid()
    index        a btree on N values; on N values 30 times each               the same bytes as uuid
    public       public IDs as a column, made, inserted, written as text      the ulid column
"""
import argparse
import pathlib
import re
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "postgres"))
import world  # noqa: E402
from in_turns import record, rounds_of as in_turns  # noqa: E402
from rows import Writer  # noqa: E402

OUT = None  # rows.Writer
ROLES = {"probe_uuid()": "floor", "gen_random_uuid()": "lacks order", "generate_ulid() of the article": "lacks order",
         "generate_ulid()": "lacks order", "nextval('s')": "lacks secrecy"}
COLUMNS = {"as_uuid": "peer", "f_uuid": "peer", "as_ulid": "ours", "f_ulid": "ours", "as_public": "ours", "uuid": "peer",
           "id": "ours", "public": "ours", "checked": "ours"}

ARTICLE = """CREATE FUNCTION generate_ulid() RETURNS uuid AS $$
  SELECT (lpad(to_hex(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
    || encode(gen_random_bytes(10), 'hex'))::uuid $$ LANGUAGE SQL"""


def execution_ms(c, statement):
    plan = c.column("EXPLAIN (ANALYZE, TIMING OFF) " + statement)
    return float(re.search(r"Execution Time: ([\d.]+) ms", "\n".join(plan))[1])


def put(case, taken, count, roles=None, axis="", at=""):
    """Rows of raw.csv: ns of each value."""
    record(OUT, case, {name: [ms * 1e6 / count for ms in times] for name, times in taken.items()}, roles or ROLES, axis=axis, at=at)


def put_columns(case, taken, count):
    for name, times in taken.items():
        OUT.add(case, name, [ms * 1e6 / count for ms in times], "ns", COLUMNS[name])


def tell(title, taken, peer, count, goals, unit="ns a value", scale=1e6):
    print(f"\n{title}, peer {peer}")
    for name, times in sorted(taken.items(), key=lambda item: statistics.median(item[1])):
        ratio = statistics.median(mine / theirs for mine, theirs in zip(times, taken[peer]))
        goal = f"   wanted {goals[name]}" if name in goals else ""
        print(f"  {name:36} {statistics.median(times) * scale / count:12,.1f} {unit}   ratio {ratio:6.3f}{goal}", flush=True)


def check(c):
    """The work is done, before it is timed."""
    for function in ("tessera_ulid()", "tessera_ulid_ordered()", "tessera_uuid7_ordered()", "tessera_public_id('ord')"):
        rows = c.rows(f"SELECT count(DISTINCT id), bool_and(id > before) FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before "
                      f"FROM (SELECT n, {function} AS id FROM generate_series(1, 20000) AS n) AS s) AS t")
        assert rows == [("20000", "t")], (function, rows)
    assert c.one("SELECT count(DISTINCT generate_ulid()) FROM generate_series(1, 1000)") == "1000"


def generate(c, rounds, count):
    functions = ["probe_uuid()", "gen_random_uuid()", "tessera_ulid()", "tessera_ulid_ordered()", "tessera_uuid7()", "tessera_uuid7_ordered()",
                 "tessera_uuid4()", "tessera_public_id('ord')", "tessera_public_id('ord', 'checked')"]
    run = lambda f: lambda: execution_ms(c, f"SELECT {f} FROM generate_series(1, {count})")  # noqa: E731
    taken = in_turns({f: run(f) for f in functions}, rounds)
    few = max(1, count // 10)  # it is so slow that a tenth says enough
    taken["generate_ulid() of the article"] = [10 * execution_ms(c, f"SELECT generate_ulid() FROM generate_series(1, {few})")
                                               for _ in range(rounds)]
    put("generate", taken, count)
    goals = {"tessera_ulid()": 0.2, "tessera_ulid_ordered()": 0.22, "tessera_uuid7_ordered()": 0.22}
    tell(f"generate {count:,}", taken, "gen_random_uuid()", count, goals)
    del taken["generate_ulid() of the article"]
    tell("the same", taken, "probe_uuid()", count, {"tessera_ulid()": 1.25})
    blocks = {f"{f}(1000)": (lambda f=f: execution_ms(c, f"SELECT {f}(1000) FROM generate_series(1, {count // 1000})"))
              for f in ("tessera_ulids", "tessera_ulids_ordered", "tessera_uuid7s_ordered")}
    blocks["gen_random_uuid()"] = run("gen_random_uuid()")
    taken = in_turns(blocks, rounds)
    tell("in blocks of 1000", taken, "gen_random_uuid()", count, {})
    put("generate_block", taken, count)


def connections(server, rounds, count, clients):
    """Values of all together, by the wall clock."""
    them = [server.connect("bench", jit="off") for _ in range(clients)]

    def run(function):
        def once():
            start = world.time.monotonic()
            for one in them:
                one.send(f"EXPLAIN (ANALYZE, TIMING OFF) SELECT {function} FROM generate_series(1, {count})")
            for one in them:
                assert f"rows={count}" in str(one.finish())
            return (world.time.monotonic() - start) * 1000
        return once
    functions = ["gen_random_uuid()", "tessera_ulid()", "tessera_ulid_ordered()", "tessera_uuid7_ordered()", "nextval('s')"]
    taken = in_turns({f: run(f) for f in functions}, rounds)
    put("connections", taken, count * clients, axis="connections", at=clients)
    tell(f"{clients} connections, {count:,} each", taken, "gen_random_uuid()", count * clients,
         {f"tessera_{f}_ordered()": "0.2 (5 times the rate)" for f in ("ulid", "uuid7")})
    for one in them:
        one.close()


def insert(c, rounds, count):
    sizes = {}  # of every round: how full random keys leave their pages is chance

    def run(kind, function, name, options=""):
        def once():
            c.rows(f"DROP TABLE IF EXISTS i; CREATE TABLE i (id {kind} PRIMARY KEY {options}, n int); CHECKPOINT")
            start = world.time.monotonic()
            c.rows(f"INSERT INTO i SELECT {function}, n FROM generate_series(1, {count}) AS n")
            taken = (world.time.monotonic() - start) * 1000
            assert c.one("SELECT count(*) FROM i") == str(count)
            sizes.setdefault(name, []).append(int(c.one("SELECT pg_relation_size('i_pkey')")))
            return taken
        return once
    rows = {"gen_random_uuid()": "uuid", "tessera_ulid()": "ulid", "tessera_ulid_ordered()": "ulid", "tessera_uuid7_ordered()": "uuid",
            "tessera_public_id('ord')": "public_id", "tessera_public_id('ord', 'checked')": "public_id('ord','checked')",
            "tessera_public_id('ord')::text": "text", "generate_ulid()": "uuid", "nextval('s')": "bigint"}
    full = "tessera_ulid(), fillfactor 100"
    contenders = {f: run(kind, f, f) for f, kind in rows.items()} | {full: run("ulid", "tessera_ulid()", full, "WITH (fillfactor = 100)")}
    taken = in_turns(contenders, rounds)
    put("insert", taken, count, axis="rows", at=count)
    record(OUT, "insert_index", {name: [size / count for size in of] for name, of in sizes.items()}, ROLES, "bytes", "rows", count)
    tell(f"insert {count:,} rows with primary key", taken, "gen_random_uuid()", count, {"tessera_ulid()": 0.4, "tessera_ulid_ordered()": 0.4})
    print("  public_id against ulid, both tessera's: ratio "
          f"{statistics.median(a / b for a, b in zip(taken[chr(39).join(['tessera_public_id(', 'ord', ')'])], taken['tessera_ulid()'])):.3f}   wanted 2")
    for name, of in sizes.items():
        ratio = statistics.median(mine / theirs for mine, theirs in zip(of, sizes["gen_random_uuid()"]))
        print(f"  {name:36} index {statistics.median(of) / 2**20:6.1f} MiB   ratio {ratio:6.3f}"
              + ("   wanted 0.8" if name in ("tessera_ulid()", "tessera_ulid_ordered()", full) else ""))
    c.rows("DROP TABLE i")


def index(c, rounds, count):
    c.rows(f"CREATE TABLE x AS SELECT id::ulid AS as_ulid, id AS as_uuid, f::ulid AS f_ulid, f AS f_uuid, tessera_to_public_id('ord', id::ulid) AS as_public "
           f"FROM (SELECT gen_random_uuid() AS id, md5((n % {count // 30})::text)::uuid AS f FROM generate_series(1, {count}) AS n) AS s; ANALYZE x")
    sizes = {}

    def run(column):
        def once():
            start = world.time.monotonic()
            c.rows(f"CREATE INDEX made ON x ({column})")
            taken = (world.time.monotonic() - start) * 1000
            sizes[column] = int(c.one("SELECT pg_relation_size('made')"))
            c.rows("DROP INDEX made")
            return taken
        return once
    taken = in_turns({column: run(column) for column in ("as_ulid", "as_uuid", "as_public")}, rounds)
    put_columns("index", taken, count)
    tell(f"index on {count:,}", taken, "as_uuid", count, {"as_ulid": 1})
    print("  ", {column: f"{size / 2**20:.1f} MiB" for column, size in sizes.items()})
    taken = in_turns({column: run(column) for column in ("f_ulid", "f_uuid")}, rounds)
    put_columns("index_of_30_each", taken, count)
    tell("the same, each value 30 times", taken, "f_uuid", count, {"f_ulid": 1})
    print("  ", {column: f"{size / 2**20:.1f} MiB" for column, size in sizes.items() if column.startswith("f_")})
    c.rows("DROP TABLE x")


def public(c, rounds, count):
    c.rows(f"CREATE TABLE p AS SELECT tessera_ulid() AS id, tessera_public_id('ord') AS public, tessera_public_id('ord', 'checked') AS checked, "
           f"gen_random_uuid() AS uuid FROM generate_series(1, {count}); ANALYZE p")
    run = lambda column: lambda: execution_ms(c, f"SELECT {column}::text FROM p")  # noqa: E731
    taken = in_turns({column: run(column) for column in ("id", "public", "checked", "uuid")}, rounds)
    tell("as text", taken, "id", count, {"public": 2, "checked": 2})
    put_columns("as_text", taken, count)
    c.rows("CREATE TABLE texts AS SELECT id::text AS id, public::text AS public, checked::text AS checked, uuid::text AS uuid FROM p")
    read = lambda column, kind: lambda: execution_ms(c, f"SELECT {column}::{kind} FROM texts")  # noqa: E731
    taken = in_turns({"id": read("id", "ulid"), "public": read("public", "public_id"), "checked": read("checked", "public_id('ord','checked')"),
                      "uuid": read("uuid", "uuid")}, rounds)
    tell("from text", taken, "id", count, {"public": 2, "checked": 2})
    put_columns("from_text", taken, count)
    find = lambda column: lambda: execution_ms(c, f"SELECT count(*) FROM p AS a JOIN p AS b USING ({column})")  # noqa: E731
    taken = in_turns({column: find(column) for column in ("id", "public", "uuid")}, rounds)
    tell("joined with itself", taken, "id", count, {"public": 2})
    put_columns("join", taken, count)
    c.rows("DROP TABLE p, texts")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("build", type=pathlib.Path)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--values", type=int, default=10_000_000)
    numbers = lambda text: [int(part) for part in text.split(",")]  # noqa: E731
    arguments.add_argument("--rows", type=numbers, default=[1_000_000])
    arguments.add_argument("--clients", type=numbers, default=[8])
    arguments.add_argument("--only")
    arguments.add_argument("--csv")
    arguments = arguments.parse_args()
    global OUT
    OUT = Writer(arguments.csv, "postgres")
    wanted = lambda name: arguments.only in (None, name)  # noqa: E731

    with world.World(arguments.build) as w:
        server = w.server("bench", {"shared_buffers": "1GB", "work_mem": "1GB", "maintenance_work_mem": "1GB", "max_wal_size": "8GB", "fsync": "on",
                                    "max_parallel_workers_per_gather": 0, "max_parallel_maintenance_workers": 0})
        with server.connect() as c:
            print(c.one("SELECT version()"))
            c.rows("CREATE DATABASE bench")
        with server.connect("bench") as c:
            c.rows("CREATE EXTENSION tessera; CREATE EXTENSION pgcrypto; CREATE SEQUENCE s; SET synchronize_seqscans = off; " + ARTICLE)
            c.rows("CREATE FUNCTION probe_uuid() RETURNS uuid AS '$libdir/tessera_probe' LANGUAGE C VOLATILE PARALLEL SAFE")
            check(c)
            rounds = arguments.rounds
            if wanted("generate"):
                generate(c, rounds, arguments.values)
            if wanted("connections"):
                for clients in arguments.clients:
                    connections(server, rounds, arguments.values // 10, clients)
            if wanted("insert"):
                for rows in arguments.rows:
                    insert(c, rounds, rows)
            if wanted("index"):
                index(c, rounds, 3 * arguments.rows[-1])
            if wanted("public"):
                public(c, rounds, arguments.rows[-1])


if __name__ == "__main__":
    main()
