"""Every construct that the seed document lists (sections 6.1 to 6.9), mapped over axis 0, 1 and the last.

Each is spelt as the seeds spell it, and beside it in NumPy; lanes are distinct random numbers, and the reference is a
Python loop. All constructs of a shape are compiled together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import Tensor
from functrans.ops import dtypes
from tests.laws.references import assert_close, loop

RNG = np.random.default_rng(6)
BATCH = 3
W, M, V = RNG.normal(size=(3, 4)), RNG.normal(size=(4, 5)), RNG.normal(size=6)
Construct = tuple[str, Callable[[Any], Any], Callable[[Any], Any]]

MATRIX: list[Construct] = [  # of a lane of shape (3, 4)
    # 6.1 elementwise
    ("product", lambda x: x * Tensor(W), lambda x: x * W),
    ("sum with an array", lambda x: x + W, lambda x: x + W),
    ("reflected", lambda x: 2 * x, lambda x: 2 * x),
    ("exp2", lambda x: x.exp2(), np.exp2),
    ("sqrt", lambda x: x.abs().sqrt(), lambda x: np.sqrt(np.abs(x))),
    ("log2", lambda x: (x * x + 1).log2(), lambda x: np.log2(x * x + 1)),
    ("sin", lambda x: x.sin(), np.sin),
    ("reciprocal", lambda x: x.reciprocal(), lambda x: 1 / x),
    ("where", lambda x: (x > 0.1).where(x, -2 * x), lambda x: np.where(x > 0.1, x, -2 * x)),
    ("where of arrays", lambda x: (x > 0).where(Tensor(W), 0.0), lambda x: np.where(x > 0, W, 0.0)),
    ("cast", lambda x: x.cast(dtypes.float16), lambda x: x.astype(np.float16)),
    ("cast to int", lambda x: (x * 4).cast(dtypes.int32), lambda x: (x * 4).astype(np.int32)),
    # 6.2 reductions
    ("sum of all", lambda x: x.sum(), lambda x: x.sum()),
    ("sum over 0", lambda x: x.sum(axis=0), lambda x: x.sum(axis=0)),
    ("sum over 1, kept", lambda x: x.sum(axis=1, keepdim=True), lambda x: x.sum(axis=1, keepdims=True)),
    ("mean", lambda x: x.mean(), lambda x: x.mean()),
    ("max", lambda x: x.max(), lambda x: x.max()),
    ("max over 1", lambda x: x.max(axis=1), lambda x: x.max(axis=1)),
    ("matmul", lambda x: x @ Tensor(M), lambda x: x @ M),
    ("matmul of itself", lambda x: x @ x.transpose(), lambda x: x @ x.T),
    ("row times matrix", lambda x: x[1] @ M, lambda x: x[1] @ M),
    ("dot", lambda x: x[0].dot(x[2]), lambda x: x[0] @ x[2]),
    ("softmax of a row", lambda x: (x - x.max()).exp() / (x - x.max()).exp().sum(),
     lambda x: np.exp(x - x.max()) / np.exp(x - x.max()).sum()),
    # 6.3 movement
    ("reshape", lambda x: x.reshape((2, 6)), lambda x: x.reshape(2, 6)),
    ("flatten", lambda x: x.flatten(), lambda x: x.reshape(-1)),
    ("transpose", lambda x: x.transpose(), lambda x: x.T),
    ("permute", lambda x: x.reshape((3, 2, 2)).permute((2, 0, 1)), lambda x: x.reshape(3, 2, 2).transpose(2, 0, 1)),
    ("expand", lambda x: x.sum(axis=1).unsqueeze(1).expand((3, 2)), lambda x: np.repeat(x.sum(axis=1)[:, None], 2, 1)),
    ("shrink", lambda x: x.shrink(((1, 3), (0, 2))), lambda x: x[1:3, 0:2]),
    ("slice", lambda x: x[1:3, 2:4], lambda x: x[1:3, 2:4]),
    ("pad", lambda x: x.pad(((1, 0), (0, 1))), lambda x: np.pad(x, ((1, 0), (0, 1)))),
    ("flip", lambda x: x.flip(0), lambda x: x[::-1]),
    ("unsqueeze", lambda x: x.unsqueeze(0), lambda x: x[None]),
    ("squeeze", lambda x: x[:1].squeeze(), lambda x: x[0]),
    ("contiguous", lambda x: x.permute((1, 0)).contiguous() * 2, lambda x: x.T * 2),
    # 6.4 stacking and concatenation
    ("stack", lambda x: Tensor.stack(x[0], x[2], 2 * x[1]), lambda x: np.stack([x[0], x[2], 2 * x[1]])),
    ("stack last", lambda x: Tensor.stack(x, x * x, dim=-1), lambda x: np.stack([x, x * x], -1)),
    ("cat", lambda x: Tensor.cat(x, Tensor(W), dim=0), lambda x: np.concatenate([x, W])),
    ("cat along 1", lambda x: Tensor.cat(Tensor(W)[:, 1:], x, dim=1), lambda x: np.concatenate([W[:, 1:], x], 1)),
]  # fmt: skip


def sums(x: Any) -> Any:
    return Tensor.stack(x[:2].sum(), x[2:].sum())


def plain_sums(x: Any) -> Any:
    return np.stack([x[:2].sum(), x[2:].sum()])


def columns(x: Any) -> Any:
    """Three directional derivatives of a function with reductions in it, stacked and flattened."""
    units = np.eye(6)[:3]
    pushed = [ft.jvp(lambda y: y * (y * y).sum() + y.max(), (x,), (Tensor(u),))[1] for u in units]
    return Tensor.stack(*pushed).flatten()


def plain_columns(x: Any) -> Any:
    rows = [u * (x * x).sum() + 2 * x * x[k] + (x.argmax() == k) for k, u in enumerate(np.eye(6)[:3])]
    return np.stack(rows).reshape(-1)


def picked(flat: Any, join: Callable[..., Any]) -> Any:
    return join([flat[i] for i in (0, 7, 14, 3, 17, 3)])


VECTOR: list[Construct] = [  # of a lane of shape (6,)
    # 6.4 and 6.5: values with several consumers, read again by index
    ("stack of reduces", sums, plain_sums),
    ("scalar index", lambda x: x[0], lambda x: x[0]),
    ("slice", lambda x: x[:3], lambda x: x[:3]),
    ("list", lambda x: (x * x)[[5, 0, 0]], lambda x: (x * x)[[5, 0, 0]]),
    ("Tensor", lambda x: x[Tensor([0, 1])], lambda x: x[[0, 1]]),
    ("list of reduces", lambda x: sums(x)[[0, 1]], plain_sums),
    ("list of reduces, swapped", lambda x: sums(x)[[1, 0, 1]], lambda x: plain_sums(x)[[1, 0, 1]]),
    ("Tensor of reduces", lambda x: sums(x)[Tensor([0, 1])], plain_sums),
    ("stack of scalars", lambda x: Tensor.stack(x[0], x[4], x[2]), lambda x: x[[0, 4, 2]]),
    ("stack of scalars of a sum", lambda x: Tensor.stack(*((x - x.sum())[i] for i in (0, 4, 2))),
     lambda x: (x - x.sum())[[0, 4, 2]]),
    ("index of an index", lambda x: sums(sums(x)[[1, 0]])[[0]], lambda x: plain_sums(plain_sums(x)[[1, 0]])[[0]]),
    ("computed index", lambda x: x[(x * 100).cast(dtypes.int64) % 6], lambda x: x[(x * 100).astype(np.int64) % 6]),
    ("place of the largest", lambda x: x[x.argmax()], lambda x: x[x.argmax()]),
    ("sums used three times", lambda x: sums(x)[[0, 1]] * sums(x)[1] - sums(x).sum(),
     lambda x: plain_sums(x) * plain_sums(x)[1] - plain_sums(x).sum()),
    # 6.9 the pattern of a sparse Jacobian
    ("flattened derivatives", columns, plain_columns),
    ("derivatives picked by scalars", lambda x: picked(columns(x), lambda s: Tensor.stack(*s)),
     lambda x: picked(plain_columns(x), np.stack)),
    ("derivatives picked by a list", lambda x: columns(x)[[0, 7, 14, 3]], lambda x: plain_columns(x)[[0, 7, 14, 3]]),
    ("picked, and whole", lambda x: columns(x)[[1, 2]] + columns(x).sum(),
     lambda x: plain_columns(x)[[1, 2]] + plain_columns(x).sum()),
    ("basis vectors", lambda x: picked_two(x), lambda x: np.stack([x[0], 0 * x[1]])),
]  # fmt: skip


def picked_two(x: Any) -> Any:
    """The function of the seeds' reproduction script."""
    flat = Tensor.stack(*(x[:3] * Tensor(v) for v in np.eye(3))).flatten()
    return Tensor.stack(flat[0], flat[1])


TABLES: dict[str, tuple[list[Construct], tuple[int, ...]]] = {"matrix": (MATRIX, (3, 4)), "vector": (VECTOR, (6,))}
_done: dict[tuple[str, int], tuple[Any, Any]] = {}


def everything(table: str, axis: int) -> tuple[Any, Any]:
    """The results of every construct of a table, and those of the loop; computed once."""
    constructs, shape = TABLES[table]
    if (table, axis) not in _done:
        x = np.moveaxis(RNG.normal(size=(BATCH, *shape)), 0, axis)
        got = ft.vmap(lambda lane: tuple(f(lane) for _, f, _ in constructs), in_axes=axis)(x)
        wanted = loop(lambda lane: tuple(f(lane) for _, _, f in constructs), [axis])(x)
        _done[table, axis] = got, wanted
    return _done[table, axis]


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("k", range(len(MATRIX)), ids=[c[0] for c in MATRIX])
def test_matrices(k: int, axis: int) -> None:
    got, wanted = everything("matrix", axis)
    assert_close(got[k], wanted[k], 1e-12)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("k", range(len(VECTOR)), ids=[c[0] for c in VECTOR])
def test_vectors(k: int, axis: int) -> None:
    got, wanted = everything("vector", axis)
    assert_close(got[k], wanted[k], 1e-12)


# 6.6 after the map

Y = RNG.normal(size=(3, 6, 3))
WEIGHTS, OTHER = RNG.normal(size=(2, 4)), RNG.normal(size=(2, 6, 2))


def body(x: Any) -> Any:
    """(6, 3) to (6, 2)."""
    return x[:, :2] * x.sum()


AFTER: list[Construct] = [
    ("reshape", lambda y: y.reshape(9, 4), lambda y: y.reshape(9, 4)),
    ("flatten", lambda y: y.flatten(), lambda y: y.reshape(-1)),
    ("transpose", lambda y: y.transpose(), lambda y: y.T),
    ("permute", lambda y: y.permute((1, 0, 2)), lambda y: y.transpose(1, 0, 2)),
    ("pad", lambda y: y.pad(((1, 1), (0, 0), (0, 2))), lambda y: np.pad(y, ((1, 1), (0, 0), (0, 2)))),
    ("flip", lambda y: y.flip(0), lambda y: y[::-1]),
    ("index", lambda y: y[2, 4], lambda y: y[2, 4]),
    ("slice", lambda y: y[1:3], lambda y: y[1:3]),
    ("list", lambda y: y[[2, 0, 2]], lambda y: y[[2, 0, 2]]),
    ("sum", lambda y: y.sum(), lambda y: y.sum()),
    ("sum over the map", lambda y: y.sum(0), lambda y: y.sum(0)),
    ("sum over an inner axis", lambda y: y.sum(1), lambda y: y.sum(1)),
    ("max over the map", lambda y: y.max(axis=0), lambda y: y.max(axis=0)),
    ("equal", lambda y: y == 0.0, lambda y: y == 0.0),
    ("greater", lambda y: y > 1.0, lambda y: y > 1.0),
    ("matmul", lambda y: y @ WEIGHTS, lambda y: y @ WEIGHTS),
    ("cat", lambda y: Tensor.cat(y, Tensor(OTHER), dim=0), lambda y: np.concatenate([y, OTHER])),
    ("against its own mean", lambda y: y - y.mean(0), lambda y: y - y.mean(0)),
    ("mapped again", ft.vmap(body, in_axes=1, out_axis=2), loop(body, [1], 2)),
]  # fmt: skip


@pytest.fixture(scope="module")
def after() -> tuple[Any, Any]:
    def everything(x: Any) -> Any:
        y = ft.vmap(body)(x)
        return tuple(f(y) for _, f, _ in AFTER)

    plain = loop(body, [0])(Y)
    return ft.jit(everything)(Y), tuple(f(plain) for _, _, f in AFTER)


@pytest.mark.parametrize("k", range(len(AFTER)), ids=[c[0] for c in AFTER])
def test_after_the_map(k: int, after: tuple[Any, Any]) -> None:
    assert_close(after[0][k], after[1][k], 1e-12)


# 6.7 and 6.8 nests, several inputs


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_nests(depth: int) -> None:
    """With reductions, and with a product of matrices; each level over another axis."""
    x = RNG.normal(size=(2, 3, 2, 3, 4, 4)[: depth + 2])

    def f(m: Any) -> Any:
        return (m - m.sum()) @ m.T, m.max(axis=0)

    mapped, plain = f, f
    for level in range(depth):
        mapped, plain = ft.vmap(mapped, in_axes=level), loop(plain, [level])
    for got, wanted in zip(mapped(x), plain(x), strict=True):
        assert_close(got, wanted)


@pytest.mark.parametrize("axes", [(0, 0, 0), (1, 0, 2), (0, None, None), (None, 0, 1), (2, None, 0)])
def test_several_inputs(axes: tuple[int | None, ...]) -> None:
    def f(a: Any, b: Any, c: Any) -> Any:
        return (a * b[: a.shape[0], None]).sum(axis=0) + c[0, :1]

    lanes = [(4, 2), (4,), (2, 2)]
    args = [RNG.normal(size=s if a is None else (*s[:a], 3, *s[a:])) for s, a in zip(lanes, axes, strict=True)]
    assert_close(ft.vmap(f, in_axes=axes)(*args), loop(f, axes)(*args))
