"""A kernel as statements, and what its C function is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from functrans.ops.uop import UOp


class Start(NamedTuple):
    """Where a part of an array lies: behind so many bytes, times the extents of some RANGEs."""

    bytes: int
    extents: tuple[UOp, ...]

    def of(self, array: str, sizes: Mapping[UOp, str]) -> str:
        """The C of the part, by those of the array and of extents."""
        times = "".join(f" * {sizes[r]}" for r in self.extents)
        return f"(void *)((char *){array} + {self.bytes}{times})" if self.bytes else array


@dataclass(eq=False)
class LoweredKernel:
    """One C function: its statements and what it takes, in order: buffers, scratch memory, extents and variables,
    OUTER values. Of a buffer that is in ``starts`` it is given the part from there on. ``twin`` is the kernel with
    these statements that was lowered, where this one is the same function of other arrays.
    """

    name: str
    uops: list[UOp]
    buffers: list[UOp]
    extents: list[UOp]
    outer: tuple[UOp, ...]
    scratch: int
    starts: dict[UOp, Start] = field(default_factory=dict, kw_only=True)
    twin: LoweredKernel | None = field(default=None, kw_only=True)

    def given(self, arrays: Mapping[UOp, str], sizes: Mapping[UOp, str]) -> list[str]:
        """The C of each buffer as an argument, by those of whole buffers and of extents."""
        return [self.starts[b].of(arrays[b], sizes) if b in self.starts else arrays[b] for b in self.buffers]
