"""What is legal at each stage, as rows. A node that no row accepts is reported by the pass that made it."""

from __future__ import annotations

from collections.abc import Iterable

from functrans import dtypes
from functrans.config import config
from functrans.dtypes import DType
from functrans.errors import SpecError
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.indexing import MODE_OPS
from functrans.ops.kernel import FOLDED, Call, CallsArg, GlobalArg, LocalArg, TileArg, closing
from functrans.ops.opdef import like_first, like_first_or_real, opdef, ops_that
from functrans.ops.order import memory_of, order_dtype
from functrans.ops.reduce import REDUCERS
from functrans.ops.uop import UOp, toposort
from functrans.ops.upat import PatternMatcher, UPat

_BITS = frozenset({Ops.AND, Ops.OR, Ops.XOR, Ops.SHL, Ops.SHR})
_FLAGS = frozenset({Ops.ISNAN, Ops.ISINF, Ops.SIGNBIT})
_FRAME = frozenset({Ops.DEVICE, Ops.UNIQUE, Ops.SINK})
_VALUE = GroupOp.Elementwise | GroupOp.Custom | {Ops.NOOP, Ops.INDEX, Ops.REDUCE, Ops.PREFIX}
_TENSOR_ONLY = ops_that(lambda record: record.typed) | {Ops.BIND}


def _integers(nodes: tuple[UOp, ...]) -> bool:
    return all(i.dtype.kind in "iux" for i in nodes)


def _same(n: UOp, first: int = 0) -> bool:
    return all(s.dtype == n.dtype for s in n.src[first:])


def _count_ok(n: UOp) -> bool:
    return len(n.src) == (2 if n.op in GroupOp.Binary else 3 if n.op in GroupOp.Ternary else 1)


def _typed(n: UOp) -> bool:
    typed = opdef(n).typed
    return typed is not None and typed(n)


def _var_ok(n: UOp) -> bool:
    name, low, high = n.arg[:3]
    return isinstance(name, str) and low <= high


# elementwise ops mean the same at every stage
spec_shared = PatternMatcher(
    [
        (UPat(GroupOp.Elementwise | {Ops.NOOP}, name="n"), lambda n: None if _count_ok(n) else False),
        (UPat(GroupOp.Compare, dtypes.bool_, name="n"), lambda n: n.src[0].dtype == n.src[1].dtype),
        (UPat(Ops.WHERE, name="n"), lambda n: n.src[0].dtype == dtypes.bool_ and _same(n, 1)),
        (UPat(_BITS, name="n"), lambda n: n.dtype.kind in "biu" and _same(n)),
        (UPat((Ops.CAST, Ops.BITCAST)), lambda: True),
        (UPat(_FLAGS, dtypes.bool_), lambda: True),
        (UPat((Ops.ABS, Ops.REAL, Ops.IMAG), name="n"), lambda n: like_first_or_real(n)),
        (UPat(GroupOp.Elementwise | {Ops.NOOP}, name="n"), lambda n: n.op not in GroupOp.Compare | _FLAGS and _same(n)),
        (UPat(GroupOp.Custom, name="n"), lambda n: len({s.dtype for s in n.src}) == 1),
        (UPat(Ops.CONST, src=(), name="n"), lambda n: n.arg is not None),
        (UPat(Ops.DEFINE_VAR, dtypes.index, (), name="n"), _var_ok),
        (UPat(Ops.RANGE, dtypes.index), lambda: True),
        (UPat((Ops.PARAM, Ops.IOTA, Ops.EMPTY), src=()), lambda: True),
        (UPat(Ops.BUFFER, name="n"), lambda n: [s.op for s in n.src] == [Ops.DEVICE, Ops.UNIQUE]),
        (UPat(Ops.BUFFER_VIEW, name="n"), lambda n: n.src[0].dtype == n.dtype),
        (UPat(_FRAME), lambda: True),
    ]
)

spec_tensor = PatternMatcher(
    [
        (UPat(Ops.BIND, dtypes.index, name="n"), lambda n: _same(n)),
        (UPat(Ops.INDEX, name="n"), lambda n: n.src[0].dtype == n.dtype and _integers(n.src[1:])),
        (UPat(Ops.REDUCE, name="n"), lambda n: like_first(n)),
        (UPat(_TENSOR_ONLY, name="n"), _typed),
    ]
) + spec_shared  # fmt: skip


def _buffer_ok(n: UOp) -> bool:
    if [s.op for s in n.src] == [Ops.RESULT]:
        return n.src[0].dtype == n.dtype  # a loop or branch fills it
    fits = all(s.op is Ops.STORE and s.src[0].dtype == n.dtype and s.arg.ndim == len(n.arg.shape) for s in n.src)
    return len(n.src) > 0 and fits


def _store_ok(n: UOp) -> bool:
    if n.arg is None:
        return False  # of the kernel stage
    idx = n.src[1 : 1 + n.arg.ndim]
    closed = n.src[n.arg.first_range :]
    gate_ok = not n.arg.gated or n.src[1 + n.arg.ndim].dtype == dtypes.bool_
    known = n.arg.mode == "set" or n.arg.mode in MODE_OPS
    return known and gate_ok and all(i.dtype == dtypes.index for i in idx) and all(r.op is Ops.RANGE for r in closed)


def _read_ok(n: UOp) -> bool:
    buffer, *idx = n.src
    if buffer.op not in (Ops.BUFFERIZE, Ops.DEFINE_GLOBAL) or buffer.dtype != n.dtype:
        return False
    gate_ok = not n.arg or idx.pop().dtype == dtypes.bool_
    ndim = len(buffer.arg.shape) if buffer.op is Ops.BUFFERIZE else buffer.src[0].ndim
    return gate_ok and len(idx) == ndim and all(i.dtype == dtypes.index for i in idx)


def _reduce_ok(n: UOp) -> bool:
    return n.arg in REDUCERS and n.src[0].dtype == n.dtype and all(r.op is Ops.RANGE for r in n.src[1:])


def _product_ok(n: UOp) -> bool:
    first, second, row, column, *closed = n.src
    own = row in first.free_ranges - second.free_ranges and column in second.free_ranges - first.free_ranges
    return _same_pair(n) and own and all(r.op is Ops.RANGE for r in closed) and isinstance(n.arg, TileArg)


def _same_pair(n: UOp) -> bool:
    return n.dtype.kind in "fiu" and n.src[0].dtype == n.src[1].dtype == n.dtype


def _order_ok(n: UOp) -> bool:
    return n.arg in GroupOp.Order and n.dtype == order_dtype(n.arg, n.src[0].dtype) and n.src[1].op is Ops.RANGE


_FILLED = frozenset({Ops.BUFFERIZE, Ops.DEFINE_GLOBAL, Ops.CONST})
spec_ranged = PatternMatcher(
    [
        (UPat(_VALUE, name="n"), lambda n: None if n.shape == () else False),  # one element at a time
        (UPat(Ops.BUFFERIZE, name="n"), _buffer_ok),
        (UPat(Ops.REGION, dtypes.void, name="n"), lambda n: all(s.op in _FILLED for s in n.src)),
        (UPat(Ops.RESULT, name="n"), lambda n: n.src[0].op is Ops.REGION),
        (UPat(Ops.STORE, name="n"), _store_ok),
        (UPat(Ops.INDEX, name="n"), _read_ok),
        (UPat(Ops.REDUCE, name="n"), _reduce_ok),
        (UPat(Ops.WMMA, name="n"), lambda n: n.shape == () and _product_ok(n)),
        (UPat(Ops.PREFIX, name="n"), lambda n: len(n.src) == 2 and (_order_ok(n) or _reduce_ok(n))),
        (UPat(Ops.DEFINE_GLOBAL, name="n"), lambda n: n.src[0].op in (Ops.PARAM, Ops.BUFFER, Ops.BUFFER_VIEW)),
        (UPat(Ops.NAME, dtypes.void, (), name="n"), lambda n: isinstance(n.arg, str) and n.arg.isidentifier()),
        (UPat(_TENSOR_ONLY), lambda: False),
    ]
) + spec_shared  # fmt: skip


def _pointer_ok(n: UOp) -> bool:
    return len(n.src) == 2 and n.src[0].op in _ARRAYS and n.src[0].dtype == n.dtype and n.src[1].dtype == dtypes.index


def _load_ok(n: UOp) -> bool:
    gate_ok = len(n.src) == 1 or (len(n.src) == 3 and n.src[1].dtype == n.dtype and n.src[2].dtype == dtypes.bool_)
    return gate_ok and n.src[0].op is Ops.INDEX and n.src[0].dtype == n.dtype


def _write_ok(n: UOp) -> bool:
    place, value, *gate = n.src
    if n.arg is not None or place.op is not Ops.INDEX or place.dtype != value.dtype:
        return False
    written = place.src[0].op is Ops.DEFINE_LOCAL or place.src[0].arg.written
    return written and len(gate) <= 1 and all(g.dtype == dtypes.bool_ for g in gate)


def _sorting_ok(n: UOp) -> bool:
    keys, *memory = n.src
    local = all(s.op is Ops.DEFINE_LOCAL for s in n.src)
    return local and [(s.dtype, s.arg.elements) for s in memory] == memory_of(n.op, keys.dtype, keys.arg.elements)


def _tile_ok(n: UOp) -> bool:
    sums, places, numbers = n.src[0], n.src[:3], n.src[3:]
    typed = all(p.op is Ops.INDEX and p.dtype == sums.dtype for p in places)
    counted = len(numbers) == 5 and all(u.dtype == dtypes.index for u in numbers)
    return typed and counted and sums.src[0].op is Ops.DEFINE_LOCAL and isinstance(n.arg, TileArg)


def _calls_ok(n: UOp) -> bool:
    if not isinstance(n.arg, CallsArg):
        return False
    count, *arrays = n.src
    rows = {a.dtype: a.arg.elements // n.arg.width for a in arrays if a.op is Ops.DEFINE_LOCAL}
    return count.dtype == dtypes.index and len(rows) == len(arrays) and all(_call_ok(c, rows) for c in n.arg.calls)


def _call_ok(call: Call, rows: dict[DType, int]) -> bool:
    given = {u for u in toposort(call.results) if u.op is Ops.PARAM}
    taken = [u for u in given if u.arg[0][0] == "row"]
    filled, read = call.rows[: len(call.results)], call.rows[len(call.results) :]
    if len(read) != len(taken) or len(given) - len(taken) != len(call.numbers):
        return False
    places = [(u.dtype, k) for u, k in zip(call.results, filled, strict=True)]
    known = [(u.dtype, read[u.arg[0][1]]) for u in taken if u.arg[0][1] < len(read)]
    within = all(d in rows and 0 <= k < rows[d] for d, k in (*places, *known))
    return within and len(set(places)) == len(places) and set(places).isdisjoint(known)


def _fold_ok(n: UOp) -> bool:
    elements = n.src[0].arg.elements
    return _same(n) and n.arg in FOLDED and elements > 0 and elements & (elements - 1) == 0


def _results_ok(n: UOp) -> bool:
    return n.src[-1].op is Ops.NAME and all(s.op is Ops.STORE for s in n.src[:-1])


_ARRAYS = frozenset({Ops.DEFINE_GLOBAL, Ops.DEFINE_LOCAL})
_NOT_LOWERED = frozenset({Ops.PARAM, Ops.IOTA, Ops.EMPTY, Ops.BUFFER, Ops.BUFFER_VIEW, Ops.DEVICE, Ops.UNIQUE,
                          Ops.NOOP, Ops.DETACH, Ops.CONTIGUOUS, Ops.CONTIGUOUS_BACKWARD})  # fmt: skip
spec_kernel = PatternMatcher(
    [
        (UPat(_NOT_LOWERED), lambda: False),
        (UPat(GroupOp.Elementwise | GroupOp.Custom, name="n"), lambda n: None if n.shape == () else False),
        (UPat(Ops.DEFINE_GLOBAL, src=(), name="n"), lambda n: isinstance(n.arg, GlobalArg)),
        (UPat(Ops.DEFINE_LOCAL, src=(), name="n"), lambda n: isinstance(n.arg, LocalArg)),
        (UPat(Ops.DEFINE_ACC, src=(UPat(Ops.CONST),), name="n"), lambda n: _same(n) and isinstance(n.arg, int)),
        (UPat(Ops.INDEX, name="n"), _pointer_ok),
        (UPat(Ops.LOAD, name="n"), _load_ok),
        (UPat(Ops.STORE, dtypes.void, name="n"), _write_ok),
        (UPat(Ops.ASSIGN, src=(UPat(Ops.DEFINE_ACC), UPat()), name="n"), lambda n: _same(n)),
        (UPat(Ops.IF, dtypes.void, (UPat(dtype=dtypes.bool_),)), lambda: True),
        (UPat(Ops.ENDIF, dtypes.void, (UPat(Ops.IF),)), lambda: True),
        (UPat(Ops.ENDRANGE, dtypes.void, (UPat(Ops.RANGE),)), lambda: True),
        (UPat(GroupOp.Order, dtypes.void, name="n"), _sorting_ok),
        (UPat(Ops.WMMA, dtypes.void, name="n"), _tile_ok),
        (UPat(Ops.CALLS, dtypes.void, name="n"), _calls_ok),
        (UPat(Ops.FOLD, src=(UPat(Ops.DEFINE_LOCAL),), name="n"), _fold_ok),
        (UPat(Ops.NAME, dtypes.void, (), name="n"), lambda n: isinstance(n.arg, str) and n.arg.isidentifier()),
        (UPat(Ops.SINK, dtypes.void, name="n"), _results_ok),
        (UPat(_TENSOR_ONLY | {Ops.BUFFERIZE, Ops.REDUCE, Ops.PREFIX, Ops.REGION}), lambda: False),
    ]
) + spec_shared  # fmt: skip

STAGES = {"tensor": spec_tensor, "ranged": spec_ranged, "kernel": spec_kernel}


def verify(roots: Iterable[UOp], stage: str, after: str) -> None:
    """Raise SpecError at the first node that is not legal at the stage, naming the pass it came from.

    A node that was legal stays so, with all that is below it: no node is looked at twice.
    """
    table, legal = STAGES[stage], f"legal at the {stage} stage"
    for node in toposort(roots, enter=lambda u: u.memo is None or legal not in u.memo):
        if not node.remember(legal, lambda n: table.rewrite(n) is True):
            sources = ", ".join(map(repr, node.src))
            raise SpecError(f"after {after}: {node!r} over ({sources}) is not legal at the {stage} stage")


def check(roots: list[UOp], stage: str, after: str) -> list[UOp]:
    """The roots, verified where the setting ``spec`` asks for it."""
    if config.spec:
        verify(roots, stage, after)
    return roots


def check_linear(uops: list[UOp], after: str) -> list[UOp]:
    """The statements of a kernel, each of them and their order verified where the setting ``spec`` asks for it."""
    if config.spec:
        verify(uops, "kernel", after)
        try:
            closing(uops)
        except SpecError as error:
            raise SpecError(f"after {after}: {error.message}") from error
    return uops
