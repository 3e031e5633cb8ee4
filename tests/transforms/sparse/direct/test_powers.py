"""Powers of one base by one evaluation: the same numbers, at the ends of their range too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import dtypes
from functrans.ops.enums import Ops
from functrans.ops.interpret import interpret
from functrans.ops.powers import power_of
from functrans.ops.source import param
from functrans.ops.uop import toposort
from functrans.transforms.sparse.direct.powers import related

BASES = [0.0, -0.0, 5e-324, 1e-308, 3e-200, 1e-5, 0.7, 1.0, 2.5, 1e5, 1e160, 1e308, np.inf, np.nan, -1e-3, -2.0, -1e300]


POWERS = [0.1, 0.359, 0.5, 0.75, 1.0, 1.56, 2.786, 3.0, 5.0, 6.0, 9.5, -0.4, -1.0, -2.0, -3.0, -7.25]


@pytest.mark.parametrize("p", POWERS)
def test_a_power_and_its_derivatives(p: float) -> None:
    """Up to the third derivative, against each power by itself."""
    x = param((len(BASES),), dtypes.float64)
    powers = [power_of(x, p - k) for k in range(4)]
    made = related(powers)
    assert sum(u.op is Ops.POW for u in toposort(made)) <= max(1, sum(u.op is Ops.POW for u in powers) - 1)
    with np.errstate(all="ignore"):
        for have, want in zip(*(interpret(nodes, {x: np.array(BASES)}) for nodes in (made, powers)), strict=True):
            np.testing.assert_allclose(have, want, rtol=1e-13)
            zero = want == 0
            np.testing.assert_array_equal(np.signbit(have[zero]), np.signbit(want[zero]))


def test_what_is_known_anyhow_stays() -> None:
    x = param((3,), dtypes.float64)
    powers = [power_of(x, 2.5), power_of(x, 1.5)]
    assert related(powers, {powers[0]}) == powers
    assert related(powers) != powers


def test_one_power_for_a_value_and_its_slope() -> None:
    def f(x: Any) -> Any:
        return x[1:] ** 1.5 - np.abs(x[:-1]) ** -0.3

    x = np.linspace(0.5, 2, 9)
    J = ft.spjacobian(f)
    want = np.asarray(ft.jacfwd(f)(x))
    np.testing.assert_allclose(J(x).toarray(), want, rtol=1e-13)
    value, matrix = J.value_and_jacobian(x)
    np.testing.assert_allclose(matrix.toarray(), want, rtol=1e-13)
    np.testing.assert_array_equal(np.asarray(value), np.asarray(ft.jit(f)(x)))
