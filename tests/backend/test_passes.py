"""What the passes leave is told, and why buffers stay or go."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.schedule.decision import Decision, Why
from functrans.backend.schedule.passes import ranged
from functrans.ops import origin
from functrans.ops.passes import Recorded
from functrans.ops.uop import toposort

X = np.linspace(0.0, 1.0, 20).reshape(4, 5)


def decisions(f: Callable[..., Any], *args: Any) -> list[Decision]:
    passes = Recorded()
    ranged(ft.jit(f).lower(*args).graph.outputs, passes)
    return passes.decisions


def test_each_pass_is_told_in_order() -> None:
    passes = Recorded()
    roots = ranged(ft.jit(lambda x: np.sin(x).sum()).lower(X).graph.outputs, passes)
    names = [s.name for s in passes.stages]
    ranged_passes = ["rangeify, bufferize", "rows", "reductions", "fuse", "outer", "strip_mining"]
    ranged_passes += ["contractions", "hoist", "flat", "summed", "in_common"]
    tensor_passes = ["collapse", "in_order", "alpha_renaming", "powers", "multiply_adds"]
    tensor_passes += ["slices", "columns", "splitting"]
    assert names == ["trace", *tensor_passes, *ranged_passes]
    assert passes.stages[-1].nodes == roots


def chain(x: Any, links: int) -> Any:
    for _ in range(links):
        x = np.roll(x, 1) + 2 * x
    return x


@pytest.mark.parametrize(
    ("f", "why"),
    [
        (lambda x: np.sin(x).contiguous() * 2, Why.DEMANDED),
        (lambda x: np.cumsum(x, 0) * 2, Why.FILLED),
        (lambda x: np.exp(x)[:, 0][:, None] + np.exp(x.T)[:, 0], Why.CROSSED),
        (lambda x: (lambda y: y + y[::-1])(np.exp(np.sin(x))), Why.SHARED),
        (lambda x: (lambda y: y + y[::-1])(x + 1), Why.CHEAP),
        (lambda x: (lambda y, z: y + z[::-1])(*ft.vmap(lambda r: (np.exp(r[0]), np.exp(r[0]) * 2))(x)), Why.BESIDE),
        (lambda x: chain(x[0], 6), Why.BOUNDED),
        (lambda x: np.exp(x[:, 0])[:, None] + np.exp(x[0])[None, :], Why.NESTED),
        (lambda x: np.exp(x)[:, None] * np.ones((3, 1)), Why.NESTED),
    ],
    ids=lambda v: v.name if isinstance(v, Why) else "f",
)
def test_why(f: Callable[..., Any], why: Why) -> None:
    found = decisions(f, X)
    assert why in {d.why for d in found}, [str(d) for d in found]


def test_a_decision_says_what_it_is_about() -> None:
    (made,) = [d for d in decisions(lambda x: (lambda y: y + y[::-1])(np.exp(np.sin(x))), X) if d.why is Why.SHARED]
    assert made.stays and made.reads == 2 and made.figures is not None and made.figures.again == 2 * (24 + 310 + 400)
    assert "buffer of 4x5 float64: stored" in str(made) and "(2 reads; an element 1.01 ns between kernels" in str(made)


def test_the_manual_names_every_reason() -> None:
    page = (Path(ft.__file__).parents[1] / "docs" / "howto" / "see-what-was-compiled.md").read_text(encoding="utf-8")
    assert [why for why in Why if why.stays and f"| {why.value} |" not in page] == []


def test_lineage_leads_from_the_schedule_back_to_the_trace() -> None:
    passes = Recorded()
    outputs = ft.jit(lambda x: np.exp(np.sin(x)).sum(axis=1)).lower(X).graph.outputs
    with origin.lineage(passes.lineage):
        ranged(outputs, passes)
    first, last = passes.stages[0].nodes, toposort(passes.stages[-1].nodes)
    (sine,) = [u for u in last if u.op.name == "SIN"]
    above = {sine}
    for _ in range(10):
        above |= {old for u in above for old in passes.lineage.get(u, ())}
    assert [u.op.name for u in toposort(first) if u in above] == ["SIN"]
