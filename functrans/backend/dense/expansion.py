"""A graph with its small matrices written out, in bodies of loops and branches too, and what may be wrong with them.

Where LAPACK refuses a matrix the expansion gives NaN, and a *flag*, a boolean for each matrix. Flags are values as all
others: in a loop a flag is a carry, which keeps what a round has found; in a branch it is a result. So a lane that a
loop has left, or that takes another branch, reports nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from functrans import dtypes
from functrans._records import replace
from functrans.backend.codegen.vectors.target import target
from functrans.backend.dense import cholesky, composed, elimination, planes, rotation, routines, sparse, triangular
from functrans.backend.dense.elements import either
from functrans.backend.dense.panels import with_panels
from functrans.backend.dense.policy import (
    MAX_ALL,
    eliminating,
    has_dense,
    is_composed,
    is_in_planes,
    is_routine,
    is_small,
    is_sparse,
    statements,
)
from functrans.backend.dense.sharing import with_factors, without_factors
from functrans.backend.policy import KERNEL_STATEMENTS, LOOP_STATEMENTS
from functrans.backend.schedule.host import around
from functrans.ops import build as B
from functrans.ops.collapse import collapse
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.failure import raises
from functrans.ops.function import Function
from functrans.ops.linalg import QUIET
from functrans.ops.loops import Region, Scan, Switch, While, region
from functrans.ops.origin import became
from functrans.ops.source import param
from functrans.ops.symbolic import const
from functrans.ops.uop import Shape, UOp, toposort

Flags = dict[UOp, UOp]
"""Flags, closed, and the op that each speaks of."""

_ZERO = const(0)
Expand = Callable[[UOp], tuple[UOp, UOp | None]]
_EXPANDED: dict[Ops, Expand] = {
    Ops.SOLVE: elimination.solution,
    Ops.CHOLESKY: cholesky.factor,
    Ops.DET: elimination.determinant,
    Ops.SLOGDET: elimination.logarithm,
    Ops.TRIANGULAR: triangular.solution,
    Ops.EIGH: rotation.eigen,
}
_PIVOTS = {Ops.DET: routines.determinant, Ops.SLOGDET: routines.logarithm}
_ROUTINES: dict[Ops, Callable[[UOp], tuple[UOp, UOp | None]]] = {
    Ops.CHOLESKY: routines.factor,
    Ops.TRIANGULAR: routines.substituted, Ops.BANDED: routines.banded, Ops.POSITIVE: routines.banded,
    Ops.ADJUGATE: routines.adjugate, Ops.QR: routines.orthogonal,
    Ops.PINV: routines.pseudo_inverse,
}  # fmt: skip
_IN_PLANES: dict[Ops, Expand] = {
    Ops.SOLVE: planes.solution, Ops.CHOLESKY: planes.factor, Ops.DET: planes.determinant, Ops.SLOGDET: planes.logarithm,
}  # fmt: skip
_COMPOSED: dict[Ops, Callable[[UOp], UOp]] = {
    Ops.TRIANGULAR: composed.triangular, Ops.BANDED: composed.banded,
    Ops.POSITIVE: composed.positive, Ops.CHOLESKY: composed.factor,
    Ops.ADJUGATE: composed.adjugate, Ops.ADJUGATE_ALONG: composed.adjugate_along,
    Ops.EIGH: composed.eigen, Ops.SVD: composed.singular, Ops.QR: composed.orthogonal,
    Ops.PINV: composed.pseudo_inverse,
}  # fmt: skip


def written(roots: Sequence[UOp]) -> tuple[list[UOp], list[tuple[UOp, UOp]]]:
    """The same values with small matrices written out and factors shared, and flags, each with the op it speaks of."""
    plain = without_factors(roots)
    found, flags = expanded(plain) if has_dense(plain) else (plain, {})
    factored = with_factors(with_panels([*found, *flags], not target().hosted))
    return factored[: len(roots)], list(zip(factored[len(roots) :], flags.values(), strict=True))


def expanded(roots: Sequence[UOp]) -> tuple[list[UOp], Flags]:
    """The same values with small matrices written out, and their flags. Linear in the graph and the expansions.

    Code that nobody hosts has no steps between kernels either: it is written out as a body is.
    """
    found = _Expansion()
    return found.graph(collapse(list(roots)), not target().hosted)


def _is_quiet(node: UOp) -> bool:
    """Whether nobody is told of a matrix that is refused."""
    return node.arg.quiet if node.op is Ops.SPSOLVE else bool(node.arg == QUIET)


class _Expansion:
    def __init__(self) -> None:
        self.left, self.long = MAX_ALL, KERNEL_STATEMENTS
        self.ranges: dict[Shape, tuple[UOp, ...]] = {}
        self.known: dict[Function, tuple[Function, Flags]] = {}

    def graph(self, roots: Sequence[UOp], inside: bool) -> tuple[list[UOp], Flags]:
        """A graph expanded, ``inside`` of a loop or branch or not, and its flags."""
        new: dict[UOp, UOp] = {}
        flags: Flags = {}
        roots = self._composed(roots) if inside else roots
        order = toposort(roots)
        together, written = routines.together(order), self._written(order, inside)
        apart = sparse.apart(order) if inside else set()
        for u in order:
            if u in new:
                continue
            sources = tuple(new[s] for s in u.src)
            if raises(u):
                new[u] = sources[0]
                flags.setdefault(_closed(sources[0]), u)
            elif u.op in GroupOp.Region:
                new[u] = self._region(u, sources, flags)
            elif u.op is Ops.RESULT and u.src[0].op is Ops.SCAN:
                new[u] = _result(u, sources[0])
            else:
                node = u.replace(sources[:1] + sources[-1:] if u in apart else sources)
                how = inside, u in together, u in written
                new[u] = _folded(node) if u.op in GroupOp.VMap else self._node(node, flags, *how)
        return [new[r] for r in roots], flags

    def _written(self, order: Sequence[UOp], inside: bool) -> set[UOp]:
        """The ops that are written out: with all others that eliminate the same matrix, or none of them."""
        found, groups = set[UOp](), dict[UOp, list[UOp]]()
        for u in order:
            if u.op in routines.FACTORED:
                groups.setdefault(u.src[0], []).append(u)
            elif is_small(u, inside):
                groups[u] = [u]
        for group in groups.values():
            if not all(is_small(u, inside) for u in group):
                continue
            count = eliminating(group) if group[0].op in routines.FACTORED else statements(group[0]) or 0
            long = count if count > LOOP_STATEMENTS else 0  # of which one kernel has not many
            if 0 < count <= self.left and long <= self.long:
                self.left, self.long = self.left - count, self.long - long
                found.update(group)
        return found

    def _node(self, node: UOp, flags: Flags, inside: bool, several: bool, written: bool) -> UOp:
        by_entries = inside and is_sparse(node)
        if not (by_entries or written or is_routine(node, inside, several)):
            return node
        if _is_empty(node):
            return _of_no_rows(node)
        lanes = self._lanes(node.src[0].sized[: node.src[0].ndim - (1 if by_entries else 2)])
        flag: UOp | None
        if by_entries:
            value, flag = sparse.by_routines(_of_lane(node, node.src, lanes))
        elif written:
            value, flag = _EXPANDED[node.op](_of_lane(node, node.src, lanes))
        else:
            value, flag = _called(node, lanes, several)
        if flag is not None and not _is_quiet(node):
            flags.setdefault(_closed(_of_lanes(flag, lanes)), node)
        return _of_lanes(B.cast(value, node.dtype), lanes)

    def _composed(self, roots: Sequence[UOp]) -> list[UOp]:
        """The same values, what bodies compute by other ops made of these."""
        new: dict[UOp, UOp] = {}
        for u in toposort(roots):
            node = u.replace(tuple(new[s] for s in u.src))
            new[u] = became(self._of_others(node), u) if is_composed(node) else node
        return [new[r] for r in roots]

    def _of_others(self, node: UOp) -> UOp:
        lanes = self._lanes(node.src[0].sized[:-2])
        if _is_empty(node):
            return _of_no_rows(node)
        made = _COMPOSED[node.op](_of_lane(node, node.src, lanes))
        return _of_lanes(B.cast(made, node.dtype), lanes)

    def _lanes(self, lead: Shape) -> tuple[UOp, ...]:
        """A RANGE for each axis in front of matrices: axes of a batch are lanes, whoever made them."""
        return self.ranges.setdefault(lead, tuple(map(UOp.range, lead)))

    def _region(self, node: UOp, sources: tuple[UOp, ...], flags: Flags) -> UOp:
        if node.op is Ops.ROUTINE:
            return UOp(node.op, node.dtype, sources, node.arg)
        bodies = [self._function(f) for f in node.arg.functions]
        rewritten = dict(zip(node.arg.functions, (f for f, _ in bodies), strict=True))
        arg: Region = node.arg.over(rewritten.__getitem__)
        found = [f for _, f in bodies]
        if isinstance(arg, (While, Switch)):
            sources = _without_factors(arg, sources)
        if not any(found):
            return UOp(node.op, node.dtype, sources, arg)
        if isinstance(arg, Scan):
            return _scan(arg, sources, found[0], flags)
        if isinstance(arg, While):
            return _while(arg, sources, found[0], found[1], flags)
        return _switch(arg, sources, found, flags)

    def _function(self, f: Function) -> tuple[Function, Flags]:
        if f not in self.known:
            outputs, flags = self.graph(f.outputs, True)
            same = tuple(outputs) == f.outputs
            self.known[f] = (f if same else Function(f.params, tuple(outputs)), flags)
        return self.known[f]


def _is_empty(node: UOp) -> bool:
    return node.size == 0 or node.src[0].size == 0


def _of_no_rows(node: UOp) -> UOp:
    """A determinant is the product of no pivots."""
    return B.full(node.sized, node.dtype, 1 if node.op is Ops.DET or node.arg == 0 else 0)


def _of_lane(node: UOp, sources: Sequence[UOp], lanes: tuple[UOp, ...]) -> UOp:
    """An op of one lane, in float64 or complex128 always, as NumPy computes it."""
    wide = [dtypes.complex128 if d.kind == "c" else dtypes.float64 for d in (node.dtype, *(s.dtype for s in sources))]
    given = tuple(B.cast(_in_lanes(s, lanes), d) for s, d in zip(sources, wide[1:], strict=True))
    return UOp(node.op, wide[0], given, node.arg)


def _called(node: UOp, lanes: tuple[UOp, ...], several: bool) -> tuple[UOp, UOp | None]:
    """The routine of an op; a matrix ``several`` ops factor, or lanes share, is factored by itself."""
    if is_in_planes(node):
        return _IN_PLANES[node.op](_of_lane(node, node.src, lanes))
    if node.op is Ops.EIGH:
        return routines.eigen(_of_lane(node, node.src, lanes), several)
    if node.op is Ops.SVD:
        return routines.singular(_of_lane(node, node.src, lanes), several)
    if node.op in _PIVOTS:
        return _PIVOTS[node.op](_of_lane(node, node.src, lanes), several)
    if node.op is not Ops.SOLVE:
        return _ROUTINES[node.op](_of_lane(node, node.src, lanes))
    if node.src[0].dtype.kind == "c":
        return planes.solution_of_transposed(_of_lane(node, node.src, lanes))
    matrix, transposed = routines.base_of(node.src[0])
    lane = _of_lane(node, (matrix, node.src[1]), lanes)
    factored = several or not lane.src[1].free_ranges <= lane.src[0].free_ranges
    if not factored:
        return routines.solution(_of_lane(node, node.src, lanes), False, False)
    return routines.solution(lane, transposed, True)


def _in_lanes(x: UOp, lanes: tuple[UOp, ...]) -> UOp:
    return _folded(x.vmapin((*lanes, *(_ZERO for _ in x.sized[len(lanes) :])))) if lanes else x


def _folded(node: UOp) -> UOp:
    """What brackets open and close again is itself: so values of lanes stay with what reads them."""
    inner, other = node.src[0], {Ops.VMAPIN: Ops.VMAPOUT, Ops.VMAPOUT: Ops.VMAPIN}.get(node.op)
    return inner.src[0] if inner.op is other and inner.src[1:] == node.src[1:] else node


def _of_lanes(x: UOp, lanes: tuple[UOp, ...]) -> UOp:
    return x.vmapout((*lanes, *(_ZERO for _ in x.sized))) if lanes else x


def _closed(flag: UOp) -> UOp:
    return _of_lanes(flag, around(flag))


def _no(flag: UOp) -> UOp:
    return B.full(flag.sized, dtypes.bool_, False)


def _opened(node: UOp, first: int, found: Sequence[UOp], flags: Flags) -> None:
    """The results of a loop or branch that are flags, as flags of what is around it."""
    for k, op in enumerate(found, first):
        flags[_closed(UOp(Ops.RESULT, dtypes.bool_, (node,), k))] = op


def _result(old: UOp, loop: UOp) -> UOp:
    """A result of a SCAN, the stacks of which come after its flags."""
    shift = loop.arg.carries - old.src[0].arg.carries
    return UOp(Ops.RESULT, old.dtype, (loop,), old.arg + shift if old.arg >= old.src[0].arg.carries else old.arg)


def _between(xs: Sequence[UOp], at: int, more: Sequence[UOp]) -> tuple[UOp, ...]:
    return (*xs[:at], *more, *xs[at:])


def _without_factors(arg: Region, sources: tuple[UOp, ...]) -> tuple[UOp, ...]:
    """The sources of a loop or branch, zeros for factors of a matrix from before it, which none of its bodies reads."""
    first = len(sources) - len(arg.functions[0].params)
    own = [k for k in range(len(sources)) if sources[k].op is Ops.SPFACTOR]
    if not own:
        return sources
    read = set(toposort([o for f in arg.functions for o in f.outputs]))
    new = list(sources)
    for k in own:
        if not any(f.params[k - first] in read for f in arg.functions):
            new[k] = B.full(sources[k].sized, sources[k].dtype, 0)
    return tuple(new)


def _scan(arg: Scan, sources: tuple[UOp, ...], found: Flags, flags: Flags) -> UOp:
    n, body = arg.carries, arg.body
    before = [param(f.sized, dtypes.bool_) for f in found]
    after = [either(b, f) for b, f in zip(before, found, strict=True)]
    longer = Function(_between(body.params, n, before), _between(body.outputs, n, after))
    made = replace(arg, body=longer, carries=n + len(found), plain=None)
    node = region(Ops.SCAN, _between(sources, n, [_no(f) for f in found]), made)
    _opened(node, n, list(found.values()), flags)
    return node


def _while(arg: While, sources: tuple[UOp, ...], tested: Flags, found: Flags, flags: Flags) -> UOp:
    """A WHILE; what its condition finds is a flag of the round that follows, and after the last one of the result."""
    n, body, condition = arg.carries, arg.body, arg.condition
    every = [*found.values(), *tested.values()]
    test = Function(condition.params, tuple(tested))
    now = [*found, *test.at(body.params)]
    before = [param(f.sized, dtypes.bool_) for f in now]
    after = [either(b, f) for b, f in zip(before, now, strict=True)]
    made = While(
        Function(_between(condition.params, n, before), condition.outputs),
        Function(_between(body.params, n, before), _between(body.outputs, n, after)),
        n + len(now),
    )
    node = region(Ops.WHILE, _between(sources, n, [_no(f) for f in now]), made)
    _opened(node, n, every, flags)
    if tested:
        last = [UOp(Ops.RESULT, d, (node,), k) for k, (_, d) in enumerate(arg.results)]
        ends = test.at([*last, *sources[n:]])
        flags.update(zip(map(_closed, ends), tested.values(), strict=True))
    return node


def _switch(arg: Switch, sources: tuple[UOp, ...], found: list[Flags], flags: Flags) -> UOp:
    every = [(f, op) for own in found for f, op in own.items()]
    branches = [
        Function(b.params, (*b.outputs, *(f if f in own else _no(f) for f, _ in every)))
        for b, own in zip(arg.branches, found, strict=True)
    ]
    node = region(Ops.SWITCH, sources, Switch(tuple(branches)))
    _opened(node, len(arg.results), [op for _, op in every], flags)
    return node
