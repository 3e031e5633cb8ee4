"""jvp of loops and branches: carries and their tangents side by side, in one loop.

Which carries have a tangent is a fixed point: those that begin with one, and those that a round gives one. The new
loop computes the old one's results too and says so (`Extends`), so that a schedule runs one of the two.

Source: Griewank and Walther, Evaluating Derivatives, chapter 3; semantics of ``jax.lax``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from functrans import dtypes
from functrans._records import replace
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.function import Function
from functrans.ops.loops import Extends, Scan, Switch, While, region, results
from functrans.ops.source import param
from functrans.ops.uop import UOp
from functrans.transforms.loops.body import closed_together, endless, like

Tangent = UOp | None
Pushed = Callable[[Sequence[UOp], dict[UOp, Tangent]], tuple[list[UOp], list[Tangent]]]
"""Outputs and tangents of placeholders, to values of the outputs and their tangents."""


def loop_tangents(node: UOp, tangents: Sequence[Tangent], push: Pushed) -> list[Tangent]:
    """The tangents of the results of a loop or branch, given those of its sources."""
    if all(t is None for t in tangents):
        return [None] * len(node.arg.results)
    return _RULES[node.op](node, tangents, push)


def _seeds(params: Sequence[UOp], active: Sequence[bool]) -> list[Tangent]:
    return [param(p.sized, p.dtype) if a else None for p, a in zip(params, active, strict=True)]


def _given(items: Sequence[Tangent]) -> list[UOp]:
    return [t for t in items if t is not None]


def _filled(values: Sequence[UOp], tangents: Sequence[Tangent], active: Sequence[bool]) -> list[UOp]:
    """The tangents of those that have one, zeros where none is known."""
    found = zip(values, tangents, active, strict=True)
    return [B.full(v.sized, v.dtype, 0) if t is None else t for v, t, a in found if a]


def _fixed_point(
    f: Function, carries: int, active: list[bool], push: Pushed
) -> tuple[list[UOp], list[Tangent], list[Tangent]]:
    """Values and tangents of a body's outputs, and the placeholders for tangents; ``active`` grows until it holds."""
    while True:
        seeds = _seeds(f.params, active)
        values, found = push(f.outputs, dict(zip(f.params, seeds, strict=True)))
        more = [k for k in range(carries) if found[k] is not None and not active[k]]
        if not more:
            return values, found, seeds
        for k in more:
            active[k] = True


def _scan(node: UOp, tangents: Sequence[Tangent], push: Pushed) -> list[Tangent]:
    arg: Scan = node.arg
    n, ends = arg.carries, arg.carries + arg.sequences
    active = [t is not None for t in tangents]
    values, found, seeds = _fixed_point(arg.body, n, active, push)
    stacked = [t is not None for t in found[n:]]
    moved = active[:n]
    out = [*values[:n], *_filled(values[:n], found[:n], moved), *values[n:], *_given(found[n:])]
    p = arg.body.params
    params = [*p[:n], *_given(seeds[:n]), *p[n:ends], *_given(seeds[n:ends]), *p[ends:], *_given(seeds[ends:])]
    src = node.src
    sources = [*src[:n], *_filled(src[:n], tangents[:n], moved)]
    sources += [*src[n:ends], *_given(tangents[n:ends]), *src[ends:], *_given(tangents[ends:])]
    (body,), constants = closed_together([(out, params)])
    own, lead = sum(moved), sum(active[n:ends])
    before = tuple(range(n)) + tuple(range(n + own, ends + own))
    before += tuple(ends + own + lead + k for k in range(len(src) - ends))
    after = tuple(range(n)) + tuple(n + own + k for k in range(len(values) - n))
    made = results(
        region(
            Ops.SCAN, [*sources, *constants],
            replace(arg, body=body, carries=n + own, sequences=arg.sequences + lead,
                    extends=Extends(arg, before, after), plain=_plain(arg, active, moved, stacked, constants, push)),
        )
    )  # fmt: skip
    of_carries, of_stacks = iter(made[n : n + own]), iter(made[n + own + len(values) - n :])
    return [next(of_carries) if a else None for a in moved] + [next(of_stacks) if a else None for a in stacked]


def _plain(
    arg: Scan, active: list[bool], moved: list[bool], stacked: list[bool], constants: list[UOp], push: Pushed
) -> Function | None:
    """The plain function of the loop of carries and tangents, sources and results in the order of that."""
    f, n, ends = arg.plain, arg.carries, arg.carries + arg.sequences
    if f is None:
        return None
    grown = [*moved, *active[n:]]
    seeds = _seeds(f.params, grown)
    values, found = push(f.outputs, dict(zip(f.params, seeds, strict=True)))
    p, tangents = f.params, _filled(values, found, [*moved, *stacked])
    own = sum(moved)
    params = [*p[:n], *_given(seeds[:n]), *p[n:ends], *_given(seeds[n:ends]), *p[ends:], *_given(seeds[ends:])]
    return Function((*params, *like(constants)), (*values[:n], *tangents[:own], *values[n:], *tangents[own:]))


def _while(node: UOp, tangents: Sequence[Tangent], push: Pushed) -> list[Tangent]:
    arg: While = node.arg
    n = arg.carries
    active = [t is not None for t in tangents]
    values, found, seeds = _fixed_point(arg.body, n, active, push)
    moved = active[:n]
    if not any(moved):
        return [None] * n
    own = sum(moved)
    out = [*values, *_filled(values, found, moved)]
    p, c = arg.body.params, arg.condition
    params = [*p[:n], *_given(seeds[:n]), *p[n:], *_given(seeds[n:])]
    holes = dict(zip(c.params, (*p[:n], *p[n:]), strict=True))
    (condition,) = c.at([holes[q] for q in c.params])
    graphs = [([condition], params), (out, params)]
    (tested, body), constants = closed_together(graphs, endless(graphs))
    src = node.src
    sources = [*src[:n], *_filled(src[:n], tangents[:n], moved), *src[n:], *_given(tangents[n:]), *constants]
    before = tuple(range(n)) + tuple(n + own + k for k in range(len(src) - n))
    extends = Extends(arg, before, tuple(range(n)))
    made = iter(results(region(Ops.WHILE, sources, While(tested, body, n + own, extends, arg.most)))[n:])
    return [next(made) if a else None for a in moved]


def _switch(node: UOp, tangents: Sequence[Tangent], push: Pushed) -> list[Tangent]:
    arg: Switch = node.arg
    active = [t is not None for t in tangents[1:]]
    pushed = []
    for f in arg.branches:
        seeds = _seeds(f.params, active)
        pushed.append((f, seeds, *push(f.outputs, dict(zip(f.params, seeds, strict=True)))))
    moved = [dtypes.is_inexact(d) and any(p[3][k] is not None for p in pushed) for k, (_, d) in enumerate(arg.results)]
    if not any(moved):
        return [None] * len(moved)
    graphs = [
        ([*values, *_filled(values, found, moved)], [*f.params, *_given(seeds)]) for f, seeds, values, found in pushed
    ]
    branches, constants = closed_together(graphs, endless(graphs))
    sources = [*node.src, *_given(tangents[1:]), *constants]
    extends = Extends(arg, tuple(range(len(node.src))), tuple(range(len(moved))))
    made = iter(results(region(Ops.SWITCH, sources, Switch(tuple(branches), extends)))[len(moved) :])
    return [next(made) if a else None for a in moved]


_RULES = {Ops.SCAN: _scan, Ops.WHILE: _while, Ops.SWITCH: _switch}
