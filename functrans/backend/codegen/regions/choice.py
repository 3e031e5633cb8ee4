"""Whether a loop or branch is one C function with lanes as vectors, or calls kernels lane by lane, and how wide it is.

The choice looks at the bodies alone, never at how many lanes there are: the bits are those of one lane by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from functrans import dtypes
from functrans._records import replace
from functrans.backend.codegen.regions.in_place import in_place
from functrans.backend.codegen.regions.lane_program import LaneProgram, bytes_in_vectors, bytes_of_rounds
from functrans.backend.codegen.regions.side_by_side import sides_of, widest
from functrans.backend.codegen.regions.tree import Array, Block, Call, Rounds, Statements
from functrans.backend.codegen.regions.uniform import values_that_vary
from functrans.backend.codegen.vectors.target import target
from functrans.backend.codegen.vectors.values import Shape
from functrans.backend.policy import (
    EXPENSIVE_ADDITIONS,
    INTERLEAVED,
    KERNEL_STATEMENTS,
    L2_BYTES,
    LANE_ROUNDS,
    LINE_BYTES,
    SMALL_ARRAY,
    SUM_ROUNDS,
    UNROLLED_STATEMENTS,
    share,
)
from functrans.backend.schedule.around import has_vectors
from functrans.backend.schedule.passes import BODY
from functrans.backend.schedule.regions import Lanes
from functrans.dtypes import DType
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.function import Function
from functrans.ops.loops import Program, Scan, While, nodes_in, regions_in
from functrans.ops.opdef import ops_that
from functrans.ops.price import additions
from functrans.ops.routines import Routine
from functrans.ops.uop import UOp, toposort

_WORDS = frozenset("bx")
_STORED = GroupOp.Reduce | ops_that(lambda record: record.updates)
_REFUSED = GroupOp.Order | GroupOp.Custom


def why_not(lanes: Lanes) -> str:
    """Why a loop or branch calls kernels lane by lane, by its functions; nothing if it does not."""
    if not target().has_vectors:
        return "the machine it is written for has no vectors"
    if isinstance(lanes.region, Routine) and lanes.region.panel:
        return _eliminated(lanes.region)
    # a sparse matrix that is factored has no vectors but lanes; of products, rows or lanes are computed side by side
    sparse = any(isinstance(r, Routine) and r.symbolic is not None for r in regions_in(lanes.region))
    around = (lanes.before, lanes.after)  # has few values, and each once
    longest = SMALL_ARRAY if any(map(_is_product, nodes_in(lanes.region))) else LANE_ROUNDS
    todo = [(f, _in_place(lanes.region, f)) for f in (*lanes.region.functions, *around)]
    while todo:
        f, placed = todo.pop()
        for u in toposort(f.outputs):
            if u.op is Ops.ROUTINE and u.arg.panel:
                return _eliminated(u.arg)
            if u.op in GroupOp.Region:
                todo += [(g, _in_place(u.arg, g)) for g in u.arg.functions]
            if u.op in _REFUSED or u.op in GroupOp.Host:
                return f"{u.op.name} is no op on vectors"
            if u.shape is None or u.op in (Ops.RANGE, Ops.IOTA, Ops.CONST) or u in placed:
                continue
            if u.dtype.kind not in _WORDS and not has_vectors(u.dtype):
                return f"{u.dtype.name} has no vectors"
            if f in around or sparse:
                continue
            walked = u in f.outputs or u.op in _STORED
            if walked and max(u.shape, default=0) > longest:
                return f"an axis of {max(u.shape)} elements is walked in each round"
            if u.op in GroupOp.Reduce and _reduced(u) > (8 * SUM_ROUNDS - 1 if _is_product(u) else LANE_ROUNDS):
                return f"{_reduced(u)} elements are reduced in each round"
    return ""


def _eliminated(routine: Routine) -> str:
    return f"a matrix of {routine.rows} rows is eliminated in vectors of its own"


def _reduced(node: UOp) -> int:
    """How many elements a reduction makes one number of."""
    axes = node.arg[1] if node.op is Ops.REDUCE_AXIS else node.arg[1:]
    return prod(node.src[0].sized[k] for k in axes)


def _is_product(u: UOp) -> bool:
    """Whether several sums of products are added up."""
    return u.op in GroupOp.Reduce and u.size > 1 and u.src[0].op is Ops.MUL


def _in_place(region: Program, f: Function) -> set[UOp]:
    """What of a function is stored into carries in place, whose length does not matter."""
    if not isinstance(region, Scan | While) or f is not region.body:
        return set()
    found = set()
    for node in (f.outputs[k] for k in in_place(f, region.carries, BODY)):
        while node not in f.params:
            found.add(node)
            below = node.src[0]
            node = below.src[node.arg] if below.op in GroupOp.Region else below
    return found


def shape_of(program: LaneProgram) -> Shape | str:
    """How wide the vectors are and how many go side by side, or why there are none.

    None where arrays take too much of the cache. That is asked of what each loop has wherever it is: its bits alone are
    those of a lane, whatever is mapped.
    """
    rows = program.builder.rows
    lanes = rows or target().bytes // max((d.itemsize for d in _held(program) if d.kind in "fiu"), default=8)
    calls = any(isinstance(item, Call) for item in program.block.walk())
    sides = 1 if calls else 2 if is_heavy(program) else INTERLEAVED
    own = _own(program)
    for r in program.kernel.regions:
        most = target().bytes // widest(u.dtype for u in nodes_in(r.arg.region))
        near = (own + program.kept) * most > share(L2_BYTES) // 2
        if near and (judged := bytes_of_rounds(r.arg, program.builder.known)) * most > share(L2_BYTES):
            return f"its arrays take {judged} bytes of a lane"
    if len(program.items) > 1 and own * (lanes if program.lanes else 1) > share(L2_BYTES):
        return f"the arrays of all loops take {own} bytes of a lane"
    while sides > 1 and own * lanes * sides > share(L2_BYTES) // 2:
        sides //= 2
    return Shape(lanes, sides_of(_statements(program), rows) or sides, 8 * target().bytes // lanes)


def _own(program: LaneProgram) -> int:
    """The bytes of a lane's arrays."""
    turned = [columns for _, columns, *_ in program.builder.turned]  # which lanes do not have
    return sum(bytes_in_vectors(a) for a in program.builder.arrays if a not in turned)


def _held(program: LaneProgram) -> Iterator[DType]:
    """The dtypes that vectors hold: of what lanes have numbers of; of whole numbers that they have in loops or
    branches, as before and after them each is made once.
    """
    within = {id(item) for item in Block(list(program.items)).walk()}
    arrays = set[Array]()
    for item in program.block.walk():
        if isinstance(item, Statements):
            nodes = values_that_vary(item)[0]
            yield from (u.dtype for u in nodes if u.dtype.kind == "f" or id(item) in within)
            arrays |= {p.array for p in item.parts.values()} if id(item) in within else set()
    own = (a for a in program.builder.arrays if a.varying)
    yield from (a.dtype for a in own if a.dtype.kind == "f" or a in arrays)


def waiting_shape(program: LaneProgram, shape: Shape) -> Shape:
    """The shape of a loop where no lane is refilled: vectors narrower than a line go twice as many side by side if a
    round is worth less than an elementary function. Fewer wait for themselves.
    """
    work = sum(additions(u) for u in _operations(program))
    light = not is_heavy(program) and work <= EXPENSIVE_ADDITIONS
    if not program.lanes or not light or target().bytes >= LINE_BYTES or shape.sides < INTERLEAVED:
        return shape
    return replace(shape, sides=2 * shape.sides)


def _operations(program: LaneProgram) -> list[UOp]:
    """The operations of a round on numbers."""
    return [u for u in _statements(program) if u.op in GroupOp.Elementwise and u.dtype != dtypes.index]


def _statements(program: LaneProgram) -> list[UOp]:
    return [u for item in program.block.walk() if isinstance(item, Statements) for u in item.uops]


def is_heavy(program: LaneProgram) -> bool:
    """Whether a round has many operations, or loops."""
    work = len(_operations(program))
    loops = any(isinstance(item, Rounds) and item not in program.items for item in program.block.walk())
    return work > UNROLLED_STATEMENTS or loops or any(u.op is Ops.RANGE for u in _statements(program))


def leaves_apart(program: LaneProgram) -> bool:
    """Whether it is a loop that lanes leave at different times."""
    item = program.item
    return isinstance(item, Rounds) and item.goes_on is not None and item.goes_on.varying


def written_rounds(item: Rounds, sides: int) -> int:
    """How many rounds are written out in one: as many as were asked for, if the compiler can take them."""
    statements = sum(len(x.uops) for x in item.body.walk() if isinstance(x, Statements))
    return max(1, min(item.unroll, 2 * KERNEL_STATEMENTS // max(statements * sides, 1)))
