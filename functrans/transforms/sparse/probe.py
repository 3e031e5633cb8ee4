"""Whether a pattern covers the Jacobian: by products with random directions, and by what detection is certain of.

A product finds whatever is missing at the point where it is taken. It says nothing about branches that are not taken
there: an entry that detection is certain of, in a row that chooses between formulas, has to be in the pattern. In the
other rows, which are one formula everywhere, a derivative that vanishes near a point vanishes: what detection finds
there and the products do not has cancelled. What detection takes for possible alone is left to the products.
"""

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
    point and at one beside it, since an entry may vanish at a special point. Costs two products, and detection.
    """
    lacking = _lacking(problem)
    if lacking:
        raise SparsityError(_text(problem, sorted({row for row, _ in lacking}), lacking))
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
            raise SparsityError(_text(problem, bad.tolist(), _absent(problem, bad, problem.dependence.matrix)))


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


def _lacking(problem: Problem) -> list[tuple[int, int]]:
    """The entries that the patterns lack, that detection is certain of, and that products may not see."""
    found = problem.dependence
    rows = np.flatnonzero(found.switched)
    return _absent(problem, rows, found.certain) if len(rows) else []


def _absent(problem: Problem, rows: NDArray[np.intp], matrix: Any) -> list[tuple[int, int]]:
    """The entries of a matrix of all columns, in some of its rows, that the patterns lack."""
    wanted = matrix[rows].tocoo()
    at, cols = rows[wanted.row], wanted.col.astype(np.int64)
    width, have, start = matrix.shape[1], [np.zeros(0, np.int64)], 0
    for p in problem.patterns:
        have += [r.astype(np.int64) * width + start + c for r, c, _ in _entries(problem, p, p.rows)]
        start += p.shape[1]
    lost = ~np.isin(at * width + cols, np.concatenate(have))
    return list(zip(at[lost].tolist(), cols[lost].tolist(), strict=True))


def _text(problem: Problem, bad: list[int], absent: list[tuple[int, int]]) -> str:
    entries = f"; it lacks {', '.join(map(str, absent[:5]))}{' ...' * (len(absent) > 5)}" if absent else ""
    named = f"row{'s' * (len(bad) != 1)} {', '.join(map(str, bad[:5]))}{' ...' * (len(bad) > 5)}"
    return (
        f"{problem.settings.what} of {problem.name}: the given pattern is too small in {named}{entries}"
        f"{at_user_line()}; add the entries, or leave pattern out to have it detected (entries of branches that are "
        "zero whatever branch is taken need check=False)"
    )
