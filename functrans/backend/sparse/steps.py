"""Sparse systems between kernels: in C, eight systems at a time; what fails a check by SuperLU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from functrans.backend.memory import allocate
from functrans.backend.runtime.library import Entry
from functrans.backend.runtime.native import native
from functrans.backend.sparse.native import text_of
from functrans.config import config
from functrans.debug import warn_once
from functrans.ops.enums import Ops
from functrans.ops.opdef import TABLE
from functrans.ops.sparse_systems import (
    TOLERANCE,
    Solving,
    Symbolic,
    one_logarithm,
    one_solution,
    parity,
    refuse_indefinite,
    singular,
)
from functrans.ops.uop import UOp

__all__ = ["COMPILED"]

Array = np.ndarray[Any, Any]
FACTOR, SOLVE = 1, 2
LANES = 8
REFINED = 2  # steps at the most
EPSILON = float(np.finfo(np.float64).eps)


def _entry() -> Entry | None:
    return native(text_of("numeric.c"), "sparse linear algebra")


def _meaning(node: UOp, *arrays: Array) -> Array:
    meaning = TABLE[node.op].numpy
    assert meaning is not None
    return np.asarray(meaning(node, *arrays))


def _factor(node: UOp, values: Array) -> Array:
    entry = _entry()
    if entry is None:
        return _meaning(node, values)
    s: Symbolic = node.arg
    made = allocate((*values.shape[:-1], s.fill), np.dtype(float), "factors")
    _run(entry, s, FACTOR, _flat(values, 1), made.reshape(-1, s.fill))
    if s.definite:
        bad = np.asarray(~(made[..., s.diagonal] > 0).all(-1) & np.isfinite(values).all(-1))
        refuse_indefinite(node, bad, made)
    return made


def _solve(node: UOp, values: Array, factors: Array, b: Array) -> Array:
    entry = _entry()
    if entry is None:
        return _meaning(node, values, factors, b)
    lead = np.broadcast_shapes(values.shape[:-1], b.shape[:-2])
    x = allocate((*lead, *b.shape[-2:]), np.dtype(float), "solutions")
    given = [_lanes(a, lead, k) for a, k in ((values, 1), (factors, 1), (b, 2))]
    solving: Solving = node.arg
    failed = _run(entry, solving.symbolic, SOLVE, given[0], given[1], given[2], x, solving.turned)
    if failed.any():
        _by_host(node, failed.reshape(lead), given[0], given[2], x)
    return x


def _by_host(node: UOp, failed: Array, values: Array, b: Array, x: Array) -> None:
    """Solve by SuperLU what has failed; raise LinAlgError, or put NaN, where that is singular too."""
    solving: Solving = node.arg
    bad = np.zeros(failed.shape, bool)
    times = 0
    for lane, flat in zip(map(tuple, np.argwhere(failed)), np.flatnonzero(failed).tolist(), strict=True):
        own, right = values[flat if len(values) > 1 else 0], b[flat if len(b) > 1 else 0]
        times += bool(np.isfinite(own).all() and np.isfinite(right).all())
        found = one_solution(solving.symbolic, own, right, solving.turned)
        bad[lane] = found is None
        x[lane] = np.nan if found is None else found
    if bad.any() and config.linalg_errors == "raise":
        raise singular(node, bad)
    if times > bad.sum():
        warn_once(
            f"sparse pivots {solving.symbolic.key}",
            f"{times} of {failed.size} sparse systems of {solving.symbolic.n} rows were solved by SuperLU, one by one: "
            "the pivots that their pattern suggests are too small for their values; the solutions are right, but slow",
        )


def _slogdet(node: UOp, values: Array, factors: Array) -> Array:
    """From the pivots, where a system with these factors has a good solution; else by SuperLU."""
    entry = _entry()
    if entry is None:
        return _meaning(node, values, factors)
    s, part = node.arg.symbolic, node.arg.part
    inverses = factors[..., s.diagonal]
    with np.errstate(all="ignore"):
        found = np.prod(np.sign(inverses), -1) if part == 0 else -np.log(np.abs(inverses)).sum(-1)
    found = np.asarray(found * (parity(s.row_order) * parity(s.col_order) if part == 0 else 1))
    probe = np.ones((1, s.n, 1))
    lines = _flat(values, 1)
    x = np.empty((len(lines), s.n, 1))
    failed = _run(entry, s, SOLVE, lines, _flat(factors, 1), probe, x, False, refined=1)
    for flat in np.flatnonzero(failed).tolist():
        found.reshape(-1)[flat] = one_logarithm(s, lines[flat])[part]
    return found


def _flat(array: Array, kept: int) -> Array:
    """With one axis for all lanes."""
    own, inner = array.shape[: array.ndim - kept], array.shape[array.ndim - kept :]
    return np.ascontiguousarray(array).reshape(int(np.prod(own)), *inner)


def _lanes(array: Array, lead: tuple[int, ...], kept: int) -> Array:
    """With one axis for all lanes, of one element if they share it."""
    own, inner = array.shape[: array.ndim - kept], array.shape[array.ndim - kept :]
    if int(np.prod(own)) == 1:
        return _flat(array.reshape(1, *inner), kept)
    return _flat(np.broadcast_to(array, (*lead, *inner)), kept)


def _run(
    entry: Entry, s: Symbolic, what: int, values: Array, factors: Array, b: Array | None = None, x: Array | None = None,
    turned: bool = False, refined: int = REFINED,
) -> Array:  # fmt: skip
    """Factors into ``factors``, or solutions into ``x``: which systems failed the check of their residual."""
    none = np.empty(0)
    right, solution = none if b is None else b, none if x is None else x
    columns = right.shape[-1] if b is not None else 0
    systems = len(factors) if b is None else (solution.size // max(s.n * columns, 1) if s.n * columns else 0)
    failed = np.zeros(systems, np.int32)
    work = allocate((LANES * (s.nnz + s.fill + 7 * s.n + 1),), np.dtype(float), "sparse factors")
    steps = [len(a) > 1 and int(np.prod(a.shape[1:])) for a in (values, factors, right)]
    sizes = [what, systems, s.n, s.nnz, s.fill, columns, *map(int, steps), int(turned), refined]
    buffers = [
        values, factors, right, solution, failed, work, s.indptr, s.indices, s.diagonal, s.entries, s.rows, s.cols,
        s.row_order, s.col_order, _tolerances(s, turned),
    ]  # fmt: skip
    entry(buffers, sizes)
    return failed


def _tolerances(s: Symbolic, turned: bool) -> Array:
    """Of each row of a residual, which itself is rounded once an entry."""
    counts = np.bincount(s.cols if turned else s.rows, minlength=s.n)
    return np.asarray(np.maximum(TOLERANCE, (counts + 1) * EPSILON))


COMPILED: dict[Ops, Callable[..., Array]] = {Ops.SPFACTOR: _factor, Ops.SPSOLVE: _solve, Ops.SPSLOGDET: _slogdet}
