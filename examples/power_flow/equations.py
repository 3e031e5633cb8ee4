"""The power-flow equations, in plain NumPy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .grid import Floats, Grid

Residual = Callable[[Floats, Floats], Floats]


def power_balance(grid: Grid) -> Residual:
    r"""Return ``residual(x, injections)``: what each bus sends into the grid, less what is injected there.

    With :math:`\theta_{ij} = \theta_i - \theta_j`, the sums running over the edges that leave bus i,

    .. math::
        P_i = G_{ii} V_i^2 + \sum_j V_i V_j (G_{ij} \cos\theta_{ij} + B_{ij} \sin\theta_{ij}), \\
        Q_i = -B_{ii} V_i^2 + \sum_j V_i V_j (G_{ij} \sin\theta_{ij} - B_{ij} \cos\theta_{ij}).

    ``x`` holds the angles of ``grid.free_angle`` and the magnitudes of ``grid.pq``; the result holds P of the
    former and Q of the latter. Nothing here knows of functrans: it runs on arrays as it stands.
    """
    source, target, buses = grid.source, grid.target, grid.num_buses
    conductance, susceptance = grid.conductance, grid.susceptance
    free_angle, free_magnitude = grid.free_angle, grid.pq
    known_angle = grid.angle[grid.reference]
    known_magnitude = grid.magnitude[grid.known_magnitude]
    # Where each bus stands in [unknown, known]: one gather puts the buses in their own order.
    angle_at = np.argsort(np.concatenate([free_angle, grid.reference]))
    magnitude_at = np.argsort(np.concatenate([free_magnitude, grid.known_magnitude]))

    def residual(x: Floats, injections: Floats) -> Floats:
        angle = np.concatenate([x[: free_angle.size], known_angle])[angle_at]
        magnitude = np.concatenate([x[free_angle.size :], known_magnitude])[magnitude_at]

        difference = angle[source] - angle[target]
        cosine, sine = np.cos(difference), np.sin(difference)
        product = magnitude[source] * magnitude[target]
        active = product * (conductance * cosine + susceptance * sine)
        reactive = product * (conductance * sine - susceptance * cosine)

        square = magnitude**2
        p = grid.self_conductance * square + np.bincount(source, weights=active, minlength=buses)
        q = -grid.self_susceptance * square + np.bincount(source, weights=reactive, minlength=buses)
        return np.concatenate([p[free_angle], q[free_magnitude]]) - injections

    return residual
