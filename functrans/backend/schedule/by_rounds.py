"""Work on what a loop stacks goes into a loop: reductions over the rounds, and sequences of a later loop.

A reduction over the axis that counts rounds is a loop of its own, with one carry, in the order of the loop that stacks.
A sequence that is computed of stacks, round by round, is computed in the loop that reads it: a cotangent of every step
is a few operations in the loop backward. At last a loop that reads what another one stacks, in the same rounds, becomes
part of it. So a loss over all steps and its gradient are loops alone, which nothing stands between.

What a round makes is rounded as if it was stored, so a loop by itself has the bits of one that is part of another.

Source: loop fusion, Allen and Kennedy, Optimizing Compilers for Modern Architectures, section 6.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from functrans import dtypes
from functrans._records import replace
from functrans.backend.policy import LOOP_STATEMENTS
from functrans.backend.schedule.along import of_numbers
from functrans.backend.schedule.rounds import after_loops, is_stack, round_value
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.function import Function
from functrans.ops.loops import Scan, region, results
from functrans.ops.reduce import identity
from functrans.ops.source import param
from functrans.ops.uop import UOp, rebuilt, substitute, toposort


def by_rounds(roots: list[UOp]) -> list[UOp]:
    """The graph with such work in loops. Linear in the graph for each loop."""
    return _joined(_rewritten(_rewritten(roots, _fold), _with_sequences))


def _rewritten(roots: list[UOp], rewrite: Callable[[UOp, set[UOp], set[UOp]], UOp | None]) -> list[UOp]:
    """The roots with what a function makes of nodes that depend on stacks, sources first."""
    order = toposort(roots)
    looped, numbers = after_loops(order), of_numbers(order)

    def make(u: UOp, made: UOp) -> UOp:
        if u in looped:
            looped.add(made)
            made = rewrite(made, looped, numbers) or made
            looped.add(made)
        return made

    return rebuilt(roots, make)


def _fold(u: UOp, looped: set[UOp], numbers: set[UOp]) -> UOp | None:
    """A reduction over the axis of rounds, among others, as a loop."""
    if u.op is not Ops.REDUCE_AXIS:
        return None
    op, axes = u.arg
    x = u.src[0]
    if x.dtype == dtypes.float16 or not x.size:
        return None
    for axis in axes:
        found = round_value(x, axis, looped, numbers)
        if found is None:
            continue
        first = next(s for s in found.sequences if is_stack(s)).src[0].arg
        rest = tuple(k - (k > axis) for k in axes if k != axis)
        element = B.reduce_axis(found.value, op, rest)
        so_far = param(element.sized, u.dtype)
        body = Function((so_far, *found.sequences.values(), *found.constants.values()), (B.alu(op, so_far, element),))
        start = B.full(element.sized, u.dtype, identity(op, u.dtype))
        sources = (start, *found.sequences, *found.constants)
        loop = Scan(body, 1, len(found.sequences), x.sized[axis], first.reverse)
        return results(region(Ops.SCAN, sources, loop))[0]
    return None


def _with_sequences(u: UOp, looped: set[UOp], numbers: set[UOp]) -> UOp | None:
    """A loop that computes elements of its sequences, where these come from stacks."""
    if u.op is not Ops.SCAN:
        return None
    arg: Scan = u.arg
    ends = arg.carries + arg.sequences
    elements: dict[UOp, UOp] = {}
    sequences: dict[UOp, UOp] = {}
    constants: dict[UOp, UOp] = {}
    for s, p in zip(u.src[arg.carries : ends], arg.body.params[arg.carries : ends], strict=True):
        found = None if is_stack(s) or s not in looped else round_value(s, 0, looped, numbers)
        if found is None:
            sequences[s] = elements[p] = sequences.get(s, p)
            continue
        again = {q: sequences.setdefault(x, q) for x, q in found.sequences.items()}
        again |= {q: constants.setdefault(x, q) for x, q in found.constants.items()}
        elements[p] = _rounded(*substitute([found.value], again))
    if all(elements[p] is p for p in arg.body.params[arg.carries : ends]):
        return None
    given = dict(zip(arg.body.params[ends:], u.src[ends:], strict=True))
    own = {**elements, **{p: constants.setdefault(s, p) for p, s in given.items()}}
    outputs = substitute(arg.body.outputs, {p: v for p, v in own.items() if p is not v})
    params = (*arg.body.params[: arg.carries], *sequences.values(), *constants.values())
    made = replace(arg, body=Function(params, tuple(outputs)), sequences=len(sequences))
    return region(Ops.SCAN, (*u.src[: arg.carries], *sequences, *constants), made)


def _rounded(x: UOp) -> UOp:
    """A value rounded as if it was stored: no multiply-add takes its product."""
    return UOp(Ops.DETACH, x.dtype, (x,))


def _joined(roots: list[UOp]) -> list[UOp]:
    """Loops that read what another one stacks, in the same rounds, as part of it."""
    while True:
        order = toposort(roots)
        pair = next(_pairs(order), None)
        if pair is None:
            return roots
        roots = _together(roots, order, *pair)


def _pairs(order: list[UOp]) -> Iterator[tuple[UOp, UOp]]:
    for second in order:
        if second.op is not Ops.SCAN:
            continue
        arg: Scan = second.arg
        rows = second.src[arg.carries : arg.carries + arg.sequences]
        for first in dict.fromkeys(s.src[0] for s in rows if is_stack(s)):
            if _is_alike(first, second) and _is_free(first, second):
                yield first, second


def _is_alike(first: UOp, second: UOp) -> bool:
    """Whether two loops have the same lanes and rounds."""
    a, b = first.arg, second.arg
    same = (a.length, a.reverse) == (b.length, b.reverse) and first.free_ranges == second.free_ranges
    return same and len(toposort(b.body.outputs)) <= 2 * LOOP_STATEMENTS


def _is_free(first: UOp, second: UOp) -> bool:
    """Whether the second reads nothing of the first but what it stacks, round by round."""
    arg: Scan = second.arg
    rows = range(arg.carries, arg.carries + arg.sequences)
    others = [s for k, s in enumerate(second.src) if k not in rows or not (is_stack(s) and s.src[0] is first)]
    return first not in toposort(others)


def _together(roots: list[UOp], order: list[UOp], first: UOp, second: UOp) -> list[UOp]:
    a, b = first.arg, second.arg
    n, ends = b.carries, b.carries + b.sequences
    elements: dict[UOp, UOp] = {}
    more: list[tuple[UOp, UOp]] = []
    for s, p in zip(second.src[n:ends], b.body.params[n:ends], strict=True):
        if is_stack(s) and s.src[0] is first:
            elements[p] = _rounded(a.body.outputs[s.arg])
        else:
            more.append((s, p))
    outputs = substitute(b.body.outputs, elements)
    p, q, m = a.body.params, b.body.params, a.carries + a.sequences
    body = Function(
        (*p[: a.carries], *q[:n], *p[a.carries : m], *(x for _, x in more), *p[m:], *q[ends:]),
        (*a.body.outputs[: a.carries], *outputs[:n], *a.body.outputs[a.carries :], *outputs[n:]),
    )
    sources = (*first.src[: a.carries], *second.src[:n], *first.src[a.carries : m], *(s for s, _ in more))
    loop = replace(a, body=body, carries=a.carries + n, sequences=a.sequences + len(more))
    whole = results(region(Ops.SCAN, (*sources, *first.src[m:], *second.src[ends:]), loop))
    stacks = len(a.body.outputs) - a.carries
    of_first = [*whole[: a.carries], *whole[a.carries + n : a.carries + n + stacks]]
    of_second = [*whole[a.carries : a.carries + n], *whole[a.carries + n + stacks :]]
    found = {u: (of_first if u.src[0] is first else of_second)[u.arg]
             for u in order if u.op is Ops.RESULT and u.src[0] in (first, second)}  # fmt: skip
    return substitute(roots, found)
