"""Random assemblies of elements against dense matrices; ``python -m tests.transforms.sparse.assembly 10000``: more."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.transforms.sparse.assembly import Assembly, check

BLOCKS = 2


def test_every_spelling_meets_every_law() -> None:
    """That many blocks of programs have each of 4 spellings with each of 4 laws, in energies and in residuals."""
    programs = [Assembly(seed) for seed in range(40 * BLOCKS)]
    assert len({(p.is_energy, g["how"], g["law"]) for p in programs for g in p.groups}) == 32


@pytest.mark.parametrize("block", range(BLOCKS))
def test_terms(block: int) -> None:
    """Forty programs a block, by expressions for all entries."""
    ways: Counter[str] = Counter()
    for seed in range(40 * block, 40 * block + 40):
        problem = check(seed, "direct")
        ways["energies"] += problem.settings.symmetric
    assert 10 <= ways["energies"] <= 35, ways


def test_what_is_chosen() -> None:
    for seed in range(1000, 1020):
        check(seed, "auto")


@pytest.mark.parametrize("seed", [5147, 5210])
def test_what_is_left_of_cheap_sums(seed: int) -> None:
    """Few entries, of one of several coefficients: the others go nowhere then."""
    check(seed, "direct")
