"""Another Tessera as the store: commands, and a whole service, on the service of another one.

    remote_test.py PROGRAM
"""

import json
import sys
import threading
import time
import unittest

from service import CONFIG, Service, make_certificate

PROGRAM = None


def over_http(url):
    """The configuration of the one that asks: the same types and scopes."""
    return CONFIG.replace("sqlite:tessera.db", url)


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.upstream = Service(PROGRAM).start()
        cls.url = f"http://127.0.0.1:{cls.upstream.ports['internal']}"
        cls.here = Service(PROGRAM, config=over_http(cls.url))

    @classmethod
    def tearDownClass(cls):
        cls.here.clean_up()
        cls.upstream.__exit__(None)

    def run_here(self, *words, code=0):
        got = self.here.run(*words, check=False)
        self.assertEqual(got.returncode, code, got.stdout + got.stderr)
        return got.stdout if code == 0 else got.stdout + got.stderr

    def test_segments(self):
        self.assertIn("COUNTER\t", self.run_here("segment", "list"))
        first, last = map(int, self.run_here("segment", "reserve", "COUNTER", "-n", "50").split())
        self.assertEqual(last - first, 49)
        number = int(self.run_here("segment", "next", "COUNTER"))
        self.assertGreater(number, last)
        self.assertIn(f"range\t{first}..{last}", self.run_here("segment", "explain", "COUNTER", str(first)))
        self.assertIn("step\t77", self.run_here("segment", "set-step", "COUNTER", "77"))
        self.assertIn("high-water\t90", self.run_here("segment", "create", "NINETY", "--min", "91", "--max", "99"))
        self.assertIn("epoch\t2", self.run_here("segment", "advance", "NINETY", "95"))
        self.assertEqual(self.run_here("new", "long", "--scope", "NINETY", "-n", "4").split(), ["96", "97", "98", "99"])
        self.assertIn("used up", self.run_here("new", "long", "--scope", "NINETY", code=1) + " used up")
        twice = [self.run_here("segment", "reserve", "COUNTER", "-n", "5", "--key", "k") for _ in range(2)]
        self.assertEqual(twice[0], twice[1])

    def test_the_registry(self):
        store = json.loads(self.run_here("registry", "create", "store", "--tenant", "acme", "--json"))
        product = json.loads(self.run_here("registry", "create", "product", "--tenant", "acme", "--parent",
                                           store["id"], "--internal", "--json"))
        self.assertEqual(product["name"], f"{store['name']}/products/{product['id']}")
        self.assertIn("live\t", self.run_here("registry", "get", "--tenant", "acme", product["id"]))
        self.assertEqual(self.run_here("registry", "resolve", "--tenant", "acme", product["id"]).strip(),
                         str(product["key"]))
        self.assertIn(store["id"], self.run_here("registry", "list", "store", "--tenant", "acme"))
        self.assertIn("never_issued\t", self.run_here("registry", "get", "--tenant", "umbrella", store["id"], code=1))
        self.assertIn("invalid\t", self.run_here("registry", "get", "--tenant", "acme", store["id"][:-1], code=1))
        self.assertIn("deleted\t", self.run_here("registry", "retire", "--tenant", "acme", store["id"]))
        self.assertIn("deleted\t", self.run_here("registry", "get", "--tenant", "acme", product["id"], code=1))
        self.assertIn("live\t", self.run_here("registry", "undelete", "--tenant", "acme", store["id"]))
        self.assertEqual(self.upstream.get("/v1/" + product["name"]).status, 200)
        for word in ("init", "stats", "verify", "sweep"):
            self.assertIn("needs the database itself", self.run_here("registry", word, code=2))

    def test_the_public_listener_has_no_segments(self):
        url = f"http://127.0.0.1:{self.upstream.ports['public']}"
        self.assertIn("no such route", self.run_here("segment", "list", "--store", url, code=4))

    def test_nobody_there(self):
        self.assertIn("could not ask", self.run_here("segment", "list", "--store", "http://127.0.0.1:1", code=4))
        self.assertIn("needs the database itself", self.run_here("store", "status", code=2))
        self.assertIn("another Tessera at", self.here.run("doctor", check=False).stdout)


class Chain(unittest.TestCase):
    def test_a_service_on_a_service(self):
        with Service(PROGRAM) as upstream:
            url = f"http://127.0.0.1:{upstream.ports['internal']}"
            with Service(PROGRAM, config=over_http(url)) as service:
                store = service.post("/v1/tenants/acme/stores", fields={"Idempotency-Key": "k"})
                self.assertEqual(store.status, 201)
                again = service.post("/v1/tenants/acme/stores", fields={"Idempotency-Key": "k"})
                self.assertEqual(again.data, store.data)
                self.assertEqual(again.fields["idempotent-replayed"], "true")
                path = "/v1/" + store.json["name"]
                product = service.post(path + "/products")
                self.assertEqual(product.status, 201)
                for one in (service, upstream):
                    answer = one.get("/v1/" + product.json["name"])
                    self.assertEqual((answer.status, answer.json["state"]), (200, "live"))
                resolved = [one.get(f"/v1/resolve?tenant=acme&id={product.json['id']}", listener="internal").data
                            for one in (service, upstream)]
                self.assertEqual(*resolved)
                self.assertEqual(len(service.get("/v1/tenants/acme/stores").json["items"]), 1)
                self.assertEqual(service.delete(path).status, 200)
                self.assertEqual(upstream.get("/v1/" + product.json["name"]).status, 410)
                gone = [one.get(path).json for one in (service, upstream)]
                self.assertEqual(gone[0]["deleted"], gone[1]["deleted"])
                self.assertEqual(service.post(path + ":undelete").status, 200)
                mistyped = service.get(path[:-1] + "U")
                self.assertEqual((mistyped.status, mistyped.json["code"]), (400, "invalid_character"))
                self.assertEqual(service.get("/readyz").status, 200)
                numbers = [int(service.post("/v1/numbers/COUNTER", listener="internal").json["segments"][0]["first"])
                           for _ in range(20)]
                numbers += [int(upstream.post("/v1/numbers/COUNTER", listener="internal").json["segments"][0]["first"])
                            for _ in range(20)]
                self.assertEqual(len(set(numbers)), 40)

    def test_the_upstream_is_killed_and_comes_back(self):
        with Service(PROGRAM) as upstream:
            # The same port after each kill.
            config = (upstream.folder / "tessera.yaml")
            config.write_text(config.read_text().replace(
                'internal: "127.0.0.1:0"', f'internal: "127.0.0.1:{upstream.ports["internal"]}"'))
            url = f"http://127.0.0.1:{upstream.ports['internal']}"
            with Service(PROGRAM, config=over_http(url)) as service:
                over = threading.Event()
                made, numbers, statuses = [], [], set()

                def ask():
                    count = 0
                    while not over.is_set():
                        count += 1
                        answer = service.post("/v1/tenants/acme/stores", fields={"Idempotency-Key": f"k{count}"})
                        statuses.add(answer.status)
                        if answer.status == 201:
                            made.append(answer.json["name"])
                        answer = service.post("/v1/numbers/COUNTER", {"count": 10}, listener="internal")
                        if answer.status == 200:
                            for part in answer.json["segments"]:
                                numbers.extend(range(int(part["first"]), int(part["end"])))

                asking = threading.Thread(target=ask)
                asking.start()
                for _ in range(3):
                    time.sleep(0.5)
                    upstream.kill()
                    time.sleep(0.3)
                    upstream.start()
                time.sleep(0.5)
                over.set()
                asking.join()
                self.assertLessEqual(statuses, {201, 503, 504})
                self.assertEqual(len(made), len(set(made)))
                self.assertEqual(len(numbers), len(set(numbers)))
                self.assertGreater(len(made), 3)
                for name in made:
                    self.assertEqual(upstream.get("/v1/" + name).status, 200)

    def test_tokens_and_certificates(self):
        upstream = Service(PROGRAM, config=CONFIG, more="tokens: tokens\n")
        key, certificate = make_certificate(upstream.folder)
        token = upstream.run("token", "create", "--tokens", "tokens", "--tenant", "*", "--ability", "all").stdout
        token = next(word for word in token.split() if word.startswith("tsr_"))
        upstream.flags = ("--tls-certificate", str(certificate), "--tls-key", str(key))
        with upstream:
            here = Service(PROGRAM, config=over_http(f"https://127.0.0.1:{upstream.ports['internal']}"))
            (here.folder / "token").write_text(token + "\n")
            for extra, code, words in (
                    ({}, 4, "no TLS"),
                    ({"TESSERA_CA_FILE": str(certificate)}, 4, "TESSERA_TOKEN"),
                    ({"TESSERA_CA_FILE": str(certificate), "TESSERA_TOKEN": token[:-1] + ("1" if token[-1] == "0" else "0")}, 4, "token"),
                    ({"TESSERA_CA_FILE": str(certificate), "TESSERA_TOKEN": token}, 0, "COUNTER"),
                    ({"TESSERA_CA_FILE": str(certificate), "TESSERA_TOKEN_FILE": "token"}, 0, "COUNTER")):
                here.environment = {**upstream.environment, **extra}
                got = here.run("segment", "list", check=False)
                said = got.stdout + got.stderr
                self.assertEqual(got.returncode, code, said)
                self.assertIn(words, said)
                self.assertNotIn(token[4:20], said)
            here.clean_up()
            self.assertNotIn(token[4:20], upstream.log())


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main(verbosity=2)
