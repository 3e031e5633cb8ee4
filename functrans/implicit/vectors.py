"""A pytree of arrays as one vector, and back."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

import functrans.numpy as fnp
from functrans import dtypes, tree
from functrans._records import record
from functrans.errors import ArgumentError, ShapeError, at_user_line
from functrans.tensor.core import Tensor
from functrans.tensor.lift import lift


@record
class Layout:
    """Structure, shapes and dtypes of a pytree, and the dtype of its vector."""

    treedef: tree.TreeDef
    specs: tuple[tuple[tuple[int, ...], np.dtype[Any]], ...]
    dtype: np.dtype[Any]

    @property
    def size(self) -> int:
        """The number of elements of the vector."""
        return sum(prod(shape) for shape, _ in self.specs)

    def vector(self, value: Any) -> Tensor:
        """The leaves one behind the other."""
        return joined(tree.leaves(value), self.dtype)

    def tree(self, vector: Any) -> Any:
        """The pytree of a vector."""
        found, start = [], 0
        for shape, dtype in self.specs:
            found.append(vector[start : start + prod(shape)].reshape(shape).astype(dtype))
            start += prod(shape)
        return self.treedef.unflatten(found)


def layout_of(value: Any, name: str) -> Layout:
    """The layout of a pytree of numbers; integers and bools become float64."""
    leaves, treedef = tree.flatten(value)
    if not leaves:
        raise ArgumentError(f"{name} holds no arrays{at_user_line()}")
    nodes = [lift(x) for x in leaves]
    kinds = [u.dtype.numpy if dtypes.is_inexact(u.dtype) else np.dtype(np.float64) for u in nodes]
    specs = tuple((tuple(u.sized), d) for u, d in zip(nodes, kinds, strict=True))
    return Layout(treedef, specs, np.result_type(*kinds))


def joined(leaves: Sequence[Any], dtype: np.dtype[Any]) -> Tensor:
    """Arrays one behind the other, as a vector of the dtype."""
    parts = [Tensor.from_uop(lift(x)).astype(dtype).reshape(-1) for x in leaves]
    return parts[0] if len(parts) == 1 else fnp.concatenate(parts)


def like(given: Any, layout: Layout, what: str) -> Tensor:
    """The vector of what a function returns in the place of b."""
    leaves = tree.flatten_like(given, layout.treedef)
    if leaves is None:
        raise ArgumentError(
            f"{what} has the structure {tree.structure(given)}; expected {layout.treedef}{at_user_line()}"
        )
    shapes = [tuple(x.shape) if hasattr(x, "shape") else () for x in leaves]
    if shapes != [s for s, _ in layout.specs]:
        raise ShapeError(f"{what} has shapes {shapes}; expected {[s for s, _ in layout.specs]}{at_user_line()}")
    return joined(leaves, layout.dtype)
