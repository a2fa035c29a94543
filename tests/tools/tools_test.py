#!/usr/bin/env python3
"""What the checks of tools/ promise: each finds what it is there to find, and lets the rest pass.

A check that cannot fail is worth nothing, so every rule has one tree here that breaks it.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"


class ToolTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run_tool(self, tool, *arguments):
        """Returns the exit code and everything printed."""
        run = subprocess.run([sys.executable, TOOLS / tool, *arguments], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return run.returncode, run.stdout


class Layers(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("tools/layers.txt", (TOOLS / "layers.txt").read_text())

    def check(self, name, include):
        self.write(name, f"// A file.\n#include {include}\n")
        return self.run_tool("check_layers.py", self.root)

    def test_lets_pass_what_layers_txt_allows(self):
        for name, include in [
            ("src/core/ulid.cpp", '"tessera/ulid.h"'),
            ("src/core/ulid.cpp", "<cstdint>"),
            ("src/core/system.cpp", "<sys/random.h>"),
            ("src/core/ulid_test.cpp", "<gtest/gtest.h>"),
            ("include/tessera/c.h", "<stdint.h>"),
            ("include/tessera/segment/store.h", '"tessera/result.h"'),
            ("src/store/sqlite.cpp", "<sqlite3.h>"),
            ("src/store/sqlite.cpp", '"tessera/segment/store.h"'),
            ("extensions/sqlite/tessera.c", '"tessera/c.h"'),
        ]:
            with self.subTest(name=name, include=include):
                code, printed = self.check(name, include)
                self.assertEqual(code, 0, printed)

    def test_refuses_the_rest(self):
        for name, include, why in [
            ("src/core/ulid.cpp", "<unistd.h>", "standard library only"),
            ("src/core/ulid_kernel.cpp", "<openssl/evp.h>", "standard library only"),
            ("src/core/ulid_test.cpp", '"segment/range.h"', "core may not include segment"),
            ("include/tessera/ulid.h", '"core/base32.h"', "public headers only"),
            ("include/tessera/segment/a.h", '"tessera/store/sqlite.h"', "segment may not include store"),
            ("src/service/handle.cpp", '"tessera/store/sqlite.h"', "service may not include store"),
            ("extensions/sqlite/tessera.c", '"tessera/ulid.h"', "extensions may not include core"),
            ("src/attic/old.cpp", "<cstdint>", "attic is not a room"),
        ]:
            with self.subTest(name=name, include=include):
                code, printed = self.check(name, include)
                self.assertEqual(code, 1)
                self.assertIn(f"{name}:2:", printed)
                self.assertIn(why, printed)
            (self.root / name).unlink()


class Tree(ToolTest):
    def check(self, name, text, mode=0o644):
        self.write(name, text).chmod(mode)
        return self.run_tool("check_tree.py", self.root)

    def test_lets_a_tidy_tree_pass(self):
        self.check("src/core/ulid.h", "#pragma once\n\n// Ulid: an identifier.\n")
        self.check("tools/run", "#!/bin/sh\necho hello\n", 0o755)
        self.check("Makefile", "all:\n\ttrue\n")
        self.check("tests/corpus/ulid_fuzz/seed", "TOD" + "O \t \n\n\n")
        code, printed = self.check("docs/a.md", "# A page\n\n[here](#a-page) [there](../src/core/ulid.h)\n"
                                   "```cpp\nint array[](int);\n```\n")
        self.assertEqual(code, 0, printed)

    def test_refuses_an_untidy_one(self):
        comment = "// A file.\n"
        for name, text, why in [
            ("docs/a.md", "see /wor" + "k/main/x\n", "path of somebody's machine"),
            ("docs/a.md", "see ../share" + "d/x\n", "path of somebody's machine"),
            ("tests/vectors/a.json", "{} /hom" + "e/me/x\n", "path of somebody's machine"),
            ("src/core/a.cpp", comment + "// TOD" + "O: more\n", "mark left behind"),
            ("src/core/a_test.cpp", comment + "GTEST_SKI" + "P();\n", "test that does not run"),
            ("src/core/a_test.cpp", comment + "TEST(A, DISABLE" + "D_B) {}\n", "test that does not run"),
            ("src/core/a.cpp", comment + "\tint a;\n", "tab"),
            ("src/core/a.cpp", comment + "int a; \n", "blanks at the end"),
            ("src/core/a.cpp", comment + "int a;", "exactly one newline"),
            ("src/core/a.cpp", '#include "a.h"\n\n// Late.\n', "does not begin with a comment"),
            ("tools/a", "#!/bin/sh\necho\n", "not executable"),
            ("docs/a.md", "```cpp no-compile\n```\n", "nothing more"),
            ("docs/a.md", "```c++\n```\n", "nothing more"),
            ("docs/a.md", "[b](b.md)\n", "file that is not there"),
            ("docs/a.md", "# A\n\n[b](#b)\n", "heading that is not there"),
        ]:
            with self.subTest(name=name, text=text):
                code, printed = self.check(name, text)
                self.assertEqual(code, 1)
                self.assertIn(why, printed)
            (self.root / name).unlink()

    def test_refuses_what_shellcheck_refuses(self):
        code, printed = self.check("tools/a", "#!/bin/bash\nrm -r $1/x\n", 0o755)
        self.assertEqual(code, 1)
        self.assertIn("tools/a:2: note: Double quote", printed)


class Examples(ToolTest):
    def test_programs_stand_alone_and_parts_share_a_file(self):
        page = ("# Page\n\n```cpp\nint main() {}\n```\n\n```cpp\n#include <string>\nstd::string a;\n```\n"
                "\n```sh\nmake\n```\n\n```cpp\n#include <string>\nif (1) return 1;\n```\n")
        self.write("docs/a-b.md", page)
        code, printed = self.run_tool("readme_examples.py", self.root, self.root / "out", "docs/a-b.md")
        self.assertEqual((code, printed.split()), (0, ["docs_a_b_1_main.cpp", "docs_a_b_parts.cpp"]))
        self.assertEqual((self.root / "out/docs_a_b_1_main.cpp").read_text(),
                         '#line 4 "docs/a-b.md"\nint main() {}\n')
        parts = (self.root / "out/docs_a_b_parts.cpp").read_text()
        self.assertEqual(parts.count("#include <string>"), 1)
        self.assertIn('#line 8 "docs/a-b.md"\n\nstd::string a;\nreturn 0;', parts)


class Console(ToolTest):
    def replay(self, *lines):
        page = self.write("page.md", "\n".join(["# Page", "", "```console", *lines, "```", ""]))
        return self.run_tool("replay_console.py", "--bin", self.root, page)

    def test_lets_a_true_transcript_pass(self):
        program = self.write("hello", "#!/bin/sh\necho hello $1; echo oops >&2; exit 3\n")
        program.chmod(0o755)
        code, printed = self.replay("$ hello you > file; cat file", "oops", "hello you",
                                    "$ hello \\", "> 01ABCDEF", "hello 01...F", "...", "[exit 3]",
                                    "$ seq 9", "1", "...", "9")
        self.assertEqual(code, 0, printed)

    def test_refuses_an_untrue_one(self):
        for lines in [("$ echo a", "b"), ("$ echo a",), ("$ true", "a"), ("$ false",), ("$ true", "[exit 1]"),
                      ("$ echo a.c", "abc"), ("$ seq 3", "1", "... 3"), ("no command",), ()]:
            with self.subTest(lines=lines):
                code, printed = self.replay(*lines)
                self.assertNotEqual(code, 0, printed)


class Dependencies(unittest.TestCase):
    def test_page_and_script_name_the_same_packages(self):
        listed = subprocess.run([TOOLS / "install-deps", "--list"], capture_output=True, text=True, check=True)
        page = (TOOLS.parent / "docs/dependencies.md").read_text()
        rows = re.findall(r"^\| (`[^|]*`) \|", page, re.M)
        self.assertEqual(sorted(re.findall(r"`([^`]+)`", " ".join(rows))), sorted(listed.stdout.split()))


class Tidy(ToolTest):
    BAD, GOOD = "int x = sizeof(sizeof(int));\n", "int x = 1;\n"

    def setUp(self):
        super().setUp()
        self.write(".clang-tidy", "Checks: '-*,bugprone-sizeof-expression'\nWarningsAsErrors: '*'\n")
        self.write("build/compile_commands.json", json.dumps([
            {"directory": str(self.root), "file": str(self.root / "a.cpp"),
             "command": f"/usr/bin/g++ -I{self.root} -o a.o -c {self.root}/a.cpp"}]))

    def tidy(self, text, header="// a\n"):
        self.write("a.h", header)
        self.write("a.cpp", "#include \"a.h\"\n" + text)
        run = subprocess.run([sys.executable, TOOLS / "tidy.py", "build", "a.cpp"], cwd=self.root, text=True,
                             env={**os.environ, "XDG_CACHE_HOME": str(self.root / "cache")},
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return run.returncode, run.stdout

    def test_a_clean_file_is_read_once(self):
        self.assertEqual(self.tidy(self.GOOD), (0, "clang-tidy: 1 of 1 files are clean (0 as they were)\n"))
        self.assertEqual(self.tidy(self.GOOD), (0, "clang-tidy: 1 of 1 files are clean (1 as they were)\n"))

    def test_what_has_changed_is_read_again_and_what_is_bad_always(self):
        self.tidy(self.GOOD)
        for header in ["// b\n", "// NOLINTBEGIN\n// NOLINTEND\n"]:
            code, printed = self.tidy(self.GOOD, header)
            self.assertEqual(code, 0)
            self.assertIn("(0 as they were)", printed)
        self.write(".clang-tidy", "Checks: '-*,bugprone-sizeof-*'\nWarningsAsErrors: '*'\n")
        self.assertIn("(0 as they were)", self.tidy(self.GOOD)[1])
        for _ in range(2):
            code, printed = self.tidy(self.BAD)
            self.assertEqual(code, 1)
            self.assertIn("sizeof", printed)
            self.assertIn("0 of 1 files are clean", printed)


class CompileFail(ToolTest):
    def check(self, text):
        path = self.write("case.cpp", text)
        return self.run_tool("check_compile_fail.py", path, os.environ.get("CXX", "c++"))

    def test_wants_the_failure_and_its_reason(self):
        wrong = "#ifdef SHOULD_FAIL\nstatic_assert(false, \"no clash\");\n#endif\n"
        for text, code, why in [
            ("// EXPECT: no.clash\n" + wrong, 0, ""),
            ("// EXPECT: something else\n" + wrong, 1, "does not match: something else"),
            ("// EXPECT: no clash\n// EXPECT: second\n" + wrong, 1, "does not match: second"),
            ("// EXPECT: no clash\nint a;\n", 1, "compiles with SHOULD_FAIL"),
            ("// EXPECT: no clash\nint a\n" + wrong, 1, "must compile without SHOULD_FAIL"),
            (wrong, 1, "has no line"),
        ]:
            with self.subTest(text=text):
                result, printed = self.check(text)
                self.assertEqual(result, code, printed)
                self.assertIn(why, printed)


if __name__ == "__main__":
    unittest.main()
