"""Constructors of tensor-stage nodes: dtypes inferred, trivial cases folded, shapes required to be equal."""

from __future__ import annotations

from functrans import dtypes
from functrans.dtypes import DType
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.uop import Shape, UOp

Number = bool | int | float | complex


def full(shape: Shape, dtype: DType, value: Number) -> UOp:
    """An array of one constant."""
    return broadcast(UOp.const(dtype, value), shape)


def like(x: UOp, value: Number) -> UOp:
    """A constant of the shape and dtype of x."""
    return full(x.sized, x.dtype, value)


def const_value(x: UOp) -> Number | None:
    """The value of an array that is one constant, seen through reshapes and expands; else None."""
    while x.op in (Ops.RESHAPE, Ops.EXPAND):
        x = x.src[0]
    return x.arg if x.op is Ops.CONST else None


def alu(op: Ops, *src: UOp) -> UOp:
    """An elementwise node; comparisons give bool, the rest the dtype of the last source."""
    return UOp(op, dtypes.bool_ if op in GroupOp.Compare else src[-1].dtype, src)


def _is(x: UOp, value: Number) -> bool:
    v = const_value(x)
    return v is not None and v == value


def add(a: UOp, b: UOp) -> UOp:
    """a + b."""
    return alu(Ops.ADD, a, b)


def sub(a: UOp, b: UOp) -> UOp:
    """a - b."""
    return alu(Ops.SUB, a, b)


def mul(a: UOp, b: UOp) -> UOp:
    """a * b; a factor of one is dropped (exact for every value)."""
    if _is(a, 1):
        return b
    if _is(b, 1):
        return a
    if _is(a, -1):
        return neg(b)
    if _is(b, -1):
        return neg(a)
    return alu(Ops.MUL, a, b)


def div(a: UOp, b: UOp) -> UOp:
    """a / b."""
    return a if _is(b, 1) else alu(Ops.FDIV, a, b)


def neg(a: UOp) -> UOp:
    """-a."""
    return a.src[0] if a.op is Ops.NEG else alu(Ops.NEG, a)


def recip(a: UOp) -> UOp:
    """1 / a."""
    return alu(Ops.RECIP, a)


def neutral(dtype: DType) -> Number:
    """What added to any number gives back that number, bit for bit: of floating-point zeros the negative one."""
    return complex(-0.0, -0.0) if dtype.kind == "c" else -0.0 if dtype.kind == "f" else 0


def where(c: UOp, a: UOp, b: UOp) -> UOp:
    """A where c, else b; nothing of the unselected value gets through."""
    return a if a is b else UOp(Ops.WHERE, a.dtype, (c, a, b))


def lt(a: UOp, b: UOp) -> UOp:
    """a < b."""
    return alu(Ops.CMPLT, a, b)


def eq(a: UOp, b: UOp) -> UOp:
    """a == b."""
    return alu(Ops.CMPEQ, a, b)


def cast(x: UOp, dtype: DType) -> UOp:
    """The values of x in another dtype."""
    return x if x.dtype == dtype else UOp(Ops.CAST, dtype, (x,))


def reshape(x: UOp, shape: Shape) -> UOp:
    """The elements of x in C order under another shape."""
    if x.op is Ops.RESHAPE:
        x = x.src[0]
    return x if x.shape == shape else UOp(Ops.RESHAPE, x.dtype, (x,), shape)


def permute(x: UOp, axes: tuple[int, ...]) -> UOp:
    """Axis i of the result is axis axes[i] of x."""
    if x.op is Ops.PERMUTE:
        x, axes = x.src[0], tuple(x.arg[a] for a in axes)
    return x if axes == tuple(range(len(axes))) else UOp(Ops.PERMUTE, x.dtype, (x,), axes)


def expand(x: UOp, shape: Shape) -> UOp:
    """Axes of size one repeated to the given sizes."""
    if x.op is Ops.EXPAND and x.shape != shape:
        x = x.src[0]
    return x if x.shape == shape else UOp(Ops.EXPAND, x.dtype, (x,), shape)


def pad(x: UOp, widths: tuple[tuple[int, int], ...]) -> UOp:
    """Zeros before and after along each axis."""
    return x if not any(a or b for a, b in widths) else UOp(Ops.PAD, x.dtype, (x,), widths)


def shrink(x: UOp, bounds: tuple[tuple[int, int], ...]) -> UOp:
    """The window [start, stop) along each axis."""
    if all(b == (0, d) for b, d in zip(bounds, x.sized, strict=True)):
        return x
    return UOp(Ops.SHRINK, x.dtype, (x,), bounds)


def flip(x: UOp, axes: tuple[bool, ...]) -> UOp:
    """Reversed along the marked axes."""
    return UOp(Ops.FLIP, x.dtype, (x,), axes) if any(axes) else x


def broadcast(x: UOp, shape: Shape) -> UOp:
    """X under NumPy's broadcasting to a shape it is compatible with."""
    if x.shape == shape:
        return x
    return expand(reshape(x, (1,) * (len(shape) - x.ndim) + x.sized), shape)


def reduce_axis(x: UOp, op: Ops, axes: tuple[int, ...]) -> UOp:
    """The reduction over the axes, which disappear."""
    return UOp(Ops.REDUCE_AXIS, x.dtype, (x,), (op, tuple(sorted(axes)))) if axes else x


def argsort(x: UOp) -> UOp:
    """The positions along the last axis, in ascending order of their elements, as int64."""
    return UOp(Ops.ARGSORT, dtypes.int64, (x,))


def solve(a: UOp, b: UOp, arg: str | None = None) -> UOp:
    """X of a x = b, matrices in the last two axes, the axes in front alike; ``arg`` as `functrans.ops.linalg.QUIET`."""
    return UOp(Ops.SOLVE, a.dtype, (a, b), arg)


def triangular(t: UOp, b: UOp, lower: bool, unit: bool = False) -> UOp:
    """The solutions x of t x = b, of t the lower or the upper triangle."""
    return UOp(Ops.TRIANGULAR, t.dtype, (t, b), (lower, unit))


def det(a: UOp) -> UOp:
    """The determinants of the matrices in the last two axes."""
    return UOp(Ops.DET, a.dtype, (a,))


def adjugate(a: UOp) -> UOp:
    """The transposed cofactors of the matrices in the last two axes."""
    return UOp(Ops.ADJUGATE, a.dtype, (a,))


def adjugate_along(a: UOp, e: UOp) -> UOp:
    """The derivative of the adjugate of a along e, matrices in the last two axes."""
    return UOp(Ops.ADJUGATE_ALONG, a.dtype, (a, e))


def eigh(a: UOp, part: int) -> UOp:
    """The eigenvalues (0) or eigenvectors (1) of the Hermitian matrices in the last two axes."""
    return UOp(Ops.EIGH, dtypes.real_of(a.dtype) if part == 0 else a.dtype, (a,), part)


def svd(a: UOp, part: int) -> UOp:
    """A factor of the singular value decomposition of the matrices in the last two axes: u, s or vh."""
    return UOp(Ops.SVD, dtypes.real_of(a.dtype) if part == 1 else a.dtype, (a,), part)


def qr(a: UOp, part: int) -> UOp:
    """Of the reduced factors of the matrices in the last two axes q (0) or r (1)."""
    return UOp(Ops.QR, a.dtype, (a,), part)


def pinv(a: UOp, cutoff: float) -> UOp:
    """The pseudo-inverse; singular values up to cutoff times the largest count as zero."""
    return UOp(Ops.PINV, a.dtype, (a,), cutoff)


def stack(xs: tuple[UOp, ...], axis: int = 0) -> UOp:
    """Equal shapes joined along a new axis."""
    return UOp(Ops.STACK, xs[0].dtype, xs, axis)


def cat(xs: tuple[UOp, ...], axis: int = 0) -> UOp:
    """Joined along an axis all have."""
    return xs[0] if len(xs) == 1 else UOp(Ops.CAT, xs[0].dtype, xs, axis)


def gather(x: UOp, *indices: UOp) -> UOp:
    """x[i0, i1, ...] along the leading axes; each index (int64, all of one shape) is clamped into range."""
    return UOp(Ops.INDEX, x.dtype, (x, *indices))


def inside(index: UOp, n: int) -> UOp:
    """The index, of which whoever writes this knows that 0 <= index < n: nothing checks it."""
    return UOp(Ops.NOOP, index.dtype, (index,), n)


def is_inside(index: UOp, n: int) -> bool:
    """Whether an index is known to be in range of an axis of size n."""
    return is_marked(index) and index.arg <= n


def is_marked(index: UOp) -> bool:
    """Whether a node says of an index that it is inside of something, as `inside` makes it."""
    return index.op is Ops.NOOP and type(index.arg) is int


def scatter(base: UOp, value: UOp, indices: tuple[UOp, ...], mode: str) -> UOp:
    """Base with value written at the indices of its leading axes, in order; out of range is dropped."""
    return UOp(Ops.SCATTER, base.dtype, (base, value, *indices), mode)


def iota(n: int, dtype: DType = dtypes.int64) -> UOp:
    """0, 1, ..., n - 1."""
    return UOp(Ops.IOTA, dtype, (), n)
