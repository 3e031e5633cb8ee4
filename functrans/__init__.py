"""functrans: composable transforms of NumPy functions, compiled to fused C on the CPU."""

from typing import TYPE_CHECKING

from functrans import _sources as _sources  # notes when the import began
from functrans._lazy import attributes
from functrans.config import config
from functrans.errors import (
    ArgumentError,
    ArgumentValueError,
    AxisError,
    CompileError,
    CompilerNotFound,
    ConfigError,
    ConvergenceError,
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
    WeightsError,
)

if TYPE_CHECKING:
    from functrans import dask, dtypes, implicit, jax, numpy, ode, ops, scipy, testing, tree
    from functrans._public import *
else:
    # all else is three hundred modules, loaded when something of them is first used; the names that most programs
    # read first without those of the others. What NumPy's functions do on Tensors is there before any of them.
    _HOMES = {
        "ShapeDtype": "trace",
        "Tensor": "tensor",
        "Variable": "tensor.variable",
        "grad": "transforms.grad",
        "jit": "transforms.jit",
        "jvp": "transforms.jvp",
        "linearize": "transforms.vjp",
        "make_graph": "transforms.jit",
        "value_and_grad": "transforms.grad",
        "vjp": "transforms.vjp",
        "vmap": "transforms.vmap",
    }
    _MODULES = ("dask", "dtypes", "implicit", "jax", "numpy", "ode", "ops", "scipy", "testing", "tree")
    __getattr__ = attributes(__name__, "_public", _MODULES, _HOMES, before="numpy")

__version__ = "0.2.0"
__all__ = [
    "ArgumentError",
    "ArgumentValueError",
    "AxisError",
    "AxisType",
    "Coloring",
    "CompileError",
    "CompilerNotFound",
    "ConfigError",
    "ConvergenceError",
    "DtypeError",
    "Exported",
    "Factor",
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
    "SymbolicZero",
    "Tensor",
    "TracedValueError",
    "UOp",
    "UnsupportedError",
    "Variable",
    "WeightsError",
    "associative_scan",
    "at",
    "checkpoint",
    "cond",
    "config",
    "custom_c",
    "custom_jvp",
    "custom_vjp",
    "dask",
    "dtypes",
    "explain",
    "export_c",
    "fori_loop",
    "grad",
    "hessian",
    "hvp",
    "implicit",
    "jacfwd",
    "jacrev",
    "jax",
    "jit",
    "jvp",
    "lagrangian_hessian",
    "linear_transpose",
    "linearize",
    "load_c",
    "make_graph",
    "map",
    "nlp",
    "numpy",
    "ode",
    "ops",
    "register_pytree",
    "scan",
    "schedule",
    "scipy",
    "segment_sum",
    "sparse",
    "sphessian",
    "spjacobian",
    "spsolve",
    "stop_gradient",
    "switch",
    "testing",
    "tree",
    "value_and_grad",
    "vjp",
    "vmap",
    "while_loop",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
