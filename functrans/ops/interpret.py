"""The meaning of a graph, by NumPy, one node at a time: the oracle, never optimised."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from functrans.errors import ConvergenceError, LinAlgError, SpecError
from functrans.ops.enums import Ops
from functrans.ops.function import Function
from functrans.ops.opdef import opdef
from functrans.ops.reduce import REDUCERS, identity
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent, ranges_of

Array = np.ndarray[Any, Any]


def interpret(
    roots: Iterable[UOp], values: Mapping[UOp, Array] | None = None, memo: dict[Any, Array] | None = None
) -> list[Array]:
    """The arrays that the roots stand for, given the arrays of their PARAMs.

    A VMAPOUT, and a REDUCE over RANGEs, evaluates what it closes once per value of them: a plain Python loop. ``memo``,
    where it is given, is filled with the value of every node, under the keys of :func:`key_of`.

    >>> import numpy as np
    >>> from functrans.ops import build, source
    >>> x = source.buffer(np.arange(3.0))
    >>> interpret([build.add(x, x)])[0]
    array([0., 2., 4.])
    """
    memo = {} if memo is None else memo
    memo.update((k, np.asarray(v)) for k, v in (values or {}).items())
    wanted = list(roots)
    for root in wanted:
        if root.shape is None or root.free_ranges:
            raise SpecError(f"{root!r} has no value: it is no array, or RANGEs are open that no VMAPOUT closes")
    return _evaluate(wanted, {}, memo)


def key_of(node: UOp, env: Mapping[UOp, int]) -> Any:
    """What the value of a node, at values of the RANGEs open around it, is kept under."""
    return (node, _place(node.free_ranges, env)) if node.free_ranges else node


def _place(ranges: Iterable[UOp], env: Mapping[UOp, int]) -> frozenset[tuple[UOp, int]]:
    # not in the order of env: one node may be closed by brackets nested either way round
    return frozenset((r, env[r]) for r in ranges)


def _evaluate(roots: list[UOp], env: dict[UOp, int], memo: dict[Any, Array]) -> list[Array]:
    places: dict[frozenset[UOp], Any] = {}  # nodes are many, the sets of RANGEs that they depend on few

    def key(node: UOp) -> Any:
        """The key of a node, None where a RANGE is open that has no value yet."""
        if not node.free_ranges:
            return node
        if node.free_ranges not in places:
            places[node.free_ranges] = _place(node.free_ranges, env) if node.free_ranges <= env.keys() else None
        place = places[node.free_ranges]
        return None if place is None else (node, place)

    def is_entered(node: UOp) -> bool:
        if node.op is Ops.BIND:
            return False
        at = key(node)
        return at is None or at not in memo

    for node in toposort(roots, enter=is_entered):
        at = None if node.shape is None else key(node)
        if at is None or at in memo:
            continue
        if node.op is Ops.RESULT:
            memo[at] = _result(node, env, memo)
        elif node.op is Ops.VMAPOUT:
            memo[at] = _close(node, env, memo)
        elif node.op is Ops.REDUCE:
            memo[at] = _reduce(node, env, memo)
        elif node.op is Ops.RANGE:
            memo[at] = np.asarray(env[node])
        else:
            below = () if node.op is Ops.BIND else node.src
            memo[at] = _apply(node, [memo[key(s)] for s in below if s.shape is not None], env)
    return [memo[key(r)] for r in roots]


def _apply(node: UOp, sources: list[Array], env: dict[UOp, int]) -> Array:
    if node.op is Ops.VMAPIN:
        at = tuple(env[a] if a.op is Ops.RANGE else slice(None) for a in node.src[1:])
        return np.asarray(sources[0][at])
    meaning = opdef(node).numpy
    if meaning is None:
        raise SpecError(f"{node!r} has no value: a PARAM or variable without a binding, or a node of a later stage")
    try:
        return np.asarray(meaning(node, *sources))
    except (LinAlgError, ConvergenceError) as error:
        lane = [env[r] for r in env if r in node.free_ranges]
        raise type(error)(f"{error.message} in lane {lane} of the maps around it" if lane else error.message) from error


def _lanes(ranges: tuple[UOp, ...], env: dict[UOp, int]) -> Iterator[tuple[dict[UOp, int], dict[UOp, int]]]:
    """Every value of the RANGEs, alone and within what is known."""
    for values in itertools.product(*(range(extent(r)) for r in ranges)):
        here = dict(zip(ranges, values, strict=True))
        yield here, {**env, **here}


def _result(node: UOp, env: dict[UOp, int], memo: dict[Any, Any]) -> Array:
    """One result of a loop or branch, which is run once for all of them."""
    loop = node.src[0]
    key = key_of(loop, env)
    if key not in memo:
        memo[key] = loop.arg.run(_called, [memo[key_of(s, env)] for s in loop.src])
    return np.asarray(memo[key][node.arg])


def _called(f: Function, arguments: Sequence[Array]) -> list[Array]:
    return _evaluate(list(f.outputs), {}, dict(zip(f.params, map(np.asarray, arguments), strict=True)))


def _reduce(node: UOp, env: dict[UOp, int], memo: dict[Any, Array]) -> Array:
    total: Array | None = None
    with np.errstate(all="ignore"):
        for _, within in _lanes(node.src[1:], env):
            value = _evaluate([node.src[0]], within, memo)[0]
            total = value if total is None else REDUCERS[node.arg](total, value)
    return np.full(node.sized, identity(node.arg, node.dtype), node.dtype.numpy) if total is None else np.array(total)


def _close(node: UOp, env: dict[UOp, int], memo: dict[Any, Array]) -> Array:
    varg = node.src[1:]
    out = np.empty(node.sized, node.dtype.numpy)
    for here, within in _lanes(ranges_of(varg), env):
        at = tuple(here[a] if a.op is Ops.RANGE else slice(None) for a in varg)
        out[at] = _evaluate([node.src[0]], within, memo)[0]
    return out
