"""Functions and their derivatives against stored values of JAX: every transform, maps of each and each of maps."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import scipy.special

import functrans as ft
import functrans.numpy as fnp
from functrans import tree
from tests.reference.functions import CASES, LANES, PATH, alternatives, derivatives

TOLERANCE = 1e-8


def stored() -> dict[str, dict[str, list[Any]]]:
    with np.load(PATH) as file:
        values, index = file["values"], json.loads(str(file["index"]))
    found: dict[str, dict[str, list[Any]]] = {}
    start = 0
    for name, shapes in index.items():
        found[name] = {}
        for key in sorted(shapes):
            found[name][key] = []
            for shape in shapes[key]:
                stop = start + int(np.prod(shape))
                found[name][key].append(values[start:stop].reshape(shape))
                start = stop
    return found


WANTED = stored()


def compare(got: Any, wanted: list[Any], what: str) -> None:
    leaves = tree.flatten(got)[0]
    assert [np.shape(g) for g in leaves] == [w.shape for w in wanted], what
    for g, w in zip(leaves, wanted, strict=True):
        scale = max(1.0, float(np.abs(w).max(initial=0.0)))
        np.testing.assert_allclose(g, w, rtol=TOLERANCE, atol=TOLERANCE * scale, err_msg=what)


def test_the_table_is_of_these_functions() -> None:
    assert list(WANTED) == list(CASES)
    assert len(WANTED) >= 100


@pytest.mark.parametrize("name", CASES)
def test_compiled(name: str) -> None:
    """Value, jvp, vjp, Jacobian, Hessian and their maps in one compiled function, and each on its other ways."""
    case = CASES[name]
    made = derivatives(case, fnp, ft, scipy.special)
    ways = alternatives(case, fnp, ft, scipy.special)

    def every(a: Any, b: Any) -> Any:
        return {k: f(a, b) for k, f in made.items()}, {k: f(a, b) for k, (_, f) in ways.items()}

    plain, others = ft.jit(every)(case.arguments(), case.arguments((LANES,)))
    for key, got in plain.items():
        compare(got, WANTED[name][key], f"{name}: {key}")
    for key, got in others.items():
        compare(got, WANTED[name][ways[key][0]], f"{name}: {key}")


@pytest.mark.parametrize("name", [*CASES][::8])
def test_outermost(name: str) -> None:
    """The same without jit, each by itself."""
    case = CASES[name]
    arguments = case.arguments(), case.arguments((LANES,))
    for key, f in derivatives(case, fnp, ft, scipy.special).items():
        compare(f(*arguments), WANTED[name][key], f"{name}: {key}")
