"""Every construct that the seed documents list: sections 6.1 to 6.9 of the first, the op tables of the second.

Each is spelt as the seeds spell it, and beside it in NumPy. A table holds the constructs of lanes of given shapes;
all of a table are compiled together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import functrans as ft
from functrans import Tensor
from functrans.ops import dtypes
from functrans.testing.updates import at

RNG = np.random.default_rng(6)
W, M = RNG.normal(size=(3, 4)), RNG.normal(size=(4, 5))
C = RNG.normal(size=(2, 3, 4))
Construct = tuple[str, Callable[..., Any], Callable[..., Any]]

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


def softmax(x: Any) -> Any:
    """Over all axes."""
    e = np.exp(x - x.max())
    return e / e.sum()


def layernorm(x: Any) -> Any:
    """Over the last axis."""
    return (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5)


def bits(x: Any) -> Any:
    return np.ascontiguousarray(x).view(np.int64)


def ranks(x: Any) -> Any:
    return (x * 10).cast(dtypes.int64) if isinstance(x, Tensor) else (x * 10).astype(np.int64)


CUBE: list[Construct] = [  # of a lane of shape (2, 3, 4)
    # the supported ops of the rewriting formulation
    ("NEG", lambda x: -x, lambda x: -x),
    ("SIN", lambda x: x.sin(), np.sin),
    ("LOG2", lambda x: x.abs().log2(), lambda x: np.log2(np.abs(x))),
    ("EXP2", lambda x: x.exp2(), np.exp2),
    ("SQRT", lambda x: x.sqrt(), lambda x: np.sqrt(x)),  # NaN of what is negative
    ("RECIPROCAL", lambda x: x.reciprocal(), lambda x: 1 / x),
    ("CAST", lambda x: x.cast(dtypes.float32), lambda x: x.astype(np.float32)),
    ("BITCAST", lambda x: x.bitcast(dtypes.int64), bits),
    ("ADD", lambda x: x + x[0], lambda x: x + x[0]),
    ("SUB", lambda x: x - C, lambda x: x - C),
    ("MUL", lambda x: x * x[:, :1], lambda x: x * x[:, :1]),
    ("MAX", lambda x: np.maximum(x, x[1, 1]), lambda x: np.maximum(x, x[1, 1])),
    ("POW", lambda x: x.abs() ** x, lambda x: np.abs(x) ** x),
    ("CMPLT", lambda x: x < x[0, 0], lambda x: x < x[0, 0]),
    ("CMPNE", lambda x: ranks(x) != ranks(C), lambda x: ranks(x) != ranks(C)),
    ("CMPEQ", lambda x: ranks(x) == ranks(x)[0], lambda x: ranks(x) == ranks(x)[0]),
    ("WHERE", lambda x: (x > C).where(x, C), lambda x: np.where(x > C, x, C)),
    ("RESHAPE", lambda x: x.reshape((4, 6)), lambda x: x.reshape(4, 6)),
    ("PERMUTE", lambda x: x.permute((2, 0, 1)), lambda x: x.transpose(2, 0, 1)),
    ("EXPAND", lambda x: x[:, :1].expand((2, 5, 4)), lambda x: np.repeat(x[:, :1], 5, 1)),
    ("PAD", lambda x: x.pad(((0, 1), (2, 0), (1, 1))), lambda x: np.pad(x, ((0, 1), (2, 0), (1, 1)))),
    ("SHRINK", lambda x: x.shrink(((1, 2), (0, 2), (1, 4))), lambda x: x[1:2, 0:2, 1:4]),
    ("FLIP", lambda x: x.flip((0, 2)), lambda x: x[::-1, :, ::-1]),
    ("CONTIGUOUS", lambda x: x.permute((2, 1, 0)).contiguous().sum(axis=0), lambda x: x.T.sum(axis=0)),
    ("CONTIGUOUS_BACKWARD", lambda x: (2 * x).contiguous_backward(), lambda x: 2 * x),
    ("REDUCE_AXIS of ADD", lambda x: x.sum(axis=(0, 2)), lambda x: x.sum(axis=(0, 2))),
    ("REDUCE_AXIS of MAX", lambda x: x.max(axis=1), lambda x: x.max(axis=1)),
    ("REDUCE_AXIS of MUL", lambda x: x.prod(axis=2), lambda x: x.prod(axis=2)),
    ("REDUCE_AXIS of MIN", lambda x: x.min(axis=(1, 2)), lambda x: x.min(axis=(1, 2))),
    ("REDUCE_AXIS of bools", lambda x: np.stack([(x > 0).all(axis=2), (x > 1).any(axis=2)]),
     lambda x: np.stack([(x > 0).all(axis=2), (x > 1).any(axis=2)])),
    # what that formulation did not have: indexing, gather, scatter, DETACH
    ("index", lambda x: x[1, :, -2], lambda x: x[1, :, -2]),
    ("gather", lambda x: x[:, [2, 0, 2], [1, 1, -1]], lambda x: x[:, [2, 0, 2], [1, 1, -1]]),
    ("gather at computed places", lambda x: x[1][x[0].argmax(axis=1)],
     lambda x: x[1][np.minimum(x[0].argmax(axis=1), 2)]),
    ("gather from a captured array", lambda x: Tensor(C)[x[:, 0].argmax(axis=0)],
     lambda x: C[x[:, 0].argmax(axis=0)]),
    ("take along an axis", lambda x: np.take_along_axis(x, x.argsort(axis=1), 1),
     lambda x: np.take_along_axis(x, x.argsort(axis=1), 1)),
    ("scatter set", lambda x: x.at[:, [0, 2, 0]].set(x[:, ::-1] * 2),
     lambda x: at(x, (slice(None), [0, 2, 0]), "set", x[:, ::-1] * 2)),
    ("scatter add", lambda x: x.at[..., [3, 0, 3]].add(x[..., 1:]),
     lambda x: at(x, (..., [3, 0, 3]), "add", x[..., 1:])),
    ("scatter multiply, captured base", lambda x: Tensor(C).at[[1, 0, 1]].multiply(x[[0, 1, 0]]),
     lambda x: at(C, [1, 0, 1], "multiply", x[[0, 1, 0]])),
    ("scatter max at computed places", lambda x: x.at[x[:, 0, 0].argsort(axis=0)].max(C),
     lambda x: at(x, x[:, 0, 0].argsort(axis=0), "max", C)),
    ("scatter min of a scalar", lambda x: x.at[0, 1].min(x.sum()), lambda x: at(x, (0, 1), "min", x.sum())),
    ("scatter into zeros", lambda x: Tensor(np.zeros(5)).at[[4, 1, 4]].add(x[0, :, 2]),
     lambda x: at(np.zeros(5), [4, 1, 4], "add", x[0, :, 2])),
    ("DETACH", lambda x: x.detach() * x, lambda x: x * x),
    # what was added since: order, running reductions, what is made of several ops
    ("sort", lambda x: np.sort(x, axis=1), lambda x: np.sort(x, axis=1)),
    ("argsort", lambda x: np.argsort(x, axis=0), lambda x: np.argsort(x, axis=0, kind="stable")),
    ("cumsum", lambda x: np.cumsum(x, axis=1), lambda x: np.cumsum(x, axis=1)),
    ("cumprod", lambda x: np.cumprod(x, axis=2), lambda x: np.cumprod(x, axis=2)),
    ("argmax", lambda x: x.argmax(axis=2), lambda x: x.argmax(axis=2)),
    ("softmax", softmax, softmax),
    ("layernorm", layernorm, layernorm),
    ("var", lambda x: x.var(axis=1), lambda x: x.var(axis=1)),
    ("x times its own sum", lambda x: x * x.sum(), lambda x: x * x.sum()),
    ("median", lambda x: np.median(x, axis=2), lambda x: np.median(x, axis=2)),
    ("complex", lambda x: np.sum((x + 1j * x[::-1]) * C, axis=2), lambda x: np.sum((x + 1j * x[::-1]) * C, axis=2)),
    ("integers", lambda x: (ranks(x) // 3).sum(axis=0) % 4, lambda x: (ranks(x) // 3).sum(axis=0) % 4),
    ("no batch", lambda x: Tensor(C).sum(axis=0), lambda x: C.sum(axis=0)),
    ("no elements", lambda x: x[:, 3:].sum(axis=1), lambda x: x[:, 3:].sum(axis=1)),
]  # fmt: skip


SEVERAL: list[Construct] = [  # of lanes of shape (2, 3, 4), (4, 4) and integers (5,)
    ("sum", lambda a, b, i: a[:, :2] + b[:2], lambda a, b, i: a[:, :2] + b[:2]),
    ("where", lambda a, b, i: (b > 0).where(b, a[0, 0]), lambda a, b, i: np.where(b > 0, b, a[0, 0])),
    ("matmul", lambda a, b, i: a @ b, lambda a, b, i: a @ b),
    ("dot of rows", lambda a, b, i: a[1] @ b[2], lambda a, b, i: a[1] @ b[2]),
    ("cat", lambda a, b, i: Tensor.cat(a[0], b, dim=0), lambda a, b, i: np.concatenate([a[0], b])),
    ("stack", lambda a, b, i: Tensor.stack(a[1], b[1:], dim=1), lambda a, b, i: np.stack([a[1], b[1:]], 1)),
    ("gather", lambda a, b, i: b[i], lambda a, b, i: b[i]),
    ("gather of two axes", lambda a, b, i: a[:, i % 3, (i + 1) % 4], lambda a, b, i: a[:, i % 3, (i + 1) % 4]),
    ("gather of a sum", lambda a, b, i: (b + b.sum())[1:][i % 3], lambda a, b, i: (b + b.sum())[1:][i % 3]),
    ("set", lambda a, b, i: b.at[i].set(a[0, 0] * 2), lambda a, b, i: at(b, i, "set", a[0, 0] * 2)),
    ("add of rows", lambda a, b, i: b.at[i].add(b[i]), lambda a, b, i: at(b, i, "add", b[i])),
    ("max at an inner axis", lambda a, b, i: a.at[:, i % 3].max(b[0]),
     lambda a, b, i: at(a, (slice(None), i % 3), "max", b[0])),
    ("counts", lambda a, b, i: Tensor(np.zeros(4)).at[i].add(1.0), lambda a, b, i: at(np.zeros(4), i, "add", 1.0)),
    ("sort by another", lambda a, b, i: a[0][b[0, :3].argsort()], lambda a, b, i: a[0][b[0, :3].argsort()]),
    ("integers", lambda a, b, i: i * i - i[::-1], lambda a, b, i: i * i - i[::-1]),
    ("power", lambda a, b, i: b.abs() ** i[:4], lambda a, b, i: np.abs(b) ** i[:4]),
    ("running", lambda a, b, i: np.cumsum(a[1, :, 0])[:, None] * b[0],
     lambda a, b, i: np.cumsum(a[1, :, 0])[:, None] * b[0]),
    ("derivative", lambda a, b, i: ft.jvp(lambda x: softmax(x) @ b[0], (a[0],), (a[1],))[1],
     lambda a, b, i: (softmax(a[0]) * (a[1] - (softmax(a[0]) * a[1]).sum())) @ b[0]),
]  # fmt: skip

Y_SHAPE = (3, 6, 3)
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
]  # fmt: skip


class Table(NamedTuple):
    """Constructs of lanes of the given shapes; integers where a shape is marked so."""

    constructs: list[Construct]
    lanes: tuple[tuple[int, ...], ...]
    in_axes: tuple[tuple[int | None, ...], ...]
    integers: frozenset[int] = frozenset()


FRONT_MIDDLE_LAST: tuple[tuple[int | None, ...], ...] = ((0,), (1,), (-1,))
TABLES: dict[str, Table] = {
    "matrix": Table(MATRIX, ((3, 4),), FRONT_MIDDLE_LAST),
    "vector": Table(VECTOR, ((6,),), ((0,), (-1,))),
    "cube": Table(CUBE, ((2, 3, 4),), FRONT_MIDDLE_LAST),
    "several": Table(
        SEVERAL, ((2, 3, 4), (4, 4), (5,)), ((0, 0, 0), (1, None, 0), (None, -1, 1), (-1, 1, None), (None, None, -1)),
        frozenset({2}),
    ),
}  # fmt: skip
