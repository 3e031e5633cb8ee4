"""Arrays that a loop stores into by index: they have memory of their own, and nothing was made of what they held."""

from __future__ import annotations

from functrans.errors import SpecError, at_user_line
from functrans.ops.enums import Ops
from functrans.ops.movement import flat
from functrans.ops.uop import UOp

FOLDED_INTO = "folded into an index"  # noted of nodes the values of which became constants of an index
_MEMORY = frozenset({Ops.EMPTY, Ops.PARAM, Ops.BUFFER, Ops.CONTIGUOUS, Ops.VMAPIN, Ops.VMAPOUT, Ops.RESULT, Ops.AFTER})


def memory_of(x: UOp) -> UOp:
    """What an array is a reshape of. SpecError where a read of it could be one of what it is computed from."""
    base = flat(x)
    if base.op not in _MEMORY:
        raise SpecError(
            f"STORE: into {x!r}, which has no memory of its own{at_user_line()}: what the loop reads of it could be "
            "what it is computed from; write x = x.contiguous() before"
        )
    if any(u.memo is not None and FOLDED_INTO in u.memo for u in (x, base)):
        raise SpecError(
            f"STORE: into {x!r}, of which an index was made{at_user_line()}: that index has the value from before the "
            "loop; write x_i = x.after(i), and read and store x_i"
        )
    return base
