"""functrans: composable transforms of NumPy functions, compiled to fused C on the CPU."""

from functrans import numpy as numpy
from functrans import ops as ops
from functrans.backend.schedule import schedule as schedule
from functrans.config import config as config
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
    NanError,
    OutOfMemory,
    ShapeError,
    SparsityError,
    SpecError,
    TracedValueError,
    UnsupportedError,
)
from functrans.ops import AxisType as AxisType
from functrans.ops import UOp as UOp
from functrans.ops import dtypes as dtypes
from functrans.tensor import Tensor as Tensor
from functrans.trace import ShapeDtype as ShapeDtype
from functrans.transforms.jit import jit as jit
from functrans.transforms.jit import make_graph as make_graph
from functrans.transforms.jvp import jvp as jvp
from functrans.transforms.vmap import vmap as vmap
from functrans.tree import register_pytree as register_pytree

__version__ = "0.1.0"
