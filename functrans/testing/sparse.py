"""Checks of sparse Jacobians by a few derivatives along random directions: no column by column, no dense matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from functrans import tree
from functrans.testing.checks import along, leaves_of, like, tolerance
from functrans.trace import Array
from functrans.transforms.jvp import jvp
from functrans.transforms.sparse.onesided import color_columns
from functrans.transforms.sparse.pattern import SparsityPattern
from functrans.transforms.sparse.spjacobian import spjacobian
from functrans.transforms.vjp import vjp

__all__ = ["check_pattern", "check_spjacobian"]

_SEED = 11
_NEAR_FULL = 4  # a row that has more than one entry in so many places is dense: it is checked by chance


class _Flat:
    """A function of one of its arguments, from vector to vector."""

    def __init__(self, f: Callable[..., Any], args: Sequence[Any], argnum: int) -> None:
        self.f, self.args, self.argnum = f, tuple(args), argnum % len(args)
        self.points, self.treedef = leaves_of(args[argnum]), tree.flatten(args[argnum])[1]
        self.size = sum(p.size for p in self.points)

    def at(self, x: Any) -> Any:
        """F, all other arguments fixed."""
        return self.f(*self.args[: self.argnum], x, *self.args[self.argnum + 1 :])

    def shaped(self, t: Array) -> Any:
        """A vector as a tangent of the argument."""
        ends = np.cumsum([p.size for p in self.points])[:-1]
        parts = zip(np.split(t, ends), self.points, strict=True)
        return self.treedef.unflatten([np.asarray(v.reshape(p.shape), p.dtype) for v, p in parts])

    def difference(self, t: Array, eps: float | None) -> Array:
        """The derivative along a vector, by differences."""
        return _joined(along(self.at, (self.args[self.argnum],), (self.shaped(t),), eps))


def _joined(arrays: Sequence[Array]) -> Array:
    return np.concatenate([np.asarray(a).reshape(-1) for a in arrays]) if arrays else np.zeros(0)


def _pattern(f: Callable[..., Any], args: Sequence[Any], argnums: int, pattern: Any) -> SparsityPattern:
    found: SparsityPattern = spjacobian(f, argnums, pattern=pattern).pattern(*args)
    return found.with_format("csr")


def check_pattern(
    f: Callable[..., Any], args: Sequence[Any], argnums: int = 0, *, pattern: Any = None, eps: float | None = None
) -> None:
    """Check that a sparsity pattern covers every nonzero of the Jacobian of f at ``args``, by differences.

    ``pattern`` is by default the detected one. Its columns are colored, and f is moved twice along each color by
    random amounts: a result that has no entry of the color must stay, one that has an entry must move in proportion
    to it. That finds a missing entry with probability one. Rows that are nearly full are left out of the coloring and
    moved along random columns outside of them, which finds one with good chance. Calls f eight times for each color.

    Raises AssertionError naming an entry that the pattern lacks; SparsityError for a pattern of another shape.

    >>> import numpy as np
    >>> check_pattern(lambda x: x[1:] * x[:-1], (np.arange(1.0, 5.0),))
    """
    flat, found = _Flat(f, args, argnums), _pattern(f, args, argnums, pattern)
    rng = np.random.default_rng(_SEED)
    counts = np.bincount(found.rows, minlength=found.shape[0])
    full = counts == found.shape[1]
    dense = (counts * _NEAR_FULL > found.shape[1]) & (counts > 2 * np.median(np.append(counts, 0)) + 2) & ~full
    kept = ~(dense | full)
    inside = kept[found.rows]
    sparse = SparsityPattern(found.rows[inside], found.cols[inside], found.shape)
    for columns in _groups(sparse):
        steps = []
        for _ in range(2):
            t = np.zeros(flat.size)
            t[columns] = rng.uniform(0.5, 1.5, len(columns)) * rng.choice([-1.0, 1.0], len(columns))
            entry = np.zeros(found.shape[0])  # the step of the one entry that a row has, 0 where it has none
            mine = np.isin(sparse.cols, columns)
            entry[sparse.rows[mine]] = t[sparse.cols[mine]]
            steps.append((flat.difference(t, eps), entry))
        (first, a), (second, b) = steps
        scale = np.abs(first).max(initial=0.0) + np.abs(second).max(initial=0.0)
        moved = np.abs(first * b - second * a) > 1e-5 * scale
        moved |= (a == 0) & (np.abs(first) > 1e-5 * scale)
        for i in np.flatnonzero(moved & kept):
            _blame(flat, found, int(i), columns, eps)
    for i in np.flatnonzero(dense):
        _blame(flat, found, int(i), np.arange(flat.size), eps)


def _groups(pattern: SparsityPattern) -> Iterator[Any]:
    """The columns of each color; among the first also those without an entry."""
    colors = color_columns(pattern).colors
    for k in range(int(colors.max(initial=-1)) + 1):
        yield np.flatnonzero(colors == k)


def _blame(flat: _Flat, pattern: SparsityPattern, i: int, columns: Array, eps: float | None) -> None:
    """Find a column outside of a row's pattern that moves it, by halves; raise AssertionError naming it."""
    here = pattern.cols[pattern.indptr[i] : pattern.indptr[i + 1]]
    left, rng = np.setdiff1d(columns, here), np.random.default_rng(_SEED)

    def change(some: Array) -> float:
        t = np.zeros(flat.size)
        t[some] = rng.uniform(0.5, 1.5, len(some))
        value = flat.difference(t, eps)
        return float(value[i]) if abs(value[i]) > 1e-6 * np.abs(value).max(initial=0.0) else 0.0

    if not len(left) or not change(left):
        return
    while len(left) > 1:
        half = left[: len(left) // 2]
        left = half if change(half) else left[len(left) // 2 :]
    raise AssertionError(
        f"the pattern lacks entry ({i}, {int(left[0])}), where the Jacobian is about {change(left):.3g}"
    )


def check_spjacobian(
    f: Callable[..., Any],
    args: Sequence[Any],
    argnums: int = 0,
    *,
    method: str = "auto",
    pattern: Any = None,
    probes: int = 2,
    atol: float | None = None,
    rtol: float | None = None,
    eps: float | None = None,
) -> None:
    """Check that the sparse Jacobian of f at ``args`` is its derivative: by products with random vectors.

    ``J @ t`` is compared with the derivative of f along t by differences, and, more closely, with the jvp; ``c @ J``
    with the vjp. A wrong or missing entry changes them with probability one. ``method`` and ``pattern`` are those of
    `functrans.spjacobian`, ``probes`` is the number of vectors. Each costs four calls of f, a jvp and a vjp, whatever
    the size.

    Raises AssertionError naming a row (column) that differs, and an entry that the pattern lacks; what
    `functrans.spjacobian` raises.

    >>> import numpy as np
    >>> check_spjacobian(lambda x: np.sin(x[1:]) * x[:-1], (np.arange(1.0, 5.0),))
    """
    flat = _Flat(f, args, argnums)
    matrix = spjacobian(f, argnums, method=method, pattern=pattern, format="csr")(*args)
    rng = np.random.default_rng(_SEED)
    for _ in range(probes):
        t = rng.standard_normal(flat.size)
        size = abs(matrix) @ np.abs(t)
        product = matrix @ t
        tangents = jvp(flat.at, (args[argnums],), (flat.shaped(t),))[1]
        wanted = _joined(leaves_of(tangents))
        _missing(flat, matrix, product, wanted, size)
        _same(product, flat.difference(t, eps), size, "along a direction by differences, row", rtol, atol, 0.5)
        _same(product, wanted, size, "along a direction, row", rtol, atol, 0.75)
        out, pullback = vjp(flat.at, args[argnums])
        cotangents = [like(rng, y) for y in leaves_of(out)]  # zeros for ints and bools
        pulled = _joined(leaves_of(pullback(tree.flatten(out)[1].unflatten(cotangents))[0]))
        c = _joined(cotangents)
        size = np.abs(c) @ abs(matrix)
        _same(c @ matrix, pulled, size, "from the left, column", rtol, atol, 0.75)


def _missing(flat: _Flat, matrix: Any, product: Array, wanted: Array, size: Array) -> None:
    """Raise AssertionError naming an entry that is not in the matrix, where a row differs."""
    scale = size + np.abs(wanted)
    bad = np.flatnonzero(np.abs(product - wanted) > 1e-6 * scale)
    if not len(bad):
        return
    i = int(bad[0])
    out, pullback = vjp(flat.at, flat.args[flat.argnum])
    results, out_tree = tree.flatten(out)
    unit, start = [], 0
    for y in results:
        one = np.zeros(np.size(y), np.result_type(np.asarray(y).dtype, np.float32))
        if 0 <= i - start < one.size:
            one[i - start] = 1
        unit.append(one.reshape(np.shape(y)) if np.asarray(y).dtype.kind in "fc" else None)
        start += one.size
    row = _joined(leaves_of(pullback(out_tree.unflatten(unit))[0]))
    row[matrix.indices[matrix.indptr[i] : matrix.indptr[i + 1]]] = 0
    if row.any():
        j = int(np.argmax(np.abs(row)))
        raise AssertionError(f"the pattern lacks entry ({i}, {j}), where the Jacobian is {row[j]}")


def _same(
    got: Array, want: Array, size: Array, what: str, rtol: float | None, atol: float | None, power: float
) -> None:
    """Raise AssertionError where products differ, relative to the sum of the absolute terms."""
    near = tolerance(rtol, want.dtype, power)
    if got.shape != want.shape:
        raise AssertionError(f"Jacobian {what}s: {got.shape}, expected {want.shape}")
    bound = near * (size + np.abs(want)) + (near * np.abs(want).max(initial=0.0) if atol is None else atol)
    far = np.flatnonzero(~(np.abs(got - want) <= bound) & ~(np.isnan(got) & np.isnan(want)))
    if len(far):
        k = int(far[0])
        raise AssertionError(f"Jacobian {what} {k}: {got[k]}, expected {want[k]}, allowed {bound[k]:.3g}")
