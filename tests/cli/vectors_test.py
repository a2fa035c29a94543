#!/usr/bin/env python3
"""Every published vector, through the program.

    vectors_test.py PROGRAM

The tables of tests/vectors are what other people's implementations say. The libraries are held
to them by their own tests; here the whole way is: arguments, streams, JSON, exit codes. Each test
hands a whole table to one process.
"""
import json
import pathlib
import re
import subprocess
import sys
import unittest

VECTORS = pathlib.Path(__file__).resolve().parents[1] / "vectors"
NOW = "2026-11-15"  # what is plausible depends on it
PROGRAM = None


def table(name):
    """The rows of a table, as dictionaries. A table without rows is an error."""
    lines = (VECTORS / name).read_bytes().decode().split("\n")
    columns = lines[0].removeprefix("# ").split("\t")
    rows = []
    for number, line in enumerate(lines[1:], 2):
        if line:
            cells = line.split("\t")
            cells += [""] * (len(columns) - len(cells))
            rows.append(dict(zip(columns, cells), where=f"{name}:{number}"))
    if not rows:
        raise ValueError(f"{name} has no row")
    return rows


def unescape(text):
    r"""Undoes \xNN, \n, \t, \r, \", \\ and \R{N}{x}; the answer is bytes."""
    def one(match):
        escape = match[0]
        if escape.startswith(b"\\R"):
            count, part = re.fullmatch(rb"\\R\{(\d+)\}\{(.*)\}", escape).groups()
            return ESCAPE.sub(one, part) * int(count)
        if escape.startswith(b"\\x"):
            return bytes([int(escape[2:], 16)])
        return {b"n": b"\n", b"t": b"\t", b"r": b"\r", b'"': b'"', b"\\": b"\\"}[escape[1:2]]
    return ESCAPE.sub(one, text.encode())


ESCAPE = re.compile(rb"\\R\{\d+\}\{[^}]*\}|\\x[0-9a-fA-F]{2}|\\[ntr\"\\]")


def run(*arguments, stdin=b"", exits=(0, 1)):
    """What the program prints, as bytes."""
    result = subprocess.run([PROGRAM, *arguments], input=stdin, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, timeout=120, cwd="/")
    if result.returncode not in exits:
        raise AssertionError(f"{arguments}: exit {result.returncode}: {result.stderr.decode()}")
    return result.stdout


def ask(texts, *arguments):
    """One answer for each text: the NDJSON of one process."""
    texts = [text.encode() if isinstance(text, str) else text for text in texts]
    # NUL parts them, so that they may have any other byte; those with a NUL go by lines.
    answers = [None] * len(texts)
    for with_nul in (False, True):
        places = [i for i, text in enumerate(texts) if (b"\0" in text) == with_nul]
        if not places:
            continue
        end = b"\n" if with_nul else b"\0"
        stdin = b"".join(texts[i] + end for i in places)
        flags = [] if with_nul else ["--null"]
        lines = run(*arguments, "--json", *flags, stdin=stdin).decode().splitlines()
        if len(lines) != len(places):
            raise AssertionError(f"{len(places)} questions, {len(lines)} answers: {arguments}")
        for place, line in zip(places, lines):
            answers[place] = json.loads(line)
    return answers


def convert(texts, *arguments):
    """The converted texts, None where it was refused."""
    return [answer["text"] for answer in ask(texts, "convert", *arguments)]


class Vectors(unittest.TestCase):
    maxDiff = None

    def expect(self, rows, got, expected, what=""):
        """Row by row, so that a failure names its row; and there must have been some."""
        self.assertGreater(len(rows), 0)
        self.assertEqual(len(rows), len(got))
        for row, answer, wanted in zip(rows, got, expected):
            with self.subTest(row=row["where"], what=what):
                self.assertEqual(answer, wanted)


class BadInputs(Vectors):
    # Rows of these kinds are about the text of an ID.
    KINDS = {
        "ulid": ["check", "--as", "ulid", "--strict"],
        "uuid": ["check", "--as", "uuid", "--strict"],
        "uuidv7": ["check", "--as", "uuidv7", "--strict"],
        "uuid-lenient": ["check", "--as", "uuid"],
        "objectid": ["check", "--as", "objectid", "--strict"],
        "snowflake": ["check", "--as", "snowflake", "--strict"],
        "typeid": ["check", "--as", "typeid", "--strict", "--now", NOW],
        "typeid-expect-user": ["check", "--as", "typeid", "--prefix", "user", "--strict"],
        "resource": ["check", "--as", "name"],
        "base64url128": ["convert", "--from", "base64url", "--to", "base64url"],
    }

    def test_get_their_error_class(self):
        rows = table("bad-inputs.tsv")
        for kind, arguments in self.KINDS.items():
            of_kind = [row for row in rows if row["kind"] == kind]
            answers = ask([unescape(row["input"]) for row in of_kind], *arguments)
            codes = ["ok" if answer["valid"] else answer["code"] for answer in answers]
            expected = ["ok" if row["expected"] == "ok" else row["error_class"] for row in of_kind]
            if kind == "base64url128":
                # The form has texts of other lengths too, so that padding is a bad character in it.
                expected = ["invalid_character" if row["why"] == "padding" else wanted
                            for row, wanted in zip(of_kind, expected)]
            self.expect(of_kind, codes, expected, kind)
            for row, answer in zip(of_kind, answers):
                if match := re.match(r"canonical: ([^;]*)", row["why"]):
                    text = answer.get("canonical", answer.get("text"))
                    with self.subTest(row=row["where"]):
                        self.assertEqual(text, match[1])

    def test_names_are_checked_alike_by_the_command_for_them(self):
        rows = [row for row in table("bad-inputs.tsv") if row["kind"] == "resource"]
        answers = ask([unescape(row["input"]) for row in rows], "name", "check")
        self.expect(rows, [answer["valid"] for answer in answers],
                    [row["expected"] == "ok" for row in rows])

    def test_the_command_line_itself(self):
        # As written for a program called idp; what it must refuse, this one must.
        for arguments in (["new", "ulid", "-n", "0"], ["new", "ulid", "-n", "99999999999999999999"],
                          ["new", "ulid", "-n", "10x"], ["new", "bogus"], ["new"],
                          ["check", "--as", "bogus", "x"], ["inspect", "--as", "bogus", "x"]):
            with self.subTest(arguments=arguments):
                self.assertEqual(run(*arguments, exits=(2,)), b"")

    def test_csv(self):
        column = ["check", "--as", "ulid", "--column", "id", "--json"]
        for row in table("bad-inputs.tsv"):
            if row["kind"] != "csv":
                continue
            text = unescape(row["input"])
            with self.subTest(row=row["where"]):
                if row["error_class"] == "missing_field" and text:
                    run(*column, stdin=text, exits=(2,))
                elif row["error_class"] in ("invalid_length", "line_too_long", "-"):
                    answers = [json.loads(line) for line in run(*column, stdin=text).splitlines()]
                    codes = {answer.get("code", "-") for answer in answers}
                    self.assertEqual(codes, {row["error_class"]})


class Detect(Vectors):
    def test_names_every_published_example(self):
        rows = table("detect.tsv")
        answers = ask([row["input"] for row in rows], "inspect", "--now", NOW)
        self.expect(rows, [answer["kind"] or "unknown" for answer in answers],
                    [row["expected"].split(" ~ ")[0] for row in rows])
        for row, answer in zip(rows, answers):
            kinds = [guess["kind"] for guess in answer["guesses"]]
            for also in row["expected"].split(" ~ ")[1:]:
                for kind in also.split(","):
                    with self.subTest(row=row["where"], kind=kind):
                        self.assertTrue(kind in kinds or f"snowflake-{kind}" in kinds, kinds)


class Ulids(Vectors):
    def test_oracle(self):
        rows = table("oracle-ulid.tsv")
        texts = [row["ulid"] for row in rows]
        self.expect(rows, convert(texts, "--from", "ulid", "--to", "hex"), [r["hex"] for r in rows])
        self.expect(rows, convert(texts, "--from", "ulid", "--to", "uuid"), [r["uuid"] for r in rows])
        uuids = [row["uuid"] for row in rows]
        self.expect(rows, convert(uuids, "--from", "uuid", "--to", "ulid"), texts)
        seen = ask(texts, "inspect", "--as", "ulid")
        self.expect(rows, [a["unix_ms"] for a in seen], [int(r["unix_ms"]) for r in rows])
        # What it is not: the same bytes padded on the other side.
        padded = convert(texts, "--from", "ulid", "--to", "crockford")
        self.expect(rows, [text[:-1] for text in padded],
                    [r["NOT_ulid_base32_encode_right_padded"] for r in rows])

    def test_ranges(self):
        rows = table("oracle-ulid-range.tsv")
        sample = rows[:: max(1, len(rows) // 25)]  # a process each
        for row in sample:
            ms = int(row["unix_ms"])
            begin, end = (f"1970-01-01T00:00:00.{ms:03}" if ms < 1000 else f"{t:012}" for t in (ms, ms + 1))
            if ms < 1000:
                end = f"1970-01-01T00:00:00.{ms + 1:03}" if ms < 999 else "1970-01-01T00:00:01"
            with self.subTest(row=row["where"]):
                printed = run("range", "ulid", begin, end).decode().split()
                self.assertEqual(printed, [row["min_ulid"], row["max_ulid"]])

    def test_valid(self):
        rows = table("ulid/valid.tsv")
        texts = [row["ulid"] for row in rows]
        answers = ask(texts, "check", "--as", "ulid", "--strict")
        self.expect(rows, [a["valid"] for a in answers], [True] * len(rows))
        answers = ask(texts, "inspect", "--as", "ulid")
        uuids = [answer["forms"]["uuid"] for answer in answers]
        for row, uuid, answer in zip(rows, uuids, answers):
            with self.subTest(row=row["where"]):
                if row["uuid_hex"]:
                    self.assertEqual(uuid.replace("-", ""), row["uuid_hex"].lower().replace("-", ""))
                if row["unix_ms"]:
                    self.assertEqual(answer["unix_ms"], int(row["unix_ms"]))

    def test_invalid_and_lenient(self):
        rows = table("ulid/invalid.tsv")
        strict = ask([row["text"] for row in rows], "check", "--as", "ulid", "--strict")
        self.expect(rows, [a["valid"] for a in strict], [False] * len(rows))
        rows = table("ulid/lenient.tsv")
        friendly = ask([row["text"] for row in rows], "check", "--as", "ulid")
        self.expect(rows, [a.get("canonical") for a in friendly], [r["canonical"] for r in rows])
        strict = ask([row["text"] for row in rows], "check", "--as", "ulid", "--strict")
        self.expect(rows, [a["valid"] for a in strict], [False] * len(rows))


class Uuids(Vectors):
    def test_oracle(self):
        rows = table("oracle-uuid.tsv")
        texts = [row["uuid"] for row in rows]
        seen = ask(texts, "inspect", "--as", "uuid")
        versions = ["" if a["version"] is None else str(a["version"]) for a in seen]
        for row, answer, version in zip(rows, seen, versions):
            with self.subTest(row=row["where"]):
                if row["uuid_js_validate"] == "true" and version:
                    self.assertEqual(version, row["version"])
                self.assertEqual(answer["int"], row["integer"])
                self.assertEqual(answer["forms"]["base64url"], row["base64url"])
        urns = ask([row["urn"] for row in rows], "check", "--as", "uuid")
        self.expect(rows, [a.get("canonical") for a in urns], [t.lower() for t in texts])
        self.expect(rows, convert([r["integer"] for r in rows], "--from", "int", "--to", "uuid"), texts)
        self.expect(rows, convert([r["base64url"] for r in rows], "--from", "base64url", "--to", "uuid"),
                    texts)
        # Base64 as others write it is detected; of rare versions the bytes may as well be in the
        # order of Microsoft's Guid.
        usual = [row for row in rows if row["uuid_js_validate"] == "true" and row["version"] == "4"]
        detected = ask([row["base64"] for row in usual], "inspect", "--as", "uuid", "--now", NOW)
        self.expect(usual, [a["text"] for a in detected], [row["uuid"] for row in usual])

    def test_rfc_appendix(self):
        rows = table("uuid/rfc9562-appendix.tsv")
        seen = ask([row["uuid"] for row in rows], "inspect")
        for row, answer in zip(rows, seen):
            with self.subTest(row=row["where"]):
                kind = row["version"] if row["version"] in ("nil", "max") else "v" + row["version"]
                self.assertEqual(answer["kind"], "uuid-" + kind)
                fields = {field["name"]: field["value"] for field in answer["fields"]}
                for name, value in re.findall(r"(\w+)=(\S+)", row["fields"]):
                    if name == "unix_ms":
                        self.assertEqual(answer["unix_ms"], int(value))
                    elif name == "clock_seq":
                        self.assertEqual(int(fields[name]), int(value, 16))
                    elif name in fields:
                        self.assertEqual(fields[name], value)

    def test_made_from_names(self):
        rows = [row for row in table("oracle-uuid-v3-v5.tsv")]
        sample = rows[:: max(1, len(rows) // 20)]  # a process each
        for row in sample:
            name = bytes.fromhex(row["name_utf8_hex"])
            if b"\0" in name:
                continue  # no argument can have one
            for version in ("v3", "v5"):
                with self.subTest(row=row["where"], version=version):
                    made = run("new", "uuid" + version, "--namespace", row["namespace_uuid"], "--name", name)
                    self.assertEqual(made.decode().strip(), row[version])


class OtherKinds(Vectors):
    def test_ksuid(self):
        rows = table("oracle-ksuid.tsv")
        texts = [row["ksuid"] for row in rows]
        self.expect(rows, convert(texts, "--from", "ksuid", "--to", "hex"), [r["raw_hex"] for r in rows])
        seen = ask(texts, "inspect", "--as", "ksuid")
        self.expect(rows, [a["unix_ms"] for a in seen], [int(r["unix_s"]) * 1000 for r in rows])
        readme = table("ksuid/segmentio-readme.tsv")
        self.expect(readme, convert([r["ksuid"] for r in readme], "--from", "ksuid", "--to", "hex"),
                    [None if "invalid" in r["raw_hex"].lower() else r["raw_hex"].lower() for r in readme])
        python = table("ksuid/python-ksuid.tsv")
        payloads = convert([r["ksuid"] for r in python], "--from", "ksuid", "--to", "hex")
        self.expect(python, [hex_[8:] for hex_ in payloads], [r["payload_hex"].lower() for r in python])

    def test_objectid(self):
        rows = table("oracle-objectid.tsv")
        texts = [row["hex"] for row in rows]
        answers = ask(texts, "check", "--as", "objectid")
        self.expect(rows, [a["valid"] for a in answers], [True] * len(rows))
        seen = ask(texts, "inspect", "--as", "objectid")
        for row, answer in zip(rows, seen):
            with self.subTest(row=row["where"]):
                self.assertEqual(answer["unix_ms"], int(row["unix_s"]) * 1000)
                self.assertEqual(answer["time"], row["iso"])
                fields = {field["name"]: field["value"] for field in answer["fields"]}
                self.assertEqual((fields["random"], fields["counter"]), (row["random5_hex"], row["counter"]))

    def test_snowflake(self):
        rows = table("oracle-snowflake.tsv")
        for layout in ("discord", "twitter"):
            of_layout = [row for row in rows if row["layout"] == layout]
            seen = ask([r["id"] for r in of_layout], "inspect", "--as", "snowflake-" + layout)
            self.expect(of_layout, [a["unix_ms"] for a in seen], [int(r["unix_ms"]) for r in of_layout])
            for row, answer in zip(of_layout, seen):
                fields = {field["name"]: int(field["value"]) for field in answer["fields"]}
                with self.subTest(row=row["where"]):
                    self.assertEqual(fields["machine"], int(row["worker5"]) * 32 + int(row["process5"]))
                    self.assertEqual(fields["sequence"], int(row["increment12"]))
        published = [row for row in table("snowflake/snowflake.tsv")
                     if row["layout"] in ("discord", "twitter", "instagram", "mastodon", "sony", "linkedin")
                     and row["unix_ms_or_iso"].isdigit()]
        for row in published:
            with self.subTest(row=row["where"]):
                answer = ask([row["id"]], "inspect", "--as", "snowflake-" + row["layout"])[0]
                self.assertEqual(answer["unix_ms"], int(row["unix_ms_or_iso"]))

    def test_typeid(self):
        for name in ("oracle-typeid.tsv", "typeid/valid.tsv", "typeid/valid-typeid-js.tsv"):
            rows = table(name)
            texts = [row["typeid"] for row in rows]
            answers = ask(texts, "check", "--as", "typeid", "--strict")
            self.expect(rows, [a.get("canonical") for a in answers], texts, "check")
            uuids = [row["uuid"] for row in rows]
            self.expect(rows, convert(texts, "--from", "typeid", "--to", "uuid"), uuids, "to uuid")
            for prefix in {row["prefix"] for row in rows}:
                of_prefix = [row for row in rows if row["prefix"] == prefix]
                made = convert([r["uuid"] for r in of_prefix], "--from", "uuid", "--to", "typeid",
                               "--prefix", prefix)
                self.expect(of_prefix, made, [r["typeid"] for r in of_prefix], "from uuid")

    def test_typeid_that_is_none(self):
        rows = table("typeid/invalid.tsv")
        answers = ask([row["typeid"] for row in rows], "check", "--as", "typeid", "--strict")
        self.expect(rows, [a["valid"] for a in answers], [False] * len(rows))
        rows = table("oracle-typeid-parse.tsv")
        answers = ask([row["text"] for row in rows], "check", "--as", "typeid", "--strict")
        for row, answer in zip(rows, answers):
            if row["typeid_js_fromString"].startswith("rejected"):
                with self.subTest(row=row["where"]):
                    self.assertFalse(answer["valid"])

    def test_base36(self):
        rows = table("oracle-base36-uuid.tsv")
        uuids = [row["uuid"] for row in rows]
        digits = [row["base36_25_as_uuid25"] for row in rows]
        self.expect(rows, convert(uuids, "--from", "uuid", "--to", "base36"), digits)
        self.expect(rows, convert(digits, "--from", "base36", "--to", "uuid"), uuids)
        self.expect(rows, convert(uuids, "--from", "uuid", "--to", "int"), [r["integer"] for r in rows])
        public = ask([row["prefixed_padded"] for row in rows], "check", "--as", "public", "--style", "base36",
                     "--strict")
        self.expect(rows, [a.get("canonical") for a in public], [r["prefixed_padded"] for r in rows])
        uuid25 = table("base36/uuid25.tsv")
        self.expect(uuid25, convert([r["uuid25"] for r in uuid25], "--from", "base36", "--to", "uuid"),
                    [r["uuid"].lower() for r in uuid25])

    def test_encodings(self):
        rows = table("oracle-encodings-128.tsv")
        uuids = [row["uuid"] for row in rows]
        for form, column in (("base58", "base58btc_bytes"), ("base62", "base62_22_0-9A-Za-z"),
                             ("base64url", "base64url"), ("ulid", "crockford_left_padded_ulid"),
                             ("base32", "crockford_left_padded_ulid")):
            texts = [row[column] for row in rows]
            self.expect(rows, convert(uuids, "--from", "uuid", "--to", form), texts, form)
            self.expect(rows, convert(texts, "--from", form, "--to", "uuid"), uuids, form)
        checked = convert(uuids, "--from", "uuid", "--to", "crockford")
        self.expect(rows, [text[:-1] for text in checked], [r["crockford_right_padded"] for r in rows])
        self.expect(rows, convert(checked, "--from", "crockford", "--to", "uuid"), uuids)

    def test_every_pair_of_forms_there_and_back(self):
        forms = ["ulid", "uuid", "hex", "base32", "base36", "base62", "base58", "base64url", "int",
                 "crockford", "typeid"]
        uuids = [row["uuid"] for row in table("oracle-encodings-128.tsv")][:20]
        texts = {form: convert(uuids, "--from", "uuid", "--to", form) for form in forms}
        for source in forms:
            for target in forms:
                with self.subTest(source=source, target=target):
                    self.assertEqual(convert(texts[source], "--from", source, "--to", target), texts[target])
        # Bytes have no lines.
        raw = run("convert", "--from", "uuid", "--to", "bytes", stdin="\n".join(uuids).encode())
        self.assertEqual(raw, b"".join(bytes.fromhex(u.replace("-", "")) for u in uuids))
        back = run("convert", "--from", "bytes", "--to", "uuid", stdin=raw).decode().split()
        self.assertEqual(back, uuids)


class Crockford(Vectors):
    def test_book(self):
        rows = table("oracle-crockford-book.tsv")
        texts = [row["id_with_check"] for row in rows]
        answers = ask(texts, "check", "--as", "random", "--strict")
        self.expect(rows, [a.get("canonical") for a in answers], texts)
        self.expect(rows, convert(texts, "--from", "crockford", "--to", "hex"), [r["hex"] for r in rows])
        self.expect(rows, convert([r["hex"] for r in rows], "--from", "hex", "--to", "crockford"), texts)

    def test_verify(self):
        words = {"valid": "valid", "bad-check": "bad_check", "noncanonical": "non_canonical",
                 "bad-length": "invalid_length", "bad-char": "invalid_character"}
        rows = table("oracle-crockford-verify.tsv")
        answers = ask([row["text"] for row in rows], "check", "--as", "random")
        column = "expected_from_a_friendly_strict_parser"
        self.expect(rows, ["valid" if a["valid"] else a["code"] for a in answers],
                    [words.get(row[column], row[column]) for row in rows])

    def test_a_swap_and_a_wrong_character_are_corrected(self):
        rows = [row for row in table("oracle-crockford-verify.tsv")
                if row["case"].startswith(("swap", "substitute"))
                and row["expected_from_a_friendly_strict_parser"] == "bad-check"]
        answers = ask([row["text"] for row in rows], "check", "--as", "random")
        right = {row["text"] for row in table("oracle-crockford-verify.tsv") if row["case"].startswith("ok")}
        swaps = corrected = 0
        for row, answer in zip(rows, answers):
            with self.subTest(row=row["where"]):
                self.assertTrue(answer["suggestions"], "nothing is suggested")
                for suggestion in answer["suggestions"]:
                    differing = sum(a != b for a, b in zip(row["text"].upper(), suggestion))
                    self.assertIn(differing, (1, 2))
            if row["case"].startswith("swap"):
                swaps += 1
                corrected += any(suggestion in right for suggestion in answer["suggestions"])
        self.assertGreater(swaps, 10)
        self.assertGreater(corrected, swaps * 0.9)

    def test_published_checks(self):
        rows = [row for row in table("crockford/check-symbols.tsv") if re.fullmatch(r"[\w*~$=-]+", row["text"])
                and not row["text"].endswith("===") and len(row["text"]) > 2]
        answers = ask([row["text"] for row in rows], "check", "--as", "random")
        for row, answer in zip(rows, answers):
            with self.subTest(row=row["where"]):
                if "a:int(bytes)" in row["rules_that_match"]:
                    self.assertTrue(answer["valid"], answer)


class ResourceNames(Vectors):
    def test_names(self):
        rows = table("resource-names/names.tsv")
        # Ours are pairs without wildcards; what others take besides is no name here.
        rows = [row for row in rows if row["verdict"].startswith("invalid") or
                (row["name"].lstrip("/").count("/") % 2 == (0 if row["name"].startswith("//") else 1)
                 and "-" not in row["name"].split("/"))]
        answers = ask([row["name"] for row in rows], "name", "check")
        self.expect(rows, [answer["valid"] for answer in answers],
                    [row["verdict"].startswith("valid") for row in rows])


class Foreign(Vectors):
    """Kinds that are only recognised."""

    def kinds_of(self, texts, *arguments):
        return [[guess["kind"] for guess in answer["guesses"]]
                for answer in ask(texts, "inspect", "--now", NOW, *arguments)]

    def test_scru128(self):
        rows = [row for row in table("oracle-scru128.tsv")
                if 1_640_995_200_000 < int(row["timestamp_ms"]) < 1_790_000_000_000]
        for row, kinds in zip(rows, self.kinds_of([row["text"] for row in rows])):
            with self.subTest(row=row["where"]):
                self.assertIn("scru128", kinds)

    def test_timeflake(self):
        rows = table("timeflake/timeflake.tsv")
        for row, kinds in zip(rows, self.kinds_of([row["base62"] for row in rows])):
            with self.subTest(row=row["where"]):
                self.assertIn("timeflake", kinds)

    def test_tid(self):
        texts = [line for line in (VECTORS / "tid/atproto-tid_syntax_valid.txt").read_text().split("\n")
                 if line and not line.startswith("#")]
        self.assertGreater(len(texts), 2)
        for text, kinds in zip(texts, self.kinds_of(texts, "--as", "tid")):
            with self.subTest(text=text):
                self.assertLessEqual(set(kinds), {"tid"})

    def test_sqids(self):
        rows = table("oracle-sqids.tsv")
        kinds = self.kinds_of([row["sqid_default"] for row in rows])
        self.assertEqual(len(kinds), len(rows))  # short words prove nothing, but none is an error

    def test_orderlyid(self):
        rows = [row for row in table("orderlyid/orderlyid.tsv") if row["expect_error"] == "false"]
        for row, kinds in zip(rows, self.kinds_of([row["id"] for row in rows])):
            with self.subTest(row=row["where"]):
                self.assertIn("orderlyid", kinds)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
