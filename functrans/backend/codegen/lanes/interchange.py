"""Loop interchange for lanes: what each lane has of its own, and the loop around does not change, is moved once.

In a product of matrices inside of a loop over a batch each lane is a column, whose record is put into vectors again for
each row. With the loop over the columns outermost it is put there once, for all rows. All rounds of both loops write
places of their own and read nothing that they write, so any order will do.

Source: Allen and Kennedy, Optimizing Compilers for Modern Architectures, section 5.2.
"""

from __future__ import annotations

from functrans.backend.codegen.lanes.batch import why_not
from functrans.backend.codegen.lanes.choice import suits_inside
from functrans.backend.codegen.lanes.records import accesses
from functrans.backend.codegen.nest import Loop, Writer, nest
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.uop import UOp

_PURE = GroupOp.Elementwise | {Ops.CONST, Ops.INDEX, Ops.LOAD}


def lanes_outside(uops: list[UOp], wanted: tuple[UOp, ...]) -> list[UOp]:
    """The statements with loops in lanes around the loops that they stand in, where that moves less. Linear in their
    number times the depth of the loops.
    """
    writer = _Interchange(uops, wanted)
    writer.items(nest(uops))
    return writer.out


class _Interchange(Writer):
    def __init__(self, uops: list[UOp], wanted: tuple[UOp, ...]) -> None:
        super().__init__(uops)
        self.wanted = wanted

    def loop(self, loop: Loop, kind: AxisType | None = None) -> None:
        """Write a loop, one around lanes inside of them."""
        found = self._turned(loop)
        super().loop(loop if found is None else found, kind)

    def _turned(self, loop: Loop) -> Loop | None:
        inner = loop.inner
        plain = [item for item in loop.items if isinstance(item, UOp)]
        if len(inner) != 1 or inner[0].range not in self.wanted or loop.range.arg[1] is AxisType.ORDERED:
            return None
        (lanes,) = inner
        if any(u.op not in _PURE for u in plain) or lanes.range.src[0].op is not Ops.CONST:
            return None
        turned = Loop(lanes.range, [Loop(loop.range, [*plain, *lanes.items])])
        if not suits_inside(turned) or why_not(turned):
            return None
        found = accesses(turned)
        assert not isinstance(found, str)
        return turned if any(access.is_moved for access in found.values()) else None
