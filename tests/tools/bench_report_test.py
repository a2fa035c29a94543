#!/usr/bin/env python3
"""What a report promises: the figures of raw.csv and no others, losses as losses, and nothing made of broken rows."""
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "bench"))
import compare  # noqa: E402
import pictures  # noqa: E402
import rows  # noqa: E402
import story  # noqa: E402

RUN = HERE / "bench_run"


class Page(html.parser.HTMLParser):
    """Texts, attributes and whether every element is closed."""

    VOID = {"meta", "br"}

    def __init__(self, text):
        super().__init__()
        self.open, self.attributes, self.words = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.attributes += attributes
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.attributes += attributes

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, data):
        self.words.append(data)


def tool(name, folder):
    return subprocess.run([sys.executable, ROOT / "tools" / name, folder], text=True, capture_output=True)


class Report(unittest.TestCase):
    def page(self, folder=RUN):
        run = tool("bench_report.py", folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def results(self):
        series = compare.series_of(rows.read(RUN / "raw.csv"))
        return {(one.text, one.peer): one for one in story.results(series, json.loads((RUN / "machine.json").read_text())["versions"])}

    def test_ratios_are_medians_of_the_ratios_of_each_round(self):
        found = self.results()["UUIDv4, one call", "libuuid 2.38.1"]
        self.assertEqual((found.ratio.median, found.ratio.low, found.ratio.high), (200, 200, 300))  # 2000/10, 3600/12, 2200/11
        self.assertEqual((found.ours_text, found.peer_text, found.verdict), ("11 ns", "2.2 µs", "ahead"))

    def test_rates_are_the_other_way_round_and_targets_are_looked_at(self):
        found = self.results()["HTTP, keep-alive, one new ULID", "nginx 1.22.1 return 200"]
        self.assertAlmostEqual(found.ratio.median, 0.85)
        self.assertEqual(found.verdict, "met")
        found = self.results()["UUIDv4, one call", "Boost 1.81.0 mt19937 (no secrecy)"]
        self.assertEqual((found.ratio.median, found.verdict), (0.5, "missed"))
        found = self.results()["base36 to text", "a limit of 10 ns"]
        self.assertEqual((found.ratio.median, found.verdict), (0.5, "missed"))

    def test_the_last_place_of_a_curve_is_the_one_that_counts(self):
        found = self.results()["rows inserted, 100,000 rows", "gen_random_uuid(), 15.1"]
        self.assertEqual((found.ratio.median, found.verdict), (5, "ahead"))  # its target is for a million rows

    def test_says_where_a_round_says_otherwise(self):
        results = self.results()
        self.assertTrue(results["HTTP, keep-alive, one new ULID", "nginx 1.22.1 return 200"].is_unsure)  # 0.9 and 0.8
        self.assertFalse(results["UUIDv4, one call", "libuuid 2.38.1"].is_unsure)

    def test_what_was_not_measured_is_told_and_not_passed_over(self):
        self.assertEqual(self.results()["ULID, one call, in order", "a bare rdtsc"].verdict, "not measured")
        self.assertIn("not measured", self.page())

    def test_a_peer_that_takes_part_itself_is_not_reckoned(self):
        row = rows.read(RUN / "raw.csv")[0]
        given = [{**row, "suite": "core", "case": "uuid/parse", "who": who, "role": role, "axis": "", "at": "", "unit": "ns", "value": ns}
                 for who, role, ns in (("tessera", "ours", "2"), ("libuuid_parse", "peer", "160"), ("boost_from_chars", "peer", "4"))]

        def peers(of):
            return {one.peer: one.verdict for one in story.results(compare.series_of(of), {"boost": "newer", "libuuid": "2"})
                    if "from_chars" in one.peer}
        self.assertEqual(peers(given[:2]), {"Boost 1.90 from_chars, as a share of libuuid 2": "met"})
        self.assertEqual(peers(given), {"Boost newer from_chars": "met"})

    def test_the_page_has_the_figures_and_the_losses(self):
        words = " ".join("".join(Page(self.page()).words).split())
        self.assertIn("1 of 3 targets met", re.sub(r"(\d of \d)", r"\1 ", words).replace("  ", " "))
        self.assertIn("UUIDv4, one call: 0.5 × Boost 1.81.0 mt19937 (no secrecy), wanted 1 ×", words)
        self.assertIn("MISSED", words)
        self.assertIn("lacks secrecy, fork safety", words)
        self.assertIn("50% of the processors were busy", words)
        self.assertIn("A <processor> & more", words)

    def test_the_page_is_whole_and_asks_no_host(self):
        text = self.page()
        page = Page(text)
        self.assertEqual(page.open, [])
        for name, value in page.attributes:
            self.assertNotIn(name, ("src", "srcset", "data", "action", "onload"))
            self.assertTrue(name != "href" or value.startswith("#"), value)
        self.assertIsNone(re.search(r"(?i)https?://|url\(|@import|<script|<link", text))

    def test_every_link_goes_somewhere(self):
        page = Page(self.page())
        names = {value for name, value in page.attributes if name == "id"}
        self.assertLessEqual({value[1:] for name, value in page.attributes if name == "href"}, names)

    def test_a_curve_is_drawn_only_where_there_are_two_places(self):
        text = self.page()
        self.assertIn("<h3>Connections</h3>", text)
        self.assertNotIn("<h3>Size of a segment</h3>", text)

    def test_names_cannot_become_markup(self):
        with tempfile.TemporaryDirectory() as folder:
            run = shutil.copytree(RUN, pathlib.Path(folder, "run"))
            machine = json.loads((run / "machine.json").read_text())
            machine["versions"]["nginx"] = "<b onclick=x>"
            (run / "machine.json").write_text(json.dumps(machine))
            self.assertNotIn("<b onclick", self.page(run))

    def test_every_claim_and_picture_is_of_a_known_area_and_axis(self):
        areas = {claim.area for claim in story.CLAIMS}
        for picture in pictures.PICTURES:
            self.assertIn(picture.area, areas)
            self.assertIn(getattr(picture, "axis", ""), rows.AXES)
        for claim in story.CLAIMS:
            self.assertTrue(claim.target is None or claim.target > 0, claim.text)
            self.assertTrue(claim.peer or claim.plus > 0, claim.text)


class BrokenRows(unittest.TestCase):
    GOOD = "core,a/b,tessera,ours,,,ns,0,1"
    BROKEN = {
        "core,a/b,tessera,ours,,,ns,0": "not the columns",
        "core,a/b,tessera,ours,,,ns,0,1,2": "not the columns",
        "core,a/b,tessera,ours,,,ns,0,nan": "not a figure",
        "core,a/b,tessera,ours,,,ns,0,inf": "not a figure",
        "core,a/b,tessera,ours,,,ns,0,-1": "not a figure",
        "core,a/b,tessera,ours,,,ns,0,0": "not a figure",
        "core,a/b,tessera,ours,,,ns,0,fast": "not a figure",
        "core,a/b,tessera,ours,,,parsecs,0,1": "not a unit",
        "core,a/b,tessera,friend,,,ns,0,1": "not a role",
        "core,a/b,tessera,ours,height,1,ns,0,1": "not a place",
        "core,a/b,tessera,ours,threads,,ns,0,1": "not a place",
        "core,a/b,tessera,ours,threads,two,ns,0,1": "not a place",
        "core,a/b,tessera,ours,,,ns,first,1": "not a round",
        "core,<script>,tessera,ours,,,ns,0,1": "not a name",
        ",a/b,tessera,ours,,,ns,0,1": "not a name",
        GOOD + "\n" + GOOD: "a second time",
        "": "no rows",
    }

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.run_folder = shutil.copytree(RUN, pathlib.Path(folder.name, "run"))

    def write(self, *lines):
        (self.run_folder / "raw.csv").write_text("\n".join([",".join(rows.COLUMNS), *lines]) + "\n")
        return self.run_folder / "raw.csv"

    def test_are_refused_with_their_line(self):
        for broken, why in self.BROKEN.items():
            with self.subTest(broken=broken), self.assertRaisesRegex(rows.Broken, why) as caught:
                rows.read(self.write("core,good/row,tessera,ours,,,ns,0,1", broken) if broken else self.write())
            if broken:
                self.assertRegex(str(caught.exception), r"raw\.csv:[34]: ")

    def test_nothing_is_made_of_them(self):
        self.write(self.GOOD, "core,a/b,tessera,ours,,,ns,1,nan")
        for name in ("bench_report.py", "bench_table.py"):
            done = tool(name, self.run_folder)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("raw.csv:3: not a figure: 'nan'", done.stderr)

    def test_rows_without_tessera_are_refused(self):
        self.write("core,a/b,boost,peer,,,ns,0,1")
        done = tool("bench_report.py", self.run_folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no row of tessera", done.stderr)

    def test_a_writer_refuses_them_too(self):
        with rows.Writer(self.run_folder / "raw.csv", "core") as out:
            with self.assertRaises(rows.Broken):
                out.add("a/b", "tessera", [float("nan")], "ns")


if __name__ == "__main__":
    unittest.main()
