"""Golden output: golden/NAME.sql holds statements, and below each the lines it must print.

    SELECT tessera_check('x', 'ulid');
    --> invalid_length
    SELECT tessera_random(0);
    --! tessera_random: bits are 1 to 512

A line `-->` is one line of the answer, in which `...` stands for any characters; `--!` is a part of the error.
The blocks ```sql of the documents are written, and played, the same way (tools/replay_sql.py).
"""
import pathlib
import re

from databases import SqlError

FOLDER = pathlib.Path(__file__).parent / "golden"


class WithBars:
    """A server whose answers have bars between the fields, as pages and golden files show them."""

    def __init__(self, server):
        self.server = server

    def lines(self, sql):
        return [line.replace("\t", "|") for line in self.server.lines(sql)]


def groups(text):
    """Yields (statements, what must follow)."""
    sql, expected = [], []
    for line in [*text.splitlines(), None]:
        if line is not None and re.match(r"--[>!]", line):
            expected.append(line)
            continue
        if expected or line is None:
            if sql or expected:
                yield "\n".join(sql), expected
            sql, expected = [], []
        if line is not None and (line.strip() or sql):
            sql.append(line)


def answer_of(database, sql):
    """What a database says, in the form in which it is expected."""
    try:
        return [f"--> {line}".rstrip() for line in database.lines(sql)]
    except SqlError as error:
        return ["--! " + " ".join(str(error).splitlines())]


def as_expected(expected, got):
    """The expected line where the answer fits it, so that equal texts mean a good answer."""
    if expected.startswith("--! ") and got.startswith("--! "):
        return expected if expected[4:] in got else got
    pattern = ".*".join(re.escape(part) for part in expected.split("..."))
    return expected if re.fullmatch(pattern, got) else got


def play_text(text, database):
    """(what is played, what it should have been)."""
    got, wanted = [], []
    for sql, expected in groups(text):
        answer = answer_of(database, sql)
        got += [sql, *(as_expected(e, a) for e, a in zip(expected, answer)), *answer[len(expected):]]
        wanted += [sql, *expected]
    return "\n".join(got), "\n".join(wanted)


def play(name, database):
    return play_text((FOLDER / f"{name}.sql").read_text(), database)
