"""Random assemblies of elements against dense matrices; ``python -m tests.transforms.sparse.assembly 10000``: more."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.transforms.sparse.assembly import check


@pytest.mark.parametrize("block", range(5))
def test_terms(block: int) -> None:
    """Forty programs a block, by expressions for all entries."""
    ways: Counter[str] = Counter()
    for seed in range(40 * block, 40 * block + 40):
        problem = check(seed, "direct")
        ways["energies"] += problem.settings.symmetric
    assert 10 <= ways["energies"] <= 35, ways


@pytest.mark.parametrize("block", range(2))
def test_what_is_chosen(block: int) -> None:
    for seed in range(1000 + 20 * block, 1020 + 20 * block):
        check(seed, "auto")
