"""A power grid as the arrays that the power-flow equations need, read from a PYPOWER case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pypower.bustypes import bustypes
from pypower.case118 import case118
from pypower.case300 import case300
from pypower.ext2int import ext2int
from pypower.idx_bus import PD, QD, VA, VM
from pypower.idx_gen import GEN_BUS, GEN_STATUS, VG
from pypower.makeSbus import makeSbus
from pypower.makeYbus import makeYbus

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]
Indices = NDArray[np.int64]

CASES = {118: case118, 300: case300}


@dataclass(frozen=True, eq=False)
class Grid:
    """Buses are numbered 0 .. n-1; powers and voltages are per unit, angles radians.

    An edge is one entry off the diagonal of the bus admittance matrix: parallel branches are summed into one
    edge, and a line makes two, one each way. The diagonal is ``self_conductance`` and ``self_susceptance``.
    """

    num_buses: int
    reference: Indices
    pv: Indices
    pq: Indices
    source: Indices
    target: Indices
    conductance: Floats
    susceptance: Floats
    self_conductance: Floats
    self_susceptance: Floats
    angle: Floats
    magnitude: Floats
    generation: Complexes
    load: Complexes

    @property
    def free_angle(self) -> Indices:
        """Buses whose angle is unknown: all but the reference, PV buses first."""
        return np.concatenate([self.pv, self.pq])

    @property
    def known_magnitude(self) -> Indices:
        """Buses whose voltage a generator holds."""
        return np.concatenate([self.pv, self.reference])

    def start(self) -> Floats:
        """Return the unknowns where the case file starts: angles of ``free_angle``, magnitudes of ``pq``."""
        return np.concatenate([self.angle[self.free_angle], self.magnitude[self.pq]])

    def voltage(self, x: Floats) -> tuple[Floats, Floats]:
        """Spread unknowns of shape (..., unknowns) to the angle and magnitude of every bus."""
        batch = (*x.shape[:-1], self.num_buses)
        angle, magnitude = np.empty(batch), np.empty(batch)
        angle[...], magnitude[...] = self.angle, self.magnitude
        angle[..., self.free_angle] = x[..., : self.free_angle.size]
        magnitude[..., self.pq] = x[..., self.free_angle.size :]
        return angle, magnitude

    def injections(self, load: Complexes) -> Floats:
        """Return what the equations must balance, for loads of shape (..., buses): P, then Q of ``pq``."""
        power = self.generation - load
        return np.concatenate([power.real[..., self.free_angle], power.imag[..., self.pq]], axis=-1)


def read_grid(buses: int) -> Grid:
    """Read the IEEE grid with this many buses (118 or 300).

    Buses and branches out of service are dropped, and the buses renumbered in the order of the file.
    """
    return grid_of(CASES[buses]())


def grid_of(given: dict[str, Any]) -> Grid:
    """The grid of a PYPOWER case."""
    case = ext2int(given)
    base, bus, gen, branch = case["baseMVA"], case["bus"], case["gen"], case["branch"]
    reference, pv, pq = bustypes(bus, gen)
    admittance = makeYbus(base, bus, branch)[0].tocsr()
    admittance.sum_duplicates()
    diagonal = admittance.diagonal()
    entries = admittance.tocoo()
    edge = entries.row != entries.col
    load = (bus[:, PD] + 1j * bus[:, QD]) / base

    magnitude = bus[:, VM].copy()
    running = gen[gen[:, GEN_STATUS] > 0]
    held = running[:, GEN_BUS].astype(np.int64)
    holds = ~np.isin(held, pq)
    magnitude[held[holds]] = running[holds, VG]

    return Grid(
        num_buses=len(bus),
        reference=reference.astype(np.int64),
        pv=pv.astype(np.int64),
        pq=pq.astype(np.int64),
        source=entries.row[edge].astype(np.int64),
        target=entries.col[edge].astype(np.int64),
        conductance=entries.data.real[edge].copy(),
        susceptance=entries.data.imag[edge].copy(),
        self_conductance=diagonal.real.copy(),
        self_susceptance=diagonal.imag.copy(),
        angle=np.deg2rad(bus[:, VA]),
        magnitude=magnitude,
        generation=makeSbus(base, bus, gen) + load,
        load=load,
    )
