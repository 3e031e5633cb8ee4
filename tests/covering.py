"""Which cases of a test with several lists of parameters are run: so many that every two values meet in one of them.

A fault needs one value (a shape, a dtype, a way to map) or two that meet; that it needs three is rare, and what is
drawn at random (``laws``) is there for it. So of three lists and more not the product is run but a covering of pairs. A
test may ask for another strength: ``pytest.mark.covering(1)``, every value in some case, where the second list changes
little of the path through the code; or that of the product, ``covering(3)``. ``--every-case`` runs all.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

PAIRS = 2
Case = tuple[Any, ...]


def covering(cases: Sequence[Case], strength: int) -> list[int]:
    """The places of cases in which all values meet, ``strength`` at a time, that meet in any; as few as greed finds.

    Among those that bring as much, the one whose values were taken least: so each value meets many.
    """
    if not cases or len(cases[0]) <= strength:
        return list(range(len(cases)))
    places = list(itertools.combinations(range(len(cases[0])), strength))
    brings = {k: {(p, tuple(case[j] for j in p)) for p in places} for k, case in enumerate(cases)}
    taken: Counter[tuple[int, Any]] = Counter()
    kept: list[int] = []
    while brings:
        best = max(brings, key=lambda k: (len(brings[k]), -sum(taken[at] for at in enumerate(cases[k]))))
        brought = brings.pop(best)
        kept.append(best)
        taken.update(enumerate(cases[best]))
        brings = {k: left for k, rest in brings.items() if (left := rest - brought)}
    return sorted(kept)


def case_of(item: pytest.Function) -> Case:
    """The values of a test, one of each list of its parameters, by identity."""
    params = dict(item.callspec.params)
    found: list[Any] = []
    for mark in item.iter_markers("parametrize"):
        names = mark.args[0] if mark.args else mark.kwargs["argnames"]
        names = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
        found.append(tuple(id(params.pop(name, None)) for name in names))
    return (*found, *map(id, params.values()))


def chosen(items: list[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """The tests that are run, in their order, and those that are not."""
    groups: dict[str, list[pytest.Function]] = {}
    for item in items:
        if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
            groups.setdefault(item.nodeid.partition("[")[0], []).append(item)
    left_out: set[pytest.Item] = set()
    for tests in groups.values():
        mark = tests[0].get_closest_marker("covering")
        places = covering([case_of(test) for test in tests], mark.args[0] if mark else PAIRS)
        left_out |= set(tests) - {tests[k] for k in places}
    return [item for item in items if item not in left_out], [item for item in items if item in left_out]
