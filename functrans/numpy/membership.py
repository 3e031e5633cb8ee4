"""Where values belong: in which bin, and whether in a set."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans.errors import ArgumentValueError, DtypeError, ShapeError, at_user_line
from functrans.numpy._wrap import of, tensor
from functrans.ops import build as B
from functrans.tensor import compose, order
from functrans.tensor.constants import known
from functrans.tensor.core import Tensor
from functrans.tensor.elementwise import call
from functrans.tensor.lift import result_dtype
from functrans.tensor.meanings import never
from functrans.tensor.reduce import any_

__all__ = ["digitize", "isin"]

COMPARED = 32
"""Elements of a set up to which each value is compared with all; with more they are sorted, and searched by halves."""


def digitize(x: Any, bins: Any, right: bool = False) -> Tensor:
    """The index of the bin of each element of x, as int64: how many edges are at or below it, NaN above all.

    bins are edges in ascending or descending order; with right=True a value equal to an edge is in the bin to the left
    of it. Constant edges in no order raise ArgumentValueError; traced ones count as ascending unless the first is
    larger than the last. DtypeError for a complex x, ShapeError for edges of more axes. A search by halves.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.digitize([0.2, 6.4, 3.0], [0.0, 1.0, 2.5, 4.0, 10.0])
    Tensor([1, 4, 3], dtype=int64)
    """
    at, edges = tensor(x), tensor(bins)
    if edges.ndim != 1:
        raise ShapeError(f"digitize: bins has shape {edges.shape}{at_user_line()}; expected one axis")
    if at.dtype.kind == "c" or edges.dtype.kind == "c":
        raise DtypeError(f"digitize of {at.dtype} by {edges.dtype}{at_user_line()}: complex numbers have no bins")
    n, side = edges.size, "left" if right else "right"
    value = known(edges.uop)
    if value is None and n > 1:
        down = edges[0] > edges[-1]
        up = of(compose.where(down.uop, edges[::-1].uop, edges.uop))
        found = of(order.searchsorted(up.uop, at.uop, side))
        return of(compose.where(down.uop, (n - found).uop, found.uop))
    if value is None or (value[1:] >= value[:-1]).all():
        return of(order.searchsorted(edges.uop, at.uop, side))
    if not (value[1:] <= value[:-1]).all():
        raise ArgumentValueError(
            f"digitize: bins are in no order{at_user_line()}; expected ascending or descending edges: sort them"
        )
    return n - of(order.searchsorted(edges[::-1].uop, at.uop, side))


def isin(
    element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False, *, kind: str | None = None
) -> Tensor:  # fmt: skip
    """Whether each element is one of test_elements, with invert whether it is none; NaN is equal to nothing.

    The result has the shape of element. assume_unique and kind only choose among NumPy's algorithms.
    ArgumentValueError for a kind that NumPy has not, or a table of other numbers than integers. Up to 32 test elements
    are compared with every element; more are sorted, and searched by halves.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.isin([0, 2, 5], [1, 2, 3])
    Tensor([False,  True, False], dtype=bool)
    """
    x, tests = tensor(element), tensor(test_elements).ravel()
    if kind not in (None, "sort", "table"):
        raise ArgumentValueError(f"isin: kind is {kind!r}{at_user_line()}; expected None, 'sort' or 'table'")
    if kind == "table" and not {x.dtype.kind, tests.dtype.kind} <= set("biu"):
        raise ArgumentValueError(
            f"isin: kind='table' of {x.dtype} and {tests.dtype}{at_user_line()}: a table has bools or integers alone"
        )
    found = _found(x, tests)
    return found.logical_not() if invert else found


def _found(x: Tensor, tests: Tensor) -> Tensor:
    common = result_dtype([x.uop, tests.uop]).numpy
    exact = common.kind != "c" and {x.dtype.kind, tests.dtype.kind} != {"i", "u"}
    if not tests.size:
        return of(never(x.uop))
    if tests.size > COMPARED and exact and not np.issubdtype(common, np.bool_):
        ordered = of(order.sort(tests.astype(common).uop))
        place = of(order.searchsorted(ordered.uop, x.astype(common).uop)).clip(0, tests.size - 1)
        return of(B.gather(ordered.uop, B.inside(place.uop, tests.size))) == x.astype(common)
    each = B.reshape(x.uop, (*x.shape, 1))
    return of(any_(call(np.equal, each, tests.uop), -1))
