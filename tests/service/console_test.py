"""The web console as the running program serves it: the page, its parts, and what a browser is told.

    console_test.py PROGRAM ON|OFF      whether the program was built with the console
"""

import base64
import gzip
import hashlib
import re
import sys
import unittest

from service import Service

PROGRAM = None
BUILT = None
POLICY = ("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'{style}; img-src 'self' data:; "
          "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
ZIPPED = {"Accept-Encoding": "gzip"}


class Console(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service(PROGRAM).start()

    @classmethod
    def tearDownClass(cls):
        cls.service.__exit__(None)

    def parts(self):
        """The paths that the page names."""
        return sorted(set(re.findall(r'(?:src|href)="(/assets/[^"]+)"', self.service.get("/").text)))

    def test_the_page_says_what_a_browser_must_know(self):
        page = self.service.get("/", fields={"Accept": "text/html"})
        self.assertEqual(page.status, 200)
        self.assertEqual(page.fields["content-type"], "text/html; charset=utf-8")
        style = re.search(r"<style>(.*?)</style>", page.text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode() if style else ""
        allowed = f" 'sha256-{digest}'" if style else ""
        self.assertEqual(bool(style), BUILT)
        self.assertEqual(page.fields["content-security-policy"], POLICY.format(style=allowed))
        self.assertEqual(page.fields["x-content-type-options"], "nosniff")
        self.assertEqual(page.fields["referrer-policy"], "no-referrer")
        self.assertEqual(page.fields["origin-agent-cluster"], "?1")
        self.assertEqual("without its web console" in page.text, not BUILT)
        self.assertNotRegex(page.text, r"(?:src|href)=\"(?:https?:)?//", "another host")
        self.assertNotRegex(page.text, r"<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=", "the policy forbids it")
        self.assertEqual(page.text.count("<style"), int(BUILT), "the policy names one")

    def test_no_other_path_and_no_other_method(self):
        for path in ("/assets/nothing.js", "/assets/", "/assets", "/index.html", "/inspect/1", "/assets/..%2f..%2fetc"):
            with self.subTest(path=path):
                answer = self.service.get(path)
                self.assertIn(answer.status, (400, 404))
                self.assertEqual(answer.fields["content-type"], "application/problem+json")
        for path in ("/", "/assets/tessera.wasm"):
            answer = self.service.post(path, {})
            self.assertEqual((answer.status, answer.fields["allow"]), (405, "GET, HEAD"))


class Built(Console):
    """What there is only with the console."""

    def test_every_part_is_there_and_for_ever(self):
        parts = self.parts()
        self.assertGreaterEqual(len(parts), 2, parts)
        for path in parts:
            with self.subTest(path=path):
                answer = self.service.get(path)
                self.assertEqual(answer.status, 200)
                self.assertEqual(answer.fields["cache-control"], "public, max-age=31536000, immutable")
                self.assertEqual(answer.fields["x-content-type-options"], "nosniff")

    def test_compressed_or_not_it_is_the_same(self):
        for path in ["/", "/assets/tessera.wasm", *self.parts()]:
            with self.subTest(path=path):
                plain, zipped = self.service.get(path), self.service.get(path, fields=ZIPPED)
                self.assertNotIn("content-encoding", plain.fields)
                self.assertEqual(plain.fields["vary"], "Accept-Encoding")
                if zipped.fields.get("content-encoding") == "gzip":
                    self.assertEqual(gzip.decompress(zipped.data), plain.data)
                    self.assertNotEqual(zipped.fields["etag"], plain.fields["etag"])
                else:
                    self.assertEqual(zipped.data, plain.data)

    def test_what_a_browser_has_is_not_sent_again(self):
        for fields in ({}, ZIPPED):
            page = self.service.get("/", fields=fields)
            self.assertEqual(page.fields["cache-control"], "no-cache")
            again = self.service.get("/", fields={**fields, "If-None-Match": page.fields["etag"]})
            self.assertEqual((again.status, again.data), (304, b""))
            self.assertEqual(again.fields["etag"], page.fields["etag"])

    def test_head_is_get_without_the_body(self):
        get, head = self.service.get("/assets/tessera.wasm"), self.service.ask("HEAD", "/assets/tessera.wasm")
        self.assertEqual((head.status, head.data), (200, b""))
        for name in ("content-length", "content-type", "etag", "cache-control"):
            self.assertEqual(head.fields[name], get.fields[name])

    def test_the_commands_are_a_module(self):
        answer = self.service.get("/assets/tessera.wasm")
        self.assertEqual(answer.fields["content-type"], "application/wasm")
        self.assertEqual(answer.fields["cache-control"], "no-cache", "its name does not change when it does")
        self.assertEqual(answer.data[:4], b"\0asm")


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    BUILT = sys.argv.pop(1) == "ON"
    unittest.main(verbosity=2, defaultTest="Built" if BUILT else "Console")
