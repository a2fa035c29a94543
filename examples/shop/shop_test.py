#!/usr/bin/env python3
"""The shop against a real PostgreSQL: what it promises, and that its tables, its document, its statements and all
that it answered here keep the ID contract.

    shop_test.py TESSERA SHOP
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from support import Postgres, Program  # noqa: E402

TESSERA = None
ID = r"[0-7][0-9A-HJKMNP-TV-Z]{27}"
RECORDED = []


DATABASE = RUNNING = None
COMMAND, ENVIRONMENT = [], {}
STATEMENTS = re.findall(r'R"sql\((.*?)\)sql"', (HERE / "queries.h").read_text(), re.S)


def start():
    global RUNNING
    RUNNING = Program(COMMAND, SHOP_DATABASE=DATABASE.url, SHOP_TOKENS="1:alpha,2:beta", **ENVIRONMENT).__enter__()


def tessera(*words, check=True):
    done = subprocess.run([TESSERA, *words], cwd=HERE, capture_output=True, text=True)
    if check and done.returncode:
        raise AssertionError(f"{words}: {done.stdout}{done.stderr}")
    return done


def open_database():
    global DATABASE
    DATABASE = Postgres().__enter__()
    unittest.addModuleCleanup(lambda: DATABASE.__exit__())
    DATABASE.ask((HERE / "schema.sql").read_text())
    tessera("store", "init", "--store", DATABASE.url)
    for scope in ("PRODUCT", "ORDER"):
        tessera("segment", "create", scope, "--store", DATABASE.url)


def setUpModule():
    open_database()
    start()
    unittest.addModuleCleanup(lambda: RUNNING.__exit__())


class Behaviour(unittest.TestCase):
    def ask(self, method, path, body=None, token="alpha", key=None):
        fields = {"Idempotency_Key": key} if key else {}
        status, head, answer = RUNNING.ask(method, path, body, token, **fields)
        RECORDED.append({"method": method, "path": path, "body": body if isinstance(body, dict) else None, "answer": answer})
        return status, head, answer

    def product(self, key, token="alpha", name="Tea", price=450):
        status, _, answer = self.ask("POST", "/products", {"name": name, "price_cents": price}, token, key)
        self.assertEqual(status, 201, answer)
        return answer["id"]

    def order(self, key, product, quantity=1, token="alpha"):
        return self.ask("POST", "/orders", {"product_id": product, "quantity": quantity}, token, key)

    def test_a_product_and_an_order(self):
        status, head, product = self.ask("POST", "/products", {"name": "Кофе \"1\"", "price_cents": 0}, key="first")
        self.assertEqual(status, 201)
        self.assertRegex(product["id"], f"^prd_{ID}$")
        self.assertEqual(head["location"], f"/products/{product['id']}")
        self.assertEqual(self.ask("GET", head["location"])[2], product)
        self.assertIn(product, self.ask("GET", "/products")[2]["products"])
        status, head, order = self.order("first order", product["id"], 3)
        self.assertEqual((status, order["product_id"], order["quantity"]), (201, product["id"], 3))
        self.assertRegex(order["id"], f"^ord_{ID}$")
        self.assertEqual(self.ask("GET", f"/orders/{order['id']}")[::2], (200, order))

    def test_creation_happens_once(self):
        product = self.product("tea")
        status, head, first = self.order("once", product, 2)
        self.assertNotIn("idempotent-replayed", head)
        again = self.order("once", product, 2)
        self.assertEqual((again[0], again[1]["idempotent-replayed"], again[2]), (201, "true", first))
        self.assertEqual(self.order("once", product, 3)[0], 422)
        self.assertEqual(self.ask("POST", "/orders", {"product_id": product, "quantity": 2})[0], 400)
        self.assertEqual(self.ask("POST", "/orders", {"product_id": product, "quantity": 2}, key="k" * 201)[0], 400)

    def test_creation_happens_once_when_all_ask_at_once(self):
        product, made = self.product("rush"), []

        def work():
            made.append(self.order("rush", product)[2]["id"])
        threads = [threading.Thread(target=work) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(made), 16)
        self.assertEqual(len(set(made)), 1)
        self.assertEqual(DATABASE.ask("SELECT count(*) FROM orders WHERE request_key = 'rush'"), ["1"])

    def test_creation_happens_once_across_a_crash(self):
        product = self.product("crash")
        before = self.order("crash", product)[2]
        RUNNING.kill()
        RUNNING.__exit__()
        start()
        self.assertEqual(self.order("crash", product)[2], before)
        self.assertNotEqual(self.order("after the crash", product)[2]["id"], before["id"])
        self.assertEqual(DATABASE.ask("SELECT count(*) - count(DISTINCT id) FROM orders"), ["0"])

    def test_live_deleted_never_issued_and_mistyped_are_four_answers(self):
        product = self.product("four")
        order = self.order("four", product)[2]["id"]
        path = f"/orders/{order}"
        self.assertEqual(self.ask("GET", path)[0], 200)
        mistyped = order[:10] + ("7" if order[10] != "7" else "8") + order[11:]
        status, _, problem = self.ask("GET", f"/orders/{mistyped}")
        self.assertEqual((status, problem["code"]), (400, "bad_check"))
        self.assertEqual(self.ask("DELETE", path)[0], 204)
        self.assertEqual(self.ask("GET", path)[0], 410)
        self.assertEqual(self.ask("DELETE", path)[0], 410)
        made = tessera("new", "public", "--prefix", "ord", "--style", "checked").stdout.strip()
        self.assertEqual(self.ask("GET", f"/orders/{made}")[0], 404)
        # The same key still names the same order: nothing is made a second time.
        self.assertEqual(self.order("four", product)[2]["id"], order)

    def test_types_do_not_mix(self):
        product = self.product("types")
        status, _, problem = self.ask("GET", f"/orders/{product}")
        self.assertEqual((status, problem["code"]), (400, "prefix_mismatch"))
        order = self.order("types", product)[2]["id"]
        self.assertEqual(self.order("types 2", order)[0], 400)

    def test_nobody_sees_what_is_another_tenants(self):
        product = self.product("mine")
        order = self.order("mine", product)[2]["id"]
        for path in (f"/products/{product}", f"/orders/{order}"):
            self.assertEqual(self.ask("GET", path, token="beta")[0], 404)
        self.assertEqual(self.ask("DELETE", f"/orders/{order}", token="beta")[0], 404)
        self.assertEqual(self.order("theirs", product, token="beta")[0], 404)
        self.assertEqual(self.ask("GET", f"/orders/{order}")[0], 200)
        # Keys of requests are each tenant's own.
        theirs = self.product("mine", token="beta", name="Other")
        self.assertNotEqual(theirs, product)
        for token in (None, "gamma", ""):
            self.assertEqual(self.ask("GET", f"/orders/{order}", token=token)[0], 401)

    def test_rubbish_is_refused(self):
        product = self.product("rubbish")
        for body in ("", "{", "[]", "null", '{"a":' * 100, "\0", '{"product_id":1,"quantity":1}', '{"quantity":1}',
                     json.dumps({"product_id": product, "quantity": 0}), json.dumps({"product_id": product, "quantity": 1.5}),
                     json.dumps({"product_id": product, "quantity": 1 << 70}), json.dumps({"product_id": product, "quantity": "1"}),
                     json.dumps({"product_id": product, "quantity": 1, "id": "ord_" + product[4:]}),
                     json.dumps({"product_id": product + "'", "quantity": 1})):
            self.assertEqual(self.ask("POST", "/orders", body, key="rubbish")[0], 400, body)
        self.assertEqual(self.ask("POST", "/products", {"name": "a\0b", "price_cents": 1}, key="nul")[0], 400)
        quoted = "'; DROP TABLE orders; --"
        self.assertEqual(self.ask("GET", f"/products/{self.product('quoted', name=quoted)}")[2]["name"], quoted)
        self.assertEqual(self.ask("POST", "/orders", "x" * 20000, key="large")[0], 413)
        for path in ("/", "/orders/", "/orders/x/y", "/carts", "/products/%00", "//", "/orders?x"):
            self.assertIn(self.ask("GET", path)[0], (400, 404, 405), path)
        self.assertEqual(self.ask("PUT", "/orders")[0], 405)


class Contract(unittest.TestCase):
    """Comes after Behaviour, by its name: what was recorded is all that was answered there."""

    def check(self, *words):
        done = tessera("contract", "check", *map(str, words), check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)  # not even a note
        return done.stderr

    def test_is_kept_by_tables_statements_document_and_answers(self):
        self.assertGreater(len(RECORDED), 50)
        self.assertEqual(len(STATEMENTS), 8)
        with tempfile.TemporaryDirectory() as folder:
            queries, answers = pathlib.Path(folder, "queries.sql"), pathlib.Path(folder, "answers.har")
            queries.write_text(";\n".join(STATEMENTS) + ";\n")
            answers.write_text(json.dumps(har(RECORDED)))
            said = self.check("--store", DATABASE.url, "--openapi", "openapi.yaml", "--sql", queries, "--responses", answers)
        self.assertIn("2 tables", said)
        self.assertRegex(said, r"\d\d+ bodies")

    def test_would_be_seen_to_be_broken(self):
        with tempfile.TemporaryDirectory() as folder:
            answers = pathlib.Path(folder, "answers.har")
            answers.write_text(json.dumps(har([{"method": "GET", "path": "/orders/1", "body": None, "answer": {"id": 1}}])))
            said = tessera("contract", "check", "--responses", str(answers), check=False)
        self.assertEqual(said.returncode, 1)
        self.assertIn("TC201", said.stdout)


def har(entries):
    """As browsers save what they saw. What was refused has the caller's mistakes in it, not ours."""
    good = [entry for entry in entries if entry["answer"] is not None and "code" not in entry["answer"]]
    return {"log": {"version": "1.2", "entries": [
        {"request": {"method": entry["method"], "url": "http://shop.example" + entry["path"],
                     **({"postData": {"text": json.dumps(entry["body"])}} if entry["body"] else {})},
         "response": {"content": {"mimeType": "application/json", "text": json.dumps(entry["answer"])}}} for entry in good]}}


if __name__ == "__main__":
    TESSERA, SHOP = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
    COMMAND = [SHOP, "0"]
    del sys.argv[1:3]
    unittest.main()
