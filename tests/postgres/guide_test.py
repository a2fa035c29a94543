#!/usr/bin/env python3
"""The SQL of docs/postgresql.md, as written, by the owner of a database who is no superuser.

    guide_test.py BUILD
"""
import pathlib
import re
import sys

import world

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "postgresql.md"


def main():
    blocks = re.findall(r"^```sql\n(.*?)^```", PAGE.read_text(), flags=re.S | re.M)
    assert len(blocks) > 5, len(blocks)
    with world.World(sys.argv[1]) as w:
        server = w.server("guide")
        with server.connect() as c:
            c.rows("CREATE ROLE reader LOGIN")
            c.rows("CREATE DATABASE guide OWNER reader")
        for block in blocks:
            run = w.run(w.bin / "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", w.folder, "-p", server.port, "-U", "reader", "-d", "guide",
                        input=block, check=False)
            assert run.returncode == 0, block + run.stderr
        with server.connect("guide", "reader") as c:
            assert c.rows("SELECT count(*), count(DISTINCT public_id) FROM orders") == [("3", "3")]
            assert c.rows("SELECT count(*) FROM events, customers, imported") == [("2",)]
    print(len(blocks), "blocks")


if __name__ == "__main__":
    sys.exit(main())
