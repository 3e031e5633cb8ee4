"""Whether a pattern covers the Jacobian: products with random directions, with and without the pattern."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans.errors import SparsityError, at_user_line
from functrans.ops.source import param
from functrans.transforms.sparse.compressed import pushed
from functrans.transforms.sparse.pattern import SparsityPattern
from functrans.transforms.sparse.problem import Problem

Array = NDArray[Any]
_SEED = 20_05


def probe(problem: Problem, arrays: Sequence[Array]) -> None:
    """Raise SparsityError, naming rows and entries, where the patterns miss a nonzero.

    An entry that is missing changes the product with a random direction with probability one. Tried at the given
    point and at one beside it, since an entry may vanish at a special point.
    """
    directions = [param(p.sized, p.dtype) for p in problem.inputs]
    product = pushed(problem.outputs, dict(zip(problem.inputs, directions, strict=True)))
    exact = problem.program_of([product], directions)
    random = np.random.default_rng(_SEED)
    for away in (0.0, 0.05):
        point = [
            _beside(a, away * random.standard_normal(a.shape)) if p in problem.inputs else a
            for p, a in zip(problem.params, arrays, strict=True)
        ]
        along = [np.asarray(random.standard_normal(p.sized), p.dtype.numpy) for p in problem.inputs]
        want = exact([*point, *along])[0]
        bad = np.flatnonzero(_differ(problem, point, along, want))
        if len(bad):
            raise SparsityError(_text(problem, bad))


def _beside(a: Array, relative: Array) -> Array:
    return np.asarray(a + relative * (1 + np.abs(a)), a.dtype)


def _differ(problem: Problem, point: list[Array], along: list[Array], want: Array) -> NDArray[np.bool_]:
    """The rows in which the pattern's own product is another one."""
    flat = np.concatenate([a.reshape(-1) for a in along]).astype(np.float64)
    total, size = np.zeros(problem.rows), np.abs(want)
    start = 0
    for p, data in zip(problem.patterns, problem.values_program(point), strict=True):
        for rows, cols, own in _entries(problem, p, data):
            terms = own * flat[start + cols]
            total += np.bincount(rows, terms, problem.rows)
            size = size + np.bincount(rows, np.abs(terms), problem.rows)
        start += p.shape[1]
    finite = np.isfinite(want) & np.isfinite(total)
    with np.errstate(invalid="ignore"):
        far = np.abs(total - want) > 100 * np.sqrt(np.finfo(want.dtype).eps) * size
    return np.asarray(finite & far)


def _entries(problem: Problem, p: SparsityPattern, data: Array) -> list[tuple[Array, Array, Array]]:
    """Rows, columns and values of a matrix; of one triangle also those of the other."""
    if problem.settings.triangle == "full":
        return [(p.rows, p.cols, data)]
    off = p.rows != p.cols
    return [(p.rows, p.cols, data), (p.cols[off], p.rows[off], data[off])]


def _text(problem: Problem, bad: NDArray[np.intp]) -> str:
    """The rows, and entries that detection finds there and the pattern lacks."""
    missing = problem.dependence.matrix.astype(np.int8).tocsr()[bad]
    start, have = 0, set()
    for p in problem.patterns:
        for rows, cols, _ in _entries(problem, p, p.rows):
            inside = np.isin(rows, bad)
            have |= set(zip(rows[inside].tolist(), (cols[inside] + start).tolist(), strict=True))
        start += p.shape[1]
    pairs = zip(bad[missing.tocoo().row].tolist(), missing.tocoo().col.tolist(), strict=True)
    absent = [pair for pair in pairs if pair not in have]
    entries = f"; it lacks {', '.join(map(str, absent[:5]))}{' ...' * (len(absent) > 5)}" if absent else ""
    named = f"row{'s' * (len(bad) != 1)} {', '.join(map(str, bad[:5].tolist()))}{' ...' * (len(bad) > 5)}"
    return (
        f"{problem.settings.what} of {problem.name}: the given pattern is too small in {named}{entries}"
        f"{at_user_line()}; "
        "add the entries, or leave pattern out to have it detected"
    )
