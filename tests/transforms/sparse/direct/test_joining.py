"""Arrays that share their work are filled by one loop; what is kept of terms has no dead elements."""

from __future__ import annotations

from typing import Any

import numpy as np

import functrans as ft
from functrans.transforms.sparse.direct.joining import groups
from tests.transforms.sparse.direct.test_temporaries import direct_of

CELLS = 40


def minmod(a: Any, b: Any) -> Any:
    return np.where(a * b > 0, np.where(np.abs(a) < np.abs(b), a, b), 0.0)


def flux(density: Any, momentum: Any, energy: Any) -> tuple[list[Any], Any, Any]:
    speed = momentum / density
    pressure = 0.4 * (energy - 0.5 * momentum * speed)
    sound = np.sqrt(1.4 * pressure / density)
    return [momentum, momentum * speed + pressure, (energy + pressure) * speed], speed, sound


def euler(q: Any) -> Any:
    """Gas in a tube: slopes that are limited, the flux of Harten, Lax and van Leer between cells."""
    q = q.reshape(3, -1)
    d = q[:, 1:] - q[:, :-1]
    slope = minmod(d[:, 1:], d[:, :-1])
    left, right = (q[:, 1:-1] + 0.5 * slope)[:, :-1], (q[:, 1:-1] - 0.5 * slope)[:, 1:]
    (fl, ul, cl), (fr, ur, cr) = flux(*left), flux(*right)
    low, high = np.minimum(ul - cl, ur - cr), np.maximum(ul + cl, ur + cr)
    found = []
    for k in range(3):
        between = (high * fl[k] - low * fr[k] + low * high * (right[k] - left[k])) / (high - low)
        g = np.where(low >= 0, fl[k], np.where(high <= 0, fr[k], between))
        found.append(g[1:] - g[:-1])
    return np.concatenate(found)


def tube() -> np.ndarray:
    rng = np.random.default_rng(0)
    parts = [1 + 0.1 * rng.random(CELLS), 0.3 * rng.normal(size=CELLS), 2.5 + 0.1 * rng.random(CELLS)]
    return np.concatenate(parts)


def test_fluxes_that_share_their_work_are_one_loop(compiler: None) -> None:
    x = tube()
    J = ft.spjacobian(euler)
    np.testing.assert_allclose(J(x).toarray(), ft.jacfwd(euler)(x), rtol=1e-11, atol=1e-12)
    made = direct_of(J).extraction.temporaries.made
    assert len(made) == 3 and len(groups(made)) == 1
    assert len(ft.jit(J.values).lower(x).kernels) <= 3


def test_what_is_kept_has_no_dead_elements() -> None:
    J = ft.spjacobian(euler)
    J.pattern(tube())
    assert J.plan(tube()).method == "direct"
    for array in direct_of(J).extraction.temporaries.made:
        assert array.full and all((to >= 0).all() for _, to in array.writes)


def test_what_shares_no_work_stays_apart() -> None:
    """Two tubes that have nothing in common."""
    x = np.concatenate([tube(), tube()[::-1].reshape(3, -1)[::-1].reshape(-1)])

    def both(x: Any) -> Any:
        return np.concatenate([euler(x[: 3 * CELLS]), euler(x[3 * CELLS :])])

    J = ft.spjacobian(both, method="direct")
    np.testing.assert_allclose(J(x).toarray(), ft.jacfwd(both)(x), rtol=1e-11, atol=1e-12)
    made = direct_of(J).extraction.temporaries.made
    assert len(made) == 6 and [len(g) for g in groups(made)] == [3, 3]
