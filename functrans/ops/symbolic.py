"""Index arithmetic: sums of products with constants, kept in a canonical form, with bounds.

Every constructor returns the simplest equivalent node it knows. A linear form is a constant and a map
from atoms (RANGEs, divisions, remainders, loads) to coefficients; division and remainder by a positive
constant split off what divides evenly, which is what undoes a reshape of a reshape.

Indices are 64-bit integers that wrap. What a user computes may be any of them, so bounds that leave the 64 bits
say nothing, and no decision rests on them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from functools import reduce as fold
from typing import Any

import functrans.ops.source  # noqa: F401  (enters the record of CONST, which the constants below need)
from functrans import dtypes
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, toposort

Linear = tuple[int, dict[UOp, int]]
HUGE = 1 << 62  # beyond every extent
UNKNOWN = (-(1 << 63), (1 << 63) - 1)
_INNER = frozenset({Ops.ADD, Ops.MUL, Ops.IDIV, Ops.MOD, Ops.MAX, Ops.MIN, Ops.WHERE, Ops.RANGE})
TRUE = UOp(Ops.CONST, dtypes.bool_, (), True)
FALSE = UOp(Ops.CONST, dtypes.bool_, (), False)


@lru_cache
def const(n: int) -> UOp:
    """The index n, wrapped into 64 bits. The last ones are held: few numbers are asked for again and again."""
    return UOp(Ops.CONST, dtypes.index, (), _wrapped(n))


def _wrapped(n: int) -> int:
    low, high = UNKNOWN
    return n if low <= n <= high else (n - low) % (1 << 64) + low


def linear(x: UOp) -> Linear:
    """The canonical form of an index."""
    _prepare(x, "linear", _linear)
    form: Linear = x.remember("linear", _linear)
    return form


def _prepare(x: UOp, name: str, make: Callable[[UOp], Any]) -> None:
    """Sources first, so that no computation below goes deeper than one node."""
    if any(s.op in _INNER and (s.memo is None or name not in s.memo) for s in x.src):
        for node in toposort((x,), enter=lambda u: u.op in _INNER and (u.memo is None or name not in u.memo)):
            if node.dtype == dtypes.index:
                node.remember(name, make)


def _linear(x: UOp) -> Linear:
    if x.op is Ops.CONST:
        return int(x.arg), {}
    if x.op is Ops.ADD:
        return _combine(linear(x.src[0]), linear(x.src[1]), 1)
    if x.op is Ops.MUL and x.src[1].op is Ops.CONST and x.dtype == dtypes.index:
        c, terms = linear(x.src[0])
        k = int(x.src[1].arg)
        return c * k, {t: v * k for t, v in terms.items()}
    return 0, {x: 1}


def _combine(a: Linear, b: Linear, sign: int) -> Linear:
    terms = dict(a[1])
    for t, v in b[1].items():
        terms[t] = terms.get(t, 0) + sign * v
        if terms[t] == 0:
            del terms[t]
    return a[0] + sign * b[0], terms


def from_linear(form: Linear) -> UOp:
    """The node of a linear form: terms in the order they came, the constant last."""
    constant, terms = _recombined(form)
    form = _wrapped(constant), {t: w for t, v in terms.items() if (w := _wrapped(v))}
    parts = [t if v == 1 else UOp(Ops.MUL, dtypes.index, (t, const(v))) for t, v in form[1].items()]
    if form[0] or not parts:
        parts.append(const(form[0]))
    return fold(lambda a, b: UOp(Ops.ADD, dtypes.index, (a, b)), parts)


def _recombined(form: Linear) -> Linear:
    """With ``x // d * d + x % d`` put together again as x, which is what a reshape there and back leaves."""
    while True:
        c, terms = form
        found = next(filter(None, (_parted(m, v, terms) for m, v in terms.items() if _by_constant(m, Ops.MOD))), None)
        if found is None:
            return form
        remainder, quotient, whole = found
        factor = terms[remainder]
        rest = {t: v for t, v in terms.items() if t is not remainder and t is not quotient}
        wc, wterms = linear(whole)
        form = _combine((c, rest), (wc * factor, {t: v * factor for t, v in wterms.items()}), 1)


def _by_constant(x: UOp, op: Ops) -> bool:
    return x.op is op and x.src[1].op is Ops.CONST


def _parted(m: UOp, factor: int, terms: dict[UOp, int]) -> tuple[UOp, UOp, UOp] | None:
    """The remainder m, the term that is the quotient to it, and what the two are parts of."""
    y, d = m.src[0], int(m.src[1].arg)
    for q, v in terms.items():
        if v == factor * d and _by_constant(q, Ops.IDIV) and int(q.src[1].arg) % d == 0:
            whole = div(q.src[0], int(q.src[1].arg) // d)
            if whole is y or _congruent(whole, y, d):
                return m, q, whole
    return None


def _congruent(a: UOp, b: UOp, d: int) -> bool:
    c, terms = _combine(linear(a), linear(b), -1)
    return c % d == 0 and all(v % d == 0 for v in terms.values()) and bounds(a)[0] >= 0 and bounds(b)[0] >= 0


def add(a: UOp, b: UOp) -> UOp:
    """a + b."""
    return from_linear(_combine(linear(a), linear(b), 1))


def sub(a: UOp, b: UOp) -> UOp:
    """a - b."""
    return from_linear(_combine(linear(a), linear(b), -1))


def mul(a: UOp, b: UOp | int) -> UOp:
    """a * b."""
    if isinstance(b, UOp):
        if b.op is not Ops.CONST:
            return mul(b, a) if a.op is Ops.CONST else UOp(Ops.MUL, dtypes.index, (a, b))
        b = int(b.arg)
    c, terms = linear(a)
    return from_linear((c * b, {t: v * b for t, v in terms.items()} if b else {}))


def bounds(x: UOp) -> tuple[int, int]:
    """The least and greatest value an index can take (both inclusive)."""
    _prepare(x, "bounds", _bounds)
    lo_hi: tuple[int, int] = x.remember("bounds", _bounds)
    return lo_hi


def _bounds(x: UOp) -> tuple[int, int]:
    lo, hi = _bounds_of(x)
    return (lo, hi) if lo >= UNKNOWN[0] and hi <= UNKNOWN[1] else UNKNOWN


def _bounds_of(x: UOp) -> tuple[int, int]:
    if x.op is Ops.CONST:
        return int(x.arg), int(x.arg)
    if x.op is Ops.RANGE:
        return 0, max(bounds(x.src[0])[1] - 1, 0)
    if x.op is Ops.DEFINE_VAR:
        return int(x.arg[1]), int(x.arg[2])
    if x.op is Ops.BIND:  # whatever its value: the code is for all
        return bounds(x.src[0])
    if x.dtype == dtypes.index and x.op in (Ops.ADD, Ops.MUL):
        if x.op is Ops.MUL and x.src[1].op is not Ops.CONST:
            ends = [p * q for p in bounds(x.src[0]) for q in bounds(x.src[1])]
            return min(ends), max(ends)
        c, terms = linear(x)
        lo = hi = c
        for t, v in terms.items():
            a, b = bounds(t)
            lo, hi = lo + min(a * v, b * v), hi + max(a * v, b * v)
        return lo, hi
    if x.op is Ops.IDIV and x.src[1].op is Ops.CONST:
        (a, b), d = bounds(x.src[0]), int(x.src[1].arg)
        return a // d, b // d
    if x.op is Ops.MOD and x.src[1].op is Ops.CONST:
        (a, b), d = bounds(x.src[0]), int(x.src[1].arg)
        return (a, b) if 0 <= a and b < d else (0 if a >= 0 else 1 - d, d - 1)
    if x.op in (Ops.MAX, Ops.MIN) and x.dtype == dtypes.index:
        (a, b), (c1, d1) = bounds(x.src[0]), bounds(x.src[1])
        return (max(a, c1), max(b, d1)) if x.op is Ops.MAX else (min(a, c1), min(b, d1))
    if x.op is Ops.WHERE:
        (a, b), (c1, d1) = bounds(x.src[1]), bounds(x.src[2])
        return min(a, c1), max(b, d1)
    return UNKNOWN


def div(x: UOp, d: int) -> UOp:
    """X divided by a positive constant (x is never negative where the result is used)."""
    if d == 1:
        return x
    c, terms = linear(x)
    whole = {t: v // d for t, v in terms.items() if v % d == 0}
    rest = from_linear((c % d, {t: v for t, v in terms.items() if v % d}))
    lo, hi = bounds(rest)
    if lo >= 0 and hi < d:
        return from_linear((c // d, whole))
    if lo >= 0:
        quotient = _inner_div(rest, d)
        return add(from_linear((c // d, whole)), quotient)
    return _inner_div(x, d)


def _inner_div(x: UOp, d: int) -> UOp:
    if _by_constant(x, Ops.IDIV):
        return div(x.src[0], int(x.src[1].arg) * d)
    if _by_constant(x, Ops.MOD) and int(x.src[1].arg) % d == 0:
        return mod(div(x.src[0], d), int(x.src[1].arg) // d)
    # a common factor of d and of every coefficient cancels, the constant rounded down to it
    c, terms = linear(x)
    for k in (g for g in range(d, 1, -1) if d % g == 0) if d <= 4096 else ():
        if terms and bounds(x)[0] >= 0 and all(v % k == 0 for v in terms.values()):
            return div(from_linear((c // k, {t: v // k for t, v in terms.items()})), d // k)
    return UOp(Ops.IDIV, dtypes.index, (x, const(d)))


def mod(x: UOp, d: int) -> UOp:
    """The remainder of x by a positive constant."""
    if d == 1:
        return const(0)
    c, terms = linear(x)
    form = (c % d, {t: v for t, v in terms.items() if v % d})
    rest = from_linear(form)
    lo, hi = bounds(rest)
    if lo < 0:
        rest, (lo, hi) = x, bounds(x)
    if lo >= 0 and hi < d:
        return rest
    bare = _without_remainders(form, d)
    if lo >= 0 and bare is not form and bounds(from_linear(bare))[0] >= 0:
        return mod(from_linear(bare), d)
    small = {t: v % d for t, v in form[1].items()}
    reduced = from_linear((form[0], small))
    if lo >= 0 and 0 <= bounds(reduced)[0] and bounds(reduced)[1] < d:
        return reduced
    if lo >= 0 and bounds(reduced)[0] >= 0 and bounds(reduced)[1] < hi:
        rest = reduced
    return UOp(Ops.MOD, dtypes.index, (rest, const(d)))


def _without_remainders(form: Linear, d: int) -> Linear:
    """The form with ``x % k`` replaced by x where that makes a multiple of d of difference."""
    c, terms = form
    for m in form[1]:
        v = terms.get(m, 0)
        if v and _by_constant(m, Ops.MOD) and v * int(m.src[1].arg) % d == 0:
            xc, xterms = linear(m.src[0])
            rest = {t: w for t, w in terms.items() if t is not m}
            c, terms = _combine((c, rest), (xc * v, {t: w * v for t, w in xterms.items()}), 1)
    return form if terms is form[1] else (c, terms)


def less(a: UOp, b: UOp) -> UOp:
    """a < b, decided where the bounds decide it."""
    difference = sub(a, b)
    lo, hi = bounds(difference)
    if hi < 0:
        return TRUE
    if lo >= 0:
        return FALSE
    return UOp(Ops.CMPLT, dtypes.bool_, (a, b))


def at_least(a: UOp, n: int) -> UOp:
    """a >= n."""
    return less(const(n - 1), a)


def both(a: UOp | None, b: UOp | None) -> UOp | None:
    """The conjunction of two conditions, None being the one that always holds."""
    if a is None or a is TRUE:
        return None if b is TRUE else b
    if b is None or b is TRUE or a is b:
        return a
    if FALSE in (a, b):
        return FALSE
    return UOp(Ops.AND, dtypes.bool_, (a, b))


def clamp(x: UOp, n: int) -> UOp:
    """X moved into 0 <= x < n."""
    lo, hi = bounds(x)
    if lo < 0:
        x = UOp(Ops.MAX, dtypes.index, (x, const(0)))
    return UOp(Ops.MIN, dtypes.index, (x, const(n - 1))) if hi >= n else x


def flatten(indices: tuple[UOp, ...], sizes: tuple[UOp | int, ...]) -> UOp:
    """The flat C-order index; a size may be a run-time integer."""
    flat = const(0)
    for i, n in zip(indices, sizes, strict=True):
        flat = add(mul(flat, n if isinstance(n, UOp) else const(n)), i)
    return flat


def unflatten(flat: UOp, shape: tuple[int, ...]) -> tuple[UOp, ...]:
    """The indices of a flat C-order index."""
    out: list[UOp] = []
    for n in reversed(shape[1:]):
        out.append(mod(flat, n) if n > 0 else const(0))
        flat = div(flat, n) if n > 0 else const(0)
    return (flat, *reversed(out)) if shape else ()
