"""Lines of C for vectors that go side by side.

Vectors are independent of one another, and one alone waits for itself. Where it is short, what is done with all of them
fits the window in which a processor finds what it can do next; so a stretch of statements is written for one side, then
for the next. Statement by statement, the values of all sides would be live together, and more than there are registers.
A barrier that is no instruction keeps the compiler from mixing them again; two sides of a loop's body it may mix, which
fill the window better.
"""

from __future__ import annotations

from collections.abc import Callable

from functrans.backend.policy import SIDES, UNROLLED_STATEMENTS

SHARED = -1  # in place of a side: a value that all sides use
BARRIER = '__asm__ volatile ("");'


class Lines:
    """Writes lines, those of sides in stretches."""

    mixes = False  # whether the compiler may mix two sides

    def __init__(self, sides: int = 0) -> None:
        self.lines: list[str] = []
        self.depth = 1
        self.only: int | None = None  # the one side whose lines are written, if that is so
        self._stretch: list[list[str]] = [[] for _ in range(sides + 1)]  # of each side, of all in the end

    def line(self, text: str, side: int | None = None) -> None:
        """A line of C; one that is of no side and not SHARED comes after all before it, and before all behind it."""
        if self.only is not None and side not in (None, SHARED, self.only):
            return
        if side is None or (side in (0, SHARED) and len(self._stretch[0]) >= UNROLLED_STATEMENTS):
            self._end()
        indented = "  " * self.depth + text
        if side is None:
            self.lines.append(indented)
        else:
            self._stretch[side].append(indented)

    def open(self, text: str) -> None:
        """A line that opens a block."""
        self.line(text)
        self.depth += 1

    def close(self) -> None:
        """The end of a block."""
        self._end()
        self.depth -= 1
        self.line("}")

    def rounds(
        self, u: str, start: str, last: str, written: int, one: Callable[[str], None], leave: Callable[[str], None]
    ) -> None:
        """A loop of rounds, several ``written`` out at a time and then those that are left; after the rounds of a time
        it may be left, with how many have been done.
        """
        if written > 1:
            self.line(f"long long {u} = {start};")
            self.open(f"for (; {u} + {written - 1} < {last}; {u} += {written}) {{")
            for k in range(written):
                self.open("{")
                one(f"({u} + {k})")
                self.close()
            leave(f"{u} + {written}")
            self.close()
        self.open(f"for ({f'long long {u} = {start}' if written == 1 else ''}; {u} < {last}; {u}++) {{")
        one(u)
        leave(f"{u} + 1")
        self.close()

    def either(self, condition: str, name: str, write: Callable[[], None]) -> None:
        """Lines twice, for where a condition holds and for where it does not: there ``name`` is 1, and here 0.

        No compiler moves statements across a branch, so that one at each read and write takes more of its time.
        """
        self.open(f"if ({condition}) {{")
        self.line(f"const int {name} = 1;")
        begin = len(self.lines)
        write()
        lines = self.lines[begin:]
        self.close()
        self.open("else {")
        self.line(f"const int {name} = 0;")
        self.lines += lines
        self.close()

    def _end(self) -> None:
        """Write a stretch."""
        *sides, shared = self._stretch
        self.lines += shared
        for s, lines in enumerate(sides):
            if s and not (self.mixes and len(sides) == 2) and len(lines) >= SIDES[0][1]:
                self.lines.append("  " * self.depth + BARRIER)
            self.lines += lines
        self._stretch = [[] for _ in self._stretch]
