"""Laws of loops and branches: random programs of them, in any word of transforms, against Python loops on NumPy.

A letter is a transform: V maps over lanes of distinct values, J takes value and derivative along a direction, G the
gradient, H the Hessian, K is checkpoint, I jit. Derivatives are those of dual numbers through the Python loops.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.laws.loop_programs import Ours, Plain, program
from tests.laws.references import assert_close

LAWS = settings(max_examples=16, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
SHAPES = ((), (1,), (3,), (2, 2), (2, 1, 2), (0,), (2, 0))
SMALL = ((), (2,), (3,), (1, 2))
MAPS = [*itertools.product(("vmapin", "rewrite", "pad_reduce"), ("loop", "outer"))]
FACTORS = (1.0, -0.7, 1.6, 0.4)

Two = Callable[[Any, Any], Any]  # of a scalar and an array


def mapped(L: Any, f: Two, lanes: int, axis: int, options: dict[str, Any]) -> Two:
    """Each lane has a row of the array and a factor of the scalar of its own."""
    given = {} if L is Plain else options
    return lambda s, x: L.vmap(lambda k, row: f(s * k, row), in_axes=(0, axis), **given)(np.array(FACTORS[:lanes]), x)


def transformed(L: Any, letter: str, f: Two, lanes: int, axis: int, options: dict[str, Any]) -> Two:
    def along(x: Any) -> Any:
        return np.cos(1.0 + np.arange(float(np.size(x)))).reshape(np.shape(x))

    made: dict[str, Callable[[], Two]] = {
        "V": lambda: mapped(L, f, lanes, axis, options),
        "J": lambda: lambda s, x: np.stack(L.jvp(lambda y: f(s, y), (x,), (along(x),))),
        "G": lambda: lambda s, x: L.grad(lambda y: np.sum(f(s, y)))(x),
        "H": lambda: lambda s, x: L.hessian(lambda y: np.sum(f(s, y)))(x),
        "K": lambda: lambda s, x: L.checkpoint(f)(s, x),
        "I": lambda: lambda s, x: L.jit(f)(s, x),
    }
    return made[letter]()


def spelled(L: Any, seed: int, word: str, lanes: int, axis: int, options: dict[str, Any]) -> Two:
    p = program(seed, reverse="G" in word or "H" in word)

    f: Two = lambda s, x: p(L, x, s)  # noqa: E731
    for letter in word:
        f = transformed(L, letter, f, lanes, axis, options)
    return f


def argument(shape: tuple[int, ...], word: str, lanes: int, axis: int, seed: int) -> Any:
    for _ in range(word.count("V")):
        shape = (lanes, *shape) if axis == 0 else (*shape, lanes)
    return np.random.default_rng(seed).uniform(-1.5, 1.5, shape)


def check(seed: int, word: str, shape: tuple[int, ...], lanes: int, axis: int, how: tuple[str, str]) -> None:
    x = argument(shape, word, lanes, axis, seed % 1000)
    options = dict(zip(("method", "axis_type"), how, strict=True))
    got = spelled(Ours, seed, word, lanes, axis, options)(0.6, x)
    derived = not {"J", "G", "H"}.isdisjoint(word)
    wanted = spelled(Plain, seed, word, lanes, axis, {})(0.6, Plain.wrap(x) if derived else x)
    wanted = Plain.numbers(wanted) if derived else np.asarray(wanted, float)
    assert_close(got, wanted, 1e-10, f"program({seed}), {word}, {shape}, {lanes} lanes, axis {axis}, {how}")


@LAWS
@given(st.integers(0, 2**32), st.sampled_from(("", "V", "VV", "KV", "VK", "IV")), st.sampled_from(SHAPES),
       st.integers(1, 4), st.sampled_from((0, -1)), st.sampled_from(MAPS))  # fmt: skip
@example(2089548290, "V", (), 4, 0, ("vmapin", "loop"))  # what follows a refilled loop, before the first lane
@example(3625910128, "V", (2, 1, 2), 3, -1, ("pad_reduce", "outer"))
def test_values(seed: int, word: str, shape: tuple[int, ...], lanes: int, axis: int, how: tuple[str, str]) -> None:
    check(seed, word, shape, lanes, axis, how)


@LAWS
@given(st.integers(0, 2**32), st.sampled_from(("J", "JV", "VJ", "JJ", "KJ", "JVV", "VJV")), st.sampled_from(SMALL),
       st.integers(1, 3), st.sampled_from((0, -1)), st.sampled_from(MAPS))  # fmt: skip
def test_tangents(seed: int, word: str, shape: tuple[int, ...], lanes: int, axis: int, how: tuple[str, str]) -> None:
    check(seed, word, shape, lanes, axis, how)


@LAWS
@given(st.integers(0, 2**32), st.sampled_from(("G", "GV", "VG", "KG", "GG", "H", "HV", "JG", "GJ", "KGV")),
       st.sampled_from(SMALL), st.integers(1, 3), st.sampled_from((0, -1)), st.sampled_from(MAPS))  # fmt: skip
def test_gradients(seed: int, word: str, shape: tuple[int, ...], lanes: int, axis: int, how: tuple[str, str]) -> None:
    check(seed, word, shape, lanes, axis, how)


@settings(LAWS, max_examples=6)
@given(st.integers(0, 2**32), st.sampled_from(((3,), (2, 2))))
def test_all_ways_to_map_give_the_same_bits(seed: int, shape: tuple[int, ...]) -> None:
    x = argument(shape, "V", 4, 0, seed % 1000)
    found = [
        spelled(Ours, seed, "V", 4, 0, {"method": method, "axis_type": kind})(0.6, x).tobytes() for method, kind in MAPS
    ]
    assert found == found[:1] * len(MAPS), f"program({seed})"
