"""How results are written: times, iterations, and checks against a tolerance."""

from __future__ import annotations

from dataclasses import dataclass

from .newton import Iteration
from .progress import print_line


@dataclass(frozen=True)
class Check:
    """A number that must stay below a limit."""

    name: str
    value: float
    limit: float

    @property
    def passed(self) -> bool:
        """Whether it did; NaN does not pass."""
        return self.value < self.limit

    def line(self) -> str:
        """Return one line of text."""
        verdict = "ok" if self.passed else "FAILED"
        return f"  {self.name:<58} {self.value:9.2g}  < {self.limit:<6g}  {verdict}"


def duration(seconds: float) -> str:
    """Write a time in a unit that suits it.

    >>> duration(2.5e-5)
    '25.0 us'
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds / 1e-6:.1f} us"


def print_iteration_header() -> None:
    """Print the names of the columns of :func:`print_iteration`."""
    print("  iteration  mismatch p.u.         in f         in J     in solve")


def print_iteration(iteration: Iteration) -> None:
    """Print one iteration of Newton's method; the last line has a mismatch and no step."""
    parts = [iteration.residual_seconds, iteration.jacobian_seconds, iteration.solve_seconds]
    times = "".join(f"{duration(seconds) if seconds else '':>13}" for seconds in parts)
    print_line(f"  {iteration.number:9d}  {iteration.mismatch:13.3e}{times}".rstrip())


def print_checks(checks: list[Check]) -> None:
    """Print the checks, one a line."""
    for check in checks:
        print(check.line())
