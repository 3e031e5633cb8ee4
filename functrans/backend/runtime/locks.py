"""Locks that a forked process finds open."""

from __future__ import annotations

import os
import threading
import weakref

__all__ = ["ForkLock"]


class ForkLock:
    """A lock for ``with``, made anew in a forked child.

    A thread of the parent that holds a lock at the time of a fork does not exist in the child, where the
    lock would stay shut for ever.

    >>> with ForkLock():
    ...     pass
    """

    __slots__ = ("__weakref__", "_lock")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        _all.add(self)

    def __enter__(self) -> None:
        """Wait for the lock and take it."""
        self._lock.acquire()

    def __exit__(self, *exception: object) -> None:
        """Give the lock back."""
        self._lock.release()

    def reset(self) -> None:
        """Open the lock, whoever held it."""
        self._lock = threading.Lock()


_all: weakref.WeakSet[ForkLock] = weakref.WeakSet()


def _open_all() -> None:
    for lock in list(_all):
        lock.reset()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_open_all)
