"""The reference of the public headers: what Doxygen has read in them, as pages of the site.

    pages, silent = cpp_pages.read(XML_FOLDER, INCLUDE_FOLDER)      {"tessera/ulid.h": text of its page}

A page has the head of the header, then what is declared there in the order of the header: a type with its members, or
functions that stand together. In a header a comment is about what follows it up to the next blank line, and so it is here.
`silent` has the types and functions that nobody says anything about, neither above them nor in the head.
"""
import dataclasses
import html
import pathlib
import re
import xml.etree.ElementTree as ElementTree

TYPES = {"class", "struct", "union", "enum", "concept"}
OURS = "tessera::"
NOT_OURS = re.compile(r"(?:^|::)(?:std|fmt|detail|internal)(?:::|$)")
WIDTH = 78


@dataclasses.dataclass
class Declared:
    """One declaration: what it is, where, and what the comment above or behind it says."""
    kind: str
    name: str
    code: str
    words: str
    file: str
    line: int
    end: int
    refs: set = dataclasses.field(default_factory=set)
    members: list = dataclasses.field(default_factory=list)
    values: list = dataclasses.field(default_factory=list)  # of an enum: (name, words)


def flat(element):
    """The text of an element with all that is in it, blanks as we write them."""
    text = " ".join("".join(element.itertext()).split()) if element is not None else ""
    text = re.sub(r"(?<=[\w>*&]) (?=[>(])|(?<=<) ", "", text)
    return re.sub(r" ([&*]+)(?=[\s,)>]|$)", r"\1", text)


def words_of(element):
    """What the filter has kept of a comment."""
    parts = element.findall("briefdescription//verbatim") + element.findall("detaileddescription//verbatim")
    lines = "\n".join(part.text or "" for part in parts).split("\n")
    return "\n".join(re.sub(r"^\s*///? ?", "", line).rstrip() for line in lines).strip("\n")


def refs_of(*elements):
    return {ref.get("refid") for element in elements if element is not None for ref in element.iter("ref")}


def place_of(element):
    """(file, first line, last line) of the declaration, which is not always where the body is."""
    at = element.find("location")
    line = int(at.get("declline") or at.get("line") or 0)
    end = int(at.get("bodyend") or -1)
    begins = int(at.get("bodystart") or 0)
    file = at.get("declfile") or at.get("file")
    return file, line, end if end > 0 and line <= begins <= line + 8 and at.get("bodyfile") == file else line


def template_of(element):
    parameters = element.find("templateparamlist")
    if parameters is None:
        return ""
    texts = []
    for one in parameters.findall("param"):
        name, default = one.find("declname"), one.find("defval")
        text = flat(one.find("type")) + (f" {name.text}" if name is not None and name.text else "")
        texts.append(text + (f" = {flat(default)}" if default is not None else ""))
    return f"template <{', '.join(texts)}>\n"


def wrapped(head, arguments, tail):
    """A prototype; one that is too wide has a line for each parameter."""
    whole = f"{head}({', '.join(arguments)}){tail}"
    if len(whole.rpartition("\n")[2]) <= WIDTH or not arguments:
        return whole
    return f"{head}(\n    " + ",\n    ".join(arguments) + f"){tail}"


def function_code(element):
    head = flat(element.find("type"))
    head = ("friend " if element.get("kind") == "friend" and not head.startswith("friend") else "") + head
    if element.get("virt") in ("virtual", "pure-virtual") and not head.startswith("virtual"):
        head = f"virtual {head}"
    if element.get("static") == "yes":
        head = f"static {head}"
    if element.get("explicit") == "yes":
        head = f"explicit {head}"
    arguments = []
    for one in element.findall("param"):
        name, array, default = one.find("declname"), one.find("array"), one.find("defval")
        text = flat(one.find("type"))
        if name is not None:
            text += f" {name.text}"
        arguments.append(text + flat(array) + (f" = {flat(default)}" if default is not None else ""))
    tail = re.sub(r"^.*\)", "", flat(element.find("argsstring")))
    head = f"{head.strip()} {element.find('name').text}".strip()
    return template_of(element) + wrapped(head, arguments, re.sub(r" ?= ?(0|default|delete)", r" = \1", tail))


def member_of(element):
    kind, name = element.get("kind"), (element.find("name").text or "").partition("@")[0]  # @0: it has none
    initial = element.find("initializer")
    first = flat(initial)
    code = {
        "typedef": lambda: f"using {name} = {flat(element.find('type'))}",
        "define": lambda: f"#define {name} {first}",
        "enum": lambda: f"enum {'class ' if element.get('strong') == 'yes' else ''}{name}".rstrip(),
        "variable": lambda: ("static " if element.get("static") == "yes" else "") + f"{flat(element.find('type'))} {name}"
        + flat(element.find("argsstring")) + ("" if not first else f" {first}" if first.startswith("=") else first),
    }.get(kind, lambda: function_code(element))()
    if kind == "typedef" and "(" in flat(element.find("argsstring")):
        code = flat(element.find("definition"))
    if kind == "variable":
        code = template_of(element) + code
    refs = refs_of(element.find("type"), *(one.find("type") for one in element.findall("param")))
    declared = Declared(kind, name, code, words_of(element), *place_of(element), refs)
    declared.values = [(value.find("name").text + (f" {flat(value.find('initializer'))}" if value.find("initializer") is not None else ""),
                        words_of(value)) for value in element.findall("enumvalue")]
    return declared


def short(name):
    return name.removeprefix(OURS)


class Reader:
    def __init__(self, folder):
        self.declared, self.heads, self.anchors = {}, {}, {}
        for entry in ElementTree.parse(folder / "index.xml").getroot().findall("compound"):
            if entry.get("kind") in TYPES | {"namespace", "file"}:
                compound = ElementTree.parse(folder / f"{entry.get('refid')}.xml").getroot().find("compounddef")
                self.compound(compound, compound.find("compoundname").text)

    def add(self, declared, refid):
        self.declared.setdefault(declared.file, []).append(declared)
        if declared.kind in TYPES and declared.name:
            self.anchors[refid] = declared

    def compound(self, element, name):
        kind = element.get("kind")
        if kind == "file":
            self.heads[element.find("location").get("file")] = words_of(element)
        elif NOT_OURS.search(name) or element.get("prot", "public") != "public":
            return
        members = [(member_of(one), one.get("id")) for section in element.findall("sectiondef")
                   for one in section.findall("memberdef")
                   if one.get("prot") == "public" and not (one.get("kind") == "friend" and flat(one.find("type")).endswith("class"))]
        if kind in ("file", "namespace"):
            for member, refid in members:
                if not (member.kind == "define" and member.name.endswith("_H_")):
                    member.name = short(f"{name}::{member.name}") if kind == "namespace" and member.kind in TYPES else member.name
                    self.add(member, refid)
            return
        bases = ", ".join(f"{base.get('prot')} {short(flat(base))}" for base in element.findall("basecompoundref"))
        code = template_of(element) + (f"{kind} " if kind != "concept" else "concept ") + short(name)
        code += (" final" if element.get("final") == "yes" else "") + (f" : {bases}" if bases else "")
        if kind == "concept":
            code = flat(element.find("initializer")) or code
        type_ = Declared(kind, short(name), code, words_of(element), *place_of(element),
                         {base.get("refid") for base in element.findall("basecompoundref")} - {None})
        for member, refid in members:
            if member.kind == "enum":
                member.name = f"{short(name)}::{member.name}"
                self.add(member, refid)
            else:
                type_.members.append(member)
                type_.refs |= member.refs
        self.add(type_, element.get("id"))


def prose(words):
    """A comment as Markdown: paragraphs, and what is set in from them as it stands."""
    out, block = [], []

    def end_block():
        while block and not block[-1]:
            block.pop()
        if block:
            out.extend(["", "```text", *block, "```", ""])
        block.clear()

    for line in words.split("\n"):
        if line.startswith("  "):
            block.append(line[2:])
        elif block and not line:
            block.append("")
        else:
            end_block()
            parts = re.split(r"(`[^`]*`)", line)
            out.append("".join(part if part.startswith("`") else re.sub(r"([*\[\]{}])", r"\\\1", html.escape(part, quote=False))
                               for part in parts))
    end_block()
    return "\n".join(out).strip("\n")


def cell(text):
    return " ".join(prose(text).split()).replace("|", "\\|")


def code_block(codes):
    return "```text\n" + "\n".join(codes) + "\n```"


def groups_of(declared, source):
    """Declarations that stand together below one comment."""
    groups = []
    for one in declared:
        last = groups[-1][-1] if groups else None
        together = last and not one.words and one.kind not in TYPES and last.kind not in TYPES and \
            all(line.strip() for line in source[last.end:one.line - 1])
        if together:
            groups[-1].append(one)
        else:
            groups.append([one])
    return groups


def is_explained(group, head):
    """By words of its own, of its members, or in the head; what has no name, and operators, need none."""
    first = group[0]
    names = [one.name.rpartition("::")[2] for one in group]
    return first.kind not in TYPES | {"function"} or bool(first.words) or not re.match(r"\w", names[0]) or \
        names[0].startswith("operator") or any(one.words for one in first.members) or any(words for _, words in first.values) or \
        any(re.search(rf"\b{re.escape(name)}s?\b", head) for name in names)


def title_of(group):
    names = list(dict.fromkeys(one.name for one in group))
    return ", ".join(names[:4]) + (", …" if len(names) > 4 else "")


def heading(text):
    return "".join(f"\\{letter}" if letter in "*[]<>_" else letter for letter in text)


def anchor(name):
    """The name that VitePress gives to a heading."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower()


class Writer:
    def __init__(self, reader, include):
        self.reader, self.include, self.silent = reader, include, []

    def link(self, refid, here):
        target = self.reader.anchors.get(refid)
        if target is None or target is here:
            return None
        return f"[{target.name}](/{page_place(target.file)}.md#{anchor(target.name)})"

    def type_part(self, declared, source):
        yield f"## {heading(declared.name or declared.values[0][0].partition(' ')[0] + ', …')}\n"
        yield code_block([declared.code]) + "\n"
        if declared.words:
            yield prose(declared.words) + "\n"
        if declared.values:
            yield "| value | meaning |\n| --- | --- |\n" + "".join(f"| `{name}` | {cell(words)} |\n" for name, words in declared.values)
        data = [one for one in declared.members if one.kind == "variable"]
        if data:
            yield "| member | meaning |\n| --- | --- |\n" + "".join(
                f"| `{one.code.replace('|', chr(92) + '|')}` | {cell(one.words)} |\n" for one in sorted(data, key=lambda one: one.line))
        rest = sorted((one for one in declared.members if one.kind != "variable"), key=lambda one: one.line)
        for group in groups_of(rest, source):
            yield f"### {heading(title_of(group))}\n"
            yield code_block([one.code for one in group]) + "\n"
            if group[0].words:
                yield prose(group[0].words) + "\n"
        links = sorted(filter(None, {self.link(refid, declared) for refid in declared.refs}))
        if links:
            yield "Uses " + ", ".join(links) + ".\n"

    def page(self, file):
        source = (self.include / file).read_text().splitlines()
        declared = sorted(self.reader.declared.get(file, []), key=lambda one: one.line)
        head = self.reader.heads.get(file, "")
        parts = [f"# {heading(file)}\n", prose(head) + "\n",
                 f"`#include <{file}>`; made by Doxygen of [the header](/tree/include/{file}.md).\n"]
        for group in groups_of(declared, source):
            first = group[0]
            if not is_explained(group, head):
                self.silent.append(f"include/{file}:{first.line}: {title_of(group)}")
            if first.kind in TYPES:
                parts += self.type_part(first, source)
                continue
            parts += [f"## {heading(title_of(group))}\n", code_block([one.code for one in group]) + "\n"]
            if first.words:
                parts.append(prose(first.words) + "\n")
            links = sorted(filter(None, {self.link(refid, None) for one in group for refid in one.refs}))
            if links:
                parts.append("Uses " + ", ".join(links) + ".\n")
        return "---\noutline: [2, 3]\n---\n\n" + "\n".join(parts)


def page_place(file):
    """Where in the site a header has its page."""
    return "reference/cpp/" + file.removeprefix("tessera/").removesuffix(".h")


def read(folder, include):
    reader = Reader(pathlib.Path(folder))
    writer = Writer(reader, pathlib.Path(include))
    return {file: writer.page(file) for file in sorted(reader.heads)}, writer.silent
