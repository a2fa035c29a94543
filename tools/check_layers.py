#!/usr/bin/env python3
"""Checks that every #include goes where tools/layers.txt lets it go.

    check_layers.py [ROOT]

Prints one line for each include that does not, and exits 1.
"""
import fnmatch
import pathlib
import re
import sys

import usage

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
SOURCES = {".h", ".cpp", ".c"}
NOT_SHIPPED = re.compile(r"_(test|soak|bench|fuzz)\.cpp$")

# C++20, with the C headers in their C++ spelling.
STANDARD = set("""
    algorithm any array atomic barrier bit bitset charconv chrono compare complex concepts
    condition_variable coroutine deque exception execution filesystem format forward_list fstream
    functional future initializer_list iomanip ios iosfwd iostream istream iterator latch limits list
    locale map memory memory_resource mutex new numbers numeric optional ostream queue random ranges
    ratio regex scoped_allocator semaphore set shared_mutex source_location span sstream stack stdexcept
    stop_token streambuf string string_view strstream syncstream system_error thread tuple type_traits
    typeindex typeinfo unordered_map unordered_set utility valarray variant vector version
    cassert cctype cerrno cfenv cfloat cinttypes climits clocale cmath csetjmp csignal cstdarg cstddef
    cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype
""".split())


def read_rules(root):
    """The two tables of layers.txt: room -> what it may include, file pattern of core -> likewise."""
    rooms, files = {}, {}
    for line in (root / "tools/layers.txt").read_text().splitlines():
        line = line.split("#")[0].strip()
        if line:
            key, _, allowed = line.partition(":")
            table = files if "/" in key else rooms
            table[key.strip()] = set(allowed.split())
    return rooms, files


def room_of_file(name):
    """src/segment/x.cpp, include/tessera/segment/x.h -> segment; include/tessera/ulid.h -> core."""
    parts = name.split("/")
    if parts[0] == "include":
        return parts[2] if len(parts) > 3 and parts[2] != "detail" else "core"
    return parts[1] if parts[0] == "src" else parts[0]


def room_of_include(header, rooms):
    """None for a file of the same folder and for what is not ours."""
    first, _, rest = header.partition("/")
    if first == "tessera":
        room = rest.split("/")[0]
        return room if room in rooms else "core"
    return first if first in rooms else None


def objection(name, bracket, header, rooms, files):
    """Why file `name` may not include `header`, or None."""
    room = room_of_file(name)
    if room not in rooms:
        return f"{room} is not a room of tools/layers.txt"
    if bracket == '"':
        if name.startswith("include/") and not header.startswith("tessera/"):
            return "a public header includes public headers only"
        target = room_of_include(header, rooms)
        if target not in (None, room) and not {target, header} & rooms[room]:
            return f"{room} may not include {target}"
    elif room == "core" and header not in STANDARD and not NOT_SHIPPED.search(name):
        for pattern, allowed in files.items():
            if fnmatch.fnmatch(name, pattern) and allowed & {"*", header}:
                return None
        return "core includes the standard library only"
    return None


def main():
    words, _ = usage.arguments(__doc__, "[ROOT]")
    root = pathlib.Path(*words).resolve()
    rooms, files = read_rules(root)
    wrong = seen = 0
    for top in ("include", "src", "apps", "extensions"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in SOURCES:
                continue
            seen += 1
            name = path.relative_to(root).as_posix()
            for number, line in enumerate(path.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                why = match and objection(name, match[1], match[2], rooms, files)
                if why:
                    print(f"{name}:{number}: {why}: {match[2]}")
                    wrong += 1
    print(f"{seen} files, {wrong} wrong includes")
    return 1 if wrong or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
