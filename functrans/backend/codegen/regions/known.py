"""Bodies of loops that are alike, for one plan: they are scheduled and lowered once.

A step of a solver stands in a loop several times, is tried in each way that a loop may be written, and is gone through
again by a gradient.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from functrans.backend.codegen.lower import Lowering
from functrans.backend.codegen.merge import merged
from functrans.backend.codegen.partial import partial
from functrans.backend.codegen.regions.jam import jammed
from functrans.backend.codegen.short import written_out
from functrans.backend.schedule.kernels import Kernel, kernels
from functrans.backend.schedule.passes import BODY, scheduled
from functrans.backend.schedule.realize import distinct
from functrans.backend.structure import of_function, structure
from functrans.ops.function import Function, Spec
from functrans.ops.passes import SILENT
from functrans.ops.uop import UOp

if TYPE_CHECKING:
    from functrans.backend.codegen.regions.body import Body

Key = tuple[str, tuple[Spec, ...]]


def key_of(f: Function, wanted: Sequence[int]) -> Key:
    """Equal for functions that compute the same outputs of the same parameters, and so have the same C."""
    return structure([f.outputs[k] for k in wanted], f.params), _specs(f)


def _specs(f: Function) -> tuple[Spec, ...]:
    return tuple((p.sized, p.dtype) for p in f.params)


class Known:
    """What is made of bodies while one plan is. It keeps their graphs alive, and must not outlive that.

    ``bodies``: their C functions, which are those of one unit by their names.
    """

    def __init__(self) -> None:
        self.bodies: dict[Key, Body] = {}
        self._first: dict[Key, Function] = {}
        self._of: dict[Function, Function] = {}
        self._buffers: dict[tuple[Function, tuple[int, ...]], list[UOp]] = {}
        self._kernels: dict[tuple[UOp, ...], list[Kernel]] = {}
        self._statements: dict[tuple[Kernel, bool], tuple[list[UOp], list[UOp]]] = {}

    def first(self, f: Function) -> Function:
        """The first function that computes what this one does, whose parameters stand for those of this one."""
        found = self._of.get(f)
        if found is None:
            found = self._first.setdefault((of_function(f), _specs(f)), f)
            self._of[f] = self._of[found] = found
        return found

    def buffers(self, f: Function, wanted: Sequence[int]) -> list[UOp]:
        """The buffers of some outputs of a first function, for lanes that are vectors."""
        key = f, tuple(wanted)
        if key not in self._buffers:
            self._buffers[key] = scheduled(distinct(f.outputs[k] for k in wanted), SILENT, BODY)
        return self._buffers[key]

    def kernels(self, buffers: Sequence[UOp]) -> list[Kernel]:
        """What fills buffers."""
        key = tuple(buffers)
        if key not in self._kernels:
            self._kernels[key] = kernels(list(key))
        return self._kernels[key]

    def statements(self, kernel: Kernel, around: bool) -> tuple[list[UOp], list[UOp]]:
        """The statements of a kernel, and those with the rows of products side by side; one ``around`` all rounds has
        the partial sums that it has outside of loops.
        """
        key = kernel, around
        if key not in self._statements:
            uops = merged(written_out(Lowering(kernel, inside=True).statements(), inside=True))
            uops = partial(uops, outermost=True) if around else uops
            self._statements[key] = uops, jammed(uops)
        return self._statements[key]
