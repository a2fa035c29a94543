#!/usr/bin/env python3
"""The SBOM: it has the form of SPDX 2.3, and says what the binaries say of themselves.

    sbom_test.py BUILD
"""
import copy
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/sbom.py"
BUILD = None

# From the specification, clauses 6 to 8, 11: fields that must be there, and what they look like.
ID = r"SPDXRef-[A-Za-z0-9.-]+"
RELATIONSHIPS = {"DESCRIBES", "CONTAINS", "DYNAMIC_LINK", "STATIC_LINK", "BUILD_DEPENDENCY_OF", "BUILD_TOOL_OF"}
DOCUMENT = {"spdxVersion": r"SPDX-2\.3", "dataLicense": r"CC0-1\.0", "SPDXID": "SPDXRef-DOCUMENT", "name": ".+",
            "documentNamespace": r"[a-z]+:[^#]+"}
PACKAGE = {"SPDXID": ID, "name": ".+", "versionInfo": ".+", "downloadLocation": "NOASSERTION|NONE|[a-z+]+:.+",
           "licenseConcluded": ".+", "licenseDeclared": ".+", "supplier": "NOASSERTION|(Organization|Person): .+"}
FILE = {"SPDXID": ID, "fileName": r"\./.+", "licenseConcluded": ".+", "copyrightText": ".+"}
PURL = r"pkg:(deb/debian|npm)/[^@ ]+@[^@ ]+"
DIGESTS = {"SHA1": r"[0-9a-f]{40}", "SHA256": r"[0-9a-f]{64}"}


def faults(document):
    def check(element, fields):
        for field, pattern in fields.items():
            if not re.fullmatch(pattern, str(element.get(field, ""))):
                yield f"{element.get('SPDXID')}: {field} is {element.get(field)!r}"

    yield from check(document, DOCUMENT)
    info = document.get("creationInfo", {})
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", info.get("created", "")):
        yield "created is no moment"
    if not all(re.match(r"(Tool|Person|Organization): ", one) for one in info.get("creators", [""])):
        yield "creators"
    elements = [document] + document.get("packages", []) + document.get("files", [])
    ids = [element.get("SPDXID") for element in elements]
    if len(set(ids)) != len(ids):
        yield "an ID twice"
    for package in document.get("packages", []):
        yield from check(package, PACKAGE)
        for reference in package.get("externalRefs", []):
            if not re.fullmatch(PURL, reference["referenceLocator"]):
                yield f"{package['name']}: {reference['referenceLocator']}"
    for file in document.get("files", []):
        yield from check(file, FILE)
        for sum_ in file.get("checksums", []):
            if not re.fullmatch(DIGESTS.get(sum_["algorithm"], "-"), sum_["checksumValue"]):
                yield f"{file['fileName']}: checksum"
        if "SHA1" not in [sum_["algorithm"] for sum_ in file.get("checksums", [])]:
            yield f"{file['fileName']}: no SHA1"
    for relation in document.get("relationships", []):
        if relation["relationshipType"] not in RELATIONSHIPS:
            yield f"relationship {relation['relationshipType']}"
        for end in (relation["spdxElementId"], relation["relatedSpdxElement"]):
            if end not in ids:
                yield f"relationship with {end}, which is not there"
    if not any(one["relationshipType"] == "DESCRIBES" for one in document.get("relationships", [])):
        yield "describes nothing"


class Sbom(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder) / "tessera.spdx.json"
            subprocess.run([sys.executable, TOOL, BUILD, output], check=True)
            cls.document = json.loads(output.read_text())

    def linked(self, name, kind):
        key = next(one["SPDXID"] for one in self.document["files"] if one["fileName"].endswith(name))
        return {one["relatedSpdxElement"].removeprefix("SPDXRef-deb-") for one in self.document["relationships"]
                if one["spdxElementId"] == key and one["relationshipType"] == kind}

    def test_has_the_form(self):
        self.assertEqual(list(faults(self.document)), [])

    def test_a_broken_one_is_found(self):
        def broken(change):
            document = copy.deepcopy(self.document)
            change(document)
            return list(faults(document))
        self.assertTrue(broken(lambda d: d.pop("dataLicense")))
        self.assertTrue(broken(lambda d: d["packages"].pop()))
        self.assertTrue(broken(lambda d: d["packages"].append(d["packages"][0])))
        self.assertTrue(broken(lambda d: d["files"][0]["checksums"].clear()))
        self.assertTrue(broken(lambda d: d["relationships"].pop(0)))

    def test_says_what_is_linked(self):
        self.assertLessEqual({"libc6", "libssl3", "zlib1g", "libpq5", "libmariadb3"},
                             self.linked("bin/tessera", "DYNAMIC_LINK"))
        static = self.linked("bin/tessera", "STATIC_LINK")
        self.assertLessEqual({"libyaml-dev", "libsqlite3-dev"}, static)
        self.assertTrue(all(re.fullmatch(r"lib(yaml|sqlite3|stdc-\d+)-dev", name) for name in static), static)
        self.assertNotIn("libssl3", self.linked("libtessera.so.0", "DYNAMIC_LINK"))
        built_with = {one["spdxElementId"] for one in self.document["relationships"]
                      if one["relationshipType"] == "BUILD_DEPENDENCY_OF"}
        self.assertIn("SPDXRef-deb-libboost1.81-dev", built_with)

    def test_digests_are_those_of_the_files(self):
        for file in self.document["files"]:
            data = (BUILD / file["fileName"]).read_bytes()
            sums = {one["algorithm"]: one["checksumValue"] for one in file["checksums"]}
            self.assertEqual(sums["SHA256"], hashlib.sha256(data).hexdigest())


if __name__ == "__main__":
    BUILD = pathlib.Path(sys.argv.pop(1))
    unittest.main(verbosity=2)
