"""What the passes left, as the data of a page: each node of each pass, and the lines of C that it became."""

from __future__ import annotations

import linecache
import os
from collections import Counter
from collections.abc import Iterable
from typing import Any

from functrans.ops.enums import Ops
from functrans.ops.origin import ancestors, place_of
from functrans.ops.passes import Recorded, Stage
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent

MAX_NODES = 20_000  # of one pass that are part of the page
_CHAIN = 500  # nodes that are followed from a statement back to where it comes from
_MAX_CHARACTERS = 240  # of an argument

Intervals = list[tuple[int, int]]


class Table:
    """Strings, each written once and known by its number."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._number: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        """The number of a string."""
        if text not in self._number:
            self._number[text] = len(self.texts)
            self.texts.append(text)
        return self._number[text]


def data_of(units: Iterable[Recorded]) -> dict[str, Any]:
    """All that the page shows, to be written as JSON. Linear in nodes times passes."""
    table = Table()
    shown = [_Unit(unit, table).data() for unit in units]
    return {"units": shown, "texts": table.texts}


class _Unit:
    def __init__(self, unit: Recorded, table: Table) -> None:
        self.unit, self.table = unit, table
        self.lines: dict[str | None, dict[UOp, set[int]]] = {None: {}}  # by kernel; None: of graphs
        self.sources: dict[UOp, list[int]] = {}  # the nodes of the first pass that a node of a graph is made of
        self.first = {u: k for k, u in enumerate(toposort(unit.stages[0].nodes))}
        for kernel, statements in unit.lines.items():
            own = self.lines.setdefault(kernel, {})
            for statement, a, b in statements:
                here = set(range(a, b))
                start = statement.src[0] if statement.op in (Ops.ENDRANGE, Ops.ENDIF) else statement  # one with its end
                for u in ancestors(start, unit.of_kernel.get(kernel, {}), unit.lineage, most=_CHAIN):
                    own.setdefault(u, set()).update(here)
                    self.lines[None].setdefault(u, set()).update(here)

    def data(self) -> dict[str, Any]:
        passes: list[dict[str, Any]] = []
        last: dict[str | None, Stage] = {}
        for stage in self.unit.stages:
            before = last.get(stage.kernel)
            made = (
                {"name": stage.name, "kernel": stage.kernel, "same": True}
                if before is not None and before.nodes == stage.nodes
                else self._pass(stage, before)
            )
            passes.append({**made, "does": stage.does})
            last[stage.kernel] = stage
        return {"title": self.unit.title, "c": self.unit.c_text, "passes": passes}

    def _pass(self, stage: Stage, before: Stage | None) -> dict[str, Any]:
        every = nodes_of(stage)
        nodes = nearest(stage.nodes, every) if stage.kernel is None else every[:MAX_NODES]
        place: dict[UOp, int] = {}
        depth, depths, rows = 0, [], []
        for k, u in enumerate(nodes):
            depth -= u.op in (Ops.ENDRANGE, Ops.ENDIF)
            depths.append(depth)
            depth += stage.kernel is not None and u.op in (Ops.RANGE, Ops.IF)
            rows.append(self._row(u, place, stage.kernel))
            place[u] = k
        roots = [] if stage.kernel else [place[u] for u in stage.nodes]
        found = {"name": stage.name, "kernel": stage.kernel, "rows": rows, "roots": roots, "total": len(every)}
        if before is not None:
            new, gone = changed(nodes_of(before), every)
            found |= {"new": [place[u] for u in new if u in place], "gone": gone}
        return found if stage.kernel is None else {**found, "depths": depths}

    def _row(self, u: UOp, place: dict[UOp, int], kernel: str | None) -> list[Any]:
        """Op, dtype, shape, argument, sources, open ranges, the user's line, lines of C, nodes of the first pass."""
        text = self.table
        free = ", ".join(sorted(f"r{_name(r)} < {_extent(r)}" for r in u.free_ranges))
        shape = "" if u.shape is None else "×".join(map(str, u.shape)) or "scalar"
        return [
            text(u.op.name),
            text(u.dtype.name),
            text(shape),
            text(_argument(u, "r" if kernel is None else "i")),
            [place[s] for s in u.src if s in place],
            text(free if kernel is None else ""),
            self._place(u, kernel),
            intervals(self.lines[kernel].get(u, ())) if kernel in self.lines else [],
            self._made_of(u, kernel),
        ]

    def _made_of(self, u: UOp, kernel: str | None) -> list[int]:
        if kernel is None and u in self.sources:
            return self.sources[u]
        own = {} if kernel is None else self.unit.of_kernel.get(kernel, {})
        found = [self.first[v] for v in ancestors(u, own, self.unit.lineage, most=_CHAIN) if v in self.first]
        if kernel is None:
            self.sources[u] = found
        return found

    def _place(self, u: UOp, kernel: str | None) -> int:
        """File, line and text of the user's code, 0 where they are not known."""
        own = self.unit.of_kernel.get(kernel or "", {})
        nodes = (u,) if kernel is None else ancestors(u, own, self.unit.lineage, most=_CHAIN)
        known = next((p for v in nodes if (p := place_of(v)) is not None), None)
        if known is None:
            return self.table("")
        file, line = known
        return self.table(f"{os.path.basename(file)}:{line}  {linecache.getline(file, line).strip()}".rstrip())


def nodes_of(stage: Stage) -> list[UOp]:
    """All nodes of a graph, or the statements of a kernel."""
    return toposort(stage.nodes) if stage.kernel is None else list(stage.nodes)


def changed(before: list[UOp], after: list[UOp]) -> tuple[list[UOp], int]:
    """The nodes that a pass made, and how many it removed.

    A node counts as kept where one with the same op, argument, dtype and ops of sources was there: one that is new for
    the sources of its sources alone does the same as before.
    """
    had = Counter(map(_face, before))
    made = []
    for u in after:
        face = _face(u)
        if had[face] > 0:
            had[face] -= 1
        else:
            made.append(u)
    return made, had.total()


def _face(u: UOp) -> tuple[Any, ...]:
    return u.op, repr(u.arg), u.dtype, tuple(s.op for s in u.src)


def nearest(roots: list[UOp], order: list[UOp]) -> list[UOp]:
    """Of a graph too large to be shown the nodes nearest to its roots, in order."""
    if len(order) <= MAX_NODES:
        return order
    kept = dict.fromkeys(roots)
    edge = list(kept)
    while edge and len(kept) < MAX_NODES:
        edge = list(dict.fromkeys(s for u in edge for s in u.src if s not in kept))[: MAX_NODES - len(kept)]
        kept.update(dict.fromkeys(edge))
    return [u for u in order if u in kept]


def intervals(lines: Iterable[int]) -> Intervals:
    """Lines as runs, first and last.

    >>> intervals({3, 4, 5, 9})
    [(3, 5), (9, 9)]
    """
    runs: Intervals = []
    for n in sorted(lines):
        if runs and runs[-1][1] == n - 1:
            runs[-1] = (runs[-1][0], n)
        else:
            runs.append((n, n))
    return runs


def _argument(u: UOp, prefix: str) -> str:
    if u.op is Ops.RANGE:
        return f"{prefix}{_name(u)} < {_extent(u)}, {u.arg[1].name}"
    text = "" if u.arg is None else repr(u.arg)
    return text if len(text) <= _MAX_CHARACTERS else f"{text[:_MAX_CHARACTERS]} ... ({len(text)} characters)"


def _name(r: UOp) -> str:
    number = r.arg[0]
    return str(number[1] if isinstance(number, tuple) else number)


def _extent(r: UOp) -> str:
    return str(extent(r)) if r.src[0].op is Ops.CONST else "run time"
