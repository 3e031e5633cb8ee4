"""Systems with sparse matrices in bodies of loops and branches, as ROUTINEs that share factors."""

from __future__ import annotations

from collections.abc import Sequence

from functrans import dtypes
from functrans.backend.dense.routines import made
from functrans.ops import build as B
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.routines import Kind, Routine
from functrans.ops.sparse_pattern import Symbolic
from functrans.ops.sparse_systems import NEGATIVE
from functrans.ops.uop import UOp


def apart(order: Sequence[UOp]) -> set[UOp]:
    """Of these the solutions that find their factors on the way: nothing else in the body reads these, or reading them
    takes as long.
    """
    readers: dict[UOp, int] = {}
    for u in order:
        for s in u.src:
            readers[s] = readers.get(s, 0) + (u.op in GroupOp.SparseSystem)
    return {u for u in order if u.op is Ops.SPSOLVE and len(u.src) == 3 and _is_apart(u, readers)}


def _is_apart(node: UOp, readers: dict[UOp, int]) -> bool:
    values, factored, _ = node.src
    s: Symbolic = node.arg.symbolic
    if s.definite:
        return False  # whose factors are refused by themselves
    own = factored.op is Ops.SPFACTOR and factored.src[0] is values
    return own and (s.is_light or readers[factored] == 1)


def by_routines(node: UOp) -> tuple[UOp, UOp | None]:
    """An op of a lane, and whether the matrix is refused."""
    if node.op is Ops.SPSOLVE:
        return _solution(node)
    s: Symbolic = node.arg.symbolic if node.op is Ops.SPSLOGDET else node.arg
    if node.op is Ops.SPSLOGDET:
        ones = B.full((s.n,), dtypes.float64, 1)
        pivots, sign, negative, flag = made((*node.src, ones), Routine(Kind.SPARSE_PIVOTS, s.n, 1, symbolic=s))
        if node.arg.part != 1:
            return (negative if node.arg.part == NEGATIVE else sign), flag
        return B.neg(B.reduce_axis(B.alu(Ops.LOG, B.alu(Ops.ABS, pivots)), Ops.ADD, (0,))), flag
    kind = Kind.SPARSE_FACTOR if node.op is Ops.SPFACTOR else Kind.SPARSE_INVERSE
    filled = B.full(node.sized, dtypes.float64, 0)
    found, flag = made((*node.src, filled), Routine(kind, s.n, symbolic=s))
    return found, None if node.op is Ops.SPFACTOR and not s.definite else flag  # a flag is read: so it is computed


def _solution(node: UOp) -> tuple[UOp, UOp]:
    n, m = node.src[-1].sized
    kind = Kind.SPARSE if len(node.src) == 2 else Kind.SPARSE_SOLVE
    routine = Routine(kind, n, m, transposed=node.arg.turned, symbolic=node.arg.symbolic)
    x, flag = made(node.src, routine)
    return x, flag
