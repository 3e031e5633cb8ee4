"""scan: a loop over carries and sequences that stays one loop, and the loops that are one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from functrans import tree
from functrans.errors import ArgumentError, at_user_line
from functrans.ops.loops import Scan
from functrans.ops.source import param
from functrans.tensor.core import Tensor
from functrans.trace import call, claim
from functrans.transforms.loops.blocks import loop
from functrans.transforms.loops.body import closed
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
    checkpoints: int | None = None,
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
    the others again: memory for length / k + k carries instead of length, for one more evaluation. With
    ``checkpoints=s`` it stores s carries at a time, and computes the others again in the order that takes the fewest
    evaluations, at most r more for each round of ``comb(s + r, r)`` of them (revolve); reverse mode of the gradient
    then stores every carry, forward mode of it does not. Give one of the two.

    Costs f times the length; only the stacked ys and the last carry are stored. jvp, vjp and vmap pass through: under
    `vmap` each element has carries of its own. Reverse mode stores, for each round, the carries that it reads and the
    results of elementary functions and sums of products; of an f in `checkpoint` the carries alone.

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
    if checkpoints is not None and every is not None:
        raise ArgumentError(
            f"{what} got checkpoint_every={checkpoint_every} and checkpoints={checkpoints}{at_user_line()}; give one"
        )
    most = None if checkpoints is None else natural(checkpoints, "checkpoints", what, 1)
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
        arg = Scan(found, len(holes), len(nodes), rounds, bool(reverse), count, snapshots=most)
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
