"""Own elementary functions: within their bounds of exact values, NumPy's special values, one result in every lane."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np
import pytest
import scipy.special

import functrans as ft
from functrans import dtypes
from functrans.backend.codegen.elementary import function
from functrans.backend.codegen.prelude import prelude
from functrans.backend.codegen.spelling import ELEMENTARY
from functrans.backend.elementary.expansion import BINARY, DOUBLE, LIMITS, SINGLE, expansion
from functrans.backend.pipeline import Program
from functrans.backend.policy import STRAIGHT_STATEMENTS
from functrans.ops import Ops, UOp, source
from functrans.ops import build as B
from functrans.ops.opdef import TABLE, opdef
from functrans.ops.uop import toposort

STORED = np.load(Path(__file__).parent / "elementary_references.npz")
NAMES = sorted(op.name.lower() for op in ELEMENTARY)
ULPS = {"pow": 4.0, "erfc": 4.0, "lgamma": 4.0, "hypot": 1.0}
ENDS = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 5e-324, -5e-324, 2.0**-1022, 1e-310, -1e-310, 1e-300, -1e-300,
        1.7976931348623157e308, -1.7976931348623157e308, 1e300, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0, 2.5, -2.5, 710.0,
        -746.0, 1024.0, -1074.0, -1075.0, 2.0**53, -(2.0**53), 2.0**53 + 2, 1e22, -1e22, 40.0, -40.0]  # fmt: skip


def evaluate(name: str, *arguments: np.ndarray) -> np.ndarray:
    return together(name, [arguments])[0]


def together(name: str, calls: Sequence[Sequence[np.ndarray]]) -> list[np.ndarray]:
    """The values of a function for several arguments, each with a loop of its own, by one program."""
    params = [[source.param(a.shape, dtypes.from_numpy(a.dtype)) for a in arguments] for arguments in calls]
    outputs = [UOp(Ops[name.upper()], own[0].dtype, tuple(own)) for own in params]
    return Program(outputs, [p for own in params for p in own])([a for arguments in calls for a in arguments])


def stored(name: str) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    """Arguments, exact values, and what these lack."""
    *arguments, exact, rest = (STORED[f"{name}_{k}"] for k in range(4 if name in BINARY else 3))
    return arguments, exact, rest


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("name", NAMES)
def test_errors_are_within_their_bounds(name: str) -> None:
    arguments, exact, rest = stored(name)
    got = evaluate(name, *arguments)
    size = np.abs(exact)
    if name == "lgamma":  # near zeros, and below 0, to an absolute error
        x = arguments[0]
        size = np.maximum(size, np.where(x < 0, np.maximum(1.0, np.abs(scipy.special.gammaln(-x))), 1.0))
    finite = np.isfinite(exact)
    assert np.array_equal(got[~finite], exact[~finite])
    errors = np.abs((got[finite] - exact[finite]) - rest[finite]) / np.spacing(size[finite])
    assert errors.max() <= ULPS.get(name, 2.0), arguments[0][finite][errors.argmax()]


def meaning(name: str) -> Callable[..., Any]:
    node = UOp(Ops[name.upper()], dtypes.float64, (source.param((), dtypes.float64),) * (2 if name in BINARY else 1))
    numpy = TABLE[node.op].numpy
    assert numpy is not None
    return lambda *a: numpy(node, *a)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("name", NAMES)
def test_special_values_are_numpys(name: str) -> None:
    ends = list(itertools.product(ENDS, repeat=2 if name in BINARY else 1))
    arguments = [np.array(a) for a in zip(*ends, strict=True)]
    got = evaluate(name, *arguments)
    want = np.asarray(meaning(name)(*arguments))
    np.testing.assert_allclose(got, want, rtol=2e-15, atol=1e-15 if name == "lgamma" else 5e-324)
    assert np.array_equal(np.signbit(got[want == 0]), np.signbit(want[want == 0]))


@pytest.mark.usefixtures("compiler")
def test_no_wave_is_above_one() -> None:
    near = (np.arange(-300.0, 300.0) * (np.pi / 2))[:, None] + np.linspace(-3e-8, 3e-8, 501)
    for x in (np.append(near.ravel(), [0.0, -0.0, 5e-324]), (near + np.linspace(-1e-3, 1e-3, 501)).astype(np.float32)):
        sines, cosines = evaluate("sin", x.ravel()), evaluate("cos", x.ravel())
        assert max(np.abs(sines).max(), np.abs(cosines).max()) == 1.0
        np.testing.assert_array_equal(evaluate("sin", -x.ravel()), -sines)
        np.testing.assert_array_equal(evaluate("cos", -x.ravel()), cosines)
    assert (evaluate("cos", np.array([0.0, -0.0, 5e-324])) == 1.0).all()
    assert (evaluate("cos", np.array([0.0, -0.0, 1e-45], np.float32)) == 1.0).all()


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", NAMES)
def test_every_lane_gives_the_same(name: str, dtype: type) -> None:
    with np.errstate(all="ignore"):
        arguments = [a[:53].astype(dtype) for a in stored(name)[0]]
    parts = [(0, 53), (0, 1), (1, 8), (3, 20), (5, 53), (52, 53)]
    whole, *found = together(name, [[a[start:stop] for a in arguments] for start, stop in parts])
    for part, (start, stop) in zip(found, parts[1:], strict=True):
        assert part.tobytes() == whole[start:stop].tobytes()


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("name", NAMES)
def test_errors_of_float32(name: str) -> None:
    """Those without functions of their own are the results of float64, rounded."""
    with np.errstate(all="ignore"):
        arguments = [np.concatenate([a, -a, ENDS]).astype(np.float32) for a in stored(name)[0]]
        exact = evaluate(name, *(a.astype(np.float64) for a in arguments))
        want = exact.astype(np.float32)
    got = evaluate(name, *arguments)
    finite = np.isfinite(want) & np.isfinite(got)
    off = np.abs(got[finite] - exact[finite]) / np.spacing(np.abs(want[finite])).astype(np.float64)
    allowed = 2.0 if name in SINGLE else 0.5 + 1e-7
    assert off.max() <= allowed, arguments[0][finite][off.argmax()]
    np.testing.assert_array_equal(got[~finite], want[~finite])
    assert np.array_equal(np.signbit(got[want == 0]), np.signbit(want[want == 0]))


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("name", NAMES)
def test_special_values_of_float32_are_numpys(name: str) -> None:
    ends = list(itertools.product(ENDS32, repeat=2 if name in BINARY else 1))
    arguments = [np.array(a, np.float32) for a in zip(*ends, strict=True)]
    got = evaluate(name, *arguments)
    with np.errstate(all="ignore"):
        want = np.asarray(meaning(name)(*(a.astype(np.float64) for a in arguments))).astype(np.float32)
    np.testing.assert_allclose(got, want, rtol=3e-7, atol=2e-45 if name != "lgamma" else 1e-7)
    assert np.array_equal(np.signbit(got[want == 0]), np.signbit(want[want == 0]))


ENDS32 = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 2.0**-126, 1e-40, -1e-40, 3.4028235e38,
          -3.4028235e38, 1e30, 2.0, -2.0, 0.5, -0.5, 2.5, -2.5, 88.72284, 88.75, 89.5, -87.4, -103.9, -104.1, 128.0,
          -149.0, -150.0, -150.5, 65536.0, -65540.0, 9.1, -18.0]  # fmt: skip


@pytest.mark.parametrize("name", sorted(SINGLE))
def test_without_fused_operations_float32_is_that_of_float64(name: str) -> None:
    """Elsewhere errors would be larger, and nobody has counted them."""
    near = "near" if name in ("sin", "cos", "tan") else ""
    text = function(f"ft_{name}{near}_f32")
    assert text is not None
    assert re.search(rf"#else\n  return \(float\)ft_{name}{near}_f64\([a-z, ]+\);\n#endif", text)


@pytest.mark.parametrize("name", NAMES)
def test_no_function_of_the_c_library_is_called(name: str) -> None:
    text = prelude(f"ft_{name}_f64(x)")
    text = text.replace(f": {name}(x);", "").replace(f"double {name}(double)", "")  # far arguments of waves
    assert not re.search(rf"(?<![\w.]){name}f?\(", text)


def test_what_is_called_often_is_not_inlined() -> None:
    few, many = (prelude("ft_exp_f64(x) " * n) for n in (STRAIGHT_STATEMENTS, STRAIGHT_STATEMENTS + 1))
    assert "always_inline)) double ft_exp_f64(" in few
    assert "noinline, const)) double ft_exp_f64(" in many


def test_rare_arguments_are_called_for_and_do_not_count() -> None:
    """In tiles the functions of near arguments are inlined, and those for far ones are calls anyway."""
    text = prelude("ft_sinnear_f64(x) ft_sin_f64(x) " * STRAIGHT_STATEMENTS)
    assert "always_inline)) double ft_sinnear_f64(" in text
    assert "noinline, const)) double ft_sin_f64(" in text
    assert "noinline, const)) double ft_sinnear_f64(" in prelude("ft_sinnear_f64(x) " * (STRAIGHT_STATEMENTS + 1))


def test_no_such_function() -> None:
    assert function("ft_zeta_f64") is None


PRODUCTS = [*range(3, 14), 16, 17, 31, 33, 47, 63, 64, -1, -2, -3, -4, -5, -7, -8, -13, -64, 0.5, 1.5, 2.5, 3.5, 4.5,
            7.5, 31.5, -0.5, -1.5, -2.5, -3.5, -4.5, -7.5, -31.5]  # fmt: skip
OTHERS = [1 / 3, -1 / 3, 2 / 3, 2.7, 1.7, -0.3, 0.1, 1e-3, -1e-5, 3.14159, 7.9, -7.9, -1.4, 100.0, 9.3, 1e-9, -70.5]


EDGES = np.array(ENDS)


def _bases(exponent: float, dtype: str) -> np.ndarray:
    """Numbers of all sizes that have a power, and then ends."""
    rng, info = np.random.default_rng(7), np.finfo(dtype)
    p = float(np.dtype(dtype).type(exponent))
    reach = min(-info.minexp, info.maxexp) / max(1.0, abs(p))
    sizes = [rng.uniform(-reach, reach, 400), rng.uniform(-1, 1, 600), rng.uniform(-1, 1, 400) / 64]
    x = np.exp2(np.concatenate(sizes)).astype(dtype)
    if p == int(p):
        x[::3] *= -1
    with np.errstate(over="ignore"):
        return np.concatenate([x, EDGES.astype(dtype)])


def _power(exponent: float, dtype: str) -> tuple[UOp, UOp]:
    """The argument, and its power."""
    p = float(np.dtype(dtype).type(exponent))
    x = source.param(_bases(exponent, dtype).shape, {"float64": dtypes.float64, "float32": dtypes.float32}[dtype])
    return x, UOp(Ops.POW, x.dtype, (x, B.full(x.shape, x.dtype, p)))


@functools.cache
def _powers(dtype: str) -> dict[float, np.ndarray]:
    """All powers, by one program."""
    exponents = [0, 1, 2, *PRODUCTS, *OTHERS]
    params, outputs = zip(*(_power(e, dtype) for e in exponents), strict=True)
    found = Program(list(outputs), list(params))([_bases(e, dtype) for e in exponents])
    return dict(zip(exponents, found, strict=True))


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("exponent", [0, 1, 2, *PRODUCTS, *OTHERS])
def test_powers_with_constant_exponents(exponent: float, dtype: str) -> None:
    """Within 2 ULP of exact values over the whole range, and the ends of pow."""
    info, p = np.finfo(dtype), float(np.dtype(dtype).type(exponent))
    x, edges = np.split(_bases(exponent, dtype), [-len(EDGES)])
    got = _powers(dtype)[exponent]
    with mp.workprec(120):
        exact = [mp.power(mp.mpf(float(v)), mp.mpf(p)) for v in x]
        near = np.array([float(v) for v in exact])
        normal = (np.abs(near) < float(info.max)) & (np.abs(near) >= float(info.tiny))
        ulps = [abs(mp.mpf(float(g)) - e) / mp.mpf(float(np.spacing(abs(np.dtype(dtype).type(float(e))))))
                for g, e, ok in zip(got, exact, normal, strict=False) if ok]  # fmt: skip
    assert max(ulps) <= 2.0
    with np.errstate(all="ignore"):
        want = np.float_power(edges, np.full(len(edges), p)).astype(dtype)
    ends = got[len(x) :]
    np.testing.assert_allclose(ends, want, rtol=3 * info.eps, atol=2 * float(info.smallest_subnormal))
    assert np.array_equal(np.signbit(ends[want == 0]), np.signbit(want[want == 0]))
    base, power = _power(exponent, dtype)
    text = Program([power], [base]).c_source
    assert ("ft_pow_f" in text) == (exponent in (0, 100.0, 9.3, 1e-9, -70.5))


@pytest.mark.parametrize("name", sorted(DOUBLE.keys() - {"powby"}))
def test_an_expansion_means_the_function(name: str) -> None:
    """By NumPy alone, op by op, as on a machine that fuses nothing."""
    arguments, exact, rest = stored(name)
    if name in ("sin", "cos", "tan"):
        near = np.abs(arguments[0]) <= LIMITS[8]
        arguments, exact, rest = [arguments[0][near]], exact[near], rest[near]
    found = expansion(name, dtypes.float64, fused=False)
    assert found is not None
    values = dict(zip(found.arguments, arguments, strict=True))
    with np.errstate(all="ignore"):
        for u in toposort((found.result,)):
            if u not in values:
                numpy = opdef(u).numpy
                src = [np.asarray(values[s], s.dtype.numpy) for s in u.src]
                values[u] = np.asarray(1.0 if u.op is Ops.PARAM else u.arg if numpy is None else numpy(u, *src))
    got = np.broadcast_to(values[found.result], exact.shape)
    size = np.abs(exact)
    if name == "lgamma":
        x = arguments[0]
        size = np.maximum(size, np.where(x < 0, np.maximum(1.0, np.abs(scipy.special.gammaln(-x))), 1.0))
    finite = np.isfinite(exact)
    assert np.array_equal(got[~finite], exact[~finite])
    errors = np.abs((got[finite] - exact[finite]) - rest[finite]) / np.spacing(size[finite])
    assert errors.max() <= 2 * ULPS.get(name, 2.0), arguments[0][finite][errors.argmax()]


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_remainders_are_exact_for_all_numbers(dtype: Any) -> None:
    """Quotients of all sizes, numbers at the ends of their range, zeros of both signs, what is not finite."""
    rng, info = np.random.default_rng(5), np.finfo(dtype)
    ends = [0.0, 1.0, 3.0, 0.1, 1 / 3, 2.0**24 + 1, np.inf, np.nan, info.max, info.tiny, info.smallest_subnormal]
    a, b = (m.ravel() for m in np.meshgrid(*[np.array([*ends, *(-x for x in ends)], dtype)] * 2))
    e = rng.integers(-30, 30, 4000)
    near = (2.0 ** (e + rng.integers(-60, 60, 4000))).astype(dtype)
    a = np.concatenate([a, (rng.standard_normal(4000) * 2.0**e).astype(dtype), rng.integers(-99, 99, 999) * dtype(0.1)])
    b = np.concatenate([b, rng.standard_normal(4000).astype(dtype) * near, np.full(999, 0.1, dtype)])
    for f in (np.fmod, np.remainder, np.floor_divide):
        with np.errstate(all="ignore"):
            wanted = f(a, b)
        found = ft.jit(lambda x, y, f=f: f(x, y))(a, b)
        np.testing.assert_array_equal(found, wanted)
        np.testing.assert_array_equal(np.signbit(found)[wanted == 0], np.signbit(wanted)[wanted == 0])
