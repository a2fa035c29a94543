#!/usr/bin/env python3
"""Makes docs/reference/ of the tables of the program, and says if a page there is not what it makes.

    reference.py --program TESSERA --tables DOCS_TABLES --openapi OPENAPI_PRINT
                 --sqlite TESSERA.SO --mariadb INSTALL.SQL [--bless]

    errors.md     the tables of errors, as docs_tables prints them
    http.md       the OpenAPI document
    metrics.md    what a service that was just started answers at /metrics
    sql.md        the scripts of the extensions, and the functions that SQLite has with ours loaded
    cpp.md        the public headers: what each says of itself

--bless writes the pages anew.
"""
import argparse
import difflib
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "reference"
sys.path[:0] = [str(ROOT / "tests" / "extensions"), str(ROOT / "tests" / "service")]
from databases import Sqlite  # noqa: E402
from service import Service  # noqa: E402


def ask(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout


def table(head, rows):
    """A table of Markdown; a bar within a cell would end it."""
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    lines += ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def errors_page(arguments):
    tables = json.loads(ask(arguments.tables))
    parts = ["""# Errors

Made of the tables of the program by `tools/reference.py`; a test compares it.

A code is for programs and stays. The same words stand in the answers of the library, the command line, HTTP and the
databases; [the service](../service.md#errors) says how a problem is written there.

## A text that is no ID

What `parse` and `tessera check` answer, with the offset in the text. Over HTTP the status is 400.
""", table(("code", "phrase", "hint"), ((f"`{row['code']}`", row["phrase"], row["hint"]) for row in tables["texts"])), """
## An ID that could not be made

Generators answer so, and are unchanged afterwards.
""", table(("code", "phrase"), ((f"`{row['code']}`", row["phrase"]) for row in tables["making"])), """
## Stores, numbers and the registry
""", table(("code", "HTTP", "ask again?", "phrase"),
           ((f"`{row['code']}`", row["status"], "yes" if row["retry"] else "no", row["phrase"])
            for row in tables["stores"])), """
## Requests over HTTP

Only the service knows these. After some of them the connection ends.
""", table(("code", "HTTP", "connection", "phrase"),
           ((f"`{row['code']}`", row["status"], "ends" if row["ends"] else "stays", row["phrase"])
            for row in tables["requests"]))]
    return "\n".join(parts)


def code_block(value):
    return "```json\n" + json.dumps(value, indent=2, ensure_ascii=False) + "\n```\n"


def operation(method, path, route):
    """The part of http.md about one route."""
    parts = [f"### {method.upper()} {path}\n", route["summary"] + " " + route.get("description", "")]
    parts[-1] = parts[-1].strip() + ("" if route["security"] else " Needs no token.") + "\n"
    if route["parameters"]:
        parts.append(table(("parameter", "in", "", "meaning"),
                           ((f"`{one['name']}`", one["in"], "required" if one.get("required") else "",
                             one.get("description", "")) for one in route["parameters"])))
    body = route.get("requestBody", {}).get("content", {}).get("application/json", {})
    if "example" in body:
        parts += ["Body:\n", code_block(body["example"])]
    for status, answer in route["responses"].items():
        content = answer.get("content", {})
        if not content:
            continue
        others = [f"`{media}`" for media in content if media != "application/json"]
        parts.append(f"Answer {status}" + (f", also as {' and '.join(others)}" if others and "application/json" in content
                                           else f", {' and '.join(others)}" if others else "") + ":\n")
        if "example" in content.get("application/json", {}):
            parts.append(code_block(content["application/json"]["example"]))
        else:
            parts[-1] = parts[-1].rstrip(":\n") + ".\n"
    return "\n".join(parts)


def group_of(path):
    first = path.split("/")[2].split(":")[0] if path.startswith("/v1/") else ""
    return {"": "How the service is doing", "ids": "IDs", "range": "IDs", "odds": "IDs", "types": "What is declared",
            "scopes": "What is declared", "tenants": "Resources"}.get(first, "For your own services")


def http_page(arguments):
    document = json.loads(ask(arguments.openapi))
    groups = {}
    for path, routes in document["paths"].items():
        for method, route in routes.items():
            groups.setdefault(group_of(path), []).append(operation(method, path, route))
    problem = document["components"]["schemas"]["Problem"]
    parts = [f"""# HTTP

Made of the OpenAPI document, `GET /openapi.json`, by `tools/reference.py`; a test compares it, and another one sends
every example to the service. [The service](../service.md) has how it is run, tokens and limits.

{document["info"]["description"]} Errors are of type `application/problem+json`:
""", table(("field", "", "meaning"),
           ((f"`{name}`", "always" if name in problem["required"] else "", about["description"])
            for name, about in problem["properties"].items()))]
    for group in ("IDs", "Resources", "What is declared", "How the service is doing", "For your own services"):
        parts += [f"\n## {group}\n", "\n".join(groups.pop(group))]
    if groups:
        raise SystemExit(f"reference: no place for {', '.join(groups)}")
    return "\n".join(parts).rstrip("\n") + "\n"


def metrics_page(arguments):
    with Service(arguments.program) as service:
        service.get("/healthz")
        text = service.get("/metrics").text
    families = {}
    for line in text.splitlines():
        if found := re.match(r"# (HELP|TYPE) (\w+) (.*)", line):
            families.setdefault(found[2], {"labels": {}})[found[1]] = found[3]
            continue
        name, labels = re.match(r"(\w+)(?:\{(.*)\})? ", line).groups()
        family = families.get(name) or families[re.sub(r"_(bucket|sum|count)$", "", name)]
        for label in re.findall(r'(\w+)="', labels or ""):
            if label != "le":
                family["labels"][label] = None
    return """# Metrics

Made of what `GET /metrics` answers, by `tools/reference.py`; a test compares it.

In the text format of Prometheus, on both listeners, to a token that may `admin`; without tokens to this machine. A
histogram has the series `_bucket`, `_sum` and `_count`. No label holds what a caller sends: the number of
series is bounded by routes, scopes and the calls of a store.

""" + table(("metric", "type", "labels", "meaning"),
            ((f"`{name}`", family["TYPE"], ", ".join(f"`{label}`" for label in family["labels"]), family["HELP"])
             for name, family in sorted(families.items())))


def names_in(path):
    """The functions that a script declares."""
    return set(re.findall(r"^CREATE (?:OR REPLACE )?FUNCTION (?:IF NOT EXISTS )?(tessera_\w+)", path.read_text(), re.M))


def postgres_rows():
    pattern = re.compile(r"^CREATE FUNCTION (tessera_\w+)\s*\(([^()]*)\)\s*(?:RETURNS (\S+))?\s+((?:AS|LANGUAGE)[^;$]*)",
                         re.S | re.M)
    for script in sorted((ROOT / "extensions/postgres").glob("tessera--*.sql")):
        found_all = pattern.findall(script.read_text())
        missed = names_in(script) - {name for name, *_ in found_all}
        if missed:
            raise SystemExit(f"reference: cannot read {', '.join(missed)} in {script.name}")
        for name, inputs, returns, rest in found_all:
            inputs = " ".join(inputs.split())
            outputs = re.findall(r"OUT (\w+ \w+)", inputs)
            inputs = ", ".join(part for part in inputs.split(", ") if not part.startswith("OUT "))
            inputs = re.sub(r" DEFAULT ", " = ", inputs)
            volatility = re.search(r"IMMUTABLE|STABLE|VOLATILE", rest)[0].lower()
            yield name, f"`{name}({inputs})`", f"`{returns or ', '.join(outputs)}`", volatility


def sqlite_functions(library):
    """{name: (numbers of arguments, what it is)} of what the extension adds."""
    with Sqlite(library) as database:
        rows = database.rows("SELECT name, narg, flags FROM pragma_function_list WHERE name LIKE 'tessera%'")
        tables = database.rows("SELECT name FROM pragma_module_list WHERE name LIKE 'tessera%'")
    functions = {}
    for name, count, flags in rows:
        counts, _ = functions.setdefault(name, (set(), set()))
        counts.add("any" if count < 0 else str(count))
        functions[name][1].add("deterministic" if flags & 0x800 else "")
    result = {name: (", ".join(sorted(counts)), " ".join(sorted(what)).strip()) for name, (counts, what) in functions.items()}
    result |= {name: ("a table", "") for (name,) in tables}
    return result


def sql_page(arguments):
    postgres = sorted(set(postgres_rows()))
    sqlite = sqlite_functions(arguments.sqlite)
    mariadb = names_in(arguments.mariadb) | names_in(ROOT / "extensions/mariadb/next_long.sql")
    plain = [names_in(ROOT / "extensions/sql" / script) for script in ("postgres.sql", "mariadb.sql")]
    offers = ({name for name, *_ in postgres}, set(sqlite), mariadb, *plain)
    names = sorted(set().union(*offers))
    return "\n".join(["""# SQL functions

Made of the scripts of the extensions, and of what SQLite lists once ours is loaded, by `tools/reference.py`; a test
compares it. What each function does, with examples: [PostgreSQL](../postgresql.md#functions),
[SQLite](../sqlite.md#functions), [MariaDB and MySQL](../mariadb.md#functions), [plain SQL](../plain-sql.md).

## Where there is which

The last two columns are the scripts in plain SQL, for servers that load no library.
""", table(("function", "PostgreSQL", "SQLite", "MariaDB", "plain PostgreSQL", "plain MariaDB"),
           ((f"`{name}`", *("yes" if name in offer else "" for offer in offers)) for name in names)), """
## PostgreSQL: how they are called

Besides these the extension has the types `ulid` and `public_id` with their operators, casts and operator classes.
""", table(("function", "returns", ""), (row[1:] for row in postgres)), """
## SQLite: how many arguments

A deterministic function may stand in a CHECK, an index or a generated column.
""", table(("function", "arguments", ""), ((f"`{name}`", *sqlite[name]) for name in sorted(sqlite)))])


def about_header(path):
    """The first sentence of its head."""
    comment = []
    for line in path.read_text().splitlines():
        words = re.sub(r"^(?://|/\*| \*/?) ?", "", line)
        if line.startswith(("//", "/*", " *")):
            if not words.strip() and comment:
                break
            comment.append(words.strip())
        elif comment:
            break
    about = " ".join(word for word in comment if word)
    first = re.match(r".*?\.(?= [A-Z\"]|$)|.*", about)[0]
    return "".join(part if part.startswith("`") else part.replace("<", "&lt;") for part in re.split(r"(`[^`]*`)", first))


def cpp_page(_):
    top = ROOT / "include" / "tessera"
    floor_plan = re.findall(r"^\| \S+ \| `(\w+)` \| (.*?) \|", (ROOT / "src/README.md").read_text(), re.M)
    parts = ["""# C++ headers

Made of the public headers by `tools/reference.py`; a test compares it. A header reads like a page: what it is, the promise,
the picture, then the code. On the [site](../README.md#as-a-site) Doxygen has made a page of each, with every type, function and
member, and the search knows them; elsewhere the links lead to the headers themselves.

Link `tessera::core` for those of the first part, `tessera::<room>` for the others.
"""]
    folders = {folder for path in top.rglob("*.h") if (folder := path.parent) != top / "detail"}
    for room, about in floor_plan:
        folder = top if room == "core" else top / room
        if folder not in folders:
            continue
        folders.remove(folder)
        parts.append(f"\n## {room}: {about.split(';')[0]}\n")
        headers = [(path.relative_to(ROOT / "include"), about_header(path)) for path in sorted(folder.glob("*.h"))]
        parts.append(table(("header", "what it is"), ((f"[{name}](../../include/{name})", about) for name, about in headers)))
    if folders:
        raise SystemExit(f"reference: not in the floor plan of src/README.md: {', '.join(map(str, folders))}")
    return "\n".join(parts)


PAGES = {"errors.md": errors_page, "http.md": http_page, "metrics.md": metrics_page, "sql.md": sql_page, "cpp.md": cpp_page}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("program", "tables", "openapi", "sqlite", "mariadb"):
        parser.add_argument(f"--{name}", required=True, type=pathlib.Path)
    parser.add_argument("--bless", action="store_true")
    arguments = parser.parse_args()
    wrong = 0
    for name, make in PAGES.items():
        made = re.sub(r"\n{3,}", "\n\n", make(arguments))
        page = FOLDER / name
        if arguments.bless:
            FOLDER.mkdir(exist_ok=True)
            page.write_text(made)
        kept = page.read_text() if page.exists() else ""
        if kept != made:
            print(*difflib.unified_diff(kept.splitlines(), made.splitlines(), f"docs/reference/{name}", "the program",
                                        lineterm=""), sep="\n")
            wrong += 1
    print(f"{len(PAGES)} pages, {wrong} differ" + ("; if the program is right, add --bless" if wrong else ""))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
