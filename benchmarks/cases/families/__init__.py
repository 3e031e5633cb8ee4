"""Families of sparse derivatives, each at three sizes: assembly, limiters, energies of elements, chemistry, control."""

from __future__ import annotations

from benchmarks.case import Case
from benchmarks.cases.families import chemistry, control, elements, grids, networks, volumes

CASES: tuple[Case, ...] = tuple(
    case for module in (volumes, elements, grids, chemistry, networks, control) for case in module.CASES
)
