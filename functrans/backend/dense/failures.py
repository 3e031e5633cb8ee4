"""Results with matrices that have no factors: the error that says which one."""

from __future__ import annotations

import numpy as np

from functrans.backend.memory import Array
from functrans.config import config
from functrans.ops.enums import GroupOp
from functrans.ops.failure import raises
from functrans.ops.linalg import refused
from functrans.ops.sparse_systems import refused as refused_sparse
from functrans.ops.uop import UOp


def check_flag(op: UOp, flag: Array) -> None:
    """Raise for the first lane whose flag is set; for a matrix unless ``config.linalg_errors`` asks for NaN."""
    if flag.any() and (raises(op) or config.linalg_errors == "raise"):
        if op.op in GroupOp.SparseSystem:
            raise refused_sparse(op, flag, "; in a loop or branch, pivots are those that the pattern suggests")
        where = tuple(int(i) for i in np.unravel_index(int(flag.argmax()), flag.shape))
        raise op.arg.error(where) if raises(op) else refused(op, where)
