"""Products summed over axes: every one is expand, multiply, and a sum over the last axes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from functrans import dtypes
from functrans.errors import AxisError, ShapeError, at_user_line
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.tensor.elementwise import call
from functrans.tensor.lift import broadcast_shape, lift, nodes_of, result_dtype
from functrans.tensor.reduce import fold, normal_axis, sum_
from functrans.tensor.shape import integer, moveaxis, sizes

Labels = Sequence[Hashable]


def summed_product(a: UOp, b: UOp, count: int) -> UOp:
    """The sum over the last `count` axes of a times b, which broadcast and have one dtype."""
    shape = broadcast_shape([a.sized, b.sized], "operands of a product")
    out = a.dtype
    if out == dtypes.float16:  # products and sums of float16 are taken in float32
        a, b = B.cast(a, dtypes.float32), B.cast(b, dtypes.float32)
    a, b = B.broadcast(a, shape), B.broadcast(b, shape)
    last = tuple(range(len(shape) - count, len(shape)))
    if out.kind == "b":
        return fold(B.alu(Ops.AND, a, b), Ops.OR, last, False)
    return B.cast(fold(B.mul(a, b), Ops.ADD, last, 0), out)


def contract(a: UOp, la: Labels, b: UOp, lb: Labels, out: Labels) -> UOp:
    """The product of arrays whose axes have labels, summed over the labels that the result lacks."""
    a, la = _without(a, la, {*lb, *out})
    b, lb = _without(b, lb, {*la, *out})
    summed = [k for k in la if k not in out]
    order = [*out, *summed]
    return summed_product(_laid(a, la, order), _laid(b, lb, order), len(summed))


def _without(x: UOp, labels: Labels, needed: set[Hashable]) -> tuple[UOp, Labels]:
    # what only this operand has is summed first
    drop = tuple(i for i, k in enumerate(labels) if k not in needed)
    if not drop:
        return x, labels
    total = sum_(x, drop, x.dtype.numpy) if x.dtype.kind != "b" else fold(x, Ops.OR, drop, False)
    return total, [k for k in labels if k in needed]


def _laid(x: UOp, labels: Labels, order: Labels) -> UOp:
    """X with its axes in an order of labels, size 1 where it lacks one."""
    place = {k: i for i, k in enumerate(labels)}
    moved = B.permute(x, tuple(place[k] for k in order if k in place))
    return B.reshape(moved, tuple(x.sized[place[k]] if k in place else 1 for k in order))


def operands(*args: Any) -> list[UOp]:
    """Operands in their common dtype."""
    nodes = nodes_of(*args)
    dtype = result_dtype(nodes)
    return [B.cast(x, dtype) for x in nodes]


def matmul(x: Any, y: Any) -> UOp:
    """NumPy's ``@``: the last axis of x with the one before last of y, the axes before broadcast."""
    a, b = operands(x, y)
    if not a.ndim or not b.ndim:
        raise ShapeError(
            f"matmul of shapes {a.shape} and {b.shape}{at_user_line()}: an operand without axes; use * for scaling"
        )
    shapes = f"{a.shape} and {b.shape}"
    left = a if a.ndim > 1 else B.reshape(a, (1, *a.sized))
    right = b if b.ndim > 1 else B.reshape(b, (*b.sized, 1))
    if left.sized[-1] != right.sized[-2]:
        raise ShapeError(
            f"matmul of shapes {shapes}{at_user_line()}: the last axis of the first has size {left.sized[-1]}, "
            f"the axis of the second that it meets {right.sized[-2]}"
        )
    broadcast_shape([left.sized[:-2], right.sized[:-2]], f"matmul of shapes {shapes}")
    left = B.reshape(left, (*left.sized[:-1], 1, left.sized[-1]))
    right = B.permute(right, (*range(right.ndim - 2), right.ndim - 1, right.ndim - 2))
    right = B.reshape(right, (*right.sized[:-2], 1, *right.sized[-2:]))
    out = summed_product(left, right, 1)
    shape = list(out.sized)
    if b.ndim == 1:
        del shape[-1]
    if a.ndim == 1:
        del shape[len(shape) - (1 if b.ndim == 1 else 2)]
    return B.reshape(out, tuple(shape))


def dot(x: Any, y: Any) -> UOp:
    """NumPy's dot: the last axis of x with the one before last (the only one) of y."""
    a, b = operands(x, y)
    if not a.ndim or not b.ndim:
        return call(np.multiply, a, b)
    return tensordot(a, b, ([a.ndim - 1], [max(b.ndim - 2, 0)]), "dot")


def inner(x: Any, y: Any) -> UOp:
    """The last axes with each other."""
    a, b = operands(x, y)
    if not a.ndim or not b.ndim:
        return call(np.multiply, a, b)
    return tensordot(a, b, ([a.ndim - 1], [b.ndim - 1]), "inner")


def tensordot(x: Any, y: Any, axes: Any = 2, name: str = "tensordot") -> UOp:
    """The sum over pairs of axes: the last `axes` with the first, or the axes of two lists."""
    a, b = operands(x, y)
    if isinstance(axes, (tuple, list)):
        if len(axes) != 2:
            raise ShapeError(f"{name}: axes is {axes!r}{at_user_line()}; expected a number or a pair of lists")
        first, second = ([normal_axis(k, u.ndim) for k in sizes(g, "axes")] for g, u in zip(axes, (a, b), strict=True))
    else:
        count = integer(axes, "axes")
        if not 0 <= count <= min(a.ndim, b.ndim):
            raise AxisError(f"{name}: {count} axes of shapes {a.shape} and {b.shape}{at_user_line()}")
        first, second = list(range(a.ndim - count, a.ndim)), list(range(count))
    pairs = list(zip(first, second, strict=False))
    if len(first) != len(second) or any(a.sized[i] != b.sized[j] for i, j in pairs):
        raise ShapeError(
            f"{name}: shapes {a.shape} and {b.shape} are not aligned{at_user_line()}: "
            f"axes {first} of the first meet axes {second} of the second"
        )
    la: list[Hashable] = [("a", i) for i in range(a.ndim)]
    lb: list[Hashable] = [("b", i) for i in range(b.ndim)]
    for i, j in pairs:
        lb[j] = la[i]
    kept = [k for i, k in enumerate(la) if i not in first] + [k for j, k in enumerate(lb) if j not in second]
    return contract(a, la, b, lb, kept)


def vecdot(x: Any, y: Any, axis: Any = -1) -> UOp:
    """The sum over one axis of conj(x) y, the other axes broadcast."""
    a, b = (moveaxis(u, normal_axis(axis, u.ndim), u.ndim - 1) for u in operands(x, y))
    if a.sized[-1] != b.sized[-1]:
        raise ShapeError(f"vecdot of shapes {lift(x).shape} and {lift(y).shape}, axis {axis}{at_user_line()}")
    return summed_product(conjugated(a), b, 1)


def matvec(x: Any, y: Any) -> UOp:
    """The products of matrices in the last two axes of x and vectors in the last axis of y, mapped."""
    a, v = _matrix_and_vector("matvec", x, y, -1)
    product = matmul(a, B.reshape(v, (*v.sized, 1)))
    return B.reshape(product, product.sized[:-1])


def vecmat(x: Any, y: Any) -> UOp:
    """The products of vectors in the last axis of x, conjugated, and matrices in the last two axes of y."""
    a, v = _matrix_and_vector("vecmat", y, x, -2)
    product = matmul(conjugated(B.reshape(v, (*v.sized[:-1], 1, v.sized[-1]))), a)
    return B.reshape(product, (*product.sized[:-2], product.sized[-1]))


def _matrix_and_vector(name: str, matrix: Any, vector: Any, axis: int) -> tuple[UOp, UOp]:
    a, v = lift(matrix), lift(vector)
    if a.ndim < 2 or v.ndim < 1 or a.sized[axis] != v.sized[-1]:
        raise ShapeError(
            f"{name} of matrices of shape {a.shape} and vectors of shape {v.shape}{at_user_line()}; expected vectors "
            f"as long as axis {axis} of the matrices"
        )
    return a, v


def conjugated(x: UOp) -> UOp:
    """The complex conjugate; x itself where it is real."""
    return call(np.conjugate, x) if x.dtype.kind == "c" else x


def vdot(x: Any, y: Any) -> UOp:
    """The sum of conj(x) y over all elements, both flattened."""
    a, b = operands(x, y)
    if a.size != b.size:
        raise ShapeError(f"vdot of shapes {a.shape} and {b.shape}{at_user_line()}; expected as many elements")
    return summed_product(B.reshape(conjugated(a), (a.size,)), B.reshape(b, (b.size,)), 1)


def outer(x: Any, y: Any) -> UOp:
    """Every element of x times every element of y, both flattened."""
    a, b = lift(x), lift(y)
    return call(np.multiply, B.reshape(a, (a.size, 1)), B.reshape(b, (1, b.size)))


def kron(x: Any, y: Any) -> UOp:
    """The Kronecker product: each element of x times the whole of y."""
    a, b = operands(x, y)
    ndim = max(a.ndim, b.ndim)
    sa, sb = ((1,) * (ndim - u.ndim) + u.sized for u in (a, b))
    left = B.reshape(a, tuple(d for n in sa for d in (n, 1)))
    right = B.reshape(b, tuple(d for n in sb for d in (1, n)))
    return B.reshape(call(np.multiply, left, right), tuple(m * n for m, n in zip(sa, sb, strict=True)))


def cross(x: Any, y: Any, axisa: Any = -1, axisb: Any = -1, axisc: Any = -1, axis: Any = None) -> UOp:
    """The vector product of vectors of three elements along an axis."""
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = operands(x, y)
    given = f"{a.shape} and {b.shape}"
    a, b = (moveaxis(u, normal_axis(k, u.ndim), u.ndim - 1) for u, k in ((a, axisa), (b, axisb)))
    if a.sized[-1] != 3 or b.sized[-1] != 3:
        raise ShapeError(
            f"cross of shapes {given}{at_user_line()}; expected vectors of 3 elements along the axis; "
            "for 2 write a[0] * b[1] - a[1] * b[0]"
        )
    (ax, ay, az), (bx, by, bz) = ([_element(u, i) for i in range(3)] for u in (a, b))

    def minor(p: UOp, q: UOp, r: UOp, s: UOp) -> UOp:
        return call(np.subtract, call(np.multiply, p, q), call(np.multiply, r, s))

    parts = (minor(ay, bz, az, by), minor(az, bx, ax, bz), minor(ax, by, ay, bx))
    return B.stack(parts, normal_axis(axisc, parts[0].ndim + 1))


def _element(x: UOp, i: int) -> UOp:
    bounds = (*((0, n) for n in x.sized[:-1]), (i, i + 1))
    return B.reshape(B.shrink(x, bounds), x.sized[:-1])
