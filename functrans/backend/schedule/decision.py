"""Why a buffer stays or goes: the decisions of the cost model, as data."""

from __future__ import annotations

from functrans._members import Enum
from functrans._records import record
from functrans.ops.uop import UOp


class Why(Enum):
    """The reason of a decision, as the end of a sentence. Those of buffers that stay come first."""

    RESULT = "it is a result"
    DEMANDED = "contiguous() asks for it"
    FILLED = "it is filled in several steps or in an order of its own"
    LAUNCHED = "it is filled by kernels that a loop launches"
    COPIED = "it is a small slice read several times: a copy stays near"
    SHARED = "it is too expensive to compute at each of its reads"
    DISPLACED = "it holds a loop and is read at places other than its own"
    REPEATED = "its reader would compute it again and again"
    CROSSED = "its loops and those of its reader do not nest"
    BESIDE = "what it is computed from is computed for others as well, in the loop that fills it"
    BOUNDED = "its readers compute as much again already as they would have to"
    VIEWED = "it is a slice: its elements are read where they lie"
    CHEAP = "it is cheap enough to compute at each read"
    NESTED = "its one reader computes each element once, when it is needed"

    @property
    def stays(self) -> bool:
        """Whether the buffer is stored."""
        return self not in _GOES


_GOES = frozenset({Why.VIEWED, Why.CHEAP, Why.NESTED})


@record
class Figures:
    """Picoseconds for an element and all reads of it: by a buffer between kernels, one inside of a kernel, None where
    its readers share no loop, and computed at each read.
    """

    between: float
    inside: float | None
    again: float

    @property
    def least(self) -> float:
        """Of the ways to store it."""
        return self.between if self.inside is None else min(self.inside, self.between)

    def __str__(self) -> str:
        inside = "" if self.inside is None else f", {_time(self.inside)} inside a kernel"
        return f"an element {_time(self.between)} between kernels{inside}, {_time(self.again)} computed at its reads"


def _time(picoseconds: float) -> str:
    return f"{picoseconds / 1000:.3g} ns" if picoseconds >= 1000 else f"{picoseconds:.0f} ps"


@record
class Decision:
    """About one buffer: where it is read how often, the estimates, and whether its values hold loops."""

    buffer: UOp
    why: Why
    reads: int
    figures: Figures | None = None
    loops: bool = False

    @property
    def stays(self) -> bool:
        """Whether the buffer is stored rather than computed where it is read."""
        return self.why.stays

    def __str__(self) -> str:
        what = "stored" if self.stays else "computed where it is read"
        shape = "x".join(map(str, self.buffer.arg.shape)) or "scalar"
        return f"buffer of {shape} {self.buffer.dtype.name}: {what}, as {self.why.value} ({self.price})"

    @property
    def price(self) -> str:
        """How often it is read, and what each way would take."""
        figures = "" if self.figures is None else f"; {self.figures}{', with loops' * self.loops}"
        return f"{self.reads} read{'s' * (self.reads != 1)}{figures}"
