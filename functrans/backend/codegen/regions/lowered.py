"""A kernel that is a loop or branch, in C: its functions, and how its lanes are shared by threads and left for signals.

The last function is the kernel. It does the steps ``from`` to ``to``, each a block of lanes, and returns 1 where it has
run a while and is to be called again (decision 0033); how far it has come is in ``at`` and in its scratch memory:
1 + 2 * step at the start of a step, one more in the middle of it. Where ``at`` is null it runs to its end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import prod

from functrans.backend.codegen.lowered import LoweredKernel
from functrans.backend.codegen.spelling import element
from functrans.backend.policy import INTERLEAVED, PORTION_TIMES, THREAD_PICOSECONDS, TURN_PICOSECONDS
from functrans.backend.schedule.kernels import RegionKernel
from functrans.backend.schedule.loop_work import is_open, of_function, of_region
from functrans.backend.schedule.memory import aligned
from functrans.ops.loops import Program
from functrans.ops.price import picoseconds
from functrans.ops.routines import Routine
from functrans.ops.uop import UOp
from functrans.ops.vmap import extent

STATE = 64  # bytes of scratch memory that say how far a call has come
_BODY = re.compile(r"\bk\d+_f\w+")
_OWN = re.compile(r"static (?:__attribute__\(\(noinline\)\) )?\w+ (k\d+_f\w+)\(")
OWN = 4  # of their integers, from which on there are a portion of a thread and how far it has come


@dataclass(eq=False)
class LoweredRegion(LoweredKernel):
    """``width``: lanes of a step. ``round``: picoseconds of one round of a step, at the least. ``why``: why its lanes
    are no vectors, if they are none. ``portion``: the least steps that are handed out where nobody knows how long one
    takes, or 0. ``few``: fewer lanes have a step each.
    """

    functions: list[str] = field(default_factory=list)
    width: int = 1
    round: int = 1
    lanes: int = 0  # how many of the extents are lanes; those after them are numbers of rounds
    stride: str = ""  # the C of the bytes of scratch memory of a thread, if they depend on extents: n0, n1 and so on
    why: str = ""
    portion: int = 0
    few: int = 0

    @property
    def is_timed(self) -> bool:
        """Whether a first portion tells how long a step takes, which nobody knows before."""
        return self.portion > 0

    def steps(self, sizes: list[str]) -> str:
        """The C of the number of steps."""
        count = " * ".join(sizes[: self.lanes]) or "1"
        blocks = count if self.width == 1 else f"({count} + {self.width - 1}) / {self.width}"
        return f"({count} < {self.few} ? {count} : {blocks})" if self.few else blocks

    def stride_of(self, sizes: list[str]) -> str:
        """The C of the bytes of scratch memory of a thread."""
        text = re.sub(r"\bn(\d+)\b", lambda m: sizes[int(m[1])], self.stride)
        return f"({text})" if text else str(aligned(self.scratch))

    def per_step(self, picoseconds: int, sizes: list[str]) -> str:
        """The C of how many steps take so long."""
        rounds = " + ".join(sizes[self.lanes :]) or "1"
        steps = str(max(picoseconds // self.round, 1))
        if self.few:
            count = " * ".join(sizes[: self.lanes])
            steps = f"({count} < {self.few} ? {max(picoseconds * self.width // self.round, 1)} : {steps})"
        return f"{steps} / ({rounds} + 1)"

    def grain(self, sizes: list[str]) -> str:
        """The C of how many steps are handed out at a time."""
        if self.is_timed:
            return str(self.portion)
        return f"1 + {self.per_step(THREAD_PICOSECONDS // PORTION_TIMES, sizes)}"

    def least(self, sizes: list[str]) -> str:
        """The C of how many steps are not worth another thread; or less than 0, and the nanoseconds that are."""
        if self.is_timed:
            return str(-(THREAD_PICOSECONDS // 1000))
        return f"1 + {self.per_step(THREAD_PICOSECONDS, sizes)}"

    @property
    def pays(self) -> bool:
        """Whether there is work for another thread."""
        sizes = list(map(extent, self.extents))
        rounds = sum(sizes[self.lanes :]) if len(sizes) > self.lanes else 1
        steps = -(-prod(sizes[: self.lanes]) // self.width)
        if self.is_timed:
            return bool(self.lanes) and steps > self.portion
        return bool(self.lanes) and steps > 1 + max(THREAD_PICOSECONDS // self.round, 1) // (rounds + 1)


def without_twins(functions: Iterable[str]) -> list[str]:
    """The C functions, each behind those that it calls, but for those that another one is save for the name. A body
    that is gone through again, as steps are where a loop goes back, is compiled once.
    """
    twin: dict[str, str] = {}
    found: dict[str, str] = {}
    for text in dict.fromkeys(functions):
        text = _BODY.sub(lambda m: twin.get(m[0], m[0]), text)
        own = _OWN.match(text)
        if own is not None:
            twin[own[1]] = found.setdefault(text.replace(own[1], "@", 1), own[1])
        else:
            found.setdefault(text, "")
    return [text.replace("@", name, 1) if name else text for text, name in found.items()]


def parameters(kernel: RegionKernel, extents: list[UOp]) -> list[str]:
    """The C of the parameters of its function."""
    found = [f"const {element(b.dtype)} *restrict a{k}" for k, b in enumerate(kernel.reads)]
    found += [f"{element(b.dtype)} *restrict o{k}" for k, b in enumerate(kernel.roots)]
    found += ["char *restrict scratch", *(f"long long n{k}" for k in range(len(extents)))]
    return [*found, "long long from", "long long to", "long long *at"]


def round_of(kernel: RegionKernel, width: int) -> int:
    """Picoseconds of a round of so many lanes, in the mean of its loops."""
    each = [_round(r.arg.region) for r in kernel.regions]
    return max(int(width * sum(each) / len(each)), 1)


def portion_of(kernel: RegionKernel, least: int = INTERLEAVED) -> int:
    """The steps that are handed out at least, and tell how long one takes, where nobody knows that before; else 0."""
    return least if any(is_open(r.arg.region) for r in kernel.regions) else 0


def _round(region: Program) -> float:
    if isinstance(region, Routine):
        return of_region(region, picoseconds)
    return sum(of_function(f, picoseconds) for f in region.functions)


def turn(picoseconds_of_round: int) -> int:
    """Rounds until a call looks whether it is to be left."""
    return max(TURN_PICOSECONDS // picoseconds_of_round, 1)
