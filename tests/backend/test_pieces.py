"""Long bodies of lanes in pieces, and records along which vectors go: the same bits, and C as long as the body."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import dtypes
from functrans.backend.codegen import lanes as package
from functrans.backend.codegen.regions.pieces import handed_on, pieces, values_of
from functrans.backend.codegen.vectors.target import Target, written_for
from functrans.ops import Ops, UOp
from tests.backend.test_lanes import always, never
from tests.backend.test_outline import chain
from tests.plans import kept_apart, plan_anew


def in_pieces(text: str) -> int:
    """How many pieces there are."""
    return text.count("long long *const p0_0 = ")


def truths(x: Any) -> Any:
    """Conditions that are wanted again much later, and integers."""
    far = chain(8, 60)(x)
    yes, n = x > 0.5, np.floor(x * 9).astype(np.int64)
    return np.where(yes, chain(9, 60)(far), far) + (n * n - 1)


def outer(r: Any) -> Any:
    """A record of more numbers than are moved at once, and one scalar of the lane in it."""
    a = np.tanh(r[:18]) * r.sum()
    return a[:, None] * r[None, :] + a[0]


BODIES: dict[str, tuple[Callable[[Any], Any], tuple[int, ...], type]] = {
    "chain": (chain(1), (), np.float64),
    "gradient": (ft.grad(chain(3, 120)), (), np.float64),
    "record": (lambda r: chain(4, 120)(r[0]) * chain(5, 90)(r[2]) + r[1], (3,), np.float64),
    "records": (lambda r: np.stack([chain(4, 120)(r[0]), r[1] * chain(5, 90)(r[2]), r[1]]), (3,), np.float64),
    "narrow": (chain(6, 200), (), np.float32),
    "waves": (lambda x: np.sin(chain(7, 90)(x) * 1e8) + np.exp(x), (), np.float64),
    "truths": (truths, (), np.float64),
    "outer": (outer, (21,), np.float64),
    "outer of narrow numbers": (outer, (37,), np.float32),
}


def both(f: Callable[[Any], Any], x: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any, str]:
    """What a mapped function gives in lanes and without them, and the C of the first."""
    found = []
    for choice in (never, always):
        monkeypatch.setattr(package, "chosen", choice)
        plan_anew(monkeypatch)
        g = ft.jit(ft.vmap(lambda r: f(r)))
        found.append(g(x))
    return found[1], found[0], g.lower(x).c_source


# What a batch asks for is the same of every body that has these results: numbers, records, and vectors along a record.
BATCHES = [(name, 67) for name in BODIES]
BATCHES += [(name, batch) for name in ("gradient", "narrow", "records", "outer") for batch in (1, 7, 64, 211)]


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize(("name", "batch"), BATCHES)
def test_bits_are_those_without_lanes(name: str, batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    f, shape, kind = BODIES[name]
    x: Any = np.random.default_rng(batch).uniform(0.1, 0.9, (batch, *shape)).astype(kind)
    got, want, text = both(f, x, monkeypatch)
    np.testing.assert_array_equal(got, want)
    assert ("= first + v" in text) if name.startswith("outer") else in_pieces(text) > 1


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("machine", [Target(32, masks=True), Target(16, masks=False)])
@pytest.mark.parametrize("name", ["gradient", "records", "truths", "outer"])
def test_vectors_of_other_machines(name: str, machine: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    f, shape, _ = BODIES[name]
    x = np.random.default_rng(0).uniform(0.1, 0.9, (37, *shape))
    monkeypatch.setattr(package, "chosen", always)
    plan_anew(monkeypatch)
    want = ft.jit(ft.vmap(lambda r: f(r)))(x)
    with kept_apart(tmp_path), written_for(machine):
        np.testing.assert_array_equal(ft.jit(ft.vmap(lambda r: f(r)))(x), want)


def test_the_text_is_as_long_as_the_body() -> None:
    """A statement is written once, whatever the number of vectors; no more values stay between pieces than live."""
    x = np.ones(500)
    lines = {n: len(ft.jit(ft.vmap(chain(2, n))).lower(x).c_source.splitlines()) for n in (200, 400, 800, 1600)}
    for n in (200, 400, 800):
        assert lines[2 * n] - lines[n] < 8 * n, lines
    kept = ft.jit(ft.vmap(chain(2, 1600))).lower(x).c_source
    assert sum(line.strip().startswith("ft_f64x") and "[8];" in line for line in kept.splitlines()) < 30


@pytest.mark.parametrize("seed", range(7))
def test_pieces_find_what_others_kept(seed: int) -> None:
    """Each value that a piece wants of another is where it was put, and nothing was put there since."""
    r = np.random.default_rng(seed)
    uops = [UOp(Ops.DEFINE_VAR, dtypes.float64, (), ("x", 0, 1))]
    for k in range(600):
        a, b = (uops[-1 - (min(int(r.integers(1, 40)), len(uops)) - 1)] for _ in range(2))
        uops += [
            product := UOp(Ops.MUL, dtypes.float64, (b, UOp.const(dtypes.float64, k))),
            UOp(Ops.ADD, b.dtype, (a, product)),
        ]
    uops = list(dict.fromkeys(uops))
    made, kinds = pieces(uops, lambda u: False)
    assert [u for p in made for u in p.uops] == uops and len(made) > 5
    place: dict[int, UOp] = {}
    own = set(uops)
    for piece in made:
        assert all(place[n] is u for u, n in piece.found.items())
        known = set(piece.found)
        for u in piece.uops:
            assert {v for v in values_of(u) if v in own} <= known
            known.add(u)
        place.update({n: u for u, n in piece.kept.items()})
    assert len(kinds) < 60


def test_what_pieces_hand_on_is_counted() -> None:
    """Of short bodies nothing; of a long chain what its pieces keep, and what they find."""
    x = UOp(Ops.DEFINE_VAR, dtypes.float64, (), ("x", 0, 1))
    uops = [x]
    for _ in range(300):
        uops.append(UOp(Ops.MUL, dtypes.float64, (uops[-1], uops[-1])))
    made, _ = pieces(uops, lambda u: False)
    assert handed_on(uops[:40]) == 0
    assert handed_on(uops) == 2 * (len(made) - 1) > 0
