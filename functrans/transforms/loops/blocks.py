"""Loops in blocks: a loop of loops has fewer carries to store for reverse mode, and computes the others again."""

from __future__ import annotations

from collections.abc import Sequence

from functrans.errors import ArgumentValueError, at_user_line
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.function import Function
from functrans.ops.loops import Scan, region, results
from functrans.ops.source import param
from functrans.ops.uop import UOp
from functrans.transforms.loops.body import like


def levels(length: int, checkpoints: int, what: str) -> list[int]:
    """The lengths of blocks, outer ones first, with at most so many carries stored at a time: as few levels as that
    takes, each of about as many blocks.

    Reverse mode then computes each round once more for each level. Raises ArgumentValueError where they are too few.

    >>> levels(1000, 64, "scan"), levels(1000, 30, "scan"), levels(10, 10, "scan")
    ([32], [100, 10], [])

    Source: multi-level checkpointing, Griewank and Walther, Evaluating Derivatives, section 12.3.
    """
    least = checkpoints + 1
    for depth in range(1, max(length, 2).bit_length() + 1):
        blocks = _root(length, depth)
        least = min(least, depth * blocks) if depth > 1 else blocks
        if depth * blocks <= checkpoints:
            return [blocks**k for k in range(depth - 1, 0, -1)]
    raise ArgumentValueError(
        f"checkpoints={checkpoints} of {what}, which has {length} rounds; expected at least {least}{at_user_line()}"
    )


def _root(n: int, depth: int) -> int:
    """The least integer whose power is no less than n."""
    found: int = max(round(n ** (1 / depth)) - 1, 1)
    while found**depth < n:
        found += 1
    return found


def loop(arg: Scan, sources: Sequence[UOp], every: Sequence[int] = ()) -> list[UOp]:
    """The results of a loop; of none without rounds. ``every`` are the lengths of its blocks, of those in these, ..."""
    if arg.length == 0:
        stacks = [B.full(s, d, 0) for s, d in arg.results[arg.carries :]]
        return [*sources[: arg.carries], *stacks]
    every = [n for n in every if n < arg.length]
    if not every:
        return results(region(Ops.SCAN, sources, arg))
    return _in_blocks(arg, list(sources), every)


def _in_blocks(arg: Scan, sources: list[UOp], lengths: Sequence[int]) -> list[UOp]:
    """Whole blocks in an outer loop, and the rest after it (before it, where the loop is reversed)."""
    n, ends = arg.carries, arg.carries + arg.sequences
    every = lengths[0]
    blocks, rest = divmod(arg.length, every)
    sequences, constants = sources[n:ends], sources[ends:]
    parts = [(0, blocks * every), (blocks * every, arg.length)]
    carries, stacks = sources[:n], [[] for _ in arg.results[n:]]  # type: list[UOp], list[list[UOp]]
    for start, stop in reversed(parts) if arg.reverse else parts:
        if start == stop:
            continue
        some = [_rows(x, start, stop) for x in sequences]
        if stop - start == rest and start:
            made = loop(_shorter(arg, rest), [*carries, *some, *constants], lengths[1:])
        else:
            made = _blocks(arg, [*carries, *some, *constants], blocks, lengths)
        carries = made[:n]
        for stack, part in zip(stacks, made[n:], strict=True):
            stack.append(part)
    joined = [B.cat(tuple(s[::-1] if arg.reverse else s)) if len(s) > 1 else s[0] for s in stacks]
    return [*carries, *joined]


def _blocks(arg: Scan, sources: list[UOp], blocks: int, lengths: Sequence[int]) -> list[UOp]:
    n, ends, every = arg.carries, arg.carries + arg.sequences, lengths[0]
    folded = [B.reshape(x, (blocks, every, *x.sized[1:])) for x in sources[n:ends]]
    inner = _shorter(arg, every)
    holes = like(sources[:n]) + [param(x.sized[1:], x.dtype) for x in folded] + like(sources[ends:])
    body = Function(tuple(holes), tuple(loop(inner, holes, lengths[1:])))
    outer = Scan(body, n, arg.sequences, blocks, arg.reverse)
    made = results(region(Ops.SCAN, [*sources[:n], *folded, *sources[ends:]], outer))
    stacks = [B.reshape(y, (blocks * every, *y.sized[2:])) for y in made[n:]]
    return [*made[:n], *stacks]


def _shorter(arg: Scan, length: int) -> Scan:
    return Scan(arg.body, arg.carries, arg.sequences, length, arg.reverse, arg.unroll)


def _rows(x: UOp, start: int, stop: int) -> UOp:
    return B.shrink(x, ((start, stop), *((0, n) for n in x.sized[1:])))
