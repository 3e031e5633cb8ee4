"""Loops and branches compiled: the same bits in every batch and schedule, one kernel, one text for all sizes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans import dtypes, tree
from functrans.backend.codegen.regions import adaptive, body, choice, known, lowered, scalar
from functrans.backend.codegen.vectors.target import Target, written_for
from functrans.backend.schedule.kernels import RegionKernel
from functrans.config import config
from functrans.ops import build as B
from functrans.ops import source
from functrans.ops.function import Function
from tests.plans import kept_apart, plan_anew

pytestmark = pytest.mark.usefixtures("compiler")
RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(37, 3))


def lorenz(s: Any) -> Any:
    def slope(s: Any) -> Any:
        return np.stack([10.0 * (s[1] - s[0]), s[0] * (28.0 - s[2]) - s[1], s[0] * s[1] - 8.0 / 3.0 * s[2]])

    return ft.scan(lambda s, _: (s + 0.01 * slope(s), s[0]), s, None, 20)


def escape(c: Any) -> Any:
    def further(s: Any) -> Any:
        return s[0] ** 2 - s[1] ** 2 + c[0], 2 * s[0] * s[1] + c[1], s[2] + 1

    return ft.while_loop(lambda s: (s[0] ** 2 + s[1] ** 2 < 4) & (s[2] < 60), further, (0.0, 0.0, 0))


def nested(a: Any) -> Any:
    def body(s: Any, e: Any) -> Any:
        grown = ft.while_loop(lambda c: np.abs(c).sum() < 3, lambda c: c * 1.7 + 0.01, s)
        return grown * 0.3 + e, ft.fori_loop(0, 3, lambda i, c: c + i * e, s.sum())

    return ft.scan(body, a, a)


def chosen(a: Any) -> Any:
    branches = [lambda a: a, np.exp, lambda a: ft.fori_loop(0, 5, lambda i, c: c * 0.9 + i, a)]
    return ft.switch(np.floor(a[0] * 2).astype(np.int64), branches, a)


def updated(a: Any) -> Any:
    return ft.scan(lambda s, i: (s.at[i].add(s[(i + 1) % 3]), s[i]), a, np.array([0, 2, 1, 1, 0]))


def narrow(a: Any) -> Any:
    b = a.astype(np.float32)
    return ft.while_loop(
        lambda c: (c[0] < 1e3) & (c[1] < 20),
        lambda c: (c[0] * np.float32(1.5) + np.abs(b[0]), c[1] + 1),
        (np.abs(b[1]), 0),
    )


def added(a: Any) -> Any:
    """With a result that is filled by adding to it."""
    at = np.array([0, 2, 2, 1])
    return ft.scan(lambda c, e: (c * 0.9 + e, (c * np.zeros(3)).at[at].add(np.stack([c, e, c * e, 1.0 + c]))), a[0], a)


def recurrence(w: Any, x: Any) -> Any:
    """Of three states, from one row that is every input: what the tests differentiate."""
    return ft.scan(lambda h, k: (np.tanh(w @ h + np.sin(x) * k), h * x), np.zeros(3), np.arange(5.0))


def derived(a: Any) -> Any:
    """A gradient: a loop forward, and one backward that reads what it stacks."""
    return ft.grad(lambda w: (recurrence(w, a)[0] ** 2).sum())(np.outer(a, ROWS[0]))


def valued(a: Any) -> Any:
    """The same with the value, the last carries and the stack."""
    loss = lambda w: (np.sin((r := recurrence(w, a))[0][0]), r)  # noqa: E731
    return ft.value_and_grad(loss, has_aux=True)(np.outer(a, ROWS[1]))


def twice(a: Any) -> Any:
    """Through two loops, the second of which begins where the first ends."""
    first = lambda b: ft.scan(lambda c, e: (np.sin(c * e) + b, c), b, a)  # noqa: E731
    return ft.grad(lambda b: (ft.scan(lambda c, e: (np.cos(c) * e, None), np.exp(first(b)[0]), a)[0] ** 2).sum())(a)


def around(a: Any) -> Any:
    """With work before and after the loop."""
    end, ys = ft.scan(lambda c, e: (np.sin(c) + e, c * e), a.sum() * 2.0, a - 1.0)
    return np.stack([end, ys[0]]) + a[:2]


def made(a: Any) -> Any:
    """With a constant of the loop that is computed before it."""
    rate = np.sin(a[0]) ** 2 + 0.5
    return ft.while_loop(lambda c: (c[0] < 20.0) & (c[1] < 90), lambda c: (c[0] + rate, c[1] + 1), (a[1], 0))


def in_order(a: Any) -> Any:
    return ft.scan(lambda s, _: (np.sort(s) * 0.9 + a, s.max()), a, None, 4)


def inside(a: Any) -> Any:
    """A map in the body of a loop."""
    return ft.scan(
        lambda s, _: (ft.vmap(lambda u: ft.fori_loop(0, 4, lambda i, c: c * 0.5 + a.sum(), u))(s), s), a, None, 3
    )


def shared(a: Any) -> Any:
    """A branch that some lanes take, of a loop that is the same in all of them and stores into what they share."""

    def filled(_: Any) -> Any:
        begun = 0, fnp.zeros(3)
        return ft.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, s[1].at[s[0]].set(s[0] * 0.5)), begun)[1]

    return ft.cond(a[0] > 0, filled, lambda a: a, a)


BODIES = [
    lorenz, escape, nested, chosen, updated, narrow, around, made, in_order, inside, added, derived, valued, twice,
    shared,
]  # fmt: skip


def alone(f: Callable[..., Any], rows: np.ndarray) -> list[np.ndarray]:
    one = ft.jit(f)
    found = [tree.leaves(one(r)) for r in rows]
    return [np.stack(part) for part in zip(*found, strict=True)]


def same(got: Any, want: list[np.ndarray]) -> None:
    leaves = tree.leaves(got)
    assert [x.dtype for x in leaves] == [x.dtype for x in want]
    assert [x.tobytes() for x in leaves] == [x.tobytes() for x in want]


@pytest.mark.parametrize("f", BODIES, ids=lambda f: f.__name__)
def test_a_lane_has_the_bits_that_it_has_alone(f: Callable[..., Any]) -> None:
    want = alone(f, ROWS[:37])
    for lanes in (1, 7, 8, 16, 33, 37):
        same(ft.vmap(f)(ROWS[:lanes]), [part[:lanes] for part in want])


@pytest.mark.parametrize("f", BODIES, ids=lambda f: f.__name__)
def test_refill_and_masks_give_the_same_bits(
    f: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    want = tree.leaves(ft.vmap(f)(ROWS))
    monkeypatch.setattr(choice, "UNROLLED_STATEMENTS", 0)
    with kept_apart(tmp_path):
        same(ft.vmap(f)(ROWS), want)


@pytest.mark.parametrize("f", BODIES, ids=lambda f: f.__name__)
def test_a_call_that_is_left_goes_on(f: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    want = tree.leaves(ft.vmap(f)(ROWS))
    for light in (0, choice.UNROLLED_STATEMENTS):
        monkeypatch.setattr(choice, "UNROLLED_STATEMENTS", light)
        monkeypatch.setattr(lowered, "TURN_PICOSECONDS", 1)  # after each round
        with kept_apart(tmp_path):
            same(ft.vmap(f)(ROWS), want)


@pytest.mark.parametrize("turn", [1, lowered.TURN_PICOSECONDS], ids=["left after each round", "to its end"])
@pytest.mark.parametrize("cost", [0, 10**12], ids=["refilled", "masked"])
@pytest.mark.parametrize("f", [escape, narrow, made], ids=lambda f: f.__name__)
def test_what_the_first_blocks_tell_does_not_change_a_bit(
    f: Callable[..., Any], cost: int, turn: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rows = np.concatenate([ROWS * scale for scale in np.geomspace(0.01, 2.0, 17)])
    monkeypatch.setattr(adaptive, "SAMPLE", 1)
    monkeypatch.setattr(adaptive, "STRETCH", 7)
    monkeypatch.setattr(adaptive, "REFILL_PICOSECONDS", cost)
    monkeypatch.setattr(lowered, "TURN_PICOSECONDS", turn)
    with kept_apart(tmp_path):
        got = ft.vmap(f)(rows)
        assert "_refilled" in ft.jit(ft.vmap(f)).lower(rows).c_source
    same(got, alone(f, rows))


@pytest.mark.parametrize("f", BODIES, ids=lambda f: f.__name__)
def test_bodies_that_are_called_mean_the_same(
    f: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    want = tree.leaves(ft.vmap(f)(ROWS))
    monkeypatch.setattr(choice, "LANE_ROUNDS", 0)
    monkeypatch.setattr(lowered, "TURN_PICOSECONDS", 1)
    with kept_apart(tmp_path):
        got = tree.leaves(ft.vmap(f)(ROWS))
    for a, b in zip(got, want, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6 if a.dtype == np.float32 else 1e-12)


@pytest.mark.parametrize("machine", [Target(32, True), Target(16, False)], ids=["of 32 bytes", "of 16 bytes"])
@pytest.mark.parametrize("f", BODIES, ids=lambda f: f.__name__)
def test_vectors_of_other_machines(f: Callable[..., Any], machine: Target, tmp_path: Path) -> None:
    want = tree.leaves(ft.vmap(f)(ROWS))
    with written_for(machine), kept_apart(tmp_path):
        same(ft.vmap(f)(ROWS), want)


@pytest.mark.parametrize("f", [np.sin, np.cos, np.tan])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_far_arguments_of_waves(f: Callable[..., Any], dtype: str) -> None:
    x = np.array([0.5, 1e22, -3e30, 1048577.0, -7.0, 1e5, 2e8, 3.0, 1e9], dtype)
    looped = ft.vmap(lambda c: ft.scan(lambda c, _: (f(c), None), c, None, 1)[0])(x)
    np.testing.assert_array_equal(looped, ft.jit(f)(x))


def test_threads_give_the_same_bits() -> None:
    rows = RNG.normal(size=(20_000, 3))
    f = ft.jit(ft.vmap(lambda s: ft.scan(lambda s, _: (np.sin(s) + 0.1 * s[::-1], None), s, None, 200)[0]))
    one = f(rows)
    with config.override(threads=2):
        two = ft.jit(ft.vmap(lambda s: ft.scan(lambda s, _: (np.sin(s) + 0.1 * s[::-1], None), s, None, 200)[0]))(rows)
    assert one.tobytes() == two.tobytes()


def test_one_kernel_whose_text_knows_neither_lanes_nor_rounds() -> None:
    def texts(lanes: int, rounds: int) -> str:
        f = ft.jit(ft.vmap(lambda s, xs: ft.scan(lambda c, x: (np.tanh(c) + x, c), s, xs)))
        low = f.lower(np.zeros((lanes, 3)), np.zeros((lanes, rounds, 3)))
        assert len(low.kernels) == 1
        return low.c_source

    assert texts(10, 10) == texts(1000, 10) == texts(10, 10_000)


def test_the_body_stands_once() -> None:
    f = ft.jit(lambda x: ft.fori_loop(0, 1000, lambda i, c: np.tanh(c) + i, x))
    assert len(re.findall(r"ft_tanh_f64\(", f.lower(1.0).c_source.split("static int")[1])) == 1


def test_bodies_that_are_called_know_their_extents() -> None:
    """An edge of one element is a number, no loop of vectors and what is left."""

    def f(x: Any) -> Any:
        def step(y: Any) -> Any:
            right, left = np.roll(y, -1), np.roll(y, 1)
            return y + 0.1 * (right - 2 * y + left) * right

        return ft.fori_loop(0, 3, lambda i, y: step(y), x)

    x = np.linspace(0.0, 1.0, 200)
    text = ft.jit(f).lower(x).c_source
    assert "_f" in text and not re.search(r"static void k\d+_f\w+\([^)]*long long n0", text)
    assert "i0 < 1;" in text
    want = x
    for _ in range(3):
        right, left = np.roll(want, -1), np.roll(want, 1)
        want = want + 0.1 * (right - 2 * want + left) * right
    np.testing.assert_allclose(ft.jit(f)(x), want, rtol=1e-14)


def test_a_body_that_is_gone_through_again_is_compiled_once() -> None:
    """Two branches that do the same to different arrays; one that does not is a function of its own."""

    def round_(x: Any, g: Callable[[Any], Any]) -> Any:
        return g(x) * (0.005 * x.sum())

    def branch(g: Callable[[Any], Any]) -> Callable[..., Any]:
        return lambda x, y: ft.while_loop(lambda c: c[0] < 2, lambda c: (c[0] + 1, round_(c[1], g)), (0, x))[1]

    x, y = np.linspace(0.0, 1.0, 400), np.linspace(1.0, 2.0, 400)
    f = ft.jit(lambda k, x, y: ft.switch(k, [branch(np.sin), branch(np.cos), branch(np.sin)], x, y))
    text = f.lower(1, x, y).c_source
    assert len(re.findall(r"ft_sinnear_f64x\d+\(v", text)) == len(re.findall(r"ft_cosnear_f64x\d+\(v", text)) > 0
    for k, g in enumerate((np.sin, np.cos, np.sin)):
        np.testing.assert_allclose(f(k, x, y), round_(round_(x, g), g), rtol=1e-12)


def test_a_body_that_is_gone_through_again_is_lowered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    plan_anew(monkeypatch)
    made: list[str] = []

    def body_of(f: Any, wanted: Any, name: str, lower: Any) -> Any:
        made.append(name)
        return body.body_of(f, wanted, name, lower)

    monkeypatch.setattr(scalar, "body_of", body_of)

    def branch(g: Callable[[Any], Any]) -> Callable[..., Any]:
        def step(c: Any) -> Any:
            return c[0] + 1, g(c[1]) * (0.005 * c[1].sum())

        return lambda x: ft.while_loop(lambda c: c[0] < 2, step, (0, x))[1]

    x = np.linspace(0.0, 1.0, 400)
    few = ft.jit(lambda k, x: ft.switch(k, [branch(np.sin), branch(np.cos)], x)).lower(1, x).c_source
    once = len(made)
    many = ft.jit(lambda k, x: ft.switch(k, [branch(np.sin), branch(np.cos), *[branch(np.sin)] * 3], x)).lower(1, x)
    assert many.c_source.count("static") == few.count("static") and len(made) == 2 * once > 0


def test_a_body_in_lanes_that_is_gone_through_again_is_scheduled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    plan_anew(monkeypatch)
    made: list[Any] = []
    real = known.scheduled
    monkeypatch.setattr(known, "scheduled", lambda outputs, *rest: (made.append(0), real(outputs, *rest))[1])

    def step(x: Any) -> Any:
        return ft.while_loop(lambda c: c[0] < 2, lambda c: (c[0] + 1, np.sin(c[1]) * c[1].sum()), (0, x))[1]

    def steps(many: int) -> Callable[[Any], Any]:
        def f(x: Any) -> Any:
            for _ in range(many):
                x = step(x) + 1.0
            return x

        return lambda x: ft.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, f(c[1])), (0, x))[1]

    x, counts = np.linspace(0.0, 1.0, 12).reshape(4, 3), []
    for many in (2, 5):
        made.clear()
        assert ft.jit(ft.vmap(steps(many))).lower(x).c_source
        counts.append(len(made))
    assert counts[0] == counts[1] > 0


def test_bodies_of_other_parameters_are_others() -> None:
    """Also where one is not read: its type is in the C."""
    x = [source.param((3,), d) for d in (dtypes.float64, dtypes.float64, dtypes.float32)]
    first, second, other = (Function((x[0], y), (B.neg(x[0]),)) for y in (x[1], source.param((3,), x[1].dtype), x[2]))
    assert known.key_of(first, [0]) == known.key_of(second, [0]) != known.key_of(other, [0])
    assert known.key_of(first, [0]) != known.key_of(Function((x[1], x[0]), (B.neg(x[0]),)), [0])


def test_what_stands_around_a_loop_goes_into_its_kernel() -> None:
    def f(a: Any) -> Any:
        return np.stack([a[0], ft.fori_loop(0, 5, lambda i, c: np.sin(c) + i, a.sum() * 2.0) * 3.0])

    assert len(ft.jit(ft.vmap(f)).lower(ROWS).kernels) == 1
    same(ft.vmap(f)(ROWS), alone(f, ROWS))


def test_a_gradient_runs_the_loop_once() -> None:
    def loss(w: Any, xs: Any) -> Any:
        return (ft.scan(lambda c, x: (np.tanh(w * c + x), None), np.zeros(3), xs)[0] ** 2).sum()

    low = ft.jit(ft.value_and_grad(loss)).lower(0.5, np.ones((10, 3)))
    assert sum(len(k.regions) for k in low.kernels if isinstance(k, RegionKernel)) == 2  # forward, and backward


def test_steps_between_kernels_are_refused_in_a_body() -> None:
    with pytest.raises(ft.UnsupportedError, match="FFT in the body of a loop"):
        ft.scan(lambda c, _: (np.fft.fft(c), None), np.ones(4) + 0j, None, 2)
