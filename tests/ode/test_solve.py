"""solve: against SciPy to twelve digits, in its order, each lane with its own steps."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.ode import control
from tests.laws.references import alone
from tests.ode.problems import lorenz, reference, rotation, van_der_pol


def _worst(f: Any, t: Any, y0: Any, *args: Any, rtol: float, atol: float) -> float:
    """The largest error over what the tolerance asks for."""
    found = ft.ode.solve(f, t, y0, *args, rtol=rtol, atol=atol)
    assert found.status == 0
    exact = reference(f, t, y0, *args)
    return float((np.abs(np.stack(found.y, 1) - exact) / (atol + rtol * np.abs(exact))).max())


@pytest.mark.parametrize("mu", [1.0, 5.0, 20.0, 50.0])
def test_van_der_pol(mu: float) -> None:
    # to where the first fast turn begins; in it errors of phase count thousandfold
    t = np.linspace(0.0, 0.7 * mu, 6)
    assert _worst(van_der_pol, t, (2.0, 0.0), mu, rtol=1e-6, atol=1e-9) < 10


@pytest.mark.parametrize("method", ["dopri5", "esdirk", "radau"])
def test_times_that_are_products_come_to_their_end(method: str) -> None:
    """In lanes 0.8 * x minus the same number is the error of its rounding, where that is one operation."""
    lengths = np.linspace(1.0, 7.0, 13)

    def run(x: Any) -> Any:
        t = np.array([0.0, 0.3, 0.8]) * x
        s = ft.ode.solve(lambda t, y, x: -y / x, t, 1.0, x, method=method, dense=True, max_steps=90)
        return s.status, s.sol(0.5 * x)

    status, inside = ft.vmap(run)(lengths)
    assert (status == 0).all()
    assert np.allclose(inside, np.exp(-0.5), rtol=1e-4)


def test_errors_of_oscillators_in_a_fast_turn() -> None:
    # the equation multiplies errors made on the way by up to 500
    def end(mu: Any, tolerance: float) -> Any:
        t = np.array([0.0, 2.0]) * mu
        y = ft.ode.solve(van_der_pol, t, (2.0, 0.0), mu, rtol=tolerance, atol=tolerance, max_steps=50_000).y
        return y[0][-1], y[1][-1]

    mus = np.geomspace(1.0, 50.0, 1000)
    y, exact = (np.stack(ft.vmap(lambda mu, e=e: end(mu, e))(mus)) for e in (1e-6, 1e-11))
    error = (abs(y - exact) / (1e-6 * (1 + abs(exact)))).max(0)
    assert np.median(error) < 0.5 and np.quantile(error, 0.99) < 8


def test_lorenz() -> None:
    assert _worst(lorenz, np.linspace(0.0, 1.0, 7), (1.0, 1.0, 1.0), 28.0, rtol=1e-7, atol=1e-9) < 10


@pytest.mark.parametrize("end", [3.0, -3.0])
@pytest.mark.parametrize("rtol", [1e-4, 1e-8])
def test_linear_systems_forward_and_backward(end: float, rtol: float) -> None:
    t = np.linspace(0.0, end, 23)
    found = ft.ode.solve(rotation, t, np.array([0.0, 1.0]), 2.0, rtol=rtol, atol=rtol)
    exact = np.stack([np.sin(2 * t), np.cos(2 * t)], 1)
    assert found.status == 0 and np.abs(found.y - exact).max() < 10 * rtol


def test_errors_follow_the_tolerance() -> None:
    errors, steps = [], []
    for rtol in (1e-5, 1e-10):
        s = ft.ode.solve(rotation, np.array([0.0, 10.0]), np.array([0.0, 1.0]), 1.0, rtol=rtol, atol=rtol)
        errors.append(abs(s.y[-1, 0] - np.sin(10.0)))
        steps.append(int(s.stats.accepted))
        assert s.stats.evaluations == 2 + 6 * (s.stats.accepted + s.stats.rejected)
    # order five: an error 1e5 times smaller wants ten times the steps
    assert 7 < steps[1] / steps[0] < 12
    assert 1e4 < errors[0] / errors[1] < 1e6


def test_values_in_between_are_of_order_four() -> None:
    errors = []
    for h in (0.4, 0.2):
        t = np.array([0.0, 0.3 * h, 0.6 * h, 0.8 * h, h])
        # tolerances that accept anything: one step of the length h
        s = ft.ode.solve(rotation, t, np.array([0.0, 1.0]), 1.0, rtol=1e3, atol=1e3, first_step=h)
        assert s.stats.accepted == 1
        errors.append(np.abs(s.y[1:-1, 0] - np.sin(t[1:-1])).max())
    assert 4.5 < np.log2(errors[0] / errors[1]) < 5.5  # of one step: one more


def test_steps_do_not_depend_on_the_times_wanted() -> None:
    few = ft.ode.solve(van_der_pol, np.array([0.0, 4.0]), (2.0, 0.0), 3.0)
    many = ft.ode.solve(van_der_pol, np.linspace(0.0, 4.0, 57), (2.0, 0.0), 3.0)
    assert few.stats == many.stats
    np.testing.assert_allclose([y[-1] for y in few.y], [y[-1] for y in many.y], rtol=1e-12)


@pytest.mark.parametrize("m", [2, 5, 170])
def test_lanes_take_the_steps_they_take_alone(m: int) -> None:
    mus = np.array([1.0, 30.0, 2.0, 0.5, 11.0, 3.0, 1.0, 7.0, 20.0, 0.1, 5.0])

    def run(mu: Any) -> Any:
        s = ft.ode.solve(van_der_pol, np.linspace(0.0, 2.0, m), (2.0, 0.0), mu, max_steps=np.int64(60))
        return s.y, s.stats, s.status

    apart = [ft.tree.leaves(x) for x in alone(run, mus)]
    for method in ("vmapin", "rewrite", "pad_reduce"):
        together = ft.tree.leaves(ft.vmap(run, method=method)(mus))
        for k, lanes in enumerate(together):
            assert lanes.tobytes() == np.array([x[k] for x in apart]).tobytes(), method
    assert {0, 1} == set(together[-1].tolist())  # some lanes came to the end, some had no steps left
    assert len(set(together[2].tolist())) > 5


def test_a_lane_that_begins_does_not_go_through_its_times() -> None:
    @ft.jit
    @ft.vmap
    def run(mu: Any) -> Any:
        return ft.ode.solve(van_der_pol, np.linspace(0.0, 2.0, 301) * mu, (2.0, 0.0), mu).y[0]

    source = run.lower(np.linspace(1.0, 5.0, 64)).c_source
    # the next time of each lane is read, those of a vector of lanes one behind the other are not
    assert re.search(r"p0_0\[k\] \* \(301\) \+ v\d+_0\[k\]\]", source)
    assert not re.search(r"p0_0\[k\] \* \(30[01]\) \+ v\d+\]", source)


def test_a_state_of_many_numbers_at_many_times() -> None:
    # whose loops walk its numbers, and call their bodies: rows are stored by an inner one
    rates, t = np.linspace(0.5, 2.0, 60), np.linspace(0.0, 2.0, 90)
    y = ft.ode.solve(lambda t, y, k: -k * y, t, np.ones(60), rates, rtol=1e-9).y
    np.testing.assert_allclose(y, np.exp(-rates * t[:, None]), rtol=1e-6)
    both = ft.vmap(lambda k: ft.ode.solve(lambda t, y, k: -k * y, t, np.ones(60), k, rtol=1e-9).y)
    np.testing.assert_array_equal(both(np.stack([rates[::-1], rates]))[1], y)


def test_lanes_have_times_and_tolerances_of_their_own() -> None:
    ends, tolerances = np.array([1.0, -2.0, 0.0, 5.0]), np.array([1e-4, 1e-6, 1e-8, 1e-3])

    def run(end: Any, tol: Any) -> Any:
        s = ft.ode.solve(rotation, np.linspace(0.0, 1.0, 4) * end, np.array([0.0, 1.0]), 1.0, rtol=tol, atol=tol)
        return s.y[:, 0], s.stats.accepted

    y, steps = ft.vmap(run)(ends, tolerances)
    assert np.all(np.abs(y - np.sin(np.linspace(0.0, 1.0, 4) * ends[:, None])) < 10 * tolerances[:, None])
    assert steps[2] == 0 and len(set(steps.tolist())) == 4


def test_the_last_step_ends_where_it_should() -> None:
    # one step a little shorter or longer than the length to try, then two
    steps = []
    for end in (0.9, 0.995, 1.0, 1.005, 1.05):
        s = ft.ode.solve(lambda t, y: t, np.array([0.0, end]), 0.0, first_step=1.0)
        assert s.status == 0 and s.y[-1] == pytest.approx(end * end / 2, rel=1e-12)
        steps.append(int(s.stats.accepted))
    assert steps == [1, 1, 1, 1, 2]


def test_times_that_are_the_same() -> None:
    s = ft.ode.solve(lambda t, y: -y, np.array([0.0, 0.0, 1.0, 1.0]), 2.0)
    assert s.y[0] == s.y[1] == 2.0 and s.y[2] == s.y[3] and s.status == 0
    s = ft.ode.solve(lambda t, y: -y, np.array([3.0, 3.0]), 2.0)
    assert s.y.tolist() == [2.0, 2.0] and s.stats[:2] == (0, 0) and s.status == 0
    s = ft.ode.solve(lambda t, y: -y, np.array([3.0]), np.array([2, 1]))
    assert s.y.tolist() == [[2.0, 1.0]] and s.stats[:2] == (0, 0) and s.status == 0


def test_states_are_pytrees() -> None:
    y0 = {"x": np.array([[1, 2], [3, 4]]), "v": np.float64(0.0)}
    s = ft.ode.solve(lambda t, y: {"x": -y["x"], "v": t}, np.array([0.0, 1.0, 2.0]), y0)
    np.testing.assert_allclose(s.y["x"][-1], y0["x"] * np.exp(-2.0), rtol=1e-5)
    np.testing.assert_allclose(s.y["v"], [0.0, 0.5, 2.0], rtol=1e-6)
    z = ft.ode.solve(lambda t, y: 1j * y, np.array([0.0, 1.0]), 1 + 0j).y
    assert abs(z[-1] - np.exp(1j)) < 1e-5
    short = ft.ode.solve(lambda t, y: -y, np.array([0.0, 1.0]), np.float32(1.0), rtol=1e-4)
    assert short.y.dtype == np.float32 and abs(short.y[-1] - np.exp(-1)) < 1e-4


def test_it_ends_where_it_cannot_go_on() -> None:
    blows_up = ft.ode.solve(lambda t, y: y * y, np.array([0.0, 0.5, 2.0]), 1.0)
    assert blows_up.status == 2 and abs(blows_up.y[1] - 2.0) < 1e-4 and np.isnan(blows_up.y[2])
    for sign in (1.0, -1.0):  # of a NaN, which the length of the next step is made of by its bits
        no_number = ft.ode.solve(lambda t, y, a: y * a, np.array([0.0, 1.0]), 1.0, np.copysign(np.nan, sign))
        assert no_number.status == 2 and np.isnan(no_number.y[1])
    out_of_steps = ft.ode.solve(lambda t, y: -y, np.array([0.0, 1e-5, 1.0]), 1.0, max_steps=3)
    assert out_of_steps.status == 1 and out_of_steps.stats.accepted == 3
    assert abs(out_of_steps.y[1] - 1.0) < 1e-4 and np.isnan(out_of_steps.y[2])


def test_a_step_into_what_is_no_number_is_taken_shorter() -> None:
    # sqrt of a negative number past t = 1: only a step that ends before is taken
    s = ft.ode.solve(lambda t, y: np.sqrt(1.0 - t), np.array([0.0, 1.0]), 0.0, first_step=10.0, rtol=1e-4)
    assert s.status == 0 and abs(s.y[-1] - 2 / 3) < 1e-3
    s = ft.ode.solve(lambda t, y: np.log(y), np.array([0.0, 1.0]), 0.5, first_step=1.0)
    assert s.stats.rejected > 0 and s.status == 2  # y falls to zero, where its logarithm ends


def test_traced_times_out_of_order() -> None:
    t = np.array([[0.0, 1.0, 2.0], [0.0, 2.0, 1.0], [0.0, np.nan, 2.0], [3.0, 2.0, 1.0]])
    s = ft.vmap(lambda t: ft.ode.solve(lambda t, y: -y, t, 1.0))(t)
    assert s.status.tolist() == [0, 3, 3, 0]
    assert np.isnan(s.y[1:3, 1:]).all() and np.isfinite(s.y[[0, 3]]).all()


def test_times_in_a_list() -> None:
    for times in ([0.0, 1.0], (0, 1)):
        solved, stepped = (f(lambda t, y: -y, times, 1.0) for f in (ft.ode.solve, ft.ode.rk4))
        np.testing.assert_array_equal(solved.y, ft.ode.solve(lambda t, y: -y, np.array([0.0, 1.0]), 1.0).y)
        assert stepped.shape == (2,)
    with pytest.raises(ft.ArgumentValueError, match="finite times"):
        ft.ode.solve(lambda t, y: -y, [0.0, 2.0, 1.0], 1.0)


def test_errors() -> None:
    t = np.array([0.0, 1.0])

    def f(t: Any, y: Any) -> Any:
        return -y

    for wrong in (np.array([0.0, 2.0, 1.0]), np.array([0.0, np.nan])):
        with pytest.raises(ft.ArgumentValueError, match="finite times"):
            ft.ode.solve(f, wrong, 1.0)
    with pytest.raises(ft.ArgumentError, match=r"t of ode.solve of f is a list"):
        ft.jit(lambda end: ft.ode.solve(f, [0.0, end], 1.0).y)(1.0)
    with pytest.raises(ft.ArgumentError, match="holds no arrays"):
        ft.ode.solve(f, t, ())
    unbuilt: list[tuple[dict[str, Any], str]] = [
        ({"jac": f}, "explicit"), ({"mass": np.eye(1)}, "explicit"),
    ]  # fmt: skip
    for options, text in unbuilt:
        with pytest.raises(ft.UnsupportedError, match=text):
            ft.ode.solve(f, t, 1.0, **options)
    refused: list[dict[str, Any]] = [
        {"method": "rk45"}, {"adjoint": "none"}, {"max_steps": 0}, {"max_steps": 2.5}, {"rtol": -1.0},
        {"atol": np.inf}, {"first_step": 0.0}, {"max_events": 0},
    ]  # fmt: skip
    for options in refused:
        with pytest.raises(ft.ArgumentValueError, match=next(iter(options))):
            ft.ode.solve(f, t, 1.0, **options)
    with pytest.raises(ft.ShapeError, match=r"atol of ode.solve"):
        ft.ode.solve(f, t, 1.0, atol=np.ones(2))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_logarithms_and_powers_of_the_controller(dtype: Any) -> None:
    x = np.exp2(np.linspace(-30.0, 30.0, 9001)).astype(dtype)
    found = ft.jit(control.near_log2)(x)
    assert found.dtype == dtype and np.abs(found - np.log2(x)).max() < 0.01
    for wrong in (0.0, np.inf):  # some number: what comes of it is bounded
        assert np.isfinite(control.near_log2(ft.Tensor(dtype(wrong))).numpy())


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_lengths_of_next_steps(dtype: Any) -> None:
    h = dtype(2.0)

    def factor(error: float, before: float, may_grow: bool) -> float:
        found, _ = ft.jit(control.next_step)(h, dtype(error), dtype(np.log2(before)), np.bool_(may_grow))
        assert found.dtype == dtype
        return float(found / h)

    for error in (1e-3, 0.1, 0.9):
        exact = 0.9 * 0.5**0.04 / error**0.17
        assert factor(error, 0.5, True) == pytest.approx(exact, rel=0.01)
        assert factor(error, 0.5, False) == pytest.approx(min(exact, 1.0), rel=0.01)
    assert factor(30.0, 0.5, True) == pytest.approx(0.9 / 30**0.17, rel=0.01)
    assert factor(0.0, 0.5, True) == pytest.approx(10.0, rel=0.01)
    for large in (1e15, np.inf, np.nan, np.copysign(np.nan, -1.0)):
        assert factor(large, 0.5, True) == pytest.approx(0.2, rel=0.01)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_lengths_that_foresee_errors(dtype: Any) -> None:
    """By the last two errors and lengths, as Gustafsson does, where that is shorter."""
    controller = control.PREDICTIVE

    def after(h: float, error: float, before: Any, may_grow: bool = True) -> Any:
        return ft.jit(controller.next)(dtype(h), dtype(error), dtype(before), np.bool_(may_grow))

    h, kept = after(-0.5, 0.04, controller.before)
    assert h.dtype == dtype and h == pytest.approx(-0.5 * 0.9 / 0.04**0.25, rel=0.01)
    foreseen = 0.9 * (0.8 / 0.5) * (0.04 / 0.2**2) ** 0.25
    for error, wanted in ((0.2, min(foreseen, 0.9 / 0.2**0.25)), (0.7, 0.9 * 1.6 * (0.04 / 0.49) ** 0.25)):
        assert after(-0.8, error, kept)[0] / -0.8 == pytest.approx(wanted, rel=0.02)
    refused, still = after(0.8, 16.0, kept)
    assert refused / 0.8 == pytest.approx(0.45, rel=0.01) and still == kept
    assert after(1.0, 1e-9, controller.before)[0] == pytest.approx(8.0, rel=0.01)
    assert after(1.0, 1e-9, controller.before, False)[0] == pytest.approx(1.0, rel=0.01)
    assert after(1.0, np.nan, kept)[0] == pytest.approx(0.2, rel=0.01)


def test_the_tolerance_of_an_estimate_of_order_three() -> None:
    found = control.of_order_three(control.Tolerance(np.array([1e-6, 0.0]), np.array([1e-9, 1e-7])))
    np.testing.assert_array_equal(found.relative, [32 * 1e-6, 0.0])  # 1e-5 / 0.3, by the nearest power of two
    np.testing.assert_array_equal(found.absolute, [32 * 1e-9, 1e-7])
    given = np.geomspace(1e-12, 10.0, 9)  # a constant and an argument of the same bits
    each = ft.jit(ft.vmap(lambda r: control.of_order_three(control.Tolerance(r, r)).relative))(given)
    assert [ft.jit(lambda r=r: control.of_order_three(control.Tolerance(r, r)).relative)() for r in given] == list(each)
