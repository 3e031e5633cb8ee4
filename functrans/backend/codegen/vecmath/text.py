"""The C functions by their names, with constants and polynomials put in."""

from __future__ import annotations

import re
from functools import cache

from functrans.backend.codegen.vecmath import circular, exponential, inverse, logarithm, special, words
from functrans.backend.codegen.vecmath.coefficients import CONSTANTS, TABLES
from functrans.backend.codegen.vecmath.powers import power_function

_HEAD = re.compile(r"\b(?:\w+ )+\*?(ft_[a-z0-9]+_f64)\(|#define (ft_[a-z0-9]+_f(?:32|64))\(")
_PLACE = re.compile(r"POLY\((\w+), ([^(),]+)(?:, (\w+))?\)|POLY2\((\w+), (\w+), (\w+), (\w+)\)|K\((\w+), (\d)\)")
ALWAYS = "static inline __attribute__((always_inline)) "
APART = "static __attribute__((noinline, const)) "


@cache
def _functions() -> dict[str, str]:
    """The text of each function, with its places open."""
    found = {}
    for module in (words, exponential, logarithm, circular, inverse, special):
        for text in module.TEXT.strip().split("\n\n"):
            head = _HEAD.search(text)
            assert head is not None, text
            found[head[1] or head[2]] = text
    return found


def _open(name: str) -> str | None:
    """The text of a function, with its places open."""
    return _functions().get(name) or power_function(name)


@cache
def function(name: str) -> str | None:
    """The definition of a C function, as ``ft_exp_f64``, or None where there is none.

    Those of float32 compute in float64 and round once. ``ft_expapart_f64`` is ``ft_exp_f64``, but never inlined.
    """
    text = _open(name)
    if text is not None:
        filled = _PLACE.sub(_filled, text)
        return filled if filled.startswith(("static", "#")) else ALWAYS + filled
    apart = name.replace("apart_", "_")
    wide = apart.removesuffix("f32") + "f64" if apart.endswith("f32") else apart
    opened = None if wide == name else _open(wide)
    if opened is None:
        return None
    result, arguments = re.findall(r"(\w+) ft_\w+\(([^)]*)\)", opened)[0]
    given = ", ".join(re.findall(r"(\w+)(?:,|$)", arguments))
    head = f"{ALWAYS if apart == name else APART}{result} {name}({arguments})"
    head = head if apart.endswith("f64") else head.replace("double", "float")
    return f"{head} {{ return {wide}({given}); }}"


def _filled(place: re.Match[str]) -> str:
    poly, at, square, condition, first, second, at2, constant, part = place.groups()
    if constant:
        return repr(CONSTANTS[constant][int(part)])
    if poly:
        return _polynomial([repr(c) for c in TABLES[poly]], at, square)
    pairs = zip(TABLES[first], TABLES[second], strict=True)
    return _horner([f"({condition} ? {a!r} : {b!r})" for a, b in pairs], at2)


def _polynomial(terms: list[str], at: str, square: str | None) -> str:
    """With the square of the argument by pairs of terms, which a processor computes before it needs them; the constant
    term, which decides the last bit, by itself.
    """
    if square is None:
        return _horner(terms, at)
    pairs = [_horner(terms[k : k + 2], at) for k in range(1, len(terms), 2)]
    return f"ft_fma_f64({_horner(pairs, square)}, {at}, {terms[0]})"


def _horner(terms: list[str], at: str) -> str:
    text = terms[-1]
    for term in terms[-2::-1]:
        text = f"ft_fma_f64({text}, {at}, {term})"
    return text
