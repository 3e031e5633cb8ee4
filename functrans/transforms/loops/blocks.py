"""Loops in blocks: a loop of loops has fewer carries to store for reverse mode, and computes the others again."""

from __future__ import annotations

from collections.abc import Sequence

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.function import Function
from functrans.ops.loops import Scan, region, results
from functrans.ops.source import param
from functrans.ops.uop import UOp
from functrans.transforms.loops.body import like


def loop(arg: Scan, sources: Sequence[UOp], every: int | None = None) -> list[UOp]:
    """The results of a loop; of none without rounds. ``every`` is the length of its blocks."""
    if arg.length == 0:
        stacks = [B.full(s, d, 0) for s, d in arg.results[arg.carries :]]
        return [*sources[: arg.carries], *stacks]
    if every is None or every >= arg.length:
        return results(region(Ops.SCAN, sources, arg))
    return _in_blocks(arg, list(sources), every)


def _in_blocks(arg: Scan, sources: list[UOp], every: int) -> list[UOp]:
    """Whole blocks in an outer loop, and the rest after it (before it, where the loop is reversed)."""
    n, ends = arg.carries, arg.carries + arg.sequences
    blocks, rest = divmod(arg.length, every)
    sequences, constants = sources[n:ends], sources[ends:]
    parts = [(0, blocks * every), (blocks * every, arg.length)]
    carries, stacks = sources[:n], [[] for _ in arg.results[n:]]  # type: list[UOp], list[list[UOp]]
    for start, stop in reversed(parts) if arg.reverse else parts:
        if start == stop:
            continue
        some = [rounds_of(x, start, stop) for x in sequences]
        if stop - start == rest and start:
            made = loop(_shorter(arg, rest), [*carries, *some, *constants])
        else:
            made = _blocks(arg, [*carries, *some, *constants], blocks, every)
        carries = made[:n]
        for stack, part in zip(stacks, made[n:], strict=True):
            stack.append(part)
    joined = [B.cat(tuple(s[::-1] if arg.reverse else s)) if len(s) > 1 else s[0] for s in stacks]
    return [*carries, *joined]


def _blocks(arg: Scan, sources: list[UOp], blocks: int, every: int) -> list[UOp]:
    n, ends = arg.carries, arg.carries + arg.sequences
    folded = [B.reshape(x, (blocks, every, *x.sized[1:])) for x in sources[n:ends]]
    inner = _shorter(arg, every)
    holes = like(sources[:n]) + [param(x.sized[1:], x.dtype) for x in folded] + like(sources[ends:])
    body = Function(tuple(holes), tuple(loop(inner, holes)))
    outer = Scan(body, n, arg.sequences, blocks, arg.reverse)
    made = results(region(Ops.SCAN, [*sources[:n], *folded, *sources[ends:]], outer))
    stacks = [B.reshape(y, (blocks * every, *y.sized[2:])) for y in made[n:]]
    return [*made[:n], *stacks]


def _shorter(arg: Scan, length: int) -> Scan:
    return Scan(arg.body, arg.carries, arg.sequences, length, arg.reverse, arg.unroll)


def rounds_of(x: UOp, start: int, stop: int) -> UOp:
    """The rounds [start, stop) of what is stacked."""
    return B.shrink(x, ((start, stop), *((0, n) for n in x.sized[1:])))
