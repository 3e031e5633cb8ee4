"""The kernel stage: a list of nodes that are executed one after the other, each where it stands.

Every source of a node stands before it, in a loop or condition that is still open. RANGE and IF open, ENDRANGE and
ENDIF close. A node may stand in the list more than once: it is then executed more than once.
"""

from __future__ import annotations

from functrans import dtypes
from functrans._records import record
from functrans.dtypes import DType
from functrans.errors import SpecError
from functrans.ops.enums import Ops
from functrans.ops.opdef import TABLE, OpDef, no_shape, register, scalar_shape
from functrans.ops.uop import UOp


@record
class GlobalArg:
    """An array that a kernel is given: its name in the kernel, and whether the kernel writes it."""

    name: str
    written: bool


@record
class LocalArg:
    """A local array: its number, its elements, and its byte offset in scratch memory if it is not on the stack.

    ``shared``: others may lie in the same bytes, at other times.
    """

    number: int
    elements: int
    offset: int | None = None
    shared: bool = False


@record
class TileArg:
    """How many rows and columns of sums one tile has. ``packed``: the columns of a tile stand together in memory, apart
    from those of the next. ``adds``: the sums are added to what is there. ``lanes``: so many of the
    columns are a vector. ``symmetric``: the sum of row i and column j is that of row j and column i. ``near``: the
    kernel itself puts the columns together, a block of terms at a time.
    """

    rows: int
    columns: int
    packed: bool = False
    adds: bool = True
    lanes: int = 1
    symmetric: bool = False
    near: bool = False


@record
class Call:
    """A function of rows of numbers, each with a place for every lane. ``results`` are what it computes of one lane,
    over parameters that ``row_of`` and ``number_of`` make. ``rows`` says which rows it fills, one for each result, and
    then which it is given; ``numbers`` what it is given besides. The rows it fills are none of those it is given.
    """

    results: tuple[UOp, ...]
    rows: tuple[int, ...]
    numbers: tuple[float, ...] = ()


@record
class CallsArg:
    """Calls one after the other, on rows of so many places."""

    width: int
    calls: tuple[Call, ...]

    def __repr__(self) -> str:
        return f"{len(self.calls)} calls of {len({c.results for c in self.calls})} functions, rows of {self.width}"


FOLDED = frozenset({Ops.ADD, Ops.MUL, Ops.MAX, Ops.MIN})
"""By what a FOLD combines."""


def row_of(k: int, dtype: DType) -> UOp:
    """What stands for a lane's number in row k of those that a function is given."""
    return UOp(Ops.PARAM, dtype, (), (("row", k), ()))


def number_of(k: int, dtype: DType) -> UOp:
    """What stands for number k of those that a function is given."""
    return UOp(Ops.PARAM, dtype, (), (("number", k), ()))


register(OpDef(Ops.NAME, "framework", "a name in the C text", no_shape))
register(OpDef(Ops.DEFINE_LOCAL, "kernel", "an array that lives as long as the loop around it", no_shape))
register(OpDef(Ops.DEFINE_ACC, "kernel", "an accumulator that starts from its source", scalar_shape))
register(OpDef(Ops.LOAD, "kernel", "what is at an INDEX; an alternative where its gate is false", scalar_shape,
               reads=lambda n: n.src[0].src[:1]))  # fmt: skip
register(OpDef(Ops.WMMA, "kernel", "sums of products over the RANGEs that follow two factors, a row's and a column's "
               "RANGE; a tile of such sums", lambda n: None if n.dtype.kind == "v" else (),
               closes=lambda n: () if n.dtype.kind == "v" else n.src[4:],
               reads=lambda n: [s.src[0] for s in n.src[:3]], writes=lambda n: n.src[0].src[:1]))  # fmt: skip
register(OpDef(Ops.CALLS, "kernel", "functions of rows of local arrays, one for each dtype, for as many lanes as the "
               "first source says", no_shape, reads=lambda n: n.src[1:], writes=lambda n: n.src[1:]))  # fmt: skip
register(OpDef(Ops.FOLD, "kernel", "the elements of a local array, as many as a power of two, in one: its halves are "
               "combined by the op that is its argument until one is left", scalar_shape,
               reads=lambda n: n.src))  # fmt: skip
register(OpDef(Ops.ENDRANGE, "kernel", "the end of the loop of a RANGE", no_shape))
register(OpDef(Ops.IF, "kernel", "up to its ENDIF only where the condition holds", no_shape))
register(OpDef(Ops.ENDIF, "kernel", "the end of an IF", no_shape))


def acts(node: UOp) -> bool:
    """Whether a statement is there for what it does: it changes something, or decides whether others are executed."""
    return node.op in (Ops.IF, Ops.ENDIF) or TABLE[node.op].writes is not None


def is_helper(node: UOp) -> bool:
    """Whether a statement works on whole arrays, or parts of them, by a function of its own."""
    return node.op is not Ops.STORE and node.dtype == dtypes.void and TABLE[node.op].writes is not None


def is_bound(node: UOp) -> bool:
    """Whether a statement has a name that is declared once, stands in a scope of its own, or opens one."""
    return node.op in (Ops.DEFINE_LOCAL, Ops.IF) or is_helper(node)


_CLOSED_BY = {Ops.RANGE: Ops.ENDRANGE, Ops.IF: Ops.ENDIF}


def closing(uops: list[UOp]) -> dict[int, int]:
    """For each position of a RANGE or IF that of its end, and back.

    Raises SpecError where a node stands before one of its sources, or after the scope of it is closed, and where
    scopes do not nest.
    """
    ends: dict[int, int] = {}
    scopes: list[tuple[int, set[UOp]]] = [(-1, set())]
    seen: dict[UOp, int] = {}  # how many open scopes have it
    for k, u in enumerate(uops):
        # a SINK names the stores of results wherever they stand
        missing = None if u.op is Ops.SINK else next((s for s in u.src if not seen.get(s)), None)
        if missing is not None:
            raise SpecError(f"statement {k}, {u!r}: its source {missing!r} is not known there")
        if u.op in (Ops.ENDRANGE, Ops.ENDIF):
            start, inside = scopes.pop()
            if start < 0 or uops[start] is not u.src[0] or _CLOSED_BY[u.src[0].op] is not u.op:
                raise SpecError(f"statement {k}, {u!r}: it does not close the innermost scope")
            ends[start], ends[k] = k, start
            for node in inside:
                seen[node] -= 1
            continue
        if u.op in _CLOSED_BY:
            if any(start >= 0 and uops[start] is u for start, _ in scopes):
                raise SpecError(f"statement {k}, {u!r}: it is open already")
            scopes.append((k, set()))
        if u not in scopes[-1][1]:
            scopes[-1][1].add(u)
            seen[u] = seen.get(u, 0) + 1
    if len(scopes) > 1:
        raise SpecError(f"statement {scopes[-1][0]}, {uops[scopes[-1][0]]!r}: it is never closed")
    return ends


def listing(uops: list[UOp]) -> str:
    """The list as text, a line a statement, indented by what is open around it."""
    lines, depth = [], 0
    number: dict[UOp, int] = {}
    for k, u in enumerate(uops):
        depth -= u.op in (Ops.ENDRANGE, Ops.ENDIF)
        sources = ", ".join(f"%{number[s]}" for s in u.src)
        arg = "" if u.arg is None else f" {u.arg!r}"
        lines.append(f"{k:4} {'  ' * depth}{u.op.name} {u.dtype.name} ({sources}){arg}")
        number[u] = k
        depth += u.op in _CLOSED_BY
    return "\n".join(lines)
