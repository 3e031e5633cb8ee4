"""The methods of Tensor that rearrange, select, join and convert."""

from __future__ import annotations

from typing import Any, Self

from functrans import dtypes
from functrans.errors import ArgumentError, at_user_line
from functrans.ops import build as B
from functrans.ops import window
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.tensor import border, compose, contract, create, indexing, join, shape
from functrans.tensor.assigned import assigned
from functrans.tensor.at import AtIndexer
from functrans.tensor.handle import Handle, refuse_out
from functrans.tensor.shape import spread


class Shaping(Handle):
    """NumPy's array methods, and the graph's own spellings where NumPy has none."""

    __slots__ = ()

    @property
    def T(self) -> Self:
        """The axes reversed."""
        return self.from_uop(shape.transpose(self._uop))

    @property
    def mT(self) -> Self:
        """The last two axes exchanged."""
        return self.swapaxes(-1, -2)

    @property
    def at(self) -> AtIndexer[Self]:
        """Functional updates: ``x.at[i].set(v)``, and add, multiply, min, max."""
        return AtIndexer(self._uop, self.from_uop)

    def reshape(self, *shape_: Any, order: str = "C", copy: bool | None = None) -> Self:
        """The elements in C order under another shape: ``t.reshape(2, 3)`` or ``t.reshape((2, 3))``; one -1."""
        return self.from_uop(shape.reshape(self._uop, spread(shape_), order))

    def ravel(self, order: str = "C") -> Self:
        """One axis of all elements."""
        return self.reshape(-1, order="C" if order == "K" else order)

    def flatten(self, order: str = "C") -> Self:
        """One axis of all elements."""
        return self.ravel(order)

    def transpose(self, *axes: Any) -> Self:
        """The axes permuted, or reversed where none are given."""
        return self.from_uop(shape.transpose(self._uop, spread(axes) if axes else None))

    def permute(self, *axes: Any) -> Self:
        """The axes permuted: ``t.permute(1, 0)`` or ``t.permute((1, 0))``."""
        return self.from_uop(shape.transpose(self._uop, spread(axes)))

    def swapaxes(self, axis1: Any, axis2: Any) -> Self:
        """Two axes exchanged."""
        return self.from_uop(shape.swapaxes(self._uop, axis1, axis2))

    def moveaxis(self, source: Any, destination: Any) -> Self:
        """Axes moved to other places."""
        return self.from_uop(shape.moveaxis(self._uop, source, destination))

    def squeeze(self, axis: Any = None) -> Self:
        """Without axes of size 1."""
        return self.from_uop(shape.squeeze(self._uop, axis))

    def unsqueeze(self, axis: Any) -> Self:
        """A new axis of size 1, at the place it has in the result."""
        return self.from_uop(shape.expand_dims(self._uop, axis))

    def expand(self, *shape_: Any) -> Self:
        """Repeated to a shape this broadcasts to; -1 leaves an axis as it is."""
        return self.from_uop(shape.expand(self._uop, spread(shape_)))

    def pad(self, pad_width: Any, mode: str = "constant", constant_values: Any = None) -> Self:
        """Elements put around; zeros unless ``constant_values`` or ``mode`` say otherwise."""
        return self.from_uop(border.pad(self._uop, pad_width, mode, constant_values=constant_values))

    def shrink(self, *bounds: Any) -> Self:
        """The window [start, stop) along each axis."""
        one = len(bounds) == 1 and self.ndim != 1
        single = len(bounds) == 1 and self.ndim == 1 and isinstance(bounds[0], (tuple, list)) and len(bounds[0]) == 1
        return self.from_uop(shape.shrink(self._uop, bounds[0] if one or single else bounds))

    def flip(self, *axis: Any) -> Self:
        """Reversed along axes; along all where none are given."""
        return self.from_uop(shape.flip(self._uop, spread(axis) if axis else None))

    def roll(self, shift: Any, axis: Any = None) -> Self:
        """Elements shifted around along axes."""
        return self.from_uop(border.roll(self._uop, shift, axis))

    def repeat(self, repeats: Any, axis: Any = None) -> Self:
        """Each element repeated."""
        return self.from_uop(join.repeat(self._uop, repeats, axis))

    def tril(self, k: Any = 0) -> Self:
        """Zeros above the k-th diagonal."""
        return self.from_uop(create.triangle(self._uop, k, lower=True))

    def triu(self, k: Any = 0) -> Self:
        """Zeros below the k-th diagonal."""
        return self.from_uop(create.triangle(self._uop, k, lower=False))

    def diagonal(self, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Self:
        """A diagonal, as the last axis."""
        return self.from_uop(create.diagonal(self._uop, offset, axis1, axis2))

    def take(self, indices: Any, axis: Any = None, out: None = None, mode: str = "raise") -> Self:
        """The elements at integer indices along an axis."""
        refuse_out("take", out)
        return self.from_uop(indexing.take(self._uop, indices, axis, mode))

    def dot(self, other: Any, out: None = None) -> Self:
        """The last axis of this with the one before last of the other."""
        refuse_out("dot", out)
        return self.from_uop(contract.dot(self._uop, other))

    def clip(self, min: Any = None, max: Any = None, out: None = None) -> Self:
        """At least min and at most max."""
        refuse_out("clip", out)
        return self.from_uop(compose.clip(self._uop, min, max))

    def astype(self, dtype: Any, copy: bool = True) -> Self:
        """The values in another dtype; float to integer saturates and NaN gives 0."""
        return self.from_uop(B.cast(self._uop, dtypes.from_numpy(dtype)))

    def cast(self, dtype: Any) -> Self:
        """The values in another dtype, as `astype`."""
        return self.astype(dtype)

    def bitcast(self, dtype: Any) -> Self:
        """The bits read as another dtype of the same size."""
        return self.from_uop(compose.bitcast(self._uop, dtype))

    def copy(self, order: str = "C") -> Self:
        """This array: a Tensor is a value that nothing changes."""
        return self.from_uop(self._uop)

    def contiguous(self) -> Self:
        """This array, stored rather than computed where it is used."""
        return self.from_uop(compose.passed(self._uop, Ops.CONTIGUOUS))

    def contiguous_backward(self) -> Self:
        """This array, whose cotangent is stored."""
        return self.from_uop(compose.passed(self._uop, Ops.CONTIGUOUS_BACKWARD))

    def detach(self) -> Self:
        """This array as a constant of differentiation."""
        return self.from_uop(compose.passed(self._uop, Ops.DETACH))

    def vmapin(self, varg: tuple[UOp, ...]) -> Self:
        """The slice at the RANGEs of varg, one entry an axis: a RANGE, or CONST(0) for an axis that stays.

        The axes at RANGEs are gone from the shape; the value is open in the RANGEs until a `vmapout` closes them. Costs
        nothing: it is arithmetic on indices. SpecError for a varg that does not fit, or a RANGE that is still open.

        >>> import numpy as np, functrans as ft
        >>> r, zero = ft.UOp.range(3), ft.UOp.const(ft.dtypes.index, 0)
        >>> row = ft.Tensor(np.arange(6.0).reshape(3, 2)).vmapin((r, zero))
        >>> row.shape
        (2,)
        >>> (row * row.sum()).vmapout((zero, r)).numpy()
        array([[ 0., 10., 36.],
               [ 1., 15., 45.]])
        """
        return self.from_uop(self._uop.vmapin(varg))

    def vmapout(self, varg: tuple[UOp, ...]) -> Self:
        """The value for every RANGE of varg, each an axis at its position; see `vmapin`.

        One entry an axis of the result: a RANGE, or CONST(0) for an axis that the value has. What is not open in a
        RANGE is repeated along its axis. The RANGEs are loops of the kernel that stores the result, or around it where
        they are of `AxisType.OUTER`. SpecError for a varg that does not fit.

        >>> import functrans as ft
        >>> r, zero = ft.UOp.range(3), ft.UOp.const(ft.dtypes.index, 0)
        >>> ft.Tensor([1.0, 2.0]).vmapout((r, zero)).shape
        (3, 2)
        """
        return self.from_uop(self._uop.vmapout(varg))

    def reduce(self, op: Ops, *ranges: UOp) -> Self:
        """The reduction over all values of RANGEs, which are closed: `functrans.ops.window.reduce`."""
        return self.from_uop(window.reduce(self._uop, op, *ranges))

    def after(self, *events: UOp) -> Self:
        """This array in a round, of a RANGE; or after a loop of stores into it, of what ``store(...).end(r)`` gives.

        In a loop ``t.after(r)`` is what the array holds in that round, and so is t itself where its elements are
        stored, as ``t[r].store(...)``. ``where`` of a condition on r, such as ``r == 0``, reads the side that it takes.
        The loop becomes that of a ``scan``, which carries the array, or the last elements where those alone are read.

        Raises SpecError for an element that is read before it is written, and where it is not plain what is stored.

        >>> import numpy as np, functrans as ft
        >>> a, total, i = ft.Tensor([1.0, 2.0, 3.0]), ft.Tensor(0.0), ft.UOp.range(3)
        >>> so_far = total.after(i)
        >>> total.after(so_far.store(so_far * 10 + a[i]).end(i))
        Tensor(123., dtype=float64)
        """
        return self.from_uop(self._uop.after(*events))

    def store(self, value: Any) -> UOp:
        """The writing of a value of this shape into this array, or the element of an array that this is; see `after`.

        The value is broadcast and cast as an assignment of NumPy does. ShapeError, DtypeError where it is not possible.
        """
        return self._uop.store(assigned(value, self._uop.dtype, self._uop.sized))

    @classmethod
    def stack(cls, *tensors: Any, dim: Any = 0) -> Self:
        """Arrays of one shape along a new axis."""
        return cls.from_uop(join.stack(spread(tensors), dim))

    @classmethod
    def cat(cls, *tensors: Any, dim: Any = 0) -> Self:
        """Arrays one after another along an axis."""
        return cls.from_uop(join.concatenate(spread(tensors), dim))

    @classmethod
    def empty(cls, *shape_: Any, dtype: Any = None) -> Self:
        """An array whose values do not matter."""
        return cls.from_uop(create.empty(spread(shape_), dtype))

    @classmethod
    def full(cls, shape_: Any, fill_value: Any, dtype: Any = None) -> Self:
        """One value everywhere."""
        return cls.from_uop(create.full(shape_, fill_value, dtype))

    def fill(self, value: Any) -> None:
        """Refused: a Tensor does not change; write ``fnp.full_like(t, value)``."""
        raise ArgumentError(
            f"Tensors cannot be changed in place{at_user_line()}; instead of t.fill(v) write t = fnp.full_like(t, v)"
        )
