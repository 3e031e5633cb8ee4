"""Constants of a graph, the values that no argument can change: masks, tables of indices, matrices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans.ops.build import const_value
from functrans.ops.enums import GroupOp
from functrans.ops.interpret import interpret
from functrans.ops.uop import UOp


class Constants:
    """The values of the nodes that depend on no PARAM, each evaluated once.

    Parameters
    ----------
    order : the nodes of a graph without brackets, sources first
    wanted : the nodes whose values will be asked for; those that are not constant are passed over
    given : the values of PARAMs that are known, as those of a body in one round of a loop
    """

    def __init__(
        self, order: Iterable[UOp], wanted: Iterable[UOp], given: Mapping[UOp, NDArray[Any]] | None = None
    ) -> None:
        given = given or {}
        self._open: set[UOp] = set()
        for u in order:
            if (u.op in GroupOp.Open and u not in given) or not self._open.isdisjoint(u.src):
                self._open.add(u)
        asked = [u for u in dict.fromkeys(wanted) if u not in self._open and const_value(u) is None]
        self._values = dict(zip(asked, interpret(asked, given), strict=True))
        self._zeros: dict[UOp, NDArray[np.bool_] | None] = {}

    def constant(self, node: UOp) -> bool:
        """Whether the node's value is the same at every call."""
        return node not in self._open

    def value(self, node: UOp) -> NDArray[Any] | None:
        """The value of a wanted node; None where it is not constant."""
        found = self._values.get(node)
        if found is None and node not in self._open:
            single = const_value(node)
            if single is not None:
                return np.broadcast_to(np.asarray(single, node.dtype.numpy), node.sized)
        return found

    def zeros(self, node: UOp) -> NDArray[np.bool_] | None:
        """Where a wanted node is known to be zero; None where that is nowhere. Each term that is multiplied asks."""
        if node not in self._zeros:
            self._zeros[node] = self._looked_for(node)
        return self._zeros[node]

    def _looked_for(self, node: UOp) -> NDArray[np.bool_] | None:
        single = const_value(node)
        if single is not None and single != 0:
            return None
        found = self.value(node)
        if found is None:
            return None
        mask: NDArray[np.bool_] = np.asarray(found == 0)
        return mask if mask.any() else None
