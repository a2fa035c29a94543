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


class Help(ToolTest):
    """Every tool explains itself when asked, and does nothing else."""

    def run_in_empty_folder(self, tool, *words):
        run = subprocess.run([tool, *words], cwd=self.root, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(list(self.root.iterdir()), [], f"{tool.name} has made a file")
        return run

    def test_every_tool_shows_its_head(self):
        tools = [path for path in sorted(TOOLS.iterdir()) if os.access(path, os.X_OK) and path.is_file()]
        self.assertGreater(len(tools), 20)
        for tool in tools:
            with self.subTest(tool=tool.name):
                run = self.run_in_empty_folder(tool, "--help")
                self.assertEqual((run.returncode, run.stderr), (0, ""))
                self.assertIn(tool.name, run.stdout)
                first = re.search(r'^(?:# |""")(.*)', tool.read_text(), re.M)[1]
                self.assertIn(first, run.stdout)

    def test_what_a_tool_does_not_know_is_wrong_usage(self):
        for tool, *words in [("amalgamate.py", "--output"), ("amalgamate.py", "a", "b"), ("amalgamate.py",),
                             ("check_tree.py", "--all"), ("check_abi.py", "--up", "x"), ("check_spelling.py", "--bless"),
                             ("tidy.py", "build"), ("check_compile_fail.py", "a.cpp")]:
            with self.subTest(tool=tool, words=words):
                run = self.run_in_empty_folder(TOOLS / tool, *words)
                self.assertEqual((run.returncode, run.stdout), (2, ""))
                self.assertIn(tool, run.stderr)


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


class Abi(ToolTest):
    """Of a library made for the test, whose header is ours: everything in c.h is missing in it."""

    def check(self, code, list_text=None):
        self.write("a.c", code)
        library = self.root / "liba.so"
        subprocess.run(["gcc", "-shared", "-fPIC", "-Wl,-soname,liba.so.3", self.root / "a.c", "-o", library], check=True)
        arguments = [library, self.write("list", list_text)] if list_text else ["--update", library, self.root / "list"]
        return self.run_tool("check_abi.py", *arguments)

    def test_finds_what_is_not_exported_and_what_should_not_be(self):
        code, printed = self.check("int tessera_c_version(void) { return 1; }\nint helper(void) { return 2; }\n")
        self.assertNotEqual(code, 0)
        self.assertIn("exported, and not declared in c.h: helper", printed)
        self.assertIn("declared in c.h, and not exported: tessera_version", printed)
        self.assertNotIn("not exported: tessera_c_version", printed)

    def test_finds_what_is_gone_and_what_is_new(self):
        code, printed = self.check("int x;\n", "library liba.so.2\nconstant TESSERA_OK = 0\n")
        self.assertNotEqual(code, 0)
        self.assertIn("gone: library liba.so.2", printed)
        self.assertIn("new: library liba.so.3", printed)
        self.assertNotIn("new: constant TESSERA_OK = 0", printed)


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
            {"directory": str(self.root), "file": str(self.root / name),
             "command": f"/usr/bin/g++ -I{self.root} -Wshadow -Werror -o {name}.o -c {self.root}/{name}"}
            for name in ("a.cpp", "b.cpp", "c.cpp")]))

    def tidy(self, text, header="// a\n"):
        self.write("a.h", header)
        self.write("a.cpp", "#include \"a.h\"\n" + text)
        return self.tidy_files("a.cpp")

    def tidy_files(self, *names):
        run = subprocess.run([sys.executable, TOOLS / "tidy.py", "build", *names], cwd=self.root, text=True,
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

    def test_files_are_read_together_and_told_apart(self):
        names = ("a.cpp", "b.cpp", "c.cpp")
        for clash in ("", "namespace { int same = 1; }\n"):  # which is fine in files of their own
            with self.subTest(clash=clash):
                for name in names:
                    self.write(name, f"{clash}int x_{name[0]} = 1;\n")
                self.assertEqual(self.tidy_files(*names), (0, "clang-tidy: 3 of 3 files are clean (0 as they were)\n"))
                self.assertEqual(self.tidy_files(*names), (0, "clang-tidy: 3 of 3 files are clean (3 as they were)\n"))
                self.write("b.cpp", clash + self.BAD)
                code, printed = self.tidy_files(*names)
                self.assertEqual(code, 1)
                self.assertEqual(re.findall(r"clang-tidy: (\w\.cpp)", printed), ["b.cpp"])
                self.assertIn("2 of 3 files are clean", printed)


class Promises(ToolTest):
    def check(self, *names):
        proof = ", ".join(f"`{name}`" for name in names)
        # As many as the page must have, so that only the last row is judged.
        many = ", ".join(["`Ulid.Sorts`"] * 80)
        self.write("docs/promises.md", f"| **A.** | always | {many} |\n| **B.** | always | {proof} |\n")
        self.write("src/core/ulid_test.cpp", "TEST(Ulid, Sorts) {}\nRC_GTEST_PROP(Ulid, ReadsBack, ()) {}\n")
        self.write("tests/service/http_test.py", "class Http:\n    def test_answers(self):\n")
        self.write("tests/CMakeLists.txt", "add_test(NAME storm.${kind} COMMAND x)\nadd_test(NAME models\n")
        return self.run_tool("check_promises.py", self.root)

    def test_lets_pass_what_is_in_the_tree(self):
        for name in ("Ulid.Sorts", "Ulid.ReadsBack", "Ulid.Rea*", "http_test.py::test_answers", "src/core/ulid_test.cpp",
                     "src/core/*_test.cpp", "tests/service/", "storm", "models"):
            with self.subTest(name=name):
                code, printed = self.check(name)
                self.assertEqual(code, 0, printed)

    def test_finds_what_is_not(self):
        for name in ("Ulid.Sort", "Ulid.Wri*", "Other.Sorts", "http_test.py::test_answer", "other.py::test_answers",
                     "src/core/uuid_test.cpp", "src/*/*_fuzz.cpp", "tests/storm/", "storms"):
            with self.subTest(name=name):
                code, printed = self.check("Ulid.Sorts", name)
                self.assertEqual(code, 1, printed)
                self.assertIn(f"docs/promises.md:2: there is no test {name}", printed)

    def test_finds_a_promise_without_a_test(self):
        code, printed = self.check("kill -9")
        self.assertEqual(code, 1, printed)
        self.assertIn("a promise without a test", printed)


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
