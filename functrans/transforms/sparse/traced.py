"""The function of a problem on placeholders, its result apart from aux, and the dtype of its derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from functrans import dtypes, tree
from functrans.dtypes import DType
from functrans.errors import ArgumentError, at_user_line
from functrans.ops.uop import UOp
from functrans.trace import results, traced


def run(f: Callable[..., Any], treedef: tree.TreeDef, params: Sequence[UOp], name: str) -> Any:
    """The nodes that f leaves on placeholders, and the structure of its result."""
    args, kwargs = treedef.unflatten([traced(p) for p in params])
    return results(f(*args, **kwargs), name)


def split_aux(out_tree: tree.TreeDef, has_aux: bool, name: str) -> tuple[tree.TreeDef, tree.TreeDef]:
    """The structure of the result and that of aux, which comes after it."""
    if not has_aux:
        return out_tree, tree.TreeDef(tuple)
    if out_tree.kind is not tuple or len(out_tree.children) != 2:
        raise ArgumentError(f"with has_aux=True {name} must return (result, aux){at_user_line()}")
    return out_tree.children[0], out_tree.children[1]


def value_dtype(outputs: Sequence[UOp]) -> DType:
    """The dtype of the nonzeros: what the outputs that have a derivative promote to."""
    kinds = [o.dtype.numpy for o in outputs if dtypes.is_inexact(o.dtype)]
    return dtypes.from_numpy(np.result_type(*kinds)) if kinds else dtypes.float64
