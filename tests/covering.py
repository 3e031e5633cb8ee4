"""Which cases of a test with several lists of parameters are run: so many that every two values meet in one of them.

A fault needs one value (a shape, a dtype, a way to map) or two that meet; that it needs three is rare, and what is
drawn at random (``laws``) is there for it. So of three lists and more not the product is run but a covering of pairs. A
test may ask for another strength: ``pytest.mark.covering(1)``, every value in some case, where the second list changes
little of the path through the code; or that of the product, ``covering(3)``. ``--every-case`` runs all.

What meets where nothing is computed, in an empty array or in a batch of one, which is no loop, has not been tried. A
test names such values, ``covering(1, empty={"shape": [(0, 3)]})``: their cases bring only what they have a part in.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

PAIRS = 2
Case = tuple[Any, ...]
Empty = Mapping[str, Sequence[Any]]


def covering(cases: Sequence[Case], strength: int, empty: Sequence[set[int]] | None = None) -> list[int]:
    """The places of cases in which all values meet, ``strength`` at a time, that meet in any; as few as greed finds.

    Among those that bring as much, the one whose values were taken least: so each value meets many. Of each case
    ``empty`` has the places of the values that leave nothing of the others.
    """
    if not cases or len(cases[0]) <= strength:
        return list(range(len(cases)))
    places = list(itertools.combinations(range(len(cases[0])), strength))
    empty = empty or [set()] * len(cases)
    brings = {
        k: {(p, tuple(case[j] for j in p)) for p in places if not void or void & set(p)}
        for k, (case, void) in enumerate(zip(cases, empty, strict=True))
    }
    taken: Counter[tuple[int, Any]] = Counter()
    kept: list[int] = []
    while brings:
        best = max(brings, key=lambda k: (len(brings[k]), -sum(taken[at] for at in enumerate(cases[k]))))
        brought = brings.pop(best)
        kept.append(best)
        taken.update(enumerate(cases[best]))
        brings = {k: left for k, rest in brings.items() if (left := rest - brought)}
    return sorted(kept)


def lists_of(item: pytest.Function) -> list[list[str]]:
    """The names of the parameters of a test, list by list."""
    left = dict(item.callspec.params)
    found: list[list[str]] = []
    for mark in item.iter_markers("parametrize"):
        names = mark.args[0] if mark.args else mark.kwargs["argnames"]
        found.append([name.strip() for name in names.split(",")] if isinstance(names, str) else list(names))
        for name in found[-1]:
            left.pop(name, None)
    return [*found, *([name] for name in left)]


def case_of(item: pytest.Function) -> Case:
    """The values of a test, one of each list of its parameters, by identity."""
    params = item.callspec.params
    return tuple(tuple(id(params.get(name)) for name in names) for names in lists_of(item))


def empty_in(item: pytest.Function, empty: Empty) -> set[int]:
    """The lists of which a test has a value that leaves nothing of the others."""
    params = item.callspec.params
    return {k for k, names in enumerate(lists_of(item)) if any(params[n] in empty.get(n, ()) for n in names)}


def chosen(items: list[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """The tests that are run, in their order, and those that are not."""
    groups: dict[str, list[pytest.Function]] = {}
    for item in items:
        if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
            groups.setdefault(item.nodeid.partition("[")[0], []).append(item)
    left_out: set[pytest.Item] = set()
    for tests in groups.values():
        mark = tests[0].get_closest_marker("covering")
        empty = mark.kwargs.get("empty", {}) if mark else {}
        voids = [empty_in(test, empty) for test in tests] if empty else None
        places = covering([case_of(test) for test in tests], mark.args[0] if mark else PAIRS, voids)
        left_out |= set(tests) - {tests[k] for k in places}
    return [item for item in items if item not in left_out], [item for item in items if item in left_out]
