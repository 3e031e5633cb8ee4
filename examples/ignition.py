"""Ignition: methane in air by GRI-Mech 3.0, 53 species and 325 reactions, by an implicit method with a sparse Jacobian.

Run it as ``python -m examples.ignition``. Mechanism and thermodynamics are data of the package cantera, whose own
integrator the results are compared with. The gas burns at constant pressure and without loss of heat; in SI units and
kmol. The state is temperature, density and mass fractions.
"""

from __future__ import annotations

import sys
from time import perf_counter
from typing import Any, NamedTuple

import cantera
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

import functrans as ft

Floats = NDArray[np.float64]
GAS, ATMOSPHERE = cantera.gas_constant, cantera.one_atm
METHANE = {"CH4": 1.0, "O2": 2.0, "N2": 7.52}  # in air, all of which burns
RISE = 400.0  # of the temperature, in K, at which the mixture has ignited


class Arrhenius(NamedTuple):
    """Constants ``a * T**b * exp(-e / T)``, one for each reaction."""

    a: Floats
    b: Floats
    e: Floats

    def __call__(self, t: Any) -> Any:
        return self.a * np.exp(self.b * np.log(t) - self.e / t)


def arrhenius(rates: list[Any]) -> Arrhenius:
    """The constants of cantera's rates."""
    found = [(r.pre_exponential_factor, r.temperature_exponent, r.activation_energy / GAS) for r in rates]
    return Arrhenius(*np.array(found).T)


class Mechanism:
    """A mechanism of cantera as arrays, species by species and reaction by reaction."""

    def __init__(self, name: str = "gri30.yaml") -> None:
        gas = cantera.Solution(name)
        reactions = gas.reactions()
        self.species = list(gas.species_names)
        self.weights = np.array(gas.molecular_weights)
        thermo = np.array([s.thermo.coeffs for s in gas.species()])
        self.middle, self.high, self.low = thermo[:, 0], thermo[:, 1:8].T, thermo[:, 8:].T
        self.reactants = self._slots([r.reactants for r in reactions])
        self.products = self._slots([r.products for r in reactions])
        gains = self._matrix([r.products for r in reactions]) - self._matrix([r.reactants for r in reactions])
        self.more = gains.sum(1)  # molecules
        self.gains, self.gains_by_species = ft.sparse(csr_array(gains)), ft.sparse(csr_array(gains.T))
        self.reversible = np.array([float(r.reversible) for r in reactions])
        self._bodies(reactions)

    def _matrix(self, sides: list[dict[str, float]]) -> Floats:
        found = np.zeros((len(sides), len(self.species)))
        for row, side in zip(found, sides, strict=True):
            for name, count in side.items():
                row[self.species.index(name)] = count
        return found

    def _slots(self, sides: list[dict[str, float]]) -> NDArray[np.int64]:
        """Of each reaction the molecules of a side; the last of all numbers, which is one, where there are fewer."""
        found = np.full((3, len(sides)), len(self.species))
        for k, side in enumerate(sides):
            names = [name for name, count in side.items() for _ in range(round(count))]
            found[: len(names), k] = [self.species.index(name) for name in names]
        return found

    def _bodies(self, reactions: list[Any]) -> None:
        """Reactions with a third body: those whose rates it multiplies, and those that fall off without it."""
        kinds = [r.reaction_type for r in reactions]
        self.third = np.array([k for k, r in enumerate(reactions) if r.third_body is not None])
        bodies = [reactions[k].third_body for k in self.third]
        self.default = np.array([b.default_efficiency for b in bodies])
        other = [{n: e - b.default_efficiency for n, e in b.efficiencies.items()} for b in bodies]
        self.efficiencies = ft.sparse(csr_array(self._matrix(other)))
        self.fall = np.array([k for k, kind in enumerate(kinds) if kind.startswith("falloff")])
        self.high_rate = arrhenius([getattr(r.rate, "high_rate", r.rate) for r in reactions])
        self.low_rate = arrhenius([reactions[k].rate.low_rate for k in self.fall])
        troe = [list(reactions[k].rate.falloff_coeffs) for k in self.fall]
        # a, T3, T1, T2: temperatures that are not given are far away, and of Lindemann's reactions all are
        self.troe = np.array([[*row, *[1e30] * 4][:4] if row else [0.0, *[1e30] * 3] for row in troe]).T
        self._within = np.searchsorted(self.third, self.fall)

    def thermodynamics(self, t: Any) -> tuple[Any, Any, Any]:
        """Of each species its heat capacity and its entropy by the gas constant, and its enthalpy by that and T."""
        a = np.where(t > self.middle, self.high, self.low)
        powers = [1.0, t, t**2, t**3, t**4]
        capacity = sum(a[k] * powers[k] for k in range(5))
        enthalpy = sum(a[k] * powers[k] / (k + 1) for k in range(5)) + a[5] / t
        entropy = a[0] * np.log(t) + sum(a[k] * powers[k] / k for k in range(1, 5)) + a[6]
        return capacity, entropy, enthalpy

    def falloff(self, t: Any, strong: Any, bodies: Any) -> Any:
        """The rates of reactions that need a third body at low pressure, by the formula of Troe."""
        reduced = self.low_rate(t) * bodies / strong
        a, t3, t1, t2 = self.troe
        center = np.log10((1 - a) * np.exp(-t / t3) + a * np.exp(-t / t1) + np.exp(-t2 / t))
        c, n = -0.4 - 0.67 * center, 0.75 - 1.27 * center
        x = np.log10(reduced) + c
        width = x / (n - 0.14 * x)
        return strong * reduced / (1 + reduced) * 10 ** (center / (1 + width * width))

    def production(self, t: Any, total: Any, concentrations: Any, enthalpy: Any, entropy: Any) -> Any:
        """How many kmol of each species are made in a cubic meter and second."""
        forward = self.high_rate(t)
        bodies = self.default * total + self.efficiencies @ concentrations
        falling = self.falloff(t, forward[self.fall], bodies[self._within])
        forward = fill(forward, self.fall, falling)
        backward = forward * self.reversible
        backward = backward * np.exp(self.gains @ (enthalpy - entropy) - self.more * np.log(ATMOSPHERE / (GAS * t)))
        there = np.concatenate([concentrations, np.ones(1)])
        rate = forward * product(there[self.reactants]) - backward * product(there[self.products])
        simple = np.setdiff1d(self.third, self.fall)
        factor = fill(np.ones(len(self.more)), simple, bodies[np.searchsorted(self.third, simple)])
        return self.gains_by_species @ (rate * factor)

    def rate(self, time: Any, y: Any, pressure: Any) -> Any:
        """The rate of change of temperature, density and mass fractions at constant pressure."""
        t, density, fractions = y[0], y[1], y[2:]
        capacity, entropy, enthalpy = self.thermodynamics(t)
        # of an ideal gas at this pressure, so that it depends on no species
        total = pressure / (GAS * t)
        made = self.production(t, total, density * fractions / self.weights, enthalpy, entropy)
        heat = -GAS * t * np.sum(enthalpy * made) / (density * GAS * np.sum(capacity * fractions / self.weights))
        return np.concatenate([
            np.stack([heat, -density * (heat / t + np.sum(made) / total)]), made * self.weights / density
        ])  # fmt: skip

    def start(self, t: float, pressure: float, moles: dict[str, float]) -> Floats:
        """The state of a mixture."""
        amounts = self._matrix([moles])[0]
        mass = amounts @ self.weights
        density = pressure * mass / amounts.sum() / (GAS * t)
        return np.concatenate([[t, density], amounts * self.weights / mass])


def fill(base: Any, places: NDArray[np.int64], values: Any) -> Any:
    """The base with other values at some places."""
    source = np.arange(len(base))
    source[places] = len(base) + np.arange(len(places))
    return np.concatenate([base, values])[source]


def product(factors: Any) -> Any:
    """The product of three rows."""
    return factors[0] * factors[1] * factors[2]


def integrate(
    mechanism: Mechanism, y: Any, times: Any, pressure: Any, rtol: float = 1e-6, *, stops: bool = False,
    jac: str = "sparse",
) -> Any:  # fmt: skip
    """The solution at all times; its event is the ignition, at which it ``stops`` or not."""

    def ignition(time: Any, now: Any, pressure: Any) -> Any:
        return now[0] - (y[0] + RISE)

    ignition.terminal = stops
    return ft.ode.solve(
        mechanism.rate, times, y, pressure, method="esdirk", jac=jac, rtol=rtol, atol=rtol * 1e-6, events=ignition,
        max_steps=2000, max_events=1,
    )  # fmt: skip


class Burnt(NamedTuple):
    """When a mixture ignites, its temperature at the end, and the seconds that the integration takes."""

    delay: float
    temperature: float
    seconds: float


def by_cantera(
    t: float, pressure: float, end: float, moles: dict[str, float] = METHANE, name: str = "gri30.yaml"
) -> Burnt:  # fmt: skip
    """The same by cantera's reactor at constant pressure and its own integrator."""
    gas = cantera.Solution(name)
    gas.TPX = t, pressure, moles
    reactor = cantera.IdealGasConstPressureReactor(gas, clone=False)
    net = cantera.ReactorNet([reactor])
    net.rtol, net.atol = 1e-9, 1e-15
    begin, before, delay = perf_counter(), (0.0, t), np.nan
    while net.time < end:
        net.step()
        now = net.time, reactor.T
        if before[1] < t + RISE <= now[1]:
            delay = float(np.interp(t + RISE, [before[1], now[1]], [before[0], now[0]]))
        before = now
    return Burnt(delay, float(reactor.T), perf_counter() - begin)


def main() -> int:
    """Ignite mixtures at several temperatures; 0 if delays agree with cantera's within 1 %."""
    mechanism = Mechanism()
    pressure, worst = 10 * ATMOSPHERE, 0.0
    solve = ft.jit(lambda y, times, pressure: integrate(mechanism, y, times, pressure))
    for t, end in ((1100.0, 1.0), (1300.0, 0.1), (1500.0, 0.01)):
        y, times = mechanism.start(t, pressure, METHANE), np.array([0.0, end])
        solve(y, times, pressure)
        begin = perf_counter()
        found = solve(y, times, pressure)
        seconds = perf_counter() - begin
        delay, theirs = float(found.t_events[0, 0]), by_cantera(t, pressure, end)
        worst = max(worst, abs(delay / theirs.delay - 1))
        print(f"{t:.0f} K: after {1e3 * delay:.4f} ms, by cantera {1e3 * theirs.delay:.4f} ms; then "
              f"{found.y[-1, 0]:.2f} K and {theirs.temperature:.2f} K; {int(found.stats.accepted)} steps, "
              f"{1e3 * seconds:.0f} ms and {1e3 * theirs.seconds:.0f} ms")  # fmt: skip
    return 0 if worst < 0.01 else 1


if __name__ == "__main__":
    sys.exit(main())
