"""Which matrices are small enough to be written out, by the statements that they become, and which for routines."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from functrans import dtypes
from functrans.backend.codegen.vectors.target import target
from functrans.backend.dense import rotation
from functrans.backend.policy import (
    L1_BYTES,
    L2_BYTES,
    LANE_ROUNDS,
    LOOP_STATEMENTS,
    SHORT_ROUNDS,
    SMALL_ARRAY,
    SUM_ROUNDS,
)
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.failure import raises
from functrans.ops.loops import regions
from functrans.ops.routines import Kind, Routine
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent

MAX_ALL = 6000  # of a graph
MOST = 2 * LOOP_STATEMENTS
"""Statements of a matrix that is written out: a third of a second of the compiler, two thirds of the time of loops."""
_DTYPES = frozenset({dtypes.float32, dtypes.float64})
_OPS = frozenset({Ops.SOLVE, Ops.CHOLESKY, Ops.DET, Ops.SLOGDET, Ops.TRIANGULAR, Ops.EIGH})
_MATRICES = frozenset({Ops.SOLVE, Ops.CHOLESKY, Ops.TRIANGULAR})
_DETERMINANTS = frozenset({Ops.DET, Ops.SLOGDET})
_PLANES = _DETERMINANTS | {Ops.SOLVE, Ops.CHOLESKY}
_ELIMINATED = _PLANES | {Ops.TRIANGULAR}
_SUBSTITUTED = frozenset({Kind.AFTER_LU, Kind.TRIANGULAR})
_RIGHT = _SUBSTITUTED | {Kind.SOLVE}
_BANDS = frozenset({Ops.BANDED, Ops.POSITIVE})
_SINGULAR = frozenset({Ops.SVD, Ops.PINV})
_ROUTINES = _OPS | _BANDS | _SINGULAR | {Ops.ADJUGATE, Ops.QR}


def statements(node: UOp) -> int | None:
    """About how many statements an op on matrices becomes; None of one that has no expansion.

    Nor has one whose matrix or result is too large for an array of a lane: a kernel would write out one at a time.
    """
    if node.op not in _OPS or node.src[0].dtype not in _DTYPES:
        return None
    if node.op in _MATRICES and max(prod(x.sized[-2:]) for x in (node, node.src[0])) > SMALL_ARRAY:
        return None
    n = node.src[0].sized[-1]
    if node.op is Ops.EIGH:
        return rotation.STATEMENTS if n == 2 else None
    if node.op is Ops.CHOLESKY:
        return n * (n + 1) * (n + 2) // 3 + n * n
    if node.op is Ops.TRIANGULAR:
        return n * n * node.src[1].sized[-1] + 8 * n
    return eliminating((node,))


def eliminating(nodes: Sequence[UOp]) -> int:
    """About how many statements the elimination of one matrix becomes that solutions and determinants read."""
    n, k = nodes[0].src[0].sized[-1], sum(u.src[1].sized[-1] for u in nodes if u.op is Ops.SOLVE)
    return sum((n - j - 1) * (4 + 4 * (n - j - 1 + k)) + 6 for j in range(n)) + n * n * k


def is_routine(node: UOp, inside: bool, shares: bool) -> bool:
    """Whether an op is a routine in a kernel, ``inside`` of a loop or branch or not.

    One that ``shares`` its work with others does that once there, and once as a step of LAPACK.
    """
    if is_by_planes(node):
        return inside
    if is_in_planes(node):
        return inside or max(k for s in node.src for k in s.sized[-2:]) <= LANE_ROUNDS * _of_planes(node)
    if node.op not in _ROUTINES or node.src[0].dtype not in _DTYPES:
        return False
    sizes = [k for s in node.src for k in s.sized[-2:]]
    if inside or node.op in _BANDS or is_eliminated_here(node):
        return True
    least = node.op in _SINGULAR and _is_near(node)
    return (min if least else max)(sizes) <= LANE_ROUNDS * _part_of_rows(node, shares)


def _is_near(node: UOp) -> bool:
    """Whether a matrix, or those of a vector's lanes, lie in a cache."""
    elements = prod(node.src[0].sized[-2:])
    return 8 * elements <= L1_BYTES if _matrices(node) < 4 else target().bytes * elements <= 2 * L2_BYTES


def is_eliminated_here(node: UOp) -> bool:
    """Whether panels of a matrix are eliminated in kernels: nothing of it is packed, so it is to lie in a cache. A
    triangular system of float32 is LAPACK's, in vectors of twice as many numbers.
    """
    n = node.src[0].sized[-1]
    if node.op is Ops.TRIANGULAR and node.dtype is dtypes.float32 and n > LANE_ROUNDS:
        return n * node.sized[-1] * 8 <= L1_BYTES
    return node.op in _ELIMINATED and n * n * 8 <= 2 * L2_BYTES


def _part_of_rows(node: UOp, shares: bool) -> float:
    """Of `LANE_ROUNDS` the part up to which LAPACK, one matrix at a time, is not faster: less where few lanes have
    something to do, and where no vectors are asked for, which are most of its work.
    """
    matrices = _matrices(node)
    if node.op is Ops.SVD and not shares and 2 * matrices > target().bytes // 8:
        return _filled(matrices)
    if node.op in _SINGULAR:
        most = 1.0 if node.op is Ops.PINV else 0.8 if shares else 0.4
        return most if matrices >= 4 else 0.4
    return 0.5 if matrices < 4 and node.op is Ops.EIGH else _of_lanes(matrices)


def _matrices(node: UOp) -> int:
    """How many matrices an op is for."""
    return prod(node.src[0].sized[:-2]) * prod(extent(r) for r in node.free_ranges)


def _of_lanes(matrices: int) -> float:
    return 1.0 if matrices < 4 else 1.4


def _of_planes(node: UOp) -> float:
    """As `_part_of_rows`, of complex matrices."""
    matrices = _matrices(node)
    return _filled(matrices) if 2 * matrices > target().bytes // 8 else 0.5


def _filled(matrices: int) -> float:
    """As `_part_of_rows`, less where some of a vector's lanes have no matrix."""
    lanes = target().bytes // 8
    return 1.4 * matrices / (lanes * -(-matrices // lanes))


def is_by_panels(routine: Routine, matrices: int, inside: bool) -> bool:
    """Whether panels of a matrix fill vectors better than lanes, one for each of so many matrices, do.

    Bodies, ``inside`` of a loop, have no lanes whose axes are long. Elsewhere lanes that lie in a cache are better, if
    most of a vector's have a matrix.
    """
    n, m = routine.rows, routine.columns if routine.kind in _RIGHT else 0
    if n > LANE_ROUNDS * (1.0 if inside else _of_lanes(matrices)):
        return True
    if matrices < 4 or (inside and m > LANE_ROUNDS):
        return n + m > SUM_ROUNDS and 2 * n * (n + m) > SUM_ROUNDS**2
    if n < SUM_ROUNDS or m <= LANE_ROUNDS:
        return False
    lanes = target().bytes // 8
    return 2 * matrices <= lanes or (routine.kind in _SUBSTITUTED and 8 * lanes * n * m > L2_BYTES)


def is_by_two_diagonals(node: UOp) -> bool:
    """Whether singular values alone are sooner found by reflections to two diagonals than by turning pairs of rows."""
    return min(node.src[0].sized[-2:]) > SHORT_ROUNDS


def has_dense(roots: Sequence[UOp], inside: bool | None = None) -> bool:
    """Whether a graph, or a body of its loops, has ops on matrices that become others. Linear in the graph."""
    inside = not target().hosted if inside is None else inside
    order = toposort(roots)
    if any(is_small(u, inside) or raises(u) or _is_routine(u, inside) or _is_changed(u, inside) for u in order):
        return True
    return any(has_dense(f.outputs, True) for u in regions(order) for f in u.arg.functions)


def _is_routine(node: UOp, inside: bool) -> bool:
    return is_routine(node, inside, True) or is_routine(node, inside, False)


def _is_changed(node: UOp, inside: bool) -> bool:
    return node.op is Ops.ROUTINE or (inside and (is_sparse(node) or is_composed(node)))


def is_composed(node: UOp) -> bool:
    """Whether bodies compute an op on matrices by other ops."""
    is_complex = node.op in _ROUTINES and node.src[0].dtype.kind == "c"
    return node.op is Ops.ADJUGATE_ALONG or (is_complex and not (is_by_planes(node) or is_in_planes(node)))


def is_by_planes(node: UOp) -> bool:
    """Whether it is a complex system that is as large as a real one of which panels are eliminated."""
    return node.op is Ops.SOLVE and node.src[0].dtype.kind == "c" and not is_in_planes(node)


def is_in_planes(node: UOp) -> bool:
    """Whether it is an op on complex matrices that are eliminated in planes, side by side."""
    if node.op not in _PLANES or node.src[0].dtype.kind != "c":
        return False
    return node.op in _DETERMINANTS or node.src[0].sized[-1] <= LANE_ROUNDS * _of_planes(node)


def is_sparse(node: UOp) -> bool:
    """Whether it is an op on a sparse matrix that is not empty."""
    return node.op in GroupOp.SparseSystem and node.size > 0 and node.src[0].size > 0


def is_small(node: UOp, inside: bool = False) -> bool:
    """Whether an op on matrices is written out; ``inside`` of a loop or branch, which has more to do, at half."""
    count = statements(node)
    most = LOOP_STATEMENTS if inside else MOST
    # a routine of float32 computes in float64, with half as many lanes
    return count is not None and count <= most * 8 // node.src[0].dtype.itemsize
