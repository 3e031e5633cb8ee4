"""Time the sides of a row in turn: many short rounds, so that a busy moment of the machine hits all of them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from benchmarks.case import Case, deviation
from benchmarks.sides import Absent, Side

BLOCK = 0.02  # seconds of one side in one round
AWAKE = 0.1  # seconds: threads of OpenBLAS and of XLA wait awake for some 30 ms


@dataclass
class Measured:
    """What was measured of one row: seconds by side, in the order of the rounds; and who was absent, and why."""

    case: Case
    size: int
    seconds: dict[str, list[float]] = field(default_factory=dict)
    first: dict[str, float] = field(default_factory=dict)
    deviations: dict[str, float] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)

    def median(self, side: str) -> float:
        return statistics.median(self.seconds[side])

    def least(self, side: str) -> float:
        return min(self.seconds[side])

    def ratio(self, side: str, other: str) -> float:
        """The median over the rounds of how many times longer ``side`` took than ``other``."""
        return statistics.median(a / b for a, b in zip(self.seconds[side], self.seconds[other]))

    @property
    def peers(self) -> list[str]:
        """The other libraries that ran and were right, fastest first."""
        return sorted((s for s in self.seconds if s not in ("ours", "limit")), key=self.median)

    @property
    def bound(self) -> str | None:
        """The side that the bar is set by, if it ran: where a library is below the limit, that library."""
        if self.case.against != "limit":
            return self.case.against if self.case.against in self.seconds else None
        if "limit" not in self.seconds:
            return None
        return min(["limit", *self.peers], key=self.median)


def measure(
    case: Case, size: int, make: Callable[[Case, str, int], Side], budget: float, rounds: int = 41, rest: float = AWAKE
) -> Measured:
    """Build the sides, hold their results against the reference, and time them for ``budget`` seconds a side.

    ``rest``: seconds before each round, in which threads that wait awake for more work of the last side go to sleep,
    which would take half of a core from the side that comes first.
    A side that is wrong is reported as absent with its deviation; none of them is an error here.
    """
    found, sides = Measured(case, size), {}
    expected = case.reference(*case.arguments(size))
    try:
        for name in case.sides:
            try:
                side = sides[name] = make(case, name, size)
                found.first[name], found.deviations[name] = side.first, deviation(side.result(), expected)
            except Absent as why:
                found.absent[name] = str(why)
                continue
            if not found.deviations[name] <= case.tolerance:
                found.absent[name] = f"wrong by {found.deviations[name]:.1e}"
                sides.pop(name).close()
        _rounds(found, sides, budget, rounds, rest)
    finally:
        for side in sides.values():
            side.close()
    return found


def _rounds(found: Measured, sides: Mapping[str, Side], budget: float, rounds: int, rest: float) -> None:
    times = {name: max(1, min(100_000, round(BLOCK / max(side.run(1), 1e-9)))) for name, side in sides.items()}
    end = time.perf_counter() + budget * max(1, len(sides))
    found.seconds = {name: [] for name in sides}
    for done in range(rounds):
        if done >= 3 and time.perf_counter() > end:
            break
        time.sleep(rest)
        for name, side in sides.items():
            try:
                found.seconds[name].append(side.run(times[name]))
            except Absent as why:
                found.absent[name] = str(why)
    found.seconds = {name: s for name, s in found.seconds.items() if name not in found.absent}
