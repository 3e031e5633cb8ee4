"""Elementwise ops: what they mean at ordinary and at special values, and their partial derivatives."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import special

from functrans import dtypes
from functrans.errors import SpecError, UnsupportedError
from functrans.ops import GroupOp, Ops, UOp, source
from functrans.ops import build as B
from functrans.ops.interpret import interpret
from functrans.ops.opdef import TABLE

INF, NAN = math.inf, math.nan


def arity(op: Ops) -> int:
    """How many sources an elementwise op has."""
    return 1 if op in GroupOp.Unary else 2 if op in GroupOp.Binary else 3


def result(op: Ops, dtype: dtypes.DType) -> dtypes.DType:
    """The dtype of the op over sources of a dtype."""
    return dtypes.bool_ if op in GroupOp.Compare | {Ops.ISNAN, Ops.ISINF, Ops.SIGNBIT} else dtype


def apply(op: Ops, *arrays: Any, dtype: dtypes.DType | None = None) -> np.ndarray:
    """The op of the arrays, by the interpreter."""
    params = [source.param(a.shape, dtypes.from_numpy(a.dtype)) for a in map(np.asarray, arrays)]
    node = UOp(op, dtype or result(op, params[-1].dtype), tuple(params))
    return interpret([node], dict(zip(params, map(np.asarray, arrays), strict=True)))[0]


# meaning


def lgamma(x: np.ndarray) -> np.ndarray:
    """C's lgamma: SciPy's is -inf at -inf and inf at the least numbers."""
    return np.array([math.lgamma(v) if v > 0 or v % 1 != 0 else INF for v in x.tolist()])


UNARY: dict[Ops, Callable[..., Any]] = {
    Ops.NEG: np.negative, Ops.RECIP: np.reciprocal, Ops.SQRT: np.sqrt, Ops.CBRT: np.cbrt, Ops.EXP: np.exp,
    Ops.EXP2: np.exp2, Ops.EXPM1: np.expm1, Ops.LOG: np.log, Ops.LOG2: np.log2, Ops.LOG10: np.log10,
    Ops.LOG1P: np.log1p, Ops.SIN: np.sin, Ops.COS: np.cos, Ops.TAN: np.tan, Ops.ASIN: np.arcsin, Ops.ACOS: np.arccos,
    Ops.ATAN: np.arctan, Ops.SINH: np.sinh, Ops.COSH: np.cosh, Ops.TANH: np.tanh, Ops.ASINH: np.arcsinh,
    Ops.ACOSH: np.arccosh, Ops.ATANH: np.arctanh, Ops.ERF: special.erf, Ops.ERFC: special.erfc, Ops.LGAMMA: lgamma,
    Ops.DIGAMMA: special.digamma, Ops.GAMMA: special.gamma, Ops.EXPI: special.expi, Ops.ABS: np.abs, Ops.SIGN: np.sign,
    Ops.FLOOR: np.floor, Ops.CEIL: np.ceil, Ops.TRUNC: np.trunc, Ops.RINT: np.rint, Ops.ISNAN: np.isnan,
    Ops.ISINF: np.isinf, Ops.SIGNBIT: np.signbit, Ops.REAL: np.real, Ops.IMAG: np.imag, Ops.CONJ: np.conj,
    Ops.DETACH: np.positive, Ops.CONTIGUOUS: np.positive, Ops.CONTIGUOUS_BACKWARD: np.positive,
}  # fmt: skip
BINARY: dict[Ops, Callable[..., Any]] = {
    Ops.ADD: np.add, Ops.SUB: np.subtract, Ops.MUL: np.multiply, Ops.FDIV: np.divide, Ops.POW: np.power,
    Ops.MAX: np.maximum, Ops.MIN: np.minimum, Ops.MOD: np.fmod, Ops.FLOORDIV: np.floor_divide,
    Ops.FLOORMOD: np.remainder, Ops.ATAN2: np.arctan2, Ops.HYPOT: np.hypot, Ops.COPYSIGN: np.copysign,
    Ops.NEXTAFTER: np.nextafter, Ops.CMPLT: np.less, Ops.CMPLE: np.less_equal, Ops.CMPEQ: np.equal,
    Ops.CMPNE: np.not_equal, Ops.GAMMAINC: special.gammainc, Ops.GAMMAINCC: special.gammaincc,
}  # fmt: skip


def zeta(s: np.ndarray, q: np.ndarray) -> np.ndarray:
    """SciPy's, but a NaN stays one, and nothing overflows on the way where the exponent is huge."""
    return np.where(np.isnan(s) | np.isnan(q), NAN, np.where((s > 1e4) & (q > 0), q**-s, special.zeta(s, q)))


BINARY[Ops.ZETA] = zeta
BY_FIRST = {Ops.ZETA: "its exponent", Ops.GAMMAINC: "its first", Ops.GAMMAINCC: "its first"}  # is refused
SPECIAL = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -1.5, 2.5, 1e300, -1e-310, INF, -INF, NAN])


@pytest.mark.parametrize("op", UNARY, ids=lambda op: op.name)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_unary_ops_are_numpys_at_special_values(op: Ops) -> None:
    want = UNARY[op](SPECIAL)
    got = apply(op, SPECIAL)
    assert got.dtype == (bool if op in (Ops.ISNAN, Ops.ISINF, Ops.SIGNBIT) else float)
    np.testing.assert_allclose(got, want, rtol=4e-15 if op is Ops.LGAMMA else 0.0, atol=0.0)
    np.testing.assert_array_equal(np.signbit(got[got == 0]), np.signbit(want[want == 0]))


@pytest.mark.parametrize("op", BINARY, ids=lambda op: op.name)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_binary_ops_are_numpys_at_special_values(op: Ops) -> None:
    a, b = np.repeat(SPECIAL, SPECIAL.size), np.tile(SPECIAL, SPECIAL.size)
    want = BINARY[op](a, b)
    got = apply(op, a, b)
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(np.signbit(got[got == 0]), np.signbit(want[want == 0]))


@pytest.mark.parametrize("op", UNARY | BINARY, ids=lambda op: op.name)
def test_an_array_without_axes_is_like_one_element(op: Ops) -> None:
    for dtype in (t for t in dtypes.ALL if t.kind in TABLE[op].kinds and op not in (Ops.REAL, Ops.IMAG)):
        given = [np.array([k], dtype.numpy) for k in range(1, arity(op) + 1)]
        whole = apply(op, *given)
        np.testing.assert_array_equal(apply(op, *(x[0] for x in given)), whole[0], f"{op.name} of {dtype}")


def test_every_op_over_floats_is_named_above() -> None:
    floats = {op for op in GroupOp.Elementwise if "f" in TABLE[op].kinds}
    rest = {Ops.CAST, Ops.BITCAST, Ops.WHERE, Ops.MULACC}
    assert floats - rest == set(UNARY) | set(BINARY)


SIGNED = [dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64]
UNSIGNED = [dtypes.uint8, dtypes.uint16, dtypes.uint32, dtypes.uint64]
integers = pytest.mark.parametrize("dtype", SIGNED + UNSIGNED, ids=repr)


def pairs(dtype: dtypes.DType) -> tuple[list[int], list[int]]:
    """All pairs of telling integers of a dtype."""
    info = np.iinfo(dtype.numpy)
    own = sorted({int(info.min), int(info.min) + 1, -7, -1, 0, 1, 2, 3, 7, int(info.max)} - (
        set() if info.min else {-7, -1}))  # fmt: skip
    return [a for a in own for _ in own], [b for _ in own for b in own]


def wrapped(value: int, dtype: dtypes.DType) -> int:
    """The integer of a dtype that is equal modulo 2^bits."""
    bits = 8 * dtype.itemsize
    value %= 1 << bits
    return value - (1 << bits) if dtype.kind == "i" and value >> (bits - 1) else value


def truncated(a: int, b: int) -> int:
    """The quotient towards zero, in exact integers."""
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


INTEGER: dict[Ops, Callable[[int, int], int]] = {
    Ops.ADD: lambda a, b: a + b,
    Ops.SUB: lambda a, b: a - b,
    Ops.MUL: lambda a, b: a * b,
    Ops.MAX: max,
    Ops.MIN: min,
    Ops.IDIV: lambda a, b: truncated(a, b) if b else 0,
    Ops.MOD: lambda a, b: a - b * truncated(a, b) if b else 0,
    Ops.FLOORDIV: lambda a, b: a // b if b else 0,
    Ops.FLOORMOD: lambda a, b: a % b if b else 0,
    Ops.AND: lambda a, b: a & b,
    Ops.OR: lambda a, b: a | b,
    Ops.XOR: lambda a, b: a ^ b,
}


@integers
@pytest.mark.parametrize("op", INTEGER, ids=lambda op: op.name)
def test_integer_ops_wrap_and_never_trap(op: Ops, dtype: dtypes.DType) -> None:
    a, b = pairs(dtype)
    got = apply(op, np.array(a, dtype.numpy), np.array(b, dtype.numpy))
    assert got.dtype == dtype.numpy
    assert got.tolist() == [wrapped(INTEGER[op](p, q), dtype) for p, q in zip(a, b, strict=True)]


@integers
def test_shifts_out_of_range(dtype: dtypes.DType) -> None:
    bits = 8 * dtype.itemsize
    info = np.iinfo(dtype.numpy)
    a, b = [], []
    for value in (1, 3, int(info.max), int(info.min)):
        for by in (0, 1, bits - 1, bits, bits + 1, int(info.max), *((-1, int(info.min)) if info.min else ())):
            a.append(value)
            b.append(by)
    left = apply(Ops.SHL, np.array(a, dtype.numpy), np.array(b, dtype.numpy))
    right = apply(Ops.SHR, np.array(a, dtype.numpy), np.array(b, dtype.numpy))
    inside = [0 <= q < bits for q in b]
    assert left.tolist() == [wrapped(p << q, dtype) if ok else 0 for p, q, ok in zip(a, b, inside, strict=True)]
    want = [p >> q if ok else (-1 if p < 0 else 0) for p, q, ok in zip(a, b, inside, strict=True)]
    assert right.tolist() == want


@integers
def test_integer_powers_and_unary_ops(dtype: dtypes.DType) -> None:
    info = np.iinfo(dtype.numpy)
    x = np.array([info.min, 0, 1, 5, info.max], dtype.numpy)
    assert apply(Ops.NEG, x).tolist() == [wrapped(-int(v), dtype) for v in x]
    assert apply(Ops.NOT, x).tolist() == [wrapped(~int(v), dtype) for v in x]
    assert apply(Ops.ABS, x).tolist() == [wrapped(abs(int(v)), dtype) for v in x]
    assert apply(Ops.SIGN, x).tolist() == [(int(v) > 0) - (int(v) < 0) for v in x]
    base, power = np.array([3, 2, 0, 0, 7], dtype.numpy), np.array([4, 70, 0, 3, 1], dtype.numpy)
    want = [wrapped(int(a) ** int(b), dtype) for a, b in zip(base, power, strict=True)]
    assert apply(Ops.POW, base, power).tolist() == want


def test_bool_arithmetic() -> None:
    a, b = np.array([False, False, True, True]), np.array([False, True, False, True])
    for op, want in (
        (Ops.ADD, a | b), (Ops.MUL, a & b), (Ops.MAX, a | b), (Ops.MIN, a & b), (Ops.AND, a & b), (Ops.OR, a | b),
        (Ops.XOR, a ^ b), (Ops.CMPLT, ~a & b), (Ops.CMPEQ, a == b),
    ):  # fmt: skip
        np.testing.assert_array_equal(apply(op, a, b), want)
    for op in (Ops.NEG, Ops.NOT):
        np.testing.assert_array_equal(apply(op, a), ~a)


@integers
@pytest.mark.parametrize("given", [dtypes.float16, dtypes.float32, dtypes.float64], ids=repr)
def test_a_cast_to_integers_saturates(given: dtypes.DType, dtype: dtypes.DType) -> None:
    info = np.iinfo(dtype.numpy)
    values = np.array([NAN, INF, -INF, 1e4, -1e4, 3.99, -3.99, -0.0, 0.5, -0.5, 1e30, -1e30, 2.0**31, 2.0**63,
                       -(2.0**63), 255.0, 256.0, 127.5], np.float64)  # fmt: skip
    with np.errstate(over="ignore"):
        x = values.astype(given.numpy)
    want = []
    for v in x.astype(float):
        exact = 0 if math.isnan(v) else int(v) if math.isfinite(v) else int(math.copysign(1 << 80, v))
        want.append(min(max(exact, int(info.min)), int(info.max)))
    assert apply(Ops.CAST, x, dtype=dtype).tolist() == want


def test_other_casts() -> None:
    x = np.array([0.0, -0.0, 0.3, NAN, -2.0])
    assert apply(Ops.CAST, x, dtype=dtypes.bool_).tolist() == [False, False, True, True, True]
    z = np.array([0j, 1j, 2 + 3j, complex(NAN, 1.0)])
    assert apply(Ops.CAST, z, dtype=dtypes.bool_).tolist() == [False, True, True, True]
    assert apply(Ops.CAST, z[:3], dtype=dtypes.int32).tolist() == [0, 0, 2]
    assert apply(Ops.CAST, z[:3], dtype=dtypes.float32).tolist() == [0.0, 0.0, 2.0]
    assert apply(Ops.CAST, np.array([300, -1, 127]), dtype=dtypes.int8).tolist() == [44, -1, 127]
    assert apply(Ops.CAST, np.array([-1]), dtype=dtypes.uint64).tolist() == [2**64 - 1]
    assert apply(Ops.CAST, np.array([1e6]), dtype=dtypes.float16).tolist() == [INF]
    assert np.signbit(apply(Ops.CAST, np.array([-0.0]), dtype=dtypes.float32))[0]


def test_bitcast() -> None:
    x = np.array([1.0, -0.0, INF], np.float32)
    bits = apply(Ops.BITCAST, x, dtype=dtypes.uint32)
    assert bits.tolist() == [0x3F800000, 0x80000000, 0x7F800000]
    np.testing.assert_array_equal(apply(Ops.BITCAST, bits, dtype=dtypes.float32), x)
    with pytest.raises(SpecError, match="float32 has 4 bytes, int64 8"):
        apply(Ops.BITCAST, x, dtype=dtypes.int64)
    with pytest.raises(SpecError, match="not every byte is a bool"):
        apply(Ops.BITCAST, np.array([2], np.uint8), dtype=dtypes.bool_)
    assert apply(Ops.BITCAST, np.array([True]), dtype=dtypes.uint8).tolist() == [1]
    assert apply(Ops.BITCAST, np.array(1.0), dtype=dtypes.int64).shape == ()


def test_where_lets_nothing_of_the_other_branch_through() -> None:
    c = np.array([True, False])
    got = apply(Ops.WHERE, c, np.array([1.0, NAN]), np.array([INF, -0.0]))
    assert got.tolist() == [1.0, -0.0]
    assert np.signbit(got[1])


def test_mulacc_rounds_once() -> None:
    a = np.array([1.0 + 2**-30])
    assert apply(Ops.MULACC, a, a, -(a * a))[0] == 2.0**-60


def test_half_precision_computes_in_single() -> None:
    x = np.linspace(-3, 3, 31).astype(np.float16)
    for op in (Ops.SIN, Ops.EXP, Ops.ERF, Ops.ERFC):
        want = UNARY[op](x.astype(np.float32)).astype(np.float16)
        got = apply(op, x)
        assert got.dtype == np.float16
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("op", sorted(GroupOp.Elementwise, key=lambda op: op.value), ids=lambda op: op.name)
def test_other_kinds_of_dtype_are_refused(op: Ops) -> None:
    record = TABLE[op]
    for dtype in dtypes.ALL:
        x = source.param((2,), dtype)
        src = (source.param((2,), dtypes.bool_), x, x) if op is Ops.WHERE else (x,) * arity(op)
        if dtype.kind in record.kinds:
            assert UOp(op, result(op, dtype), src).shape == (2,)
        else:
            with pytest.raises(SpecError, match=f"{op.name}: not defined for {dtype.name}; expected"):
                UOp(op, result(op, dtype), src)


def test_unequal_shapes_are_refused() -> None:
    x, y = source.param((2, 1), dtypes.float64), source.param((2, 3), dtypes.float64)
    with pytest.raises(SpecError, match="equal shapes"):
        B.add(x, y)
    with pytest.raises(SpecError, match="is no array"):
        UOp(Ops.NEG, dtypes.float64, (UOp(Ops.SINK, dtypes.float64, (x,)),))


# partial derivatives

EVERYWHERE, POSITIVE, UNIT, ABOVE_ONE = (-3.0, 3.0), (0.1, 5.0), (-0.95, 0.95), (1.1, 4.0)
DOMAINS: dict[Ops, tuple[tuple[float, float], ...]] = {
    Ops.SQRT: (POSITIVE,), Ops.CBRT: (POSITIVE,), Ops.LOG: (POSITIVE,), Ops.LOG2: (POSITIVE,),
    Ops.LOG10: (POSITIVE,), Ops.LOG1P: ((-0.9, 3.0),), Ops.TAN: ((-1.4, 1.4),), Ops.ASIN: (UNIT,),
    Ops.ACOS: (UNIT,), Ops.ACOSH: (ABOVE_ONE,), Ops.ATANH: (UNIT,), Ops.LGAMMA: ((-0.9, -0.1),),
    Ops.RECIP: ((0.2, 3.0),), Ops.POW: (POSITIVE, EVERYWHERE), Ops.FDIV: (EVERYWHERE, (0.3, 2.0)),
    Ops.MOD: ((5.2, 5.8), (1.55, 1.65)), Ops.FLOORMOD: ((-5.8, -5.2), (1.55, 1.65)), Ops.FLOOR: ((2.1, 2.9),),
    Ops.CEIL: ((2.1, 2.9),), Ops.TRUNC: ((-2.9, -2.1),), Ops.RINT: ((1.6, 2.4),),
    Ops.FLOORDIV: ((-5.8, -5.2), (1.55, 1.65)), Ops.HYPOT: ((0.5, 3.0), EVERYWHERE),
    Ops.ATAN2: ((0.5, 3.0), EVERYWHERE), Ops.DIGAMMA: (POSITIVE,), Ops.GAMMA: (POSITIVE,), Ops.EXPI: (POSITIVE,),
    Ops.GAMMAINC: (POSITIVE, POSITIVE), Ops.GAMMAINCC: (POSITIVE, POSITIVE), Ops.ZETA: ((2.0, 4.0), (0.5, 5.0)),
}  # fmt: skip
WITHHELD = {Ops.DETACH, Ops.BITCAST}  # zero on purpose
SMOOTH = sorted(
    (op for op in GroupOp.Elementwise - WITHHELD if "f" in TABLE[op].kinds and TABLE[op].partials),
    key=lambda op: op.value,
)
COMPLEX = [op for op in SMOOTH if "c" in TABLE[op].kinds and op not in (Ops.SIGN, Ops.ABS)
           and op not in GroupOp.Compare | {Ops.ISNAN, Ops.ISINF}]  # fmt: skip


def points(op: Ops, n: int = 50) -> list[np.ndarray]:
    """Random points of the op's domain, the same at every run; for two sources never a tie."""
    rng = np.random.default_rng(op.value)
    domain = DOMAINS.get(op, (EVERYWHERE,) * arity(op))
    return [rng.uniform(lo, hi, n) for lo, hi in domain]


def partial(op: Ops, k: int, at: list[np.ndarray]) -> np.ndarray:
    """The record's k-th partial derivative at points; zero where the record says so."""
    params = [source.param(a.shape, dtypes.from_numpy(a.dtype)) for a in at]
    node = UOp(op, result(op, params[-1].dtype), tuple(params))
    facts = TABLE[op].partials
    assert facts is not None
    rule = facts[k]
    if rule is None:
        return np.zeros(at[0].shape)
    made = rule(node, *params)
    assert made.shape == node.shape
    assert made.dtype == node.dtype
    return interpret([made], dict(zip(params, at, strict=True)))[0]


def central(f: Callable[..., np.ndarray], k: int, at: list[np.ndarray]) -> np.ndarray:
    """A central difference of order six."""
    h = 1e-3
    total = np.zeros(at[0].shape)
    for step, weight in ((1, 45.0), (2, -9.0), (3, 1.0)):
        for sign in (1, -1):
            moved = [a + sign * step * h if i == k else a for i, a in enumerate(at)]
            total += sign * weight * f(*moved).astype(float)
    return total / (60 * h)


CASES = [(op, k) for op in SMOOTH for k in range(len(TABLE[op].partials or ())) if k or op not in BY_FIRST]
each_partial = pytest.mark.parametrize(("op", "k"), CASES, ids=lambda v: v.name if isinstance(v, Ops) else str(v))


@each_partial
def test_partials_are_difference_quotients(op: Ops, k: int) -> None:
    at = points(op)
    np.testing.assert_allclose(partial(op, k, at), central(lambda *a: apply(op, *a), k, at), rtol=2e-7, atol=2e-9)


@pytest.mark.parametrize(("op", "k"), [c for c in CASES if c[0] in COMPLEX],
                         ids=lambda v: v.name if isinstance(v, Ops) else str(v))  # fmt: skip
def test_partials_are_complex_steps(op: Ops, k: int) -> None:
    at = points(op)
    h = 1e-40
    moved = [a + 1j * h if i == k else a.astype(complex) for i, a in enumerate(at)]
    np.testing.assert_allclose(partial(op, k, at), apply(op, *moved).imag / h, rtol=1e-12, atol=1e-14)


@each_partial
def test_partials_in_single_precision(op: Ops, k: int) -> None:
    at = [a.astype(np.float32) for a in points(op)]
    got = partial(op, k, at)
    want = partial(op, k, [a.astype(np.float64) for a in at])
    np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-6)


def test_partials_where_a_limit_is_meant() -> None:
    zero, one = np.zeros(1), np.ones(1)
    assert partial(Ops.ABS, 0, [zero])[0] == 1.0
    assert partial(Ops.MAX, 0, [one, one])[0] == partial(Ops.MAX, 1, [one, one])[0] == 0.5
    assert partial(Ops.MIN, 0, [one, one])[0] == partial(Ops.MIN, 1, [one, one])[0] == 0.5
    assert partial(Ops.POW, 0, [zero, zero])[0] == 0.0  # x**0 is constant
    assert partial(Ops.POW, 0, [zero, 2 * one])[0] == 0.0
    assert partial(Ops.POW, 0, [zero, one])[0] == 1.0
    assert partial(Ops.POW, 1, [zero, 2 * one])[0] == 0.0  # 0**b is constant for b > 0
    assert partial(Ops.SQRT, 0, [zero])[0] == INF
    assert partial(Ops.POW, 1, [-one, one]) != partial(Ops.POW, 1, [-one, one])  # not real: NaN


def test_a_nan_operand_owns_the_maximum() -> None:
    nan, one = np.array([NAN]), np.ones(1)
    for op in (Ops.MAX, Ops.MIN):
        assert partial(op, 0, [nan, one])[0] == 1.0
        assert partial(op, 1, [nan, one])[0] == 0.0


def test_what_has_no_derivative_rule() -> None:
    for op in WITHHELD:
        assert TABLE[op].partials == (None,)
    linear = {op for op in GroupOp.Elementwise if TABLE[op].partials is None}
    refused = {op for op in GroupOp.Elementwise if TABLE[op].partials == ()}
    assert linear == {Ops.CAST, Ops.REAL, Ops.IMAG, Ops.CONJ, Ops.WHERE}
    assert refused == set()
    for op, text in BY_FIRST.items():
        with pytest.raises(UnsupportedError, match=f"the derivative of {op.name} by {text}"):
            partial(op, 0, [np.full(2, 3.0), np.ones(2)])
