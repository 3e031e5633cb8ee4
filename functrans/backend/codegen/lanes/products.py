"""Tiles of sums of products whose columns are the lanes."""

from __future__ import annotations

from dataclasses import replace

from functrans import dtypes
from functrans.backend.codegen.lanes.uniformity import Uniformity
from functrans.backend.codegen.micro import WIDE
from functrans.backend.codegen.nest import Writer
from functrans.backend.policy import LINE_BYTES as BYTES
from functrans.ops import symbolic as sym
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp


def columns(facts: Uniformity, unit: int) -> int | None:
    """How many lanes there are for the sake of tiles, in units of so many; None where there is no tile."""
    tiles = [u for u in facts.body if u.op is Ops.WMMA and u in facts.varying]
    if not tiles:
        return None
    return unit * (WIDE if all(BYTES == unit * u.src[0].dtype.itemsize for u in tiles) else 1)


def write(u: UOp, writer: Writer, width: int) -> None:
    """Write a tile of one column as one of as many as there are lanes: its arrays have a place for each lane."""
    sums, shared, own, row, step, stride, *counts = u.src
    target, second = (
        writer.value(UOp(Ops.INDEX, s.dtype, (writer.now(s.src[0]), sym.mul(writer.now(s.src[1]), width))))
        for s in (sums, own)
    )
    numbers = [*map(writer.now, (row, step)), sym.mul(writer.now(stride), width), *map(writer.now, counts)]
    src = (target, writer.value(writer.now(shared)), second, *map(writer.value, numbers))
    writer.statement(UOp(Ops.WMMA, dtypes.void, src, replace(u.arg, columns=width)))
