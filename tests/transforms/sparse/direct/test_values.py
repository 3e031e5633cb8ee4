"""Direct values against the dense Jacobian: random programs, and each rule by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import tree
from functrans.errors import UnsupportedError
from functrans.ops.interpret import interpret
from tests.transforms.sparse.programs import Program


def interpreted(J: Any, *args: Any) -> list[np.ndarray]:
    """The matrices by the graph alone, without a compiler."""
    leaves, treedef = tree.flatten((args, {}))
    problem = J._problem(leaves, treedef)
    assert problem.direct is not None
    data = interpret(problem.direct.values(), dict(zip(problem.params, map(np.asarray, leaves), strict=True)))
    return [p.to_scipy(a).toarray() for p, a in zip(problem.patterns, data, strict=True)]


def dense(f: Any, args: list[Any]) -> list[np.ndarray]:
    """By forward mode, all results laid end to end."""

    def flat(*xs: Any) -> Any:
        return np.concatenate([np.reshape(v, -1) for v in f(*xs)])

    jacobians = ft.jacfwd(flat, argnums=tuple(range(len(args))))(*args)
    return [np.reshape(j, (j.shape[0], x.size)) for j, x in zip(jacobians, args, strict=True)]


def close(have: np.ndarray, want: np.ndarray) -> None:
    np.testing.assert_allclose(have, want, rtol=1e-12, atol=1e-12 * np.abs(want[np.isfinite(want)]).max(initial=1))


@pytest.mark.parametrize("block", range(8))
def test_random_programs(block: int) -> None:
    """25 programs a block; those of whose ops one has no terms say so by name."""
    held = 0
    for seed in range(25 * block, 25 * block + 25):
        program = Program(seed, smooth=seed % 2 == 0)
        J = ft.spjacobian(program, argnums=tuple(range(len(program.args))), method="direct")
        try:
            found = interpreted(J, *program.args)
        except UnsupportedError as error:
            assert "use method='auto'" in str(error)
            continue
        held += 1
        for have, want in zip(found, dense(program, program.args), strict=True):
            close(have, want)
    assert held >= 15
