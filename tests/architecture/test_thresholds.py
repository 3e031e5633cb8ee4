"""How many numeric thresholds there are, by part of the house; `thresholds` says what counts as one.

The numbers are those reached: one that has sunk is entered here, and none is raised. Those of the schedule, of the
code generator and of dense matrices are in ``backend/policy.py``, with what fails without them, and none is elsewhere.
Mathematics (``backend/elementary``: where a polynomial holds) and bounds of running (``backend/runtime``,
and what plans, calls and signatures keep) decide nothing about the code that is made.
"""

from __future__ import annotations

import ast
from collections import Counter
from itertools import pairwise

from tests.architecture.checkers import modules, read
from tests.architecture.thresholds import thresholds

HELD = {
    "backend.policy": 30,
    "backend.codegen": 0,
    "backend.schedule": 0,
    "backend.dense": 0,
    "backend.sparse": 8,
    "backend": 5,
    "backend.elementary": 6,
    "backend.runtime": 14,
    "transforms": 38,
}
"""The innermost part that a module is in has its thresholds."""


def _part(name: str) -> str:
    found = [part for part in HELD if f"{name}.".startswith(f"functrans.{part}.")]
    return max(found, key=len, default="")


def test_thresholds_sink() -> None:
    found = thresholds({name: read(path) for name, path in modules().items()})
    by_part = Counter(_part(key.rpartition(".")[0]) for key in found)
    listed = {part: sorted(k for k in found if _part(k.rpartition(".")[0]) == part) for part in HELD}
    assert {part: by_part[part] for part in HELD} == HELD, listed


def test_a_threshold_of_the_policy_says_what_fails_without_it() -> None:
    body = read(modules()["functrans.backend.policy"]).body
    after = dict(pairwise(body))
    names = [node for node in body if isinstance(node, ast.Assign)]
    assert names
    for node in names:
        text = after[node]
        assert isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant), ast.unparse(node)
        assert any(word in str(text.value.value) for word in ("Row", "Law", "meaning")), ast.unparse(node)


def test_what_counts() -> None:
    one = (
        "LINE, _NAMES, LOUD = 1, ('a',), True\nSIZE = 64 * 1024\nLEVELS = ((1, 2.0), (SIZE, 3))\nUNUSED = 5\nSAME = 7\n"
        "MOST: int = -4\nHALF = SIZE // 2\nTABLE = {1: 2}\n"
        "def f(x):\n    if x == SAME: return UNUSED\n    return x + 1 < HALF, [p for n, p in LEVELS if x <= n]\n"
    )
    two = "from functrans.one import MOST as M, SIZE\nfrom functrans import one\nA = SIZE\ndef g(x):\n    return "
    two += "min(3, x * M), x > A, x >= one.UNUSED"
    trees = {"functrans.one": ast.parse(one), "functrans.two": ast.parse(two)}
    assert thresholds(trees) == {
        "functrans.one.HALF": ["functrans.one"],
        "functrans.one.LEVELS": ["functrans.one"],
        "functrans.one.MOST": ["functrans.two"],
        "functrans.one.UNUSED": ["functrans.two"],
        "functrans.two.A": ["functrans.two"],
    }
