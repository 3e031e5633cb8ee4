"""Data intake: whatever a user hands over as a node, and operands brought to one dtype and one shape."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, TypeGuard

import numpy as np

from functrans import dtypes
from functrans.dtypes import DType
from functrans.errors import ArgumentError, DtypeError, IntegerOutOfRange, ShapeError, UnsupportedError, at_user_line
from functrans.ops import build as B
from functrans.ops.source import buffer
from functrans.ops.uop import Shape, UOp
from functrans.ops.weak import is_weak_node
from functrans.tensor.affine import is_run_time
from functrans.tensor.constants import interned
from functrans.tensor.handle import place
from functrans.tensor.mapped import mapped

Weak = bool | int | float | complex
Array = np.ndarray[Any, Any]


def node_of(x: Any) -> UOp | None:
    """The node of a Tensor (or the node itself); None for anything else."""
    found = getattr(x, "uop", x)
    return found if isinstance(found, UOp) else None


def is_weak(x: Any) -> TypeGuard[Weak]:
    """Whether x is a Python number, whose dtype gives way to that of arrays (NumPy scalars are none)."""
    kind = type(x)
    return kind is float or kind is int or (isinstance(x, (int, float, complex)) and not isinstance(x, np.generic))


def lift(x: Any, dtype: DType | None = None) -> UOp:
    """The node of a Tensor, array, nested sequence or number; arrays are copied, scalars become constants.

    Raises
    ------
    DtypeError
        Elements that are no bool, integer, float or complex number of at most 128 bits.
    ArgumentError
        A sequence that holds Tensors.
    ShapeError
        A nested sequence whose rows have different lengths.
    """
    node = node_of(x)
    if node is not None:
        return node if dtype is None else B.cast(node, dtype)
    if is_weak(x):
        return constant_of(x, dtype or weak_dtype(x))
    if isinstance(x, np.generic):
        own = constant_of(x.item(), checked(x.dtype, x)) if x.dtype.kind in "biufc" else lift_array(np.asarray(x))
        return own if dtype is None else B.cast(own, dtype)
    if isinstance(x, (list, tuple)) and holds_tensor(x):
        raise ArgumentError(
            f"a {type(x).__name__} that holds Tensors stands where an array is expected{at_user_line()}; "
            "join them with fnp.stack([...]) or fnp.array([...])"
        )
    own = lift_array(x)
    return own if dtype is None else B.cast(own, dtype)


def lifted(args: Sequence[Any]) -> list[Any]:
    """The nodes of operands, of which something new is made; Python numbers stay what they are.

    What a traced function meets again is one node: arrays beside its Tensors that have equal contents.
    """
    shared = place.now is not None and not all(is_weak(x) or type(x) is np.ndarray for x in args)
    return [x if type(x) is UOp or is_weak(x) else (_shared if shared else lift)(x) for x in args]


def nodes_of(*args: Any) -> list[UOp]:
    """The nodes of operands, Python numbers among them."""
    return [lift(x) for x in lifted(args)]


def _shared(x: Any) -> UOp:
    if type(x) is not np.ndarray:
        return lift(x)
    return interned(np.ascontiguousarray(x, checked(x.dtype, x).numpy).reshape(x.shape))


def holds_tensor(x: Any) -> bool:
    """Whether a nested sequence holds a Tensor."""
    if isinstance(x, (list, tuple)):
        return any(map(holds_tensor, x))
    return node_of(x) is not None


def lift_array(x: Any) -> UOp:
    """Anything NumPy makes an array of, copied into a buffer in the byte order of this machine.

    A memory-mapped array whose elements lie in order stays in its file.
    """
    if isinstance(x, np.ma.MaskedArray):
        raise UnsupportedError(
            f"a masked array is given{at_user_line()}; masks are not tracked: pass x.filled(value), or the data "
            "and the mask and use fnp.where"
        )
    if hasattr(x, "tocsr"):
        raise UnsupportedError(
            f"a SciPy sparse matrix of shape {x.shape} stands where an array is expected{at_user_line()}; for products "
            "with a constant sparse matrix write ft.sparse(A) @ x or x @ ft.sparse(A)"
        )
    if isinstance(x, np.memmap):
        node = mapped(x)
        if node is not None:
            return node
    try:
        given = np.asarray(x)
    except ValueError as error:
        raise ShapeError(
            f"a {type(x).__name__} does not make an array{at_user_line()}: {error}; expected rows of equal length"
        ) from error
    dtype = checked(given.dtype, x)
    return buffer(np.array(given, dtype.numpy, order="C", copy=True, subok=False))


def checked(dtype: np.dtype[Any], given: Any) -> DType:
    """The element type of an array's dtype; DtypeError with what to do where there is none."""
    try:
        return dtypes.from_numpy(dtype)
    except DtypeError as error:
        hint = f"; the value is a {type(given).__name__}" if dtype.kind == "O" else ""
        raise DtypeError(f"{error.message}{hint}{at_user_line()}") from error


def weak_dtype(x: Weak) -> DType:
    """The dtype of a Python number that stands alone."""
    if isinstance(x, bool):
        return dtypes.bool_
    if isinstance(x, int):
        return dtypes.int64
    return dtypes.float64 if isinstance(x, float) else dtypes.complex128


def constant_of(x: Weak, dtype: DType) -> UOp:
    """A number as a constant of a dtype; IntegerOutOfRange for an integer that does not fit."""
    if dtype.kind in "iu" and isinstance(x, int) and not dtype.low <= x <= dtype.high:
        raise IntegerOutOfRange(
            f"Python integer {x} is out of bounds for {dtype.name} ({dtype.low} to {dtype.high}){at_user_line()}; "
            "convert the array to a wider dtype first"
        )
    if dtype.kind in "fc":  # round now: one constant, one value
        try:
            with np.errstate(over="ignore"):
                x = dtype.numpy.type(x).item()
        except OverflowError as error:
            raise IntegerOutOfRange(f"a Python integer is too large for {dtype.name}{at_user_line()}") from error
    return UOp.const(dtype, x)


def number(x: Weak, dtype: DType, shape: Shape) -> UOp:
    """A number as an array of a dtype and shape; IntegerOutOfRange for an integer that does not fit."""
    if type(x) is float or type(x) is int:
        return _number(type(x), x, x == 0 and math.copysign(1.0, x) < 0, dtype, shape)  # type: ignore[arg-type]
    return B.broadcast(constant_of(x, dtype), shape)


@functools.lru_cache(maxsize=1024)
def _number(kind: type, x: Weak, negative_zero: bool, dtype: DType, shape: Shape) -> UOp:
    # functions are traced again and again; 0.0 and -0.0, 1 and 1.0 are equal, and not the same
    return B.broadcast(constant_of(x, dtype), shape)


def result_dtype(args: Sequence[Any]) -> DType:
    """NumPy 2 promotion of operands: arrays by their dtypes, Python numbers giving way."""
    given = counted_as([x if is_weak(x) else lift(x) for x in args])
    return dtypes.from_numpy(np.result_type(*(x.numpy if isinstance(x, DType) else x for x in given)))


_ZERO: dict[str, Weak] = {"b": False, "i": 0, "f": 0.0, "c": 0j}
_INEXACT = frozenset({dtypes.float16, dtypes.float32, dtypes.complex64})
_INTEGERS = frozenset(d for d in dtypes.ALL if d.kind in "iu" and d != dtypes.int64)
NARROW = _INEXACT | _INTEGERS  # what a Python number gives way to


def counted_as(operands: Sequence[UOp | Weak], compared: bool = False) -> tuple[DType | Weak, ...]:
    """What each operand is in NumPy's promotion: a dtype, or a Python number, which gives way, a traced one too.

    Not to integers that it is ``compared`` with: it need not fit them, and the result is bool in any case. A run-time
    integer gives way to floats alone.
    """
    wider = _INEXACT if compared else NARROW
    if not any(isinstance(x, UOp) and x.dtype in wider and not is_weak_node(x) for x in operands):
        return tuple(x.dtype if isinstance(x, UOp) else x for x in operands)
    floats = any(isinstance(x, UOp) and x.dtype in _INEXACT and not is_weak_node(x) for x in operands)
    return tuple(
        x if not isinstance(x, UOp) else _ZERO[x.dtype.kind] if is_weak_node(x) and (floats or not is_run_time(x))
        else x.dtype for x in operands
    )  # fmt: skip


def promote(*args: Any) -> list[UOp]:
    """Operands as nodes of one dtype and one shape, under NumPy 2 promotion and broadcasting."""
    lifted = [x if is_weak(x) else lift(x) for x in args]
    dtype = result_dtype(lifted)
    return broadcast([constant_of(x, dtype) if is_weak(x) else B.cast(lift(x), dtype) for x in lifted])


def broadcast(nodes: Sequence[UOp], what: str = "operands") -> list[UOp]:
    """Nodes broadcast to one shape; ShapeError with every shape otherwise."""
    shape = broadcast_shape([u.sized for u in nodes], what)
    return [B.broadcast(u, shape) for u in nodes]


def broadcast_shape(shapes: Sequence[Shape], what: str = "operands") -> Shape:
    """The shape that shapes broadcast to under NumPy's rule."""
    first = shapes[0]
    if all(s == first for s in shapes):
        return first
    ndim = max(map(len, shapes))
    out = []
    for sizes in zip(*((1,) * (ndim - len(s)) + s for s in shapes), strict=True):
        wide = {n for n in sizes if n != 1}
        if len(wide) > 1:
            raise ShapeError(
                f"{what}: shapes {' and '.join(map(str, shapes))} do not broadcast together{at_user_line()}; "
                "sizes of an axis must be equal or 1, counted from the last axis"
            )
        out.append(wide.pop() if wide else 1)
    return tuple(out)
