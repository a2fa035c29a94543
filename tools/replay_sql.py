#!/usr/bin/env python3
"""Plays the ```sql blocks of Markdown pages on real databases and compares what is printed.

    replay_sql.py --sqlite TESSERA.SO --mariadb TESSERA_UDF.SO PAGE...

A line <!-- sql: NAME --> says what the blocks below it are for:

    sqlite            SQLite with the extension; a page has one connection
    mariadb           MariaDB with the functions and tessera_next_long; a page has one server
    plain-postgres    PostgreSQL with extensions/sql/postgres.sql
    plain-mariadb     MariaDB with extensions/sql/mariadb.sql
    -                 nothing: they are only to be read

In a block, `-->` begins a line of the answer to the statements above it and `--!` a part of an error, as
tests/extensions/golden.py says. Fields are separated by a bar. Prints what differs, and exits 1.
"""
import argparse
import contextlib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "extensions"))
import golden  # noqa: E402
from databases import Mariadb, Postgres, Sqlite  # noqa: E402

PART = re.compile(r"^<!-- sql: (\S+) -->$|^```sql\n(.*?)^```", re.S | re.M)


def start(name, arguments, stack):
    if name == "sqlite":
        return stack.enter_context(Sqlite(arguments.sqlite))
    if name == "mariadb":
        server = stack.enter_context(Mariadb(arguments.mariadb))
        server.ask((ROOT / "extensions/mariadb/next_long.sql").read_text())
    elif name == "plain-mariadb":
        server = stack.enter_context(Mariadb())
        server.ask((ROOT / "extensions/sql/mariadb.sql").read_text())
    elif name == "plain-postgres":
        server = stack.enter_context(Postgres())
        server.ask((ROOT / "extensions/sql/postgres.sql").read_text())
    else:
        raise SystemExit(f"replay_sql: no database '{name}'")
    return golden.WithBars(server)


def play(page, arguments):
    """How many blocks were played, and how many differ."""
    blocks, wrong, current, databases = 0, 0, None, {}
    with contextlib.ExitStack() as stack:
        text = page.read_text()
        for part in PART.finditer(text):
            if part[1]:
                current = part[1]
                continue
            if current is None:
                raise SystemExit(f"replay_sql: {page}: a block of SQL without <!-- sql: NAME --> above it")
            if current == "-":
                continue
            if current not in databases:
                databases[current] = start(current, arguments, stack)
            got, wanted = golden.play_text(part[2], databases[current])
            blocks += 1
            if got != wanted:
                wrong += 1
                print(f"{page}:{text.count(chr(10), 0, part.start()) + 1}: on {current} it is\n{got}\nand not\n{wanted}\n")
    return blocks, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sqlite", required=True)
    parser.add_argument("--mariadb", required=True)
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    total = 0
    for page in arguments.pages:
        blocks, wrong = play(page, arguments)
        print(f"{page}: {blocks} blocks, {wrong} differ")
        if blocks == 0:
            raise SystemExit(f"replay_sql: {page} has nothing to play")
        total += wrong
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
