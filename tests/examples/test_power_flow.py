"""The power-flow example: its equations against PYPOWER, its parts, and the whole run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import functrans as ft

pytest.importorskip("pypower")

from scipy.sparse import csr_array
from scipy.sparse.linalg import spsolve

from examples.power_flow import study
from examples.power_flow.__main__ import main
from examples.power_flow.equations import power_balance
from examples.power_flow.grid import Floats, Grid, read_grid
from examples.power_flow.newton import Iteration, Newton
from examples.power_flow.reference import (
    difference,
    pattern_difference,
    reference_jacobian,
    relative_error,
    solve_reference,
)
from examples.power_flow.report import Check, duration
from examples.power_flow.scenarios import load_scenarios

SIZES = [118, 300]


@pytest.fixture(params=SIZES)
def grid(request: pytest.FixtureRequest) -> Grid:
    return read_grid(request.param)


def perturbed(grid: Grid) -> Floats:
    start = grid.start()
    return start + 0.02 * np.random.default_rng(3).standard_normal(start.size)


def reference_unknowns(grid: Grid) -> Floats:
    angle, magnitude = solve_reference(grid.num_buses)
    return np.concatenate([angle[grid.free_angle], magnitude[grid.pq]])


def test_residual_vanishes_at_the_reference_solution(grid: Grid) -> None:
    residual = power_balance(grid)
    injections = grid.injections(grid.load)
    assert np.max(np.abs(residual(reference_unknowns(grid), injections))) < 1e-8
    assert np.max(np.abs(residual(grid.start(), injections))) > 0.1


def test_parallel_branches_are_one_edge(grid: Grid) -> None:
    places = grid.source * grid.num_buses + grid.target
    assert np.unique(places).size == places.size
    assert not np.any(grid.source == grid.target)
    assert {118: 2 * 179, 300: 2 * 409}[grid.num_buses] == places.size


def test_reference_jacobian_is_that_of_the_residual(grid: Grid) -> None:
    residual, x, injections = power_balance(grid), perturbed(grid), grid.injections(grid.load)
    step = 1e-5
    columns = [
        (residual(x + step * unit, injections) - residual(x - step * unit, injections)) / (2 * step)
        for unit in np.eye(x.size)
    ]
    exact = reference_jacobian(grid.num_buses, grid, x).toarray()
    assert np.max(np.abs(np.stack(columns, axis=1) - exact)) < 1e-8 * np.max(np.abs(exact))


def test_newton_with_the_reference_jacobian_finds_the_reference_solution(grid: Grid) -> None:
    residual, injections = power_balance(grid), grid.injections(grid.load)
    newton = Newton(
        lambda x: residual(x, injections), lambda x: reference_jacobian(grid.num_buses, grid, x), spsolve
    )
    lines: list[Iteration] = []
    solution = newton.run(grid.start(), lines.append)
    assert solution.converged
    assert [line.number for line in lines] == list(range(solution.iterations + 1))
    assert lines[-1].mismatch == solution.mismatch < 1e-10
    off = difference(grid, solution.x, *solve_reference(grid.num_buses))
    assert off.magnitude < 1e-8
    assert off.angle < 1e-8


def test_newton_reports_that_it_did_not_converge() -> None:
    newton = Newton(lambda x: x * x + 1, lambda x: 2 * x, lambda slope, value: value / slope)
    solution = newton.run(np.array([0.7]), lambda iteration: None)
    assert not solution.converged
    assert solution.iterations == newton.max_iterations


def test_sparse_jacobian_is_the_reference_jacobian(grid: Grid) -> None:
    jacobian = ft.spjacobian(power_balance(grid), argnums=0)
    x, injections = perturbed(grid), grid.injections(grid.load)
    matrix, exact = jacobian(x, injections), reference_jacobian(grid.num_buses, grid, x)
    assert pattern_difference(matrix, exact) == 0
    assert relative_error(matrix, exact) < 1e-12


def test_batches_are_the_loop() -> None:
    grid = read_grid(118)
    residual = power_balance(grid)
    jacobian = ft.spjacobian(residual)
    injections = load_scenarios(grid, 5)
    points = grid.start() + 0.02 * np.random.default_rng(4).standard_normal(injections.shape)
    for single, batched in [(residual, ft.vmap(residual)), (jacobian.values, ft.vmap(jacobian.values))]:
        rows = np.stack([single(x, p) for x, p in zip(points, injections)])
        np.testing.assert_allclose(batched(points, injections), rows, rtol=1e-12, atol=1e-12)


def test_relative_error_and_pattern_difference_notice_one_entry() -> None:
    exact = csr_array(np.array([[4.0, 0.0], [1.0, 2.0]]))
    other = csr_array(np.array([[4.0, 0.0], [1.0, 2.5]]))
    assert relative_error(other, exact) == 0.25
    full = csr_array(np.array([[4.0, 3.0], [1.0, 2.0]]))
    assert pattern_difference(full, exact) == 1
    assert relative_error(full, exact) == np.inf
    full.data[1] = 0.0
    assert pattern_difference(full, exact) == 1


def test_scenarios_in_one_call_are_what_newton_finds_one_by_one() -> None:
    grid = read_grid(118)
    residual, injections = power_balance(grid), load_scenarios(grid, 3)
    batch = ft.vmap(lambda p: ft.implicit.root(residual, grid.start(), p, jac="sparse"))(injections)
    for p, x in zip(injections, batch, strict=True):
        newton = Newton(lambda x: residual(x, p), lambda x: reference_jacobian(grid.num_buses, grid, x), spsolve)
        np.testing.assert_allclose(x, newton.run(grid.start(), lambda iteration: None).x, atol=1e-9)


def test_scenarios_scale_loads_alone() -> None:
    grid = read_grid(118)
    batch = load_scenarios(grid, 50)
    base, unloaded = grid.injections(grid.load), grid.injections(0 * grid.load)
    change, load = np.abs(batch - base), np.abs(base - unloaded)
    assert np.all(change <= 0.2 * load + 1e-12)
    assert np.unique(batch, axis=0).shape[0] == 50


@pytest.mark.parametrize(("value", "passed"), [(0.5, True), (1.0, False), (np.nan, False), (np.inf, False)])
def test_check_passes_below_its_limit_only(value: float, passed: bool) -> None:
    check = Check("name", value, 1.0)
    assert check.passed is passed
    assert ("FAILED" in check.line()) is not passed


@pytest.mark.parametrize(
    ("seconds", "text"), [(2.5, "2.5 s"), (0.0125, "12.5 ms"), (2.5e-5, "25.0 us"), (0.0, "0.0 us")]
)
def test_duration_picks_its_unit(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_whole_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["--out", str(tmp_path), "--scenarios", "3"]) == 0
    printed = capsys.readouterr()
    assert "13 of 13 checks passed" in printed.out
    assert printed.err == ""
    for buses in SIZES:
        assert (tmp_path / f"power_flow_{buses}.svg").read_text(encoding="utf-8").startswith("<")

    monkeypatch.setattr(study, "VOLTAGE_LIMIT", 0.0)
    assert main(["--out", str(tmp_path), "--scenarios", "3"]) == 1
    assert "FAILED" in capsys.readouterr().out
