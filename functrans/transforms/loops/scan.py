"""scan: a loop over carries and sequences that stays one loop, and the loops that are one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from functrans import tree
from functrans.errors import ArgumentError, at_user_line
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.function import Function
from functrans.ops.loops import Scan, region, results
from functrans.ops.source import param
from functrans.ops.uop import UOp
from functrans.tensor.core import Tensor
from functrans.trace import call, claim
from functrans.transforms.loops.body import closed, like
from functrans.transforms.loops.carry import carry_of, function_of, named, numbers, traced_body
from functrans.transforms.loops.sequences import length_of, natural, unrolled


def scan(
    f: Callable[..., Any],
    init: Any,
    xs: Any = None,
    length: int | None = None,
    reverse: bool = False,
    unroll: int | bool = 1,
    *,
    checkpoint_every: int | None = None,
) -> Any:
    """A loop over the leading axis of ``xs`` that carries values: ``(carry, ys)`` for ``f(carry, x) -> (carry, y)``.

    It means this, and is traced once, whatever the length, and compiled to one C loop::

        ys = []
        for x in xs:
            carry, y = f(carry, x)
            ys.append(y)
        return carry, stack(ys)

    ``init``, ``xs`` and ``y`` are pytrees; the carry keeps its structure, shapes and dtypes from round to round, but a
    Python number in ``init`` takes the dtype that f gives it. Without ``xs``, f is given None ``length`` times.
    ``reverse`` goes from the last element to the first, and stacks each y where its x was. ``unroll`` rounds are
    written out in a round of the C loop. With ``checkpoint_every=k`` reverse mode stores each k-th carry and computes
    the others again: memory for length / k + k carries instead of length, for one more evaluation.

    Costs f times the length; only the stacked ys and the last carry are stored. jvp, vjp and vmap pass through: under
    `vmap` each element has carries of its own.

    Raises ArgumentError (f is no function, the structure of the carry changes), ShapeError (lengths differ, a carry
    changes its shape), DtypeError (a carry changes its dtype), ArgumentValueError (a length or step that is none).

    >>> import numpy as np, functrans as ft
    >>> ft.scan(lambda c, x: (c + x, c * x), 0.0, np.arange(1.0, 5.0))
    (np.float64(10.0), array([ 0.,  2.,  9., 24.]))

    Source: semantics of ``jax.lax.scan``.
    """
    what = named(f, "scan")
    function_of(f, "f of scan")
    count = unrolled(unroll, what)
    every = None if checkpoint_every is None else natural(checkpoint_every, "checkpoint_every", what, 1)

    weak = numbers(init)

    def body(start: Any, sequences: Any) -> Any:
        leaves, treedef = tree.flatten(sequences)
        nodes = [t.uop for t in leaves]
        rounds = length_of(nodes, tree.paths(sequences, "xs"), length, what)
        elements = [claim(param(x.sized[1:], x.dtype)) for x in nodes]
        element = treedef.unflatten(map(Tensor.from_uop, elements))
        carry, holes, made, out_tree, stacked = traced_body(
            lambda c: _pair(f(c, element), what), carry_of(start, weak), what
        )
        found, constants = closed([*made, *stacked], [*holes, *elements])
        arg = Scan(found, len(holes), len(nodes), rounds, bool(reverse), count)
        ends = loop(arg, [*carry.nodes, *nodes, *constants], every)
        values = list(map(Tensor.from_uop, ends))
        assert out_tree is not None
        return carry.treedef.unflatten(values[: len(holes)]), out_tree.unflatten(values[len(holes) :])

    return call(body, (init, xs), {}, what, lambda: ["init", "xs"])


def _pair(value: Any, what: str) -> tuple[Any, Any]:
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise ArgumentError(
            f"the body of {what} must return a pair: the next carry and an element of the stacked result (or None), "
            f"but returned {type(value).__name__}{at_user_line()}"
        )
    return value[0], value[1]


def loop(arg: Scan, sources: Sequence[UOp], every: int | None = None) -> list[UOp]:
    """The results of a loop; of none without rounds. In blocks of ``every`` rounds it is a loop of loops."""
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
        some = [_rows(x, start, stop) for x in sequences]
        if stop - start == rest and start:
            made = results(region(Ops.SCAN, [*carries, *some, *constants], _shorter(arg, rest)))
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
    body = Function(tuple(holes), tuple(results(region(Ops.SCAN, holes, inner))))
    outer = Scan(body, n, arg.sequences, blocks, arg.reverse)
    made = results(region(Ops.SCAN, [*sources[:n], *folded, *sources[ends:]], outer))
    stacks = [B.reshape(y, (blocks * every, *y.sized[2:])) for y in made[n:]]
    return [*made[:n], *stacks]


def _shorter(arg: Scan, length: int) -> Scan:
    return Scan(arg.body, arg.carries, arg.sequences, length, arg.reverse, arg.unroll)


def _rows(x: UOp, start: int, stop: int) -> UOp:
    return B.shrink(x, ((start, stop), *((0, n) for n in x.sized[1:])))
