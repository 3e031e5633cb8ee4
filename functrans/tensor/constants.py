"""Constant index arrays as nodes, and nodes whose values are known while tracing."""

from __future__ import annotations

import itertools
import weakref
from typing import Any

import numpy as np

from functrans.ops.build import reshape
from functrans.ops.enums import Ops
from functrans.ops.interpret import interpret
from functrans.ops.placement import whole
from functrans.ops.source import buffer, stored
from functrans.ops.stored_memory import FOLDED_INTO
from functrans.ops.uop import UOp, toposort

IntArray = np.ndarray[Any, np.dtype[np.int64]]
FOLDED = 64  # an index expression of more nodes than this stays in the graph

_SAMPLES = 512  # elements by which longer arrays are told apart before they are compared

_interned: weakref.WeakValueDictionary[tuple[Any, ...], UOp] = weakref.WeakValueDictionary()


def constant(indices: IntArray) -> UOp:
    """An index array as a BUFFER; equal contents give the same node, so equal gathers are one node too."""
    return interned(np.ascontiguousarray(indices, np.int64))


def interned(array: np.ndarray[Any, Any]) -> UOp:
    """An array in order as a BUFFER of its own; equal contents give the same node. Costs a look at some elements, and
    at all where there is such a node.
    """
    flat = array.reshape(-1)
    some = flat[:: max(1, flat.size // _SAMPLES)].tobytes()
    keys = ((flat.dtype.str, flat.size, some, k) for k in itertools.count())
    key, node = next((k, n) for k in keys if (n := _interned.get(k)) is None or _equal(stored(n), flat))
    if node is None:
        _interned[key] = node = buffer(flat.copy())
        node.remember("interned", lambda _: True)
    return reshape(node, array.shape)


def _equal(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:
    """Whether arrays of one size and dtype have the same bits."""
    return a is b or a.tobytes() == b.tobytes()


def is_interned(node: UOp) -> bool:
    """Whether a BUFFER is one that :func:`interned` gives for its contents."""
    return node.memo is not None and "interned" in node.memo


def is_traced(x: UOp) -> bool:
    """Whether the value depends on an argument of a function being traced, on a RANGE or on a run-time integer."""
    # sources first, so that no call below goes deeper than one node
    for node in toposort((x,), enter=lambda u: u.memo is None or "open" not in u.memo):
        node.remember("open", _is_open)
    return bool(x.free_ranges) or bool(x.remember("open", _is_open))


def _is_open(node: UOp) -> bool:
    if node.op is Ops.BIND:  # it has a value
        return False
    return node.op in (Ops.PARAM, Ops.DEFINE_VAR) or any(s.remember("open", _is_open) for s in node.src)


def known(x: UOp) -> np.ndarray[Any, Any] | None:
    """The value of a small expression of constants; None for what is traced, large, or of one call alone.

    An index like ``fnp.arange(3) + 1`` is as good as a literal: its structure is exact and costs nothing.
    """
    answer: np.ndarray[Any, Any] | None = x.remember("known", _known)
    return answer


def _known(x: UOp) -> np.ndarray[Any, Any] | None:
    seen, todo = {x}, [x]
    while todo:
        for s in todo.pop().src:
            if s.op in (Ops.BIND, Ops.EMPTY):
                return None
            if s not in seen:
                seen.add(s)
                todo.append(s)
        if len(seen) > FOLDED:
            return None
    if is_traced(x):
        return None
    for u in seen:
        u.remember(FOLDED_INTO, lambda _: True)
    return evaluate(x)


def evaluate(x: UOp) -> np.ndarray[Any, Any]:
    """The value of a node that is not traced."""
    return interpret([whole(x)])[0]
