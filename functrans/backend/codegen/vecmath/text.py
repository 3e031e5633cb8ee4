"""The C functions by their names, with constants and polynomials put in."""

from __future__ import annotations

import re
from functools import cache

from functrans.backend.codegen.vecmath import (
    circular,
    circular32,
    coefficients,
    coefficients32,
    exponential,
    exponential32,
    inverse,
    logarithm,
    special,
    words,
)
from functrans.backend.codegen.vecmath.powers import BY, power_function

_HEAD = re.compile(r"\b(?:\w+ )+\*?(ft_[a-z0-9]+_f(?:32|64))\(|#define (ft_[a-z0-9]+_f(?:32|64))\(")
_PLACE = re.compile(r"POLY\((\w+), ([^(),]+)(?:, (\w+))?\)|POLY2\((\w+), (\w+), (\w+), (\w+)\)|K\((\w+), (\d)\)")
ALWAYS = "static inline __attribute__((always_inline)) "
APART = "static __attribute__((noinline, const)) "


NEAR = {8: circular.NEAR, 4: circular32.NEAR}
"""Up to where the functions named ``near`` are right, by the size of a number."""
_DOUBLE = "\n\n".join(m.TEXT.strip() for m in (words, exponential, logarithm, circular, inverse, special))
_DOUBLE += "\n\n" + BY.strip()
_SINGLE = "\n\n".join(m.TEXT.strip() for m in (exponential32, circular32))
_WORDS = "\n\n".join(m.WORDS.strip() for m in (exponential32, circular32))


@cache
def _functions() -> dict[str, str]:
    """The text of each function, with its places open."""
    found = {_name(text): text for part in (_DOUBLE, _WORDS) for text in part.split("\n\n")}
    return found | {_name(text): _either(text) for text in _SINGLE.split("\n\n")}


def _name(text: str) -> str:
    head = _HEAD.search(text)
    assert head is not None, text
    return head[1] or head[2]


def _either(text: str) -> str:
    """A function of float32 where multiply-adds are fused; elsewhere that of float64."""
    head, _, body = text.partition("{")
    other = f"{_name(text).removesuffix('f32')}f64({_given(head.rpartition('(')[2])})"
    own = body.rstrip().removesuffix("}").strip("\n")
    return (
        f"{head}{{\n#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)\n{own}\n#else\n  return {other};\n#endif\n}}"
    )


def _open(name: str) -> str | None:
    """The text of a function, with its places open."""
    return _functions().get(name) or power_function(name)


@cache
def function(name: str) -> str | None:
    """The definition of a C function, as ``ft_exp_f64``, or None where there is none.

    One of float32 computes in float64 and rounds once where it has no text of its own, and where the target has no
    fused multiply-add, without which those would be off by more. ``ft_expapart_f64`` is ``ft_exp_f64``, but never
    inlined.
    """
    text = _open(name)
    if text is not None:
        filled = _PLACE.sub(lambda place: _filled(place, name), text)
        return filled if filled.startswith(("static", "#")) else ALWAYS + filled
    apart = name.replace("apart_", "_")
    inner = apart if _open(apart) is not None else apart.removesuffix("f32") + "f64"
    opened = None if inner == name else _open(inner)
    if opened is None:
        return None
    result, arguments = re.findall(r"(\w+) ft_\w+\(([^)]*)\)", opened)[0]
    head = f"{ALWAYS if apart == name else APART}{result} {name}({arguments})"
    head = head if apart.endswith("f64") else head.replace("double", "float")
    return f"{head} {{ return {inner}({_given(arguments)}); }}"


def _given(arguments: str) -> str:
    """The names of arguments."""
    return ", ".join(re.findall(r"(\w+)(?:,|\)|$)", arguments))


def _filled(place: re.Match[str], name: str) -> str:
    poly, at, square, condition, first, second, at2, constant, part = place.groups()
    single = name.endswith("f32")
    tables, constants = (m := coefficients32 if single else coefficients).TABLES, m.CONSTANTS

    def number(x: float) -> str:
        return f"{x!r}f" if single else repr(x)

    fma = f"ft_fma_{'f32' if single else 'f64'}"
    if constant:
        return number(constants[constant][int(part)])
    if poly:
        return _polynomial([number(c) for c in tables[poly]], at, square, fma)
    pairs = zip(tables[first], tables[second], strict=True)
    return _horner([f"({condition} ? {number(a)} : {number(b)})" for a, b in pairs], at2, fma)


def _polynomial(terms: list[str], at: str, square: str | None, fma: str) -> str:
    """With the square of the argument by pairs of terms, which a processor computes before it needs them; the constant
    term, which decides the last bit, by itself.
    """
    if square is None:
        return _horner(terms, at, fma)
    pairs = [_horner(terms[k : k + 2], at, fma) for k in range(1, len(terms), 2)]
    return f"{fma}({_horner(pairs, square, fma)}, {at}, {terms[0]})"


def _horner(terms: list[str], at: str, fma: str) -> str:
    text = terms[-1]
    for term in terms[-2::-1]:
        text = f"{fma}({text}, {at}, {term})"
    return text
