"""Whether the entries of a pattern can be counted and held: asked before they are made."""

from __future__ import annotations

import os

from functrans.errors import OutOfMemory, at_user_line
from functrans.transforms.sparse.entries import INT32_MAX

BYTES = 32  # of an entry on the way: rows, columns, marks and the copies that a sort takes
_INSTEAD = (
    "use J.linear_operator(...) for products with the matrix, ft.jvp and ft.vjp for derivatives along directions, or "
    "pattern= for a part of the entries"
)


def check_room(entries: int) -> None:
    """OutOfMemory where so many entries are more than int32 indices count or than this machine holds."""
    if entries > room():
        why = f"int32 indices count to {INT32_MAX}" if entries > INT32_MAX else f"this machine has room for {room()}"
        raise OutOfMemory(
            f"the sparsity pattern needs at least {entries} entries, and {why}{at_user_line()}; {_INSTEAD}"
        )


def room() -> int:
    """How many entries there may be."""
    return min(memory() // BYTES, INT32_MAX)


def check_array(size: int, what: str) -> None:
    """OutOfMemory where detection would number more elements of an array than int32 numbers or this machine hold."""
    if size > room():
        raise OutOfMemory(
            f"the sparsity pattern cannot be detected: {what} has {size} elements, each with a number of its own"
            f"{at_user_line()}; {_INSTEAD}"
        )


def memory() -> int:
    """The bytes of memory of this machine, where it tells; else as many as there may be."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 2**62
