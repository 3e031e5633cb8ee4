"""What a call needs to know of a plan, and how that is written down for other processes."""

from __future__ import annotations

from typing import Any

from functrans._records import record

__all__ = ["Cost", "Facts"]

Slice = tuple[int, int]


@record
class Cost:
    """What one call costs by its schedule.

    Attributes
    ----------
    flops : int
        Operations on numbers. A node counts once for every value of the ranges it depends on, a reduction once for
        every element it takes in, an update that combines once for every element written. A multiply-add counts as
        two, a function of the mathematical library as one, and so do a comparison, a choice by where, and an operation
        on complex numbers; casts, conditions joined and indices are free.
    bytes_read, bytes_written : int
        Each array counts whole, once for each kernel that reads or fills it, whatever part it touches: what crosses
        memory where caches keep nothing between kernels and everything within one.
    kernels, launches : int
        C functions, and how often one call runs them (more than once under an OUTER range).
    temporaries : int
        Bytes of the arena that holds what lies between kernels and what is too large for the stack; buffers whose
        lives do not overlap share bytes.
    host_steps : int
        Steps of LAPACK between the kernels, whatever the batch; what they do is in none of the other numbers.

    Examples
    --------
    >>> import numpy as np, functrans as ft
    >>> cost = ft.jit(lambda x: np.sqrt(x) * 2.0).lower(ft.ShapeDtype((1000,))).cost()
    >>> cost.kernels, cost.flops, cost.bytes_read
    (1, 2000, 8000)
    """

    flops: int
    bytes_read: int
    bytes_written: int
    kernels: int
    launches: int
    temporaries: int
    host_steps: int = 0


@record
class Facts:
    """Memory and run-time sizes of a call, and the code that is called.

    Attributes
    ----------
    code : str
        The hash of the C text.
    sizes : tuple[int, ...]
        The extents that are arguments of the code; the values of the variables come after them.
    arena : int
        Bytes of what lies between kernels, and at its end the scratch memory of one thread.
    slices : tuple[tuple[int, int], ...]
        Where in the arena each buffer begins and ends; the last is the scratch memory.
    scratch : int
        Bytes of scratch memory of each thread.
    threads_pay : bool
        Whether there is work in it that pays more than one thread.
    cost : Cost
        What a call costs.
    far : bool
        Whether there are results that are written past the caches, by what the threads share: on one thread too.
    """

    code: str
    sizes: tuple[int, ...]
    arena: int
    slices: tuple[Slice, ...]
    scratch: int
    threads_pay: bool
    cost: Cost
    far: bool = False

    def written(self) -> bytes:
        """The facts as text: the hash, then lines of integers."""
        c = self.cost
        rows: list[tuple[int, ...]] = [
            self.sizes,
            tuple(x for s in self.slices for x in s),
            (self.arena, self.scratch, int(self.threads_pay), int(self.far)),
            (c.flops, c.bytes_read, c.bytes_written, c.kernels, c.launches, c.temporaries, c.host_steps),
        ]
        return "\n".join([self.code, *(" ".join(map(str, row)) for row in rows)]).encode()

    @staticmethod
    def read(data: bytes) -> Facts:
        """The facts that were written so; ValueError for anything else.

        >>> facts = Facts("ab", (3, 4), 64, ((0, 8), (8, 64)), 56, False, Cost(1, 2, 3, 4, 5, 6))
        >>> Facts.read(facts.written()) == facts
        True
        """
        code, *rows = data.decode("ascii").split("\n")
        sizes, places, (arena, scratch, pay, far), counts = (tuple(map(int, row.split())) for row in rows)
        slices = tuple(zip(places[::2], places[1::2], strict=True))
        return Facts(code, sizes, arena, slices, scratch, bool(pay), Cost(*_seven(counts)), bool(far))


def _seven(counts: tuple[int, ...]) -> tuple[Any, ...]:
    if len(counts) != 7:
        raise ValueError(f"{len(counts)} counts; expected 7")
    return counts
