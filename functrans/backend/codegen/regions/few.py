"""Few lanes of a loop: one after the other, vectors going along rows, as a loop without lanes does.

A block of lanes takes as long for one lane as for all that it has. Rows of products, and elements of long arrays, fill
vectors by themselves: a lane alone then takes a tenth of what its block takes. Both ways have the same bits, so the
number of lanes chooses as the kernel runs.
"""

from __future__ import annotations

from functrans import dtypes
from functrans.backend.codegen.nest import Loop, nest
from functrans.backend.codegen.partial import extent_of
from functrans.backend.codegen.regions.choice import shape_of
from functrans.backend.codegen.regions.lane_program import LaneProgram
from functrans.backend.codegen.regions.lanes import LaneWriter
from functrans.backend.codegen.regions.memory import row_among
from functrans.backend.codegen.regions.program import TooLong
from functrans.backend.codegen.regions.tree import Branch, Call, Rounds, Statements
from functrans.backend.codegen.regions.ways import Ways, handed_on
from functrans.backend.codegen.spelling import element
from functrans.backend.policy import GAIN, INTERLEAVED, L2_BYTES, share
from functrans.backend.schedule.memory import aligned
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.price import additions
from functrans.ops.uop import UOp


class FewWriter(Ways):
    """Writes the C functions of such a loop: one of lanes as vectors, one of lanes alone, and the one that calls them.

    ``few``: fewer lanes are alone.
    """

    def __init__(self, lanes: LaneWriter, alone: AloneWriter, few: int) -> None:
        self.lanes, self.alone, self.few = lanes, alone, few
        super().__init__(lanes.name, {"lanes": lanes, "alone": alone})
        lanes.apart = alone.apart = True
        self.width, self.round, self.portion = lanes.width, lanes.round, lanes.portion

    @property
    def stride(self) -> str:
        """The C of the bytes of scratch memory of a thread, where they depend on numbers of rounds."""
        if not self.lanes.stride and not self.alone.stride:
            return ""
        a, b = (w.stride or str(aligned(w.scratch)) for w in (self.lanes, self.alone))
        return f"{a} > {b} ? {a} : {b}"

    def run(self) -> str:
        """The C."""
        head = self.lanes.head()
        given = handed_on(head)
        lanes = " * ".join(f"n{k}" for k in self.lanes.every)
        return "\n".join([
            self.lanes.run(), self.alone.run(), f"static int {self.name}({', '.join(head)}) {{",
            f"  return {lanes} < {self.few} ? {self.alone.name}({given}) : {self.lanes.name}({given});",
            "}",
        ])  # fmt: skip


class AloneWriter(LaneWriter):
    """Writes the C function that goes through lanes one after the other: a step is a lane."""

    def head(self) -> list[str]:
        """The C of its parameters: arrays that lanes have rows of begin elsewhere in each step."""
        rows = {a.name for a, _ in self.program.rows}
        return [f"{p}_all" if p.split()[-1].lstrip("*") in rows else p for p in super().head()]

    def _blocks(self) -> None:
        super()._blocks()
        every = tuple(range(len(self.kernel.lanes.ranges)))
        for array, axes in {a.name: (a, axes) for a, axes in self.program.rows}.values():
            kind = f"{'const ' if array.name.startswith('a') else ''}{element(array.dtype)}"
            place = f"{row_among('step', axes, every)}"
            self.line(f"{kind} *const {array.name} = {array.name}_all + ({place}) * ({self.row_of[array]});")


def with_few(lanes: LaneWriter) -> LaneWriter | FewWriter:
    """A loop of lanes, with another way for few of them where there are rows that fill vectors; or in that way alone,
    where the lanes of a block have matrices of their own that are not near together.
    """
    if not lanes.every or any(isinstance(item, Call | Branch) for item in lanes.program.block.walk()):
        return lanes
    try:
        program = LaneProgram(lanes.kernel, lanes.program.builder.known, alone=True)
    except TooLong:
        return lanes
    program.keep_in_results()
    shape = shape_of(program)
    if isinstance(shape, str):
        return lanes
    rounds = _in_rounds(program)
    if not any(u.op is Ops.RANGE and u.arg[1] is AxisType.VECTOR for x in rounds for u in x.uops):
        return lanes
    works = [_work(nest(x.uops), program.builder.rows) for x in rounds]
    together, own = lanes.shape.sides * sum(w for w, _ in works), sum(w for _, w in works)
    few = int(GAIN * together / max(own, 1))
    if few < 2:
        return lanes
    alone = AloneWriter(program, shape)
    return alone if lanes.width * _matrices(lanes) > share(L2_BYTES) else FewWriter(lanes, alone, few)


def _matrices(lanes: LaneWriter) -> int:
    """The bytes of the arrays of a lane that are read in every round where they are given."""
    read = {p.array for x in _in_rounds(lanes.program) for p in x.parts.values()}
    given = {a: lanes.row_of[a] for a in read if a.axes and a.constant}
    return sum(int(row) * a.dtype.itemsize for a, row in given.items() if row.isdigit())


def _in_rounds(program: LaneProgram) -> list[Statements]:
    bodies = [item.body for item in program.items if isinstance(item, Rounds)]
    return [x for body in bodies for x in body.walk() if isinstance(x, Statements)]


def _work(items: list[UOp | Loop], rows: int) -> tuple[int, int]:
    """About what statements take, in additions: of one lane among those of a vector, and of a lane alone. There few
    vectors of rows wait for themselves as long as so many take that go side by side.
    """
    together = alone = 0
    for x in items:
        if isinstance(x, Loop):
            one, own = _work(x.items, rows)
            n = extent_of(x) or 1
            vectors = -(-n // rows) if x.range.arg[1] is AxisType.VECTOR else 0
            together += n * one
            alone += (max(vectors, INTERLEAVED) if vectors else n) * own
        elif x.op in GroupOp.Elementwise and x.dtype != dtypes.index:
            together += additions(x)
            alone += additions(x)
    return together, alone
