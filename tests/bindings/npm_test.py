#!/usr/bin/env python3
"""The package for npm, installed from its tarball into an empty project: the answers of the program, in Node
and in a real browser; its types; and every example of its README.

    npm_test.py PROGRAM TARBALL [CHROMIUM]
"""
import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

import questions

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CONSOLE = ROOT / "apps/console"
TARBALL = CHROMIUM = None
PROJECT = tempfile.TemporaryDirectory(prefix="tessera-npm.")
KINDS = ["ulid", "uuidv1", "uuidv4", "uuidv6", "uuidv7", "uuidv8", "objectid", "ksuid", "random", "typeid"]
WHERE = {}


def run(*words, stdin="", check=True, **environment):
    done = subprocess.run([str(word) for word in words], input=stdin, capture_output=True, text=True, timeout=280,
                          cwd=PROJECT.name, env={**os.environ, **environment})
    if check and done.returncode:
        raise AssertionError(f"{words}: {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
    return done


def install():
    folder = pathlib.Path(PROJECT.name)
    (folder / "package.json").write_text('{"name": "somebody-else", "private": true, "type": "module"}\n')
    run("npm", "install", "--offline", "--no-audit", "--no-fund", "--loglevel=error", TARBALL,
        npm_config_cache=str(folder / "cache"))
    shutil.copy(HERE / "answers.mjs", folder)
    WHERE["node"] = lambda text: run("node", "answers.mjs", stdin=text).stdout
    if CHROMIUM:
        WHERE["page"] = lambda text: run("node", HERE / "page.mjs", folder, stdin=text, CHROMIUM=CHROMIUM).stdout


def ask(where, asked):
    """One list of answers for each question."""
    packed = [[name, arguments, [base64.b64encode(text).decode() if isinstance(text, bytes) else text for text in texts]]
              for name, arguments, texts in asked]
    return json.loads(WHERE[where](json.dumps(packed)))


def floats(odds):
    return {name: float(value) if name != "words" else value for name, value in odds.items()}


class Package(unittest.TestCase):
    def test_has_what_it_lists(self):
        with tarfile.open(TARBALL) as packed:
            names = {name.removeprefix("package/") for name in packed.getnames()}
            about = json.load(packed.extractfile("package/package.json"))
        self.assertEqual(about["version"], (ROOT / "VERSION").read_text().split()[0])
        self.assertEqual(about["license"], "Apache-2.0")
        targets = [about["types"]]
        for entry in about["exports"].values():
            targets += entry.values() if isinstance(entry, dict) else [entry]
        for target in targets:
            self.assertIn(target.removeprefix("./"), names)
        self.assertLessEqual({"README.md", "LICENSE", "dist/tessera.wasm"}, names)
        self.assertEqual({pathlib.PurePath(name).suffix for name in names if name.startswith("dist/")}, {".js", ".ts", ".wasm"})
        self.assertNotIn("dependencies", about)

    def test_types_are_those_of_the_code(self):
        source = """
            import { check, convert, newId, odds, range, time, TesseraError, type Fault, type Result } from "tessera-id";
            import { load, type Tessera } from "tessera-id/core";
            const told: Result<true> = check("x", "ulid", { strict: true });
            if (!told.ok) { const fault: Fault = told.error; const at: number | null = fault.offset; console.log(at); }
            const when: Result<Date> = time("x");
            const text: string = newId("ord:checked");
            const both: Result<{ smallest: string; largest: string }> = range("ulid", 0, new Date());
            // @ts-expect-error: no such form
            convert("x", "base1");
            // @ts-expect-error: two of three are needed
            odds({ bits: 5 });
            // @ts-expect-error: a value is there only if it is good
            told.value;
            export const all: [Result<Date>, string, typeof both, typeof TesseraError] = [when, text, both, TesseraError];
            export const loaded: Promise<Tessera> = load(new WebAssembly.Module(new Uint8Array()));
        """
        pathlib.Path(PROJECT.name, "types.ts").write_text(source)
        for module, resolution in (("NodeNext", "NodeNext"), ("ESNext", "Bundler")):
            run("node", CONSOLE / "node_modules/typescript/bin/tsc", "--noEmit", "--strict", "--target", "ES2022",
                "--module", module, "--moduleResolution", resolution, "--lib", "ES2022,DOM", "types.ts")

    def test_a_bundler_takes_the_module_along(self):
        with tempfile.TemporaryDirectory(dir=PROJECT.name) as folder:  # node_modules is found above it
            pathlib.Path(folder, "index.html").write_text('<!doctype html><script type="module" src="./main.js"></script>')
            pathlib.Path(folder, "main.js").write_text('import { ulid } from "tessera-id"; document.title = ulid();')
            run("node", CONSOLE / "node_modules/vite/bin/vite.js", "build", folder, "--target", "es2022", "--logLevel", "warn")
            (module,) = pathlib.Path(folder, "dist/assets").glob("*.wasm")
            installed = pathlib.Path(PROJECT.name, "node_modules/tessera-id/dist/tessera.wasm")
            self.assertEqual(module.read_bytes(), installed.read_bytes())
            scripts = "".join(path.read_text() for path in pathlib.Path(folder, "dist/assets").glob("*.js"))
            self.assertIn(module.name, scripts)

    def test_readme(self):
        page = (ROOT / "extensions/wasm/README.md").read_text()
        blocks = re.findall(r"^```js\n(.*?)^```", page, re.S | re.M)
        self.assertGreaterEqual(len(blocks), 5)
        for number, block in enumerate(blocks):
            file = pathlib.Path(PROJECT.name, f"readme{number}.mjs")
            file.write_text(block)
            expected = re.findall(r"console\.log\(.*\); // (.*)$", block, re.M)
            self.assertGreater(len(expected), 0)
            self.assertEqual(run("node", file).stdout.splitlines(), expected, block)


class Agreement(unittest.TestCase):
    maxDiff = None
    """Whatever the text, the package says what the program says."""

    def test_on_all_vectors(self):
        asked, expected = zip(*questions.all_of())
        self.assertGreater(sum(len(texts) for _, _, texts in asked), 100_000)
        for where in WHERE:
            for question, got, wanted in zip(asked, ask(where, asked), expected):
                with self.subTest(where, name=question[0], **question[1]):
                    self.assertEqual(questions.differences(question, got, wanted), [])

    def test_on_ranges_odds_and_what_is_made(self):
        spans, bounds = zip(*questions.ranges())
        asked_odds, odds = zip(*questions.odds())
        dns = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
        made = [[kind, 200, {}] for kind in KINDS]
        made += [[f"ord:{style}", 50, {}] for style in ("ulid", "typeid", "base36", "checked")]
        made += [["random", 20, {"bits": 60, "check": 2}], ["uuidv5", 2, {"namespace": dns, "name": "é\u0000x"}],
                 ["snowflake-twitter", 100, {"machine": 7}], ["ulid", 10000, {}], ["uuidv7", 10000, {}]]
        asked = [("range", {}, spans), ("odds", {}, [dict(one) for one in asked_odds]), ("new", {}, made), ("names", {}, [0])]
        names = {}
        for where in WHERE:
            # Lists and objects are asked with as they are.
            got_bounds, got_odds, got_made, (names[where],) = self.asked(where, asked)
            with self.subTest(where):
                plain = [[str(int(text)) for text in got] if what.startswith("snowflake") else got
                         for (what, _, _), got in zip(spans, got_bounds)]
                self.assertEqual(plain, list(bounds))
                # JavaScript writes the same number with other digits: 2714922669395445000 for …248.
                self.assertEqual([floats(one) for one in got_odds], [floats(one) for one in odds])
                self.check_made(made, got_made, dns)
        self.assertEqual(len({tuple(listed) for listed in names.values()}), 1, names)

    def asked(self, where, asked):
        return json.loads(WHERE[where](json.dumps(asked)))

    def check_made(self, made, got, dns):
        for (what, count, options), ids in zip(made, got):
            self.assertEqual(len(ids), count)
            texts = [text.encode() for text in ids[:200]]
            if what == "uuidv5":
                named = [questions.program.run("new", "uuidv5", "--namespace", dns, "--name", "é").decode().strip()]
                self.assertEqual(len(set(ids)), 1)
                self.assertNotEqual(ids[:1], named)  # the name went on behind the NUL
                continue
            self.assertEqual(len(set(ids)), count, what)
            if what.startswith("ord"):
                flags = ["--prefix", "ord", "--style", what[4:]]
            elif options.get("bits"):
                flags = ["--as", "random", "--bits", "60", "--check", "2"]
            else:
                flags = ["--as", what.removesuffix("-twitter")]
            self.assertEqual(questions.checks(texts, *flags), [["valid"]] * len(texts), what)
            if what in ("ulid", "uuidv7", "uuidv6", "ord:ulid", "snowflake-twitter"):
                self.assertEqual(ids, sorted(ids), what)

    def test_wrong_calls_are_told_from_wrong_texts(self):
        source = """
            import * as t from "tessera-id";
            const code = (work) => { try { work(); return "none"; } catch (e) { return e.code ?? e.name; } };
            console.log(JSON.stringify([
              code(() => t.check("x", "No Kind!")), code(() => t.newId("uuidv5")), code(() => t.newId("long")),
              code(() => t.newIds("ulid", -1)), code(() => t.newIds("ulid", 1.5)), code(() => t.odds({ bits: 5 })),
              code(() => t.convert("x", "no form")), code(() => t.inspect("x", { as: "no kind" })),
              code(() => t.newId("snowflake")), code(() => t.newId("snowflake-twitter", { machine: 5000 })),
              code(() => t.range("ulid", -1, 5)), code(() => t.unwrap(t.check("x", "ulid"))),
              t.check("\\ud800", "ulid").ok, t.check("0".repeat(1 << 20), "ulid").error.code,
              t.inspect("\\x01".repeat(65536)).valid, code(() => t.inspect("x".repeat(65537))),
              new t.TesseraError({ code: "unknown", offset: 1, phrase: "p", hint: "h" }, "a") instanceof Error]));
        """
        file = pathlib.Path(PROJECT.name, "wrong.mjs")
        file.write_text(source)
        self.assertEqual(json.loads(run("node", file).stdout), [
            "bad_argument", "TypeError", "bad_argument", "RangeError", "RangeError", "bad_argument", "bad_argument",
            "bad_argument", "TypeError", "invalid_machine", "RangeError", "invalid_length", False, "invalid_length",
            False, "invalid_length", True])

    def test_a_clock_that_stands_and_one_that_steps_back(self):
        source = """
            import { readFileSync } from "node:fs";
            import { createRequire } from "node:module";
            import { webcrypto } from "node:crypto";
            import { load } from "tessera-id/core";
            const file = createRequire(import.meta.url).resolve("tessera-id/tessera.wasm");
            let now = 1469918176385;
            const t = await load(await WebAssembly.compile(readFileSync(file)),
              { nowMs: () => now, random: (out) => webcrypto.getRandomValues(out) });
            const ids = [...t.newIds("ulid", 1000)];
            now -= 5000;
            ids.push(...t.newIds("ulid", 1000), t.ulid());
            now += 60000;
            ids.push(t.ulid());
            console.log(JSON.stringify(ids));
        """
        file = pathlib.Path(PROJECT.name, "clock.mjs")
        file.write_text(source)
        ids = json.loads(run("node", file).stdout)
        self.assertEqual(len(ids), 2002)
        self.assertTrue(all(a < b for a, b in zip(ids, ids[1:])))


if __name__ == "__main__":
    questions.program.PROGRAM = os.path.abspath(sys.argv.pop(1))
    TARBALL = pathlib.Path(sys.argv.pop(1)).resolve()
    if len(sys.argv) > 1 and sys.argv[1].startswith("/"):
        CHROMIUM = sys.argv.pop(1)
    install()
    unittest.main()
