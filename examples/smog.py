"""Smog: an air pollution mechanism of 20 species for many mixtures of exhaust, by an implicit method in one call.

Run it as ``python -m examples.smog``. The mechanism, its rates and a reference solution are the problem POLLU of
Verwer, Gauss-Seidel iteration for stiff ODEs from chemical kinetics, SIAM J. Sci. Comput. 15 (1994); concentrations
in parts per million, time in minutes.
"""

from __future__ import annotations

import sys
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

import functrans as ft

Floats = NDArray[np.float64]
SPECIES = ("NO2 NO O3P O3 HO2 OH HCHO CO ALD MEO2 C2O3 CO2 PAN CH3O HNO3 O1D SO2 SO4 NO3 N2O5").split()
NITROGEN = np.array([2.0 if n == "N2O5" else float(n in ("NO", "NO2", "PAN", "HNO3", "NO3")) for n in SPECIES])
HOURS = 10
# what reacts, what comes out, and the constant of the rate; oxygen and water are there anyway
REACTIONS = """
    NO2 -> NO + O3P : 0.35
    NO + O3 -> NO2 : 26.6
    HO2 + NO -> NO2 + OH : 12300
    HCHO -> 2 HO2 + CO : 0.00086
    HCHO -> CO : 0.00082
    HCHO + OH -> HO2 + CO : 15000
    ALD -> MEO2 + HO2 + CO : 0.00013
    ALD + OH -> C2O3 : 24000
    C2O3 + NO -> NO2 + MEO2 + CO2 : 16500
    C2O3 + NO2 -> PAN : 9000
    PAN -> C2O3 + NO2 : 0.022
    MEO2 + NO -> CH3O + NO2 : 12000
    CH3O -> HCHO + HO2 : 1.88
    NO2 + OH -> HNO3 : 16300
    O3P -> O3 : 4800000
    O3 -> O1D : 0.00035
    O3 -> O3P : 0.0175
    O1D -> 2 OH : 100000000
    O1D -> O3P : 444000000000
    SO2 + OH -> SO4 + HO2 : 1240
    NO3 -> NO : 2.1
    NO3 -> NO2 + O3P : 5.78
    NO2 + O3 -> NO3 : 0.0474
    NO3 + NO2 -> N2O5 : 1780
    N2O5 -> NO3 + NO2 : 3.12
"""
START = {"NO": 0.2, "O3": 0.04, "HCHO": 0.1, "CO": 0.3, "ALD": 0.01, "SO2": 0.007}


def mechanism(text: str = REACTIONS) -> tuple[Floats, Floats, Floats]:
    """Of each reaction its constant, what it takes of each species, and what each gains."""
    lines = [line for line in text.splitlines() if line.strip()]
    constants, sides = np.zeros(len(lines)), np.zeros((2, len(lines), len(SPECIES)))
    for k, line in enumerate(lines):
        equation, constant = line.split(":")
        constants[k] = float(constant)
        for side, terms in enumerate(equation.split("->")):
            for term in terms.split("+"):
                *count, name = term.split()
                sides[side, k, SPECIES.index(name)] += float(count[0]) if count else 1.0
    return constants, sides[0], sides[1] - sides[0]


CONSTANTS, TAKES, GAINS = mechanism()
ONE = len(SPECIES)  # stands for the second reactant where there is none
FIRST = np.array([np.flatnonzero(row)[0] for row in TAKES])
SECOND = np.array([np.flatnonzero(row)[1] if row.sum() > 1 else ONE for row in TAKES])
BALANCE = ft.sparse(csr_array(GAINS.T))


def rate(t: Any, y: Any) -> Any:
    """The rate of change of all concentrations: the law of mass action."""
    reactants = np.concatenate([y, np.ones(1)])
    return BALANCE @ (CONSTANTS * reactants[FIRST] * reactants[SECOND])


def start(**changed: float) -> Floats:
    """The concentrations at the beginning, those of the published problem unless changed."""
    y = np.zeros(len(SPECIES))
    for name, value in (START | changed).items():
        y[SPECIES.index(name)] = value
    return y


def integrate(y: Any, times: Floats, rtol: float = 1e-5) -> Any:
    """Concentrations at all times for one mixture."""
    return ft.ode.solve(rate, times, y, method="esdirk", rtol=rtol, atol=rtol * 1e-4)


def mixtures(side: int = 30) -> tuple[Floats, Floats, Floats]:
    """Amounts of nitrogen oxides and of organic compounds, and all mixtures of them, shape (side, side, species)."""
    oxides, organic = np.linspace(0.01, 0.3, side), np.linspace(0.02, 1.2, side)
    y = np.tile(start(), (side, side, 1))
    y[..., SPECIES.index("NO")] = 0.75 * oxides[:, None]
    y[..., SPECIES.index("NO2")] = 0.25 * oxides[:, None]
    y[..., SPECIES.index("HCHO")] = 0.6 * organic
    y[..., SPECIES.index("ALD")] = 0.4 * organic
    return oxides, organic, y


def main() -> int:
    """Solve the published problem and many mixtures; 0 if nitrogen is kept."""
    solution = ft.jit(integrate, static_argnums=2)(start(), np.array([0.0, 60.0]), 1e-8)
    for name, value in zip(SPECIES[:4], solution.y[-1], strict=False):
        print(f"{name:4} {value:.8e}")
    _, _, y = mixtures()
    begin = perf_counter()
    many = ft.vmap(integrate, in_axes=(0, None))(y.reshape(-1, len(SPECIES)), np.array([0.0, HOURS * 60]))
    print(f"{len(many.y)} mixtures, {int(np.sum(many.stats.accepted))} steps, {perf_counter() - begin:.2f} s")
    ozone = many.y[:, -1, SPECIES.index("O3")]
    print(f"ozone after {HOURS} hours from {ozone.min():.4f} to {ozone.max():.4f} ppm")
    return 0 if np.abs(many.y @ NITROGEN - many.y[:, :1] @ NITROGEN).max() < 1e-8 else 1


if __name__ == "__main__":
    sys.exit(main())
