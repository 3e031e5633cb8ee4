"""The record of facts about an op: what every engine derives its rules from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from functrans._records import record
from functrans.errors import SpecError, at_user_line
from functrans.ops import uop as _uop
from functrans.ops.axes import Axes
from functrans.ops.enums import Ops
from functrans.ops.uop import Shape, UOp

Partial = Callable[..., UOp]
Indices = tuple[UOp, ...]


@record(eq=False)
class OpDef:
    """Facts about one op. What a kind derives for all its members is left out of their records.

    kind: elementwise, movement, reduce, join, order, host, index, bracket, source, framework, ranged or kernel.
    numpy: the meaning, as ``(node, *source arrays) -> array``.
    partials: for an elementwise op, per source, ``(node, *sources) -> derivative``; None where it is zero
        almost everywhere; the whole field None where the op is linear: its tangent is the op of the tangents
        (the condition of a WHERE kept); empty where the derivative is refused.
    kinds: for an elementwise op, the kinds of dtype its last source may have (see DType.kind).
    ranges: for a movement op, ``(node, indices out) -> (indices in, condition | None)``.
    linear: ``node -> numbers of the sources`` that the op is linear in, all at once: its tangent is the op of theirs;
        of none with an argument that makes it not linear.
    transpose: of an op that is linear, ``(node, cotangent, k) -> cotangent of source k``.
    fill: of a movement op, ``node -> constant`` where no element of the source comes to stand.
    repeats: of a movement op, ``node -> axes`` along which one element of the source is repeated.
    lands: of an op that puts each element of its sources at one place, ``(node, k, indices in source k) -> indices``.
    select: of a join, ``(node, indices) -> (k, indices in source k)``; the index along its axis is a constant.
    places: of a read or an update at arrays of indices, ``node -> these``.
    updates: whether the result is the first source but at some places, and takes its memory.
    reduces: of a reduction over axes, ``node -> (what combines, axes of the source)``.
    runs: of an op whose elements along an axis are decided in order, ``node -> (what is done, axis)``.
    by: of a host op, what computes it.
    together: of a host op whose arg says which part of a decomposition it is, ``(nodes, *source arrays) -> arrays``,
        several parts of one.
    axes: the axes map (movement, join, order, host, and reductions over axes).
    reads, writes: for an op of the kernel stage, the arrays and accumulators that it reads, and those that it changes,
        where it stands.
    """

    op: Ops
    kind: str
    meaning: str
    shape: Callable[[UOp], Shape | None]
    numpy: Callable[..., Any] | None = None
    partials: tuple[Partial | None, ...] | None = None
    ranges: Callable[[UOp, Indices], tuple[Indices, UOp | None]] | None = None
    linear: Callable[[UOp], Sequence[int]] | None = None
    transpose: Callable[[UOp, UOp, int], UOp] | None = None
    fill: Callable[[UOp], UOp] | None = None
    repeats: Callable[[UOp], tuple[int, ...]] | None = None
    lands: Callable[[UOp, int, Indices], Indices] | None = None
    select: Callable[[UOp, Indices], tuple[int, Indices]] | None = None
    places: Callable[[UOp], Sequence[UOp]] | None = None
    updates: bool = False
    reduces: Callable[[UOp], tuple[Ops, tuple[int, ...]]] | None = None
    runs: Callable[[UOp], tuple[Ops, int]] | None = None
    axes: Axes | None = None
    closes: Callable[[UOp], Iterable[UOp]] | None = None
    reads: Callable[[UOp], Iterable[UOp]] | None = None
    writes: Callable[[UOp], Iterable[UOp]] | None = None
    check: Callable[[UOp], str | None] | None = None  # what is wrong with the node, or None
    typed: Callable[[UOp], bool] | None = None  # of an op of tensors alone: whether its dtypes agree
    kinds: str = "biufcx"
    by: str = "NumPy"
    together: Callable[..., Sequence[Any]] | None = None


TABLE: dict[Ops, OpDef] = {}


def register(record: OpDef) -> OpDef:
    """Enter a record; each op has one."""
    if record.op in TABLE:
        raise SpecError(f"{record.op!r} has a record already")
    TABLE[record.op] = record
    if record.closes is not None:
        _uop.closed_rule[record.op] = record.closes
    _uop.shape_rule[record.op] = record.shape if record.check is None else _checked(record.check, record.shape)
    return record


def _checked(check: Callable[[UOp], str | None], shape: Callable[[UOp], Shape | None]) -> Callable[[UOp], Shape | None]:
    """The shape of a node that is checked first."""

    def rule(node: UOp) -> Shape | None:
        wrong = check(node)
        if wrong is not None:
            raise SpecError(f"{node.op.name}: {wrong}{at_user_line()}")
        return shape(node)

    return rule


def opdef(node: UOp) -> OpDef:
    """The record of a node's op."""
    return TABLE[node.op]


def is_host(node: UOp) -> bool:
    """Whether the node is computed between kernels."""
    return TABLE[node.op].kind == "host"


def ops_that(has: Callable[[OpDef], object]) -> frozenset[Ops]:
    """The ops whose records have a fact."""
    return frozenset(op for op, record in TABLE.items() if has(record))


def closed_by(node: UOp) -> Iterable[UOp]:
    """The RANGEs that a node closes."""
    closes = TABLE[node.op].closes
    return () if closes is None else closes(node)


def read_by(node: UOp) -> Iterable[UOp]:
    """The arrays that a statement of the kernel stage reads."""
    reads = TABLE[node.op].reads
    return () if reads is None else reads(node)


def written_by(node: UOp) -> Iterable[UOp]:
    """The arrays and accumulators that a statement of the kernel stage changes."""
    writes = TABLE[node.op].writes
    return () if writes is None else writes(node)


def first(node: UOp) -> Sequence[int]:
    """Linear in the first source."""
    return (0,)


def every(node: UOp) -> Sequence[int]:
    """Linear in all sources together."""
    return range(len(node.src))


def second(node: UOp) -> Sequence[int]:
    """Linear in the second source."""
    return (1,)


def like_first(node: UOp) -> bool:
    """Of the dtype of the first source."""
    return node.src[0].dtype == node.dtype


def like_first_or_real(node: UOp) -> bool:
    """Of the dtype of the first source, or of the real part of such a number, which has half the bytes."""
    given, real = node.src[0].dtype, node.dtype.kind == "f"
    return node.dtype == given or (given.kind == "c" and real and 2 * node.dtype.itemsize == given.itemsize)


def like_all(node: UOp) -> bool:
    """Of the dtype of all sources."""
    return all(s.dtype == node.dtype for s in node.src)


def same_shape(node: UOp) -> Shape | None:
    """The shape of the first source."""
    return node.src[0].shape


def no_shape(node: UOp) -> Shape | None:
    """None: the node stands for no array."""
    return None


def scalar_shape(node: UOp) -> Shape | None:
    """Of one element."""
    return ()
