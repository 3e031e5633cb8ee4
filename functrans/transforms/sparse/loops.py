"""Detection through loops and branches: index sets go around as the carries do, until they no longer change.

Of a SCAN one round is looked at and its powers are taken (`recurrences`), whatever its length; where an index that is
known differs from round to round, it is followed round by round. A WHILE may end after any round: the union of all, a
fixed point.
Of a SWITCH any branch may be taken: their union. Under a bracket all lanes go around together.

Source: boolean forward propagation as in Griewank and Walther, Evaluating Derivatives, section 7.1; fixed points as in
the data-flow analysis of loops (Nielson, Nielson and Hankin, Principles of Program Analysis).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from functrans._lazy import scipy_sparse
from functrans.ops.custom import inlined
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.function import Function
from functrans.ops.loops import Scan, Switch, While, regions
from functrans.ops.opdef import opdef
from functrans.ops.source import param
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp, substitute, toposort
from functrans.ops.vmap import extent
from functrans.transforms.sparse import structure
from functrans.transforms.sparse.context import Context, Sources
from functrans.transforms.sparse.custom_rules import with_custom_tangents
from functrans.transforms.sparse.recurrences import Given, Recurrence, Round
from functrans.transforms.sparse.rows import Rows
from functrans.transforms.sparse.structure import Structure
from functrans.transforms.vmap.rewriting import unbracket

Found = list[Structure | None]
Array = NDArray[Any]
Values = Mapping[UOp, Array]
Asked = list[Array | None]
_FOLLOWED = 10_000  # rounds, up to which each is followed for what an index that goes around reads in it


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


class Walked(Protocol):
    """The structures of a body's outputs, given those of its placeholders, and values of some of these; and the values
    of outputs that are asked for, where they are known.
    """

    def __call__(
        self, body: Body, given: Sources, known: Values, asked: Sequence[UOp] = (), rows: Rows | None = None, /
    ) -> tuple[Found, Asked]:
        """Walk; ``rows`` are those that the structures number, if others than those of the graph around."""


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
    known = [ctx.constants.value(s) for s in sources_of(node)]
    if ranges and isinstance(loop.arg, Scan):  # of carries those that begin alike in all lanes
        lanes = tuple(map(extent, ranges))
        for k, (v, own) in enumerate(zip(known[: loop.arg.carries], owns, strict=False)):
            known[k] = None if v is None or own else np.broadcast_to(v, (*lanes, *v.shape))
    return _Loop(ctx, ranges, owns, known, walk).results(loop.arg, sources)


class _Loop:
    def __init__(
        self, ctx: Context, ranges: tuple[UOp, ...], owns: list[tuple[UOp, ...]], known: Asked, walk: Walked
    ) -> None:
        self.ctx, self.ranges, self.owns, self.known, self.walk = ctx, ranges, owns, known, walk

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
        fixed = self._values(body.params, ends)
        going = _deciding(body, n) if arg.length <= _FOLLOWED else set()
        places = [k for k in range(ends) if body.params[k] in going and self.known[k] is not None]
        if not places and arg.length:
            return self._alike(arg, body, [*carries, *sequences, *constants], fixed)
        values = {k: self._value(k) for k in places if k < n}
        moving = [k for k in places if k >= n]
        stacks: list[Found] = [[None] * arg.length for _ in arg.results[n:]]
        settled = False
        made: Found = []
        for t in range(arg.length)[::-1] if arg.reverse else range(arg.length):
            if not settled:
                elements = [_element(s, len(own), t) for s, own in zip(sequences, self.owns[n:ends], strict=True)]
                here = values | {k: self._value(k)[_at(len(self.owns[k]), t)] for k in moving}
                known = fixed | {body.params[k]: v for k, v in here.items()}
                asked = [body.outputs[k] for k in values]
                made, following = self.walk(body, [*carries, *elements, *constants], known, asked)
                after = {k: v for k, v in zip(values, following, strict=True) if v is not None}
                settled = not moving and all(k in after and np.array_equal(v, after[k]) for k, v in values.items())
                settled = settled and all(s is None for s in sequences) and all(map(_same, carries, made[:n]))
                carries, values = made[:n], after
            for stack, y in zip(stacks, made[n:], strict=True):
                stack[t] = y
        return [*carries, *(_stacked(s, len(self.ranges), self.ctx.rows) for s in stacks)]

    def _alike(self, arg: Scan, body: Body, sources: Found, known: Values) -> Found:
        """Of rounds that are all alike one is looked at, by everything that it is given."""
        n, ends, lanes = arg.carries, arg.carries + arg.sequences, len(self.ranges)
        active = [s is not None for s in sources]
        while True:
            own, stops = _identities(body.params, active)
            made, _ = self.walk(body, own, known, (), Rows.identity(stops[-1]))
            more = [k for k in range(n) if made[k] is not None and not active[k]]
            if not more:
                break
            for k in more:
                active[k] = True
        going = [k for k in range(n) if active[k]]
        matrices = [_matrix(s, u.size, stops[-1]) for s, u in zip(made, body.outputs, strict=True)]
        whole = scipy_sparse.vstack([_none(0, stops[-1]), *(matrices[k] for k in going)], format="csr")
        rows, at = structure.common(sources, self.ctx.rows)
        at = [np.broadcast_to(a, np.shape(s.at) if s is not None else p.sized)
              for a, s, p in zip(at, sources, body.params, strict=True)]  # fmt: skip
        order = slice(None, None, -1 if arg.reverse else 1)
        elements = [np.moveaxis(at[k], len(self.owns[k]), 0)[order].reshape(arg.length, -1)
                    for k in range(n, ends) if active[k]]  # fmt: skip
        found = Recurrence(
            Round(whole, matrices[n:], (stops[n], stops[ends])),
            Given(
                _joined([at[k].reshape(-1) for k in going]),
                np.concatenate([np.zeros((arg.length, 0), np.int32), *elements], axis=1),
                _joined([at[k].reshape(-1) for k in range(ends, len(sources)) if active[k]]), rows,
            ), arg.length,
        )  # fmt: skip
        results: Found = [None] * n
        table, numbers = found.ended()
        for k in going:
            results[k] = Structure(table, numbers[stops[k] : stops[k + 1]].reshape(body.params[k].sized))
        for k, (s, u) in enumerate(zip(made[n:], body.outputs[n:], strict=True)):
            table, numbers = found.stacked(k) if s is not None else (rows, np.zeros(0, np.int32))
            stack = numbers.reshape(arg.length, *u.sized)[order] if s is not None else None
            results.append(None if stack is None else Structure(table, np.moveaxis(stack, 0, lanes)))
        return [s if s is None or s.at.any() else None for s in results]

    def _values(self, params: Sequence[UOp], start: int) -> dict[UOp, Array]:
        """The known values of placeholders from one on, those that are the same in every round."""
        return {p: v for p, v in zip(params[start:], self.known[len(self.known) - len(params) + start :], strict=True)
                if v is not None}  # fmt: skip

    def _value(self, k: int) -> Array:
        value = self.known[k]
        assert value is not None
        return value

    def _while(self, arg: While, sources: Sources) -> Found:
        n = arg.carries
        carries, constants = self._spread(sources, n), sources[n:]
        owns = [*(self.ranges for _ in range(n)), *self.owns[n:]]
        body, condition = Body(arg.body, owns, self.ranges), Body(arg.condition, owns, self.ranges)
        while True:
            made, _ = self.walk(body, [*carries, *constants], self._values(body.params, n))
            grown = list(map(_united, carries, made))
            if self.ctx.values:  # how often it goes around is a value, too
                (test,), _ = self.walk(condition, [*grown, *constants], self._values(condition.params, n))
                grown = [self._also(test, s, d) for s, (d, _) in zip(grown, arg.results, strict=True)]
            if all(map(_same, carries, grown)):
                return carries
            carries = grown

    def _switch(self, arg: Switch, sources: Sources) -> Found:
        found: Found = [None] * len(arg.results)
        for f in arg.branches:
            body = Body(f, self.owns[1:], self.ranges)
            found = list(map(_united, found, self.walk(body, sources[1:], self._values(body.params, 0))[0]))
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


def _identities(params: Sequence[UOp], active: Sequence[bool]) -> tuple[Found, list[int]]:
    """Each element of the active placeholders by a column of its own, and where the columns of each placeholder end."""
    sizes = [p.size if a else 0 for p, a in zip(params, active, strict=True)]
    stops = np.cumsum([0, *sizes]).tolist()
    rows = Rows.identity(stops[-1])
    return [
        Structure(rows, np.arange(1 + start, 1 + start + p.size, dtype=np.int32).reshape(p.sized)) if a else None
        for p, a, start in zip(params, active, stops, strict=False)
    ], stops


def _none(size: int, columns: int) -> Any:
    return scipy_sparse.csr_array((size, columns), dtype=np.bool_)


def _matrix(s: Structure | None, size: int, columns: int) -> Any:
    return _none(size, columns) if s is None else s.matrix()


def _joined(parts: Sequence[Array]) -> Array:
    return np.concatenate([np.zeros(0, np.int32), *parts])


def _deciding(body: Body, carries: int) -> set[UOp]:
    """The placeholders of integers and bools that say which elements are read or chosen, in this round or another."""
    read: list[UOp] = []
    for u in toposort(body.outputs):
        if u.op is Ops.WHERE:
            read.append(u.src[0])
        elif (places := opdef(u).places) is not None:
            read.extend(places(u))
        elif loop_of(u) is not None:
            read.extend(s for s in sources_of(u) if s.dtype.kind in "biu")
    found: set[UOp] = set()
    while True:
        more = {u for u in toposort(read) if u in body.params and u.dtype.kind in "biu"}
        if more == found:
            return found
        found = more
        read.extend(o for p, o in zip(body.params[:carries], body.outputs, strict=False) if p in found)


def _at(axis: int, t: int) -> tuple[Any, ...]:
    return (*(slice(None) for _ in range(axis)), t)


def _element(s: Structure | None, axis: int, t: int) -> Structure | None:
    """An element of a sequence, over a table of its own rows alone."""
    if s is None:
        return None
    at = s.at[_at(axis, t)]
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
