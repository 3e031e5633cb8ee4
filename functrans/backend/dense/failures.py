"""Results with matrices that have no factors: the error that says which one."""

from __future__ import annotations

import numpy as np

from functrans.backend.memory import Array
from functrans.config import config
from functrans.ops.enums import Ops
from functrans.ops.linalg import refused
from functrans.ops.sparse_systems import singular
from functrans.ops.uop import UOp


def check_flag(op: UOp, flag: Array) -> None:
    """Raise LinAlgError for the first matrix whose flag is set, unless ``config.linalg_errors`` asks for NaN."""
    if flag.any() and config.linalg_errors == "raise":
        if op.op is Ops.SPSOLVE:
            raise singular(op, flag, "; in a loop or branch, pivots are those that the pattern suggests")
        raise refused(op, tuple(int(i) for i in np.unravel_index(int(flag.argmax()), flag.shape)))
