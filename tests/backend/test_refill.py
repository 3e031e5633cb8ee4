"""Lanes that take the next instance when they have ended: each result in its place, whatever has ended when."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen.regions import adaptive, choice
from functrans.backend.codegen.vectors.target import Target, written_for
from tests.plans import kept_apart

pytestmark = pytest.mark.usefixtures("compiler")
MACHINES = [Target(64, True), Target(32, True), Target(16, False)]
SIZES = [0, 1, 7, 8, 9, 1000]


class Plain:
    """What a loop means."""

    @staticmethod
    def while_loop(test: Any, body: Any, carry: Any) -> Any:
        while test(carry):
            carry = body(carry)
        return carry


def thirds(library: Any, x: Any) -> Any:
    """How often a number is divided until it is small, and what is left."""
    return library.while_loop(lambda s: s[0] > 1, lambda s: (s[0] / x.dtype.type(3), s[1] + 1), (x, 0))


def collatz(library: Any, x: Any) -> Any:
    one = x.dtype.type(1)

    def step(s: Any) -> Any:
        n, count = s
        return np.where(n & one == 1, 3 * n + one, n >> one), count + one

    return library.while_loop(lambda s: s[0] > 1, step, (x, x * 0))


def of_pairs(library: Any, x: Any) -> Any:
    """With rows of two numbers, and a result of three."""
    end = library.while_loop(lambda s: s[0] > s[1], lambda s: (s[0] / s[1], s[1], s[2] + 1), (x[0], x[1] + 2, x[0] * 0))
    return np.stack(end)


def by_a_row(library: Any, x: Any) -> Any:
    """With rows of numbers that are narrower than a carry."""

    def step(s: Any) -> Any:
        return s[0] / (3 + x[1] / s[0].astype(x.dtype)), s[1] + 1

    return library.while_loop(lambda s: s[0] > x[1] + 1, step, (x[0].astype(float), 0))


def instances(size: int, dtype: Any) -> np.ndarray:
    rng = np.random.default_rng(size)
    if np.dtype(dtype).kind == "f":
        return (10.0 ** rng.uniform(-1.0, 15.0, size)).astype(dtype)
    return rng.integers(1, 3000, size).astype(dtype)


def rows_of(f: Any, dtype: Any, size: int) -> np.ndarray:
    rows = instances(size, dtype)
    return np.stack([rows, instances(size + 1, dtype)[:size] % 50], -1) if f in PAIRS else rows


@cache
def of_the_loop(f: Any, dtype: Any, size: int) -> list[Any]:
    """What each result of a function is, row by row."""
    want = [f(Plain, row) for row in rows_of(f, dtype, size)]
    return [want] if f is of_pairs else list(zip(*want, strict=True))


PAIRS = (of_pairs, by_a_row)  # which read rows of two
CASES = [(thirds, np.float64), (thirds, np.float32), (collatz, np.int64), (collatz, np.int32), (of_pairs, np.float64),
         (of_pairs, np.float32), (by_a_row, np.float32)]  # fmt: skip


@pytest.mark.parametrize("machine", MACHINES, ids=lambda m: f"{8 * m.bytes} bits")
@pytest.mark.parametrize("heavy", [False, True], ids=["light", "heavy"])
@pytest.mark.parametrize(("f", "dtype"), CASES, ids=lambda c: c.__name__)
def test_refilled_lanes_have_the_bits_of_the_loop(
    f: Any, dtype: Any, heavy: bool, machine: Target, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(adaptive, "SAMPLE", 1)
    monkeypatch.setattr(adaptive, "STRETCH", 7)
    monkeypatch.setattr(adaptive.AdaptiveWriter, "times", 2)
    monkeypatch.setattr(adaptive, "REFILL_PICOSECONDS", 0)
    if heavy:
        monkeypatch.setattr(choice, "UNROLLED_STATEMENTS", 0)
    mapped = ft.jit(ft.vmap(lambda x: f(ft, x)))
    with written_for(machine), kept_apart(tmp_path):
        for size in SIZES:
            rows = rows_of(f, dtype, size)
            got = mapped(rows)
            for k, part in enumerate(of_the_loop(f, dtype, size)):
                found = np.asarray(got[k] if f is not of_pairs else got)
                assert found.shape[0] == size
                assert found.tobytes() == np.asarray(part).astype(found.dtype).tobytes(), (size, k)
        text = mapped.lower(rows).c_source
        assert "nextrows" in text
        if f is by_a_row and machine.bytes > 16:  # where masks are no bits, the one of a carry is no mask of a row's
            assert set(re.findall(r"ft_takerows_f32.*, (.*)ended_0", text)) == {f"ft_narrow_m32x{machine.bytes // 8}("}


def divided(library: Any, i: Any) -> Any:
    """Carries that are not read after the loop: a divisor that is 0 in the last round, and a count of an inner loop."""

    def step(s: Any) -> Any:
        i, total, inner = s
        more = library.while_loop(lambda t: t[0] < i, lambda t: (t[0] + 1, t[1] + t[0]), (i * 0, inner * 0))[1]
        return i - 1, total + 100 // i + 100 % i + more, inner + more

    return library.while_loop(lambda s: s[0] > 0, step, (i, i * 0, i * 0))[1]


@pytest.mark.parametrize("heavy", [False, True], ids=["light", "heavy"])
def test_what_is_not_read_may_be_anything_in_lanes_that_have_ended(
    heavy: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if heavy:
        monkeypatch.setattr(choice, "UNROLLED_STATEMENTS", 0)
    rows = np.random.default_rng(0).integers(-2, 9, 200)
    want = np.array([divided(Plain, int(i)) for i in rows])
    with kept_apart(tmp_path):
        mapped = ft.jit(ft.vmap(lambda i: divided(ft, i)))
        for size in (1, 7, 33, 200):
            assert np.array_equal(mapped(rows[:size]), want[:size]), size


def test_a_mask_keeps_what_is_read(tmp_path: Path) -> None:
    def f(read: slice) -> Any:
        def step(s: Any) -> Any:
            x, y, n = s
            return x * x - y * y + 0.3, 2.0 * x * y + 0.1, n + 1.0

        return lambda x: ft.while_loop(lambda s: (s[0] < 4.0) & (s[2] < 50.0), step, (x, x, 0.0))[read]

    rows = np.linspace(-1.0, 1.0, 40)
    blends = []
    for read in (slice(2, 3), slice(0, 3)):
        text = ft.jit(ft.vmap(f(read))).lower(rows).c_source
        masked = text.partition("static int k0_masked(")[2].partition("static int k0_refilled(")[0]
        blends.append(masked.count("ft_sel_"))
    assert 0 < blends[0] < blends[1]
    one, every = ft.vmap(f(slice(2, 3)))(rows)[0], ft.vmap(f(slice(0, 3)))(rows)
    assert one.tobytes() == every[2].tobytes()
