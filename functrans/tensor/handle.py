"""What every part of Tensor stands on: a node, and facts read off it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Self

import numpy as np

from functrans.errors import ArgumentError, UnsupportedError, at_user_line
from functrans.ops.uop import Shape, UOp


class Place(threading.local):
    """The function that is being traced on this thread: what errors call it, or None; who is told of operations; and
    what was said last of a traced value that was read, and where.
    """

    now: object = None
    note: Callable[[], None] | None = None
    refused: tuple[str, tuple[str, int] | None] | None = None


place = Place()


class Handle:
    """A node in the hands of a user, and the running of a function that it was made in."""

    __slots__ = ("__weakref__", "_made_in", "_uop")
    _uop: UOp
    _made_in: object

    @classmethod
    def from_uop(cls, uop: UOp) -> Self:
        """The Tensor of a node; nothing is copied or computed."""
        made = object.__new__(cls)
        made._uop, made._made_in = uop, place.now
        note = place.note
        if note is not None:
            note()
        return made

    @property
    def uop(self) -> UOp:
        """The node this Tensor stands for."""
        return self._uop

    @property
    def made_in(self) -> object:
        """The running of a traced function that this Tensor was made in, or None."""
        return self._made_in

    def rebind(self, uop: UOp) -> None:
        """Stand for another node of the same shape and dtype."""
        self._uop = uop

    @property
    def shape(self) -> Shape:
        """The sizes of the axes."""
        return self._uop.sized

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy dtype of the elements."""
        return self._uop.dtype.numpy

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self._uop.sized)

    @property
    def size(self) -> int:
        """The number of elements."""
        return self._uop.size

    @property
    def itemsize(self) -> int:
        """The size of an element in bytes."""
        return self._uop.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The size of all elements in bytes."""
        return self.size * self.itemsize


def refuse_out(name: str, out: Any) -> None:
    """UnsupportedError for out=: a Tensor is a value, not memory."""
    if out is not None:
        raise UnsupportedError(
            f"{name} with out={at_user_line()}: Tensors are values, not memory; use what {name} returns. "
            "A function under ft.jit takes out= and writes into an array"
        )


def kept(keepdims: Any, keepdim: Any) -> bool:
    """The value of an argument that NumPy calls keepdims and the graph keepdim."""
    if keepdim is not None and keepdims is not False:
        raise ArgumentError(f"keepdims and keepdim are two names of one argument; give one{at_user_line()}")
    given = keepdims if keepdim is None else keepdim
    if not isinstance(given, bool | np.bool_ | int | np.integer):
        raise ArgumentError(f"keepdims is {given!r}{at_user_line()}; expected True or False")
    return bool(given)
