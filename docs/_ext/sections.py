"""Docstrings of functions as sections: parameters, returns, raises, cost, examples, source.

The docstrings of functrans are prose in a fixed order. Here their sentences are sorted: what a function raises and
costs, its examples and where it comes from go under headings; a list of parameters is made from the signature.
"""

from __future__ import annotations

import contextlib
import inspect
import operator
import re
import sys
from pathlib import Path
from typing import Any

import functrans

ROOT = Path(functrans.__file__).parents[1]
_ENDS = ("Error", "OutOfRange", "NotFound", "OutOfMemory")
ERROR = "|".join(name for name in functrans.__all__ if name.endswith(_ENDS))
SENTENCE = re.compile(r"(?<=[.)])\s+(?=[A-Z`*])")
RAISES = re.compile(
    rf"^(?:Raises\b|(?:An? )?(?:{ERROR})(?:(?:,| and| or) (?:{ERROR}))* (?:for|where|unless|if|when)\b)"
)
COST = re.compile(r"^(?:Costs?\b|(?:One|Two|Three) (?:pass|passes|factorization|compilation)\b|Linear in time\b)")
SOURCE = re.compile(r"^(?:Source: |Semantics of )")
MARKUP = re.compile(r"^\s*(?:\.\. |:\w|[-*|+] |\d+\. |=+|-+$)")


def sections(lines: list[str], value: Any) -> list[str]:
    """The lines of a docstring, in reStructuredText, with its sentences under headings."""
    prose: list[str] = []
    found: dict[str, list[str]] = {"Raises": [], "Cost": [], "Examples": [], "Source": []}
    returns, paragraphs = "", _paragraphs(lines)
    for k, paragraph in enumerate(paragraphs):
        first = paragraph[0]
        if first.startswith(":rtype:"):
            returns = " ".join(line.strip() for line in paragraph).removeprefix(":rtype:").strip()
        elif first.strip() == ".. rubric:: Examples":
            continue
        elif first.startswith(">>>"):
            found["Examples"] += [*paragraph, ""]
        elif MARKUP.match(first) or first.startswith(" ") or _opens_block(paragraphs, k):
            prose += [*paragraph, ""]
        else:
            prose += _sorted(" ".join(paragraph), found)
    found["Examples"] = found["Examples"] or _of_maker(value)
    documented = any(line.startswith((":param", ":return")) for line in lines)
    made = [*prose, ""]
    if not documented:
        made += _parameters(value) if inspect.isfunction(value) else []
        made += ["", ".. rubric:: Returns", "", returns, ""] if returns and "typing.Any" not in returns[:60] else []
    for title, text in found.items():
        body = [re.sub(rf"\b({ERROR})\b", r":exc:`~functrans.\1`", t) for t in text] if title == "Raises" else text
        body = body + _place(value) if title == "Source" else body
        made += ["", f".. rubric:: {title}", "", *body, ""] if body else []
    return made


MAKER = re.compile(r"(?:made by|What) `([\w.]+)`")


def _of_maker(value: Any) -> list[str]:
    """For a class that a function makes, and that has no example of its own, those of the function, which show it."""
    named = MAKER.search(inspect.getdoc(value) or "") if inspect.isclass(value) else None
    if named is None:
        return []
    for root in (sys.modules[value.__module__], functrans):
        with contextlib.suppress(AttributeError):
            text = inspect.getdoc(operator.attrgetter(named[1])(root)) or ""
            blocks = [p for p in text.replace("Examples\n--------\n", "\n\n").split("\n\n") if p.startswith(">>>")]
            return [line for block in blocks for line in [*block.splitlines(), ""]]
    return []


def _paragraphs(lines: list[str]) -> list[list[str]]:
    """Runs of lines without a blank one between; a field begins one of its own."""
    runs: list[list[str]] = [[]]
    for line in lines:
        if not line.strip():
            runs.append([])
        elif line.startswith(":rtype:"):
            runs += [[line]]
        else:
            runs[-1].append(line)
    return [run for run in runs if run]


def _opens_block(paragraphs: list[list[str]], k: int) -> bool:
    """Whether a paragraph ends in a colon that belongs to the indented lines after it."""
    return paragraphs[k][-1].endswith("::") or (k + 1 < len(paragraphs) and paragraphs[k + 1][0].startswith(" "))


def _sorted(text: str, found: dict[str, list[str]]) -> list[str]:
    """The sentences that stay in the prose; the others go under their heading."""
    kept, into = [], ""
    for sentence in SENTENCE.split(text):
        if RAISES.match(sentence):
            into = "Raises"
        elif COST.match(sentence):
            into = "Cost"
        elif SOURCE.match(sentence):
            into = "Source"
        elif into != "Source":  # what follows a source in its paragraph belongs to it
            into = ""
        if into:
            text = re.sub(r"^(?:Source: |Raises )", "", sentence)
            found[into] += [text[0].upper() + text[1:], ""]
        else:
            kept.append(sentence)
    return [" ".join(kept), ""] if kept else []


def _parameters(value: Any) -> list[str]:
    """A line a parameter: its name, its type unless it may be anything, its default."""
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):  # a class without a signature of its own
        return []
    rows = []
    for p in parameters:
        star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        kind = p.annotation if isinstance(p.annotation, str) else getattr(p.annotation, "__name__", "")
        facts = [f"``{kind}``"] if kind and kind not in ("Any", "_empty") else []
        shown = p.default is not p.empty and " at 0x" not in repr(p.default)
        facts += [f"by default ``{p.default!r}``"] if shown else []
        facts += ["by name only"] if p.kind is p.KEYWORD_ONLY else []
        rows.append(f"- ``{star}{p.name}``" + (": " + ", ".join(facts) if facts else ""))
    return ["", ".. rubric:: Parameters", "", *rows, ""] if rows else []


def _place(value: Any) -> list[str]:
    """The file and the line of the definition."""
    value = inspect.unwrap(value) if callable(value) else value
    try:
        path = Path(inspect.getsourcefile(value) or "").resolve().relative_to(ROOT)
        line = inspect.getsourcelines(value)[1]
    except (TypeError, OSError, ValueError):  # made by a factory, or written by hand in a table
        return []
    return [f"``{path.as_posix()}``, line {line}", ""]
