"""The list of passes: each with what it does, as the lists in the library say, and the smallest change it makes to a
program of a few examples.
"""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterator
from functools import cache

import numpy as np

import functrans as ft
from functrans.backend.codegen.lower import STATEMENTS
from functrans.backend.codegen.statements import lower
from functrans.backend.schedule.kernels import kernels
from functrans.backend.schedule.passes import GRAPH, ranged
from functrans.ops.kernel import listing
from functrans.ops.passes import Recorded, Stage
from functrans.ops.uop import UOp, toposort

# functions of x, which is 30 by 40 unless a shape stands beside
PROGRAMS: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("x.T * 2.0", (30, 40)),
    ("ft.vmap(lambda v: v / np.sqrt((v * v).sum()))(x)", (30, 40)),
    ("ft.vmap(lambda v: np.exp(v - v.max()) / np.exp(v - v.max()).sum())(x)", (30, 40)),
    ("ft.vmap(lambda v: v + 1.0, method='pad_reduce')(x)", (3, 4)),
    ("((s := np.sin(x.vmapin((r := ft.UOp.range(4),)))) * s.vmapout((r,)).sum()).vmapout((r,))", (4,)),
    ("ft.vmap(lambda v: ft.vmap(np.sin, axis_type='outer')(v).sum())(x)", (3, 4)),
    ("ft.vmap(lambda a: np.exp(a * x))(x[:, 0])", (5, 11)),
    ("(np.exp(x), ft.vmap(lambda s: np.exp(s) * x[:2])(x))", (40,)),
    ("x ** 3 + x", (30,)),
    ("x @ x.T", (300, 300)),
    ("np.sin(x) * np.cos(x)", (30, 41)),
    ("ft.vmap(lambda v: np.sin(v[0]) * np.stack([v[1], v[0] * v[2], v[2]]))(x)", (30, 3)),
    ("np.stack([x[:, 0] * x[:, 1], x[:, 1] + x[:, 2]], axis=1)", (30, 3)),
    ("(np.exp(x).sum(), np.exp(x).max())", (300,)),
    ("(x * x).sum()", (30, 16)),
    ("ft.vmap(lambda v: np.sin(v)[:, None] * np.sin(v)[None, :])(x)", (30, 40)),
    ("np.outer(np.sin(x), x) @ np.outer(x, x)", (40,)),
    ("ft.vmap(ft.grad(lambda v: (np.tanh(v[1:] - v[:-1]) ** 2).sum()))(x)", (30, 40)),
    ("np.sqrt(x * x.sum())[:20] + np.cumsum(x)[:20]", (40,)),
    ("ft.vmap(lambda v: np.cumsum(np.exp(v)))(x)", (30, 40)),
    ("x.at[::2].set(1.0)[::-1] + 1.0", (40,)),
    ("(lambda f: x + f(x + f(x)))(lambda y: np.stack([y[:, 1], y[:, 0] * y[:, 2], y[:, 2]], axis=1))", (30, 3)),
    ("np.exp(x)[:, None] * x[None, :] + np.sin(x)", (40,)),
    ("np.sort(x)", (300,)),
    ("np.roll(x, 1) - 2.0 * x + np.roll(x, -1)", (300,)),
    ("ft.grad(lambda p: ft.vmap(lambda z: np.sin(p[0] * z) * p[1])(x).mean())(x[:2])", (300,)),
    ("ft.vmap(lambda v: np.log(np.exp(v - v.max()).sum()) + v.max())(x)", (100, 40)),
    ("ft.vmap(lambda v: (np.sin(v) * v[::-1]).max() * np.sin(v))(x)", (30, 3)),
    ("np.sqrt((x * x).sum(1)).mean()", (100, 12)),
    ("np.swapaxes(x @ x[..., :9], 1, 2).reshape(2, 33, 36) + 1.0", (2, 4, 33, 33)),
    ("np.bincount((abs(x) * 3).astype(np.int64) % 7, weights=np.exp(x), minlength=7)", (300,)),
    ("ft.vmap(lambda p: ft.vmap(lambda q: np.exp(-((p - q) ** 2).sum()))(x).sum())(x)", (300, 3)),
)
SHOWN_LINES = 24  # of a change


@cache
def recorded() -> list[tuple[str, list[Stage]]]:
    """What every pass left of each program."""
    found = []
    for text, shape in PROGRAMS:
        f = eval(f"lambda x: {text}", {"np": np, "ft": ft})
        passes = Recorded()
        buffers = ranged(ft.jit(f).lower(np.ones(shape)).graph.outputs, passes)
        for kernel in kernels(buffers):
            lower(kernel, passes)
        found.append((f"{text}  # x: {' by '.join(map(str, shape))}", passes.stages))
    return found


def changes(name: str) -> Iterator[tuple[str, list[str]]]:
    """Each program that a pass changes, and the lines of the change."""
    for text, stages in recorded():
        for before, after in itertools.pairwise(stages):
            if after.name == name and before.kernel == after.kernel and before.nodes != after.nodes:
                lines = statements(before, after) if after.kernel else graph(before.nodes, after.nodes)
                if lines:
                    yield text, lines


def graph(before: list[UOp], after: list[UOp]) -> list[str]:
    """The nodes that go and those that come."""
    old, new = toposort(before), toposort(after)
    names = {u: f"u{k}" for k, u in enumerate(dict.fromkeys([*old, *new]))}

    def line(u: UOp) -> str:
        arg = "" if u.arg is None else f", {u.arg!r}"
        return f"{names[u]} = {u.op.name}({', '.join(names[s] for s in u.src)}{arg})"

    return [f"- {line(u)}" for u in old if u not in set(new)] + [f"+ {line(u)}" for u in new if u not in set(old)]


def statements(before: Stage, after: Stage) -> list[str]:
    """The difference of two lists."""
    texts = [listing(stage.nodes).splitlines() for stage in (before, after)]
    found = difflib.unified_diff(*texts, lineterm="", n=1)
    return [line for line in found if not line.startswith(("---", "+++", "@@"))]


def lines(which: str) -> list[str]:
    """A list of passes in MyST: of graphs or of statements."""
    out: list[str] = []
    for step in GRAPH if which == "graphs" else STATEMENTS:
        out += [f"**{step.name}**", "", step.does, ""]
        smallest = min(changes(step.name), key=lambda c: len(c[1]), default=None)
        if smallest is None:
            out += ["It changes none of the examples of this page.", ""]
            continue
        text, change = smallest
        more = [f"  {len(change) - SHOWN_LINES} lines more"] if len(change) > SHOWN_LINES else []
        out += ["```python", text, "```", "", "```diff", *change[:SHOWN_LINES], *more, "```", ""]
    return out
