#!/usr/bin/env python3
"""Compares the binary interface of libtessera.so with the list that is checked in.

    check_abi.py LIBRARY [LIST]              exit 1 if they differ
    check_abi.py --update LIBRARY [LIST]     write the list anew

The list (packaging/abi/) has the name of the library, its functions with symbol version and
prototype, the constants, and the structs. A line that is gone or changed breaks programs that were
built before: then SOVERSION, TESSERA_C_VERSION and the name in src/core/exports.map go up by one. A
line that is new breaks nobody. Both are for --update, and for somebody to look at the difference.
"""
import pathlib
import re
import subprocess
import sys

import usage

TOP = pathlib.Path(__file__).resolve().parent.parent
HEADER = TOP / "include/tessera/c.h"
LIST = TOP / "packaging/abi/libtessera.so.0.txt"


def readelf(*arguments):
    return subprocess.run(["readelf", "--wide", *arguments], stdout=subprocess.PIPE, check=True, text=True).stdout


def exported(library):
    """{function: symbol version} of what a program can link."""
    symbols = {}
    for line in readelf("--dyn-syms", library).splitlines():
        fields = line.split()
        if len(fields) < 8 or fields[6] in ("UND", "ABS") or fields[4] not in ("GLOBAL", "WEAK"):
            continue
        name, _, version = fields[7].partition("@")
        symbols[name] = version.lstrip("@")
    return symbols


def soname(library):
    found = re.search(r"\(SONAME\).*\[(.*)\]", readelf("--dynamic", library))
    return found[1] if found else "none"


def declared(text):
    """(functions {name: prototype}, constants {name: value}, structs [text]) of a C header."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    constants = dict(re.findall(r"^#define (TESSERA_\w+) +(\S+) *$", text, re.M))
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    text = re.sub(r'extern "C" \{', "", text)
    functions, structs = {}, []
    for statement in re.findall(r"[^;{}]*(?:\{[^}]*\}[^;]*)?;", text):
        statement = re.sub(r"\s+", " ", statement).strip(" ;")
        enum = re.match(r"enum.*\{(.*)\}", statement)
        function = re.match(r"[\w *]*?\b(tessera_\w+)\(.*\)$", statement)
        if enum:
            for constant in filter(None, (word.strip() for word in enum[1].split(","))):
                name, _, value = constant.partition(" = ")
                constants[name] = value
        elif function:
            functions[function[1]] = statement
        elif statement:
            structs.append(statement)
    return functions, constants, structs


def interface(library, header_text):
    """The lines of the list, and what is wrong whatever the list says."""
    functions, constants, structs = declared(header_text)
    symbols = exported(library)
    wrong = [f"declared in c.h, and not exported: {name}" for name in sorted(set(functions) - set(symbols))]
    wrong += [f"exported, and not declared in c.h: {name}" for name in sorted(set(symbols) - set(functions))]
    lines = [f"library {soname(library)}"]
    lines += [f"constant {name} = {value}" for name, value in sorted(constants.items())]
    lines += [f"type {text}" for text in sorted(structs)]
    lines += [f"function {symbols.get(name, 'none')} {functions[name]}" for name in sorted(functions)]
    return lines, wrong


def main():
    (library, *names), flags = usage.arguments(__doc__, "LIBRARY [LIST]", {"--update"})
    path = pathlib.Path(names[0]) if names else LIST
    lines, wrong = interface(library, HEADER.read_text())
    if flags:
        path.write_text("\n".join(lines) + "\n")
    kept = path.read_text().splitlines()
    wrong += [f"gone: {line}" for line in kept if line not in lines]
    wrong += [f"new: {line}" for line in lines if line not in kept]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    functions = sum(line.startswith("function ") for line in lines)
    print(f"{functions} functions, {len(lines) - functions - 1} constants and types, {len(wrong)} differences")
    if wrong:
        print(f"tools/check_abi.py --update {library} writes {path.name} anew; see its head for when to.")
    return 1 if wrong or functions < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
