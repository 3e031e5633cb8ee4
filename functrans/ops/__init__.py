"""The language: nodes, ops and their records, patterns, the rewrite engine, the reference interpreter."""

from functrans import dtypes as dtypes
from functrans.ops import (
    c_text,
    custom,
    elementwise,
    fourier,
    indexing,
    kernel,
    linalg,
    loops,
    movement,
    order,
    placement,
    reduce,
    source,
    sparse_systems,
    store,
    vmap,
)
from functrans.ops import index_operators as index_operators
from functrans.ops import window as window
from functrans.ops.enums import AxisType as AxisType
from functrans.ops.enums import GroupOp as GroupOp
from functrans.ops.enums import Ops as Ops
from functrans.ops.uop import UOp as UOp
from functrans.ops.upat import PatternMatcher as PatternMatcher
from functrans.ops.upat import UPat as UPat

FAMILIES = (
    source, custom, elementwise, c_text, movement, reduce, order, linalg, loops, fourier, indexing, vmap, placement,
    store, kernel, sparse_systems,
)  # fmt: skip
