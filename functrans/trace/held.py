"""Arguments that are no arrays, where a transform has nothing to do with them: words, functions, dtypes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

from functrans import tree
from functrans._records import record
from functrans.trace.arguments import ShapeDtype, holds, is_array

__all__ = ["held", "others"]

Call = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]


@record(eq=True)
class _Held:
    """A value as a tree without leaves."""

    value: Any


tree.register_pytree(_Held, lambda h: ((), h.value), lambda value, _: _Held(value))


def held(f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], free: Sequence[bool]) -> Call:
    """A function and its arguments of which those leaves that are free, and no arrays, are part of the structure.

    The function takes them as they were. Linear in the leaves.
    """
    leaves, treedef = tree.flatten((tuple(args), kwargs))
    kept = [is_free and _is_other(leaf) for leaf, is_free in zip(leaves, free, strict=True)]
    if not any(kept):
        return f, tuple(args), kwargs
    own, named = treedef.unflatten([_Held(x) if is_kept else x for x, is_kept in zip(leaves, kept, strict=True)])

    @functools.wraps(f)
    def function(*given: Any, **more: Any) -> Any:
        given, more = tree.map(_value, (given, more), is_leaf=lambda x: isinstance(x, _Held))
        return f(*given, **more)

    return function, own, named


def others(args: Sequence[Any], kwargs: dict[str, Any], chosen: Sequence[int]) -> list[bool]:
    """Of each leaf of the arguments whether it belongs to none of the chosen ones."""
    free = [k not in chosen for k, a in enumerate(args) for _ in tree.leaves(a)]
    return free + [True for _ in tree.leaves(kwargs)]


def _value(x: Any) -> Any:
    return x.value if isinstance(x, _Held) else x


def _is_other(leaf: Any) -> bool:
    if isinstance(leaf, (type, Enum)):
        return True
    if is_array(leaf) or isinstance(leaf, ShapeDtype) or hasattr(leaf, "__array__") or hasattr(leaf, "__dlpack__"):
        return False
    return not holds(leaf)
