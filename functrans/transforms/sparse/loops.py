"""Detection through loops and branches: index sets go around as the carries do, until they no longer change.

A SCAN is followed round by round, each with the elements of its own; where no sequence brings anything new it ends at
the fixed point of its carries, whatever its length. A WHILE may end after any round: the union of all, a fixed point.
Of a SWITCH any branch may be taken: their union. Under a bracket all lanes go around together.

Source: boolean forward propagation as in Griewank and Walther, Evaluating Derivatives, section 7.1; fixed points as in
the data-flow analysis of loops (Nielson, Nielson and Hankin, Principles of Program Analysis).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from functrans.ops.custom import inlined
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.function import Function
from functrans.ops.loops import Scan, Switch, While, regions
from functrans.ops.source import param
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp, substitute, toposort
from functrans.ops.vmap import extent
from functrans.transforms.sparse import structure
from functrans.transforms.sparse.context import Context, Sources
from functrans.transforms.sparse.custom_rules import with_custom_tangents
from functrans.transforms.sparse.rows import Rows
from functrans.transforms.sparse.structure import Structure
from functrans.transforms.vmap.rewriting import unbracket

Found = list[Structure | None]


class Body:
    """A function on placeholders of all lanes: ``owns`` are the RANGEs of each, ``ranges`` those of its results."""

    def __init__(self, f: Function, owns: Sequence[tuple[UOp, ...]], ranges: tuple[UOp, ...]) -> None:
        outputs, params = inlined(with_custom_tangents(f.outputs)), list(f.params)
        if ranges:
            params = [param((*map(extent, own), *p.sized), p.dtype) for p, own in zip(f.params, owns, strict=True)]
            lanes = [w.vmapin((*own, *(const(0) for _ in p.sized))) if own else w
                     for w, p, own in zip(params, f.params, owns, strict=True)]  # fmt: skip
            outputs = substitute(outputs, dict(zip(f.params, lanes, strict=True)))
            outputs = [o.vmapout((*ranges, *(const(0) for _ in o.sized))) for o in outputs]
        self.params, self.outputs = params, unbracket(outputs)


Walked = Callable[[Body, Sequence[Structure | None]], Found]
"""The structures of a body's outputs, given those of its placeholders."""


def loop_of(node: UOp) -> UOp | None:
    """The loop or branch that a node of a graph without brackets is a result of, closed over lanes where it has any."""
    if node.op is Ops.VMAPOUT and node.src[0].op is Ops.RESULT:
        node = node.src[0]
    elif node.op is not Ops.RESULT or node.free_ranges:
        return None
    return node.src[0]


def sources_of(node: UOp) -> tuple[UOp, ...]:
    """What a node of such a graph depends on: a result on what its loop is given, in all lanes."""
    loop = loop_of(node)
    if loop is not None:
        return tuple(s.src[0] if s.op is Ops.VMAPIN else s for s in loop.src)
    return () if node.free_ranges or node.op in GroupOp.Region else node.src


def bodies(node: UOp) -> list[UOp]:
    """The outputs of all functions of a loop or branch."""
    return [o for f in node.arg.functions for o in f.outputs]


def every_loop(roots: Sequence[UOp]) -> list[UOp]:
    """The loops and branches of a graph, those in bodies of others too."""
    found = regions(toposort(roots))
    return found + [inner for u in found for inner in every_loop(bodies(u))]


def result_structures(ctx: Context, node: UOp, sources: Sources, walk: Walked) -> Found:
    """The structures of all results of the loop that a node is one of, given those of `sources_of` it."""
    loop = loop_of(node)
    assert loop is not None
    if all(s is None for s in sources):
        return [None] * len(loop.arg.results)
    ranges = node.src[1 : len(node.src) - node.src[0].ndim] if node.op is Ops.VMAPOUT else ()
    owns = [s.src[1 : len(s.src) - s.ndim] if s.op is Ops.VMAPIN else () for s in loop.src]
    return _Loop(ctx, ranges, owns, walk).results(loop.arg, sources)


class _Loop:
    def __init__(self, ctx: Context, ranges: tuple[UOp, ...], owns: list[tuple[UOp, ...]], walk: Walked) -> None:
        self.ctx, self.ranges, self.owns, self.walk = ctx, ranges, owns, walk

    def results(self, arg: Scan | While | Switch, sources: Sources) -> Found:
        if isinstance(arg, Scan):
            return self._scan(arg, sources)
        if self.ctx.certain:
            return [None] * len(arg.results)
        return self._while(arg, sources) if isinstance(arg, While) else self._switch(arg, sources)

    def _scan(self, arg: Scan, sources: Sources) -> Found:
        n, ends = arg.carries, arg.carries + arg.sequences
        carries, sequences, constants = self._spread(sources, n), sources[n:ends], sources[ends:]
        body = Body(arg.body, [*(self.ranges for _ in range(n)), *self.owns[n:]], self.ranges)
        stacks: list[Found] = [[None] * arg.length for _ in arg.results[n:]]
        rounds = range(arg.length)[::-1] if arg.reverse else range(arg.length)
        settled = False
        made: Found = []
        for t in rounds:
            if not settled:
                elements = [_element(s, len(own), t) for s, own in zip(sequences, self.owns[n:ends], strict=True)]
                made = self.walk(body, [*carries, *elements, *constants])
                settled = all(s is None for s in sequences) and all(map(_same, carries, made[:n]))
                carries = made[:n]
            for stack, y in zip(stacks, made[n:], strict=True):
                stack[t] = y
        return [*carries, *(_stacked(s, len(self.ranges), self.ctx.rows) for s in stacks)]

    def _while(self, arg: While, sources: Sources) -> Found:
        n = arg.carries
        carries, constants = self._spread(sources, n), sources[n:]
        owns = [*(self.ranges for _ in range(n)), *self.owns[n:]]
        body = Body(arg.body, owns, self.ranges)
        while True:
            made = self.walk(body, [*carries, *constants])
            grown = list(map(_united, carries, made))
            if self.ctx.values:  # how often it goes around is a value, too
                (test,) = self.walk(Body(arg.condition, owns, self.ranges), [*grown, *constants])
                grown = [self._also(test, s, d) for s, (d, _) in zip(grown, arg.results, strict=True)]
            if all(map(_same, carries, grown)):
                return carries
            carries = grown

    def _switch(self, arg: Switch, sources: Sources) -> Found:
        found: Found = [None] * len(arg.results)
        for f in arg.branches:
            found = list(map(_united, found, self.walk(Body(f, self.owns[1:], self.ranges), sources[1:])))
        if self.ctx.values:
            (index,) = self._spread(sources, 1)
            found = [self._also(index, s, d) for s, (d, _) in zip(found, arg.results, strict=True)]
        return found

    def _also(self, one: Structure | None, s: Structure | None, shape: tuple[int, ...]) -> Structure | None:
        """A structure, and that of one number for each lane in every element."""
        if one is None:
            return s
        at = one.at.reshape(one.at.shape + (1,) * len(shape))
        return _united(s, Structure(one.rows, np.broadcast_to(at, (*one.at.shape, *shape))))

    def _spread(self, sources: Sources, count: int) -> Found:
        """The structures of the first sources with the axes of all lanes in front."""
        return [self._in_lanes(s, own) for s, own in zip(sources[:count], self.owns[:count], strict=True)]

    def _in_lanes(self, s: Structure | None, own: tuple[UOp, ...]) -> Structure | None:
        if s is None or own == self.ranges:
            return s
        rest = s.at.ndim - len(own)
        at = s.at.transpose([own.index(r) for r in self.ranges if r in own] + [len(own) + k for k in range(rest)])
        for k, r in enumerate(self.ranges):
            at = at if r in own else np.expand_dims(at, k)
        lanes = tuple(map(extent, self.ranges))
        return Structure(s.rows, np.broadcast_to(at, (*lanes, *at.shape[len(lanes) :])))


def _element(s: Structure | None, axis: int, t: int) -> Structure | None:
    """An element of a sequence, over a table of its own rows alone."""
    if s is None:
        return None
    at = s.at[(slice(None),) * axis + (t,)]
    if not at.any():
        return None
    used, number = np.unique(np.append(0, at), return_inverse=True)
    full = int(np.searchsorted(used, s.rows.full)) if s.rows.full and s.rows.full in used else 0
    return Structure(Rows(s.rows.matrix[used], full), number[1:].reshape(at.shape).astype(np.int32))


def _stacked(items: Found, axis: int, rows: Rows) -> Structure | None:
    """Structures of one shape, along a new axis."""
    distinct = {id(s): s for s in items if s is not None}
    if not distinct:
        return None
    table, numbers = structure.common(list(distinct.values()), rows)
    shape = next(iter(distinct.values())).at.shape
    number = dict(zip(distinct, numbers, strict=True)) | {id(None): np.zeros(shape, np.int32)}
    return Structure(table, np.stack([number[id(s)] for s in items], axis))


def _united(a: Structure | None, b: Structure | None) -> Structure | None:
    return structure.union([a, b]) if a is not None and b is not None and a is not b else a if b is None else b


def _same(a: Structure | None, b: Structure | None) -> bool:
    """Whether two structures of one shape hold the same sets."""
    if a is None or b is None or a is b:
        return a is b or all(s is None or not s.rows.entries(s.at) for s in (a, b))
    if a.rows.entries(a.at) != b.rows.entries(b.at):
        return False
    one, other = a.matrix(), b.matrix()
    return bool(np.array_equal(one.indptr, other.indptr) and np.array_equal(one.indices, other.indices))
