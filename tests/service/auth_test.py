"""Who may ask, over plain HTTP, TLS and the Redis protocol; and that no token is ever written down.

    auth_test.py PROGRAM
"""

import http.client
import json
import pathlib
import signal
import ssl
import subprocess
import sys
import time
import unittest

import redis

from service import START_S, Service, make_certificate, trusting

PROGRAM = None


def make_token(service, *flags):
    return json.loads(service.run("token", "create", "--json", *flags).stdout)


class Auth(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service(PROGRAM, "--log-level", "debug", more="tokens: tokens\n")
        cls.acme = make_token(cls.service, "--tenant", "acme", "--ability", "create", "--ability", "look-up")
        cls.other = make_token(cls.service, "--tenant", "other", "--ability", "all")
        cls.minter = make_token(cls.service, "--ability", "mint", "--rate", "5")
        cls.service.start()

    @classmethod
    def tearDownClass(cls):
        cls.service.__exit__(None)

    def test_without_a_token_nothing(self):
        good = self.acme["token"]
        nearly = good[:-1] + ("1" if good[-1] == "0" else "0")
        for token in (None, "wrong", nearly, "x" * 10000):
            answer = self.service.post("/v1/ids", token=token)
            self.assertEqual(answer.status, 401, answer)
            self.assertIn("Bearer", answer.fields["www-authenticate"])
        self.assertEqual(self.service.get("/healthz").status, 200)

    def test_a_token_does_what_it_may(self):
        made = self.service.post("/v1/tenants/acme/stores", token=self.acme["token"])
        self.assertEqual(made.status, 201, made)
        path = "/v1/" + made.json["name"]
        self.assertEqual(self.service.get(path, token=self.acme["token"]).status, 200)
        self.assertEqual(self.service.delete(path, token=self.acme["token"]).status, 403)
        self.assertEqual(self.service.post("/v1/ids", token=self.acme["token"]).status, 403)

    def test_another_tenant_learns_nothing(self):
        made = self.service.post("/v1/tenants/acme/stores", token=self.acme["token"])
        name = made.json["name"]
        foreign = self.service.get("/v1/" + name.replace("acme", "other", 1), token=self.other["token"])
        outside = self.service.get("/v1/" + name, token=self.other["token"])
        never = self.service.get("/v1/tenants/other/stores/sto_01M3250V00CG7KJX20FSV5DMNA", token=self.other["token"])
        self.assertEqual({foreign.status, outside.status, never.status}, {404})
        for answer in (foreign, outside):
            self.assertEqual(answer.json["code"], never.json["code"])
            self.assertEqual(set(answer.json), set(never.json))

    def test_too_often_is_told_when(self):
        answers = [self.service.post("/v1/ids", token=self.minter["token"]) for _ in range(40)]
        late = [answer for answer in answers if answer.status == 429]
        self.assertTrue(late)
        self.assertGreaterEqual(int(late[0].fields["retry-after"]), 1)
        self.assertTrue([answer for answer in answers if answer.status == 200])

    def test_a_revoked_token_is_none_within_seconds(self):
        token = make_token(self.service, "--tenant", "acme", "--ability", "look-up")
        path = "/v1/tenants/acme/stores/sto_01M3250V00CG7KJX20FSV5DMNA"
        self.wait_for(lambda: self.service.get(path, token=token["token"]).status == 404)
        self.service.run("token", "revoke", token["id"])
        self.wait_for(lambda: self.service.get(path, token=token["token"]).status == 401)

    def test_the_redis_protocol_asks_too(self):
        client = redis.Redis(port=self.service.ports["redis"])
        with self.assertRaises(redis.AuthenticationError):
            client.incr("ORDER")
        client.close()
        client = redis.Redis(port=self.service.ports["redis"], password=self.other["token"])
        self.assertGreater(client.incr("ORDER"), 0)
        client.close()

    def test_no_token_is_written_down(self):
        secrets = [token["token"] for token in (self.acme, self.other, self.minter)]
        for token in secrets:
            self.service.get("/v1/ids/" + token, token=token)
            self.service.get("/nowhere?token=" + token)
        places = {
            "log": self.service.log(),
            "tokens": (self.service.folder / "tokens").read_text(),
            "command line": pathlib.Path(f"/proc/{self.service.process.pid}/cmdline").read_text(),
            "greeting": self.service.greeting,
            "metrics": self.service.get("/metrics", token=self.other["token"]).text,
        }
        self.assertIn('"event":"started"', places["log"])
        for name, text in places.items():
            for secret in secrets:
                self.assertNotIn(secret, text, name)
                self.assertNotIn(secret[4:], text, name)

    def test_internal_routes_are_not_here(self):
        for path in ("/v1/segments", "/v1/segments/ORDER"):
            self.assertEqual(self.service.get(path, token=self.other["token"]).status, 404)
            self.assertEqual(self.service.get(path, token=self.other["token"], listener="internal").status, 200)

    def wait_for(self, condition):
        end = time.monotonic() + START_S
        while not condition():
            self.assertLess(time.monotonic(), end, "it did not come to be")
            time.sleep(0.05)


class Start(unittest.TestCase):
    def test_without_tokens_others_are_kept_out(self):
        service = Service(PROGRAM)
        config = service.folder / "tessera.yaml"
        config.write_text(config.read_text().replace("127.0.0.1:0", "0.0.0.0:0", 1))
        got = service.run("serve", check=False)
        service.clean_up()
        self.assertNotEqual(got.returncode, 0)
        self.assertIn("without tokens only this machine may ask", got.stderr)

    def test_a_file_of_tokens_that_others_may_read_is_refused(self):
        service = Service(PROGRAM, more="tokens: tokens\n")
        make_token(service, "--ability", "mint")
        (service.folder / "tokens").chmod(0o644)
        got = service.run("serve", check=False)
        service.clean_up()
        self.assertNotEqual(got.returncode, 0)
        self.assertIn("open to others", got.stderr)


class Tls(unittest.TestCase):
    def ask(self, service, context):
        connection = http.client.HTTPSConnection("127.0.0.1", service.ports["public"], context=context, timeout=START_S)
        try:
            connection.request("POST", "/v1/ids")
            return connection.getresponse().status
        finally:
            connection.close()

    def test_serves_tls_and_reloads_its_certificate(self):
        service = Service(PROGRAM, "--tls-certificate", "tessera.pem", "--tls-key", "tessera.key")
        _, first = make_certificate(service.folder)
        with service:
            context = trusting(first)
            self.assertEqual(self.ask(service, context), 200)
            for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
                only = trusting(first)
                only.minimum_version = only.maximum_version = version
                self.assertEqual(self.ask(service, only), 200)
            old = subprocess.run(["openssl", "s_client", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0", "-connect",
                                  f"127.0.0.1:{service.ports['public']}"], input=b"", capture_output=True)
            self.assertNotEqual(old.returncode, 0)
            make_certificate(service.folder)
            service.process.send_signal(signal.SIGHUP)
            end = time.monotonic() + START_S
            while '"event":"reloaded"' not in service.log() and time.monotonic() < end:
                time.sleep(0.01)
            with self.assertRaises(ssl.SSLError):
                self.ask(service, context)
            self.assertEqual(self.ask(service, trusting(first)), 200)

    def test_asks_callers_for_a_certificate(self):
        service = Service(PROGRAM, "--tls-certificate", "tessera.pem", "--tls-key", "tessera.key",
                          "--tls-client-ca", "caller.pem")
        _, certificate = make_certificate(service.folder)
        key, caller = make_certificate(service.folder, "caller")
        with service:
            context = trusting(certificate)
            with self.assertRaises((ssl.SSLError, OSError, http.client.HTTPException)):
                self.ask(service, context)
            context.load_cert_chain(caller, key)
            self.assertEqual(self.ask(service, context), 200)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main(verbosity=2)
