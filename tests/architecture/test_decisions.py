"""Each page of the archive of decisions says what became of it, and names pages that exist."""

from __future__ import annotations

import re
from pathlib import Path

DECISIONS = Path(__file__).parents[2] / "docs" / "decisions"
LINK = re.compile(r"\[(\d{4})\]\((\d{4})-[\w-]+\.md\)")
STATUS = re.compile(
    rf"# (?P<number>\d{{4}}) [^\n]+\n\nStatus: (in force|superseded by {LINK.pattern}|withdrawn: [^\n]+?)"
    r"(?P<more>[; ][^.]*(\.md\)[^.]*)*)?\.\n\n"
)


def fault(name: str, text: str, pages: set[str]) -> str | None:
    """What is wrong with the head of a page, or None.

    name : of its file
    pages : the files that it may link to
    """
    found = STATUS.match(text)
    if found is None:
        return "no status line under the title"
    if found["number"] != name[:4]:
        return "the number is not that of the file"
    for link in LINK.finditer(found[0]):
        target = link[0].partition("(")[2].rstrip(")")
        if target not in pages or link[1] != link[2]:
            return f"no page {link[0]}"
        if target <= name:
            return f"{link[1]} is no later page"
    return None


def test_each_decision_says_what_became_of_it() -> None:
    pages = {p.name: p.read_text() for p in sorted(DECISIONS.glob("[0-9]*.md"))}
    assert len(pages) > 50
    found = {name: fault(name, text, set(pages)) for name, text in pages.items()}
    assert {name: why for name, why in found.items() if why} == {}


def test_the_check_finds_each_fault() -> None:
    pages = {"0001-a.md", "0002-b.md"}
    accepted = [
        "in force", "in force; loops are superseded by [0002](0002-b.md)", "superseded by [0002](0002-b.md)",
        "superseded by [0002](0002-b.md); lanes by [0002](0002-b.md)", "withdrawn: the op is gone",
    ]  # fmt: skip
    refused = ["", "maybe", "withdrawn", "superseded by 0002", "superseded by [0003](0003-c.md)",
               "superseded by [0003](0002-b.md)", "superseded by [0001](0001-a.md)"]  # fmt: skip
    for status in accepted:
        assert fault("0001-a.md", f"# 0001 A choice\n\nStatus: {status}.\n\n## Context\n", pages) is None, status
    for status in refused:
        assert fault("0001-a.md", f"# 0001 A choice\n\nStatus: {status}.\n\n## Context\n", pages), status
    assert fault("0001-a.md", "# 0001 A choice\n\n## Context\n", pages)
    assert fault("0001-a.md", "# 0002 A choice\n\nStatus: in force.\n\n## Context\n", pages)
