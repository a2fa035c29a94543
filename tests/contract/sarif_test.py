#!/usr/bin/env python3
"""The SARIF log of a check with findings of every family, held to the form of the standard.

    sarif_test.py PROGRAM

SCHEMA is what SARIF 2.1.0 (OASIS, sections 3.13 to 3.59) says of the objects that we write, and allows
no others: a property that is misspelt, of a wrong type or out of its place is a fault. Then what no schema
can say: every result names its rule by number and by place, and says the same as --json does.
"""
import copy
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

import jsonschema

TEXT = {"type": "string", "minLength": 1}
LEVEL = {"enum": ["none", "note", "warning", "error"]}


def closed(required, **properties):
    """An object that has these properties and no others; `required` are the names that must be there."""
    return {"type": "object", "properties": properties, "required": required.split(), "additionalProperties": False}


def listed(item, least=0):
    return {"type": "array", "items": item, "minItems": least}


MESSAGE = closed("text", text=TEXT)
RULE = closed(
    "id", id=TEXT, name=TEXT, shortDescription=MESSAGE, fullDescription=MESSAGE, help=MESSAGE,
    defaultConfiguration=closed("", level=LEVEL))
# A reference, not an address: no scheme, nothing that must be written as %NN.
FILE = closed("uri", uri={"type": "string", "pattern": r"^[A-Za-z0-9\-._~/%]+$"})
LOCATION = closed(
    "", physicalLocation=closed(
        "artifactLocation", artifactLocation=FILE,
        region=closed("startLine", startLine={"type": "integer", "minimum": 1})),
    logicalLocations=listed(closed("", fullyQualifiedName=TEXT), 1))
RESULT = closed(
    "ruleId message", ruleId=TEXT, ruleIndex={"type": "integer", "minimum": 0}, level=LEVEL, message=MESSAGE,
    locations=listed(LOCATION, 1), occurrenceCount={"type": "integer", "minimum": 1},
    suppressions=listed(closed("kind", kind={"enum": ["inSource", "external"]}, justification=TEXT), 1))
DRIVER = closed("name", name=TEXT, version=TEXT, rules=listed(RULE))
RUN = closed(
    "tool", tool=closed("driver", driver=DRIVER), results=listed(RESULT),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]})
SCHEMA = closed(
    "version runs", version={"const": "2.1.0"}, runs=listed(RUN, 1),
    **{"$schema": {"type": "string", "pattern": "^https://.*sarif.*2.1.0.json$"}})

INPUTS = {
    "an api.yaml": """openapi: 3.1.0
paths:
  /orders/{id}:
    parameters:
      - {name: id, in: path, schema: {type: integer}}
""",
    "answers.ndjson": '{"id":17}\n{"id":18,"trace":"01ARZ3NDEKTSV4RRFFQ69G5FAV"}\nbroken "\\u0007\n',
    "queries.sql": "SELECT * FROM bc_order\nWHERE public_id = ?;\n",
    "waivers.yaml": """waivers:
  - {rule: TC301, place: queries.sql, reason: 'an "export"'}
  - {rule: TC105, place: nowhere, reason: a list}
""",
}
TABLES = """
CREATE TABLE bc_order (id INTEGER PRIMARY KEY AUTOINCREMENT, "tenant_id" BIGINT NOT NULL,
  public_id VARCHAR(64) NOT NULL UNIQUE);
CREATE TABLE "odd ""name" (public_id VARCHAR(64) PRIMARY KEY);
"""


def faults_of(log):
    for error in jsonschema.Draft202012Validator(SCHEMA).iter_errors(log):
        yield "/".join(str(part) for part in error.absolute_path) + ": " + error.message


def broken(log, change):
    other = copy.deepcopy(log)
    change(other["runs"][0])
    return other


def check_form(log):
    faults = list(faults_of(log))
    assert not faults, faults
    # And the form is one that can be missed.
    changes = {
        "no tool": lambda run: run.pop("tool"),
        "no message": lambda run: run["results"][0].pop("message"),
        "a line 0": lambda run: run["results"][-1]["locations"][0]["physicalLocation"]["region"].update(startLine=0),
        "a level of ours": lambda run: run["results"][0].update(level="fatal"),
        "a misspelt property": lambda run: run["results"][0].update(occurenceCount=1),
        "a text instead of a message": lambda run: run["results"][0].update(message="text"),
        "a blank in an address": lambda run: run["results"][-1]["locations"][0]["physicalLocation"][
            "artifactLocation"].update(uri="a b"),
    }
    for what, change in changes.items():
        assert list(faults_of(broken(log, change))), f"the form lets pass: {what}"


def check_sense(log, findings):
    run = log["runs"][0]
    rules, results = run["tool"]["driver"]["rules"], run["results"]
    assert len(results) == len(findings), (len(results), len(findings))
    for result, finding in zip(results, findings):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == finding["rule"], result
        assert result["level"] == finding["level"], result
        assert result["occurrenceCount"] == finding["count"], result
        assert result["message"]["text"].startswith(finding["what"]), result
        assert ("suppressions" in result) == ("waived" in finding), result
        physical = result["locations"][0].get("physicalLocation")
        assert (physical is not None) == ("file" in finding), result
        if "line" in finding:
            assert physical["region"]["startLine"] == finding["line"], result
    families = {finding["rule"][:3] for finding in findings}
    assert families == {"TC0", "TC1", "TC2", "TC3"}, families
    assert any("%20" in str(result["locations"]) for result in results)


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in INPUTS.items():
            pathlib.Path(folder, name).write_text(text, encoding="utf-8")
        database = sqlite3.connect(f"{folder}/shop.db")
        database.executescript(TABLES)
        database.close()

        def run(form, *more):
            done = subprocess.run(
                [program, "contract", "check", form, "--now", "2027-01-01", *more],
                cwd=folder, capture_output=True, text=True, timeout=120)
            return done.returncode, done.stdout

        everything = ["--store", "sqlite:shop.db", "--openapi", "an api.yaml", "--responses", "answers.ndjson",
                      "--sql", "queries.sql", "--waivers", "waivers.yaml"]
        status, text = run("--sarif", *everything)
        assert status == 1, (status, text)
        log = json.loads(text)
        status, text = run("--json", *everything)
        assert status == 1, (status, text)
        check_form(log)
        check_sense(log, [json.loads(line) for line in text.splitlines()])

        # Nothing found is a log, too; and only what was waived is no reason to fail.
        status, text = run("--sarif", "--sql", "queries.sql", "--skip", "*")
        assert status == 0 and json.loads(text)["runs"][0]["results"] == [], (status, text)
        assert not list(faults_of(json.loads(text)))
        status, text = run("--sarif", "--sql", "queries.sql", "--waivers", "waivers.yaml")
        assert status == 0, (status, text)
    print(f"{len(log['runs'][0]['results'])} results are as SARIF 2.1.0 wants them")


if __name__ == "__main__":
    main()
