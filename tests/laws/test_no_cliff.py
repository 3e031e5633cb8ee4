"""No length of a row is left to single numbers or to copies of it: what makes a length slow, looked for in the C."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import functrans as ft
from benchmarks.sweep import BODIES
from functrans.backend.codegen.vectors.target import written_for
from tests.backend.test_vectors import TARGETS

LENGTHS = [*range(9, 67, 3), 97, 130]
ONE = re.compile(r"\bft_(?:exp|exp2|expm1|log|log1p|sin|cos|tanh)\w*_f(?:64|32)\(")


def text(name: str, n: int, dtype: Any) -> str:
    with written_for(TARGETS[0]):
        return ft.jit(ft.vmap(BODIES[name])).lower(np.ones((max(16_000 // n, 8), n), dtype)).c_source


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", ["softmax", "entropy", "sines", "tanh", "gradient"])
def test_functions_are_vectors_at_every_length(name: str, dtype: Any) -> None:
    assert {n: found for n in LENGTHS if (found := ONE.findall(_own(text(name, n, dtype))))} == {}


@pytest.mark.parametrize("name", ["roll", "stencil"])
def test_shifted_rows_are_not_stored_at_any_length(name: str) -> None:
    assert [n for n in LENGTHS if re.search(r"double s\d+\[", text(name, n, np.float64))] == []


def _own(source: str) -> str:
    """The kernels, without the functions that stand before them."""
    return source[source.index(" void k0(") :]
