"""Tables that keep what was used last, for what is made again at worst.

Threads and signal handlers may use one table at once: each step is one of the dictionary's own.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from typing import Any, TypeVar

__all__ = ["SIGNATURES", "keep", "recall"]

Value = TypeVar("Value")

SIGNATURES = 256
"""The most signatures that one function keeps; another one puts out that which was used longest ago."""


def recall(table: OrderedDict[Any, Value], key: Any) -> Value | None:
    """What a table has under a key, which is now the last one used.

    >>> table = OrderedDict(a=1, b=2)
    >>> recall(table, "a"), list(table)
    (1, ['b', 'a'])
    """
    found = table.get(key)
    if found is not None:
        with suppress(KeyError):  # another thread has just put it out
            table.move_to_end(key)
    return found


def keep(table: OrderedDict[Any, Value], key: Any, value: Value, most: int) -> Value:
    """What a table has under a key from now on: ``value``, or what another thread has put there before. Of more than
    ``most`` the one that was used longest ago goes.

    >>> table = OrderedDict(a=1, b=2)
    >>> keep(table, "c", 3, most=2), list(table)
    (3, ['b', 'c'])
    """
    value = table.setdefault(key, value)
    while len(table) > most:
        with suppress(KeyError):
            table.popitem(last=False)
    return value
