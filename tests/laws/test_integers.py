"""Integers are NumPy's bit for bit: constants at the edges of every dtype, in random programs and in tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from tests import integers
from tests.integers import DTYPES, INTEGERS, SCALARS, SHAPES, differing, edges

COMPILED = pytest.mark.usefixtures("compiler")


@COMPILED
@pytest.mark.parametrize("seed", range(2))
def test_programs_of_scalars(seed: int) -> None:
    assert differing(seed, 400, None, SCALARS) == []


@COMPILED
@pytest.mark.parametrize("lanes", [None, 5])
def test_programs_of_arrays(lanes: int | None) -> None:
    assert differing(7, 60, lanes, SHAPES) == []


def test_programs_are_interpreted_alike() -> None:
    def eager(every: Any) -> Any:
        return lambda given: [np.asarray(y) for y in every([fnp.asarray(x) for x in given])]

    assert differing(11, 150, None, SHAPES, run=eager) == []


def test_programs_have_constants_at_every_edge() -> None:
    given = integers.arguments(integers.random.Random(0), None, SHAPES)
    text = "\n".join(map(repr, integers.drawn(400, 0, given)))
    for word in ("where(", "select(", "pad(", "full(", "clip(", "full_like(", "array(["):
        assert word in text
    for dtype in INTEGERS:
        info = np.iinfo(dtype)
        assert str(info.max) in text and str(info.min) in text and f"np.{dtype}(" in text


@COMPILED
def test_every_pair_of_edges_chosen_and_one_step_on() -> None:
    """Two constants, chosen by a condition, meet a third: no other operand says what type the sum is computed in."""
    flags = np.array([True, False])

    def steps(c: Any) -> list[tuple[str, Any]]:
        made = []
        for dtype in INTEGERS:
            ends = list(dict.fromkeys([*edges(dtype)[-4:], 3, min(3_000_000, np.iinfo(dtype).max)]))
            for a in ends:
                for k in ends:
                    x, y, z = (dtype.type(n) for n in (a, 1, k))
                    chosen = np.where(c, x, y)
                    made += [(f"{x!r} * {z!r}", (chosen * z).astype(np.float64)), (f"{x!r} + {z!r}", (chosen + z) < 0)]
                    made += [(f"{x!r} - {z!r}", (chosen - z).astype(np.uint64)), (f"-{x!r}", -chosen > z)]
        return made

    with np.errstate(all="ignore"):
        wanted = steps(flags)
    got = ft.jit(lambda c: [y for _, y in steps(c)])(flags)
    assert [(text, g, w) for g, (text, w) in zip(got, wanted, strict=True) if not np.array_equal(g, w)] == []


@COMPILED
def test_what_users_wrote() -> None:
    x, u = np.array([1.0, -1.0]), np.arange(5, dtype=np.uint32)

    def hashed(u: Any) -> Any:
        return (u * np.uint32(0x9E3779B1)) / 2.0**32

    def chosen(x: Any) -> Any:
        return np.where(x > 0, 3_000_000, 0) * 1000

    def least(x: Any) -> Any:
        return (np.where(x > 0, np.int32(-(2**31)), np.int32(7)) - np.int32(1)) / np.int32(2)

    for f, arg in ((hashed, u), (chosen, x), (least, x)):
        with np.errstate(all="ignore"):
            wanted = f(arg)
        np.testing.assert_array_equal(ft.jit(f)(arg), wanted)
        np.testing.assert_array_equal(ft.jit(ft.vmap(f))(arg), wanted)
    np.testing.assert_array_equal(ft.jit(lambda x: np.imag(x) / np.imag(x))(x), [np.nan, np.nan])


@COMPILED
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_each_edge_comes_back(dtype: np.dtype[Any]) -> None:
    """Constants alone: as an array, chosen, padded, and as the fill of what is empty."""
    values = [dtype.type(n) for n in dict.fromkeys(edges(dtype))]

    def f(x: Any) -> Any:
        one = x.astype(dtype)[:1]
        return [(np.where(x > 0, v, v), np.pad(one, 1, constant_values=v), fnp.full(2, v)) for v in values]

    for v, (chosen, padded, full) in zip(values, ft.jit(f)(np.ones(2)), strict=True):
        assert chosen.dtype == padded.dtype == full.dtype == dtype
        assert chosen.tolist() == full.tolist() == padded.tolist()[::2] == [v.item()] * 2


def test_what_does_not_fit() -> None:
    """A Python integer beyond its dtype raises, as in NumPy, and where NumPy wraps it; of clip it is no bound."""
    refused = (
        lambda u: u + 300, lambda u: np.maximum(u, -1), lambda u: np.full_like(u, 256), lambda u: np.clip(u, 300, None),
        lambda u: np.where(u > 1, 300, u), lambda u: np.select([u > 1], [u], 300), lambda u: u * 2**70,
        lambda u: np.pad(u, 1, constant_values=-1), lambda u: u.at[0].set(256),
    )  # fmt: skip
    u = np.array([0, 3, 255], np.uint8)
    for f in refused:
        for catch in (OverflowError, ft.IntegerOutOfRange, ft.DtypeError):
            with pytest.raises(catch, match=r"Python integer .* out of bounds for uint8 \(0 to 255\)"):
                ft.jit(f)(u)
    for low, high in ((-5, 300), (0, 255), (None, 300), (2, 300), (-(2**70), 2**70)):
        np.testing.assert_array_equal(ft.jit(lambda u, a=low, b=high: np.clip(u, a, b))(u), np.clip(u, low, high))
    with pytest.raises(OverflowError, match="300 is out of bounds for uint8"):
        ft.jit(lambda u, n: u + n)(u, 300)
