"""Where in one arena the buffers between kernels lie: two share bytes when no kernel needs both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

from functrans._records import record
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

if TYPE_CHECKING:
    from functrans.backend.schedule.kernels import Kernel

ALIGN = 64


@record
class Memory:
    """The buffers of the arena, the byte slice of each, the slice of scratch memory, and the arena's size."""

    buffers: tuple[UOp, ...]
    slices: tuple[tuple[int, int], ...]
    scratch: tuple[int, int]
    size: int


def bytes_of(buffer: UOp) -> int:
    """The memory a BUFFERIZE takes."""
    return int(prod(buffer.arg.shape) * buffer.dtype.itemsize)


def aligned(size: int) -> int:
    """So many bytes as whole lines."""
    return -(-size // ALIGN) * ALIGN


def first_fit(spans: Mapping[UOp, tuple[int, int, int]]) -> tuple[dict[UOp, int], int]:
    """Where each array begins, given from when to when it lives and its bytes, in the order of birth; and the bytes of
    all. Two share bytes that do not live at the same time.
    """
    placed: dict[UOp, tuple[int, int]] = {}
    for array, (born, _, size) in spans.items():
        start = 0
        for low, high in sorted(place for other, place in placed.items() if spans[other][1] >= born):
            if start + size <= low:
                break
            start = max(start, high)
        placed[array] = (start, start + aligned(size))
    return {array: low for array, (low, _) in placed.items()}, max((high for _, high in placed.values()), default=0)


def plan_memory(kernels: list[Kernel], outputs: set[UOp], scratch: int, together: Sequence[range] = ()) -> Memory:
    """First fit by order of birth; the scratch memory of the kernels lies behind all buffers. Of kernels that go
    ``together``, by number, all begin at once: what one of them fills is born with the first.
    """
    first = {k: numbers[0] for numbers in together for k in numbers}
    born: dict[UOp, int] = {}
    dies: dict[UOp, int] = {}
    for k, kernel in enumerate(kernels):
        for b in (*kernel.roots, *(u for u in kernel.reads if u.op is Ops.BUFFERIZE)):
            if b not in outputs:
                born.setdefault(b, first.get(k, k))
                dies[b] = k
    placed, top = first_fit({b: (k, dies[b], bytes_of(b)) for b, k in born.items()})
    slices = tuple((low, low + bytes_of(b)) for b, low in placed.items())
    return Memory(tuple(placed), slices, (top, top + scratch), top + scratch)
