"""functrans: composable transforms of NumPy functions, compiled to fused C on the CPU."""

from typing import Any

from functrans import numpy, ops, testing
from functrans.backend.schedule import schedule
from functrans.config import config
from functrans.errors import (
    ArgumentError,
    AxisError,
    CompileError,
    CompilerNotFound,
    ConfigError,
    DtypeError,
    FunctransError,
    FunctransWarning,
    IndexOutOfRange,
    LeakedValueError,
    LinAlgError,
    NanError,
    OutOfMemory,
    ShapeError,
    SparsityError,
    SpecError,
    TracedValueError,
    UnsupportedError,
)
from functrans.ops import AxisType, UOp, dtypes
from functrans.seeing.explain import explain
from functrans.tensor import Tensor
from functrans.tensor import scatter as _scatter
from functrans.tensor.custom_c import custom_c
from functrans.tensor.sparse import SparseMatrix, sparse
from functrans.tensor.variable import Variable
from functrans.trace import ShapeDtype
from functrans.transforms.custom import checkpoint, custom_jvp, custom_vjp, stop_gradient
from functrans.transforms.grad import grad, value_and_grad
from functrans.transforms.jacobians import hessian, hvp, jacfwd, jacrev
from functrans.transforms.jit import jit, make_graph
from functrans.transforms.jvp import jvp
from functrans.transforms.sparse.coloring import Coloring
from functrans.transforms.sparse.function import SparseFunction
from functrans.transforms.sparse.pattern import SparsityPattern
from functrans.transforms.sparse.spjacobian import spjacobian
from functrans.transforms.vjp import linear_transpose, linearize, vjp
from functrans.transforms.vmap import vmap
from functrans.tree import register_pytree

__version__ = "0.1.0"
__all__ = [
    "ArgumentError",
    "AxisError",
    "AxisType",
    "Coloring",
    "CompileError",
    "CompilerNotFound",
    "ConfigError",
    "DtypeError",
    "FunctransError",
    "FunctransWarning",
    "IndexOutOfRange",
    "LeakedValueError",
    "LinAlgError",
    "NanError",
    "OutOfMemory",
    "ShapeDtype",
    "ShapeError",
    "SparseFunction",
    "SparseMatrix",
    "SparsityError",
    "SparsityPattern",
    "SpecError",
    "Tensor",
    "TracedValueError",
    "UOp",
    "UnsupportedError",
    "Variable",
    "checkpoint",
    "config",
    "custom_c",
    "custom_jvp",
    "custom_vjp",
    "dtypes",
    "explain",
    "grad",
    "hessian",
    "hvp",
    "jacfwd",
    "jacrev",
    "jit",
    "jvp",
    "linear_transpose",
    "linearize",
    "make_graph",
    "numpy",
    "ops",
    "register_pytree",
    "schedule",
    "segment_sum",
    "sparse",
    "spjacobian",
    "stop_gradient",
    "testing",
    "value_and_grad",
    "vjp",
    "vmap",
]


def segment_sum(data: Any, segment_ids: Any, num_segments: int | None = None) -> Tensor:
    """The sums of the rows of ``data`` that share a segment: row k of the result is the sum where the id is k.

    ``data`` has shape ``(n, ...)``, ``segment_ids`` is an integer array of shape ``(n,)``; the result has shape
    ``(num_segments, ...)``. An id out of range is dropped. Rows are added in order. Linear in ``data``.

    Raises ShapeError where the lengths differ, and ShapeError or TracedValueError where ``num_segments`` is needed
    and missing.

    >>> import functrans as ft
    >>> ft.segment_sum([1.0, 2.0, 3.0], [0, 1, 0], 2)
    Tensor([4., 2.], dtype=float64)

    Source: semantics of ``jax.ops.segment_sum``.
    """
    return Tensor.from_uop(_scatter.segment_sum(data, segment_ids, num_segments))
