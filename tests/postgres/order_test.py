#!/usr/bin/env python3
"""One order for all connections, whatever happens to the server and to its clock.

    order_test.py BUILD [COUNT]      COUNT: values for each of 16 connections, 20000 if not given
"""
import os
import signal
import struct
import sys
import unittest

import order_check
import world

BUILD, COUNT = None, 20_000
CONNECTIONS = 16
ROW = struct.Struct("!hiqi16siq")  # of a binary COPY: bigint, 16 bytes, bigint


def history_of(copied):
    """(begin, value, end) of each row."""
    rows = copied[19:-2]  # between header and trailer
    assert len(rows) % ROW.size == 0, len(rows)
    return [(begin, value, end) for _, _, begin, _, value, _, end in ROW.iter_unpack(rows)]


def storm(server, function, count, connections=CONNECTIONS):
    """All connections at once; their histories."""
    them = [server.connect("test") for _ in range(connections)]
    for one in them:
        one.send(f"COPY (SELECT probe_ns(), {function}, probe_ns() FROM generate_series(1, {count})) TO STDOUT (FORMAT binary)")
    histories = [history_of(one.finish_copy()) for one in them]
    for one in them:
        one.close()
    return histories


def prepare(server):
    with server.connect() as c:
        c.rows("CREATE DATABASE test")
    with server.connect("test") as c:
        c.rows("CREATE EXTENSION tessera")
        for name, arguments, result in (("probe_ns", "", "bigint"), ("probe_uuid", "", "uuid"), ("probe_fill_shared_memory", "integer", "void")):
            c.rows(f"CREATE FUNCTION {name}({arguments}) RETURNS {result} AS '$libdir/tessera_probe' LANGUAGE C VOLATILE PARALLEL SAFE")
        c.rows("CREATE TABLE t (id ulid DEFAULT tessera_ulid_ordered() PRIMARY KEY, n int)")


class Checker(unittest.TestCase):
    """It must find what is wrong, or its silence means nothing."""

    def test_good(self):
        self.assertEqual(order_check.violations([[(1, 10, 2), (3, 30, 4)], [(1, 20, 2), (3, 25, 4)]]), [])

    def test_bad(self):
        for wrong, histories in {
                "in one connection": [[(1, 10, 2), (3, 9, 4)]],
                "handed out twice": [[(1, 10, 2)], [(1, 10, 2)]],
                "known before": [[(1, 10, 2)], [(3, 9, 4)]],
                "nothing is proved": [[(2, 10, 1)]]}.items():
            self.assertIn(wrong, " ".join(order_check.violations(histories)), wrong)


class Order(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = world.World(BUILD)
        cls.addClassCleanup(cls.world.__exit__)
        cls.server = cls.world.server("primary", {"wal_level": "replica", "max_wal_senders": 4})
        prepare(cls.server)

    def test_a_one_order_for_all(self):
        self.assertEqual(order_check.violations(storm(self.server, "tessera_ulid_ordered()", COUNT)), [])

    def test_b_uuids_too(self):
        self.assertEqual(order_check.violations(storm(self.server, "tessera_uuid7_ordered()", COUNT // 4)), [])

    def test_c_the_check_sees_another_order(self):
        """IDs of each connection's own generator are not in one order: the same check must say so."""
        found = order_check.violations(storm(self.server, "tessera_ulid()", 5000))
        self.assertIn("known before", " ".join(found))
        self.assertNotIn("twice", " ".join(found))

    def test_d_snowflakes_once(self):
        with self.server.connect("test") as c:
            c.rows("CREATE TABLE flakes (id bigint)")
            them = [self.server.connect("test") for _ in range(8)]
            for one in them:
                one.send("INSERT INTO flakes SELECT tessera_snowflake(5) FROM generate_series(1, 5000)")
            for one in them:
                one.finish()
                one.close()
            self.assertEqual(c.rows("SELECT count(*), count(DISTINCT id) FROM flakes"), [("40000", "40000")])

    def test_e_numbers_once(self):
        with self.server.connect("test") as c:
            c.rows("SELECT tessera_create_scope('ORDER', step => 50); CREATE TABLE numbers (connection int, place int, id bigint)")
            them = [self.server.connect("test") for _ in range(8)]
            for i, one in enumerate(them):
                one.send(f"INSERT INTO numbers SELECT {i}, p, tessera_next_long('ORDER') FROM generate_series(1, 5000) AS p")
            for one in them:
                one.finish()
                one.close()
            self.assertEqual(c.rows("SELECT count(*), count(DISTINCT id), max(id) FROM numbers"), [("40000", "40000", "40000")])
            self.assertEqual(c.one("SELECT count(*) FROM (SELECT id < lag(id) OVER (PARTITION BY connection ORDER BY place) AS back "
                                   "FROM numbers) AS s WHERE back"), "0")

    def test_f_read_only_and_parallel(self):
        """Nothing was given out since the start, so that each of these has to raise the mark first."""
        for statement in ("BEGIN READ ONLY; SELECT tessera_ulid_ordered(); COMMIT",
                          "BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY DEFERRABLE; SELECT tessera_uuid7_ordered(); COMMIT"):
            self.server.stop(signal.SIGQUIT)
            self.server.start()
            with self.server.connect("test") as c:
                c.rows(statement)
        self.server.stop(signal.SIGQUIT)
        self.server.start()
        with self.server.connect("test", max_parallel_workers_per_gather="2", parallel_setup_cost="0", parallel_tuple_cost="0",
                                 min_parallel_table_scan_size="0", parallel_leader_participation="off") as c:
            c.rows("CREATE TABLE wide AS SELECT i, repeat('x', 100) AS x FROM generate_series(1, 20000) AS i; ANALYZE wide")
            query = "SELECT count(DISTINCT id) FROM (SELECT tessera_ulid_ordered() AS id, tessera_next_long('ORDER') AS n FROM wide OFFSET 0) AS s"
            plan = "\n".join(c.column("EXPLAIN (ANALYZE, VERBOSE) " + query))
            self.assertRegex(plan, r"Workers Launched: [12]")
            self.assertRegex(plan, r"Gather.*(?s:.*)Output: \S*tessera_ulid_ordered\(\)")
            self.assertEqual(c.one(query), "20000")

    def test_g_not_enough_shared_memory(self):
        self.server.stop()
        self.server.start()
        with self.server.connect("test") as c:
            size = 1 << 16
            while size >= 4096:  # all of the slack, in pieces
                try:
                    c.rows(f"SELECT probe_fill_shared_memory({size})")
                    size -= 256
                except world.wire.Error:
                    size //= 2
            with self.assertRaises(world.wire.Error) as refused:
                c.rows("SELECT tessera_ulid_ordered()")
            self.assertIn("shared_preload_libraries", refused.exception.hint)
            c.rows("SELECT tessera_ulid()")
        self.server.settings["shared_preload_libraries"] = "tessera"
        self.server.stop()
        self.server.start()
        with self.server.connect("test") as c:
            c.rows("SELECT tessera_ulid_ordered()")
        del self.server.settings["shared_preload_libraries"]

    def test_h_unlogged_mark(self):
        with self.server.connect("test") as c:
            c.rows("ALTER SEQUENCE tessera_ordered_mark SET UNLOGGED")
            self.server.stop()
            self.server.start()
        with self.server.connect("test") as c:
            with self.assertRaises(world.wire.Error) as refused:
                c.rows("SELECT tessera_ulid_ordered()")
            self.assertIn("SET LOGGED", refused.exception.hint)
            c.rows("ALTER SEQUENCE tessera_ordered_mark SET LOGGED")
            c.rows("SELECT tessera_ulid_ordered()")


class Clock(unittest.TestCase):
    """The clock steps back under a running server, and between one start and the next."""

    @classmethod
    def setUpClass(cls):
        cls.world = world.World(BUILD)
        cls.addClassCleanup(cls.world.__exit__)
        cls.server = cls.world.server("primary", {"wal_level": "replica", "max_wal_senders": 4})
        prepare(cls.server)

    def seen(self, c=None, function="tessera_ulid_ordered()"):
        """A new value, of a transaction that wrote nothing: only the mark can know of it."""
        if c:
            return c.one(f"SELECT {function}")
        with self.server.connect("test") as fresh:
            return fresh.one(f"SELECT {function}")

    def restart(self, clock, how):
        if how == "kill":
            self.server.kill()
        else:
            self.server.stop(how)
        self.server.clock = clock
        self.server.start()

    def test_a_restarts(self):
        for how in ("kill", signal.SIGQUIT, signal.SIGINT):
            with self.subTest(how):
                before = self.seen()
                flake = int(self.seen(function="tessera_snowflake(1)"))
                self.restart("-3600s", how)
                with self.server.connect("test") as c:
                    self.assertLess(int(c.one("SELECT extract(epoch FROM now())::bigint")), world.time.time() - 3000)
                    self.assertGreater(self.seen(c), before)
                    self.assertGreater(int(self.seen(c, "tessera_snowflake(1)")), flake)
                self.restart(None, "kill")

    def test_b_killed_while_it_works(self):
        """What clients saw of answers that were cut short counts, too."""
        them = [self.server.connect("test") for _ in range(4)]
        for one in them:
            one.send("COPY (SELECT tessera_ulid_ordered() FROM generate_series(1, 1000000)) TO STDOUT")
        highest = max(body for one in them for body in [one._read()[1] for _ in range(3000)] if len(body) == 27)
        self.server.kill()
        for one in them:
            one.socket.close()
        self.server.clock = "-60s"
        self.server.start()
        self.assertGreater(self.seen().encode(), highest.strip())
        self.restart(None, "kill")

    def test_c_steps_under_a_running_server(self):
        file = self.world.folder / "clock"
        file.write_text("+0s\n")
        file.chmod(0o644)
        self.restart(file, signal.SIGINT)
        with self.server.connect("test") as c, self.server.connect("test") as other:
            last = self.seen(c)
            for offset in ("-3600", "-7200", "+0", "+2", "-86400"):
                file.write_text(offset + "s\n")
                now = float(c.one("SELECT extract(epoch FROM clock_timestamp())"))
                self.assertAlmostEqual(now - world.time.time(), float(offset), delta=100)
                for connection in (other, c):
                    value = self.seen(connection)
                    self.assertGreater(value, last, offset)
                    last = value
            # A backend is killed: all shared memory is made anew, while the clock is behind.
            os.kill(int(c.one("SELECT pg_backend_pid()")), signal.SIGKILL)
        world.wait_for("shared memory to be made anew", lambda: "reinitializing" in self.server.log())
        world.wait_for("the server to come back", self.server._answers)
        self.assertGreater(self.seen(), last)
        self.restart(None, "kill")

    def test_e_promotion(self):
        with self.server.connect("test") as c:
            c.rows("SELECT tessera_ulid_ordered()")
        standby = self.world.server("standby", {"wal_retrieve_retry_interval": "100ms"}, data_from=self.server)
        standby.stop()
        standby.clock = "-300s"
        standby.start()
        with self.server.connect("test") as c:
            c.rows("INSERT INTO t (n) SELECT generate_series(1, 1000)")
            highest = c.one("SELECT max(id) FROM t")
            mark = c.one("SELECT last_value FROM tessera_ordered_mark")
            while c.one("SELECT last_value FROM tessera_ordered_mark") == mark:  # it is raised while the standby looks on
                c.rows("INSERT INTO t (n) VALUES (0)")
            written = c.one("INSERT INTO t (n) VALUES (0) RETURNING id")
            self.assertGreater(written, highest)
            lsn = c.one("SELECT pg_current_wal_flush_lsn()")
        with standby.connect("test") as c:
            world.wait_for("the standby to have all", lambda: c.one(f"SELECT pg_last_wal_replay_lsn() >= '{lsn}'") == "t")
            for function in ("tessera_ulid_ordered()", "tessera_uuid7_ordered()", "tessera_snowflake(1)"):
                with self.assertRaises(world.wire.Error) as refused:
                    c.rows(f"SELECT {function}")
                self.assertEqual(refused.exception.sqlstate, "55000")
                self.assertIn("primary", refused.exception.hint)
            c.rows("SELECT tessera_ulid(), tessera_uuid7(), tessera_public_id('ord')")
            self.server.kill()
            c.rows("SELECT pg_promote()")
            world.wait_for("promotion", lambda: c.one("SELECT pg_is_in_recovery()") == "f")
            self.assertEqual(c.one("SELECT max(id) FROM t"), written)
            self.assertGreater(c.one("INSERT INTO t (n) VALUES (1) RETURNING id"), written)
        self.server.start()

    def test_d_counts_beyond_the_mark(self):
        """With a clock that is behind, the count alone comes to the mark: it is raised then, too."""
        self.seen()
        self.restart("-3600s", "kill")
        with self.server.connect("test") as c:
            self.seen(c)
            mark = int(c.one("SELECT last_value FROM tessera_ordered_mark"))
            c.rows("SELECT count(cardinality(tessera_ulids_ordered(1000000))) FROM generate_series(1, 300)")
            last = self.seen(c)
            self.assertGreater(int(c.one("SELECT last_value FROM tessera_ordered_mark")), mark)
        self.restart("-7200s", "kill")
        self.assertGreater(self.seen(), last)
        self.restart(None, "kill")

    def test_f_a_clock_beyond_all(self):
        before = self.seen()
        self.restart("@3100-01-01 00:00:00", signal.SIGINT)
        with self.server.connect("test") as c, self.assertRaises(world.wire.Error) as refused:
            c.rows("SELECT tessera_ulid_ordered()")
        self.assertEqual(refused.exception.sqlstate, "22008")
        self.restart(None, signal.SIGINT)
        self.assertGreater(self.seen(), before)


if __name__ == "__main__":
    BUILD = sys.argv.pop(1)
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        COUNT = int(sys.argv.pop(1))
    unittest.main(verbosity=2)
