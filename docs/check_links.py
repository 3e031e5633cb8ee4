"""Check links without a network: ``python docs/check_links.py docs/_build/html``, or Markdown files.

Of a folder with a built site every link of every page to a page, file or anchor of the site; of Markdown files every
link to a file or heading of the checkout. Links to other sites are not followed. Exits with 1 if one leads nowhere.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

FENCE = re.compile(r"^(`{3,})[^\n]*\n.*?^\1$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")
HEADING = re.compile(r"^#{1,6} +(.*?)\s*$", re.MULTILINE)
LABEL = re.compile(r"^\(([\w-]+)\)=$", re.MULTILINE)


class Page(HTMLParser):
    """The anchors of a page, and where its links lead."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect from one tag."""
        for name, value in attrs:
            if value is None:
                continue
            if name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value)
            elif name in ("href", "src"):
                self.links.append(value)


def of_site(folder: Path) -> list[str]:
    """What is wrong in the pages below a folder."""
    files = [p for p in sorted(folder.rglob("*.html")) if "_static" not in p.relative_to(folder).parts]
    pages = {p.resolve(): Page(p.read_text(encoding="utf-8")) for p in files}
    wrong = []
    for path, page in pages.items():
        for link in page.links:
            target, anchor = _local(path, link)
            name = path.relative_to(folder.resolve())
            if target is None:
                continue
            if not target.exists():
                wrong.append(f"{name}: {link} leads to no file")
            elif anchor and target in pages and anchor not in pages[target].anchors:
                wrong.append(f"{name}: {link} leads to no anchor of that page")
    return wrong


def of_markdown(files: Iterable[Path]) -> list[str]:
    """What is wrong in Markdown files."""
    wrong = []
    for path in files:
        text = path.read_text(encoding="utf-8")
        for link in LINK.findall(CODE.sub("", FENCE.sub("", text))):
            target, anchor = _local(path.resolve(), link)
            if target is None:
                continue
            if not target.exists():
                wrong.append(f"{path.name}: {link} leads to no file")
            elif anchor and target.suffix == ".md" and anchor not in headings(target.read_text(encoding="utf-8")):
                wrong.append(f"{path.name}: {link} leads to no heading of that file")
    return wrong


def headings(text: str) -> set[str]:
    """The anchors of a Markdown file, as GitHub and MyST make them."""
    plain = FENCE.sub("", text)
    found = set(LABEL.findall(plain))
    seen: dict[str, int] = {}
    for title in HEADING.findall(plain):
        name = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        found.add(f"{name}-{seen[name]}" if name in seen else name)
        seen[name] = seen.get(name, 0) + 1
    return found


def _local(page: Path, link: str) -> tuple[Path | None, str]:
    """The file and the anchor that a link leads to; no file for links to elsewhere."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None, ""
    target = page if not parts.path else (page.parent / unquote(parts.path)).resolve()
    return target, unquote(parts.fragment)


def main(names: list[str]) -> int:
    """Check the folders and files ``names``, print what is wrong."""
    paths = [Path(name) for name in names]
    wrong = [w for p in paths if p.is_dir() for w in of_site(p)] + of_markdown(p for p in paths if p.is_file())
    print("\n".join(wrong) or "every link leads somewhere")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
