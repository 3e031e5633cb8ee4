"""Every op of the table has a pattern, never too small, and values by terms: exact, or dense and announced."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from functrans import dtypes
from functrans.ops import GroupOp, Ops, UOp, source
from functrans.ops import build as B
from functrans.ops.interpret import interpret
from functrans.ops.opdef import TABLE
from functrans.transforms.forward import push_forward
from functrans.transforms.sparse.blocks import whole
from functrans.transforms.sparse.detection import _RULES, Dependence
from functrans.transforms.sparse.direct.direct import Direct
from functrans.transforms.sparse.direct.extraction import Limits
from functrans.transforms.sparse.pattern import SparsityPattern
from tests.ops.test_opdef_table import NOT_TENSOR, REFUSED, SAMPLES

Make = Callable[[UOp], UOp]
X = source.param((2, 3), dtypes.float64)
POINTS = np.random.default_rng(0).uniform(0.1, 0.9, (3, 2, 3))
# kinds of op of the tensor stage that no derivative passes through, or that are gone when a pattern is looked for
WITHOUT = {"source", "bracket", "framework", "ranged", "kernel"}


def known(*values: int) -> UOp:
    return source.buffer(np.array(values))


def computed(x: UOp, n: int) -> UOp:
    """Indices that the argument decides."""
    scaled = B.mul(B.reshape(x, (6,)), B.like(B.reshape(x, (6,)), 97.0))
    return B.alu(Ops.FLOORMOD, B.cast(scaled, dtypes.int64), B.like(B.cast(scaled, dtypes.int64), n))


def update(mode: str, at: Make) -> Make:
    def make(x: UOp) -> UOp:
        flat = B.reshape(x, (6,))
        base = B.cat((flat, B.mul(flat, flat)))
        return B.scatter(base, B.alu(Ops.SIN, flat), (at(x),), mode)

    return make


def sorted_(x: UOp) -> UOp:
    flat = B.reshape(x, (6,))
    return B.gather(flat, B.argsort(flat))


def batch(x: UOp) -> UOp:
    """Two systems, each of a row of x."""
    flat = B.broadcast(B.reshape(x, (2, 3, 1)), (2, 3, 3))
    eye = B.broadcast(source.buffer(np.eye(3) * 5), (2, 3, 3))
    return B.solve(B.add(flat, eye), B.reshape(x, (2, 3, 1)))


VARIANTS: dict[str, Make] = {
    **{f"{mode} at {name} places": update(mode, at) for mode in ("add", "set", "min", "max", "multiply")
       for name, at in {"known": lambda x: known(3, 0, 3, 8, 11, 2), "computed": lambda x: computed(x, 12)}.items()},
    **{f"running {op.name}": lambda x, op=op: UOp(Ops.CUMULATE, x.dtype, (B.mul(x, x),), (op, 1))
       for op in (Ops.ADD, Ops.MUL, Ops.MAX, Ops.MIN)},
    **{f"running {op.name} along the first axis": lambda x, op=op: UOp(Ops.CUMULATE, x.dtype, (x,), (op, 0))
       for op in (Ops.ADD, Ops.MUL, Ops.MAX, Ops.MIN)},
    **{f"{op.name} along axes": lambda x, op=op: B.reduce_axis(B.mul(x, x), op, (0,))
       for op in (Ops.ADD, Ops.MUL, Ops.MAX, Ops.MIN)},
    "sorted": sorted_,
    "computed gather": lambda x: B.gather(B.reshape(B.mul(x, x), (6,)), computed(x, 6)),
    "a batch of systems": batch,
    "a gather of lines": lambda x: B.gather(B.mul(x, x), known(1, 1, 0)),
}  # fmt: skip
CELLS: dict[str, Make] = {op.name: SAMPLES[op] for op in Ops if op in SAMPLES} | VARIANTS
# what is dense, and says so; everything else is exact
DENSE = {
    "CHOLESKY", "SLOGDET", "ADJUGATE", "ADJUGATE_ALONG", "EIGH", "SVD", "QR", "PINV", "FFT",
    "TRIANGULAR", "BANDED", "POSITIVE", "SPFACTOR", "SPSOLVE", "SPSLOGDET", "SPINVERSE",
    "sorted", "computed gather",
    *(f"{mode} at computed places" for mode in ("add", "set", "min", "max", "multiply")),
}  # fmt: skip
# whose derivative is zero wherever one looks: x - (x + 1), and the imaginary part of a real number
CANCELS = {"SUB", "IMAG"}


def differentiable(name: str) -> bool:
    node = CELLS[name](X)
    if not dtypes.is_inexact(node.dtype) or X not in node.toposort():
        return False
    return not any((u.op, "jvp") in REFUSED and getattr(u.arg, "partials", None) is None for u in node.toposort())


def jacobian(node: UOp, x: np.ndarray) -> np.ndarray:
    """Column by column, by the graph of the tangent."""
    columns = []
    for j in range(6):
        along = np.zeros((2, 3))
        along.reshape(-1)[j] = 1.0
        (t,) = push_forward([node], {X: source.buffer(along)})
        columns.append(np.zeros(node.size) if t is None else interpret([t], {X: x})[0].reshape(-1))
    return np.stack(columns, axis=1)


def by_differences(node: UOp, x: np.ndarray) -> np.ndarray:
    """Knows no derivative at all."""
    columns = []
    for j in range(6):
        step = np.zeros((2, 3))
        step.reshape(-1)[j] = 1e-6
        high, low = interpret([node], {X: x + step})[0], interpret([node], {X: x - step})[0]
        columns.append((high - low).reshape(-1) / 2e-6)
    return np.stack(columns, axis=1)


every_cell = pytest.mark.parametrize("name", [n for n in CELLS if differentiable(n)])


def test_no_cell_is_missing() -> None:
    """An op without a rule of detection would be dense: none of the tensor stage is left to that.

    Loops and branches have no rule: their bodies are walked.
    """
    for op in set(Ops) - NOT_TENSOR:
        assert TABLE[op].kind in set(_RULES) | WITHOUT | {"region"}, f"{op.name}: no rule for kind {TABLE[op].kind}"
    assert {op for op in Ops if TABLE[op].kind in WITHOUT and op in SAMPLES} <= GroupOp.Source | GroupOp.VMap | {
        Ops.NOOP
    }


@every_cell
def test_the_pattern_is_never_too_small_and_exact_where_it_says_so(name: str) -> None:
    node = CELLS[name](X)
    found = Dependence([node], [X])
    pattern = found.matrix.toarray()
    seen = np.zeros_like(pattern)
    for x in POINTS:
        seen |= jacobian(node, x) != 0
        if name != "DETACH":  # which is there to hide a derivative
            assert not (np.abs(by_differences(node, x)) > 1e-5)[~pattern].any()
    assert not seen[~pattern].any()
    assert (name in DENSE) == bool(found.notes), found.notes
    if any(word in name for word in ("MAX", "MIN", "max", "min")):  # at one point one argument decides
        for x in np.random.default_rng(1).uniform(0.1, 0.9, (25, 2, 3)):
            seen |= jacobian(node, x) != 0
    if name not in DENSE | CANCELS:
        np.testing.assert_array_equal(pattern, seen)


@every_cell
def test_values_by_terms(name: str) -> None:
    node = CELLS[name](X)
    matrix = Dependence([node], [X]).matrix
    rows = np.repeat(np.arange(node.size), np.diff(matrix.indptr))
    pattern = SparsityPattern(rows, matrix.indices, (node.size, 6))
    direct = Direct(whole([node]), [X], [pattern], node.dtype, Limits(10_000, 10_000, 10_000, 10_000))
    (values,) = direct.values()
    for x in POINTS:
        have = pattern.to_scipy(interpret([values], {X: x})[0]).toarray()
        np.testing.assert_allclose(have, jacobian(node, x), rtol=1e-12, atol=1e-13)
