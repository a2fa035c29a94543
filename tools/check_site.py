#!/usr/bin/env python3
"""Checks a site that was built: that it needs nobody else, and that nothing in it leads nowhere.

    check_site.py FOLDER NAVIGATION.JSON [BASE]      BASE is where on its host the site will be, / if not said

    - every link to a page, file or heading of the site finds it;
    - every page is reached from the front page by links;
    - nothing is loaded from another host: no script, style, picture or font;
    - every page of the navigation is in the index of the search.

Prints what is wrong, and exits 1 if anything is.
"""
import html.parser
import json
import pathlib
import re
import sys
import urllib.parse

import usage

LOADS = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "video": "src"}


class Page(html.parser.HTMLParser):
    """What a page links to, loads and can be jumped to."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.names = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if attributes.get("id"):
            self.names.add(attributes["id"])
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        elif LOADS.get(tag) and attributes.get(LOADS[tag]):
            self.loads.append(attributes[LOADS[tag]])


def is_elsewhere(address):
    return re.match(r"(?:[a-z][a-z0-9+.-]*:)?//", address) is not None


class Site:
    def __init__(self, folder, base):
        self.folder, self.base = folder, base
        self.pages = {path: Page(path.read_text()) for path in sorted(folder.rglob("*.html"))}
        self.faults = []

    def fault(self, path, what):
        self.faults.append(f"{path.relative_to(self.folder)}: {what}")

    def target_of(self, path, address):
        """The file that an address of the page means."""
        name = urllib.parse.unquote(urllib.parse.urlsplit(address).path)
        if not name:
            return path
        target = (self.folder / name.removeprefix(self.base) if name.startswith(self.base) else path.parent / name).resolve()
        return target / "index.html" if target.is_dir() else target

    def check_links(self):
        for path, page in self.pages.items():
            for address in page.loads:
                if is_elsewhere(address):
                    self.fault(path, f"loads {address}")
                elif not address.startswith("data:") and not self.target_of(path, address).exists():
                    self.fault(path, f"loads what is not there: {address}")
            for address in page.links:
                if re.match(r"[a-z]+:", address):
                    continue
                target, anchor = self.target_of(path, address), urllib.parse.unquote(urllib.parse.urlsplit(address).fragment)
                if not target.exists():
                    self.fault(path, f"a link to what is not there: {address}")
                elif anchor and target in self.pages and anchor not in self.pages[target].names:
                    self.fault(path, f"a link to a heading that is not there: {address}")

    def check_reach(self):
        reached, waiting = set(), [self.folder / "index.html"]
        while waiting:
            path = waiting.pop()
            if path in reached or path not in self.pages:
                continue
            reached.add(path)
            waiting += [self.target_of(path, address) for address in self.pages[path].links
                        if not re.match(r"[a-z]+:", address)]
        for path in self.pages.keys() - reached - {self.folder / "404.html"}:
            self.fault(path, "no way leads here from the front page")

    def check_styles(self):
        for path in sorted(self.folder.rglob("*.css")):
            for address in re.findall(r"(?:url\(|@import )\s*['\"]?([^'\")]+)", path.read_text()):
                if is_elsewhere(address):
                    self.fault(path, f"loads {address}")

    def check_search(self, navigation):
        index = "".join(path.read_text() for path in self.folder.rglob("*localSearchIndex*.js"))
        for group in navigation:
            for item in group["items"]:
                link = item["link"] + ("index" if item["link"].endswith("/") else "")
                # The index names a page by its address and a heading: "/kinds.html#choosing".
                if not re.search(re.escape(re.sub(r"index$", "", link)) + r"(?:\.html)?#", index):
                    self.fault(self.folder / "index.html", f"the search does not know {link}")


def main():
    (folder, navigation, *base), _ = usage.arguments(__doc__, "FOLDER NAVIGATION.JSON [BASE]")
    site = Site(pathlib.Path(folder).resolve(), *(base or ["/"]))
    site.check_links()
    site.check_reach()
    site.check_styles()
    site.check_search(json.loads(pathlib.Path(navigation).read_text()))
    print(*site.faults, sep="\n", end="\n" if site.faults else "")
    links = sum(len(page.links) for page in site.pages.values())
    print(f"{len(site.pages)} pages, {links} links, {len(site.faults)} faults")
    return 1 if site.faults or len(site.pages) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
