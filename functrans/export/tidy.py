"""C texts without what compilers warn of: values that nobody reads, parameters and functions that nobody uses.

The library's own code is compiled without these warnings. Its texts hold what is left out here: a helper computes for
every compiler what one of them needs, and a loop counts what only some bodies read.
"""

from __future__ import annotations

import re
from collections import Counter

__all__ = ["DEFINED", "KIND", "tidied", "without_unused_functions"]

KIND = r"static (?:(?:__)?inline(?:__)? )?(?:__attribute__\(\([^()]*\)\) )?[\w *]*?"
DEFINED = re.compile(rf"^{KIND}\b(\w+)\(", re.MULTILINE)
_PIECE = re.compile(r"^(?=static )", re.MULTILINE)
_HEAD = re.compile(rf"^{KIND}\b\w+\(([^\n]*?)\) \{{")
_VALUE = re.compile(r"^( *)(?:const )?[\w ]*\w (?:\*const )?(\w+) = ([^\n;]*);\n", re.MULTILINE)  # one statement
_EFFECT = re.compile(r"\w\(|\+\+|--|[^=!<>]=[^=]")  # a call or an assignment
_PURE = re.compile(r"v\d+")  # the values of kernels, which call pure functions alone
_SELF = re.compile(r"(?<=[(=] )(v\d+) == \1(?=;)|\((v\d+) == \2\)")
_INTEGER = r"const (?:unsigned )?(?:long long|int) {} = "
_BRANCH = re.compile(r"^(?=#(?:if|el|endif))", re.MULTILINE)
_WORD = re.compile(r"\b[A-Za-z_]\w*\b")


def tidied(text: str) -> str:
    """Functions without values that nobody reads, their parameters that nobody reads named as such."""
    return "".join(_tidied(piece) for piece in _PIECE.split(text))


def _tidied(piece: str) -> str:
    head = _HEAD.match(piece)
    if head is None:
        return piece
    piece = _SELF.sub(lambda m: "1" if re.search(_INTEGER.format(m[1] or m[2]), piece) else m[0], piece)
    return _with_unused_parameters(_without_unused(piece), head[1])


def _without_unused(text: str) -> str:
    """A function without values that nobody reads, and without those that only these read."""
    parts = _BRANCH.split(_without_unused_in_blocks(text))
    while True:
        uses = [Counter(_WORD.findall(part)) for part in parts]
        always = sum((u for part, u in zip(parts, uses, strict=True) if not _is_chosen(part)), Counter[str]())
        every = sum(uses, Counter[str]())
        fewer = [
            _VALUE.sub(lambda m, seen=seen: "" if _is_pure(m) and seen[m[2]] == 1 else m[0], part)
            for part, seen in ((p, u + always if _is_chosen(p) else every) for p, u in zip(parts, uses, strict=True))
        ]
        if fewer == parts:
            return "".join(parts)
        parts = fewer


def _without_unused_in_blocks(text: str) -> str:
    """The same of values that other blocks have by the same names."""
    names = Counter(m[2] for m in _VALUE.finditer(text) if _is_pure(m) and not _PURE.fullmatch(m[2]))
    for m in reversed([m for m in _VALUE.finditer(text) if names[m[2]] > 1]):
        end = re.compile(rf"^(?!{m[1]}|#|$)", re.MULTILINE).search(text, m.end())
        if not re.compile(rf"\b{m[2]}\b").search(text, m.end(), len(text) if end is None else end.start()):
            text = text[: m.start()] + text[m.end() :]
    return text


def _is_chosen(part: str) -> bool:
    """Whether it is there for some compilers alone."""
    return part.startswith(("#if", "#el"))


def _is_pure(value: re.Match[str]) -> bool:
    return "static " not in value[0] and (_PURE.fullmatch(value[2]) is not None or not _EFFECT.search(value[3]))


def _with_unused_parameters(text: str, parameters: str) -> str:
    """A function whose parameters that nobody reads are named as such: with conditions of the preprocessor, all."""
    start = text.index(") {") + 3
    names = [p.split()[-1].lstrip("*") for p in parameters.split(", ") if p not in ("", "void")]
    words = set() if "\n#if" in text else set(_WORD.findall(text, start))
    unused = [n for n in names if n not in words]
    return "".join([text[:start], *(f"\n  (void){n};" for n in unused), text[start:]])


def without_unused_functions(text: str) -> str:
    """A file whose functions that no other calls, whatever the preprocessor leaves of it, are marked as such."""
    pieces = _PIECE.split(text)
    uses = Counter(word for piece in pieces if "\n#if" not in piece for word in set(_WORD.findall(piece)))
    return "".join(_marked(piece, uses) for piece in pieces)


def _marked(piece: str, uses: Counter[str]) -> str:
    name = DEFINED.match(piece)
    if name is None or uses[name[1]] > ("\n#if" not in piece):
        return piece
    return piece.replace("static ", "static __attribute__((unused)) ", 1)
