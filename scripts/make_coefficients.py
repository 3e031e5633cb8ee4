"""Write the polynomials of the elementary functions: coefficients.py and coefficients32.py of backend/elementary.

Each is the minimax polynomial of its function on the interval that argument reduction leaves, found by the exchange
algorithm of Remez in 60 digits and rounded to float64.  For float32 the first two are rounded by themselves, and the
others make up for what they lost.  Needs mpmath, which nothing else does.  Run it after changing an interval or a
degree, and commit what it writes: ``python scripts/make_coefficients.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import mpmath as mp

mp.mp.dps = 60
OUT = Path(__file__).resolve().parent.parent / "functrans/backend/elementary"
Function = Callable[[Any], Any]
Job = tuple[Function, Any, Any, int, Function]  # the function, the interval, the degree, what its error is measured by
TINY = mp.mpf(10) ** -12


def remez(f: Function, low: Any, high: Any, degree: int, weight: Function) -> list[Any]:
    """The polynomial p of least largest |weight * (f - p)|, its constant term first. Low and high are left out."""
    low, high, n = mp.mpf(low), mp.mpf(high), degree + 2
    grid = [low + (high - low) * (1 - mp.cos(mp.pi * (2 * k + 1) / (120 * n))) / 2 for k in range(60 * n)]
    values, weights = [f(x) for x in grid], [weight(x) for x in grid]
    points = [60 * k + 30 for k in range(n)]
    for _ in range(30):
        rows = [[grid[i] ** d for d in range(degree + 1)] + [(-1) ** k / weights[i]] for k, i in enumerate(points)]
        *found, level = mp.lu_solve(mp.matrix(rows), mp.matrix([values[i] for i in points]))
        error = [w * (v - mp.polyval(found[::-1], x)) for x, v, w in zip(grid, values, weights, strict=True)]
        runs: list[int] = []  # the largest error of each run of one sign
        for i, e in enumerate(error):
            if not runs or (error[runs[-1]] > 0) != (e > 0):
                runs.append(i)
            elif abs(e) > abs(error[runs[-1]]):
                runs[-1] = i
        while len(runs) > n:
            runs.pop(0 if abs(error[runs[0]]) < abs(error[runs[-1]]) else -1)
        if len(runs) < n or max(map(abs, error)) < abs(level) * mp.mpf("1.0001"):
            break
        points = runs
    return list(found)


def series(f: Function, at: Any) -> Function:
    """F, and its limit where it has a removable zero divided by zero at ``at``."""
    return lambda x: f(x) if abs(x - at) > mp.mpf(10) ** -25 else f(x + mp.mpf(10) ** -25)


def root(f: Function) -> Function:
    """As a function of the square."""
    return lambda z: f(mp.sqrt(z))


def one(x: Any) -> Any:
    """Absolute error."""
    return mp.mpf(1)


def tables() -> dict[str, list[Any]]:
    """Every polynomial by its name: the function, the interval, the degree and what its error is measured by."""
    half = mp.log(2) / 2 * mp.mpf("1.001")
    quarter = (mp.pi / 4 * mp.mpf("1.0001")) ** 2
    half_turn = 4 * quarter
    sixth = ((mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)) ** 2 * mp.mpf("1.0001")
    eighth = (mp.sqrt(2) - 1) ** 2 * mp.mpf("1.0001")
    tiny = TINY
    jobs: dict[str, Job] = {
        "exp": (series(lambda r: (mp.exp(r) - 1 - r) / r**2, 0), -half, half, 9, lambda r: r * r),
        "expm1": (series(lambda r: (mp.exp(r) - 1 - r) / r**2, 0), mp.mpf("-0.0002"), mp.log(2), 9,
                  lambda r: mp.mpf("0.01") + abs(r)),
        "log": (root(lambda s: (2 * mp.atanh(s) / s - 2) / s**2), tiny, sixth, 6, lambda z: z),
        "logtail": (root(lambda s: (2 * mp.atanh(s) / s - 2 - 2 * s**2 / 3) / s**4), tiny, sixth, 9, lambda z: z * z),
        "sin": (root(lambda r: (mp.sin(r) / r - 1) / r**2), tiny, quarter, 5, lambda z: z),
        "cos": (root(lambda r: (mp.cos(r) - 1 + r**2 / 2) / r**4), tiny, quarter, 5, lambda z: z * z),
        "arc": (lambda z: root(lambda r: (1 - mp.sin(r) / r) / r**2)(-z), -half_turn, -tiny, 7, lambda z: -z),
        "atan": (root(lambda t: (mp.atan(t) / t - 1) / t**2), tiny, eighth, 10, lambda z: z),
        "asin": (root(lambda x: (mp.asin(x) / x - 1) / x**2), tiny, mp.mpf("0.2501"), 12, lambda z: z),
        "sinh": (root(lambda x: (mp.sinh(x) / x - 1) / x**2), tiny, mp.mpf("1.0001"), 6, lambda z: z),
        "cbrt": (mp.cbrt, mp.mpf("0.3535"), mp.mpf("0.7072"), 4, lambda m: 1 / mp.cbrt(m)),
        "erf": (root(lambda x: mp.erf(x) / x - 1), tiny, mp.mpf("1.0001"), 12, one),
        "erfcx": (erfcx_of, -1, mp.mpf("0.7501"), 22, lambda t: 1 / erfcx_of(t)),
        "erffar": (erfcx_far, mp.mpf(1) / 9 - mp.mpf("0.18"), mp.mpf("0.25001") - mp.mpf("0.18"), 16,
                   lambda u: 1 / erfcx_far(u)),
        "lgamma1": (series(lambda x: lgamma_of(x + 2), 0), -1, 1, 27, lambda x: 1 / lgamma_of(x + 2 + tiny)),
        "lgamma3": (lambda x: mp.loggamma(x + mp.mpf("5.5")) / (x + mp.mpf("3.5")), -2.5, 2.5, 27,
                    lambda x: (x + mp.mpf("3.5")) / mp.loggamma(x + mp.mpf("5.5"))),
        "stirling": (root(lambda y: stirling_of(1 / y) / y), tiny, mp.mpf(1) / 64, 8, one),
    }  # fmt: skip
    found = {}
    for name, (f, low, high, degree, weight) in jobs.items():
        found[name] = remez(f, low, high, degree, weight)
    return found


def tables32() -> dict[str, list[Any]]:
    """Those of float32."""
    half = mp.log(2) / 2 * mp.mpf("1.001")
    turn = (mp.pi / 2 * mp.mpf("1.002")) ** 2
    low, high = (mp.sqrt(mp.mpf(1) / 2) - 1) * mp.mpf("1.001"), (mp.sqrt(2) - 1) * mp.mpf("1.001")
    log1p = series(lambda f: (mp.log(1 + f) - f) / f**2, 0)
    jobs: dict[str, Job] = {
        "exp": (series(lambda r: (mp.exp(r) - 1 - r) / r**2, 0), -half, half, 4, lambda r: r * r),
        "log": (log1p, low, high, 8, abs),
        "log2": (lambda f: log1p(f) / mp.log(2), low, high, 8, abs),
        "log10": (lambda f: log1p(f) / mp.log(10), low, high, 8, abs),
        "sinh": (root(lambda x: (mp.sinh(x) / x - 1) / x**2), TINY, mp.mpf("1.0001"), 3, lambda z: z),
        "tanh": (root(lambda x: (mp.tanh(x) / x - 1) / x**2), TINY, mp.mpf("0.391"), 5, lambda z: z),
        "arc": (lambda z: root(lambda r: (1 - mp.sin(r) / r) / r**2)(-z), -turn, -TINY, 4, lambda z: -z),
        "tan": (root(lambda r: (mp.tan(r) / r - 1) / r**2), TINY, turn / 4, 6, lambda z: z),
        "asin": (root(lambda x: (mp.asin(x) / x - 1) / x**2), TINY, mp.mpf("0.3165"), 6, lambda z: z),
        "atan": (root(lambda t: (mp.atan(t) / t - 1) / t**2), TINY, mp.mpf("1.0001"), 9, lambda z: z),
        "erf": (root(lambda x: mp.erf(x) / x - 1), TINY, mp.mpf("1.0001"), 6, one),
        "erffar": (lambda x: mp.log(mp.erfc(x)), 1, 4, 8, mp.erfc),
    }  # fmt: skip
    return {name: rounded(job) for name, job in jobs.items()}


def rounded(job: Job) -> list[Any]:
    """A polynomial in float32: the first two coefficients are rounded, then those behind them are found anew."""
    f, low, high, degree, weight = job
    first = single(remez(f, low, high, degree, weight)[0])
    second = single(behind(job, [first])[0])
    return [first, second, *map(single, behind(job, [first, second]))]


def behind(job: Job, first: list[Any]) -> list[Any]:
    """The coefficients behind the first ones, which are given."""
    f, low, high, degree, weight = job
    k = len(first)
    return remez(
        lambda x: (f(x) - mp.polyval(first[::-1], x)) / x**k, low, high, degree - k, lambda x: weight(x) * abs(x) ** k
    )


def single(x: Any) -> Any:
    """The nearest number of 24 bits."""
    return mp.nint(mp.ldexp(x, 24 - mp.frexp(x)[1])) * mp.ldexp(1, mp.frexp(x)[1] - 24)


def erfcx_of(t: Any) -> Any:
    """(x + 0.9) exp(x^2) erfc(x) where t = (x - 4) / (x + 4)."""
    x = 4 * (1 + t) / (1 - t)
    return (x + mp.mpf(0.9)) * mp.exp(x * x) * mp.erfc(x)


def erfcx_far(u: Any) -> Any:
    """exp(x^2) erfc(x) where u = 1 / (x + 3) - 0.18."""
    x = 1 / (u + mp.mpf("0.18")) - 3
    return mp.exp(x * x) * mp.erfc(x)


def lgamma_of(x: Any) -> Any:
    """Log gamma over its zeros at 1 and 2."""
    for zero in (1, 2):
        if abs(x - zero) < mp.mpf(10) ** -20:
            x = zero + mp.mpf(10) ** -20
    return mp.loggamma(x) / ((x - 1) * (x - 2))


def stirling_of(x: Any) -> Any:
    """What Stirling's formula lacks."""
    return mp.loggamma(x) - ((x - mp.mpf("0.5")) * mp.log(x) - x + mp.log(2 * mp.pi) / 2)


def head(x: Any, bits: int) -> Any:
    """X cut to its leading bits, so that a product with a short integer is exact."""
    scale = mp.mpf(2) ** (bits - 1 - mp.floor(mp.log(abs(x), 2)))
    return mp.floor(x * scale) / scale


def constants() -> dict[str, Any]:
    """Numbers that one float64 does not hold, in parts: each part is what those before it lack."""
    found: dict[str, Any] = {
        "PI_SPLIT": pi_parts([33, 33, 33, 53]), "PI": pi_parts([53, 53, 53]),
    }  # fmt: skip
    numbers = {"PIO2": (mp.pi / 2, 53), "PIO4": (mp.pi / 4, 50), "LN2": (mp.log(2), 33), "LN2FULL": (mp.log(2), 53),
               "LOG2E": (1 / mp.log(2), 20), "LOG10E": (1 / mp.log(10), 20), "LOG10_2": (mp.log10(2), 33),
               "TWOTHIRDS": (mp.mpf(2) / 3, 53)}  # fmt: skip
    for name, (x, bits) in numbers.items():
        found[name] = [head(x, bits), x - head(x, bits)]
    singles = {"CBRT2": mp.cbrt(2), "CBRT4": mp.cbrt(4), "INVLN2": 1 / mp.log(2), "TWO_OVER_PI": 2 / mp.pi,
               "INVPI": 1 / mp.pi, "STIRLING0": (mp.log(2 * mp.pi) - 1) / 2}  # fmt: skip
    return found | {name: [x] for name, x in singles.items()}


def pi_parts(bits: list[int]) -> list[Any]:
    """Pi in parts of so many bits."""
    rest, parts = mp.pi, []
    for b in bits:
        parts.append(head(rest, b))  # cut, so that every part is positive and takes a zero of either sign as it is
        rest -= parts[-1]
    return parts


def constants32() -> dict[str, Any]:
    """Those of float32, in parts of as many bits each."""
    numbers = {
        "PI": (mp.pi, [24, 24, 24]), "LN2": (mp.log(2), [15, 24]), "LOG2E": (1 / mp.log(2), [24, 24]),
        "LOG10E": (1 / mp.log(10), [24, 24]), "LOG10_2": (mp.log10(2), [24, 24]), "PIO2": (mp.pi / 2, [24, 24]),
        "LN2FULL": (mp.log(2), [24]), "INVLN2": (1 / mp.log(2), [24]), "TWO_OVER_PI": (2 / mp.pi, [24]),
        "INVPI": (1 / mp.pi, [24]),
    }  # fmt: skip
    found = {}
    for name, (x, bits) in numbers.items():
        found[name] = []
        for b in bits[:-1]:
            found[name].append(head(x, b))
            x -= found[name][-1]
        found[name].append(single(x))
    return found


def main() -> None:
    """Write the modules."""
    write("coefficients.py", "polynomials, the constant term first.", tables(), constants())
    write("coefficients32.py", "those of float32.", tables32(), constants32())


def write(name: str, what: str, found: dict[str, list[Any]], numbers: dict[str, Any]) -> None:
    """Write a module."""
    lines = [f'"""Written by scripts/make_coefficients.py: {what}"""', ""]
    lines += ["from __future__ import annotations", "", "TABLES: dict[str, tuple[float, ...]] = {"]
    for key, values in found.items():
        lines.append(f'    "{key}": (')
        lines += [f"        {float(v)!r}," for v in values]
        lines.append("    ),")
    lines += ["}", "CONSTANTS: dict[str, tuple[float, ...]] = {"]
    lines += [f'    "{key}": ({", ".join(repr(float(v)) for v in parts)},),' for key, parts in numbers.items()]
    (OUT / name).write_text("\n".join([*lines, "}"]) + "\n")


if __name__ == "__main__":
    main()
