"""Coefficients that read no argument, as numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans.dtypes import DType
from functrans.ops import build as B
from functrans.ops.interpret import interpret
from functrans.ops.source import buffer
from functrans.ops.uop import UOp, toposort
from functrans.transforms.sparse.direct.values import Values


def numbers(coefficient: UOp, size: int, values: Values, dtype: DType) -> NDArray[Any]:
    """The value at each of ``size`` elements of the coefficient's index space."""
    read = {u: values.leaves[u] for u in toposort((coefficient,)) if u in values.leaves}
    arrays = interpret([source for source, _ in read.values()])
    new = {u: buffer(a.reshape(-1)[table.at]) for u, a, (_, table) in zip(read, arrays, read.values(), strict=True)}
    for u in toposort((coefficient,)):
        if u not in new:
            new[u] = u.replace(tuple(new[s] for s in u.src)) if u.src else B.broadcast(u, (size,))
    return np.broadcast_to(interpret([new[coefficient]])[0].astype(dtype.numpy), (size,))
