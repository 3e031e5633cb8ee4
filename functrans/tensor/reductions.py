"""The methods of Tensor that reduce, or run along an axis."""

from __future__ import annotations

from typing import Any, Self

from functrans.errors import UnsupportedError, at_user_line
from functrans.ops.enums import Ops
from functrans.tensor import create, reduce, running, statistics
from functrans.tensor import order as ordering
from functrans.tensor.handle import Handle, kept, refuse_out
from functrans.tensor.lift import lift
from functrans.tensor.statistics import one_of


class Reductions(Handle):
    """Reductions, with NumPy's arguments; `keepdim` is another name of `keepdims`."""

    __slots__ = ()

    def sum(
        self, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False,
        initial: Any = None, where: Any = None, *, keepdim: bool | None = None,
    ) -> Self:  # fmt: skip
        """The sum over axes; bools and small integers add up in 64 bits."""
        refuse_out("sum", out)
        return self.from_uop(reduce.sum_(self._uop, axis, dtype, kept(keepdims, keepdim), initial, where))

    def prod(
        self, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False,
        initial: Any = None, where: Any = None, *, keepdim: bool | None = None,
    ) -> Self:  # fmt: skip
        """The product over axes; bools and small integers multiply in 64 bits."""
        refuse_out("prod", out)
        return self.from_uop(reduce.prod_(self._uop, axis, dtype, kept(keepdims, keepdim), initial, where))

    def max(
        self, axis: Any = None, out: None = None, keepdims: bool = False, initial: Any = None, where: Any = None,
        *, keepdim: bool | None = None,
    ) -> Self:  # fmt: skip
        """The largest element over axes; NaN where there is one."""
        refuse_out("max", out)
        return self.from_uop(reduce.max_(self._uop, axis, kept(keepdims, keepdim), initial, where))

    def min(
        self, axis: Any = None, out: None = None, keepdims: bool = False, initial: Any = None, where: Any = None,
        *, keepdim: bool | None = None,
    ) -> Self:  # fmt: skip
        """The smallest element over axes; NaN where there is one."""
        refuse_out("min", out)
        return self.from_uop(reduce.min_(self._uop, axis, kept(keepdims, keepdim), initial, where))

    def any(
        self, axis: Any = None, out: None = None, keepdims: bool = False, *, where: Any = None,
        keepdim: bool | None = None,
    ) -> Self:  # fmt: skip
        """Whether an element is not zero."""
        refuse_out("any", out)
        return self.from_uop(reduce.any_(self._uop, axis, kept(keepdims, keepdim), where))

    def all(
        self, axis: Any = None, out: None = None, keepdims: bool = False, *, where: Any = None,
        keepdim: bool | None = None,
    ) -> Self:  # fmt: skip
        """Whether no element is zero."""
        refuse_out("all", out)
        return self.from_uop(reduce.all_(self._uop, axis, kept(keepdims, keepdim), where))

    def mean(
        self, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False, *, where: Any = None,
        keepdim: bool | None = None,
    ) -> Self:  # fmt: skip
        """The arithmetic mean over axes."""
        refuse_out("mean", out)
        return self.from_uop(statistics.mean(self._uop, axis, dtype, kept(keepdims, keepdim), where))

    def var(
        self, axis: Any = None, dtype: Any = None, out: None = None, ddof: float = 0, keepdims: bool = False, *,
        where: Any = None, correction: float | None = None, keepdim: bool | None = None,
    ) -> Self:  # fmt: skip
        """The variance over axes: the mean squared distance to the mean."""
        refuse_out("var", out)
        less = one_of("ddof and correction", ddof, correction, 0)
        return self.from_uop(statistics.var(self._uop, axis, dtype, less, kept(keepdims, keepdim), where))

    def std(
        self, axis: Any = None, dtype: Any = None, out: None = None, ddof: float = 0, keepdims: bool = False, *,
        where: Any = None, correction: float | None = None, keepdim: bool | None = None,
    ) -> Self:  # fmt: skip
        """The standard deviation over axes."""
        refuse_out("std", out)
        less = one_of("ddof and correction", ddof, correction, 0)
        return self.from_uop(statistics.std(self._uop, axis, dtype, less, kept(keepdims, keepdim), where))

    def ptp(self, axis: Any = None, out: None = None, keepdims: bool = False, *, keepdim: bool | None = None) -> Self:
        """The largest element less the smallest."""
        refuse_out("ptp", out)
        return self.from_uop(statistics.ptp(self._uop, axis, kept(keepdims, keepdim)))

    def count_nonzero(self, axis: Any = None, *, keepdims: bool = False, keepdim: bool | None = None) -> Self:
        """How many elements are not zero."""
        return self.from_uop(statistics.count_nonzero(self._uop, axis, kept(keepdims, keepdim)))

    def argmax(
        self, axis: Any = None, out: None = None, *, keepdims: bool = False, keepdim: bool | None = None
    ) -> Self:
        """The first position of the largest element."""
        refuse_out("argmax", out)
        return self.from_uop(statistics.arg_extreme(self._uop, "argmax", axis, kept(keepdims, keepdim)))

    def argmin(
        self, axis: Any = None, out: None = None, *, keepdims: bool = False, keepdim: bool | None = None
    ) -> Self:
        """The first position of the smallest element."""
        refuse_out("argmin", out)
        return self.from_uop(statistics.arg_extreme(self._uop, "argmin", axis, kept(keepdims, keepdim)))

    def cumsum(self, axis: Any = None, dtype: Any = None, out: None = None) -> Self:
        """The running sum along an axis, or of the flattened array."""
        refuse_out("cumsum", out)
        return self.from_uop(running.cumulate(self._uop, Ops.ADD, axis, dtype))

    def cumprod(self, axis: Any = None, dtype: Any = None, out: None = None) -> Self:
        """The running product along an axis, or of the flattened array."""
        refuse_out("cumprod", out)
        return self.from_uop(running.cumulate(self._uop, Ops.MUL, axis, dtype))

    def trace(self, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, dtype: Any = None, out: None = None) -> Self:
        """The sum of a diagonal."""
        refuse_out("trace", out)
        return self.from_uop(create.trace(self._uop, offset, axis1, axis2, dtype))

    def nansum(self, axis: Any = None, *, keepdims: bool = False, keepdim: bool | None = None) -> Self:
        """The sum of what is not NaN."""
        return self.from_uop(statistics.without_nan("sum", self._uop, axis, kept(keepdims, keepdim)))

    def nanmean(self, axis: Any = None, *, keepdims: bool = False, keepdim: bool | None = None) -> Self:
        """The mean of what is not NaN."""
        return self.from_uop(statistics.without_nan("mean", self._uop, axis, kept(keepdims, keepdim)))

    def nanmax(self, axis: Any = None, *, keepdims: bool = False, keepdim: bool | None = None) -> Self:
        """The largest element that is not NaN."""
        return self.from_uop(statistics.without_nan("max", self._uop, axis, kept(keepdims, keepdim)))

    def nanmin(self, axis: Any = None, *, keepdims: bool = False, keepdim: bool | None = None) -> Self:
        """The smallest element that is not NaN."""
        return self.from_uop(statistics.without_nan("min", self._uop, axis, kept(keepdims, keepdim)))

    def nanprod(
        self, axis: Any = None, dtype: Any = None, *, keepdims: bool = False, keepdim: bool | None = None
    ) -> Self:
        """The product of what is not NaN."""
        return self.from_uop(statistics.without_nan("prod", self._uop, axis, kept(keepdims, keepdim), dtype=dtype))

    def nanvar(
        self, axis: Any = None, dtype: Any = None, *, ddof: float = 0, keepdims: bool = False,
        keepdim: bool | None = None,
    ) -> Self:  # fmt: skip
        """The variance of what is not NaN."""
        found = statistics.without_nan("var", self._uop, axis, kept(keepdims, keepdim), dtype=dtype, ddof=ddof)
        return self.from_uop(found)

    def nanstd(
        self, axis: Any = None, dtype: Any = None, *, ddof: float = 0, keepdims: bool = False,
        keepdim: bool | None = None,
    ) -> Self:  # fmt: skip
        """The standard deviation of what is not NaN."""
        found = statistics.without_nan("std", self._uop, axis, kept(keepdims, keepdim), dtype=dtype, ddof=ddof)
        return self.from_uop(found)

    def median(self, axis: Any = None, *, keepdims: bool = False, keepdim: bool | None = None) -> Self:
        """The middle of the elements in order."""
        return self.from_uop(ordering.median(self._uop, axis, kept(keepdims, keepdim)))

    def argsort(
        self, axis: Any = -1, kind: str | None = None, order: None = None, *, stable: bool | None = None,
        descending: bool = False,
    ) -> Self:  # fmt: skip
        """The positions that put the elements along an axis into ascending order, as int64; always stable."""
        ordering.check_kind("argsort", kind, order)
        return self.from_uop(ordering.argsort(self._uop, axis, descending))

    def searchsorted(self, v: Any, side: str = "left", sorter: Any = None) -> Self:
        """Where elements of v would be inserted into this sorted vector."""
        return self.from_uop(ordering.searchsorted(self._uop, lift(v), side, None if sorter is None else lift(sorter)))

    def sort(self, axis: Any = -1, kind: Any = None, order: Any = None, **options: Any) -> Self:
        """Refused: of an array it sorts in place."""
        raise UnsupportedError(f"t.sort(){at_user_line()}: Tensors cannot be changed in place; write t = fnp.sort(t)")
