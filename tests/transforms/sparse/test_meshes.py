"""Random programs on meshes against complex steps; ``python -m tests.transforms.sparse.meshes 0 10000``: more."""

from __future__ import annotations

import pytest

from tests.transforms.sparse.meshes import Mesh, check

SEEDS = (101, 102, 104, 105, 106, 113, 114)  # quick ones


@pytest.mark.parametrize("seed", SEEDS)
def test_every_method(seed: int) -> None:
    assert check(seed) >= 3


def test_what_is_drawn() -> None:
    """Energies and residuals, elements that are none, and each kind of step."""
    meshes = [Mesh(seed) for seed in range(60)]
    kinds = {name.split()[0] for m in meshes for name, _ in m.steps}
    assert {"gather", "assemble", "minmod", "superbee", "stencil", "lanes", "sparse", "mask", "order"} <= kinds
    assert kinds & {"det", "solve", "inv"}
    assert {m.is_energy for m in meshes} == {True, False}
    assert any(not e.size for m in meshes for e in m.ends)
