"""C functions that go through the same loop in different ways, of which one more function calls one or the other."""

from __future__ import annotations

from collections.abc import Iterable

from functrans.backend.codegen.regions.lanes import LaneWriter


class Ways:
    """What they take together; ``name`` is the function that calls them."""

    def __init__(self, name: str, ways: dict[str, LaneWriter]) -> None:
        self.name, self._ways = name, list(ways.values())
        for kind, way in ways.items():
            way.name = f"{name}_{kind}"

    @property
    def functions(self) -> list[str]:
        """Functions that they call."""
        return [f for way in self._ways for f in way.functions]

    @property
    def scratch(self) -> int:
        """The bytes of scratch memory."""
        return max(way.scratch for way in self._ways)


def handed_on(head: Iterable[str]) -> str:
    """The C of the arguments that are these parameters."""
    return ", ".join(p.split()[-1].lstrip("*") for p in head)
