"""What stands around a loop in its lanes and goes into its kernel: values that it begins from, and what follows it.

Where a lane's values are few, another kernel for them would cost more than they do, and would store them for all lanes.
What others need too is computed twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from functrans import dtypes
from functrans.backend.policy import LOOP_STATEMENTS, SMALL_ARRAY, SUM_ROUNDS
from functrans.backend.schedule.realize import REDUCING, readers_of
from functrans.dtypes import DType
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.loops import Scan
from functrans.ops.movement import flat
from functrans.ops.uop import UOp, toposort

_DATA = frozenset({Ops.PARAM, Ops.BUFFER, Ops.BUFFER_VIEW})
_COMPUTED = GroupOp.Elementwise - {Ops.CONTIGUOUS, Ops.CONTIGUOUS_BACKWARD} | GroupOp.Movement | GroupOp.Join | REDUCING


class Prologue(NamedTuple):
    """Sources of a loop that are made with it, and what it is given."""

    made: set[UOp]
    inputs: list[UOp]


class Epilogue(NamedTuple):
    """What a loop passes on, results of its own or made of them with it, and what that is given besides."""

    outputs: list[UOp]
    inputs: list[UOp]
    inside: set[UOp]


def _is_few(u: UOp, lanes: bool = True) -> bool:
    """Whether a value of a lane is computed with the loop; of a loop that has no ``lanes`` any value may be, but for
    several long sums: these have vectors, and the order that they have elsewhere, in a kernel of their own.
    """
    if u.op not in _COMPUTED or (lanes and not u.free_ranges) or not all(_is_held(s.dtype) for s in (u, *u.src)):
        return False
    if _is_long_sums(u) and _moved_from(u.src[0]).op is not Ops.MUL:
        return False
    single = all(s.shape is not None and s.dtype != dtypes.index for s in u.src)
    return single and u.size <= SMALL_ARRAY and max(u.shape or (), default=0) <= SMALL_ARRAY


def _is_long_sums(u: UOp) -> bool:
    return u.op in REDUCING and u.size > 1 and u.src[0].size >= SUM_ROUNDS * u.size


def _is_held(dtype: DType) -> bool:
    """Whether vectors hold such values, or truths or places: a loop is not refused for what stands around it."""
    return dtype.kind in "bx" or has_vectors(dtype)


def has_vectors(dtype: DType) -> bool:
    """Whether vectors of lanes have such numbers."""
    return dtype.kind in "fiu" and dtype.itemsize in (4, 8)


def _is_of_fewer(u: UOp, lanes: bool) -> bool:
    """Whether elements are those of an array, their sizes or their products with those of another, and what would be
    stored in their place is no more: not worth another array, however many they are.
    """
    moved = u.op in GroupOp.Movement
    if not (moved or u.op in (Ops.ABS, Ops.NEG, Ops.MUL)) or u.dtype == dtypes.index or (lanes and not u.free_ranges):
        return False
    stored = {_moved_from(s) for s in u.src[: 1 if moved else None]}
    return sum(s.size for s in stored if not (_is_few(s, lanes) or _is_data(s))) <= u.size


def _moved_from(u: UOp) -> UOp:
    """What the elements of a value are those of."""
    while u.op in GroupOp.Movement:
        u = u.src[0]
    return u


def _is_constant(u: UOp) -> bool:
    if u.free_ranges:
        return False
    for v in toposort((u,), enter=lambda v: v.memo is None or _OF_NUMBERS not in v.memo):
        v.remember(_OF_NUMBERS, _is_of_numbers)
    return bool(u.remember(_OF_NUMBERS, _is_of_numbers))


_OF_NUMBERS = "is of numbers"


def _is_of_numbers(u: UOp) -> bool:
    """Whether a value is computed of numbers alone; what is below it is known."""
    return u.op in (Ops.CONST, Ops.IOTA) or (
        u.op in _COMPUTED and all(s.remember(_OF_NUMBERS, _is_of_numbers) for s in u.src)
    )


def _is_converted(u: UOp) -> bool:
    """Whether a value of a lane is another one rounded or widened, however many numbers it has: routines compute in
    float64, and two passes through memory for what is stored as float32 take as long as they do.
    """
    return u.op is Ops.CAST and u.dtype.kind == u.src[0].dtype.kind == "f" and bool(u.free_ranges)


def prologue(node: UOp, known: set[UOp]) -> Prologue:
    """What is made before a loop or branch: not its sequences, nor what is ``known`` from other loops."""
    ends = range(0)
    if isinstance(node.arg, Scan):
        ends = range(node.arg.carries, node.arg.carries + node.arg.sequences)
    sequences, lanes = {node.src[k] for k in ends}, bool(node.free_ranges)
    rounds = node.op is Ops.ROUTINE
    apart = sequences
    if rounds and lanes:  # integers are converted along memory: narrow ones have no lanes
        apart = {s for s in node.src if s.op is Ops.CAST and not (_is_converted(s) or _is_few(s.src[0], lanes))}
    made = [
        s for s in node.src
        if s not in apart and s not in known and (_is_few(s, lanes) or (rounds and _is_converted(s)))
        and not _is_constant(s)
    ]  # fmt: skip
    inputs = _inputs(made, known, lanes, set(made))
    if not made or inputs is None:
        return Prologue(set(), list(dict.fromkeys(node.src)))
    own = set(made)
    return Prologue(own, list(dict.fromkeys([*(s for s in node.src if s not in own), *inputs])))


def _inputs(outputs: Sequence[UOp], known: set[UOp], lanes: bool, made: set[UOp]) -> list[UOp] | None:
    """What values are computed from, in their order, among that what is ``known``; None where that takes many nodes.

    What is ``made`` is inside.
    """

    def is_inside(u: UOp) -> bool:
        return u in made or _is_few(u, lanes) or _is_of_fewer(u, lanes)

    order = toposort(outputs, enter=lambda u: u not in known and is_inside(u))
    if len(order) > LOOP_STATEMENTS:
        return None
    return [u for u in order if u in known or not (is_inside(u) or _is_constant(u))]


def follow(order: Sequence[UOp], roots: Sequence[UOp]) -> dict[UOp, Epilogue]:
    """For each loop and branch what it passes on. Linear in the graph for each of them."""
    readers, wanted = readers_of(order), set(roots)
    return {u: _epilogue(u, order, readers, wanted) for u in order if u.op in GroupOp.Region}


def _epilogue(loop: UOp, order: Sequence[UOp], readers: dict[UOp, list[UOp]], wanted: set[UOp]) -> Epilogue:
    results = [u for u in readers.get(loop, []) if u.op is Ops.RESULT]
    last = loop.arg.carries if isinstance(loop.arg, Scan) else len(loop.arg.results)
    ends = {u for u in results if u.arg < last}  # what is stacked is in memory
    inside, lanes = set(ends), bool(loop.free_ranges)
    few, rounds = all(r.size <= SMALL_ARRAY for r in ends), loop.op is Ops.ROUTINE
    for u in order if few or rounds else ():
        fits = (few and _is_few(u, lanes)) or (rounds and _is_converted(u))
        follows = fits and u.free_ranges == loop.free_ranges and not inside.isdisjoint(u.src)
        if follows and all(s in inside or _is_near(s) for s in u.src):
            inside.add(u)
    if len(inside) > LOOP_STATEMENTS:
        inside = set(ends)
    inside |= set(results)
    outputs = [u for u in order if u in inside and (u in wanted or any(v not in inside for v in readers.get(u, ())))]
    own = set(results)
    inputs = _inputs([u for u in outputs if u not in own], own, lanes, inside - own)
    if inputs is None:
        return Epilogue(results, [], set(results))
    return Epilogue(outputs, [u for u in inputs if u not in own], inside)


def _is_near(u: UOp) -> bool:
    """Whether a value is a number of the program's, or computed with few steps from what a lane is given."""
    if _is_constant(u):
        return True
    order = toposort((u,), enter=lambda v: _is_few(v, lanes=False))
    if len(order) >= 16 or any(map(_is_long_sums, order)):
        return False
    return all(_is_few(v, lanes=False) or _is_constant(v) or _is_data(v) for v in order)


def _is_data(u: UOp) -> bool:
    """Whether a value is an array that is given, or a lane's part of one."""
    u = flat(u)
    while u.op is Ops.VMAPIN:
        u = flat(u.src[0])
    return u.op in _DATA
