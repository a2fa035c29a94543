"""The unit file: systemd understands all of it, and thinks little of it is left open.

    unit_test.py PROGRAM UNIT
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = UNIT = None


class Unit(unittest.TestCase):
    def analyze(self, *words):
        """With the program where the unit looks for it, in a root of its own."""
        with tempfile.TemporaryDirectory() as folder:
            unit = pathlib.Path(folder) / "tessera.service"
            text = UNIT.read_text()
            self.assertIn("ExecStart=/usr/bin/tessera ", text)
            unit.write_text(text.replace("/usr/bin/tessera", str(PROGRAM.resolve())))
            return subprocess.run(["systemd-analyze", *words, str(unit)], capture_output=True, text=True, timeout=60)

    def test_nothing_in_it_is_unknown_or_wrong(self):
        got = self.analyze("verify", "--man=no", "--recursive-errors=no")
        self.assertEqual(got.returncode, 0, got.stdout + got.stderr)
        about_us = [line for line in (got.stdout + got.stderr).splitlines() if "tessera" in line]
        self.assertEqual(about_us, [])

    def test_little_is_left_open(self):
        got = self.analyze("security", "--offline=yes", "--no-pager")
        found = re.search(r"Overall exposure level for tessera\.service: ([0-9.]+)", got.stdout)
        self.assertTrue(found, got.stdout + got.stderr)
        print(f"exposure {found[1]} of 10", file=sys.stderr)
        self.assertLess(float(found[1]), 2.0)

    def test_every_flag_is_one_of_ours(self):
        command = re.search(r"^ExecStart=\S+ serve (.*)$", UNIT.read_text(), re.M)[1]
        help_text = subprocess.run([PROGRAM, "serve", "--help"], capture_output=True, text=True, check=True).stdout
        for flag in re.findall(r"--[a-z-]+", command):
            self.assertRegex(help_text, re.escape(flag) + r"\b")


if __name__ == "__main__":
    PROGRAM, UNIT = pathlib.Path(sys.argv.pop(1)), pathlib.Path(sys.argv.pop(1))
    unittest.main(verbosity=2)
