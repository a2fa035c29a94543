#!/usr/bin/env python3
"""What happens to a database in its life: users, dumps, replicas, binary copies, parallel queries, preloading.

    life_test.py BUILD
"""
import itertools
import struct
import sys
import unittest

import world

BUILD = None
TABLE = """CREATE TABLE orders (
    id ulid DEFAULT tessera_ulid_ordered() PRIMARY KEY,
    public public_id('ord', 'checked') DEFAULT tessera_public_id('ord', 'checked') NOT NULL UNIQUE,
    customer public_id('cus'),
    other public_id,
    n int)"""
ROWS = """INSERT INTO orders (customer, other, n) SELECT tessera_public_id('cus'), tessera_public_id('anything_at_all', 'base36'), n
    FROM generate_series(1, 1000) AS n"""
ALL = "SELECT id, public, customer, other, n FROM orders ORDER BY id"


class Life(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = world.World(BUILD)
        cls.addClassCleanup(cls.world.__exit__)
        cls.server = cls.world.server("publisher", {"wal_level": "logical", "max_connections": 230, "max_wal_senders": 8,
                                                    "shared_preload_libraries": "tessera,tessera_probe"})
        with cls.server.connect() as c:
            c.rows("CREATE ROLE owner LOGIN; CREATE ROLE clerk LOGIN")
            c.rows("CREATE DATABASE shop OWNER owner")

    def connect(self, database="shop", user="owner", **settings):
        return self.server.connect(database, user, **settings)

    def test_a_no_superuser(self):
        """The owner of a database installs it, and everybody uses it."""
        with self.connect() as c:
            self.assertEqual(c.one("SELECT rolsuper FROM pg_roles WHERE rolname = current_user"), "f")
            c.rows("CREATE EXTENSION tessera")
            c.rows(TABLE)
            c.rows(ROWS)
            c.rows("GRANT SELECT, INSERT ON orders TO clerk")
            c.rows("SELECT tessera_create_scope('ORDER')")
            c.rows('GRANT USAGE ON SEQUENCE "tessera_scope_ORDER" TO clerk')
        with self.connect(user="clerk") as c:
            c.rows("INSERT INTO orders (n) VALUES (-1)")
            c.rows("SELECT tessera_next_long('ORDER'), tessera_ulids_ordered(5), tessera_inspect('01ARZ3NDEKTSV4RRFFQ69G5FAV')")
            with self.assertRaises(world.wire.Error) as refused:  # what keeps the order is not theirs to set
                c.rows("SELECT setval('tessera_ordered_mark', 1)")
            self.assertEqual(refused.exception.sqlstate, "42501")

    def test_b_dump_and_restore(self):
        """By the owner, who is no superuser, and on to a machine whose clock is behind."""
        w = self.world
        with self.connect() as c:
            rows = c.rows(ALL)
            last_number = int(c.one("SELECT tessera_next_long('ORDER')"))
            ordered = c.one("SELECT tessera_ulid_ordered()")
            mark = int(c.one("SELECT last_value FROM tessera_ordered_mark"))
            types = c.rows("SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'orders'::regclass AND attnum > 0")
        dump = w.run(w.bin / "pg_dump", "-h", w.folder, "-p", self.server.port, "-U", "owner", "shop").stdout
        other = w.server("restored")
        other.clock = "-600s"
        other.stop()
        other.start()
        with other.connect() as c:
            c.rows("CREATE ROLE owner LOGIN; CREATE ROLE clerk LOGIN")
            c.rows("CREATE DATABASE shop OWNER owner")
        w.run(w.bin / "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", w.folder, "-p", other.port, "-U", "owner", "-d", "shop", input=dump)
        with other.connect("shop", "owner") as c:
            self.assertEqual(c.rows(ALL), rows)
            self.assertEqual(c.rows("SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute "
                                    "WHERE attrelid = 'orders'::regclass AND attnum > 0"), types)
            self.assertGreaterEqual(int(c.one("SELECT last_value FROM tessera_ordered_mark")), mark)
            self.assertGreater(c.one("INSERT INTO orders (n) VALUES (0) RETURNING id"), ordered)
            self.assertGreater(int(c.one("SELECT tessera_next_long('ORDER')")), last_number)
        other.kill()

    def test_c_logical_replication(self):
        subscriber = self.world.server("subscriber", {"wal_level": "logical"})
        with self.server.connect("shop") as c:
            c.rows("CREATE PUBLICATION all_orders FOR TABLE orders")
        for binary in ("true", "false"):
            with self.subTest(binary=binary), subscriber.connect() as c:
                c.rows(f"CREATE DATABASE shop_{binary}")
                with subscriber.connect(f"shop_{binary}") as s:
                    s.rows("CREATE EXTENSION tessera")
                    s.rows(TABLE)
                    s.rows(f"CREATE SUBSCRIPTION copy_{binary} CONNECTION 'host={self.world.folder} port={self.server.port} "
                           f"dbname=shop user=root' PUBLICATION all_orders WITH (binary = {binary})")
                    with self.connect() as p:
                        p.rows("INSERT INTO orders (customer, n) SELECT tessera_public_id('cus'), n FROM generate_series(1, 100) AS n")
                        p.rows("UPDATE orders SET customer = tessera_public_id('cus') WHERE n = 7; DELETE FROM orders WHERE n = 9")
                        wanted = p.rows(ALL)
                    world.wait_for("the subscriber to have all", lambda: s.rows(ALL) == wanted)
                    s.rows(f"ALTER SUBSCRIPTION copy_{binary} DISABLE")
                    s.rows(f"ALTER SUBSCRIPTION copy_{binary} SET (slot_name = NONE)")
                    s.rows(f"DROP SUBSCRIPTION copy_{binary}")
        subscriber.kill()

    def test_d_binary_copy(self):
        with self.connect() as c:
            wanted = c.rows(ALL)
            c.rows("CREATE TABLE again (LIKE orders)")
            for form in ("binary", "text", "csv"):
                copied = c.copy_out(f"COPY orders TO STDOUT (FORMAT {form})")
                c.rows("TRUNCATE again")
                c.copy_in(f"COPY again FROM STDIN (FORMAT {form})", copied)
                self.assertEqual(c.rows(ALL.replace("orders", "again")), wanted)
            # A ulid is its 16 bytes on the wire, a public ID its text.
            one = c.copy_out("COPY (SELECT id, public FROM orders ORDER BY id LIMIT 1) TO STDOUT (FORMAT binary)")
            size, = struct.unpack_from("!i", one, 21)
            self.assertEqual((size, one[25:41].hex()), (16, c.one("SELECT encode(id::bytea, 'hex') FROM orders ORDER BY id LIMIT 1")))
            self.assertIn(wanted[0][1].encode(), one)

    def test_e_parallel_query(self):
        with self.connect(max_parallel_workers_per_gather="2", parallel_setup_cost="0", parallel_tuple_cost="0",
                          min_parallel_table_scan_size="0") as c:
            c.rows("CREATE TABLE many AS SELECT tessera_ulid() AS id, tessera_public_id('ord') AS public FROM generate_series(1, 50000); ANALYZE many")
            for query in ("SELECT min(id), max(id), min(public), max(public), count(*) FROM many WHERE id > '00000000000000000000000001'",
                          "SELECT count(*) FROM many AS a JOIN many AS b ON a.id = b.id AND a.public = b.public",
                          "SELECT count(DISTINCT tessera_time(id)) > 0, bool_and(tessera_valid(id::text, 'ulid')) FROM many"):
                plan = "\n".join(c.column("EXPLAIN (ANALYZE) " + query))
                self.assertRegex(plan, "Workers Launched: [12]", plan)
                together = c.rows(query)
                c.rows("SET max_parallel_workers_per_gather = 0")
                self.assertEqual(c.rows(query), together)
                c.rows("SET max_parallel_workers_per_gather = 2")
            c.rows("CREATE UNIQUE INDEX ON many (id)")
            # Made in workers: random, each in a process of its own.
            made = c.rows("SELECT count(DISTINCT a), count(DISTINCT b) FROM (SELECT tessera_uuid4() AS a, tessera_ulid() AS b FROM many OFFSET 0) AS s")
            self.assertEqual(made, [("50000", "50000")])

    def test_f_no_random_byte_is_shared(self):
        """200 connections, of a server that has drawn random bytes before it forked them: no eight bytes come twice."""
        self.assertIn("tessera_probe", self.server.settings["shared_preload_libraries"])
        them = [self.connect() for _ in range(200)]
        for one in them:
            one.send("SELECT tessera_convert(replace(tessera_uuid4()::text, '-', ''), 'hex', 'hex') FROM generate_series(1, 50)")
        drawn = [one.finish() for one in them]
        for one in them:
            one.close()
        # 122 bits of each are random: the first six bytes are, whole.
        heads = list(itertools.chain.from_iterable((row[0][:12], row[0][18:32]) for rows in drawn for row in rows))
        self.assertEqual(len(heads), 200 * 50 * 2)
        self.assertEqual(len(set(heads)), len(heads))
        ids = [row[0] for rows in drawn for row in rows]
        windows = [bytes.fromhex(text[18:32])[start:start + 6] for text in ids for start in (0, 1)]
        self.assertEqual(len(set(windows)), len(windows))


if __name__ == "__main__":
    BUILD = sys.argv.pop(1)
    unittest.main(verbosity=2)
