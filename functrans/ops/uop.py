"""The one node type of every graph: interned, immutable, walked without recursion."""

from __future__ import annotations

import itertools
import os
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from math import prod
from typing import Any

from functrans import dtypes
from functrans._collector import paused
from functrans._recent import keep, recall
from functrans.dtypes import DType
from functrans.errors import OutOfMemory, ShapeError, SpecError, at_user_line
from functrans.ops.enums import AxisType, Ops
from functrans.ops.operators import Operators

Shape = tuple[int, ...]
_EMPTY: frozenset[UOp] = frozenset()
_refs: dict[Any, _Known] = {}  # weakref.WeakValueDictionary without its calls of Python's: nodes come and go in masses
_lock = threading.RLock()  # a collection, or a signal handler, may make nodes while one is entered
_remove: Callable[[dict[Any, _Known], Any], None] = vars(weakref)["_remove_dead_weakref"]  # in one step: if it is dead


class _Known(weakref.ref["UOp"]):
    """What the table holds for a node."""

    __slots__ = ("key",)
    key: Any


def _gone(known: _Known) -> None:
    """Called when the node is."""
    _remove(_refs, known.key)


_fresh = itertools.count()
_process = os.urandom(8).hex()
_MOST_AXES = 64  # of NumPy's arrays, from 2.0 on


# Facts about a new node that its kind knows; filled by ops.opdef.
shape_rule: dict[Ops, Callable[[UOp], Shape | None]] = {}
closed_rule: dict[Ops, Callable[[UOp], Iterable[UOp]]] = {}
# Told of new nodes, and of those made in the place of others, while ops.origin records.
born: Callable[[UOp], None] | None = None
inherited: Callable[[UOp, UOp], None] | None = None
# An array after stores; filled by ops.store.
after_rule: list[Callable[[UOp, UOp], UOp]] = []


class UOp(Operators):
    """A node: what it does, its element type, its sources, its static argument.

    Two nodes built alike are the same object, so equality is identity. ``shape`` and ``free_ranges``
    are computed once, from the sources alone, when the node is made.

    >>> from functrans.ops import UOp, dtypes
    >>> UOp.const(dtypes.float64, 2.0) is UOp.const(dtypes.float64, 2.0)
    True
    """

    __slots__ = ("__weakref__", "arg", "dtype", "free_ranges", "memo", "op", "shape", "src")
    op: Ops
    dtype: DType
    src: tuple[UOp, ...]
    arg: Any
    shape: Shape | None
    free_ranges: frozenset[UOp]
    memo: dict[str, Any] | None

    def __new__(cls, op: Ops, dtype: DType, src: tuple[UOp, ...] = (), arg: Any = None) -> UOp:
        """The node of these parts: the one that exists, or a new one."""
        if op is Ops.CONST and arg is not None:
            arg = _as_python(dtype, arg)  # True, 1 and 1.0 are equal, and one of them fits the dtype
        key = (op, dtype, tuple(map(id, src)), _const_key(arg) if op is Ops.CONST else arg)
        known = _refs.get(key)
        found = None if known is None else known()
        if found is not None:
            return found
        made = _make(cls, op, dtype, src, arg)
        with _lock:  # held for the insertion alone: making a node runs its checks, which may make nodes
            own = _Known(made, _gone)
            own.key = key
            known = _refs.setdefault(key, own)  # in one step: a signal handler on this thread has no lock to wait for
            if known is not own:
                found = known()
                if found is not None:
                    return found
                _refs[key] = own
        if born is not None:
            born(made)
        return made

    def __reduce__(self) -> Any:
        order = toposort((self,))
        place = {u: k for k, u in enumerate(order)}
        return _rebuild, ([(u.op, u.dtype, tuple(place[s] for s in u.src), u.arg) for u in order], _process)

    def __copy__(self) -> UOp:
        return self

    def __deepcopy__(self, memo: Any) -> UOp:
        return self

    def __repr__(self) -> str:
        where = "" if self.shape is None else f" {self.shape}"
        return f"<{self.op.name} {self.dtype.name}{where}{'' if self.arg is None else f' {self.arg!r}'}>"

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.sized)

    @property
    def sized(self) -> Shape:
        """The shape; raises SpecError for a node that stands for no array."""
        if self.shape is None:
            raise SpecError(f"{self.op.name} has no shape: it stands for no array")
        return self.shape

    @property
    def size(self) -> int:
        """Number of elements."""
        n = 1
        for d in self.sized:
            n *= d
        return n

    def remember(self, name: str, make: Callable[[UOp], Any]) -> Any:
        """A value derived from this node alone, computed once and kept as long as the node lives."""
        memo = self.memo
        if memo is None:
            memo = self.memo = {}  # two threads may each make one: a value is then computed twice, never lost
        if name not in memo:
            memo[name] = make(self)
        return memo[name]

    def replace(self, src: tuple[UOp, ...]) -> UOp:
        """The same node over other sources."""
        if src == self.src:
            return self
        made = UOp(self.op, self.dtype, src, self.arg)
        if inherited is not None:
            inherited(made, self)
        return made

    def toposort(self) -> list[UOp]:
        """Every node below and including this one, sources first."""
        return toposort((self,))

    # the graph-level constructors of the public contract

    @staticmethod
    def const(dtype: DType, value: bool | int | float | complex) -> UOp:
        """A scalar constant of the given dtype. SpecError for an integer that the dtype does not hold."""
        return UOp(Ops.CONST, dtype, (), value)

    @staticmethod
    def range(end: int | UOp, axis_id: int | None = None, axis_type: AxisType = AxisType.LOOP) -> UOp:
        """A loop variable 0 <= r < end; ``axis_id=None`` makes a fresh one. SpecError for a wrong end."""
        if not isinstance(end, UOp) and (isinstance(end, float) or int(end) != end):
            raise SpecError(f"RANGE: end {end!r}; expected an integer or a node of dtype index")
        number = next(_fresh) if axis_id is None else ("user", axis_id)
        size = end if isinstance(end, UOp) else UOp.const(dtypes.index, end)
        return UOp(Ops.RANGE, dtypes.index, (size,), (number, axis_type))

    @staticmethod
    def sink(*roots: UOp) -> UOp:
        """The root of a graph with several results."""
        return UOp(Ops.SINK, dtypes.void, roots)

    def vmapin(self, varg: tuple[UOp, ...]) -> UOp:
        """The slice of this array at the RANGEs of ``varg``; axes under CONST(0) stay. SpecError for a wrong varg."""
        return UOp(Ops.VMAPIN, self.dtype, (self, *_nodes(varg, "VMAPIN")))

    def vmapout(self, varg: tuple[UOp, ...]) -> UOp:
        """This value for every value of the RANGEs of ``varg``, each an axis at its position. SpecError if wrong."""
        return UOp(Ops.VMAPOUT, self.dtype, (self, *_nodes(varg, "VMAPOUT")))

    def after(self, *events: UOp) -> UOp:
        """This array in a round, of a RANGE; or after a loop of stores into it, of what `end` gives, in their order.

        SpecError where a loop reads what is not written yet, and where it is not plain what is read and written.
        """
        made = self
        for event in events:
            made = after_rule[0](made, event)
        return made

    def store(self, value: UOp) -> UOp:
        """The writing of a value into this array, or into an element of an array. SpecError for another shape."""
        return UOp(Ops.STORE, dtypes.void, (self, value))

    def end(self, *ranges: UOp) -> UOp:
        """This store, or SINK of stores, for each value of RANGEs, in order, the first of them the innermost loop.

        SpecError for what is none.
        """
        made = self
        for r in ranges:
            made = UOp(Ops.END, dtypes.void, (made, r))
        return made


def _nodes(varg: Any, what: str) -> tuple[UOp, ...]:
    if not isinstance(varg, (tuple, list)) or not all(isinstance(a, UOp) for a in varg):
        raise SpecError(f"{what}: varg {varg!r}; expected a tuple with a RANGE or CONST(0) an axis{at_user_line()}")
    return tuple(varg)


_LARGEST = 2**59  # elements of at most 16 bytes


def _make(cls: type[UOp], op: Ops, dtype: DType, src: tuple[UOp, ...], arg: Any) -> UOp:
    node = object.__new__(cls)
    node.op, node.dtype, node.src, node.arg, node.memo = op, dtype, src, arg, None
    free = _EMPTY
    for s in src:
        if s.free_ranges is not free and s.free_ranges:
            free = free | s.free_ranges if free else s.free_ranges
    if op is Ops.RANGE:
        free = free | {node}
    elif free and op in closed_rule:
        free = free.difference(closed_rule[op](node))
    node.free_ranges = free
    rule = shape_rule.get(op)
    if rule is None:
        raise SpecError(f"no record of {op.name}; import functrans.ops, which enters them all")
    shape = node.shape = rule(node)
    if shape and not (src and shape is src[0].shape):
        _check_size(shape, dtype)
    return node


def _check_size(shape: Shape, dtype: DType) -> None:
    if prod(shape) > _LARGEST:
        raise OutOfMemory(
            f"an array of shape {shape} and dtype {dtype.name} has more bytes than 64-bit indices reach"
            f"{at_user_line()}; map over fewer elements at a time"
        )
    if len(shape) > _MOST_AXES:
        raise ShapeError(
            f"an array of {len(shape)} axes{at_user_line()}: NumPy's arrays have {_MOST_AXES} at the most; reshape to "
            "fewer, or map with ft.vmap, which takes an axis away"
        )


def _rebuild(rows: list[tuple[Ops, DType, tuple[int, ...], Any]], process: str) -> UOp:
    """The last node of a pickled graph, whose rows are in sources-first order."""
    made: list[UOp] = []
    for op, dtype, places, arg in rows:
        own = op in (Ops.PARAM, Ops.UNIQUE) or (op is Ops.RANGE and not isinstance(arg[0], tuple))
        own = own or (op is Ops.DEFINE_VAR and len(arg) > 3)
        if own and process != _process:  # its number may be another node's here
            raise SpecError(f"{op.name} was pickled in another process and means nothing here; send arrays instead")
        made.append(UOp(op, dtype, tuple(made[k] for k in places), arg))
    return made[-1]


def _after_fork() -> None:
    """In the child the lock may be held by a thread that is no longer there; and it numbers nodes by itself."""
    global _lock, _process
    _process = os.urandom(8).hex()
    if not _lock._is_owned():  # type: ignore[attr-defined]
        _lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _as_python(dtype: DType, value: Any) -> bool | int | float | complex:
    if dtype.kind == "b":
        return bool(value)
    if dtype.kind in "iux":
        n = int(value)
        if not dtype.low <= n <= dtype.high:
            raise SpecError(f"constant {n} of {dtype.name}; expected {dtype.low} to {dtype.high}{at_user_line()}")
        return n
    return complex(value) if dtype.kind == "c" else float(value)


def _const_key(value: Any) -> Any:
    # 0.0 == -0.0 and nan != nan, yet the first two are two constants and the others one
    return repr(value) if isinstance(value, complex) or value == 0 or value != value else value


def fresh_id() -> int:
    """A number no RANGE, PARAM or UNIQUE has had in this process."""
    return next(_fresh)


def toposort(
    roots: Iterable[UOp],
    enter: Callable[[UOp], bool] | None = None,
    sources: Callable[[UOp], Iterable[UOp]] | None = None,
) -> list[UOp]:
    """Nodes reachable from the roots, sources first; nothing below a node for which ``enter`` is false.

    ``sources`` says what counts as the sources of a node, ``src`` if it is not given.
    """
    table = paused.kept
    if table is None or enter is not None or sources is not None:
        return _order(roots, enter, sources)
    roots = tuple(roots)
    key = tuple(map(id, roots))  # of nodes that their order keeps alive
    found: list[UOp] = recall(table, key) or keep(table, key, _order(roots, None, None), _ORDERS)
    return found.copy()


_ORDERS = 8  # whole walks that are not done again while a plan is made: a pass walks what the one before it has


def _order(
    roots: Iterable[UOp],
    enter: Callable[[UOp], bool] | None,
    sources: Callable[[UOp], Iterable[UOp]] | None,
) -> list[UOp]:
    done: dict[UOp, None] = {}
    path: list[UOp] = []  # from a root down to the node whose sources are gone through
    above: list[Iterator[UOp]] = []  # what is left of the roots, and of the sources of what is above on the path
    rest = iter(roots)
    while True:
        for node in rest:
            if node not in done:
                if enter is None or enter(node):
                    below = node.src if sources is None else tuple(sources(node))
                    if below:
                        path.append(node)
                        above.append(rest)
                        rest = iter(below)
                        break
                done[node] = None
        else:
            if not path:
                return list(done)
            done[path.pop()] = None
            rest = above.pop()


def rebuilt(roots: Iterable[UOp], make: Callable[[UOp, UOp], UOp]) -> list[UOp]:
    """The roots with what a function makes of each node, sources first: given that, and the same over new sources."""
    roots = list(roots)
    new: dict[UOp, UOp] = {}
    for node in toposort(roots):
        new[node] = make(node, node.replace(tuple([new[s] for s in node.src])))
    return [new[r] for r in roots]


def substitute(roots: Iterable[UOp], mapping: dict[UOp, UOp]) -> list[UOp]:
    """The roots with every node of ``mapping`` replaced; what does not depend on one is shared."""
    roots = list(roots)
    new: dict[UOp, UOp] = dict(mapping)  # what has changed alone: most nodes do not
    is_shared = new.keys().isdisjoint
    for node in toposort(roots, enter=lambda u: u not in mapping):
        if not is_shared(node.src) and node not in mapping:
            new[node] = node.replace(tuple([new.get(s, s) for s in node.src]))
    return [new.get(r, r) for r in roots]
