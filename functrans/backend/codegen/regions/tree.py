"""Loops and branches as a tree: statements over arrays, copies, loops, branches and calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from functrans._records import record
from functrans.dtypes import DType
from functrans.ops.routines import Routine
from functrans.ops.uop import UOp


@dataclass(eq=False)
class Array:
    """An array of the program, or one number that fills it.

    ``axes``: of one that the kernel is given, the lanes' axes that it has; None of one that the program makes.
    ``varying``: lanes have different elements. ``moving``: some place in it is known only as the loop runs.
    ``size``: the C of how many elements it has, of a stack that later loops read: it is in scratch memory.
    ``in_place``: a carry that a round stores into, in those lanes that go through it; ``settled``: one that is all made
    anew, where it was. ``constant``: it is only read.
    """

    name: str
    dtype: DType
    elements: int
    axes: tuple[int, ...] | None = None
    number: UOp | None = None
    varying: bool = False
    moving: bool = False
    size: str = ""
    in_place: bool = False
    settled: bool = False
    constant: bool = False

    @property
    def is_own(self) -> bool:
        """Whether the program makes it."""
        return self.axes is None and self.number is None


@record
class Part:
    """Some elements of an array, from an offset on, the C of which is a product of loop variables and sizes."""

    array: Array
    offset: str = ""

    def at(self, offset: str) -> Part:
        """The part that begins there."""
        self.array.moving = True
        return Part(self.array, f"{self.offset} + {offset}" if self.offset else offset)


@dataclass(eq=False)
class Statements:
    """What a kernel does, over arrays. ``lanes`` are nodes from outside that differ from lane to lane."""

    uops: list[UOp]
    parts: dict[UOp, Part]
    lanes: frozenset[UOp] = frozenset()


@dataclass(eq=False)
class Move:
    """Elements from one part to another."""

    source: Part
    to: Part
    elements: int


@dataclass(eq=False)
class Carry:
    """A value that goes around: where it is, where the next one is made, where it comes from and where it ends; and
    whether the last one is read.
    """

    now: Array
    next: Array
    start: Part
    end: Part | None
    elements: int
    is_read: bool = True


@dataclass(eq=False)
class Rounds:
    """A SCAN or WHILE: ``rounds`` is the C of their number, or None; ``test`` makes the condition in an array."""

    name: str
    carries: list[Carry]
    body: Block
    rounds: str | None = None
    reverse: bool = False
    unroll: int = 1
    test: Block | None = None
    goes_on: Array | None = None


@dataclass(eq=False)
class Branch:
    """A SWITCH: where the index is, and for each branch what it does and which parts it makes of which results."""

    name: str
    index: Part
    blocks: list[Block]
    made: list[list[Array]]
    results: list[Part]


@dataclass(eq=False)
class Call:
    """A ROUTINE: the arrays that its C function is given, of which those that it ``shares`` come first: if lanes have
    the others, these may still be one for all of them.
    """

    routine: Routine
    arrays: list[Array]
    shares: list[Part]
    results: list[Part] = field(default_factory=list)

    @property
    def varying(self) -> bool:
        """Whether lanes have matrices of their own."""
        return any(a.varying for a in self.arrays)


@dataclass(eq=False)
class Each:
    """A loop or branch for each lane of a map inside of a body: C loops of these names and extents."""

    names: list[str]
    extents: tuple[int, ...]
    block: Block


Item = Statements | Move | Rounds | Branch | Call | Each


@dataclass(eq=False)
class Block:
    """Items one after the other."""

    items: list[Item] = field(default_factory=list)

    def walk(self) -> Iterator[Statements | Move | Rounds | Branch | Call]:
        """All items, those inside of others too."""
        for item in self.items:
            if isinstance(item, Each):
                yield from item.block.walk()
                continue
            yield item
            if isinstance(item, Rounds):
                yield from item.body.walk()
                if item.test is not None:
                    yield from item.test.walk()
            elif isinstance(item, Branch):
                for b in item.blocks:
                    yield from b.walk()
