#!/usr/bin/env python3
"""What tools/bench_table.py promises: fair partners, losses in plain sight, no comparison of
different work."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/bench_table.py"


def row(name, times_ns, label="", checksum=None):
    for time_ns in times_ns:
        run = {"run_name": name, "run_type": "iteration", "label": label,
               "items_per_second": 1e9 / time_ns}
        yield run if checksum is None else run | {"checksum": checksum}


class BenchTable(unittest.TestCase):
    def table(self, *rows, build="release", arguments=()):
        """Exit code and everything printed."""
        with tempfile.TemporaryDirectory() as folder:
            result = pathlib.Path(folder, "result.json")
            result.write_text(json.dumps({
                "context": {"tessera_build": build, "boost": "1.81.0"},
                "benchmarks": [run for one in rows for run in one]}))
            run = subprocess.run([sys.executable, TOOL, *arguments, result], text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return run.returncode, run.stdout

    def test_a_loss_is_printed_and_is_no_error(self):
        code, printed = self.table(row("uuid/parse/tessera", [20, 20, 20]),
                                   row("uuid/parse/boost_x", [10, 10, 10], "peer"))
        self.assertEqual(code, 0, printed)
        self.assertIn("**LOSS** 0.50", printed)
        self.assertIn("Losses to a peer with the same promises: 1", printed)

    def test_names_the_version_of_the_peer(self):
        _, printed = self.table(row("uuid/parse/tessera", [10]), row("uuid/parse/boost_x", [40], "peer"))
        self.assertIn("boost 1.81.0 x", printed)
        self.assertIn("Losses to a peer with the same promises: none", printed)

    def test_takes_the_best_peer_and_its_median(self):
        _, printed = self.table(row("uuid/parse/tessera", [10, 10, 1000]),
                                row("uuid/parse/slow", [90, 90, 90], "peer"),
                                row("uuid/parse/quick", [30, 30, 900], "peer"))
        self.assertIn("| 10 |", printed)
        self.assertIn("| quick | 30 | 3 |", printed)

    def test_a_peer_that_promises_less_stands_apart(self):
        _, printed = self.table(row("uuid/new/tessera", [20]),
                                row("uuid/new/safe", [40], "peer"),
                                row("uuid/new/rash", [5], "lacks fork safety"))
        self.assertIn("| safe | 40 | 2 | rash | fork safety | 5 | **LOSS** 0.25 |", printed)
        self.assertIn("Losses to a peer with the same promises: none", printed)
        self.assertIn("which lacks fork safety", printed)

    def test_compares_only_with_as_many_threads(self):
        _, printed = self.table(row("uuid/new/tessera/threads:1", [20]),
                                row("uuid/new/safe/threads:2", [40], "peer"))
        self.assertIn("| none |", printed)

    def test_a_tenth_is_even(self):
        _, printed = self.table(row("uuid/new/tessera", [10.5]), row("uuid/new/safe", [10], "peer"))
        self.assertIn("0.95 even", printed)

    def test_refuses_different_work(self):
        code, printed = self.table(row("uuid/parse/tessera", [1], checksum=7),
                                   row("uuid/parse/other", [1], "peer", checksum=8))
        self.assertNotEqual(code, 0)
        self.assertIn("uuid/parse: checksums differ", printed)

    def test_refuses_a_debug_build(self):
        code, printed = self.table(row("uuid/parse/tessera", [1]), build="debug")
        self.assertNotEqual(code, 0)
        self.assertIn("debug build", printed)

    def test_refuses_results_without_tessera(self):
        code, printed = self.table(row("uuid/parse/other", [1], "peer"))
        self.assertNotEqual(code, 0)
        self.assertIn("no row of tessera", printed)

    def test_writes_every_repetition(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "raw.csv")
            self.table(row("uuid/parse/tessera/threads:2", [1, 2], checksum=7),
                       arguments=["--csv", path])
            self.assertEqual(path.read_text().splitlines(), [
                "row,threads,label,repetition,ns,checksum",
                "uuid/parse/tessera,2,,0,1.000,7",
                "uuid/parse/tessera,2,,1,2.000,7"])


if __name__ == "__main__":
    unittest.main()
