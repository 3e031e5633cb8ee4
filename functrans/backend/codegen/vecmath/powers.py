"""C of powers with a constant exponent: products, a root and a reciprocal, or a logarithm of few digits more.

Exponents n and n + 1/2 up to ``MOST`` are products by repeated squaring. What a product lacks is carried along (the low
part of a fused multiply-add) wherever more roundings than the last two would count, and so is what a reciprocal lacks:
the error stays below 2 ULP. The ends are those of pow, for what overflows on the way overflows in the end; there what
was carried along is no number, and the bare product is taken.

Any other exponent up to ``NEAR`` is 2^(p k) e^(p log(m)) with x = 2^k m: p k is exact, and p log(m) is so small that
the logarithm needs only a few digits more than the result.
"""

from __future__ import annotations

import re
from fractions import Fraction

MOST = 64.0
NEAR = 8.0
_LEAST = 2.0**-20
_LOG2E = Fraction(144269504088896340735992468100189213742664595415298, 10**50)
_NAME = re.compile(r"ft_pow(m?)(\d+)(h?)_f(32|64)")

BY = """
double ft_powby_f64(double x, double p0, double p1, double c0, double c1) {
  const double inf = __builtin_inf(), a = __builtin_fabs(x);
  double k, s;
  const double f = ft_split_f64(a, &k), half = 0.5 * f * f, r = ft_logrest_f64(f, half, &s);
  const double h = ft_float_f64(ft_bits_f64(f - half) & -4294967296LL), l = ((f - h) - half) + r;
  const double w = h * c0, g = k * p0, rest = k * p1 + ((l + h) * c1 + l * c0);
  const double sum = (g + w) + rest, t = sum + 6755399441057790.0, n = t - 6755399441057790.0;
  double y = ft_expparts_f64((((g - n) + w) + rest) * K(LN2FULL, 0));
  y = ft_expends_f64(sum, ft_scale_f64(y, ft_bits_f64(t)), -1080.0, 1025.0);
  y = x < 0.0 ? __builtin_nan("") : y;
  y = a == inf ? (p0 > 0.0 ? inf : 0.0) : y;
  y = a == 0.0 ? (p0 > 0.0 ? 0.0 : inf) : y;
  return x == x ? y : x;
}
"""


def power_name(exponent: float) -> str | None:
    """What the stem of the function for a constant exponent ends on, or None where it is no such product."""
    twice = exponent * 2
    if exponent == 0 or not abs(exponent) <= MOST or twice != int(twice):
        return None
    whole, half = divmod(int(abs(twice)), 2)
    return f"{'m' if twice < 0 else ''}{whole}{'h' if half else ''}"


def split_exponent(exponent: float) -> tuple[float, float, float, float] | None:
    """The exponent, and it times log2(e), each as a number of few digits and the rest; None where pow is needed."""
    if not _LEAST <= abs(exponent) <= NEAR:
        return None
    p0 = _leading(Fraction(exponent), 42)
    scaled = Fraction(exponent) * _LOG2E
    c0 = _leading(scaled, 32)
    return p0, float(Fraction(exponent) - Fraction(p0)), c0, float(scaled - Fraction(c0))


def _leading(value: Fraction, bits: int) -> float:
    """The number cut off after so many bits."""
    exponent = 0
    while abs(value) * Fraction(2) ** exponent >= 2**bits:
        exponent -= 1
    while abs(value) * Fraction(2) ** exponent < 2 ** (bits - 1):
        exponent += 1
    return float(Fraction(int(value * Fraction(2) ** exponent)) / Fraction(2) ** exponent)


def power_function(name: str) -> str | None:
    """The C function of that name, as ``ft_powm1h_f64`` for x to the power -3/2."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    minus, whole, half = bool(match[1]), int(match[2]), bool(match[3])
    if match[4] == "64":
        return f"double {name}(double x) {{\n{_body(minus, whole, half, 'double')}\n}}"
    return (
        f"float {name}(float x) {{\n#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)\n"
        f"{_body(minus, whole, half, 'float')}\n#else\n  return (float){name.removesuffix('32')}64(x);\n#endif\n}}"
    )


def _body(minus: bool, whole: int, half: bool, real: str) -> str:
    f = "f" if real == "float" else ""
    lines = [f"const {real} b = {f'1.0{f} / x' if minus else 'x'};"]
    if minus and half and not whole:
        text = f"1.0{f} / __builtin_sqrt{f}(x)"
    else:
        product = _Product(minus, whole, half, real)
        text = product.write()
        lines += product.lines
    if not half:
        return "\n".join(f"  {line}" for line in [*lines, f"return {text};"])
    inf = f"__builtin_inf{f}()"
    end = f"0.0{f}" if minus else inf  # a root of minus infinity is no number, its half-integer powers are
    zero = f"x == 0.0{f} ? {inf} : " if minus else ""
    lines += [f"const {real} y = {text} + 0.0{f};", f"return {zero}x == -{inf} ? {end} : y;"]
    return "\n".join(f"  {line}" for line in lines)


class _Product:
    """The lines of b to the power ``whole``, times the root s of b if ``half``: squarings and products from the left.

    Up to the last two steps the value is a number and what it lacks. The last but one rounds that into the number, the
    last is a bare product: together less than 2 ULP. A root or a reciprocal has an error of its own, so that with it
    only the last step may round. What a reciprocal lacks is put in before that, to the power.
    """

    def __init__(self, minus: bool, whole: int, half: bool, real: str) -> None:
        bits = bin(whole)[3:] if whole else ""
        self.steps = [by for bit in bits for by in ("hb" if bit == "1" else "h")] + ["s"] * (half and whole > 0)
        self.power, self.half, self.real = whole + half / 2, half, real
        self.f, self.size = ("f", "f32") if real == "float" else ("", "f64")
        self.corrected = minus and (whole > 0 if half else whole > 2)
        self.lines = [f"const {real} s = __builtin_sqrt{self.f}(b);"] if half else []
        self.high, self.low = "b", ""

    def write(self) -> str:
        """Write the steps, and give the text of the power."""
        if not self.steps:
            return "s" if self.half else "b"
        careful = self.corrected or (self.half and len(self.steps) > 1)
        for i, by in enumerate(self.steps):
            left = len(self.steps) - 1 - i
            factor = self.high if by == "h" else by
            if left == 0 and self.corrected:
                self._correct(self.power / 2 if by == "h" else self.power)
            if left == 0 or (left == 1 and not careful):
                self._round(i, factor)
            else:
                self._carry(i, factor)
        return self.high

    def _say(self, name: str, text: str) -> str:
        self.lines.append(f"const {self.real} {name} = {text};")
        return name

    def _fma(self, a: str, b: str, c: str) -> str:
        return f"ft_fma_{self.size}({a}, {b}, {c})"

    def _twice(self, factor: str) -> str:
        return f"({factor} + {factor})" if factor == self.high != "b" else factor

    def _carry(self, i: int, factor: str) -> None:
        high = self._say(f"h{i}", f"{self.high} * {factor}")
        lacks = (
            f"__builtin_fmaf({self.high}, {factor}, -{high})" if self.f
            else f"ft_mullo_f64({self.high}, {factor}, {high})"
        )  # fmt: skip
        low = self._fma(self.low, self._twice(factor), lacks) if self.low else lacks
        self.high, self.low = high, self._say(f"l{i}", low)

    def _round(self, i: int, factor: str) -> None:
        bare = self._say(f"h{i}", f"{self.high} * {factor}")
        if self.low:  # where something is infinite, what was carried along is too, or no number
            full = self._say(f"f{i}", self._fma(self.high, factor, f"{self.low} * {self._twice(factor)}"))
            size = f"__builtin_fabs{self.f}({f'{full} - {bare}' if self.corrected else bare})"
            bare = self._say(f"y{i}", f"{size} < __builtin_inf{self.f}() ? {full} : {bare}")
        self.high, self.low = bare, ""

    def _correct(self, power: float) -> None:
        rest = "__builtin_fmaf(-b, x, 1.0f)" if self.f else "ft_rest_f64(b, x, 1.0)"
        share = self._say("e", f"{power!r}{self.f} * {rest}")
        self.low = self._say("r", self._fma(self.high, share, self.low) if self.low else f"{self.high} * {share}")
