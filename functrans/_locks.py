"""Locks that save work and never stop it: for one thread twice, for a forked process, for threads in a circle.

A signal handler, or a ``__del__`` that the collector runs, may call functrans in the middle of a call of functrans, on
the same thread. What a `ForkLock` guards is right without it, done twice at worst: that is the rule for all code under
one (decision 0109).
"""

from __future__ import annotations

import os
import threading
import weakref

__all__ = ["ForkLock"]

_LOOK = 0.05  # seconds after which a thread that waits looks whether it waits for itself


class ForkLock:
    """A lock for ``with``, which the thread that holds it enters again.

    Another thread waits, unless the holder waits for it in turn, over any number of locks: then it enters as well,
    since neither would go on. In a forked child the locks of threads that do not exist there are open, and those of
    the thread that forked are held as before.

    >>> lock = ForkLock()
    >>> with lock, lock:
    ...     pass
    """

    __slots__ = ("__weakref__", "_inner", "_owner", "_passed")

    def __init__(self) -> None:
        self._inner = threading.RLock()
        self._owner = 0  # the thread that took it last
        self._passed: list[int] = []  # threads that entered without it, innermost last
        _all.add(self)

    def __enter__(self) -> None:
        """Wait for the lock and take it."""
        if not self._inner.acquire(blocking=False):
            me = threading.get_ident()
            waits = _waits.setdefault(me, [])
            waits.append(self)
            try:
                while not self._inner.acquire(timeout=_LOOK):
                    if self._waits_for_us(me):
                        self._passed.append(me)
                        return
            finally:
                waits.pop()
                if not waits:
                    _waits.pop(me, None)
        self._owner = threading.get_ident()

    def __exit__(self, *exception: object) -> None:
        """Give the lock back."""
        me = threading.get_ident()
        if me in self._passed:  # only who does not hold it has passed it
            self._passed.remove(me)
        else:
            self._inner.release()

    def _waits_for_us(self, me: int) -> bool:
        """Whether the holder waits, over some locks, for one that this thread holds."""
        seen: set[ForkLock] = set()
        todo = [self]
        while todo:
            lock = todo.pop()
            if lock in seen:
                continue
            seen.add(lock)
            if lock is not self and _is_ours(lock):
                return True
            todo += _waits.get(lock._owner, ()) if lock._owner != me else ()
        return False

    def after_fork(self) -> None:
        """In the child of a fork: open, unless the thread that forked holds it."""
        if not _is_ours(self):
            self._inner = threading.RLock()
            self._owner = 0
        me = threading.get_ident()
        self._passed = [thread for thread in self._passed if thread == me]


def _is_ours(lock: ForkLock) -> bool:
    """Whether the calling thread holds a lock, to the instruction: `_owner` is a moment late."""
    return bool(lock._inner._is_owned())  # type: ignore[attr-defined]


_all: weakref.WeakSet[ForkLock] = weakref.WeakSet()
_waits: dict[int, list[ForkLock]] = {}  # by thread: the locks it waits for, that of the innermost call last


def _after_fork() -> None:
    me = threading.get_ident()
    for thread in [t for t in _waits if t != me]:
        del _waits[thread]
    for lock in list(_all):
        lock.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
