"""Methods of Tensor: those of ndarray as NumPy's, the graph's own spellings as they say."""

import numpy as np
import pytest

import functrans.numpy as fnp
from functrans.errors import ArgumentError, ArgumentValueError, ShapeError
from functrans.ops import AxisType, UOp, dtypes
from functrans.ops.enums import Ops
from functrans.tensor import Tensor
from tests.numpy.cases import quiet, same, values

A = values((2, 3, 4), "float64")
LEFT_OUT = {
    # in place, memory, files: nothing a value can do
    "byteswap", "choose", "compress", "ctypes", "data", "dump", "dumps", "flags", "flat", "getfield", "put", "resize",
    "setfield", "setflags", "strides", "tofile", "view", "base", "argpartition", "partition", "itemset", "newbyteorder",
    "nonzero", "tostring",
}  # fmt: skip


def test_every_method_of_ndarray_is_there_or_left_out_on_purpose():
    theirs = {n for n in dir(np.ndarray) if not n.startswith("_")}
    ours = {n for n in dir(Tensor) if not n.startswith("_")}
    assert theirs - ours == LEFT_OUT & theirs


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x.T, lambda x: x.mT, lambda x: x.real, lambda x: x.imag, lambda x: x.sum(1),
        lambda x: x.sum((0, 2)), lambda x: np.stack(list(x)),
        lambda x: x.prod(), lambda x: x.mean(-1, keepdims=True), lambda x: x.max(0), lambda x: x.min(),
        lambda x: x.std(),
        lambda x: x.var(1, ddof=1), lambda x: x.any(2), lambda x: x.all(), lambda x: x.argmax(1), lambda x: x.argmin(),
        lambda x: x.argsort(1),
        lambda x: x.cumsum(1), lambda x: x.cumprod(), lambda x: x.reshape(4, 6), lambda x: x.reshape((4, -1)),
        lambda x: x.reshape(-1), lambda x: x.ravel(), lambda x: x.flatten("F"), lambda x: x.transpose(),
        lambda x: x.transpose(1, 2, 0), lambda x: x.transpose((2, 0, 1)), lambda x: x.swapaxes(0, 2),
        lambda x: x[:1].squeeze(), lambda x: x.repeat(2, 1), lambda x: x.diagonal(), lambda x: x.trace(),
        lambda x: x.take([0, -1], 2), lambda x: x.clip(-1, 1), lambda x: x.clip(max=0.5), lambda x: x.round(2),
        lambda x: x.astype("float32"), lambda x: x.astype(int), lambda x: x.copy(), lambda x: x.conj(),
        lambda x: x.conjugate(), lambda x: x.dot(np.ones(4)), lambda x: x @ x.mT, lambda x: x.reshape(2, 12, order="F"),
    ],
)  # fmt: skip
def test_as_ndarray(call):
    same(call(Tensor(A)), call(A), rtol=1e-6)


UNARY = (
    "abs absolute fabs negative positive sign sqrt cbrt square reciprocal exp exp2 expm1 log log2 log10 log1p sin cos "
    "tan arcsin arccos arctan asin acos atan sinh cosh tanh arcsinh arccosh arctanh asinh acosh atanh deg2rad rad2deg "
    "radians degrees floor ceil trunc rint isnan isinf isfinite signbit logical_not conjugate conj fix sinc isreal "
    "angle nan_to_num round count_nonzero ptp nansum nanmean nanmax nanmin"
).split()


@pytest.mark.parametrize("name", UNARY)
def test_unary_methods_are_the_functions(name):
    same(getattr(Tensor(A), name)(), quiet(getattr(np, name), A))
    assert getattr(Tensor, name).__doc__


def test_graph_spellings():
    t = Tensor(A)
    same(t.permute(1, 0, 2), A.transpose(1, 0, 2))
    same(t.permute((2, 1, 0)), A.T)
    same(t[0].unsqueeze(1).expand(3, 5, 4), np.broadcast_to(A[0][:, None], (3, 5, 4)))
    same(t[:, :1].expand((-1, 3, -1)), np.broadcast_to(A[:, :1], (2, 3, 4)))
    same(t[0, 0].expand(2, -1), np.broadcast_to(A[0, 0], (2, 4)))
    same(t.pad(((0, 1), (2, 0), (0, 0))), np.pad(A, ((0, 1), (2, 0), (0, 0))))
    same(t.pad(1, constant_values=2.0), np.pad(A, 1, constant_values=2.0))
    same(t.shrink(((0, 1), (1, 3), None)), A[:1, 1:3])
    same(t.shrink((0, 1), (1, 3), (2, 2)), A[:1, 1:3, 2:2])
    same(t[0, 0].shrink((1, 3)), A[0, 0, 1:3])
    same(t[0, 0].shrink(((1, 3),)), A[0, 0, 1:3])
    same([t.flip(0), t.flip((0, 2)), t.flip()], [A[::-1], A[::-1, :, ::-1], np.flip(A)])
    same(t.flip(0, 2), A[::-1, :, ::-1])
    same([t.cast("float32"), (t > 0).where(t, 0.0)], [A.astype("float32"), np.where(A > 0, A, 0.0)])
    same(t.bitcast("int64"), A.view("int64"))
    same([t.roll(1, 0), t.moveaxis(0, -1)], [np.roll(A, 1, 0), np.moveaxis(A, 0, -1)])
    same([t.tril(), t.triu(1)], [np.tril(A), np.triu(A, 1)])
    same(Tensor.stack(t, t, dim=1), np.stack([A, A], 1))
    same(Tensor.stack([t, A]), np.stack([A, A]))
    same(Tensor.cat(t, A, dim=-1), np.concatenate([A, A], -1))
    same(Tensor.full((2, 3), 1.5), np.full((2, 3), 1.5))
    assert Tensor.empty(2, 3).shape == Tensor.empty((2, 3)).shape == (2, 3)
    for op in (Ops.CONTIGUOUS, Ops.CONTIGUOUS_BACKWARD, Ops.DETACH):
        passed = getattr(t, op.name.lower())()
        assert passed.uop.op is op
        same(passed, A)


def test_vmapin_and_vmapout():
    r, zero = UOp.range(3, axis_type=AxisType.LOOP), UOp.const(dtypes.index, 0)
    inside = Tensor(A).vmapin((zero, r, zero))
    assert inside.shape == (2, 4)
    same((inside * 2).vmapout((r, zero, zero)), A.transpose(1, 0, 2) * 2)


@pytest.mark.parametrize(
    "name",
    ["iscomplex", "isposinf", "isneginf", "isreal", "nansum", "nanprod", "nanmean", "nanvar", "nanstd", "nanmax",
     "nanmin", "median"],
)  # fmt: skip
def test_functions_of_one_array_are_methods(name):
    x = np.array([[1.0, -np.inf, 3.0], [np.inf, 2.0, 5.0]])
    if name in ("median", "nanprod", "nanvar", "nanstd", "nansum", "nanmean"):
        x = np.array([[1.0, np.nan if name != "median" else 7.0, 3.0], [4.0, 2.0, 9.0]])
    same(getattr(Tensor(x), name)(), getattr(np, name)(x))
    if not name.startswith("is"):
        same(getattr(Tensor(x), name)(axis=1, keepdim=True), getattr(np, name)(x, axis=1, keepdims=True))
    if name.startswith("isc") or name == "isreal":
        same(getattr(Tensor(x + 0j), name)(), getattr(np, name)(x + 0j))


def test_at():
    t = Tensor(np.zeros(4))
    updated = t.at[np.array([1, 1, 2])].add([1.0, 2.0, 4.0])
    assert isinstance(updated, Tensor) and updated.tolist() == [0.0, 3.0, 4.0, 0.0] and t.tolist() == [0.0] * 4


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda t: t.shrink(((0, 3), None, None)), ShapeError, "do not lie in shape"),
        (lambda t: t.shrink((0, 1)), ShapeError, "expected a pair an axis"),
        (lambda t: t.bitcast("float32"), ArgumentValueError, "8 and 4 bytes"),
        (lambda t: t.expand(2, 3, 5), ShapeError, "does not broadcast"),
        (lambda t: t.sum(keepdims=True, keepdim=False), ArgumentError, "two names"),
        (lambda t: t.var(ddof=1, correction=2), ArgumentError, "two names"),
        (lambda t: t.reshape("a"), ArgumentError, "integer"),
    ],
)
def test_errors(call, error, text):
    with pytest.raises(error, match=text) as caught:
        call(Tensor(A))
    assert "test_methods.py" in str(caught.value)


def test_a_pad_by_nothing_is_the_array():
    t = Tensor(A)
    moved = [t.pad(0), t.shrink((None, None, None)), t.roll(0), t.reshape(2, 3, 4), t.flip(()), t.expand(2, 3, 4)]
    joined = [fnp.tile(t, 1), t.repeat(1, 0), t.transpose(0, 1, 2), t.astype("float64"), fnp.concatenate([t])]
    assert all(same_array.uop is t.uop for same_array in moved + joined)
