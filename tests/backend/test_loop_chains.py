"""Loops over the same lanes as one kernel: counts, memory, the bits of loops that are kernels of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import tree
from functrans.backend import plan
from functrans.backend.codegen.regions import lowered
from tests.plans import kept_apart

pytestmark = pytest.mark.usefixtures("compiler")
RNG = np.random.default_rng(0)
STATES, STEPS = 4, 12
W, U = RNG.normal(size=(STATES, STATES)) * 0.4, RNG.normal(size=(STATES, 2))


def end(w: Any, xs: Any) -> Any:
    return ft.scan(lambda h, x: (np.tanh(w @ h + U @ x), None), np.zeros(STATES), xs)[0]


def each(w: Any, xs: Any) -> Any:
    """The gradient of each lane."""
    return ft.vmap(ft.grad(lambda w, x: (end(w, x) ** 2).sum()), in_axes=(None, 0))(w, xs)


def summed(w: Any, xs: Any) -> Any:
    """The gradient of a loss of all lanes: between the loops stands work on their results in all lanes."""
    return ft.grad(lambda w: (0.5 * (ft.vmap(lambda x: end(w, x))(xs) - 0.25) ** 2).sum())(w)


def fitted(w: Any, xs: Any) -> Any:
    """The same with the value, and with results that are to be matched."""
    goal = np.linspace(0.0, 1.0, len(xs) * STATES).reshape(len(xs), STATES)
    return ft.value_and_grad(lambda w: ((ft.vmap(lambda x: end(w, x))(xs) - goal) ** 2).mean())(w)


def crossed(w: Any, xs: Any) -> Any:
    """A second loop that reads other lanes than its own."""
    ends = ft.vmap(lambda x: end(w, x))(xs)
    return ft.vmap(lambda a, x: ft.scan(lambda h, e: (np.sin(h) + e[0], None), a, x)[0])(ends[::-1], xs)


def through(w: Any, xs: Any) -> Any:
    """A second loop that needs what is computed of all lanes."""
    ends = ft.vmap(lambda x: end(w, x))(xs)
    mean = ends.mean(axis=0)
    return ft.vmap(lambda a, x: ft.scan(lambda h, e: (np.sin(h) * mean + e[0], None), a, x)[0])(ends, xs)


def gathered(w: Any, xs: Any) -> Any:
    """A second loop that reads what the first has made of every lane."""
    ends = ft.vmap(lambda x: end(w, x))(xs)
    at = np.arange(STEPS) % 3
    return ft.vmap(lambda a: ft.scan(lambda h, k: (np.sin(h) + ends[k], None), a, at)[0])(ends)


PROGRAMS = [each, summed, fitted, crossed, through, gathered]


def inputs(lanes: int) -> np.ndarray:
    return RNG.normal(size=(lanes, STEPS, 2))


def kinds(f: Callable[..., Any], lanes: int = 37) -> list[str]:
    return [type(k).__name__ for k in ft.jit(f).lower(W, inputs(lanes)).kernels]


def test_a_gradient_is_one_kernel() -> None:
    assert kinds(each) == ["Chain"]
    assert kinds(summed) == ["Chain", "Kernel"]  # the sum over lanes, in their order
    assert kinds(fitted).count("Chain") == 1 and "RegionKernel" not in kinds(fitted)


def test_what_lanes_read_of_other_lanes_keeps_loops_apart() -> None:
    assert "Chain" not in kinds(crossed) + kinds(through) + kinds(gathered)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_the_bits_of_loops_apart(f: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """For any number of lanes, which is one text, and where a call is left after each round."""
    cases = [inputs(lanes) for lanes in (3, 16, 37)]

    def found() -> list[list[bytes]]:
        jitted = ft.jit(f)
        return [[np.asarray(x).tobytes() for x in tree.leaves(jitted(W, xs))] for xs in cases]

    together = found()
    with monkeypatch.context() as patch, kept_apart(tmp_path / "left"):
        patch.setattr(lowered, "TURN_PICOSECONDS", 1)
        assert found() == together
    monkeypatch.setattr(plan.late.regions, "takes", lambda chain, known: False)
    with kept_apart(tmp_path / "apart"):
        assert "Chain" not in kinds(f)
        assert found() == together


def test_a_history_takes_the_memory_of_a_block_of_lanes() -> None:
    def temporaries(lanes: int, steps: int) -> int:
        return ft.jit(each).lower(W, np.zeros((lanes, steps, 2))).cost().temporaries

    assert temporaries(10_000, 100) == temporaries(100, 100)
    assert temporaries(100, 200) - temporaries(100, 100) == temporaries(100, 300) - temporaries(100, 200) > 0


def test_one_text_for_all_lanes_and_rounds() -> None:
    texts = {ft.jit(each).lower(W, np.zeros((b, t, 2))).c_source for b, t in ((3, 10), (1000, 10), (1000, 500))}
    assert len(texts) == 1


def test_threads_give_the_same_bits() -> None:
    xs = np.random.default_rng(1).normal(size=(4000, STEPS, 2))
    with ft.config.override(threads=1):
        want = ft.jit(each)(W, xs)
    with ft.config.override(threads=4):
        assert ft.jit(each)(W, xs).tobytes() == want.tobytes()


def test_a_carry_that_changes_element_by_element_needs_no_second_array() -> None:
    grown = ft.jit(
        ft.vmap(lambda a: ft.scan(lambda c, _: (c * 0.5 + np.outer(a, a), None), np.zeros((9, 9)), None, 5)[0])
    )
    turned = ft.jit(
        ft.vmap(lambda a: ft.scan(lambda c, _: (c.T * 0.5 + np.outer(a, a), None), np.zeros((9, 9)), None, 5)[0])
    )
    a = RNG.normal(size=(5, 9))
    arrays = [sum(f"_0[{81}]" in line for line in f.lower(a).c_source.split("\n")) for f in (grown, turned)]
    assert arrays == [2, 3]  # one is a copy of the products, which rounds read
    once = np.zeros((5, 9, 9))
    for _ in range(5):
        once = once.transpose(0, 2, 1) * 0.5 + a[:, :, None] * a[:, None, :]
    np.testing.assert_allclose(turned(a), once, rtol=1e-14)
    np.testing.assert_allclose(grown(a), once, rtol=1e-14)  # it is symmetric
