"""Sparse systems between kernels: in C, several systems at a time; what fails a check by SuperLU."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from functrans._recent import keep, recall
from functrans.backend.memory import allocate
from functrans.backend.runtime.address import Address
from functrans.backend.runtime.library import Entry
from functrans.backend.sparse.blocks import TABLES, Blocks
from functrans.backend.sparse.engine import LANES, engine, is_narrow, progress
from functrans.backend.sparse.programs import programs
from functrans.backend.sparse.residual import REFINED, Residual
from functrans.backend.sparse.shapes import chosen
from functrans.config import config
from functrans.debug import warn_once
from functrans.ops.enums import Ops
from functrans.ops.opdef import TABLE
from functrans.ops.sparse_pattern import Symbolic
from functrans.ops.sparse_systems import (
    NEGATIVE,
    Solving,
    indefinite,
    negatives,
    refuse_indefinite,
    refused,
    singular,
    without_inertia,
)
from functrans.ops.superlu import one_inverse, one_logarithm, one_solution
from functrans.ops.uop import UOp
from functrans.ops.vmap import extent

__all__ = ["COMPILED", "RESULT", "Prepared", "is_call", "prepared"]

Array = np.ndarray[Any, Any]
FACTOR, SOLVE, INVERSE = 1, 2, 4
RESULT = -1
_KEPT = 128
_NEVER = np.zeros(1, np.int64)  # systems after which other code is looked for: here that is done before each call
_patterns: OrderedDict[tuple[str, bool, bool, bool], tuple[list[Array], int]] = OrderedDict()
_spare: list[Array] = []  # one array at the most: new memory costs as much as a factorization


def _meaning(node: UOp, *arrays: Array) -> Array:
    meaning = TABLE[node.op].numpy
    assert meaning is not None
    return np.asarray(meaning(node, *arrays))


def _factor(node: UOp, values: Array) -> Array:
    s: Symbolic = node.arg
    made = allocate((*values.shape[:-1], s.fill), np.dtype(float), "factors")
    if _run(s, FACTOR, _flat(values, 1), _flat(made, 1)) is None:
        return _meaning(node, values)
    if s.definite:
        refuse_indefinite(node, indefinite(s, values, made), made)
    return made


def _solve(node: UOp, values: Array, *rest: Array) -> Array:
    """With the factors that are given, or with factors that nothing else reads, and that are never stored."""
    b, solving = rest[-1], node.arg
    lead = np.broadcast_shapes(values.shape[:-1], b.shape[:-2]) if values.ndim > 1 or b.ndim > 2 else ()
    own, right = _lanes(values, lead, 1), _lanes(b, lead, 2)
    factors = _lanes(rest[0], lead, 1) if len(rest) > 1 else None
    what = FACTOR | SOLVE if factors is None else SOLVE
    columns = b.shape[-1] if len(own) == 1 else 1  # of one matrix columns are lanes, too
    if columns != 1:
        right = np.ascontiguousarray(np.swapaxes(right, 1, 2)).reshape(len(right) * columns, right.shape[1], 1)
    systems = prod(lead) * columns
    x = allocate((systems, solving.symbolic.n, b.shape[-1] if columns == 1 else 1), np.dtype(float), "solutions")
    failed = _run(solving.symbolic, what, own, factors, right, x, solving.turned)
    if failed is None:
        return _meaning(node, values, *rest)
    if columns != 1:
        x = np.swapaxes(x.reshape(prod(lead), columns, solving.symbolic.n), 1, 2)
        failed = np.logical_or.reduce(failed.reshape(prod(lead), columns), 1, initial=False)
    x = np.ascontiguousarray(x).reshape(*lead, *b.shape[-2:])
    if failed.any():
        _by_host(node, failed.reshape(lead), own, _lanes(b, lead, 2), x)
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
    if bad.any() and not solving.quiet and config.linalg_errors == "raise":
        raise singular(node, bad)
    if times > bad.sum():
        warn_once(
            f"sparse pivots {solving.symbolic.key}",
            f"{times} of {failed.size} sparse systems of {solving.symbolic.n} rows were solved by SuperLU, one by one: "
            "the pivots that their pattern suggests are too small for their values; the solutions are right, but slow",
        )


def _slogdet(node: UOp, values: Array, factors: Array) -> Array:
    """From the pivots, where a system with these factors has a good solution; else by SuperLU, or NaN."""
    s, part = node.arg.symbolic, node.arg.part
    lines = _flat(values, 1)
    x = np.empty((len(lines), s.n, 1))
    failed = _run(s, SOLVE, lines, _flat(factors, 1), np.ones((1, s.n, 1)), x, refined=1)
    if failed is None:
        return _meaning(node, values, factors)
    if part == NEGATIVE:
        wrong = failed.reshape(values.shape[:-1]) != 0
        counts = np.where(wrong, np.nan, negatives(s, factors))
        return without_inertia(node, counts, wrong & np.isfinite(values).all(-1))
    inverses = np.take(factors, s.diagonal, -1)  # rows that lie in a line: sums in the order of one system alone
    with np.errstate(all="ignore"):
        found = np.prod(np.sign(inverses), -1) if part == 0 else -np.log(np.abs(inverses)).sum(-1)
    found = np.asarray(found * (s.parity if part == 0 else 1))
    for flat in np.flatnonzero(failed).tolist():
        found.reshape(-1)[flat] = one_logarithm(s, lines[flat])[part]
    return found


def _inverse(node: UOp, values: Array, factors: Array) -> Array:
    """By the factors, where rows of the matrix and columns of the inverse give ones; else by SuperLU."""
    s, lines = node.arg, _flat(values, 1)
    found = allocate(lines.shape, np.dtype(float), "entries of inverses")
    failed = _run(s, INVERSE, lines, _flat(factors, 1), x=found)
    if failed is None:
        return _meaning(node, values, factors)
    bad = np.zeros(len(lines), bool)
    for flat in np.flatnonzero(failed).tolist():
        one = one_inverse(s, lines[flat])
        found[flat], bad[flat] = np.nan if one is None else one, one is None
    if bad.any() and config.linalg_errors == "raise":
        raise refused(node, bad.reshape(values.shape[:-1]))
    return found.reshape(values.shape)


def _flat(array: Array, kept: int) -> Array:
    """With one axis for all lanes."""
    own, inner = array.shape[: array.ndim - kept], array.shape[array.ndim - kept :]
    return np.ascontiguousarray(array).reshape(prod(own), *inner)


def _lanes(array: Array, lead: tuple[int, ...], kept: int) -> Array:
    """With one axis for all lanes, of one element if they share it."""
    own, inner = array.shape[: array.ndim - kept], array.shape[array.ndim - kept :]
    if prod(own) == 1:
        return _flat(array.reshape(1, *inner), kept)
    return _flat(np.broadcast_to(array, (*lead, *inner)), kept)


class Prepared(NamedTuple):
    """A call of C: where its entry point stands, which may change, and what it is given. First values, factors,
    right-hand sides and solutions, each the number of a source, RESULT, or None; then a flag for each system, numbers
    to work in, and what is fixed.
    """

    address: Address
    arrays: tuple[int | None, ...]
    systems: int
    work: int
    fixed: list[Array]
    sizes: list[int]


def is_call(node: UOp) -> bool:
    """Whether a step is C alone where nothing fails."""
    return node.op is Ops.SPSOLVE or (node.op is Ops.SPFACTOR and not _symbolic(node).definite)


def prepared(node: UOp, shapes: Sequence[tuple[int, ...]]) -> Prepared | None:
    """The call that such a step is for sources of these shapes; None where arrays are turned before."""
    s, solves = _symbolic(node), node.op is Ops.SPSOLVE
    axes = [1] * (len(shapes) - 1) + [2] if solves else [1]
    leads, counts = [x[:-k] for x, k in zip(shapes, axes, strict=True)], [prod(x[-k:]) for x, k in zip(shapes, axes)]
    lead, columns = max(leads, key=prod), shapes[-1][-1] if solves else 0
    if any(prod(own) != 1 and own != lead for own in leads) or (prod(leads[0]) == 1 and columns > 1):
        return None  # columns of one matrix are turned into lanes
    systems = prod(lead)
    entry = engine(s, systems)
    if entry is None or node.size * prod(map(extent, node.free_ranges)) != systems * (s.n * columns or s.fill):
        return None
    steps = [0 if prod(own) == 1 else count for own, count in zip(leads, counts, strict=True)]
    arrays: tuple[int | None, ...]
    if not solves:
        arrays, steps, what = (0, RESULT, None, None), [*steps, s.fill, 0], FACTOR
    elif len(shapes) == 3:
        arrays, what = (0, 1, 2, RESULT), SOLVE
    else:
        arrays, steps, what = (0, None, 1, RESULT), [steps[0], 0, steps[1]], FACTOR | SOLVE
    turned = solves and node.arg.turned
    address, left = progress(s, systems, entry)
    work, fixed, sizes = _call(s, what, arrays[1] is not None, systems, columns, steps, turned, REFINED)
    return Prepared(address, arrays, systems, work, [*fixed, left], sizes)


def _symbolic(node: UOp) -> Symbolic:
    found: Symbolic = node.arg.symbolic if node.op is Ops.SPSOLVE else node.arg
    return found


def _call(
    s: Symbolic, what: int, kept: bool, systems: int, columns: int, steps: Sequence[int], turned: bool, refined: int
) -> tuple[int, list[Array], list[int]]:
    """Numbers to work in, what is fixed, and the sizes of a call."""
    narrow = is_narrow(s)
    lanes = 1 if systems == 1 else LANES // 2 if narrow else LANES
    more = s.fill + s.nnz if what & INVERSE else 0
    work = (s.fill + 5 * s.n + more + (s.nnz if lanes > 1 else 0)) * lanes + LANES
    fixed, blocks = _pattern(s, turned, systems == 1, bool(what & INVERSE))
    sizes = [what, systems, s.n, s.nnz, s.fill, columns, *steps, turned, refined, kept, s.symmetric, blocks, narrow]
    return work, fixed, list(map(int, sizes))


def _run(
    s: Symbolic, what: int, values: Array, factors: Array | None, b: Array | None = None, x: Array | None = None,
    turned: bool = False, refined: int = REFINED,
) -> Array | None:  # fmt: skip
    """Factors into ``factors``, or solutions into ``x``: which systems failed the check of their residual; None where
    there is no compiler.
    """
    systems = len(x) if x is not None else len(values)
    entry = engine(s, systems)
    if entry is None:
        return None
    none = np.empty(0)
    failed = np.zeros(systems, np.int32)
    steps = [prod(a.shape[1:]) if a is not None and len(a) > 1 else 0 for a in (values, factors, b)]
    columns = 0 if b is None else b.shape[-1]
    numbers, fixed, sizes = _call(s, what, factors is not None, systems, columns, steps, turned, refined)
    work = _memory(numbers)
    arrays = values, *(none if a is None else a for a in (factors, b, x)), failed, work, *fixed, _NEVER
    entry.through(list(map(Entry.pointer, arrays)), sizes, Entry.begin())
    _spare[:] = [] if is_narrow(s) else [work]
    return failed


def _memory(numbers: int) -> Array:
    """Memory to work in: that of the last call, if it is enough and no other thread has it."""
    try:
        work = _spare.pop()
    except IndexError:
        return allocate((numbers,), np.dtype(float), "sparse factors")
    return work if len(work) >= numbers else allocate((numbers,), np.dtype(float), "sparse factors")


def _pattern(s: Symbolic, turned: bool, alone: bool, inverse: bool) -> tuple[list[Array], int]:
    """The arrays of what does not change from call to call, and how many blocks there are."""
    found = recall(_patterns, (s.key, turned, alone, inverse))
    if found is None:
        blocks, residual, none = Blocks.of(s), Residual.of(s, turned, alone), np.empty(0, np.int32)
        tables = [getattr(blocks, name) for name in TABLES]
        fixed = [s.indptr, s.indices, s.diagonal, s.above, s.row_order, s.col_order]
        fixed += [residual.starts, residual.at, residual.across, residual.lines]
        fixed += [*(none if a is None else a for a in tables), s.entries, *((alone and programs(s)) or [none] * 3)]
        shapes = chosen(s, alone)
        fixed.append(none if shapes is None else shapes.table)
        fixed += s.columns if inverse else [none] * 2
        given: tuple[list[Array], int] = ([*fixed, residual.tolerance], len(blocks.rows) - 1)
        found = keep(_patterns, (s.key, turned, alone, inverse), given, _KEPT)
    return found


COMPILED: dict[Ops, Callable[..., Array]] = {
    Ops.SPFACTOR: _factor, Ops.SPSOLVE: _solve, Ops.SPSLOGDET: _slogdet, Ops.SPINVERSE: _inverse,
}  # fmt: skip
