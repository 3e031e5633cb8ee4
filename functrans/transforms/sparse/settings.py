"""What the user of a sparse derivative asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from functrans._records import record
from functrans.errors import ArgumentError, at_user_line

__all__ = ["Settings"]

FREE_NODES = 4000  # of expressions that compile while a user waits
# nodes of a function that rounds of a loop repeat, from which on they are one: its derivatives have many times as many
ROLLED = FREE_NODES // 16
_CHOICES = {
    "method": ("auto", "direct", "compressed"),
    "partition": ("auto", "column", "row", "bidirectional"),
    "format": ("csr", "csc", "coo"),
    "triangle": ("full", "lower", "upper"),
}


@record
class Settings:
    """The options of `spjacobian`, `sphessian` and `lagrangian_hessian`, checked where they are given.

    Attributes
    ----------
    what : the transform, for messages
    method, partition, format : as the user gave them
    triangle : which entries of a symmetric matrix are kept
    symmetric : whether the matrix is a Hessian
    given : for each argument a pattern of the user's; None: detect
    check : whether a given pattern is probed
    """

    what: str
    method: str = "auto"
    partition: str = "auto"
    format: str = "csr"
    triangle: str = "full"
    symmetric: bool = False
    given: tuple[Any, ...] | None = None
    check: bool = False

    def __post_init__(self) -> None:
        for name, known in _CHOICES.items():
            value = getattr(self, name)
            if value not in known:
                listed = ", ".join(map(repr, known))
                raise ArgumentError(f"{self.what} {name}={value!r}; expected one of {listed}{at_user_line()}")
        if not isinstance(self.check, bool):
            raise ArgumentError(f"{self.what} check={self.check!r}; expected True or False{at_user_line()}")


def given_patterns(pattern: Any, at: int | Sequence[int], what: str) -> tuple[Any, ...] | None:
    """The user's patterns, one for each of several argnums."""
    if pattern is None:
        return None
    if isinstance(at, int):
        return (pattern,)
    if not isinstance(pattern, (tuple, list)) or len(pattern) != len(at):
        raise ArgumentError(
            f"{what} pattern: with argnums={at} expected a sequence of {len(at)} patterns, got "
            f"{type(pattern).__name__}{at_user_line()}"
        )
    return tuple(pattern)
