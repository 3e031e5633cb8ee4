"""What is legal at each stage, as rows. A node that no row accepts is reported by the pass that made it."""

from __future__ import annotations

from collections.abc import Iterable

from functrans import dtypes
from functrans.config import config
from functrans.errors import SpecError
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.uop import UOp, toposort
from functrans.ops.upat import PatternMatcher, UPat

_BITS = frozenset({Ops.AND, Ops.OR, Ops.XOR, Ops.SHL, Ops.SHR})
_FRAME = frozenset({Ops.DEVICE, Ops.UNIQUE, Ops.SINK})
_LIKE_SOURCE = GroupOp.Movement | GroupOp.VMap | {Ops.REDUCE_AXIS, Ops.CUMULATE}
_TENSOR_ONLY = GroupOp.Join | {Ops.SCATTER} | _LIKE_SOURCE


def _integers(nodes: tuple[UOp, ...]) -> bool:
    return all(i.dtype.kind in "iux" for i in nodes)


def _same(n: UOp, first: int = 0) -> bool:
    return all(s.dtype == n.dtype for s in n.src[first:])


# elementwise ops mean the same at every stage
spec_shared = PatternMatcher(
    [
        (UPat(GroupOp.Compare, dtypes.bool_, name="n"), lambda n: n.src[0].dtype == n.src[1].dtype),
        (UPat(Ops.WHERE, name="n"), lambda n: n.src[0].dtype == dtypes.bool_ and _same(n, 1)),
        (UPat(_BITS, name="n"), lambda n: n.dtype.kind in "biu" and _same(n)),
        (UPat((Ops.CAST, Ops.BITCAST), name="n"), lambda n: len(n.src) == 1),
        (UPat((Ops.ISNAN, Ops.ISINF, Ops.SIGNBIT), dtypes.bool_), lambda: True),
        (UPat((Ops.ABS, Ops.REAL, Ops.IMAG), name="n"), lambda n: n.dtype.kind != "c" or _same(n)),
        (UPat(GroupOp.Elementwise | {Ops.NOOP}, name="n"), lambda n: n.op not in GroupOp.Compare and _same(n)),
        (UPat(Ops.CONST, src=(), name="n"), lambda n: n.arg is not None),
        (UPat(Ops.DEFINE_VAR, dtypes.index, (), name="n"), lambda n: n.arg[1] <= n.arg[2]),
        (UPat(Ops.RANGE, dtypes.index, name="n"), lambda n: len(n.src) == 1 and n.src[0].dtype == dtypes.index),
        (UPat((Ops.PARAM, Ops.IOTA, Ops.EMPTY), src=()), lambda: True),
        (UPat(Ops.BUFFER, name="n"), lambda n: [s.op for s in n.src] == [Ops.DEVICE, Ops.UNIQUE]),
        (UPat(_FRAME), lambda: True),
    ]
)

spec_tensor = PatternMatcher(
    [
        (UPat(Ops.INDEX, name="n"), lambda n: n.src[0].dtype == n.dtype and _integers(n.src[1:])),
        (UPat(Ops.SCATTER, name="n"), lambda n: n.src[0].dtype == n.dtype == n.src[1].dtype and _integers(n.src[2:])),
        (UPat(_LIKE_SOURCE, name="n"), lambda n: n.src[0].dtype == n.dtype),
        (UPat(GroupOp.Join, name="n"), lambda n: _same(n)),
    ]
) + spec_shared  # fmt: skip


def _store_ok(n: UOp) -> bool:
    idx = n.src[1 : 1 + n.arg.ndim]
    closed = n.src[n.arg.first_range :]
    gate_ok = not n.arg.gated or n.src[1 + n.arg.ndim].dtype == dtypes.bool_
    return gate_ok and all(i.dtype == dtypes.index for i in idx) and all(r.op is Ops.RANGE for r in closed)


def _read_ok(n: UOp) -> bool:
    buffer, *idx = n.src
    gate_ok = not n.arg or idx.pop().dtype == dtypes.bool_
    return gate_ok and buffer.op in (Ops.BUFFERIZE, Ops.DEFINE_GLOBAL) and all(i.dtype == dtypes.index for i in idx)


spec_ranged = PatternMatcher(
    [
        (UPat(Ops.BUFFERIZE, name="n"), lambda n: len(n.src) > 0 and all(s.op is Ops.STORE for s in n.src)),
        (UPat(Ops.STORE, name="n"), _store_ok),
        (UPat(Ops.INDEX, name="n"), _read_ok),
        (UPat(Ops.REDUCE, name="n"), lambda n: n.src[0].shape == () and all(r.op is Ops.RANGE for r in n.src[1:])),
        (UPat(Ops.SCAN, name="n"), lambda n: n.src[1].op is Ops.RANGE),
        (UPat(Ops.DEFINE_GLOBAL, name="n"), lambda n: n.src[0].op in (Ops.PARAM, Ops.BUFFER)),
        (UPat(_TENSOR_ONLY), lambda: False),
    ]
) + spec_shared  # fmt: skip

STAGES = {"tensor": spec_tensor, "ranged": spec_ranged}


def verify(roots: Iterable[UOp], stage: str, after: str) -> None:
    """Raise SpecError at the first node that is not legal at the stage, naming the pass it came from."""
    table = STAGES[stage]
    for node in toposort(roots):
        if table.rewrite(node) is not True:
            sources = ", ".join(map(repr, node.src))
            raise SpecError(f"after {after}: {node!r} over ({sources}) is not legal at the {stage} stage")


def check(roots: list[UOp], stage: str, after: str) -> list[UOp]:
    """The roots, verified where the setting ``spec`` asks for it."""
    if config.spec:
        verify(roots, stage, after)
    return roots
