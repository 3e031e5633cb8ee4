"""Every elementwise op on every dtype it accepts: compiled as interpreted, special values first."""

from __future__ import annotations

import numpy as np
import pytest

import functrans as ft
from functrans import dtypes
from functrans.backend.pipeline import Program
from functrans.ops import GroupOp, Ops, UOp, source
from functrans.ops import build as B
from functrans.ops.interpret import interpret
from functrans.ops.opdef import TABLE

pytestmark = pytest.mark.usefixtures("compiler")
every_dtype = pytest.mark.parametrize("dtype", dtypes.ALL, ids=repr)

INF, NAN = float("inf"), float("nan")
UNSIGNED_ZERO = {Ops.MAX, Ops.MIN}  # of 0 and -0 either is the larger
ABSOLUTE = {Ops.DIGAMMA: 1e-14, Ops.EXPI: 1e-15, Ops.LGAMMA: 1e-15}  # near their zeros
LOOSE = {Ops.GAMMAINC: 1000, Ops.GAMMAINCC: 1000}  # by how much SciPy's tails are worse
CASTS = {Ops.CAST, Ops.BITCAST}


def special(dtype: dtypes.DType) -> np.ndarray:
    """Zeros of both signs, infinities, NaN, subnormals, the ends of the range, and every width a shift may have."""
    kind = dtype.kind
    if kind == "b":
        return np.array([False, True])
    if kind in "iu":
        info, bits = np.iinfo(dtype.numpy), 8 * dtype.itemsize
        signed = [-1, -2, -7, -bits, int(info.min), int(info.min) + 1] if kind == "i" else []
        return np.array(sorted({*range(bits + 2), int(info.max) - 1, int(info.max), *signed}), dtype.numpy)
    if kind == "f":
        f = np.finfo(dtype.numpy)
        edges = [float(v) for v in (f.max, f.tiny, f.smallest_subnormal, f.eps)]
        plain = [0.0, 0.1, 0.5, 1.0, 1.5, 2.5, 3.0, 3.7, 10.0, 30.0, 100.0, 1e4, INF, *edges]
        return np.array([*plain, *(-v for v in plain), NAN]).astype(dtype.numpy)
    parts = (0.0, -0.0, 1.0, -1.5, 0.7, INF, -INF, NAN)
    return np.array([complex(a, b) for a in parts for b in parts], dtype.numpy)


def programs(dtype: dtypes.DType, params: list[UOp], condition: UOp) -> dict[str, UOp]:
    """A node for each op that accepts the dtype, and for each cast from it."""
    made = {}
    for op in sorted(GroupOp.Elementwise - CASTS, key=lambda op: op.value):
        if dtype.kind in TABLE[op].kinds:
            count = 1 if op in GroupOp.Unary else 2 if op in GroupOp.Binary else 3
            is_bool = op in GroupOp.Compare | {Ops.ISNAN, Ops.ISINF, Ops.SIGNBIT}
            src = (condition, *params[:2]) if op is Ops.WHERE else tuple(params[:count])
            made[op.name] = UOp(op, dtypes.bool_ if is_bool else dtype, src)
    for to in dtypes.ALL:
        if to != dtype:
            made[f"CAST to {to.name}"] = B.cast(params[0], to)
            if to.itemsize == dtype.itemsize and to.kind != "b":
                made[f"BITCAST to {to.name}"] = UOp(Ops.BITCAST, to, (params[0],))
    return made


def close(want: np.ndarray, got: np.ndarray, op: Ops) -> np.ndarray:
    """Where two arrays agree: NaN, infinities and signs of zero exactly, libraries' functions to a few ULP."""
    if want.dtype.kind == "c":
        exact = close(want.real, got.real, op) & close(want.imag, got.imag, op)
        with np.errstate(all="ignore"):  # cancellation in one part is measured by the size of the number
            return exact | (np.isfinite(want) & (np.abs(want - got) <= 8 * np.finfo(want.dtype).eps * np.abs(want)))
    if want.dtype.kind != "f":
        return want == got
    info = np.finfo(want.dtype)
    with np.errstate(all="ignore"):
        equal = (want == got) & ((want != 0) | (op in UNSIGNED_ZERO) | (np.signbit(want) == np.signbit(got)))
        slack = 8 * LOOSE.get(op, 1) * (info.eps * np.abs(want) + info.smallest_subnormal) + ABSOLUTE.get(op, 0.0)
        near = np.isfinite(want) & (want != 0) & (np.abs(want - got) <= slack)
    return equal | near | (np.isnan(want) & np.isnan(got))


@every_dtype
def test_elementwise_ops(dtype: dtypes.DType) -> None:
    values = special(dtype)
    a, b = np.repeat(values, values.size), np.tile(values, values.size)
    arrays = [a, b, np.roll(a, 3), np.arange(a.size) % 2 == 0]
    params = [source.param(a.shape, dtype) for _ in range(3)]
    condition = source.param(a.shape, dtypes.bool_)
    nodes = programs(dtype, params, condition)
    roots = list(nodes.values())
    got = Program(roots, [*params, condition])(arrays)
    want = interpret(roots, dict(zip([*params, condition], arrays, strict=True)))
    wrong = []
    for (name, node), w, g in zip(nodes.items(), want, got, strict=True):
        assert g.dtype == w.dtype == node.dtype.numpy
        bad = np.flatnonzero(~close(w, g, node.op))
        if bad.size:
            k = bad[0]
            wrong.append(f"{name}({a[k]!r}, {b[k]!r}) is {w[k]!r}, compiled {g[k]!r}, and {bad.size - 1} more")
    assert wrong == []


REDUCTIONS = {"b": "ADD MUL MAX MIN AND OR", "i": "ADD MUL MAX MIN AND OR", "u": "ADD MUL MAX MIN AND OR",
              "f": "ADD MUL MAX MIN", "c": "ADD MUL"}  # fmt: skip
MODES = {"c": ("set", "add", "multiply")}


@every_dtype
def test_reductions_and_scatters(dtype: dtypes.DType) -> None:
    rng = np.random.default_rng(dtype.itemsize)
    x = (rng.uniform(-3, 3, (4, 3, 5)) * (1 + 0.5j)).astype(dtype.numpy, casting="unsafe") if dtype.kind == "c" else (
        rng.integers(-3 if dtype.kind in "if" else 0, 4, (4, 3, 5)).astype(dtype.numpy)
    )  # fmt: skip
    p = source.param(x.shape, dtype)
    empty = B.shrink(p, ((0, 4), (1, 1), (0, 5)))
    index = source.buffer(np.array([2, -1, 0, 2, 9, 0]))
    value = B.shrink(B.reshape(p, (12, 5)), ((3, 9), (0, 5)))
    base = B.reshape(B.shrink(p, ((0, 4), (1, 2), (0, 5))), (4, 5))
    roots = {}
    for name in REDUCTIONS[dtype.kind].split():
        op = Ops[name]
        roots[f"{name} over two axes"] = B.reduce_axis(p, op, (0, 2))
        roots[f"{name} of nothing"] = B.reduce_axis(empty, op, (1,))
        roots[f"running {name}"] = UOp(Ops.CUMULATE, dtype, (p,), (op, 1))
    for mode in MODES.get(dtype.kind, ("set", "add", "multiply", "min", "max")):
        roots[f"scatter {mode}"] = B.scatter(base, value, (index,), mode)
    roots["gather"] = B.gather(base, index)
    got = Program(list(roots.values()), [p])([x])
    want = interpret(list(roots.values()), {p: x})
    tolerance = 0 if dtype.kind in "biu" else float(np.finfo(dtype.numpy).eps) * 40
    for name, w, g in zip(roots, want, got, strict=True):
        assert g.dtype == w.dtype == dtype.numpy, name
        np.testing.assert_allclose(g, w, rtol=tolerance, atol=0, err_msg=name)


@every_dtype
def test_constants_and_zeros(dtype: dtypes.DType) -> None:
    # constants go through C literals, padding and dropped reads through zeros
    values = special(dtype)
    x = source.param((2,), dtype)
    constants = [B.full((2,), dtype, v.item()) for v in values]
    padded = B.pad(x, ((1, 2),))
    roots = [B.stack(tuple(constants)), padded, UOp(Ops.CONTIGUOUS, dtype, (constants[-1],))]
    data = values[-2:]
    got = Program(roots, [x])([data])
    want = interpret(roots, {x: data})
    for w, g in zip(want, got, strict=True):
        assert w.tobytes() == g.tobytes() or np.array_equal(w, g, equal_nan=True)
        if dtype.kind == "f":
            np.testing.assert_array_equal(np.signbit(w[w == 0]), np.signbit(g[g == 0]))


@pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if d.kind in "fc"], ids=repr)
def test_the_sum_of_negative_zeros(dtype: dtypes.DType) -> None:
    x = source.param((3, 2), dtype)
    zeros = np.full((3, 2), -0.0 if dtype.kind == "f" else complex(-0.0, -0.0), dtype.numpy)
    roots = [B.reduce_axis(x, Ops.ADD, (0,)), UOp(Ops.CUMULATE, dtype, (x,), (Ops.ADD, 0))]
    for w, g in zip(interpret(roots, {x: zeros}), Program(roots, [x])([zeros]), strict=True):
        np.testing.assert_array_equal(np.signbit(g.real), np.signbit(w.real))
        np.testing.assert_array_equal(np.signbit(g.imag), np.signbit(w.imag))


def test_index_arithmetic_of_the_users_own() -> None:
    # indices are any 64 bits, sums of them wrap: no read may leave its array
    n = 5
    x = source.param((n, 2), dtypes.float64)
    i = source.param((12,), dtypes.int64)
    low, high = np.iinfo(np.int64).min, np.iinfo(np.int64).max
    at = np.array([0, 1, 4, 5, -1, low, high, low + 1, high - 1, 1 << 62, -(1 << 62), 3])
    roots = []
    for shift in (0, 1, -1, 1 << 62, -(1 << 62), high, low):
        for scale in (1, 2, -1, 1 << 40):
            j = B.add(B.mul(i, B.like(i, scale)), B.like(i, shift))
            roots.append(B.gather(x, j))
            roots.append(B.scatter(x, B.gather(x, i), (j,), "set"))
    values = np.arange(10.0).reshape(n, 2) + 1
    got = Program(roots, [x, i])([values, at])
    for w, g in zip(interpret(roots, {x: values, i: at}), got, strict=True):
        np.testing.assert_array_equal(g, w)


def test_divisions_never_trap_inside_loops() -> None:
    a = source.param((4,), dtypes.int32)
    r = UOp.range(4)
    lane = a.vmapin((r,))
    least = B.full((), dtypes.int32, -(2**31))
    roots = [
        UOp(op, dtypes.int32, (p, q)).vmapout((r,))
        for op in (Ops.IDIV, Ops.MOD, Ops.FLOORDIV, Ops.FLOORMOD)
        for p, q in ((least, lane), (lane, B.like(lane, 0)), (lane, B.like(lane, -1)))
    ]
    values = np.array([0, -1, -(2**31), 7], np.int32)
    for w, g in zip(interpret(roots, {a: values}), Program(roots, [a])([values]), strict=True):
        np.testing.assert_array_equal(g, w)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex_numbers_have_the_same_bits_in_every_batch(dtype: type) -> None:
    """gcc 12 fuses a product into a sum in vector code of complex numbers, and not in what is left of the loop."""
    rng = np.random.default_rng(3)
    x, y = (rng.normal(size=(77, 2)) @ np.array([1, 1j]) for _ in range(2))
    x, y = x.astype(dtype), y.astype(dtype)
    f = ft.jit(lambda x, y: x * y / (y + 2) * x)
    whole = f(x, y)
    np.testing.assert_allclose(whole, x * y / (y + 2) * x, rtol=1e-5)
    for n in (1, 2, 3, 5, 7, 9, 31):
        np.testing.assert_array_equal(f(x[:n], y[:n]), whole[:n])


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
def test_an_integer_has_no_signed_zero(dtype: str) -> None:
    """gcc 12 makes trunc of ``(double)(long long)x``, -0 for -0.5; the bounds of the cast keep it from that."""
    x = np.array([-0.5, 0.5, -0.0, 0.0, -1.5, 2.5] * 7)
    got = ft.jit(lambda v: v.astype(dtype).astype(np.float64))(x)
    assert not np.signbit(got[np.asarray(got) == 0]).any()
    np.testing.assert_array_equal(got, x.astype(dtype).astype(np.float64))


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex_numbers_move_as_a_whole(dtype: type) -> None:
    """One move a number, where two parts are two; every bit of a NaN comes along."""
    words = np.random.default_rng(0).integers(0, 256, (6, 7, np.dtype(dtype).itemsize), np.uint8)
    words[0] = 255  # NaN of the largest payload
    x = words.view(dtype)[..., 0]
    joined = lambda x: np.concatenate([x, x[:, :3]], 1)  # noqa: E731
    for move in (lambda x: x[::-1], np.transpose, lambda x: np.roll(x, 2, 1), joined):
        f = ft.jit(move)
        assert "__builtin_memcpy(&o0" in f.lower(x).c_source
        assert np.asarray(f(x)).tobytes() == move(x).tobytes()
