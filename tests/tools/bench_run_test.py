#!/usr/bin/env python3
"""What tools/run_bench promises: a whole folder of a run, or a plain word why not.

    bench_run_test.py BUILD WASM

Some suites run for a moment; what their figures are is not looked at.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import rows  # noqa: E402

BUILD, WASM = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))


class RunBench(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_bench(self, *words, environment=()):
        return subprocess.run([sys.executable, ROOT / "tools/run_bench", "--smoke", "--build", BUILD, "--out", self.folder / "run",
                               "--work", self.folder / "work", "--wasm", WASM, *words], capture_output=True, text=True, env={**os.environ, **dict(environment)})

    def test_writes_a_whole_folder(self):
        names = ["core", "node", "service", "sqlite"]
        done = self.run_bench("--only", ",".join(names))
        self.assertEqual(done.returncode, 0, done.stderr)
        run = self.folder / "run"
        self.assertEqual(sorted(path.name for path in run.iterdir()), ["machine.json", "raw.csv", "report.html", "summary.md"])
        found = rows.read(run / "raw.csv")
        self.assertEqual(sorted({row["suite"] for row in found}), names)
        for name in names:  # a comparison has two sides
            self.assertGreater(len({row["role"] for row in found if row["suite"] == name}), 1, name)
        machine = json.loads((run / "machine.json").read_text())
        self.assertEqual(sorted(machine["suites"]), names)
        self.assertLessEqual({"sqlite", "boost", "libuuid", "openssl", "nginx", "redis", "node", "npm ulid", "npm typeid-js"},
                             set(machine["versions"]))
        self.assertIn("figures mean nothing", (run / "report.html").read_text())
        self.assertIn("figures mean nothing", (run / "summary.md").read_text())
        # A second run does not write over the first.
        done = self.run_bench("--only", "sqlite")
        self.assertEqual(done.returncode, 1)
        self.assertIn("has a run already", done.stderr)

    def test_a_peer_that_is_not_there_is_an_error_before_anything_runs(self):
        done = self.run_bench("--only", "cli", environment=[("TESSERA_BENCH_PATH", str(self.folder))])
        self.assertEqual(done.returncode, 1)
        self.assertIn("missing: hyperfine, uuidgen, yes", done.stderr)
        self.assertFalse((self.folder / "run").exists())

    def test_a_suite_that_does_not_exist_is_an_error(self):
        done = self.run_bench("--only", "coffee")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no suite coffee; there are core,", done.stderr)

    def test_a_suite_that_fails_is_told_and_fails_the_run(self):
        broken = self.folder / "tessera.wasm"
        broken.write_bytes(b"not a module")
        done = self.run_bench("--only", "core,node", "--wasm", str(broken))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"node .*FAILED")
        self.assertIn("Suites that failed, and are not in it: node", (self.folder / "run/summary.md").read_text())
        self.assertEqual({row["suite"] for row in rows.read(self.folder / "run/raw.csv")}, {"core"})


if __name__ == "__main__":
    unittest.main()
