"""Calls of functions of rows: the bits of the loop that they stand for, in every batch, and each function once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans import dtypes
from functrans.backend.codegen import lanes as package
from functrans.backend.codegen.lanes import call_table as module
from functrans.backend.codegen.lanes.call_table import as_call_table
from functrans.backend.codegen.nest import Loop, nest
from functrans.backend.policy import STRAIGHT_STATEMENTS
from functrans.config import config
from functrans.errors import SpecError
from functrans.ops import Ops, UOp
from functrans.ops.execute import execute
from functrans.ops.kernel import Call, CallsArg, LocalArg, closing, number_of, row_of
from functrans.ops.spec import verify
from functrans.ops.uop import toposort
from tests.backend.executed import executed, lowered
from tests.plans import plan_anew

Body = Callable[[Any], Any]
UNARY = (
    np.sin, np.cos, np.tan, np.exp, np.tanh, np.arctan, np.arcsinh, np.cbrt, np.expm1, np.negative, np.floor,
    np.square, np.abs, lambda x: np.sqrt(np.abs(x)), lambda x: np.log1p(np.abs(x)),
    lambda x: 1 / (1 + x * x), lambda x: np.abs(x) ** 1.7,
    lambda x: 0.3 * x - 1.1, lambda x: x**3,
)  # fmt: skip
BINARY = (
    np.add, np.subtract, np.multiply, np.maximum, lambda a, b: a / (1.5 + b * b), lambda a, b: np.where(a < b, a, b),
    np.arctan2, lambda a, b: np.where((a < 0.25) & (b > -1), np.sin(b), a),
)  # fmt: skip


def random_body(seed: int) -> Body:
    """A body of some forty operations on the three numbers of a row, with two results."""
    rng = np.random.default_rng(seed)
    plan = [(int(rng.integers(len(UNARY))), int(rng.integers(len(BINARY))), rng.random(3)) for _ in range(20)]

    def body(r: Any) -> Any:
        values = [r[0], r[1], np.sin(r[2])]
        for unary, binary, (p, q, _) in plan:
            a, b = (values[int(t * len(values))] for t in (p, q))
            values.append(np.sin(UNARY[unary](BINARY[binary](a, b))))
        stack = fnp.stack if isinstance(r, ft.Tensor) else np.stack
        return stack([sum(values[3:], 0.0 * r[0]), values[-1]])

    return body


def chain(r: Any) -> Any:
    """One function over and over, and steps that are alike."""
    x, y = r[0], r[1]
    for k in range(41):
        x = np.sin(x) * y + (0.01 * k) * y
    return x


def wide(r: Any) -> Any:
    """More rows than stay on the stack, and stretches of arithmetic longer than one function."""
    kept = [np.cos(r[0] * k) for k in range(60)]
    total = r[1]
    for k in kept:
        total = total * k + r[2] - k
        total = np.where(total > 2, total - 4, total)
    for k in kept[::-1]:
        total = total - 0.5 * k
    return total


def single(r: Any) -> Any:
    """float32 and float64, whole numbers and conditions."""
    x = r.astype(np.float32)
    n = np.floor(3 * r[1]).astype(np.int32)
    for k in range(9):
        x = np.sin(x) + np.cos(r[k % 3] * (n + k)).astype(np.float32)
    return np.where(x[0] > x[1], x[2] * n, np.exp(x[1]))


def shared(r: Any) -> Any:
    """With a sum that no lane changes, in a loop before theirs."""
    return chain(r) * np.sum(WEIGHTS * WEIGHTS[::-1]) + r[2]


WEIGHTS = np.sin(np.arange(500.0))
BODIES: dict[str, Body] = {
    **{f"random{seed}": random_body(seed) for seed in range(4)}, "chain": chain, "wide": wide, "single": single,
    "shared": shared,
}  # fmt: skip


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Strips wherever they are possible."""
    monkeypatch.setattr(module, "pays", lambda values: True)
    plan_anew(monkeypatch)


def drawn(batch: int) -> np.ndarray:
    return np.random.default_rng(5).normal(size=(batch, 3))


def calls_of(f: Body, x: np.ndarray, in_axes: Any = 0) -> list[UOp]:
    """The statements of calls in the kernels of a mapped function."""
    kernels = lowered(ft.jit(ft.vmap(f, in_axes=in_axes)).lower(x).program.outputs)[1]
    return [u for k in kernels for u in k.uops if u.op is Ops.CALLS]


@pytest.mark.usefixtures("compiler", "always")
@pytest.mark.parametrize("name", BODIES)
def test_the_bits_are_those_of_the_loop_in_every_batch(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    f, x = BODIES[name], drawn(150)
    assert len(calls_of(f, x)) == 1
    with monkeypatch.context() as patch:
        patch.setattr(package, "as_call_table", lambda uops: None)
        plan_anew(patch)
        want = ft.jit(ft.vmap(lambda r: f(r)))(x)
    plan_anew(monkeypatch)
    rough = 1e-4 if name == "single" else 1e-9
    np.testing.assert_allclose(want, np.stack([np.asarray(f(row)) for row in x]), rtol=rough, atol=rough)
    for axis in (0, 1):
        g = ft.jit(ft.vmap(lambda r: f(r), in_axes=axis))
        for batch in (0, 1, 7, 16, 65, 128, 150):
            got = g(np.ascontiguousarray(x[:batch].T) if axis else x[:batch])
            np.testing.assert_array_equal(got, want[:batch])


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("name", BODIES)
def test_statements_mean_what_the_arrays_mean(name: str) -> None:
    f = BODIES[name]
    rough = 1e-4 if name == "single" else 1e-9
    for batch in (1, 19):
        x = drawn(batch)
        found = ft.jit(ft.vmap(f)).lower(x)
        outputs, params = found.program.outputs, found.program.params
        (got,) = executed(outputs, dict(zip(params, [x], strict=True)))
        np.testing.assert_allclose(got, np.stack([np.asarray(f(row)) for row in x]), rtol=rough, atol=rough)
        for kernel in lowered(outputs)[1]:
            closing(kernel.uops)


@pytest.mark.usefixtures("compiler", "always")
def test_far_arguments_and_no_numbers_change_no_other_lane() -> None:
    x = drawn(40)
    f = ft.jit(ft.vmap(lambda r: BODIES["random1"](r)))
    alone = f(x)
    for far in (1e9, -(2.0**300), np.inf, np.nan):
        y = x.copy()
        y[17] = far
        got = f(y)
        np.testing.assert_array_equal(np.delete(got, 17, 0), np.delete(alone, 17, 0))
        np.testing.assert_array_equal(got[17], f(y[17:18])[0])


@pytest.mark.usefixtures("compiler", "always")
def test_far_arguments_are_right() -> None:
    x = np.array([0.5, 1e7, -3e300, np.inf, np.nan, 2.0**20, -(2.0**20) - 1, 0.0, -0.0])
    f = ft.jit(lambda x: [g(k * x) for k in (1.0, 3.0, 7.0) for g in (np.sin, np.cos, np.tan)])
    with np.errstate(invalid="ignore"):
        want = [g(k * x) for k in (1.0, 3.0, 7.0) for g in (np.sin, np.cos, np.tan)]
    for got, right in zip(f(x), want, strict=True):
        np.testing.assert_array_equal(np.signbit(got)[-2:], np.signbit(right)[-2:])
        np.testing.assert_allclose(got, right, rtol=4e-16, atol=0)


@pytest.mark.usefixtures("compiler", "always")
def test_threads_share_strips(monkeypatch: pytest.MonkeyPatch) -> None:
    x = drawn(30_001)
    g = ft.jit(ft.vmap(lambda r: wide(r)))
    with monkeypatch.context() as one:
        one.setattr(config, "threads", 1)
        want = g(x)
    monkeypatch.setattr(config, "threads", 4)
    np.testing.assert_array_equal(g(x), want)


def test_each_function_is_there_once() -> None:
    (calls,) = calls_of(chain, drawn(3))
    results = [c.results for c in calls.arg.calls]
    assert len(results) == 82 and len(set(results)) <= 4
    assert sum(u.op is Ops.SIN for u in toposort([u for r in set(results) for u in r])) == 1
    source = ft.jit(ft.vmap(chain)).lower(drawn(3)).c_source
    assert source.count("ft_sinnear_f64(x);") == 1


def test_long_arithmetic_is_several_functions() -> None:
    (calls,) = calls_of(wide, drawn(3))
    assert all(sum(u.op is not Ops.PARAM for u in toposort(c.results)) <= STRAIGHT_STATEMENTS for c in calls.arg.calls)


@pytest.mark.parametrize(
    "body, wanted",
    [
        (chain, True),
        (lambda r: wide(r) + r.sum(), True),
        (lambda r: sum(np.sin(k * r[0]) for k in range(1, 16)), False),  # none waits for another
        (lambda r: np.exp(np.sin(np.exp(np.sin(r[0])))) * r[1], False),  # few
        (lambda r: np.sum(chain([np.arange(1.0, 40.0) * r[0], r[1]])), False),
        (lambda r: chain(fnp.sort(r)), False),  # a loop inside
        (lambda r: chain(r + 1j).real, False),
    ],
)
def test_the_choice(body: Body, wanted: bool) -> None:
    assert bool(calls_of(body, drawn(4))) == wanted


def test_what_is_read_by_a_list_is_left() -> None:
    table = np.arange(9.0)
    f = ft.jit(lambda i: chain([fnp.asarray(table)[i], fnp.asarray(table)[i] + 1]))
    kernels = lowered(f.lower(np.arange(5)).program.outputs)[1]
    assert not any(u.op is Ops.CALLS for k in kernels for u in k.uops)


def test_the_lanes_loop_is_one_loop() -> None:
    kernels = lowered(ft.jit(ft.vmap(chain)).lower(drawn(3)).program.outputs)[1]
    (loop,) = (item for item in nest(kernels[0].uops) if isinstance(item, Loop))
    assert as_call_table([]) is None and len(list(loop.walk())) < 80


def listed(call: Call, lanes: int = 4) -> list[UOp]:
    """A list with one statement of calls, on an array of two rows of four."""
    array = UOp(Ops.DEFINE_LOCAL, dtypes.float64, (), LocalArg(0, 8))
    count = UOp.const(dtypes.index, lanes)
    name = UOp(Ops.NAME, dtypes.void, (), "k")
    calls = UOp(Ops.CALLS, dtypes.void, (count, array), CallsArg(4, (call,)))
    return [array, count, calls, name, UOp(Ops.SINK, dtypes.void, (name,))]


@pytest.mark.parametrize("rows, numbers", [((0, 0), ()), ((1, 2), ()), ((2, 0), ()), ((0,), ()), ((0, 1), (1.0,))])
def test_calls_that_are_wrong_are_refused(rows: tuple[int, ...], numbers: tuple[float, ...]) -> None:
    sine = UOp(Ops.SIN, dtypes.float64, (row_of(0, dtypes.float64),))
    verify(listed(Call((sine,), (0, 1))), "kernel", "test")
    with pytest.raises(SpecError):
        verify(listed(Call((sine,), rows, numbers)), "kernel", "test")


def test_more_lanes_than_a_row_has_are_refused() -> None:
    number = UOp(Ops.NEG, dtypes.float64, (number_of(0, dtypes.float64),))
    execute(listed(Call((number,), (0,), (1.0,))), {}, {})
    with pytest.raises(SpecError, match="lanes at the most"):
        execute(listed(Call((number,), (0,), (1.0,)), lanes=5), {}, {})
