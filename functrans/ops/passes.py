"""What a graph is after each pass: checked against the spec, printed at debug level 6, kept for who wants to see it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from functrans._records import record
from functrans.debug import log
from functrans.ops import origin
from functrans.ops.kernel import listing
from functrans.ops.origin import Lineage
from functrans.ops.printer import to_text
from functrans.ops.spec import check, check_linear
from functrans.ops.uop import UOp


@record
class Stage:
    """What one pass left, the roots of a graph or the statements of a kernel, and a sentence on what the pass does."""

    name: str
    nodes: list[UOp]
    kernel: str | None = None
    does: str = ""


class Passes:
    """Told of the result of every pass, which it hands back; keeps nothing."""

    def graph(self, name: str, stage: str, roots: list[UOp], does: str = "") -> list[UOp]:
        """The roots that the pass left, a graph of the given stage of the spec."""
        log(6, lambda: f"after {name}\n{to_text(*roots)}")
        return check(roots, stage, name)

    def statements(self, name: str, kernel: str, uops: list[UOp], whole: bool = False, does: str = "") -> list[UOp]:
        """The statements that a pass left of a kernel; ``whole`` if none of them is missing any more."""
        log(6, lambda: f"{kernel} after {name}\n{listing(uops)}")
        return check_linear(uops, f"{name} of {kernel}") if whole else uops

    def decided(self, decisions: list[Any]) -> None:
        """What a pass has decided by cost, and why."""
        log(3, lambda: "".join(f"\n  {d}" for d in decisions).lstrip("\n") or "no buffer to decide about")

    def kernel(self, name: str) -> Any:
        """Within this the statements of a kernel are made."""
        return nullcontext()


SILENT = Passes()


@dataclass
class Recorded(Passes):
    """Keeps what the passes left, their decisions, and which node was made of which."""

    stages: list[Stage] = field(default_factory=list)
    decisions: list[Any] = field(default_factory=list)
    lineage: Lineage = field(default_factory=dict)  # of graphs
    of_kernel: dict[str, Lineage] = field(default_factory=dict)  # of statements: one may stand in several kernels
    find_text: Callable[[], str] = str
    find_lines: Callable[[], dict[str, list[tuple[UOp, int, int]]]] = dict
    title: str = ""

    @cached_property
    def c_text(self) -> str:
        """The C, written when first asked for."""
        return self.find_text()

    @cached_property
    def lines(self) -> dict[str, list[tuple[UOp, int, int]]]:
        """Of each kernel, statement by statement, the lines of the C; found when first asked for."""
        return self.find_lines()

    def graph(self, name: str, stage: str, roots: list[UOp], does: str = "") -> list[UOp]:
        """Keep the roots."""
        self.stages.append(Stage(name, roots, None, does))
        return super().graph(name, stage, roots)

    def statements(self, name: str, kernel: str, uops: list[UOp], whole: bool = False, does: str = "") -> list[UOp]:
        """Keep the statements."""
        self.stages.append(Stage(name, uops, kernel, does))
        return super().statements(name, kernel, uops, whole)

    def decided(self, decisions: list[Any]) -> None:
        """Keep the decisions."""
        super().decided(decisions)
        self.decisions += decisions

    @contextmanager
    def kernel(self, name: str) -> Iterator[None]:
        """Keep apart which statement of this kernel was made of what."""
        with origin.lineage(self.of_kernel.setdefault(name, {})):
            yield
