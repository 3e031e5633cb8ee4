"""What is known of integers before they have a value: bounds, and sums of variables and constants."""

from __future__ import annotations

from functrans import dtypes
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.movement import TAKING
from functrans.ops.symbolic import UNKNOWN, bounds
from functrans.ops.uop import UOp, toposort

Interval = tuple[int, int]
Affine = tuple[int, dict[UOp, int]]  # a constant, and a factor for each variable
VARIABLES = frozenset({Ops.DEFINE_VAR, Ops.BIND})
_ARITHMETIC = frozenset({Ops.ADD, Ops.SUB, Ops.MUL, Ops.NEG, Ops.MAX, Ops.MIN})
_PLACED = TAKING | GroupOp.VMap


def is_run_time(x: UOp) -> bool:
    """Whether a variable, bound or not, is below x: its value is not that of one call."""
    return any(u.op in VARIABLES for u in toposort((x,), enter=lambda u: u.op not in VARIABLES))


def interval(x: UOp) -> Interval:
    """The least and greatest element an integer array can have; all of int64 where that is not known."""
    for node in toposort((x,), enter=lambda u: _entered(u) and (u.memo is None or "interval" not in u.memo)):
        node.remember("interval", _interval)
    found: Interval = x.remember("interval", _interval)
    return found


def _entered(node: UOp) -> bool:
    return node.op in _PLACED or (node.dtype == dtypes.int64 and node.op in _ARITHMETIC)


def _interval(x: UOp) -> Interval:
    low, high = _interval_of(x)
    return (low, high) if UNKNOWN[0] <= low and high <= UNKNOWN[1] else UNKNOWN  # it may have wrapped


def _interval_of(x: UOp) -> Interval:
    if x.op is Ops.CONST and x.dtype.kind in "iux":
        return int(x.arg), int(x.arg)
    if x.op is Ops.IOTA and x.dtype == dtypes.int64:
        return 0, max(x.arg - 1, 0)
    if x.op is Ops.ARGSORT:
        return 0, max(x.sized[-1] - 1, 0)
    if x.op is Ops.CAST and x.dtype == dtypes.int64 and x.src[0].dtype == dtypes.index:
        given: Interval = bounds(x.src[0])
        return given
    if not _entered(x):
        return UNKNOWN
    ends: list[Interval] = [s.remember("interval", _interval) for s in x.src if s.dtype == x.dtype]
    if x.op in _PLACED:
        return ends[0]
    if x.op is Ops.NEG:
        return -ends[0][1], -ends[0][0]
    (a, b), (c, d) = ends
    if x.op is Ops.MUL:
        corners = [p * q for p in (a, b) for q in (c, d)]
        return min(corners), max(corners)
    found: dict[Ops, Interval] = {
        Ops.ADD: (a + c, b + d),
        Ops.SUB: (a - d, b - c),
        Ops.MAX: (max(a, c), max(b, d)),
        Ops.MIN: (min(a, c), min(b, d)),
    }
    return found[x.op]


def affine(x: UOp) -> Affine | None:
    """A scalar as a sum of variables with constant factors and a constant; None where it is no such sum."""
    forms: dict[UOp, Affine | None] = {}
    for node in toposort((x,), enter=lambda u: u.op not in VARIABLES):
        forms[node] = _affine(node, [forms[s] for s in node.src if s in forms])
    return forms[x]


def _affine(x: UOp, src: list[Affine | None]) -> Affine | None:
    if x.op in VARIABLES:
        return 0, {x: 1}
    if x.op is Ops.CONST and x.dtype.kind in "ix":
        return int(x.arg), {}
    if x.dtype != dtypes.int64 or x.shape != () or any(s is None for s in src):
        return None
    given = [s for s in src if s is not None]
    if (x.op is Ops.CAST or x.op in TAKING) and x.src[0].dtype.kind in "ix":
        return given[0]
    if x.op is Ops.NEG:
        return combined((0, {}), given[0], -1)
    if x.op in (Ops.ADD, Ops.SUB):
        return combined(given[0], given[1], 1 if x.op is Ops.ADD else -1)
    if x.op is Ops.MUL and not (given[0][1] and given[1][1]):
        numbers, terms = (given[0], given[1]) if not given[0][1] else (given[1], given[0])
        return combined((0, {}), terms, numbers[0])
    return None


def combined(a: Affine, b: Affine, factor: int) -> Affine:
    """a + factor * b, without variables of factor 0."""
    terms = dict(a[1])
    for t, v in b[1].items():
        terms[t] = terms.get(t, 0) + factor * v
    return a[0] + factor * b[0], {t: v for t, v in terms.items() if v}
