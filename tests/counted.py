"""How often kernels compute an op: what is written once stands once in their statements, whatever the C is made of."""

from __future__ import annotations

from collections.abc import Iterable

from functrans.backend.schedule.kernels import Kernel
from functrans.backend.schedule.parts import is_global
from functrans.ops import Ops
from functrans.ops.uop import toposort


def computed(kernels: Iterable[Kernel], op: Ops) -> int:
    """The nodes of an op in kernels, each counted for every kernel that it is in."""
    return sum(u.op is op for k in kernels for u in toposort(k.stores, enter=lambda u: not is_global(u)))
