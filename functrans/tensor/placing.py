"""Tensors on thread domains, in shards over several, and on files."""

from __future__ import annotations

import os
from typing import Any, Self

from functrans.errors import ArgumentError, at_user_line
from functrans.ops import placement
from functrans.ops.placement import HOST, Layout
from functrans.ops.uop import UOp
from functrans.tensor import late
from functrans.tensor.handle import Handle
from functrans.tensor.reduce import normal_axis


class Placing(Handle):
    """Where the elements live and who computes them."""

    __slots__ = ()

    @property
    def device(self) -> str | tuple[str, ...]:
        """The thread domain that holds the array, ``"CPU"`` unless it was moved; of a sharded one all of them."""
        found = placement.domains_of(self._uop)
        return found if len(found) > 1 else (found or (HOST,))[0]

    def to(self, device: str) -> Self:
        """This Tensor on one thread domain: ``"CPU"``, ``"CPU:1"``, ...; what is computed from it is computed there.

        Domains are threads that share one memory, so an array that is stored already is not copied. The shards of a
        sharded Tensor are gathered. Linear, elementwise, and transparent to derivatives and maps.

        Raises ArgumentError for a name that is no domain.

        >>> import functrans as ft
        >>> ft.Tensor([1.0, 2.0]).to("CPU:1").device
        'CPU:1'
        """
        return self.from_uop(placement.on(self._uop, placement.domain(device)))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], dtype: Any, shape: Any, offset: int = 0) -> Self:
        """A window of a binary file as a Tensor that stays in the file: only what is computed with is read.

        ``offset`` counts bytes, as that of `numpy.memmap`, and is a multiple of the alignment of the dtype. A slice
        of leading axes is a smaller window. The file is mapped into memory for reading and never written; what others
        write into it later is seen.  ``Tensor(np.memmap(...))`` is the same for a mapping you have. Costs nothing.

        Raises ShapeError where the file is too short, now or when it is read, ArgumentError and DtypeError for a
        window that is none, OSError where the file cannot be opened.

        >>> import numpy as np, functrans as ft, tempfile, os
        >>> path = os.path.join(tempfile.mkdtemp(), "numbers")
        >>> np.arange(10.0).tofile(path)
        >>> ft.Tensor.from_file(path, np.float64, (2, 3), offset=16)[1:] * 2
        Tensor([[10., 12., 14.]], dtype=float64)
        """
        return cls.from_uop(late.files.from_file(path, dtype, shape, offset))

    def shard(self, devices: tuple[str, ...], axis: int | None = None) -> Self:
        """This Tensor in shards along an axis, one a thread domain; or, without an axis, whole on each of them.

        Shards are as equal as can be: their sizes differ by one at most. What is computed from a sharded Tensor is
        computed shard by shard, by all domains at once, wherever its axis survives; a reduction over the axis
        combines the results of the shards in their order, so that it is the same in every run. A sharded Tensor is
        dealt out anew.

        Raises ArgumentError for names that are no domains and AxisError for an axis the Tensor does not have.

        >>> import functrans as ft
        >>> t = ft.Tensor([1.0, 2.0, 3.0]).shard(("CPU", "CPU:1"), axis=0)
        >>> t.device, (2 * t).sum()
        (('CPU', 'CPU:1'), Tensor(12., dtype=float64))
        """
        return self.from_uop(sharded(self._uop, devices, axis))


def sharded(x: UOp, devices: Any, axis: Any) -> UOp:
    """X in shards."""
    if isinstance(devices, str) or not isinstance(devices, (tuple, list)) or not devices:
        raise ArgumentError(
            f"shard over {devices!r}{at_user_line()}; expected a tuple of thread domains such as ('CPU', 'CPU:1')"
        )
    names = tuple(map(placement.domain, devices))
    if axis is None:
        return placement.lay(x, Layout(names))
    k = normal_axis(axis, x.ndim)
    return placement.lay(x, Layout(names, k, placement.even_sizes(x.sized[k], len(names))))


def layout_of(x: UOp) -> Layout | None:
    """How a value lies over thread domains; None where it may be computed anywhere."""
    if not placement.domains_of(x):
        return None
    found: Layout | None = x.remember("layout", lambda u: late.multi.spread([u])[0][0].layout)
    return found
