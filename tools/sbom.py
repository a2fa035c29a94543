#!/usr/bin/env python3
"""Writes what our binaries are made of, as an SPDX 2.3 document in JSON.

    sbom.py BUILD OUTPUT          BUILD is a build folder of Ninja, such as build/package

Nothing in it is a list that somebody keeps by hand. Shared libraries are what each binary NEEDs and
the loader finds; archives are those on its link line; headers are those that the compiler says it
has read (ninja -t deps); packages of npm are those of the lock file that go into the page. Files
become packages by asking dpkg. The time is SOURCE_DATE_EPOCH, so that the same build says the same.
"""
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid

import usage

TOP = pathlib.Path(__file__).resolve().parent.parent
BINARIES = {  # target of the build -> what it is
    "bin/tessera": "the program",
    "src/core/libtessera.so.0": "the C interface",
    "extensions/postgres/tessera.so": "the extension of PostgreSQL",
    "extensions/mariadb/tessera_udf.so": "functions for MariaDB",
    "extensions/sqlite/tessera.so": "the extension of SQLite",
}


def printed(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, **options).stdout


class Debian:
    """Which package a file is of."""

    def __init__(self, paths):
        self.owner = {}
        paths = sorted({os.path.realpath(path) for path in paths})
        for start in range(0, len(paths), 500):
            some = paths[start:start + 500]
            some += [path[len("/usr"):] for path in some if path.startswith("/usr/lib")]  # as dpkg may know it
            run = subprocess.run(["dpkg-query", "--search", *some], stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, text=True)
            for line in run.stdout.splitlines():
                packages, _, path = line.rpartition(": ")
                self.owner[os.path.realpath(path)] = packages.split(", ")[0]
        names = sorted(set(self.owner.values()))
        shown = printed("dpkg-query", "--show", "--showformat=${binary:Package} ${Package} ${Version} "
                        "${Architecture} ${source:Package}\n", *names) if names else ""
        self.about = {}
        for line in shown.splitlines():
            binary, name, version, architecture, source = line.split()
            self.about[binary] = self.about[name] = (name, version, architecture, source)

    def package(self, path):
        owner = self.owner.get(os.path.realpath(path))
        return self.about.get(owner) or self.about.get(owner.split(":")[0]) if owner else None


def needed_by(path):
    """Files of the shared libraries that a binary itself asks for."""
    names = re.findall(r"\(NEEDED\).*\[(.*)\]", printed("readelf", "-d", path))
    found = dict(re.findall(r"^\s*(\S+) => (/\S+)", printed("ldd", path), re.M))
    loader = re.findall(r"^\s*(/\S+) \(", printed("ldd", path), re.M)
    found.update({os.path.basename(name): name for name in loader})
    names += opened_by(path)
    known = re.findall(r"^\s*(\S+) .* => (/\S+)", printed("/sbin/ldconfig", "-p"), re.M)
    found = {**dict(reversed(known)), **found}
    missing = [name for name in names if name not in found]
    if missing:
        sys.exit(f"sbom: {path}: no {', '.join(missing)} on this machine")
    return [found[name] for name in dict.fromkeys(names)]


def opened_by(path):
    """Names of the shared libraries that a binary opens when it first needs them."""
    names = re.findall(rb"(?<=\0)lib[A-Za-z0-9_+-]+\.so\.[0-9]+(?=\0)", pathlib.Path(path).read_bytes())
    own = re.findall(r"\(SONAME\).*\[(.*)\]", printed("readelf", "-d", path))
    opened = {name.decode() for name in names} - set(own)
    if pathlib.Path(path).name == "tessera":  # a short name may stand in an instruction
        for source in (TOP / "src/db").glob("*.cpp"):
            opened.update(re.findall(r'Library library\{"([^"]+)"\}', source.read_text()))
    return sorted(opened)


def archives_of(build, target):
    """Archives on the link line that are not ours."""
    last = printed("ninja", "-C", build, "-t", "commands", "-s", target).strip().splitlines()[-1]
    words = last.split()
    archives = [word for word in words if word.startswith("/") and word.endswith(".a")
                and not word.startswith(str(TOP))]
    if "-static-libstdc++" in words:
        archives.append(printed("c++", "-print-file-name=libstdc++.a").strip())
    return archives


def objects_of(build, target):
    """Objects that a target is made of, also by way of our own archives."""
    seen, objects, todo = set(), set(), [target]
    while todo:
        one = todo.pop()
        if one in seen:
            continue
        seen.add(one)
        for line in printed("ninja", "-C", build, "-t", "query", one).splitlines():
            if line.strip().startswith("outputs:"):
                break
            name = line.strip()
            if name.startswith("|| ") or name.endswith(":"):
                continue  # only to be built before; or a heading
            name = name.removeprefix("| ")
            if name.endswith(".o"):
                objects.add(name)
            elif name.endswith((".a", ".so", ".so.0")) or ".so.0." in name:
                todo.append(name)
    return objects


def headers_by_object(build):
    """{object: headers of the system} as the compiler has told."""
    headers, current = {}, None
    for line in printed("ninja", "-C", build, "-t", "deps").splitlines():
        if line and not line.startswith(" "):
            current = headers.setdefault(line.split(":")[0], set())
        elif line.strip().startswith("/usr/"):
            current.add(line.strip())
    return headers


def npm_packages():
    """What the page of the console is bundled from: (name, version), without what only builds it."""
    lock = json.loads((TOP / "apps/console/package-lock.json").read_text())
    return sorted((name.removeprefix("node_modules/"), about["version"])
                  for name, about in lock["packages"].items() if name and not about.get("dev"))


def digest(path, kind):
    return hashlib.new(kind, path.read_bytes()).hexdigest()


def spdx_id(*words):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", "-".join(words)).strip("-")


class Document:
    def __init__(self):
        self.packages, self.files, self.relationships = {}, [], []

    def package(self, key, name, version, locator, supplier="NOASSERTION", license="NOASSERTION"):
        about = {
            "SPDXID": key, "name": name, "versionInfo": version, "supplier": supplier,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": license,
            "licenseDeclared": license, "copyrightText": "NOASSERTION"}
        if locator:
            about["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                      "referenceLocator": locator}]
        self.packages[key] = about
        return key

    def debian(self, about):
        name, version, architecture, source = about
        locator = f"pkg:deb/debian/{name}@{version}?arch={architecture}".replace("+", "%2B")
        key = self.package(spdx_id("deb", name), name, version, locator, "Organization: Debian")
        self.packages[key]["sourceInfo"] = f"built from the Debian source package {source}"
        return key

    def relate(self, one, kind, other):
        relation = {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
        if relation not in self.relationships:
            self.relationships.append(relation)


def make(build):
    version = (TOP / "VERSION").read_text().strip()
    document = Document()
    ours = document.package("SPDXRef-tessera", "tessera", version, None, "Organization: The Tessera authors",
                            "Apache-2.0")
    document.relate("SPDXRef-DOCUMENT", "DESCRIBES", ours)
    targets = [target for target in BINARIES if (build / target).exists()]
    headers = headers_by_object(build)
    facts = {}
    for target in targets:
        read = set().union(*(headers.get(name, set()) for name in objects_of(build, target)))
        facts[target] = (needed_by(build / target), archives_of(build, target), read)
    debian = Debian({path for three in facts.values() for paths in three for path in paths} | {"/usr/bin/g++-12"})

    def of(path):
        about = debian.package(path)
        if not about:
            sys.exit(f"sbom: {path} is of no Debian package")
        return document.debian(about)

    for target in targets:
        path = build / target
        shared, archives, read = facts[target]
        key = spdx_id("file", target)
        document.files.append({
            "SPDXID": key, "fileName": f"./{target}", "comment": BINARIES[target], "fileTypes": ["BINARY"],
            "checksums": [{"algorithm": name, "checksumValue": digest(path, name.lower())}
                          for name in ("SHA1", "SHA256")],
            "licenseConcluded": "Apache-2.0", "licenseInfoInFiles": ["NOASSERTION"],
            "copyrightText": "NOASSERTION"})
        document.relate(ours, "CONTAINS", key)
        for library in shared:
            document.relate(key, "DYNAMIC_LINK", of(library))
        for archive in archives:
            document.relate(key, "STATIC_LINK", of(archive))
        for package in sorted({of(name) for name in read if debian.package(name)}):
            document.relate(package, "BUILD_DEPENDENCY_OF", key)
        if target == "bin/tessera" and "TESSERA_CONSOLE:BOOL=ON" in (build / "CMakeCache.txt").read_text():
            for name, number in npm_packages():
                locator = f"pkg:npm/{name.replace('@', '%40')}@{number}"
                document.relate(key, "CONTAINS", document.package(spdx_id("npm", name), name, number, locator))
    compiler = debian.package("/usr/bin/g++-12")
    if compiler:
        document.relate(document.debian(compiler), "BUILD_TOOL_OF", ours)

    packages = [document.packages[key] for key in sorted(document.packages)]
    content = json.dumps([packages, document.files, document.relationships], sort_keys=True)
    moment = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.timezone.utc)
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"tessera-{version}", "documentNamespace": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, content)}",
        "creationInfo": {"created": moment.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: tools-sbom.py"]},
        "packages": packages, "files": document.files, "relationships": document.relationships}


def main():
    (build, output), _ = usage.arguments(__doc__, "BUILD OUTPUT")
    made = make(pathlib.Path(build))
    pathlib.Path(output).write_text(json.dumps(made, indent=1) + "\n")
    print(f"{output}: {len(made['files'])} binaries, {len(made['packages'])} packages, "
          f"{len(made['relationships'])} relationships")


if __name__ == "__main__":
    main()
