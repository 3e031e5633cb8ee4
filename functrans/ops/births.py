"""Which nodes came into being while a branch was traced, and so belong to it."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from functrans.ops import origin
from functrans.ops.uop import UOp

_where: weakref.WeakKeyDictionary[UOp, object] = weakref.WeakKeyDictionary()


class _Open(threading.local):
    def __init__(self) -> None:
        self.branches: tuple[object, ...] = ()


_open = _Open()


@contextmanager
def branch() -> Iterator[Callable[[UOp], bool]]:
    """Within this new nodes belong to a branch. What is given tells whether a node does.

    A node that an ended branch made counts too, should it still live: equal nodes are one, whoever makes them. What a
    branch around this one has made, or no branch, does not.
    """
    around, me = _open.branches, object()
    _open.branches = (*around, me)
    try:
        with origin.told(_born):
            yield lambda node: (where := _where.get(node)) is not None and where not in around
    finally:
        _open.branches = around


def _born(node: UOp) -> None:
    if _open.branches:  # another thread may be the one that asked
        _where[node] = _open.branches[-1]
