"""functrans: composable transforms of NumPy functions, compiled to fused C on the CPU."""

from typing import TYPE_CHECKING

from functrans import _sources as _sources  # notes when the import began
from functrans._lazy import attributes
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
    IntegerOutOfRange,
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

if TYPE_CHECKING:
    from functrans import dtypes, numpy, ops, testing
    from functrans._public import *
else:
    # all else is two hundred modules, loaded when something of them is first used
    __getattr__ = attributes(__name__, "_public", ("dtypes", "numpy", "ops", "testing"))

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
    "IntegerOutOfRange",
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
    "lagrangian_hessian",
    "linear_transpose",
    "linearize",
    "make_graph",
    "nlp",
    "numpy",
    "ops",
    "register_pytree",
    "schedule",
    "segment_sum",
    "sparse",
    "sphessian",
    "spjacobian",
    "stop_gradient",
    "testing",
    "value_and_grad",
    "vjp",
    "vmap",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
