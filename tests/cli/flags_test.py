#!/usr/bin/env python3
"""Every command and every flag is in a transcript, and so is every exit code that there can be.

    flags_test.py PROGRAM

The transcripts *.md of this folder are replayed elsewhere; this says that they leave nothing out.
"""
import pathlib
import re
import subprocess
import sys
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
PROGRAM = None
EXIT_CODES = {0, 1, 2, 3, 4}


def help_of(*topic):
    return subprocess.run([PROGRAM, "help", *topic], stdout=subprocess.PIPE, check=True, text=True).stdout


def commands():
    return re.findall(r"^  ([a-z]+) ", help_of(), re.M)


def transcript_commands():
    """The command lines of all transcripts, with what follows them."""
    for page in sorted(FOLDER.glob("*.md")):
        for block in re.findall(r"^```console\n(.*?)^```", page.read_text(), re.S | re.M):
            for command in re.split(r"^\$ ", block, flags=re.M)[1:]:
                yield page.name, command


class Transcripts(unittest.TestCase):
    def test_there_is_a_page_for_every_command(self):
        for command in commands():
            with self.subTest(command=command):
                self.assertTrue((FOLDER / f"{command}.md").exists())

    def test_every_flag_is_used(self):
        lines = [text for _, text in transcript_commands()]
        self.assertGreater(len(lines), 50)
        for command in commands():
            mine = "\n".join(text for text in lines if f"tessera {command}" in text)
            for letter, flag in re.findall(r"^  (-\w, |    )--([a-z-]+)", help_of(command), re.M):
                with self.subTest(command=command, flag=flag):
                    self.assertTrue(re.search(rf"--{flag}\b", mine))
                    if letter.strip():
                        self.assertTrue(re.search(rf"\s-\w*{letter[1]}", mine), letter)

    def test_every_word_that_a_flag_takes_is_used(self):
        text = "\n".join(text for _, text in transcript_commands())
        for command in commands():
            for words in re.findall(r"one of:((?:\s+[\w-]+,)*\s+[\w-]+)", help_of(command)):
                for word in re.findall(r"[\w-]+", words):
                    with self.subTest(command=command, word=word):
                        self.assertTrue(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text))

    def test_every_exit_code_occurs(self):
        codes = {int(code) for _, text in transcript_commands() for code in re.findall(r"^\[exit (\d)\]$", text, re.M)}
        self.assertEqual(codes | {0}, EXIT_CODES)

    def test_every_error_class_occurs(self):
        text = "\n".join(text for _, text in transcript_commands())
        errors = subprocess.run([PROGRAM, "manual", "--format", "markdown"], stdout=subprocess.PIPE, check=True,
                                text=True).stdout.partition("## Error codes")[2]
        codes = re.findall(r"^\| `(\w+)`", errors, re.M)
        self.assertGreater(len(codes), 15)
        # These are given by other parts of tessera, never by the command line.
        for code in sorted(set(codes) - {"unknown_prefix", "invalid_variant", "reserved_value"}):
            with self.subTest(code=code):
                self.assertTrue(code in text)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
