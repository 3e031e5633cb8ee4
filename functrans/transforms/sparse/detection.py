"""Which outputs depend on which inputs, read off the graph: index arithmetic on row numbers, no values of x.

Each kind of op has one rule (`rules`, `indexing`). Elementwise ops unite the rows of their sources; movement,
joins and indexing by known numbers are their own NumPy meaning, applied to row numbers; reductions unite along
axes. The result may be too large, which is noted, and is never too small.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans import dtypes
from functrans._lazy import scipy_sparse
from functrans.errors import at_line
from functrans.ops.build import reshape
from functrans.ops.custom import inlined
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.opdef import opdef
from functrans.ops.origin import lineage, place_of
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent
from functrans.tensor.constants import is_traced
from functrans.transforms.sparse.constants import Constants
from functrans.transforms.sparse.context import Context, Sources
from functrans.transforms.sparse.custom_rules import with_custom_tangents
from functrans.transforms.sparse.indexing import index
from functrans.transforms.sparse.loops import Body, bodies, loop_of, result_structures, sources_of
from functrans.transforms.sparse.room import check_array, check_room
from functrans.transforms.sparse.rows import Rows
from functrans.transforms.sparse.rules import (
    CUTS,
    assign,
    elementwise,
    join,
    matrices,
    movement,
    order,
    placement,
    reduce,
    unknown,
)
from functrans.transforms.sparse.structure import Structure
from functrans.transforms.vmap.rewriting import unbracket

_ZERO = UOp.const(dtypes.index, 0)
_CHOICES = GroupOp.Compare | GroupOp.Custom | GroupOp.Order | {
    Ops.MAX, Ops.MIN, Ops.ABS, Ops.SIGN, Ops.FLOOR, Ops.CEIL, Ops.TRUNC, Ops.RINT, Ops.ISNAN, Ops.ISINF, Ops.SIGNBIT,
    Ops.MOD, Ops.IDIV, Ops.FLOORDIV, Ops.FLOORMOD, Ops.COPYSIGN, Ops.BITCAST,
}  # fmt: skip
_RULES: dict[str, Callable[[Context, UOp, Sources], Structure | None]] = {
    "elementwise": elementwise, "movement": movement, "join": join, "reduce": reduce, "order": order, "index": index,
    "placement": placement, "assign": assign, "host": matrices,
}  # fmt: skip


class Walk:
    """A graph without brackets, walked once, sources first.

    Parameters
    ----------
    roots : the nodes asked for
    inputs : the structure of each PARAM that counts as an input
    rows : the table that these number
    values : also follow dependence without derivative
    keep : keep the structures of all nodes, not of the roots alone
    certain : follow no dependence that is only possible
    known : the values of PARAMs
    asked : roots whose values are asked for, too
    """

    def __init__(
        self, roots: Sequence[UOp], inputs: dict[UOp, Structure], rows: Rows, *, values: bool = False,
        keep: bool = False, certain: bool = False, known: Mapping[UOp, NDArray[Any]] | None = None,
        asked: Sequence[UOp] = (),
    ) -> None:  # fmt: skip
        order = toposort(roots)
        self.context = Context(Constants(order, [*wanted(order), *asked], known), rows, values, certain)
        self.found: dict[UOp, Structure | None] = {}
        self._loops: dict[UOp, list[Structure | None]] = {}
        sums, parts_of_sums = ({}, set[UOp]()) if keep else _sums(order, roots)
        order = [u for u in order if u not in parts_of_sums]
        uses = Counter(s for u in order for s in sums.get(u) or sources_of(u))
        uses.update(roots)
        for node in order:
            given = inputs.get(node)
            sources = sums.get(node) or sources_of(node)
            if any(self.found[s] is not None for s in sources):
                check_array(node.size, f"{node.op.name} of shape {node.shape}")
            parts = [self.found[s] for s in sources]
            if node in sums:
                self.found[node] = self.context.united(parts) if values or dtypes.is_inexact(node.dtype) else None
            else:
                self.found[node] = self.visited(node, parts) if given is None else given
            for s in sources:
                uses[s] -= 1
                if not uses[s] and not keep:
                    self.found[s] = None  # dead: its memory is free for those to come

    def local(self, node: UOp, sources: Sources) -> Structure | None:
        """The structure of a node from those of its sources."""
        if loop_of(node) is not None:
            return self._results(node, sources)[_place(node)]
        return passed(self.context, node, sources)

    def visited(self, node: UOp, sources: Sources) -> Structure | None:
        """As `local`, all results of a loop at once."""
        loop = loop_of(node)
        if loop is None:
            return self.local(node, sources)
        if loop not in self._loops:
            self._loops[loop] = self._results(node, sources)
        return self._loops[loop][_place(node)]

    def _results(self, node: UOp, sources: Sources) -> list[Structure | None]:
        return result_structures(self.context, node, sources, self._inside)

    def _inside(
        self,
        body: Body,
        given: Sources,
        known: Mapping[UOp, NDArray[Any]],
        asked: Sequence[UOp] = (),
        rows: Rows | None = None,
    ) -> tuple[list[Structure | None], list[NDArray[Any] | None]]:
        context = self.context
        inputs = {p: s for p, s in zip(body.params, given, strict=True) if s is not None}
        walk = Walk(
            body.outputs, inputs, rows or context.rows, values=context.values, certain=context.certain, known=known,
            asked=asked,
        )  # fmt: skip
        context.notes.extend(n for n in walk.context.notes if n not in context.notes)
        return [walk.found[o] for o in body.outputs], [walk.context.constants.value(u) for u in asked]


def _sums(order: Sequence[UOp], roots: Sequence[UOp]) -> tuple[dict[UOp, list[UOp]], set[UOp]]:
    """The addends of sums of three and more, and the sums that are part of one: what is united at once is not united
    one after the other.
    """
    added = [u for u in order if u.op is Ops.ADD and sources_of(u)]
    readers = Counter(s for u in order for s in sources_of(u))
    inner = {s for u in added for s in u.src if s.op is Ops.ADD and readers[s] == 1}.difference(roots)
    addends: dict[UOp, list[UOp]] = {}
    for u in added:
        addends[u] = [a for s in u.src for a in (addends[s] if s in inner else [s])]
    return {u: found for u, found in addends.items() if u not in inner and len(found) > len(u.src)}, inner


def _place(node: UOp) -> int:
    """Which result of its loop a node is."""
    return int((node.src[0] if node.op is Ops.VMAPOUT else node).arg)


def passed(context: Context, node: UOp, sources: Sources) -> Structure | None:
    """The structure of a node from those of its sources, by the rule of its kind."""
    if all(s is None for s in sources) or not (context.values or dtypes.is_inexact(node.dtype)):
        return None
    return _RULES.get(opdef(node).kind, unknown)(context, node, sources)


def wanted(order: Sequence[UOp]) -> list[UOp]:
    """The nodes whose known values decide about the rows of others."""
    found: list[UOp] = []
    for u in order:
        if u.op in CUTS:
            found.extend(u.src[k] for k in CUTS[u.op])
        elif u.op is Ops.WHERE:
            found.append(u.src[0])
        elif (places := opdef(u).places) is not None:
            found.extend(places(u))
        elif loop_of(u) is not None:
            found.extend(sources_of(u))
    return found


def flattened(roots: Sequence[UOp]) -> list[UOp]:
    """The roots as vectors in C order, without brackets; one that is open in an outer vmap is (lanes, size)."""
    closed = []
    for root in inlined(roots):
        free = sorted(root.free_ranges, key=lambda r: str(r.arg))
        lanes = int(np.prod([extent(r) for r in free], dtype=np.int64))
        flat = reshape(root, (root.size,))
        if free:
            flat = reshape(flat.vmapout((*free, _ZERO)), (lanes, root.size))
        closed.append(flat)
    return unbracket(closed)


class Dependence:
    """Where the Jacobian of a graph may be nonzero: outputs flattened and concatenated, by inputs likewise.

    Parameters
    ----------
    outputs : nodes, in the order of the rows
    inputs : PARAMs, in the order of the columns

    Attributes
    ----------
    matrix : boolean csr_array of shape (rows, columns), sorted, without duplicates
    notes : where it may be larger than need be

    Notes
    -----
    Holds for every value of the inputs and of all other PARAMs, and in every lane of an outer vmap. The cost
    is linear in the nodes, in their elements, and in the nonzeros of the unions on the way. Boolean Jacobians by
    forward propagation of index sets: Griewank and Walther, Evaluating Derivatives (2008), section 7.1.

    Examples
    --------
    >>> from functrans.ops import build as B, dtypes
    >>> from functrans.ops.source import param
    >>> x = param((4,), dtypes.float64)
    >>> y = B.mul(B.shrink(x, ((1, 4),)), B.shrink(x, ((0, 3),)))
    >>> Dependence([y], [x]).matrix.toarray().astype(int).tolist()
    [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]
    """

    def __init__(self, outputs: Sequence[UOp], inputs: Sequence[UOp]) -> None:
        self.outputs, self.inputs = tuple(outputs), tuple(inputs)
        self._flat = flattened(with_custom_tangents(self.outputs))
        self.matrix, notes = self._walked(False)
        self.notes = list(dict.fromkeys(notes))

    def _walked(self, certain: bool) -> tuple[Any, list[str]]:
        columns = sum(p.size for p in self.inputs)
        check_array(columns, "what it is to be differentiated by")
        rows, start = Rows.identity(columns), 1
        given = {}
        for p in self.inputs:
            given[p] = Structure(rows, np.arange(start, start + p.size, dtype=np.int32).reshape(p.sized))
            start += p.size
        walk = Walk(self._flat, given, rows, certain=certain)
        check_room(sum(_entries(walk.found[root]) for root in self._flat))
        blocks = [_block(walk, root, columns) for root in self._flat]
        whole = scipy_sparse.vstack(blocks, format="csr") if blocks else _empty(0, columns)
        return whole, walk.context.notes

    @cached_property
    def certain(self) -> Any:
        """As `matrix`, without what no rule can tell: what a computed index may touch, blocks of dense algebra."""
        return self._walked(True)[0] if self.notes else self.matrix

    @cached_property
    def switched(self) -> NDArray[np.bool_]:
        """The rows that a derivative on an open set says nothing about: they depend on a choice between formulas."""
        chosen = [u for u in toposort(self._flat) if _chooses(u)]
        return np.concatenate([np.zeros(0, np.bool_), *_reached(self._flat, chosen)])

    def explain(self, i: int, j: int) -> str:
        """The path of operations by which input element ``j`` reaches output element ``i``, with lines if known."""
        with lineage({}):  # the nodes that are walked take over the lines of those that they were made of
            flattened(with_custom_tangents(self.outputs))
        rows = Rows.identity(1)
        param, place = _split(self.inputs, j)
        seed = np.zeros(param.size, np.int32)
        seed[place] = 1
        walk = Walk(self._flat, {param: Structure(rows, seed.reshape(param.sized))}, rows, keep=True)
        root, k = _split(self.outputs, i)
        node = self._flat[self.outputs.index(root)]
        s = walk.found[node]
        lanes = np.zeros(0, np.intp) if s is None else np.flatnonzero(s.at.reshape(-1, root.size)[:, k])
        if not len(lanes):
            return f"output {i} does not depend on input {j}"
        steps = _path(walk, node, int(lanes[0]) * root.size + k, param)
        lines = [f"output {i} depends on input {j}:", *(f"  {text}" for text in steps)]
        return "\n".join([*lines, *(f"  note: {n}" for n in self.notes)])


def _chooses(node: UOp) -> bool:
    """Whether a node is given by another formula here than there, as by a comparison."""
    if not is_traced(node):
        return False
    loop = loop_of(node)
    if loop is not None:
        return loop.op is not Ops.SCAN or any(map(_chooses, toposort(flattened(bodies(loop)))))
    if node.op is Ops.WHERE:
        return is_traced(node.src[0])
    if node.op in GroupOp.Reduce:
        return node.arg[0] in (Ops.MAX, Ops.MIN)
    if node.op is Ops.CAST:
        return not dtypes.is_inexact(node.dtype) and dtypes.is_inexact(node.src[0].dtype)
    return node.op in _CHOICES


def _empty(size: int, columns: int) -> Any:
    return scipy_sparse.csr_array((size, columns), dtype=np.bool_)


def _entries(s: Structure | None) -> int:
    """The nonzeros of the rows of an output; of one in lanes those of its largest."""
    if s is None:
        return 0
    return max(s.rows.entries(lane) for lane in s.at) if s.at.ndim == 2 and len(s.at) else s.rows.entries(s.at)


def _block(walk: Walk, root: UOp, columns: int) -> Any:
    """The rows of one output."""
    s = walk.found[root]
    if s is not None and s.at.ndim == 2:
        s = walk.context.reduced(s, (0,))
    return _empty(root.sized[-1], columns) if s is None else s.matrix()


def _split(nodes: Sequence[UOp], place: int) -> tuple[UOp, int]:
    """The node that an element of the concatenation belongs to, and its place there."""
    for node in nodes:
        if place < node.size:
            return node, place
        place -= node.size
    raise IndexError(place)


def _path(walk: Walk, node: UOp, place: int, param: UOp) -> list[str]:
    """From an element to the PARAM, one op a line, positions as multi-indices."""
    steps = []
    while node is not param:
        steps.append(f"{node.op.name} {_at(node, place)}{at_line(place_of(node))}")
        node, place = _before(walk, node, place)
    return [*steps, f"argument {_at(node, place)}"]


def _at(node: UOp, place: int) -> str:
    return f"[{', '.join(map(str, np.unravel_index(place, node.sized)))}] of {node.shape}" if node.sized else "()"


def _before(walk: Walk, node: UOp, place: int) -> tuple[UOp, int]:
    """A source element that the given element of the node depends on and that the input reaches."""
    below = sources_of(node)
    reached = [(s, walk.found[s]) for s in dict.fromkeys(below) if walk.found[s] is not None]
    rows = Rows.identity(sum(s.size for s, _ in reached))
    sources: dict[UOp, Structure] = {}
    start = 1
    for s, _ in reached:
        sources[s] = Structure(rows, np.arange(start, start + s.size, dtype=np.int32).reshape(s.sized))
        start += s.size
    here = walk.local(node, [sources.get(s) for s in below])
    assert here is not None
    ends = here.rows.matrix[[here.at.reshape(-1)[place]]].indices
    alive: NDArray[np.bool_] = np.concatenate([np.asarray(f.at).reshape(-1) != 0 for _, f in reached if f is not None])
    return _split([s for s, _ in reached], int(ends[np.argmax(alive[ends])]))


def depends(outputs: Sequence[UOp]) -> list[NDArray[np.bool_]]:
    """Which elements of each output (flattened) depend on any PARAM in any way, derivative or not.

    >>> from functrans.ops import build as B, dtypes
    >>> from functrans.ops.source import param
    >>> x = param((2,), dtypes.float64)
    >>> depends([B.pad(x, ((1, 0),))])[0].tolist()
    [False, True, True]
    """
    flat = flattened(outputs)
    order = toposort(flat, enter=lambda u: u.op is not Ops.BIND)
    return _reached(flat, [u for u in order if u.op in (Ops.PARAM, Ops.DEFINE_VAR)])


def _reached(flat: Sequence[UOp], sources: Sequence[UOp]) -> list[NDArray[np.bool_]]:
    """Which elements of each root depend on any of the sources in any way."""
    rows = Rows.identity(1)
    given = {u: Structure(rows, np.broadcast_to(np.int32(1), u.sized)) for u in sources}
    walk = Walk(flat, given, rows, values=True)
    found = []
    for root in flat:
        s = walk.found[root]
        none = np.zeros(root.sized[-1], np.bool_)
        found.append(none if s is None else (s.at != 0).reshape(-1, root.sized[-1]).any(axis=0))
    return found
