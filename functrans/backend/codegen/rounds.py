"""How many rounds a loop of a kernel has at the least and at the most, whenever the kernel is called.

The text of a kernel knows its outermost extents as arguments, so that another size is the same text. For sparse values,
the sizes of which are those of their pattern, and for extents that the text has as numbers, it is known all the same
which bodies a loop of lanes goes through: one for what is shorter than a vector is not written where there is no such
portion, nor one for more vectors than there are rounds. Kernels that are one function have the fewest rounds of them
all, and the most.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

from functrans.backend.codegen.lowered import LoweredKernel
from functrans.backend.codegen.split import Split
from functrans.ops import symbolic as sym
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, substitute, toposort
from functrans.ops.vmap import extent

Bounds = tuple[int, int]
Known = Mapping[LoweredKernel, Sequence[Bounds]]


class Rounds:
    """The rounds of the loops of one kernel.

    Parameters
    ----------
    known : the fewest and the most values of each of its extents, in order
    split : of its loop that is gone through in portions
    """

    def __init__(self, known: Sequence[Bounds] = (), split: Split | None = None) -> None:
        self._known = {f"n{k}": bounds for k, bounds in enumerate(known) if bounds[1] < sym.HUGE}
        self._split = split

    def of(self, loop: UOp) -> Bounds:
        """The fewest and the most of a loop."""
        (end,) = loop.src
        read = [u for u in toposort((end,)) if u.op is Ops.DEFINE_VAR and u.arg[0] in self._known]
        ends = [
            sym.bounds(substitute((end,), {u: sym.const(self._known[u.arg[0]][side]) for u in read})[0])
            for side in (0, 1)
        ]
        low, most = ends[0][0], max(high for _, high in ends)
        return (min(low, self._split.shortest) if self._split and loop is self._split.loop else low), most


def known(
    kernels: Iterable[LoweredKernel], splits: Mapping[LoweredKernel, Split], streamed: Container[LoweredKernel],
    together: Iterable[Sequence[LoweredKernel]], fixed: Container[UOp],
) -> Known:  # fmt: skip
    """The fewest and the most values of the extents of each kernel, or of all that are one function with it. Of those
    that are not ``fixed`` nothing is known, as the text is that of every batch; nor how few there are of what goes a
    few steps at a time past the caches, and of what ends before the strips that it goes in ``together``.
    """
    short = set[LoweredKernel]()
    for members in together:
        count = extent(splits[members[-1]].range)
        short.update(k for k in members if _bounds(splits[k].range)[0] < count)
    found: dict[LoweredKernel, tuple[Bounds, ...]] = {}
    for k in kernels:
        in_part = k in streamed or k in short
        own = [_bounds(r) if r in fixed else (0, sym.HUGE) for r in k.extents]
        own = [(0 if in_part else low, high) for low, high in own]
        owner = k.twin or k
        before = found.get(owner, own)
        found[owner] = tuple((min(a, c), max(b, d)) for (a, b), (c, d) in zip(before, own, strict=True))
    return found


def _bounds(r: UOp) -> Bounds:
    return sym.bounds(r.src[0]) if r.op is Ops.RANGE else (0, sym.HUGE)
