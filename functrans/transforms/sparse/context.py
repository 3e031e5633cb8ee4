"""The context of the rules of detection: constants, a cache of row numbers, and notes on undecided dependences."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

from functrans.ops.uop import UOp
from functrans.transforms.sparse import structure
from functrans.transforms.sparse.constants import Constants
from functrans.transforms.sparse.rows import Rows
from functrans.transforms.sparse.structure import Structure

Sources = Sequence[Structure | None]


class Context:
    """The context of a rule.

    constants : those of the graph
    rows : the table that the inputs number
    values : also follow dependence without derivative: comparisons, integers, computed indices
    certain : follow no dependence that is only possible, as of what a computed index reads
    notes : where the result is larger than it might be
    """

    def __init__(self, constants: Constants, rows: Rows, values: bool, certain: bool = False) -> None:
        self.constants, self.rows, self.values, self.certain = constants, rows, values, certain
        self.notes: list[str] = []
        self._shared: dict[Any, tuple[tuple[weakref.ref[Structure], ...], weakref.ref[Structure]]] = {}

    def once(self, key: Any, items: Sequence[Structure], make: Callable[[], Structure]) -> Structure:
        """What ``make`` gives for the items, or what it gave for the very same ones while that is alive."""
        full_key = (key, *map(id, items))
        entry = self._shared.get(full_key)
        if entry is not None and all(r() is s for r, s in zip(entry[0], items, strict=True)):
            alive = entry[1]()
            if alive is not None:
                return alive
        made = make()
        self._shared[full_key] = (tuple(map(weakref.ref, items)), weakref.ref(made))
        return made

    def united(self, items: Sources) -> Structure | None:
        """The elementwise union of those that there are."""
        distinct = list({id(s): s for s in items if s is not None}.values())
        if len(distinct) < 2:
            return distinct[0] if distinct else None
        return self.once("union", distinct, lambda: structure.union(distinct))

    def reduced(self, s: Structure, axes: tuple[int, ...]) -> Structure:
        """The union over axes, which disappear."""
        return self.once(("reduce", axes), [s], lambda: structure.reduce(s, axes)) if axes else s

    def moved(self, key: Any, sources: Sources, move: Callable[..., Any]) -> Structure | None:
        """Row numbers of all sources over one table, moved as the values are; 0 stands for a missing source."""
        present = [s for s in sources if s is not None]
        if not present:
            return None

        def make() -> Structure:
            rows, numbers = structure.common(sources, self.rows)
            return Structure(rows, move(*numbers))

        return self.once((key, tuple(s is None for s in sources)), present, make)

    def note(self, node: UOp, text: str) -> None:
        """Announce where the pattern is larger than it might be."""
        self.notes.append(f"{node.op.name} {node.shape}: {text}")
