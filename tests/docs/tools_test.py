#!/usr/bin/env python3
"""The checks of documents find what they are for: each is given a small tree with one fault in it.

    tools_test.py
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tools"
sys.path.insert(0, str(ROOT / "docs/site"))
import cpp_pages  # noqa: E402


class Folder(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_tool(self, *words):
        done = subprocess.run([sys.executable, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout


class Site(Folder):
    def setUp(self):
        super().setUp()
        links = "".join(f'<a href="/p{i}.html">x</a>' for i in range(12))
        self.write("index.html", f'<h1 id="top">x</h1>{links}<img src="/a.svg">')
        self.write("a.svg", "<svg/>")
        for i in range(12):
            self.write(f"p{i}.html", '<h2 id="part">x</h2><a href="index.html#top">back</a><a href="#part">here</a>')
        self.write("assets/localSearchIndex.js", '"/p0.html#part"')
        self.write("style.css", "body { background: url(a.svg) }")
        self.write("navigation.json", '[{"text": "all", "items": [{"text": "p", "link": "/p0"}]}]')

    def check(self):
        return self.run_tool(TOOLS / "check_site.py", self.folder, self.folder / "navigation.json")

    def test_a_good_one_is_good(self):
        self.assertEqual(self.check(), (0, "13 pages, 36 links, 0 faults\n"))

    def test_every_fault_is_found(self):
        for name, text, said in [
                ("p1.html", '<a href="/none.html">x</a>', "a link to what is not there: /none.html"),
                ("p1.html", '<a href="p2.html#none">x</a>', "a link to a heading that is not there: p2.html#none"),
                ("p1.html", '<img src="none.svg">', "loads what is not there: none.svg"),
                ("p1.html", '<script src="https://elsewhere.example/x.js"></script>', "loads https://elsewhere.example/x.js"),
                ("p1.html", '<link rel="stylesheet" href="//elsewhere.example/x.css">', "loads //elsewhere.example/x.css"),
                ("alone.html", "<p>x</p>", "no way leads here"),
                ("style.css", "@import 'https://elsewhere.example/x.css'", "loads https://elsewhere.example/x.css"),
                ("assets/localSearchIndex.js", '"/p1.html#part"', "the search does not know /p0")]:
            with self.subTest(said=said):
                self.setUp()
                self.write(name, text)
                code, printed = self.check()
                self.assertEqual(code, 1)
                self.assertIn(said, printed)
                self.assertIn("1 faults", printed)


class Spelling(Folder):
    def setUp(self):
        super().setUp()
        for name in ("docs", "src", "bench", "apps/console"):
            shutil.copytree(ROOT / name, self.folder / name, ignore=lambda _, names: [
                one for one in names if "." in one and not one.endswith(".md") or one == "node_modules"])
        for page in ROOT.glob("*.md"):
            self.write(page.name, page.read_text())
        self.write("tools/words.txt", (TOOLS / "words.txt").read_text())

    def check(self):
        return self.run_tool(TOOLS / "check_spelling.py", self.folder)

    def test_a_wrong_word_is_found_in_prose_and_not_in_code(self):
        page = self.folder / "docs/kinds.md"
        text = page.read_text()
        page.write_text(text + "\nHere `mispeled` is code, as in\n\n```sh\nmispeled\n```\n\n    mispeled\n")
        self.assertEqual(self.check()[0], 0)
        page.write_text(text + "\nHere it is mispeled.\n")
        code, printed = self.check()
        self.assertEqual(code, 1)
        self.assertIn("docs/kinds.md:", printed)
        self.assertIn(": mispeled\n", printed)

    def test_a_word_that_nobody_needs_is_found(self):
        self.write("tools/words.txt", (TOOLS / "words.txt").read_text() + "quuxly\n")
        code, printed = self.check()
        self.assertEqual(code, 1)
        self.assertIn("no page needs 'quuxly'", printed)


class Headers(Folder):
    """A header as Doxygen and cpp_pages.py show it."""
    HEADER = '''#pragma once

// Shop: \\alpha of <things> @ home, 2 * 3.
//
//    | picture |

#include <string>

namespace tessera {

// What is sold.
struct Thing {
  std::string name;  // as on the <label>
  int price = 0;

  // Both are cheap.
  int low() const { return 1; }
  static int high(const Thing& thing, std::string_view very_long_name_of_a_parameter, std::string_view another_one);

  int alone();

 private:
  // Nobody sees this.
  int hidden_;
};

enum class Colour {
  red,  // like a rose
  blue,
};

// Sells one.
void sell(Thing& thing);

void nobody_says();

namespace detail {
void inner();
}

}  // namespace tessera
'''

    def test_says_what_the_header_says(self):
        self.write("include/tessera/shop.h", self.HEADER)
        site = self.folder / "docs/site"
        site.parent.mkdir()
        site.symlink_to(ROOT / "docs/site")
        (self.folder / "xml").mkdir()
        subprocess.run(["doxygen", "docs/site/Doxyfile"], cwd=self.folder, check=True, timeout=120,
                       env={**os.environ, "DOXYGEN_OUT": str(self.folder)})
        pages, silent = cpp_pages.read(self.folder / "xml", self.folder / "include")
        page = pages["tessera/shop.h"]
        for text in (
            "Shop: \\alpha of &lt;things&gt; @ home, 2 \\* 3.\n",
            "```text\n | picture |\n```",
            "## Thing\n\n```text\nstruct Thing\n```\n\nWhat is sold.\n",
            "| `std::string name` | as on the &lt;label&gt; |\n| `int price = 0` |  |\n",
            "### low, high\n\n```text\nint low() const\nstatic int high(\n    const Thing& thing,\n",
            "another_one)\n```\n\nBoth are cheap.\n\n### alone\n",
            "| `red` | like a rose |\n| `blue` |  |\n",
            "## sell\n\n```text\nvoid sell(Thing& thing)\n```\n\nSells one.\n\nUses [Thing](/reference/cpp/shop.md#thing).\n",
        ):
            self.assertIn(text, page)
        self.assertNotIn("hidden_", page)
        self.assertNotIn("inner", page)
        self.assertEqual([one.rpartition(" ")[2] for one in silent], ["nobody_says"])


class Stage(Folder):
    def setUp(self):
        super().setUp()
        tree = self.folder / "tree"
        shutil.copytree(ROOT / "docs", tree / "docs", ignore=shutil.ignore_patterns("node_modules"))
        for name in ("src", "include", "apps/tessera", "cmake", "tools", "bench", "packaging"):
            shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("*.cpp", "__pycache__", "raw.csv"))
        shutil.copytree(ROOT / "examples", tree / "examples", ignore=shutil.ignore_patterns("node_modules", "__pycache__"))
        for page in ROOT.glob("*.md"):
            self.write(f"tree/{page.name}", page.read_text())
        for page in ROOT.glob("*/*/README.md"):
            self.write(f"tree/{page.relative_to(ROOT)}", page.read_text())

    def stage(self):
        out = self.folder / "out"
        out.mkdir(exist_ok=True)
        return self.run_tool(self.folder / "tree/docs/site/stage.py", out)

    def test_a_page_outside_of_the_navigation_and_a_dead_link_are_found(self):
        code, printed = self.stage()
        self.assertEqual(code, 0, printed)
        self.write("tree/docs/forgotten.md", "# Forgotten\n\n[none](none.md)\n")
        code, printed = self.stage()
        self.assertEqual(code, 1)
        self.assertIn("docs/forgotten.md: not in the tables of docs/README.md", printed)
        self.assertIn("docs/forgotten.md: a link to what is not there: none.md", printed)


if __name__ == "__main__":
    unittest.main()
