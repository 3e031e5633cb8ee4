"""Static arguments of a compiled function: which they are, and what their values are found by."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Iterable
from typing import Any

import numpy as np

from functrans.errors import ArgumentError, at_user_line
from functrans.tensor import Tensor
from functrans.trace import name_of


def exact(value: Any) -> Hashable:
    """Equal for values that are the same in every use: 1, 1.0 and True are three, 0.0 and -0.0 two, one NaN is one."""
    if isinstance(value, Tensor):  # found by identity, it would be a signature for each call
        raise TypeError(type(value))
    kind: Any = type(value)
    if isinstance(value, tuple) and kind.__eq__ is tuple.__eq__:
        return kind, tuple(map(exact, value))
    if kind is frozenset:
        return kind, frozenset(map(exact, value))
    return type(value), repr(value) if isinstance(value, (float, complex)) else value


def positions(given: Any, what: str, least: int = 0) -> int | tuple[int, ...]:
    """Positions of arguments as Python's ints: one, or a tuple of so many at least; ArgumentError for anything else."""
    many = isinstance(given, Iterable) and not isinstance(given, str)
    items = tuple(given) if many else (given,)
    if len(items) < least or any(isinstance(k, bool) or not isinstance(k, (int, np.integer)) for k in items):
        raise ArgumentError(f"{what}={given!r}; expected an int or a tuple of ints{at_user_line()}")
    return tuple(map(int, items)) if many else int(given)


def static_arguments(f: Callable[..., Any], argnums: Any, argnames: Any) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Static arguments by position and by name: an argument that has both is static however it is passed."""
    names, nums = _several(argnames), positions(argnums, "jit static_argnums")
    nums = (nums,) if isinstance(nums, int) else nums
    if not all(isinstance(n, str) for n in names):
        raise ArgumentError(f"jit static_argnames must be strings, but got {argnames!r}{at_user_line()}")
    try:
        known = list(inspect.signature(f).parameters.values())
    except (TypeError, ValueError):
        return nums, names
    kinds = {p.kind for p in known}
    fixed = inspect.Parameter.VAR_POSITIONAL not in kinds
    places = [p for p in known if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if fixed and any(not -len(places) <= k < len(places) for k in nums):
        raise ArgumentError(
            f"jit static_argnums={argnums!r}, but {name_of(f)} takes {len(places)} positional arguments{at_user_line()}"
        )
    keywords = [p.name for p in known if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    if inspect.Parameter.VAR_KEYWORD not in kinds and not set(names) <= set(keywords):
        raise ArgumentError(
            f"jit static_argnames={argnames!r}, but the keywords of {name_of(f)} are {keywords}{at_user_line()}"
        )
    nums = tuple(k % len(places) for k in nums) if fixed else nums
    both = [k for k, p in enumerate(places) if p.kind is p.POSITIONAL_OR_KEYWORD]
    if not names:
        names = tuple(places[k].name for k in both if k in nums)
    elif not nums:
        nums = tuple(k for k in both if places[k].name in names)
    return nums, names


def _several(given: Any) -> tuple[Any, ...]:
    return tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
