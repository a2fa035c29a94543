#!/usr/bin/env python3
"""Completions in the shells they are for, and manual pages in the programs that show them.

    shells_test.py PROGRAM
"""
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = None
COMMANDS = "new inspect convert check range odds name config tour completions manual help".split()


def run(*arguments, **more):
    return subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, text=True, **more)


class Shell(unittest.TestCase):
    name = None

    def setUp(self):
        if self.name is None:
            return
        self.assertTrue(shutil.which(self.name), f"{self.name} is missing (tools/install-deps test)")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.script = self.folder / ("_tessera" if self.name == "zsh" else "tessera." + self.name)
        made = run(PROGRAM, "completions", self.name)
        self.assertEqual(made.returncode, 0)
        self.script.write_text(made.stdout)
        (self.folder / "ids.txt").write_text("")
        (self.folder / "two words.csv").write_text("")
        self.environment = {"PATH": f"{pathlib.Path(PROGRAM).parent}:{os.environ['PATH']}", "TERM": "dumb",
                            "HOME": str(self.folder), "LC_ALL": "C.UTF-8"}


# What is typed, and what must and must not be offered.
CASES = [
    ("tessera ch", ["check"], ["convert"]),
    ("tessera co", ["convert", "config", "completions"], ["check"]),
    ("tessera new ul", ["ulid"], ["uuid"]),
    ("tessera new -n 3 ul", ["ulid"], []),
    ("tessera new --pl", ["--plain"], ["--prefix"]),
    ("tessera new ulid --form base3", ["base32", "base36"], ["hex"]),
    ("tessera convert --to cro", ["crockford"], ["hex"]),
    ("tessera convert --fr", ["--from"], []),
    ("tessera check --as uuidv", ["uuidv7", "uuidv2"], ["ulid"]),
    ("tessera range ks", ["ksuid"], []),
    ("tessera help ksu", ["ksuid"], []),
    ("tessera manual od", ["odds"], []),
    ("tessera completions z", ["zsh"], ["bash"]),
    ("tessera config ch", ["check"], []),
    ("tessera inspect id", ["ids.txt"], []),
    ("tessera check --file id", ["ids.txt"], []),
    ("tessera inspect --color al", ["always"], ["auto"]),
]


class Bash(Shell):
    name = "bash"

    def complete(self, line):
        words = line.split(" ")
        quoted = " ".join(f"'{word}'" for word in words)
        script = (f"source '{self.script}'; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _tessera; "
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        result = run("bash", "--norc", "--noprofile", "-c", script, cwd=self.folder, env=self.environment)
        self.assertEqual(result.returncode, 0, result.stdout)
        return result.stdout.splitlines()

    def test_offers_what_fits(self):
        for line, wanted, unwanted in CASES:
            with self.subTest(line=line):
                offered = self.complete(line)
                for word in wanted:
                    self.assertIn(word, offered)
                for word in unwanted:
                    self.assertNotIn(word, offered)

    def test_an_equals_sign_is_a_word_of_its_own(self):
        self.assertEqual(self.complete("tessera convert --to = crock"), ["crockford"])
        self.assertEqual(self.complete("tessera new --form = hex ksui"), ["ksuid"])
        self.assertIn("uuid", self.complete("tessera convert --to ="))

    def test_every_command_and_flag_is_offered(self):
        self.assertLessEqual(set(COMMANDS), set(self.complete("tessera ")))
        for command in COMMANDS:
            text = run(PROGRAM, "help", command).stdout
            for flag in re.findall(r"^ {2,}(?:-\w, +)?(--[a-z-]+)", text, re.M):
                self.assertIn(flag, self.complete(f"tessera {command} {flag}"), command)

    def test_the_script_is_clean(self):
        self.assertEqual(run("bash", "-n", str(self.script)).stdout, "")
        if shutil.which("shellcheck"):
            self.assertEqual(run("shellcheck", "--shell=bash", str(self.script)).stdout, "")

    def test_it_is_registered(self):
        result = run("bash", "--norc", "-c", f"source '{self.script}'; complete -p tessera")
        self.assertEqual(result.stdout, "complete -F _tessera tessera\n")


class Fish(Shell):
    name = "fish"

    def complete(self, line):
        result = run("fish", "--no-config", "-c", f"source '{self.script}'; complete -C '{line}'",
                     cwd=self.folder, env=self.environment)
        self.assertEqual(result.returncode, 0, result.stdout)
        return [offer.split("\t")[0] for offer in result.stdout.splitlines()]

    def test_offers_what_fits(self):
        for line, wanted, unwanted in CASES:
            with self.subTest(line=line):
                offered = self.complete(line)
                for word in wanted:
                    self.assertIn(word, offered)
                for word in unwanted:
                    self.assertNotIn(word, offered)

    def test_the_script_is_clean(self):
        self.assertEqual(run("fish", "--no-execute", str(self.script)).stdout, "")

    def test_every_flag_is_explained(self):
        result = run("fish", "--no-config", "-c", f"source '{self.script}'; complete -C 'tessera new --'",
                     env=self.environment)
        for offer in result.stdout.splitlines():
            self.assertRegex(offer, r"^--[a-z-]+=?\t\S")


class Zsh(Shell):
    name = "zsh"

    def setUp(self):
        super().setUp()
        (self.folder / ".zshrc").write_text(
            "unset zle_bracketed_paste\nfpath=($ZDOTDIR $fpath)\nautoload -Uz compinit\ncompinit -u -D\n"
            "LISTMAX=1000\nsetopt no_beep no_prompt_cr no_prompt_sp\nPROMPT='READY> '\n")

    def complete(self, line):
        """What is shown when Tab has been pressed: zsh completes only where a person could type."""
        pid, fd = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execvpe("zsh", ["zsh", "-i"], {**self.environment, "ZDOTDIR": str(self.folder), "TERM": "xterm",
                                              "COLUMNS": "200", "LINES": "50"})
        seen = ""

        def until(pattern):
            nonlocal seen
            end = time.monotonic() + 30
            while not re.search(pattern, seen):
                if time.monotonic() > end:
                    raise AssertionError(f"{line}: never saw {pattern!r} in {seen!r}")
                if select.select([fd], [], [], 0.2)[0]:
                    seen += os.read(fd, 65536).decode(errors="replace")

        try:
            until("READY> ")
            seen = ""
            # Tab twice for the list; then ^U throws away what stands there.
            os.write(fd, line.encode() + b"\t\t\x15echo DO''NE\n")
            until("DONE")
            return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r", "", seen)
        finally:
            os.kill(pid, signal.SIGKILL)
            os.close(fd)
            os.waitpid(pid, 0)

    def test_offers_what_fits(self):
        for line, wanted, unwanted in CASES:
            with self.subTest(line=line):
                shown = self.complete(line)
                for word in wanted:
                    self.assertIn(word, shown)
                for word in unwanted:
                    self.assertNotRegex(shown, rf"(?m)^{word}\b")

    def test_commands_are_explained(self):
        self.assertIn("tell good IDs from bad ones", self.complete("tessera c"))

    def test_the_script_is_clean(self):
        self.assertEqual(run("zsh", "-f", "-n", str(self.script)).stdout, "")

    def test_it_may_also_be_sourced(self):
        result = run("zsh", "-f", "-c", f"autoload -Uz compinit; compinit -u -D; source '{self.script}'; "
                     "echo $_comps[tessera]", env=self.environment)
        self.assertEqual(result.stdout, "_tessera\n")


class Manual(unittest.TestCase):
    def pages(self):
        for command in ("", *COMMANDS):
            page = run(PROGRAM, "manual", *([command] if command else []))
            self.assertEqual(page.returncode, 0)
            yield command, page.stdout

    def test_no_program_complains(self):
        for command, page in self.pages():
            with self.subTest(command=command), tempfile.NamedTemporaryFile("w", suffix=".1") as file:
                file.write(page)
                file.flush()
                self.assertEqual(run("mandoc", "-T", "lint", "-W", "warning", file.name).stdout, "")
                shown = run("man", "--warnings=w", "-l", file.name,
                            env={**os.environ, "MANWIDTH": "80", "MANPAGER": "cat", "LC_ALL": "C.UTF-8"})
                self.assertEqual(shown.returncode, 0)
                name = f"tessera-{command}" if command else "tessera"
                self.assertIn(f"{name}(1)", shown.stdout)
                self.assertNotIn("warning", shown.stdout)

    def test_every_flag_is_there_with_its_help(self):
        for command, page in self.pages():
            if not command:
                for name in COMMANDS:
                    self.assertIn(f"tessera\\-{name} (1)", page)
                continue
            text = page.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "").replace("\\fI", "")
            for flag, value in re.findall(r"^ {2,}(?:-\w, +)?(--[a-z-]+) ?(\S*)", run(PROGRAM, "help", command).stdout, re.M):
                with self.subTest(command=command, flag=flag):
                    self.assertRegex(text, rf"(?m)^(?:-\w, )?{flag}(?: {re.escape(value)})?")

    def test_text_that_roff_would_take_for_a_request_is_safe(self):
        for _, page in self.pages():
            for line in page.splitlines():
                if line.startswith("."):
                    self.assertRegex(line, r"^\.(TH|SH|TP|PP|B|BR|EX|EE)\b")
                self.assertFalse(line.startswith("'"), line)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
