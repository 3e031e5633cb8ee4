"""The smog of the gallery against the published solution, SciPy's Radau, and what reactions keep."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

import functrans as ft
from examples import smog

# Lioen and de Swart, Test set for initial value problem solvers (1998), problem POLLU at t = 60
PUBLISHED = {
    "NO2": 0.5646255480022769e-01, "NO": 0.1342484130422339, "O3P": 0.4139734331099427e-08,
    "O3": 0.5523140207484359e-02, "HO2": 0.2018977262302196e-06, "HCHO": 0.7784249118997964e-01,
}  # fmt: skip


def by_loop(y: np.ndarray) -> np.ndarray:
    """The rate of change, read from the text once more, reaction by reaction."""
    change = np.zeros(len(y))
    for line in smog.REACTIONS.strip().splitlines():
        equation, constant = line.split(":")
        left, right = (side.replace(" 2 ", " ").split("+") for side in equation.split("->"))
        twice = " 2 " in equation.split("->")[1]
        speed = float(constant) * np.prod([y[smog.SPECIES.index(n.strip())] for n in left])
        for n in left:
            change[smog.SPECIES.index(n.strip())] -= speed
        for k, n in enumerate(right):
            change[smog.SPECIES.index(n.strip())] += speed * (2 if twice and k == 0 else 1)
    return change


def test_rate_is_the_law_of_mass_action() -> None:
    y = np.random.default_rng(0).uniform(0.1, 1, len(smog.SPECIES))
    rate = ft.jit(smog.rate)(0.0, y)
    np.testing.assert_allclose(rate, by_loop(y), rtol=1e-10)
    np.testing.assert_allclose(rate @ smog.NITROGEN / np.abs(rate).max(), 0, atol=1e-14)


def test_mixtures_follow_radau_and_one_is_the_published() -> None:
    times = np.array([0.0, 60.0])
    starts = np.stack([smog.start(), smog.start(NO=0.05, HCHO=0.5), smog.start(NO2=0.1, ALD=0.3)])
    found = ft.vmap(lambda y: smog.integrate(y, times, 1e-6))(starts)
    assert (found.status == 0).all()
    for name, value in PUBLISHED.items():
        np.testing.assert_allclose(found.y[0, -1, smog.SPECIES.index(name)], value, rtol=1e-5, err_msg=name)
    np.testing.assert_allclose(found.y[:, -1] @ smog.NITROGEN, starts @ smog.NITROGEN, rtol=1e-9)
    rate = ft.jit(smog.rate)
    for lane, y in enumerate(starts):
        exact = solve_ivp(rate, (0, 60), y, method="Radau", rtol=1e-7, atol=1e-12).y[:, -1]
        np.testing.assert_allclose(found.y[lane, -1], exact, rtol=1e-4, atol=1e-9)
