"""A quick check of the benchmark itself: every side that is ours at a tiny size, in this process, nothing timed."""

from __future__ import annotations

from collections.abc import Iterable

from benchmarks import fresh
from benchmarks.case import Case, deviation, waits
from benchmarks.cases import CASES, SMALL
from benchmarks.data import there
from benchmarks.sides import OWN
from benchmarks.worker import build


def smoke(wanted: Iterable[str] = ()) -> int:
    """Hold ours and the limits against NumPy, run the first results; 1 if one of them is wrong."""
    wanted, failed = set(wanted), 0
    for case in unlike((*CASES, *SMALL)):
        if case.data and not there(case.data):
            print(f"{case.name}: not here, make bench-peers")
        elif not wanted or {case.name, case.table} & wanted:
            found = deviations(case)
            print(f"{case.name}: " + ", ".join(f"{side} {d:.0e}" for side, d in found.items()))
            failed += any(not d <= case.tolerance for d in found.values())
    if not wanted or "small" in wanted:
        for kind, size in (("chain", 3), ("trace", 3), ("gradient", 3), ("lorenz", 1), ("nesting", 3)):
            fresh.first(kind, "functrans", size)
    return int(failed > 0)


def unlike(cases: Iterable[Case]) -> list[Case]:
    """The cases, of a family at several sizes the first: at a tiny size they are one."""
    found: dict[str, Case] = {}
    for case in cases:
        found.setdefault(case.name.partition("-")[0] if case.table == "families" else case.name, case)
    return list(found.values())


def deviations(case: Case) -> dict[str, float]:
    """How far each side that needs no peer is from the reference; ours is left out where it waits for something."""
    sides = [s for s in (*case.sides, *(["limit-two"] if case.two else [])) if s in OWN and not waits(case, s)]
    expected = case.reference(*case.arguments(case.small))
    return {side: deviation(build(case, side, case.small)[0](), expected) for side in sides}
