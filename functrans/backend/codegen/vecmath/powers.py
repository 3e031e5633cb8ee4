"""C of powers with a small constant exponent, n or n / 2: products, a root and a reciprocal instead of a logarithm.

The error stays within the 4 ULP of pow, and the ends are those of pow: what overflows on the way overflows in the end.
"""

from __future__ import annotations

import re

_NAME = re.compile(r"ft_pow(m?)(\d+)(h?)_f(32|64)")
_PRODUCTS = {1: "p", 2: "p * p", 3: "p * p * p", 4: "(p * p) * (p * p)", 5: "(p * p) * (p * p) * p",
             6: "(p * p * p) * (p * p * p)", 7: "(p * p * p) * (p * p * p) * p"}  # fmt: skip
_LEAST, _MOST = -4.0, 7.0


def power_name(exponent: float) -> str | None:
    """What the stem of the function for a constant exponent ends on, or None: pow itself."""
    twice = exponent * 2
    if not _LEAST <= exponent <= _MOST or twice != int(twice) or exponent == 0:
        return None
    whole = int(abs(twice))
    if whole % 2 and whole > 7:
        return None
    return f"{'m' if twice < 0 else ''}{whole if whole % 2 else whole // 2}{'h' if whole % 2 else ''}"


def power_function(name: str) -> str | None:
    """The C function of that name, as ``ft_powm3h_f64`` for x to the power -3/2."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    minus, count, half = match[1] == "m", int(match[2]), bool(match[3])
    real, f = ("float", "f") if match[4] == "32" else ("double", "")
    start = f"1.0{f} / x" if minus else "x"
    if not half:
        return f"{real} {name}({real} x) {{ const {real} p = {start}; return {_PRODUCTS[count]}; }}"
    if minus and count == 1:
        value, start = f"1.0{f} / (__builtin_sqrt{f}(x) + 0.0{f})", "x"
    else:
        whole = "" if count == 1 else f"({_PRODUCTS[count // 2]}) * "
        value = f"{whole}__builtin_sqrt{f}(p) + 0.0{f}"
    inf = f"__builtin_inf{f}()"
    end = f"0.0{f}" if minus else inf
    lost = f"x == -{inf} ? {end} : y"  # a root of minus infinity is no number, its half-integer powers are
    zero = f"x == 0.0{f} ? {inf} : " if minus else ""
    return f"{real} {name}({real} x) {{ const {real} p = {start}, y = {value}; return {zero}{lost}; }}"
