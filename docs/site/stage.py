#!/usr/bin/env python3
"""Lays out the documents of the tree as VitePress wants them.

    stage.py OUT [XML]

The pages stay where they are in the tree; this makes a copy of them with other links:

    README.md, README.zh.md       the front pages, below what home.md and home.zh.md say
    docs/x.md, docs/y/x.md        x, y/x; docs/x.zh.md is zh/x
    docs/README.md                documents; its tables are also the navigation: a heading is a group, and the
                                  links of its rows are the pages in it
    any other page                tree/<path>
    a file that a page links to   tree/<path>, as a page that shows it (in one colour: to paint ninety headers takes
                                  longer than all else); a folder lists its files
    include/tessera/x.h           reference/cpp/x, made of the folder XML by cpp_pages.py, if that is given; links to the
                                  header lead there, and from there to tree/<path>

Says so if a link leads nowhere, and if a page of docs/ is not in the navigation.
"""
import json
import pathlib
import re
import shutil
import sys

import cpp_pages

SITE = pathlib.Path(__file__).resolve().parent
ROOT = SITE.parents[1]
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
# A link, or code, whichever begins first: code may be the words of a link, and has no links in it.
PART = re.compile(r"^```.*?^```\n|(?P<mark>!?)\[(?P<words>(?:`[^`\n]*`|[^\]`])*)\]\((?P<target>[^)\s]+)\)|`[^`\n]+`",
                  re.S | re.M)
PICTURES = {".svg", ".png"}
SMALL = 200_000  # a larger file is not shown


def place_of(path):
    """Where a file of the tree is in the site; without .md."""
    name = path.relative_to(ROOT).as_posix()
    if name == "README.md":
        return "index"
    if name == "docs/README.md":
        return "documents"
    if path.suffix != ".md":
        return f"tree/{name}"
    name = name.removesuffix(".md")
    if name.endswith(".zh"):
        inner = name.removesuffix(".zh").removeprefix("docs/")
        return "zh/" + ("index" if inner == "README" else inner)
    if name.startswith("docs/"):
        return re.sub(r"(^|/)README$", r"\1index", name.removeprefix("docs/"))
    return f"tree/{name}"


def navigation(text):
    """[{text, items: [{text, link}]}] of docs/README.md, and of the tutorial in Chinese."""
    groups = []
    for line in text.splitlines():
        if line.startswith("## "):
            groups.append({"text": line[3:], "items": []})
        elif line.startswith("|") and groups:
            for _, words, target in LINK.findall(line):
                path = (ROOT / "docs" / target.partition("#")[0]).resolve()
                link = "/" + place_of(path).removesuffix("index")
                groups[-1]["items"].append({"text": words[:1].upper() + words[1:], "link": link})
    return [group for group in groups if group["items"]]


class Stage:
    def __init__(self, out):
        self.out, self.waiting, self.done, self.faults = out, [], set(), []
        self.headers = {}  # those that have a page: their place

    def need(self, path):
        """Where the file will be; it is put there later if nobody did yet."""
        if path not in self.done:
            self.done.add(path)
            self.waiting.append(path)
        return place_of(path)

    def put(self, place, text):
        target = self.out / f"{place}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def link(self, path, target):
        name, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target) or not name:
            return target
        other = (path.parent / name).resolve()
        if not other.exists() or ROOT not in (other, *other.parents):
            self.faults.append(f"{path.relative_to(ROOT)}: a link to what is not there: {target}")
            return target
        if other.suffix in PICTURES:
            place = "public/" + other.relative_to(ROOT).as_posix()
            (self.out / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(other, self.out / place)
            return "/" + other.relative_to(ROOT).as_posix()
        if other.is_dir() and (other / "README.md").exists():
            other /= "README.md"
        if other in self.headers:
            return f"/{self.headers[other]}.md"
        return f"/{self.need(other)}.md" + (f"#{anchor}" if anchor else "")

    def page(self, path):
        text = path.read_text()
        text = PART.sub(lambda found: found[0] if not found["target"] else
                        f"{found['mark']}[{found['words']}]({self.link(path, found['target'])})", text)
        home = SITE / {"README.md": "home.md", "README.zh.md": "home.zh.md"}.get(path.relative_to(ROOT).as_posix(), "-")
        if home.exists():
            text = home.read_text() + "\n" + re.sub(r"^# .*\n", "", text, count=1)
        self.put(place_of(path), text)

    def show(self, path):
        name = path.relative_to(ROOT).as_posix()
        head = f"---\nsearch: false\noutline: false\n---\n\n# {path.name}\n\n`{name}`\n\n"
        if path.is_dir():
            rows = [f"- [{one.name}](/{self.need(one)}.md)" for one in sorted(path.iterdir()) if one.is_file()]
            self.put(place_of(path), head + "\n".join(rows) + "\n")
            return
        text = path.read_text() if path.stat().st_size < SMALL else "too large to be shown here\n"
        self.put(place_of(path), f"{head}````text\n{text}````\n")

    def reference(self, xml):
        """The pages of the headers."""
        pages, silent = cpp_pages.read(xml, ROOT / "include")
        for name, text in pages.items():
            path = ROOT / "include" / name
            self.need(path)
            self.headers[path] = cpp_pages.page_place(name)
            self.put(self.headers[path], text)
        print(f"{len(pages)} headers; {len(silent)} types and functions have no words but their names")
        if len(pages) < 50:
            self.faults.append(f"{xml}: only {len(pages)} headers were read")

    def run(self):
        """Everything; what is linked to from these pages follows."""
        pages = [ROOT / "README.md", ROOT / "README.zh.md",
                 *(path for path in sorted((ROOT / "docs").rglob("*.md")) if SITE not in path.parents)]
        for path in pages:
            self.need(path)
        while self.waiting:
            path = self.waiting.pop()
            if path.suffix == ".md":
                self.page(path)
            else:
                self.show(path)
        groups = navigation((ROOT / "docs/README.md").read_text())
        reachable = {item["link"] for group in groups for item in group["items"]} | {"/documents", "/"}
        for path in pages:
            link = "/" + place_of(path).removesuffix("index")
            if link not in reachable and not link.startswith("/zh/"):
                self.faults.append(f"{path.relative_to(ROOT)}: not in the tables of docs/README.md")
        (self.out / ".vitepress" / "navigation.json").write_text(json.dumps(groups, ensure_ascii=False, indent=1))


def main():
    if not 2 <= len(sys.argv) <= 3 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    out = pathlib.Path(sys.argv[1])
    for old in (*out.glob("*.md"), *(folder for folder in out.iterdir() if folder.is_dir() and folder.name not in ("node_modules", "doxygen"))):
        old.unlink() if old.is_file() else shutil.rmtree(old)
    shutil.copytree(SITE / "vitepress", out / ".vitepress")
    shutil.copytree(SITE / "public", out / "public")
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copyfile(SITE / name, out / name)
    stage = Stage(out)
    if len(sys.argv) == 3:
        stage.reference(sys.argv[2])
    stage.run()
    print(*stage.faults, sep="\n", end="\n" if stage.faults else "")
    print(f"{len(stage.done)} pages, {len(stage.faults)} faults")
    return 1 if stage.faults else 0


if __name__ == "__main__":
    sys.exit(main())
