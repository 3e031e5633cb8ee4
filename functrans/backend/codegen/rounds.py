"""How many rounds a loop of a kernel has at the least, whenever the kernel is called.

The text of a kernel knows its outermost extents as arguments, so that another size is the same text. For sparse values,
the sizes of which are those of their pattern, it is known all the same which of two bodies a loop of lanes goes
through: one for what is shorter than a vector is not written where there is no such portion. Kernels that are one
function have the fewest rounds of them all.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

from functrans.backend.codegen.lowered import LoweredKernel
from functrans.backend.codegen.split import Split
from functrans.ops import symbolic as sym
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, substitute, toposort
from functrans.ops.vmap import extent

Fewest = Mapping[LoweredKernel, Sequence[int]]


class Rounds:
    """The rounds of the loops of one kernel.

    Parameters
    ----------
    fewest : values of each of its extents, in order
    split : of its loop that is gone through in portions
    """

    def __init__(self, fewest: Sequence[int] = (), split: Split | None = None) -> None:
        self._known = {f"n{k}": sym.const(n) for k, n in enumerate(fewest)}
        self._split = split

    def of(self, loop: UOp) -> int:
        """The fewest of a loop."""
        (end,) = loop.src
        read = [u for u in toposort((end,)) if u.op is Ops.DEFINE_VAR and u.arg[0] in self._known]
        fewest = sym.bounds(substitute((end,), {u: self._known[u.arg[0]] for u in read})[0])[0]
        return min(fewest, self._split.shortest) if self._split and loop is self._split.loop else fewest


def fewest(
    kernels: Iterable[LoweredKernel], splits: Mapping[LoweredKernel, Split], streamed: Container[LoweredKernel],
    together: Iterable[Sequence[LoweredKernel]], fixed: bool,
) -> Fewest:  # fmt: skip
    """The fewest values of the extents of each kernel, or of all that are one function with it. Nothing is known of
    them where they are not ``fixed``, as the text is that of every batch, of what goes a few steps at a time past the
    caches, and of what ends before the strips that it goes in ``together``.
    """
    if not fixed:
        return {}
    short = set[LoweredKernel]()
    for members in together:
        count = extent(splits[members[-1]].range)
        short.update(k for k in members if _least(splits[k].range) < count)
    found: dict[LoweredKernel, tuple[int, ...]] = {}
    for k in kernels:
        own = tuple(0 if k in streamed or k in short else _least(r) for r in k.extents)
        owner = k.twin or k
        found[owner] = tuple(map(min, found.get(owner, own), own))
    return found


def _least(r: UOp) -> int:
    return sym.bounds(r.src[0])[0] if r.op is Ops.RANGE else 0
