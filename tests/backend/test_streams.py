"""Results that are written past the caches: the same bits at any place in memory, and nothing beside them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend import pipeline, plan
from functrans.backend.codegen import split as split_module
from functrans.backend.codegen import streams, unit
from functrans.backend.pipeline import Program
from functrans.config import config
from functrans.tree import flatten
from tests.backend.test_compiled_law import grown
from tests.plans import plan_anew

pytestmark = pytest.mark.usefixtures("compiler")


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every result that can be written so is, whatever its size, a few steps at a time, by any threads."""
    for module, name, value in (
        (unit, "FAR_BYTES", -1), (plan, "FAR_BYTES", -1), (streams, "STREAM_PICOSECONDS", 1 << 60),
        (streams, "LINE_BYTES", 1), (streams, "TILE", 100),
        (split_module, "THREAD_PICOSECONDS", 0),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, value)
    plan_anew(monkeypatch)


def is_streamed(f: Callable[..., Any], *args: np.ndarray) -> bool:
    return "const int far" in ft.jit(f).lower(*args).c_source


def ones(*shape: int, dtype: Any = float) -> np.ndarray:
    return np.ones(shape, dtype)


MANY = ft.vmap(lambda a, b: a @ b)


@pytest.mark.parametrize(
    "f, args, wanted",
    [
        (lambda a, b: MANY(a, b), (ones(9, 6, 6), ones(9, 6, 6)), True),
        (lambda a, b: (MANY(a, b), a + b), (ones(9, 6, 6), ones(9, 6, 6)), True),
        (lambda x: x[:, ::-1] * 2, (ones(9, 20),), True),
        (lambda x: x * 2, (ones(500),), False),  # a step is less than a line
        (lambda x: np.exp(np.sin(x)), (ones(9, 20),), False),  # work enough to wait for
        (lambda x: x.sum(), (ones(9, 20),), False),
        (lambda x: x[:, ::-1] * 2, (ones(9, 2000),), False),  # steps are large
        (lambda a, b: (lambda c: (c, np.cumsum(c, 0)))(MANY(a, b)), (ones(9, 6, 6), ones(9, 6, 6)), False),  # read
    ],
)
def test_what_is_written_so(f: Callable[..., Any], args: tuple[np.ndarray, ...], wanted: bool) -> None:
    assert is_streamed(f, *args) == wanted


@pytest.mark.parametrize("group", range(6))
def test_the_bits_are_the_same(group: int, always: None, monkeypatch: pytest.MonkeyPatch) -> None:
    graphs = [grown(seed, 6 + group % 9, casts=group % 2 == 1) for seed in range(7000 + group * 5, 7005 + group * 5)]
    params = [p for g, _, _ in graphs for p in g.params]
    values = [v for _, _, vs in graphs for v in vs]
    program = Program([r for _, outputs, _ in graphs for r in outputs], params)
    found = []
    for count in (1, 3):
        with config.override(threads=count):
            found.append([r.tobytes() for r in program(values)])
    monkeypatch.setattr(pipeline, "pool", lambda: 0)
    with config.override(threads=1):
        assert all(f == [w.tobytes() for w in program(values)] for f in found)


BODIES: dict[str, tuple[Callable[..., Any], list[tuple[int, ...]]]] = {
    "products": (ft.vmap(lambda a, b: a @ b), [(37, 6, 6), (37, 6, 6)]),
    "tiles": (lambda a, b: a @ b, [(97, 20), (20, 6)]),  # of rows that are no whole blocks
    "softmax": (ft.vmap(lambda v: np.exp(v - v.max()) / np.exp(v - v.max()).sum()), [(41, 33)]),
    "one each": (lambda x: np.sin(x) * x, [(1003,)]),
    "lanes": (ft.vmap(lambda v: np.stack([np.cumsum(np.sin(v))[-1], (v * v).sum()])), [(777, 12)]),
    "several": (ft.vmap(lambda v: (v > 0, v.astype(np.float32) * 2, v[:3] + 1, (v * 1j))), [(53, 11)]),
    "joined": (lambda x: np.concatenate([x[:, :3] * 2, np.sin(x[:, 3:])], axis=1), [(29, 8)]),
    "stacked": (lambda x: np.stack([x, x[::-1], x * 2], axis=1), [(29,)]),
    "turned": (lambda x: np.concatenate([x.T * 2, np.cos(x.T)]), [(7, 31)]),
    "records": (ft.vmap(lambda v: v.at[2].set(v[0] * v[1])), [(40, 5)]),
}


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("launcher", [True, False])
def test_at_any_place_and_nothing_beside(
    name: str, launcher: bool, always: None, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    f, shapes = BODIES[name]
    args = [np.random.default_rng(3).normal(size=s) for s in shapes]
    jitted = ft.jit(f)
    with config.override(launcher=launcher, spec=False):
        leaves, structure = flatten(jitted(*args))
        with monkeypatch.context() as without:
            without.setattr(unit, "FAR_BYTES", 1 << 60)
            without.setattr(plan, "FAR_BYTES", 1 << 60)
            plan_anew(without)
            want = flatten(ft.jit(lambda *xs: f(*xs))(*args))[0]
        for count in (1, 3):
            for first in (0, 1, 3, 5):  # places in a line
                blocks = [np.full(x.nbytes + 192, 0xA5, np.uint8) for x in leaves]
                starts = [(-b.ctypes.data % 64) + first * x.itemsize for b, x in zip(blocks, leaves, strict=True)]
                outs = [
                    b[s : s + x.nbytes].view(x.dtype).reshape(x.shape)
                    for b, s, x in zip(blocks, starts, leaves, strict=True)
                ]
                with config.override(threads=count):
                    jitted(*args, out=structure.unflatten(outs))
                for out, block, start, w in zip(outs, blocks, starts, want, strict=True):
                    assert out.tobytes() == w.tobytes()
                    assert (block[:start] == 0xA5).all() and (block[start + w.nbytes :] == 0xA5).all()
