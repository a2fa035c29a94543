#!/usr/bin/env python3
"""Checks the OpenAPI document against the published schema, and what no schema can say.

    check_openapi.py SCHEMA PROGRAM

PROGRAM prints the document. Exits 1 and says what is wrong, if anything is.
"""
import json
import re
import subprocess
import sys

import jsonschema

METHODS = {"get", "post", "delete", "put", "patch", "head", "options", "trace"}


def schema_faults(schema, document):
    for error in jsonschema.Draft202012Validator(schema).iter_errors(document):
        yield "/".join(str(part) for part in error.absolute_path) + ": " + error.message


def name_faults(document):
    """Every operation has a name of its own, and describes the holes of its path, all and only."""
    names = set()
    for path, item in document["paths"].items():
        holes = set(re.findall(r"\{([^}]*)\}", path))
        for method, operation in item.items():
            if method not in METHODS:
                yield f"{path}: {method} is no method"
            name = operation["operationId"]
            if name in names:
                yield f"{path}: two operations are called {name}"
            names.add(name)
            described = {p["name"] for p in operation["parameters"] if p["in"] == "path"}
            if described != holes:
                yield f"{path}: describes {sorted(described)}, has {sorted(holes)}"


def schemas_in(document):
    if isinstance(document, dict):
        for key, value in document.items():
            if key in ("schema", "schemas") and isinstance(value, dict):
                yield from (value.values() if key == "schemas" else [value])
            yield from schemas_in(value)
    elif isinstance(document, list):
        for value in document:
            yield from schemas_in(value)


def main(schema_file, program):
    with open(schema_file, encoding="utf-8") as file:
        schema = json.load(file)
    document = json.loads(subprocess.run([program], capture_output=True, check=True).stdout)
    faults = list(schema_faults(schema, document)) + list(name_faults(document))
    for part in schemas_in(document):
        jsonschema.Draft202012Validator.check_schema(part)
    for fault in faults:
        print(f"openapi: {fault}")
    print(f"openapi: {len(document['paths'])} paths, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
