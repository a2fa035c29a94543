#!/usr/bin/env python3
"""Makes one header of the core: for those who want a file to copy, and no build.

    amalgamate.py OUTPUT        such as build/dev/tessera.hpp

The header has all public headers of core but the C interface and the formatters for {fmt}, and
behind `#ifdef TESSERA_IMPLEMENTATION` the sources. So one file of a program says

    #define TESSERA_IMPLEMENTATION
    #include "tessera.hpp"

and the others only include it. Files keep their text. Two sources may have a helper of the same
name, each in its unnamed namespace; here they are one file, so the second gets another name, by a
macro that ends with it.
"""
import pathlib
import re
import sys

import usage

TOP = pathlib.Path(__file__).resolve().parent.parent
NOT_CORE = {"c.h", "fmt.h"}
NOT_CORE_SOURCES = {"c.cpp", "c_by_name.cpp"}
INCLUDE = re.compile(r'^#include "([^"]+)".*\n', re.M)
# What a declaration at the beginning of a line declares. (Not `using`: the same alias may be declared twice.)
NAMED = re.compile(
    r"^(?:template <[^\n]*>\n)?(?:(?:struct|class|union|enum class|enum|concept) (?:alignas\(\w+\) )?(\w+)"
    r"|(?![}#/ ]|namespace\b|template\b|static_assert\b|public:|private:|using\b|extern\b)"
    r"[^\n(={;]*?(\w+)(?:\(|\{| = |;|\[))", re.M)


def version_header():
    text = (TOP / "cmake/version.h.in").read_text()
    version = (TOP / "VERSION").read_text().strip()
    parts = dict(zip(("MAJOR", "MINOR", "PATCH"), version.split(".")))
    text = text.replace("@PROJECT_VERSION@", version)
    return re.sub(r"@PROJECT_VERSION_(\w+)@", lambda match: parts[match[1]], text)


def read(name):
    if name == "tessera/version.h":
        return version_header()
    folder = "include" if name.startswith("tessera/") else "src"
    return (TOP / folder / name).read_text()


def in_order(names):
    """These headers and all that they include, each behind those that it includes."""
    order = []

    def visit(name, above):
        if name in above:
            sys.exit(f"amalgamate: {name} includes itself")
        if name in order:
            return
        for needed in INCLUDE.findall(read(name)):
            visit(needed, above + [name])
        order.append(name)

    for name in names:
        visit(name, [])
    return order


def body(text):
    text = text.replace("#pragma once\n", "")
    return INCLUDE.sub("", text).strip("\n") + "\n"


def unnamed_names(text):
    """What a source declares in its unnamed namespaces."""
    names = set()
    for block in re.findall(r"^namespace \{\n(.*?)^\}  // namespace\n", text, re.S | re.M):
        for match in NAMED.finditer(block):
            names.add(match[1] or match[2])
    return names - {"operator"}


def amalgamate():
    public = sorted(path.name for path in (TOP / "include/tessera").glob("*.h") if path.name not in NOT_CORE)
    headers = in_order(["tessera/version.h"] + [f"tessera/{name}" for name in public])
    sources = sorted(path for path in (TOP / "src/core").glob("*.cpp")
                     if not re.search(r"_(test|soak|bench|fuzz)\.cpp$", path.name)
                     and path.name not in NOT_CORE_SOURCES)
    own = in_order(sorted({name for path in sources for name in INCLUDE.findall(path.read_text())
                           if name.startswith("core/")}))
    own = [name for name in own if name not in headers]

    version = (TOP / "VERSION").read_text().strip()
    out = [f"// tessera {version}: the core in one header, made by tools/amalgamate.py. Apache License 2.0.\n"
           "//\n"
           "// One file of your program says TESSERA_IMPLEMENTATION before it includes this; C++20.\n"
           "\n#ifndef TESSERA_HPP_\n#define TESSERA_HPP_\n"]
    for name in headers:
        out.append(f"\n// ==== include/{name}\n\n{body(read(name))}")
    out.append("\n#endif  // TESSERA_HPP_\n"
               "\n#if defined(TESSERA_IMPLEMENTATION) && !defined(TESSERA_IMPLEMENTED_)\n#define TESSERA_IMPLEMENTED_\n")
    for name in own:
        out.append(f"\n// ==== src/{name}\n\n{body(read(name))}")
    taken = set()
    for path in sources:
        text = path.read_text()
        names = unnamed_names(text)
        renamed = sorted(names & taken)
        taken |= names
        out.append(f"\n// ==== src/core/{path.name}\n\n")
        out += [f"#define {name} {name}_of_{path.stem}\n" for name in renamed]
        out.append(body(text))
        out += [f"#undef {name}\n" for name in renamed]
    out.append("\n#endif  // TESSERA_IMPLEMENTATION\n")
    return "".join(out)


def main():
    (name,), _ = usage.arguments(__doc__, "OUTPUT")
    path = pathlib.Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = amalgamate()
    path.write_text(text)
    print(f"{path}: {text.count(chr(10))} lines, {len(text.encode())} bytes")


if __name__ == "__main__":
    main()
