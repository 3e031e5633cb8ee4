"""Graphs of functions that are traced at every call: run by what was found for a graph of the same structure.

What a `Program` works out about a graph depends on its structure alone, but for the captured arrays.  Kept is no node
of a graph, which would keep its captured arrays, but where those stand: to the code they are arguments like others.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from functrans import tree
from functrans.backend.facts import Facts
from functrans.backend.launch import Launch
from functrans.backend.memory import Array
from functrans.backend.pipeline import Program
from functrans.backend.ready import is_current
from functrans.backend.structure import structure
from functrans.config import config
from functrans.ops.enums import Ops
from functrans.ops.placement import Layout
from functrans.ops.source import stored
from functrans.ops.uop import UOp

__all__ = ["evaluate"]

_KEPT = 256


class _Known(NamedTuple):
    """The code of a structure, and the places of the captured arrays among the nodes, sources first."""

    launch: Launch
    key: str
    facts: Facts
    captured: tuple[int, ...]


_known: OrderedDict[str, _Known] = OrderedDict()


def evaluate(
    outputs: Sequence[UOp], params: Sequence[UOp], order: Sequence[UOp], arrays: Sequence[Array]
) -> tuple[Sequence[Array], Sequence[Layout | None]]:
    """The arrays of the outputs for those of the params, and how each lies over thread domains.

    ``order`` are the nodes below the outputs, sources first.
    """
    if config.debug_nans or any(p.op is not Ops.PARAM for p in params):
        return _in_full(outputs, params, order, arrays)
    key = structure(outputs, params, order=order)
    found = _known.get(key)
    if found is None or not is_current(found.key, found.facts):
        return _in_full(outputs, params, order, arrays, key)
    results = found.launch.call((*arrays, *(stored(order[k]) for k in found.captured)), None)
    if results is NotImplemented:  # another thread traces, or memory is short
        return _in_full(outputs, params, order, arrays)
    return list(map(np.asarray, results)), [None] * len(outputs)  # a result without axes came as a scalar


def _in_full(
    outputs: Sequence[UOp], params: Sequence[UOp], order: Sequence[UOp], arrays: Sequence[Array], key: str | None = None
) -> tuple[Sequence[Array], Sequence[Layout | None]]:
    program = Program(outputs, params)
    results = program(arrays)
    if key is not None:
        _remember(key, program, order)
    return results, program.layouts


def _remember(key: str, program: Program, order: Sequence[UOp]) -> None:
    """Keep how a program is run, where that takes no more than its arrays."""
    record = program.record()
    if record is None or any(record.limits) or program.binds:
        return
    place = {u: k for k, u in enumerate(order)}
    if not place.keys() >= set(program.captured):
        return
    stored_ones = tuple((a.shape, a.dtype) for a in record.captured)
    every = record._replace(inputs=record.inputs + stored_ones, captured=())
    launch = Launch()
    launch.add(every, tree.TreeDef(tuple, None, (tree.LEAF,) * len(record.outputs)))
    _known[key] = _Known(launch, program.key, program.facts, tuple(place[u] for u in program.captured))
    if len(_known) > _KEPT:
        _known.popitem(last=False)
