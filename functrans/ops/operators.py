"""The operators of nodes: of loop variables, whose sums, differences and products are indices, all else arrays.

What they mean is entered by ops.index_operators, and for arrays by tensor.core.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from functrans.dtypes import DType
from functrans.errors import TracedValueError, at_user_line

arithmetic: dict[str, Callable[..., Any]] = {}
compared: dict[str, Callable[..., Any]] = {}
array_rule: dict[str, Callable[..., Any]] = {}
"""What NumPy's functions are of loop variables."""


class Operators:
    """Python's operators, and NumPy's functions."""

    __slots__ = ()
    dtype: DType
    free_ranges: frozenset[Any]

    def __eq__(self, other: object) -> Any:
        """Of a loop variable and an integer whether they are equal, a node; of two nodes whether they are one."""
        return self is other if isinstance(other, Operators) else compared["eq"](self, other)

    def __ne__(self, other: object) -> Any:
        return self is not other if isinstance(other, Operators) else compared["ne"](self, other)

    __hash__ = object.__hash__

    def __lt__(self, other: Any) -> Any:
        return compared["lt"](self, other)

    def __le__(self, other: Any) -> Any:
        return compared["le"](self, other)

    def __gt__(self, other: Any) -> Any:
        return compared["gt"](self, other)

    def __ge__(self, other: Any) -> Any:
        return compared["ge"](self, other)

    def __bool__(self) -> bool:
        if self.free_ranges and self.dtype.kind == "b":
            raise TracedValueError(
                f"the truth of {self!r}{at_user_line()}: it differs from round to round; use fnp.where(condition, a, b)"
            )
        return True

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return array_rule["ufunc"](ufunc, method, inputs, kwargs)

    def __array_function__(self, function: Any, types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return array_rule["function"](function, args, kwargs)

    def __add__(self, other: Any) -> Any:
        return arithmetic["add"](self, other)

    def __radd__(self, other: Any) -> Any:
        return arithmetic["add"](other, self)

    def __sub__(self, other: Any) -> Any:
        return arithmetic["sub"](self, other)

    def __rsub__(self, other: Any) -> Any:
        return arithmetic["sub"](other, self)

    def __mul__(self, other: Any) -> Any:
        return arithmetic["mul"](self, other)

    def __rmul__(self, other: Any) -> Any:
        return arithmetic["mul"](other, self)

    def __truediv__(self, other: Any) -> Any:
        return arithmetic["div"](self, other)

    def __floordiv__(self, other: Any) -> Any:
        return arithmetic["floordiv"](self, other)

    def __mod__(self, other: Any) -> Any:
        return arithmetic["mod"](self, other)
