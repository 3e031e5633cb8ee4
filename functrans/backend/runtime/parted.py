"""A unit of C as two texts, for two compilers that work at the same time: a first result waits for the longer one.

Both texts have all that is inlined. Of the functions that are not, each defines some and declares the others, which the
linker finds: they are hidden, so that no other library sees them and calls are as fast as those of static functions.
Lines keep their numbers. A compiler makes of each function what it makes of it in one text.
"""

from __future__ import annotations

import re

__all__ = ["parted"]

_HEAD = re.compile(r"^static __attribute__\(\(noinline\)\) ([^{]*?) \{", re.M)
_HIDDEN = '__attribute__((noinline, visibility("hidden"))) '
_IF, _ENDIF = re.compile(r"^#if", re.M), re.compile(r"^#endif", re.M)
_ENTRY = "\nint ft_entry("


def parted(c_text: str) -> tuple[str, ...]:
    """The texts: two of several functions each, or the one. The first has the entry, and is the longer one to compile
    where functions are of several lengths: who compiles the other one is started for it.

    Lines of a user's own may define what there must be one of; a text that has some is left whole.

    >>> parted("int x;")
    ('int x;',)
    """
    begin = [m.start() for m in _HEAD.finditer(c_text)]
    texts: tuple[list[str], list[str]] = ([], [])
    if len(begin) < 2 * len(texts) or _ENTRY not in c_text or " custom_" in c_text:
        return (c_text,)
    spans = [(at, _end(c_text, at)) for at in begin]
    last = spans[-1][1]
    lengths = [len(c_text) - last, 0]
    of: dict[tuple[int, int], int] = {}
    for span in sorted(spans, key=lambda s: s[0] - s[1]):
        of[span] = lengths.index(min(lengths))
        lengths[of[span]] += span[1] - span[0]
    at = 0
    for span in spans:
        start, end = span
        function = _HEAD.sub(rf"{_HIDDEN}\1 {{", c_text[start:end], count=1)
        declared = function.partition(" {")[0] + ";"
        declared += "\n" * (function.count("\n") - declared.count("\n"))
        for k, text in enumerate(texts):
            text += [c_text[at:start], function if of[span] == k else declared]
        at = end
    other = "".join(texts[1])
    left = len(_IF.findall(other)) - len(_ENDIF.findall(other))
    return "".join([*texts[0], c_text[last:]]), other + "\n" + "#endif\n" * left


def _end(c_text: str, start: int) -> int:
    """Where the definition of a function ends: with its line, or with the first line that begins with a brace."""
    line = c_text.index("\n", c_text.index("{", start))
    return line if c_text[line - 1] == "}" else c_text.index("\n}", line) + 2
