#!/usr/bin/env python3
"""The program on a real terminal: tmux draws what it prints, and we look at the screen.

    terminal_test.py PROGRAM [--bless]

The screens are compared with tests/cli/golden/*.txt; --bless writes them anew, to be read before
they are kept.
"""
import itertools
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time
import unittest

GOLDEN = pathlib.Path(__file__).resolve().parent / "golden"
PROGRAM = None
BLESS = False
SECONDS_MAX = 60
DONE = "[done]"

# Berlin, without asking the machine for its time zones.
ZONE = "CET-1CEST,M3.5.0,M10.5.0/3"
NOW = "2026-11-15T12:00Z"

ULID = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
CARDS = {
    "ulid": [ULID],
    "uuid-v1": ["{C232AB00-9414-11EC-B3C8-9F6BDECED846}"],
    "uuid-v4": ["919108f7-52d1-4320-9bac-f847db4148a8"],
    "uuid-v7": ["urn:uuid:017F22E2-79B0-7CC3-98C4-DC0C0C07398F"],
    "typeid": ["user_01h455vb4pex5vsknk084sn02q"],
    "declared": ["ord_01ARZ3NDEKTSV4RRFFQ69G5FAV"],
    "base36": ["acct_3e6wlko0bp8e7c9916hklbnd"],
    "random": ["kfv1-b65p-8q3c-mc"],
    "random-60-bits": ["AHM6A83HENMPS"],
    "snowflake": ["540226260526170119"],
    "objectid": ["56e1fc72e0c917e9c4714161"],
    "ksuid": ["1HCpXwx2EK9oYluWbacgeCnFcLf"],
    "unix-time": ["1734971723"],
    "digest": ["b026324c6904b2a9cb4b88d6d61c81d1"],
    "resource-name": ["publishers/123/books/les-miserables"],
    "mistyped": ["KFV1B65A8Q3CM*"],
    "too-short": ["ord_01HN8X5K9G3QRST2VW4XYZ"],
    "quoted": ['"01ARZ3NDEKTSV4RRFFQ69G5FAV"'],
    "url": ["https://example.com/orders/01ARZ3NDEKTSV4RRFFQ69G5FAV?page=2"],
    "nothing-known": ["hello"],
    "two": [ULID, "hello"],
}


class Screen:
    """A terminal with one command in it."""

    _numbers = itertools.count()

    def __init__(self, command, width=100, height=80, environment=None, folder="/"):
        # A server of its own: one that is going down takes no new session.
        self._socket = f"tessera-test-{os.getpid()}-{next(Screen._numbers)}"
        settings = {"TZ": ZONE, "LC_ALL": "C.UTF-8", "NO_COLOR": None, **(environment or {})}
        unset = [word for name, value in settings.items() if value is None for word in ("-u", name)]
        words = ["env", *unset, *(f"{name}={value}" for name, value in settings.items() if value is not None)]
        # A shell that tells when the command is over, and then stays.
        script = f"{shlex.join(words)} bash -c {shlex.quote(command)}; echo '{DONE}'$?; exec sleep 1000"
        self._tmux("new-session", "-d", "-x", str(width), "-y", str(height), "-c", folder, "bash", "-c", script)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._tmux("kill-server")

    def _tmux(self, *arguments):
        environment = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        environment.pop("TMUX", None)
        return subprocess.run(["tmux", "-L", self._socket, "-f", "/dev/null", *arguments], check=True,
                              stdout=subprocess.PIPE, env=environment, timeout=SECONDS_MAX).stdout.decode()

    def look(self, *flags):
        return self._tmux("capture-pane", "-p", *flags)

    def until(self, pattern):
        """The screen as soon as it shows `pattern`."""
        end = time.monotonic() + SECONDS_MAX
        while time.monotonic() < end:
            screen = self.look()
            if re.search(pattern, screen):
                return screen
            time.sleep(0.05)
        raise AssertionError(f"never saw {pattern!r}; the screen:\n{self.look()}")

    def text(self):
        """What the command has printed, once it is over, and its exit code."""
        screen = self.until(re.escape(DONE) + r"\d+")
        shown, _, rest = screen.partition(DONE)
        return shown, int(re.match(r"\d+", rest)[0])

    def coloured(self):
        self.text()
        return self.look("-e").partition(DONE)[0]


def tessera(*arguments):
    return shlex.join([PROGRAM, *arguments])


class Terminal(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        pathlib.Path(self.folder, "tessera.yaml").write_text("types: {order: {prefix: ord}}\n")

    def compare(self, name, shown):
        shown = re.sub(r"[ \t]+$", "", shown, flags=re.M).strip("\n") + "\n"
        path = GOLDEN / f"{name}.txt"
        if BLESS:
            path.write_text(shown)
        self.assertEqual(shown, path.read_text(), f"if it is right: terminal_test.py {PROGRAM} --bless")

    def test_cards(self):
        for name, ids in CARDS.items():
            with self.subTest(card=name):
                command = tessera("inspect", "--now", NOW, "--", *ids)
                with Screen(command, folder=self.folder) as screen:
                    shown, code = screen.text()
                self.compare(f"card-{name}", shown)
                known = name not in ("mistyped", "too-short", "quoted", "url", "nothing-known", "two")
                self.assertEqual(code, 0 if known else 1)

    def test_golden_files_are_all_compared(self):
        names = {f"card-{name}.txt" for name in CARDS} | {"narrow.txt", "help-new.txt", "help-ulid.txt"}
        self.assertEqual({path.name for path in GOLDEN.iterdir()}, names)

    def test_a_narrow_terminal_gets_a_narrow_card(self):
        with Screen(tessera("inspect", "--now", NOW, "540226260526170119"), width=34) as screen:
            shown, _ = screen.text()
        self.compare("narrow", shown)

    def test_help(self):
        for topic in ("new", "ulid"):
            with Screen(tessera("help", topic), width=80) as screen:
                shown, code = screen.text()
            self.compare(f"help-{topic}", shown)
            self.assertEqual(code, 0)

    def test_fields_have_colours_and_so_have_their_bits(self):
        with Screen(tessera("inspect", "--now", NOW, "017F22E2-79B0-7CC3-98C4-DC0C0C07398F")) as screen:
            shown = screen.coloured()
        # A colour holds until the next; cyan for time, yellow for the version, red for the
        # variant, green for random bits.
        for colour, text in ((36, "2022-02-22T19:22:22"), (36, "unix_ts_ms"), (33, "ver"), (32, "rand_a"),
                             (31, "var"), (36, "00000001 01111111"), (33, "0111"), (31, "10"),
                             (32, "011000 11000100")):
            self.assertRegex(shown, rf"\x1b\[(?:\d+;)*{colour}m{re.escape(text)}", text)

    def test_colours_appear_exactly_when_they_should(self):
        show = ["inspect", "--now", NOW, ULID]
        for arguments, environment, expected in (
                (show, {}, True),
                (show, {"NO_COLOR": "1"}, False),
                (show, {"NO_COLOR": ""}, True),  # empty is not set, by no-color.org
                (show, {"TERM": "dumb"}, False),
                (show + ["--color=never"], {}, False),
                (show + ["--color=always"], {"NO_COLOR": "1"}, True),
                (["help", "new"], {}, True),
                (["help", "new"], {"NO_COLOR": "1"}, False),
                (["--help"], {}, True),
                (["check", ULID], {}, True),
                (["check", ULID], {"NO_COLOR": "1"}, False),
                (["check", "--json", ULID], {}, False),
                (["inspect", "--json", ULID], {}, False)):
            with self.subTest(arguments=arguments, environment=environment):
                with Screen(tessera(*arguments), environment=environment) as screen:
                    self.assertEqual("\x1b[" in screen.coloured(), expected)

    def test_in_a_pipe_there_are_none_unless_asked_for(self):
        for arguments, expected in ((["inspect", ULID], False), (["inspect", "--output", "card", ULID], False),
                                    (["inspect", "--output", "card", "--color=always", ULID], True),
                                    (["check", ULID], False), (["check", "--color=always", ULID], True),
                                    (["help", "new"], False)):
            with self.subTest(arguments=arguments):
                printed = subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, check=True).stdout
                self.assertEqual(b"\x1b" in printed, expected)

    def test_escape_sequences_in_the_input_are_shown_and_not_obeyed(self):
        command = tessera("inspect", "--", "\x1b[31mred\x1b[2J", "\x1b]0;title\x07") + "; true"
        with Screen(command) as screen:
            shown, _ = screen.text()
        self.assertIn(r"\x1b[31mred\x1b[2J", shown)
        self.assertIn(r"\x1b]0;title\x07", shown)

    def test_without_ids_and_without_a_pipe_it_says_what_is_missing(self):
        with Screen(tessera("inspect")) as screen:
            shown, code = screen.text()
        self.assertIn("no ID given", shown)
        self.assertEqual(code, 2)

    def test_long_work_shows_its_progress_and_cleans_up(self):
        with Screen(tessera("new", "ulid", "-n", "1000000000000") + " > /dev/null") as screen:
            shown = screen.until(r"making \[.*\]\s+\d+%.*/s, .* left")
            self.assertEqual(len([line for line in shown.splitlines() if "making" in line]), 1)
        slow = "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do echo " + ULID + "; sleep 0.1; done"
        with Screen(f"{{ {slow}; }} | {tessera('check', '--as', 'ulid', '--summary')}") as screen:
            screen.until(r"checking \d+")
            shown, code = screen.text()
        self.assertNotIn("checking", shown)
        self.assertIn("total   16", shown)
        self.assertEqual(code, 0)

    def test_no_progress_where_it_would_run_through_the_answers_or_into_a_file(self):
        slow = "for i in 1 2 3 4 5 6 7 8; do echo " + ULID + "; sleep 0.1; done"
        with Screen(f"{{ {slow}; }} | {tessera('check', '--as', 'ulid')}") as screen:
            shown, _ = screen.text()
        self.assertNotIn("checking", shown)
        errors = pathlib.Path(self.folder, "errors")
        with Screen(f"timeout 1.5 {tessera('new', 'ulid', '-n', '1000000000000')} > /dev/null 2> {errors}") as screen:
            screen.text()
        self.assertEqual(errors.read_bytes(), b"")


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    if "--bless" in sys.argv:
        sys.argv.remove("--bless")
        BLESS = True
        GOLDEN.mkdir(exist_ok=True)
    unittest.main()
