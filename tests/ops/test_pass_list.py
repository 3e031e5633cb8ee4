"""The list of passes in the docs: each pass changes one of its examples, and the page shows it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

PATH = Path(__file__).parents[2] / "docs" / "_ext" / "pass_list.py"
spec = importlib.util.spec_from_file_location("pass_list", PATH)
assert spec is not None
assert spec.loader is not None
pass_list = importlib.util.module_from_spec(spec)
spec.loader.exec_module(pass_list)


def test_every_pass_has_an_example() -> None:
    steps = [step.name for step in (*pass_list.GRAPH, *pass_list.STATEMENTS)]
    assert [name for name in steps if not any(True for _ in pass_list.changes(name))] == []


def test_a_pass_that_changes_nothing_has_none() -> None:
    assert list(pass_list.changes("trace")) == []
