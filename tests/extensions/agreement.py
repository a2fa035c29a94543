"""That a database answers as the program does, text by text: the questions, and the program's answers.

All texts of tests/vectors, whatever their kind, are asked about as every kind.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import vectors_test as program  # noqa: E402

KINDS = ["ulid", "uuid", "uuidv4", "uuidv7", "snowflake", "objectid", "ksuid", "random", "public", "typeid", "name"]
PREFIXES = ["ord", "user", "acct"]
FORMS = ["ulid", "uuid", "hex", "base32", "base36", "base62", "base58", "base64url", "int", "crockford", "typeid"]
FROM = ["ulid", "uuid", "hex", "base36", "crockford", "typeid", "objectid", "ksuid", "snowflake", "public"]
PROBABILITY = re.compile(r'"probability":[0-9.e+-]+')


def texts(bytes_max=600):
    """Every cell of every table that may be a text of an ID, each once, as bytes."""
    found = {}
    for path in sorted(program.VECTORS.glob("*.tsv")):
        for row in program.table(path.name):
            for column, cell in row.items():
                if column in ("where", "why", "source", "case", "kind", "error_class", "expected"):
                    continue
                text = program.unescape(cell) if path.name == "bad-inputs.tsv" else cell.encode()
                # The program reads texts that end with NUL, or lines: not what has both in it.
                if len(text) <= bytes_max and not (b"\0" in text and (b"\n" in text or b"\r" in text)):
                    found[text] = None
    for row in program.table("oracle-ulid.tsv")[:200]:
        for prefix in PREFIXES:
            found[f"{prefix}_{row['ulid']}".encode()] = None
    found.pop(b"", None)
    return list(found)


def codes(items, *arguments):
    return ["valid" if answer["valid"] else answer["code"] for answer in program.ask(items, "check", *arguments)]


def codes_of_prefix(items, prefix, *arguments):
    """As codes(), of public IDs. The program asks the clock, too; a database does not."""
    return ["valid" if code == "out_of_range" else code for code in codes(items, "--prefix", prefix, *arguments)]


def inspections(items):
    """The JSON of each text without NUL, by its place in the list."""
    places = [i for i, text in enumerate(items) if b"\0" not in text]
    lines = program.run("inspect", "--json", "--null", stdin=b"".join(items[i] + b"\0" for i in places))
    lines = lines.decode().splitlines()
    if len(lines) != len(places):
        raise AssertionError(f"{len(places)} questions, {len(lines)} answers")
    return {place: without_moment(line) for place, line in zip(places, lines)}


def without_moment(line):
    """Byte for byte, less the probabilities, which depend on the moment, and the place in the input."""
    line = re.sub(r',"file":"-","line":\d+\}$', "}", line)
    return PROBABILITY.sub('"probability":p', line)


def conversions(items, form, kind):
    return [answer["text"] for answer in program.ask(items, "convert", "--to", form, "--from", kind)]


def times(items, kind):
    """The time in each as the canonical text of that kind, None where there is none."""
    if kind == "ulid":  # inspect may find 16 bytes in another spelling likelier
        return [int(digits[:12], 16) for digits in conversions(items, "hex", "ulid")]
    if kind == "typeid":
        return times(conversions(items, "uuid", "typeid"), "uuid")
    name = {"snowflake": "snowflake-twitter"}.get(kind, kind)
    return [answer["unix_ms"] for answer in program.ask(items, "inspect", "--as", name)]


def differences(items, got, expected, shown=5):
    """What the two say differently, a few of them, in words; empty if nothing."""
    if len(got) != len(expected):
        return [f"{len(got)} answers, {len(expected)} expected"]
    wrong = [f"{text[:80]!r}: {answer!r}, not {wanted!r}"
             for text, answer, wanted in zip(items, got, expected) if answer != wanted]
    return [*wrong[:shown], f"{len(wrong)} differ"] if wrong else []
