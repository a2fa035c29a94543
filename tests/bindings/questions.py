"""Questions that every binding is asked, and the program's answers to them: all texts of tests/vectors.

A question is (name, arguments, texts), an answer is a list with one entry for each text:

    check    ["valid"] or [code, offset]      inspect  the JSON
    convert  the text, or [code]              time     ms, or [code]
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "extensions"))
import agreement  # noqa: E402
from agreement import program  # noqa: E402

NOW_MS = 1794700800000  # what a text looks like depends on it
NOW = "2026-11-15"
VALID = ["valid"]


def checks(texts, *flags):
    return [VALID if answer["valid"] else [answer["code"], answer["offset"]]
            for answer in program.ask(texts, "check", *flags)]


def conversions(texts, *flags):
    return [answer["text"] if answer["valid"] else [answer["code"]] for answer in program.ask(texts, "convert", *flags)]


def all_of():
    """Every question with its answer."""
    texts = agreement.texts()
    plain = [text for text in texts if b"\0" not in text]
    for kind in agreement.KINDS:
        for strict in (False, True):
            flags = ["--strict"] if strict else []
            yield ("check", {"what": kind, "strict": strict}, texts), checks(texts, "--as", kind, *flags)
    some = texts[::5]
    for prefix in agreement.PREFIXES:
        for style in ("ulid", "typeid", "base36", "checked"):
            # The program asks the clock, too, when it checks a prefix; a binding does not.
            answers = checks(some, "--prefix", prefix, "--style", style)
            expected = [VALID if answer[0] == "out_of_range" else answer for answer in answers]
            yield ("check", {"what": f"{prefix}:{style}", "strict": False}, some), expected
    anything = [answer[:1] for answer in checks(plain, "--now", NOW)]
    yield ("check", {"what": "", "strict": False, "now": NOW_MS}, plain), anything
    yield ("inspect", {"now": NOW_MS}, plain), inspections(plain)
    for kind in agreement.FROM:
        for form in agreement.FORMS:
            some = texts[::12]
            flags = ["--from", kind, "--to", form]
            yield ("convert", {"from": kind, "to": form, "now": NOW_MS}, some), conversions(some, *flags)
    yield ("convert", {"from": "", "to": "hex", "now": NOW_MS}, plain), conversions(plain, "--to", "hex", "--now", NOW)
    for kind in ("ulid", "uuid", "uuidv7", "objectid", "ksuid", "snowflake", "typeid"):
        codes = agreement.codes(texts, "--as", kind, "--strict")
        good = [text for text, code in zip(texts, codes) if code == "valid"]
        expected = [["no_time"] if ms is None else ms for ms in agreement.times(good, kind)]
        yield ("time", {"what": kind}, good), expected


def inspections(texts):
    lines = program.run("inspect", "--json", "--null", "--now", NOW, stdin=b"".join(text + b"\0" for text in texts))
    return [agreement.re.sub(r',"file":"-","line":\d+\}$', "}", line) for line in lines.decode().splitlines()]


def differences(question, got, expected):
    """What the two say differently, a few of them, in words; empty if nothing."""
    name, arguments, texts = question
    if name == "check" and arguments["what"] == "":
        got = [answer[:1] for answer in got]
    # A place is told by the program only where there is one to point at.
    wrong = []
    for text, answer, wanted in zip(texts, got, expected):
        if isinstance(wanted, list) and len(wanted) == 2 and wanted[1] is None:
            answer, wanted = answer[:1], wanted[:1]
        if answer != wanted:
            wrong.append(f"{name} {arguments} {text[:80]!r}: {answer!r}, not {wanted!r}")
    if len(got) != len(texts):
        wrong.append(f"{len(got)} answers to {len(texts)} texts")
    return wrong[:5] + ([f"{len(wrong)} differ"] if wrong else [])


RANGES = ["ulid", "uuidv7", "uuidv6", "objectid", "ksuid", "snowflake", "snowflake-discord", "ord", "ord:typeid", "ord:base36"]
FROM_TO = [(1767225600000, 1767312000000), (1794700800000, 1794700800001), (1609459200000, 1924992000000)]


def ranges():
    """(what, from, to) with the two texts that the program prints; numbers without zeros in front."""
    def text(ms):
        return program.subprocess.run(["date", "-u", "-d", f"@{ms // 1000}.{ms % 1000:03}", "+%FT%T.%3NZ"],
                                      capture_output=True, text=True, check=True).stdout.strip()
    for what in RANGES:
        prefix, _, style = what.partition(":")
        if what.startswith("snowflake"):
            words = ["snowflake", *(["--layout", what[10:]] if "-" in what else [])]
        elif what.startswith("ord"):
            words = ["public", "--prefix", prefix, "--style", style or "ulid"]
        else:
            words = [what]
        for start, end in FROM_TO:
            yield (what, start, end), program.run("range", words[0], text(start), text(end), *words[1:]).decode().split()


ODDS = [{"bits": 60, "count": 1e6}, {"bits": 122, "probability": 0.5}, {"count": 1e9, "probability": 1e-6},
        {"bits": 21.5, "count": 3}, {"bits": 0, "count": 2}, {"bits": 1000, "count": 1e300}]


def odds():
    for question in ODDS:
        flags = [word for name, number in question.items() for word in (f"--{name}", repr(number))]
        yield question, program.json.loads(program.run("odds", "--json", *flags))
