"""Jacobians of models: stages, multiple shooting, stencils, a power grid. Patterns exact, values to rounding."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.transforms.sparse.spjacobian import spjacobian


def dense(f: Any, x: np.ndarray) -> np.ndarray:
    """Complex-step columns, by NumPy alone: f is plain NumPy code."""
    h = 1e-30
    columns = []
    for j in range(x.size):
        z = x.astype(complex)
        z.reshape(-1)[j] += 1j * h
        columns.append(np.imag(f(z)).reshape(-1) / h)
    return np.stack(columns, axis=1)


def exact(f: Any, x: np.ndarray) -> Any:
    """The Jacobian, after its values and its pattern were compared with the dense one."""
    J, want = spjacobian(f), dense(f, x)
    have = J(x)
    np.testing.assert_allclose(have.toarray(), want, rtol=1e-12, atol=1e-12 * np.abs(want).max(initial=1))
    np.testing.assert_array_equal(J.pattern(x).to_scipy().toarray(), want != 0)
    return J


def test_stage_constraints_under_vmap() -> None:
    nx, nu, stages = 4, 2, 3
    random = np.random.default_rng(0)
    x, u = random.normal(size=(stages, nx)), random.normal(size=(stages, nu))

    def c(x: Any, u: Any) -> Any:
        return np.stack([(x**2).sum(), (u**2).sum()])

    J = spjacobian(c, argnums=(0, 1))
    by_x, by_u = ft.vmap(J.values)(x, u)
    np.testing.assert_allclose(by_x, 2 * x, rtol=1e-15)
    np.testing.assert_allclose(by_u, 2 * u, rtol=1e-15)
    assert [p.rows.tolist() for p in J.pattern(x[0], u[0])] == [[0] * 4, [1] * 2]

    def every(z: Any) -> Any:
        return ft.vmap(c)(z[:, :nx], z[:, nx:])

    z = np.hstack([x, u])
    whole = spjacobian(every)
    blocks = np.kron(np.eye(stages), [[1] * nx + [0] * nu, [0] * nx + [1] * nu])
    np.testing.assert_array_equal(whole.pattern(z).to_scipy().toarray(), blocks)
    np.testing.assert_allclose(whole(z).data, 2 * z.reshape(-1), rtol=1e-15)
    assert whole.coloring(z).num_colors == 1 and whole.coloring(z).partition == "row"  # rows share no column
    assert spjacobian(every, partition="column").coloring(z).num_colors == nx


def bicycle(state: Any, control: Any) -> Any:
    """Kinematic bicycle: position, heading, speed, steering angle; acceleration and steering rate."""
    heading, speed, steer = state[2], state[3], state[4]
    beta = np.arctan(0.5 * np.tan(steer))
    course = heading + beta
    rates = [speed * np.cos(course), speed * np.sin(course), speed / 1.6 * np.sin(beta), control[0], control[1]]
    return np.stack(rates)


def rk4(state: Any, control: Any, step: float = 0.1) -> Any:
    k1 = bicycle(state, control)
    k2 = bicycle(state + step / 2 * k1, control)
    k3 = bicycle(state + step / 2 * k2, control)
    k4 = bicycle(state + step * k3, control)
    return state + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


N, NX, NU = 20, 5, 2


def shooting_by_hand(z: Any) -> Any:
    """Gaps between stages, each integrated by itself."""
    states = z[: (N + 1) * NX].reshape((N + 1, NX))
    controls = z[(N + 1) * NX :].reshape((N, NU))
    return np.stack([states[k + 1] - rk4(states[k], controls[k]) for k in range(N)]).reshape(-1)


def shooting(z: Any) -> Any:
    """The same, mapped over the stages."""
    states = z[: (N + 1) * NX].reshape((N + 1, NX))
    controls = z[(N + 1) * NX :].reshape((N, NU))
    return (states[1:] - ft.vmap(rk4)(states[:-1], controls)).reshape(-1)


def test_bicycle_multiple_shooting() -> None:
    z = np.random.default_rng(1).uniform(0.2, 1.0, (N + 1) * NX + N * NU)
    J = spjacobian(shooting)
    want = dense(shooting_by_hand, z)
    np.testing.assert_allclose(J(z).toarray(), want, rtol=1e-12, atol=1e-13)
    np.testing.assert_array_equal(J.pattern(z).to_scipy().toarray(), want != 0)
    # a stage holds 5 states and 2 controls; the next state adds to each row an entry of its own
    assert J.coloring(z).num_colors <= 8
    constant = J.empty_values(z)
    assert np.count_nonzero(constant == 1) >= N * NX  # the next state enters linearly
    by_hand = spjacobian(shooting_by_hand)
    assert by_hand.pattern(z) == J.pattern(z)
    np.testing.assert_allclose(by_hand(z).data, J(z).data, rtol=1e-12, atol=1e-14)


def heat(u: Any) -> Any:
    return u[2:] - 2 * u[1:-1] + u[:-2] + np.exp(u[1:-1])


def ring(u: Any) -> Any:
    return np.roll(u, 1) - 2 * u + np.roll(u, -1) + u * u


def plane(u: Any) -> Any:
    p = np.pad(u, 1) if isinstance(u, np.ndarray) else np.pad(u, ((1, 1), (1, 1)))
    return (p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4 * u) * u


def torus(u: Any) -> Any:
    return np.roll(u, 1, 0) * np.roll(u, -1, 0) + np.roll(u, 1, 1) * np.roll(u, -1, 1) + u**3


@pytest.mark.parametrize(
    ("f", "shape", "colors"),
    [(heat, (9,), 3), (ring, (9,), 3), (ring, (10,), 4), (plane, (4, 6), 5), (torus, (5, 5), 5), (torus, (4, 6), 12)],
)
def test_stencils(f: Any, shape: tuple[int, ...], colors: int) -> None:
    x = np.random.default_rng(2).uniform(0.5, 1.5, shape)
    J = exact(f, x)
    assert J.coloring(x).num_colors <= colors


def test_long_stencil_is_linear_in_its_length() -> None:
    J = spjacobian(ring)
    x = np.linspace(0.0, 1.0, 30_000)
    assert J.pattern(x).nnz == 90_000 and J.coloring(x).num_colors == 3
    matrix = J(x)
    np.testing.assert_allclose(matrix.diagonal(), 2 * x - 2, rtol=1e-12)
    np.testing.assert_array_equal(J.empty_values(x)[matrix.data == 1], 1.0)


def test_power_flow_on_an_edge_list() -> None:
    buses = 9
    edges = np.array([[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 0], [1, 6], [4, 7], [7, 8], [1, 2]])  # one doubled
    source = np.concatenate([edges[:, 0], edges[:, 1]])
    target = np.concatenate([edges[:, 1], edges[:, 0]])
    random = np.random.default_rng(3)
    g, b = random.uniform(0.5, 1, source.size), random.uniform(-2, -1, source.size)
    free_angle, free_magnitude = np.arange(1, buses), np.array([2, 3, 5, 6, 8])

    def f(x: Any) -> Any:
        angle = np.concatenate([np.zeros(1), x[: buses - 1]])
        order = np.argsort(np.concatenate([free_magnitude, [0, 1, 4, 7]]))
        magnitude = np.concatenate([x[buses - 1 :], np.ones(4)])[order]
        difference = angle[source] - angle[target]
        product = magnitude[source] * magnitude[target]
        active = product * (g * np.cos(difference) + b * np.sin(difference))
        reactive = product * (g * np.sin(difference) - b * np.cos(difference))
        if isinstance(x, np.ndarray):  # bincount has no complex weights
            p, q = np.zeros(buses, x.dtype), np.zeros(buses, x.dtype)
            np.add.at(p, source, active)
            np.add.at(q, source, reactive)
        else:
            p = np.bincount(source, weights=active, minlength=buses)
            q = np.bincount(source, weights=reactive, minlength=buses)
        return np.concatenate([(p + magnitude**2)[free_angle], (q - magnitude**2)[free_magnitude]])

    x = np.concatenate([random.normal(0, 0.1, buses - 1), random.uniform(0.9, 1.1, 5)])
    J = exact(f, x)
    xs = x + random.normal(0, 0.01, (6, x.size))
    np.testing.assert_allclose(ft.vmap(J.values)(xs), [J.values(x) for x in xs], rtol=1e-13)


def test_constant_matrix_keeps_its_zeros() -> None:
    random = np.random.default_rng(4)
    a = random.normal(size=(6, 8)) * (random.random((6, 8)) < 0.3)
    b = random.normal(size=(5, 6)) * (random.random((5, 6)) < 0.4)
    x = random.uniform(0.5, 1, 8)
    J = exact(lambda x: a @ x, x)
    np.testing.assert_array_equal(J.empty_values(x), J.values(x))
    np.testing.assert_array_equal(
        spjacobian(lambda x: b @ np.sin(a @ x)).pattern(x).to_scipy().toarray(), ((b != 0) @ (a != 0)) != 0
    )


def test_mapped_values_are_one_kernel() -> None:
    """Stacked tangents, flattened and re-indexed, inside the batch loop."""
    stages = spjacobian(lambda x, u: np.stack([(x**2).sum(), (u**2).sum()]), argnums=(0, 1))
    assert len(ft.jit(ft.vmap(stages.values)).lower(np.ones((3, 4)), np.ones((3, 2))).kernels) == 1
    stencil = spjacobian(lambda x: x[1:-1] * (x[2:] - x[:-2]))
    lowered = ft.jit(ft.vmap(stencil.values)).lower(np.ones((7, 6)))
    assert len(lowered.kernels) == 1
