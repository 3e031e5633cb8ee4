"""Sums of truths and of short integers: accumulators of a block are short, and never too short."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen.vectors.target import PORTABLE, Target, written_for
from tests.plans import kept_apart

pytestmark = pytest.mark.usefixtures("compiler")
MACHINES = [Target(64, True), Target(32, True), Target(16, False), PORTABLE]
SIZES = [31, 64, 255, 257, 1000, 4095, 4096, 4097, 8191, 70_001]


def sums(x: Any) -> Any:
    return np.sum(x), np.sum(x > 5), np.sum((x > 5) & (x < 100)), np.count_nonzero(x)


@pytest.mark.parametrize("machine", MACHINES, ids=lambda m: f"{8 * m.bytes} bits")
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "uint16", "int16", "int32"])
def test_sums_of_extremes_are_exact(dtype: str, machine: Target, tmp_path: Path) -> None:
    low, high = (0, 1) if dtype == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    f, rows = ft.jit(sums), ft.jit(lambda x: (x.sum(1), (x > 5).sum(0), x.sum()))
    with written_for(machine), kept_apart(tmp_path):
        for n in SIZES:
            mixed = np.random.default_rng(n).integers(low, high, n, endpoint=True)
            for x in (np.full(n, high), np.full(n, low), mixed):
                x = x.astype(dtype)
                for got, wanted in zip(f(x), sums(x), strict=True):
                    assert got == wanted and got.dtype == wanted.dtype, n
        x = np.full((3, 700), high, dtype)
        for got, wanted in zip(rows(x), (x.sum(1), (x > 5).sum(0), x.sum()), strict=True):
            np.testing.assert_array_equal(got, wanted)


def test_bytes_are_counted_in_bytes() -> None:
    x = np.ones(10_000, np.uint8)
    assert "unsigned char s" in ft.jit(lambda x: np.sum(x > 50)).lower(x).c_source
    assert "unsigned short s" in ft.jit(np.sum).lower(x).c_source
    assert "unsigned char s" not in ft.jit(lambda x: np.sum(x > 50)).lower(x.astype(float)).c_source
