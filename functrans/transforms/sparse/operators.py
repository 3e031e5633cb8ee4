"""A sparse derivative at a point as a SciPy LinearOperator: products, and no matrix."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans import dtypes
from functrans._lazy import scipy_sparse_linalg
from functrans.backend.pipeline import Program
from functrans.errors import UnsupportedError, at_user_line
from functrans.ops.source import param
from functrans.ops.uop import UOp
from functrans.transforms.sparse.compressed import pulled, pushed
from functrans.transforms.sparse.problem import Problem
from functrans.transforms.sparse.traced import value_dtype

__all__ = ["Products"]

Array = NDArray[Any]


class Products:
    """The derivatives of a problem along directions, forward and backward, each compiled when first needed."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._inputs = [param(p.sized, p.dtype) for p in problem.inputs]
        # ints and bools have no derivative: what stands for them is not read
        self._results = [
            param(o.sized, o.dtype if dtypes.is_inexact(o.dtype) else dtypes.float64) for o in problem.outputs
        ]

    @cached_property
    def _forward(self) -> Program:
        """Arguments, then a direction for each input, to the derivative of all results along it."""
        problem = self._problem
        along = dict(zip(problem.inputs, self._inputs, strict=True))
        return problem.program_of([pushed(problem.outputs, along)], self._inputs)

    @cached_property
    def _backward(self) -> Program:
        """Arguments, then a cotangent for each result, to the derivative of their sum."""
        problem = self._problem
        if any(o.dtype.kind == "c" for o in problem.outputs):
            raise UnsupportedError(
                f"{problem.settings.what} of {problem.name} has complex results: there is no rmatvec of it"
                f"{at_user_line()}"
            )
        pairs = zip(problem.outputs, self._results, strict=True)
        cotangents = [c if dtypes.is_inexact(o.dtype) else None for o, c in pairs]
        return problem.program_of([pulled(problem.outputs, problem.inputs, cotangents)], self._results)

    def operator(self, arrays: Sequence[Array]) -> Any:
        """The LinearOperator at a point."""
        point = [np.array(a) for a in arrays]  # later writes into the caller's arrays change nothing

        def times(v: Array) -> Array:
            return self._forward([*point, *_split(v, self._inputs)])[0]

        def transposed_times(v: Array) -> Array:
            return self._backward([*point, *_split(v, self._results)])[0]

        shape = self._problem.rows, sum(self._problem.widths)
        dtype = value_dtype(self._problem.outputs).numpy
        make: Any = scipy_sparse_linalg.LinearOperator
        return make(shape, matvec=times, rmatvec=transposed_times, dtype=dtype)


def _split(v: Array, nodes: Sequence[UOp]) -> list[Array]:
    """A vector as arrays of the shapes and dtypes of nodes."""
    found, start = [], 0
    for u in nodes:
        found.append(np.require(v.reshape(-1)[start : start + u.size].reshape(u.sized), u.dtype.numpy, "C"))
        start += u.size
    return found
