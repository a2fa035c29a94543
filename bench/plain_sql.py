#!/usr/bin/env python3
"""How fast the plain-SQL functions for PostgreSQL are, as a ratio to gen_random_uuid() in the same run.

    plain_sql.py [--rounds N] [--count N] [--csv FILE]

SELECT count(f()) FROM generate_series(1, N), JIT off, on a server of its own. What is made is checked by
tests/extensions/plain_sql_test.py; here that it is distinct. The goals are those of the best SQL that could
be found, on one machine: 2.7 µs for a uuid, 1.70 of gen_random_uuid(), and 9.4 µs for a prefix and text, 5.92.
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "extensions"))
from databases import Postgres  # noqa: E402
from in_turns import measure, print_table, record  # noqa: E402
from rows import Writer  # noqa: E402

CALLS = ["clock_timestamp()", "gen_random_uuid()", "tessera_uuid7()", "tessera_ulid_uuid()", "tessera_ulid()",
         "tessera_public_id('ord')", "tessera_ulid_text(gen_random_uuid())"]
ROLES = {"clock_timestamp()": "floor", "gen_random_uuid()": "lacks order"}
GOALS = {"tessera_uuid7()": 1.70, "tessera_ulid_uuid()": 1.70, "tessera_public_id('ord')": 5.92}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--csv")
    arguments = parser.parse_args()
    with Postgres() as server:
        server.ask((ROOT / "extensions/sql/postgres.sql").read_text())
        for call in CALLS[2:]:
            [distinct] = server.lines(f"SELECT count(DISTINCT {call}) FROM generate_series(1, 5000)")
            assert distinct == "5000", call

        def time_of(call):
            def run():
                lines = server.lines(f"EXPLAIN ANALYZE SELECT {call} FROM generate_series(1, {arguments.count})")
                return float(re.search(r"Execution Time: ([\d.]+) ms", "\n".join(lines))[1]) / 1000
            return run

        rows = {call: time_of(call) for call in CALLS}
        times = measure(rows, arguments.rounds, arguments.count)
        print_table(f"PostgreSQL, {arguments.count:,} each", times, "gen_random_uuid()", "clock_timestamp()", GOALS)
        record(Writer(arguments.csv, "plain_sql"), "call", times, ROLES)


if __name__ == "__main__":
    main()
