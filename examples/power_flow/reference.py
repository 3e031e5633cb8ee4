"""What PYPOWER makes of the same grid: its solution, and its Jacobian derived by hand."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from pypower.dSbus_dV import dSbus_dV
from pypower.ext2int import ext2int
from pypower.idx_bus import VA, VM
from pypower.makeYbus import makeYbus
from pypower.ppoption import ppoption
from pypower.runpf import runpf
from scipy.sparse import block_array, csr_array, eye_array

from .grid import CASES, Floats, Grid

# The generators' reactive limits stay off: PYPOWER's ENFORCE_Q_LIMS=1 fails with NumPy 2.
OPTIONS = {"VERBOSE": 0, "OUT_ALL": 0, "ENFORCE_Q_LIMS": False, "PF_TOL": 1e-10, "PF_MAX_IT": 20}


@dataclass(frozen=True)
class Difference:
    """How far a voltage profile is from PYPOWER's: per unit, and degrees."""

    magnitude: float
    angle: float


def solve_reference(buses: int) -> tuple[Floats, Floats]:
    """Return the angle (radians) and magnitude of every bus by PYPOWER's own Newton's method.

    Raises RuntimeError where it does not converge.
    """
    with warnings.catch_warnings():
        # PYPOWER's NumPy style is older than NumPy 2.
        warnings.simplefilter("ignore", DeprecationWarning)
        result, success = runpf(CASES[buses](), ppoption(**OPTIONS))
    if not success:
        raise RuntimeError(f"PYPOWER did not solve its own {buses}-bus case")
    bus = result["bus"][result["order"]["bus"]["status"]["on"]]
    return np.deg2rad(bus[:, VA]), bus[:, VM]


def difference(grid: Grid, x: Floats, angle: Floats, magnitude: Floats) -> Difference:
    """Return the largest differences between the unknowns ``x`` and a profile, angles modulo a turn."""
    own_angle, own_magnitude = grid.voltage(x)
    turn = np.angle(np.exp(1j * (own_angle - angle)))
    return Difference(
        magnitude=float(np.max(np.abs(own_magnitude - magnitude))),
        angle=float(np.max(np.abs(np.rad2deg(turn)))),
    )


def reference_jacobian(buses: int, grid: Grid, x: Floats) -> csr_array:
    """Return PYPOWER's Newton matrix at ``x``, on the whole pattern of its admittance matrix.

    SciPy drops entries that come out zero when it adds matrices, so the values are read into the pattern
    that the admittance matrix and its diagonal give. Raises ValueError if a value falls outside it.
    """
    case = ext2int(CASES[buses]())
    admittance = makeYbus(case["baseMVA"], case["bus"], case["branch"])[0].tocsr()
    angle, magnitude = grid.voltage(x)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        by_magnitude, by_angle = dSbus_dV(admittance, magnitude * np.exp(1j * angle))

    ones = csr_array((np.ones(admittance.nnz), admittance.indices, admittance.indptr), admittance.shape)
    places = csr_array(ones + eye_array(grid.num_buses))
    pattern = _newton_blocks(grid, places, places, places, places)
    values = _newton_blocks(
        grid,
        csr_array(by_angle.real),
        csr_array(by_magnitude.real),
        csr_array(by_angle.imag),
        csr_array(by_magnitude.imag),
    )
    rows = np.repeat(np.arange(pattern.shape[0]), np.diff(pattern.indptr))
    inside = np.asarray(values[rows, pattern.indices]).ravel()
    if np.count_nonzero(inside) != np.count_nonzero(values.data):
        raise ValueError("PYPOWER's Jacobian has an entry where its admittance matrix has none")
    return csr_array((inside, pattern.indices, pattern.indptr), pattern.shape)


def _newton_blocks(
    grid: Grid, p_angle: csr_array, p_magnitude: csr_array, q_angle: csr_array, q_magnitude: csr_array
) -> csr_array:
    """Cut the rows and columns of the unknowns out of four matrices over all buses, and stack them."""
    angles, magnitudes = grid.free_angle, grid.pq
    blocks = [
        [p_angle[angles][:, angles], p_magnitude[angles][:, magnitudes]],
        [q_angle[magnitudes][:, angles], q_magnitude[magnitudes][:, magnitudes]],
    ]
    matrix = csr_array(block_array(blocks, format="csr"))
    matrix.sort_indices()
    return matrix


def pattern_difference(a: csr_array, b: csr_array) -> int:
    """Count the places that one of two matrices stores and the other does not, zeros included."""
    stored_a, stored_b = (
        csr_array((np.ones(m.nnz), m.indices, m.indptr), shape=m.shape) for m in (a, b)
    )
    return int((stored_a - stored_b).count_nonzero())


def relative_error(matrix: csr_array, exact: csr_array) -> float:
    """Return the largest error of an entry, relative to the largest entry of its row; patterns must agree.

    An entry that is a small difference of large terms is known to rounding in the terms, hence the row.
    """
    if pattern_difference(matrix, exact):
        return np.inf
    largest = np.maximum.reduceat(np.abs(exact.data), exact.indptr[:-1])
    scale = np.repeat(largest, np.diff(exact.indptr))
    return float(np.max(np.abs(matrix.data - exact.data) / scale))
