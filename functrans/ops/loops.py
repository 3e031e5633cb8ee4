"""Loops and branches as ops: each holds FUNCTION bodies, and passes on a tuple that RESULT takes apart.

    SCAN    carries, sequences, constants: the body takes carries, an element of each sequence and the constants, and
            gives carries and an element of each stacked result; results are the last carries and the stacks.
    WHILE   carries, constants: as long as the condition holds the body makes new carries, which are the results.
    SWITCH  an index and operands: one of several functions of the operands, and no other, is evaluated.

A body is that of one lane. Under a bracket the sources are slices, so each lane has its own carries, trip count and
branch; nothing here knows about batches.

Source: semantics of ``jax.lax.scan``, ``while_loop`` and ``switch``; graph-level regions as in MLIR's scf dialect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from functrans import dtypes
from functrans._records import record, replace
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.function import Function, Spec
from functrans.ops.opdef import OpDef, no_shape, register
from functrans.ops.routines import Routine
from functrans.ops.uop import UOp, toposort

Array = np.ndarray[Any, Any]
Call = Callable[[Function, Sequence[Array]], list[Array]]
Rewrite = Callable[[Function], Function]


@record
class Extends:
    """A loop that also computes what another one does: that one's argument, which of the sources are its sources, and
    which of the results are its results.
    """

    loop: Region
    sources: tuple[int, ...]
    results: tuple[int, ...]


@record
class Scan:
    """The argument of a SCAN: so many carries, sequences and rounds; the last elements first if it is ``reverse``.

    ``unroll``: rounds that the compiled loop does at a time. ``snapshots``: how many carries reverse mode stores at a
    time; each of them without it. ``plain``: a function of the sources that gives the same results, through which
    reverse mode goes where it cannot go through the body.
    """

    body: Function
    carries: int
    sequences: int
    length: int
    reverse: bool = False
    unroll: int = 1
    extends: Extends | None = None
    snapshots: int | None = None
    plain: Function | None = None

    @property
    def functions(self) -> tuple[Function, ...]:
        """The body."""
        return (self.body,)

    @property
    def facts(self) -> tuple[int, ...]:
        """What there is besides its functions."""
        return self.carries, self.sequences, self.length, self.reverse, self.unroll

    def over(self, rewrite: Rewrite) -> Scan:
        """The same loop of a rewritten body."""
        return replace(self, body=rewrite(self.body))

    @property
    def results(self) -> tuple[Spec, ...]:
        """Shapes and dtypes of the carries and the stacks."""
        own = self.body.results
        return (*own[: self.carries], *(((self.length, *s), d) for s, d in own[self.carries :]))

    def wrong(self, node: UOp) -> str | None:
        """What is wrong with a node of it, or None."""
        ends = self.carries + self.sequences
        given = [s if not self.carries <= k < ends else _element(s) for k, s in enumerate(node.src)]
        if any(s.sized[0] != self.length for s in node.src[self.carries : ends]):
            return f"sequences of other lengths than {self.length}"
        return self.body.misfit(given) or _unlike(self.body, self.carries)

    def run(self, call: Call, sources: Sequence[Array]) -> list[Array]:
        """The results, round by round: the oracle."""
        ends = self.carries + self.sequences
        carries, sequences, rest = list(sources[: self.carries]), sources[self.carries : ends], sources[ends:]
        stacks = [np.zeros(s, d.numpy) for s, d in self.results[self.carries :]]
        for t in reversed(range(self.length)) if self.reverse else range(self.length):
            made = call(self.body, [*carries, *(x[t] for x in sequences), *rest])
            carries = made[: self.carries]
            for stack, y in zip(stacks, made[self.carries :], strict=True):
                stack[t] = y
        return [*carries, *stacks]


@record
class While:
    """The argument of a WHILE: condition and body, both of so many carries and the constants. ``most``: so many rounds
    that it never has more, where that is known.
    """

    condition: Function
    body: Function
    carries: int
    extends: Extends | None = None
    most: int | None = None

    @property
    def functions(self) -> tuple[Function, ...]:
        """Condition and body."""
        return self.condition, self.body

    @property
    def facts(self) -> tuple[int, ...]:
        """What there is besides its functions."""
        return (self.carries,)

    def over(self, rewrite: Rewrite) -> While:
        """The same loop of rewritten functions."""
        return replace(self, condition=rewrite(self.condition), body=rewrite(self.body))

    @property
    def results(self) -> tuple[Spec, ...]:
        """Shapes and dtypes of the carries."""
        return self.body.results

    def wrong(self, node: UOp) -> str | None:
        """What is wrong with a node of it, or None."""
        if self.condition.results != (((), dtypes.bool_),):
            return f"a condition of {self.condition.results}; expected one bool"
        return self.condition.misfit(node.src) or self.body.misfit(node.src) or _unlike(self.body, self.carries)

    def run(self, call: Call, sources: Sequence[Array]) -> list[Array]:
        """The results, round by round: the oracle."""
        carries, rest = list(sources[: self.carries]), sources[self.carries :]
        while call(self.condition, [*carries, *rest])[0]:
            carries = call(self.body, [*carries, *rest])
        return carries


@record
class Switch:
    """The argument of a SWITCH: functions of the same operands with results of the same shapes and dtypes."""

    branches: tuple[Function, ...]
    extends: Extends | None = None

    @property
    def functions(self) -> tuple[Function, ...]:
        """The branches."""
        return self.branches

    @property
    def facts(self) -> tuple[int, ...]:
        """What there is besides its functions."""
        return ()

    def over(self, rewrite: Rewrite) -> Switch:
        """The same choice of rewritten functions."""
        return replace(self, branches=tuple(map(rewrite, self.branches)))

    @property
    def results(self) -> tuple[Spec, ...]:
        """Shapes and dtypes of the results of every branch."""
        return self.branches[0].results

    def wrong(self, node: UOp) -> str | None:
        """What is wrong with a node of it, or None."""
        if node.src[0].shape != () or node.src[0].dtype != dtypes.int64:
            return f"an index {node.src[0].shape} {node.src[0].dtype.name}; expected one int64"
        if any(b.results != self.results for b in self.branches):
            return "branches with results of different shapes or dtypes"
        return next((w for b in self.branches if (w := b.misfit(node.src[1:])) is not None), None)

    def run(self, call: Call, sources: Sequence[Array]) -> list[Array]:
        """The results of the chosen branch; an index out of range chooses the nearest."""
        k = min(max(int(sources[0]), 0), len(self.branches) - 1)
        return call(self.branches[k], sources[1:])


Region = Scan | While | Switch
Program = Region | Routine


def _element(sequence: UOp) -> UOp:
    """What stands for one element of a sequence."""
    return UOp(Ops.EMPTY, sequence.dtype, (), sequence.sized[1:])


def _unlike(body: Function, carries: int) -> str | None:
    given = tuple((p.sized, p.dtype) for p in body.params[:carries])
    return None if body.results[:carries] == given else f"carries {given} that become {body.results[:carries]}"


def region(op: Ops, sources: Iterable[UOp], arg: Program) -> UOp:
    """A loop or branch of given sources, or a routine."""
    return UOp(op, dtypes.void, tuple(sources), arg)


def scanned(
    body: Function, carries: Sequence[UOp], sequences: Sequence[UOp], length: int, reverse: bool = False
) -> list[UOp]:
    """The results of a loop of so many rounds that closes over nothing."""
    return results(region(Ops.SCAN, (*carries, *sequences), Scan(body, len(carries), len(sequences), length, reverse)))


def results(node: UOp) -> list[UOp]:
    """Each result of a loop or branch."""
    return [result(node, k) for k in range(len(node.arg.results))]


def result(node: UOp, k: int) -> UOp:
    """One result of a loop or branch."""
    return UOp(Ops.RESULT, node.arg.results[k][1], (node,), k)


def loop_of(node: UOp) -> UOp | None:
    """The loop, branch or routine that a node is a result of."""
    return node.src[0] if node.op is Ops.RESULT else None


def regions(order: Iterable[UOp]) -> list[UOp]:
    """The loops and branches among nodes."""
    return [u for u in order if u.op in GroupOp.Region]


def regions_in(region: Program) -> Iterator[Program]:
    """A loop or branch, and those inside of it."""
    yield region
    for u in nodes_in(region):
        if u.op in GroupOp.Region:
            yield u.arg


def nodes_in(region: Program) -> Iterator[UOp]:
    """The nodes of its functions, and of those of loops and branches inside of it."""
    todo = list(region.functions)
    while todo:
        for u in toposort(todo.pop().outputs):
            yield u
            todo += u.arg.functions if u.op in GroupOp.Region else ()


def over_bodies(arg: Region, rewrite: Callable[[list[UOp]], list[UOp]], known: dict[Function, Function]) -> Any:
    """The argument of a loop or branch with rewritten bodies; ``known`` are those that were rewritten before."""

    def rewritten(f: Function) -> Function:
        if f not in known:
            known[f] = f.mapped(rewrite)
        return known[f]

    return arg.over(rewritten)


def _check(node: UOp) -> str | None:
    if any(s.shape is None for s in node.src):
        return "sources that are no arrays"
    wrong: str | None = node.arg.wrong(node)
    return wrong


def _is_tuple(node: UOp) -> bool:
    return node.dtype == dtypes.void


register(OpDef(Ops.SCAN, "region", "a loop of a known number of rounds over carries and sequences", no_shape,
               check=_check, typed=_is_tuple))  # fmt: skip
register(OpDef(Ops.WHILE, "region", "a loop as long as a condition holds", no_shape, check=_check, typed=_is_tuple))
register(OpDef(Ops.SWITCH, "region", "one of several functions, by an index", no_shape, check=_check, typed=_is_tuple))
register(OpDef(Ops.RESULT, "region", "a result of a loop or branch", lambda n: n.src[0].arg.results[n.arg][0],
               typed=lambda n: n.src[0].op in GroupOp.Region and n.arg < len(n.src[0].arg.results)))  # fmt: skip
