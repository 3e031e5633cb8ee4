"""Which matrices are small enough to be written out, by the statements that they become."""

from __future__ import annotations

from functrans import dtypes
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

MAX_STATEMENTS = 1000  # of one matrix: about a second of the compiler
MAX_ALL = 6000  # of a graph
MAX_SPARSE = 3000  # of a sparse system in a body, where there is no other way: up to 8 s
_DTYPES = frozenset({dtypes.float32, dtypes.float64})
_OPS = frozenset({Ops.SOLVE, Ops.CHOLESKY, Ops.DET, Ops.SLOGDET})


def statements(node: UOp) -> int | None:
    """About how many statements an op on matrices becomes; None of one that has no expansion."""
    if node.op not in _OPS or node.src[0].dtype not in _DTYPES:
        return None
    n = node.src[0].sized[-1]
    if node.op is Ops.CHOLESKY:
        return n * (n + 1) * (n + 2) // 3 + n * n
    k = node.src[1].sized[-1] if node.op is Ops.SOLVE else 0
    return sum((n - j - 1) * (4 + 4 * (n - j - 1 + k)) + 6 for j in range(n)) + n * n * k
