#!/usr/bin/env python3
"""What bench/google.py and tools/bench_table.py promise: fair partners, losses in plain sight, no comparison of
different work."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import google  # noqa: E402
import rows  # noqa: E402

MACHINE = json.loads((pathlib.Path(__file__).parent / "bench_run/machine.json").read_text())


def row(name, times_ns, label="", checksum=None, **more):
    for time_ns in times_ns:
        run = {"run_name": name, "run_type": "iteration", "label": label, "items_per_second": 1e9 / time_ns, "iterations": 1000,
               "cpu_time": time_ns, "real_time": time_ns, "time_unit": "ns", **more}
        yield run if checksum is None else run | {"checksum": checksum}


class BenchTable(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def convert(self, *parts, build="release", **options):
        """Writes raw.csv; what was told besides."""
        result = self.folder / "result.json"
        result.write_text(json.dumps({"context": {"tessera_build": build, "boost": "1.81.0", "num_cpus": 2},
                                      "benchmarks": [run for part in parts for run in part]}))
        with rows.Writer(self.folder / "raw.csv", "core") as out:
            return google.convert(result, out, **options)

    def table(self, *parts):
        self.convert(*parts)
        (self.folder / "machine.json").write_text(json.dumps(MACHINE))
        run = subprocess.run([sys.executable, ROOT / "tools/bench_table.py", self.folder], text=True, capture_output=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def test_a_loss_is_printed_and_is_no_error(self):
        printed = self.table(row("uuid/parse/tessera", [20, 20, 20]), row("uuid/parse/boost_x", [10, 10, 10], "peer"))
        self.assertIn("**LOSS** 0.50", printed)
        self.assertIn("Losses to a peer with the same promises: 1", printed)

    def test_names_the_version_of_the_peer(self):
        printed = self.table(row("uuid/parse/tessera", [10]), row("uuid/parse/boost_x", [40], "peer"))
        self.assertIn("boost 1.81.0 x", printed)
        self.assertIn("Losses to a peer with the same promises: none", printed)

    def test_takes_the_best_peer_and_the_median_of_the_ratios(self):
        printed = self.table(row("uuid/parse/tessera", [10, 10, 1000]), row("uuid/parse/slow", [90, 90, 90], "peer"),
                             row("uuid/parse/quick", [30, 30, 900], "peer"))
        self.assertIn("| tessera |  | 10 ns |", printed)
        self.assertIn("| quick | 30 ns | 3 |", printed)

    def test_a_peer_that_promises_less_stands_apart(self):
        printed = self.table(row("uuid/new/tessera", [20]), row("uuid/new/safe", [40], "peer"),
                             row("uuid/new/rash", [5], "lacks fork safety"))
        self.assertIn("| safe | 40 ns | 2 | rash | fork safety | 5 ns | **LOSS** 0.25 |", printed)
        self.assertIn("Losses to a peer with the same promises: none", printed)
        self.assertIn("which lacks fork safety", printed)

    def test_compares_only_with_as_many_threads(self):
        printed = self.table(row("uuid/new/tessera/threads:1", [20]), row("uuid/new/safe/threads:2", [40], "peer"))
        self.assertIn("| none |", printed)

    def test_one_thread_is_no_other_place_than_none(self):
        printed = self.table(row("uuid/new/tessera/threads:1", [20]), row("uuid/new/safe", [40], "peer"))
        self.assertIn("| safe | 40 ns | 2 |", printed)

    def test_a_tenth_is_even(self):
        printed = self.table(row("uuid/new/tessera", [10.5]), row("uuid/new/safe", [10], "peer"))
        self.assertIn("0.95 even", printed)

    def test_refuses_different_work(self):
        with self.assertRaisesRegex(rows.Broken, "uuid/parse .*checksums differ"):
            self.convert(row("uuid/parse/tessera", [1], checksum=7), row("uuid/parse/other", [1], "peer", checksum=8))

    def test_refuses_a_debug_build(self):
        with self.assertRaisesRegex(rows.Broken, "debug build"):
            self.convert(row("uuid/parse/tessera", [1]), build="debug")

    def test_refuses_results_without_tessera(self):
        with self.assertRaisesRegex(rows.Broken, "no row of tessera"):
            self.convert(row("uuid/parse/other", [1], "peer"))

    def test_refuses_a_peer_that_does_not_say_what_it_promises(self):
        with self.assertRaisesRegex(rows.Broken, "needs a label"):
            self.convert(row("uuid/parse/tessera", [1]), row("uuid/parse/other", [1]))

    def test_refuses_an_argument_without_a_name(self):
        with self.assertRaisesRegex(rows.Broken, "needs a name"):
            self.convert(row("filter/refuse/tessera/1000", [1]))

    def test_refuses_a_run_that_failed(self):
        with self.assertRaisesRegex(rows.Broken, "out of order"):
            self.convert(row("uuid/parse/tessera", [1], error_occurred=True, error_message="out of order"))

    def test_leaves_out_and_names_what_was_measured_too_shortly(self):
        _, left_out = self.convert(row("uuid/new/tessera", [100]), row("uuid/new/safe/threads:2", [10], "peer"), min_time_s=0.00049)
        self.assertEqual(left_out, ["uuid/new/safe/threads:2"])
        self.assertEqual({one["who"] for one in rows.read(self.folder / "raw.csv")}, {"tessera"})

    def test_writes_every_repetition_and_the_place_on_the_axis(self):
        versions, _ = self.convert(row("uuid/parse/tessera/real_time/threads:2", [1, 2], checksum=7))
        self.assertEqual((self.folder / "raw.csv").read_text().splitlines(), [
            "suite,case,who,role,axis,at,unit,round,value",
            "core,uuid/parse,tessera,ours,threads,2,ns,0,1",
            "core,uuid/parse,tessera,ours,threads,2,ns,1,2"])
        self.assertEqual(versions, {"boost": "1.81.0"})

    def test_reads_what_was_timed_in_turns_and_what_grew(self):
        self.convert(row("sqlite/registry_create/tessera/manual_time", [1], per_s=70, bare_per_s=100),
                     row("sqlite/registry_growth/tessera", [1], **{"look_up_per_s@1000": 5.0, "bytes_each@1000": 120.0}))
        told = [",".join(one.values()) for one in rows.read(self.folder / "raw.csv")]
        self.assertEqual(told, ["core,sqlite/registry_create,tessera,ours,,,/s,0,70", "core,sqlite/registry_create,by_hand,lacks tenants, tombstones, keys of requests,,,/s,0,100",
                                "core,sqlite/registry_growth/look_up,tessera,ours,ids,1000,/s,0,5",
                                "core,sqlite/registry_growth/bytes_each,tessera,ours,ids,1000,bytes,0,120"])


if __name__ == "__main__":
    unittest.main()
