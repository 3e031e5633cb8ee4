"""Functions as other libraries call them: arrays in, arrays out, and what is derived of them kept by key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np

from functrans import tree
from functrans.trace import ShapeDtype, Traced, name_of
from functrans.transforms.jit import Compiled, Lowered, jit
from functrans.transforms.jvp import jvp
from functrans.transforms.vjp import vjp
from functrans.transforms.vmap import vmap

__all__ = ["FlatFunction", "Kinds", "as_list", "of_leaves", "pulled", "pushed"]

Kinds = tuple[tuple[tuple[int, ...], np.dtype[Any]], ...]
"""Shapes and dtypes of arrays."""


class FlatFunction:
    """A function of arrays to a pytree of arrays, and those derived of it: each once, so that they are known again.

    Attributes
    ----------
    call : the function
    name : of it, for messages
    """

    def __init__(self, call: Callable[..., Any], name: str) -> None:
        self.call, self.name = call, name
        self._derived: dict[Any, Self] = {}
        self._lowered: dict[Kinds, Lowered] = {}
        self._compiled: dict[Kinds, Compiled] = {}

    def __repr__(self) -> str:
        return self.name

    def derived(self, key: Any, make: Callable[[], Callable[..., Any]]) -> Self:
        """The function that is made of this one so, the same each time."""
        if key not in self._derived:
            self._derived[key] = type(self)(make(), f"{key[0]} of {self.name}")
        return self._derived[key]

    def mapped(self, axes: tuple[int | None, ...]) -> Self:
        """The function under `vmap`, the batch in front of every result."""
        return self.derived(("vmap", axes), lambda: vmap(lambda *a: as_list(self.call(*a)), in_axes=axes))

    def traced(self, kinds: Kinds) -> Traced:
        """The graph for arguments of these shapes and dtypes, and the structure of the results."""
        if kinds not in self._lowered:
            self._lowered[kinds] = jit(self.call).lower(*(ShapeDtype(*kind) for kind in kinds))
        return self._lowered[kinds].traced

    def compiled(self, kinds: Kinds) -> Compiled:
        """The code for arguments of these shapes and dtypes."""
        if kinds not in self._compiled:
            self.traced(kinds)
            self._compiled[kinds] = self._lowered[kinds].compile()
        return self._compiled[kinds]

    def results(self, kinds: Kinds) -> Kinds:
        """Shapes and dtypes of the results."""
        return tuple((o.sized, o.dtype.numpy) for o in self.traced(kinds).outputs)


def of_leaves(f: Callable[..., Any], structure: tree.TreeDef) -> tuple[Callable[..., Any], str]:
    """A function of the leaves of its arguments, which are ``(args, kwargs)``; and its name."""

    def call(*leaves: Any) -> Any:
        args, kwargs = structure.unflatten(list(leaves))
        return f(*args, **kwargs)

    return call, name_of(f)


def as_list(value: Any) -> list[Any]:
    """The leaves of a pytree."""
    return tree.flatten(value)[0]


def pushed(call: Callable[..., Any], n: int, moved: tuple[int, ...], smooth: tuple[int, ...]) -> Callable[..., Any]:
    """From n arguments and tangents of those that are ``moved`` to the tangents of the results ``smooth``."""

    def tangents(*given: Any) -> Any:
        part = _part(call, given[:n], moved, smooth)
        return jvp(part, tuple(given[k] for k in moved), tuple(given[n:]))[1]

    return tangents


def pulled(call: Callable[..., Any], n: int, wanted: tuple[int, ...], smooth: tuple[int, ...]) -> Callable[..., Any]:
    """From n arguments and cotangents of the results ``smooth`` to those of the arguments ``wanted``.

    Of complex numbers they are the conjugates of those of `vjp`, as in PyTorch.
    """

    def cotangents(*given: Any) -> list[Any]:
        part = _part(call, given[:n], wanted, smooth)
        found = vjp(part, *(given[k] for k in wanted))[1](list(map(np.conj, given[n:])))
        return list(map(np.conj, found))

    return cotangents


def _part(call: Callable[..., Any], fixed: Sequence[Any], free: tuple[int, ...], some: tuple[int, ...]) -> Any:
    """Some results as a function of some arguments."""

    def part(*values: Any) -> list[Any]:
        whole = list(fixed)
        for k, value in zip(free, values, strict=True):
            whole[k] = value
        found = as_list(call(*whole))
        return [found[k] for k in some]

    return part
