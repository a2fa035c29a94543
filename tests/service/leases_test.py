"""Snowflakes and machine numbers of the real program: killed, stopped, cut off from its store.

    leases_test.py PROGRAM
"""

import json
import signal
import sys
import time
import unittest

from service import CONFIG, START_S, Service

PROGRAM = None
MACHINE_BITS, SEQUENCE_BITS = 10, 12  # of the layout twitter


def machine_of(snowflake):
    return snowflake >> SEQUENCE_BITS & ((1 << MACHINE_BITS) - 1)


def mint(service, count=200):
    """Snowflakes; what the service says instead, if it makes none."""
    answer = service.post("/v1/ids", {"kind": "snowflake", "count": count}, listener="internal")
    return [int(id) for id in answer.json["ids"]] if answer.status == 200 else answer


def until(what, why):
    end = time.monotonic() + START_S
    while True:
        got = what()
        if got:
            return got
        if time.monotonic() > end:
            raise AssertionError(f"it never came to be: {why}")
        time.sleep(0.02)


def mint_some(service, count=200):
    """With patience: the first has to wait for a machine number."""
    def some():
        made = mint(service, count)
        return made if isinstance(made, list) else None
    return until(some, "snowflakes")


def leases(service, *flags):
    lines = service.run("lease", "list", "--json", *flags).stdout.splitlines()
    return [json.loads(line) for line in lines]


class Life(unittest.TestCase):
    def test_a_clean_stop_releases_the_number(self):
        service = Service(PROGRAM, "--lease-ttl", "600")
        with service:
            ids = mint_some(service)
            self.assertEqual(ids, sorted(set(ids)))
            held = leases(service)
            self.assertEqual([(one["scope"], one["machine"], one["state"]) for one in held], [("twitter", 0, "held")])
            self.assertTrue(held[0]["holder"].endswith("/serve"), held)
            self.assertIn('tessera_snowflake_held{layout="twitter"} 1', service.get("/metrics").text)
            service.stop()
            after = leases(service)
            self.assertEqual([(one["machine"], one["state"], one["token"]) for one in after], [(0, "resting", 1)])
            self.assertGreaterEqual(after[0]["ts_limit_ms"], held[0]["ts_limit_ms"])

    def test_without_snowflakes_no_number_is_taken(self):
        with Service(PROGRAM) as service:
            service.post("/v1/ids")
            self.assertEqual(service.post("/v1/ids", {"kind": "snowflake"}).status, 403)
            self.assertEqual(leases(service), [])

    def test_nothing_is_made_twice_after_kill_9(self):
        service = Service(PROGRAM, "--lease-ttl", "1")
        made = []
        try:
            def was_used_again():
                return any(one["token"] > 1 for one in leases(service))
            end = time.monotonic() + 2 * START_S
            rounds = 0
            while rounds < 5 or not was_used_again():
                self.assertLess(time.monotonic(), end, "no number was ever used again")
                service.start()
                for _ in range(5):
                    made.append(mint_some(service))
                service.kill()
                rounds += 1
                if rounds >= 4:  # long enough for the first numbers to have ended and rested
                    until(lambda: any(one["state"] == "free" for one in leases(service)), "a free number")
        finally:
            service.kill()
            service.close()
            service.clean_up()
        everything = [id for batch in made for id in batch]
        self.assertEqual(len(everything), len(set(everything)))
        self.assertGreater(len({machine_of(id) for id in everything}), 1, "a killed one keeps its number for a while")
        last = {}
        for id in everything:  # of one number they increase, from holder to holder
            self.assertGreater(id, last.get(machine_of(id), 0))
            last[machine_of(id)] = id

    def test_two_on_one_store_have_different_numbers(self):
        with Service(PROGRAM, "--lease-ttl", "600") as one:
            config = CONFIG.replace("sqlite:tessera.db", f"sqlite:{one.folder}/tessera.db")
            with Service(PROGRAM, "--lease-ttl", "600", config=config) as two:
                ids = [mint_some(service) for _ in range(5) for service in (one, two)]
                self.assertEqual({machine_of(id) for batch in ids[::2] for id in batch}, {0})
                self.assertEqual({machine_of(id) for batch in ids[1::2] for id in batch}, {1})

    def test_over_the_redis_protocol(self):
        with Service(PROGRAM) as service:
            mint_some(service)
            got = service.raw(b"TESSERA.NEW snowflake\r\nTESSERA.NEW snowflake 2\r\n", listener="redis").split(b"\r\n")
            ids = [int(got[1]), int(got[4]), int(got[6])]
            self.assertEqual(ids, sorted(set(ids)))


    def test_layouts_of_our_own_are_declared(self):
        layout = "1700000000000/10/t40.s8.m8"
        with Service(PROGRAM, more=f"snowflakes:\n  TICKET: {{layout: {layout}}}\n") as service:
            def ask(name):
                return service.post("/v1/ids", {"kind": "snowflake", "layout": name}, listener="internal")
            for name in ("1700000000000/10/t40.m8.s8", "1700000000001/10/t40.s8.m8", "ticket"):
                refused = ask(name)
                self.assertEqual((refused.status, refused.json["code"]), (400, "out_of_range"), refused.text)
            self.assertEqual(leases(service), [])
            ids = []
            for name in ("TICKET", layout, "TICKET"):
                answer = until(lambda: (got := ask(name)).status == 200 and got, name)
                ids.append(int(answer.json["ids"][0]))
            got = service.raw(b"TESSERA.NEW snowflake 1 TICKET\r\n", listener="redis").split(b"\r\n")
            ids.append(int(got[2]))
            self.assertEqual(ids, sorted(set(ids)))
            self.assertEqual({id & 255 for id in ids}, {0}, "the machine number stands last")
            self.assertLess(abs((ids[-1] >> 16) * 10 + 1_700_000_000_000 - time.time() * 1000), 60_000)
            self.assertEqual([(one["scope"], one["machine"]) for one in leases(service)], [("TICKET", 0)])
            command = service.run("new", "snowflake", "--scope", "TICKET", "--layout", layout)
            self.assertEqual(int(command.stdout) & 255, 1, "a command is another holder of the same scope")
            (service.folder / "tessera.yaml").write_text(CONFIG.format(more=""))
            service.process.send_signal(signal.SIGHUP)
            until(lambda: "what stands under 'snowflakes' has changed" in service.log(), "a refusal")
            self.assertEqual(ask("TICKET").status, 200, "what is held goes on")


class Remote(unittest.TestCase):
    """Another Tessera leases the numbers."""

    def test_commands(self):
        with Service(PROGRAM) as upstream:
            url = f"http://127.0.0.1:{upstream.ports['internal']}"
            store = ("--store", url)
            claimed = json.loads(upstream.run("lease", "claim", "SHOP", "--ttl", "60", "--json", *store).stdout)
            self.assertEqual((claimed["machine"], claimed["token"], claimed["floor_ms"]), (0, 1, 0))
            renewed = json.loads(upstream.run("lease", "renew", "SHOP", "0", "1", "--reserve", "600", "--json",
                                              *store).stdout)
            self.assertGreater(renewed["ts_limit_ms"], claimed["ts_limit_ms"])
            self.assertEqual([one["state"] for one in leases(upstream, *store)], ["held"])
            upstream.run("lease", "release", "SHOP", "0", "1", *store)
            lost = upstream.run("lease", "renew", "SHOP", "0", "1", *store, check=False)
            self.assertEqual(lost.returncode, 1, lost.stderr)
            self.assertIn("claim anew", lost.stderr)
            theirs = [int(id) for id in upstream.run("new", "snowflake", "-n", "1000", *store).stdout.split()]
            ours = mint_some(upstream)
            self.assertEqual(theirs, sorted(set(theirs)))
            self.assertEqual(len(set(theirs + ours)), 1200)
            nobody = upstream.run("lease", "list", "--store", "http://127.0.0.1:1", check=False)
            self.assertEqual(nobody.returncode, 4, nobody.stderr)

    def test_who_cannot_renew_stops_and_goes_on_later(self):
        with Service(PROGRAM) as upstream:
            url = f"http://127.0.0.1:{upstream.ports['internal']}"
            config = CONFIG.replace("sqlite:tessera.db", url)
            with Service(PROGRAM, "--lease-ttl", "2", config=config) as service:
                made = mint_some(service)
                upstream.process.send_signal(signal.SIGSTOP)
                try:
                    def refused():
                        got = mint(service)
                        if isinstance(got, list):
                            made.extend(got)
                            return None
                        return got
                    refusal = until(refused, "a refusal")
                    for answer in (refusal, mint(service), mint(service)):
                        self.assertIn(answer.status, (503, 504), answer)
                        self.assertIn(answer.json["code"], ("store_unavailable", "outcome_unknown", "timed_out"))
                    self.assertIn('tessera_snowflake_held{layout="twitter"} 0', service.get("/metrics").text)
                    self.assertEqual(service.post("/v1/ids").status, 200, "other kinds go on")
                finally:
                    upstream.process.send_signal(signal.SIGCONT)
                made.extend(mint_some(service))
                self.assertEqual(made, sorted(set(made)), "in order, also from one lease to the next")


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main(verbosity=2)
