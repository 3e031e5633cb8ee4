"""What every solver is given: times, a state to begin with, and the user's derivative of it, checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import functrans.numpy as fnp
from functrans import dtypes, tree
from functrans.errors import ArgumentError, DtypeError, ShapeError, at_user_line
from functrans.ops.weak import is_weak_node
from functrans.tensor.core import Tensor
from functrans.trace import results

Slope = Callable[[Any, Any], Any]
"""A time and a state to the derivative of the state."""


def times_of(t: Any) -> Any:
    """Times as they are given: numbers in a list or tuple are an array, no pytree."""
    if isinstance(t, (list, tuple)) and all(isinstance(x, (int, float, np.number)) for x in t):
        return np.asarray(t)
    return t


def start(t: Any, y0: Any, what: str) -> tuple[Tensor, Any]:
    """Times in the precision of the state, and a state of inexact numbers."""
    if not isinstance(t, Tensor):
        raise ArgumentError(
            f"t of {what} is a {type(t).__name__}; expected an array of times, or a list of numbers; of Tensors "
            f"make one by fnp.stack{at_user_line()}"
        )
    if t.ndim != 1 or not t.shape[0]:
        raise ShapeError(
            f"t of {what} has shape {t.shape}; expected (m,) with m >= 1: the time to begin with, and those at which "
            f"y is wanted{at_user_line()}"
        )
    if t.uop.dtype.kind not in "iuf":
        raise DtypeError(f"t of {what} is {t.uop.dtype.name}; expected real numbers{at_user_line()}")
    if not tree.leaves(y0):
        raise ArgumentError(f"y0 of {what} holds no arrays{at_user_line()}")
    y = tree.map(lambda x: x if dtypes.is_inexact(x.uop.dtype) else x.astype(np.float64), y0)
    return t.astype(np.result_type(*(_real(x.dtype) for x in tree.leaves(y)))), y


def _real(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return np.zeros((), dtype).real.dtype


def slope_of(f: Callable[..., Any], args: Sequence[Any], what: str) -> Slope:
    """The user's function of time and state; raises for a derivative that is not like the state."""

    def slope(t: Any, y: Any) -> Any:
        old, treedef = tree.flatten(y)
        given = f(t, y, *args)
        found = tree.flatten_like(given, treedef)
        if found is None or any(d is None for d in found):
            raise ArgumentError(
                f"f of {what} returns the structure {tree.structure(given)} for y of {treedef}{at_user_line()}; return "
                "the derivative of each part of y in the same place, an array by fnp.stack"
            )
        names = tree.paths(y, "y")
        return treedef.unflatten([_like(d, x, name, what) for d, x, name in zip(found, old, names, strict=True)])

    return slope


def _like(derivative: Any, x: Tensor, name: str, what: str) -> Tensor:
    (node,), _ = results(derivative, what)
    if node.shape != x.shape:
        raise ShapeError(
            f"f of {what} gives a derivative of shape {node.shape} for {name} of shape {x.shape}{at_user_line()}"
        )
    if node.dtype != x.uop.dtype and not is_weak_node(node) and np.result_type(node.dtype.numpy, x.dtype) != x.dtype:
        raise DtypeError(
            f"f of {what} gives a derivative of {node.dtype.name} for {name} of {x.dtype}{at_user_line()}; convert y0, "
            f"as in y0.astype('{node.dtype.name}'), or what f computes with"
        )
    return Tensor.from_uop(node).astype(x.dtype)


def moved(y: Any, h: Any, weights: Sequence[float], slopes: Sequence[Any]) -> Any:
    """``y + h * sum(weight * slope)``, in y's dtypes; weights that are zero cost nothing."""
    return tree.map(lambda x, d: (x + d).astype(x.dtype), y, _unrounded(h, weights, slopes))


def combined(h: Any, weights: Sequence[float], slopes: Sequence[Any]) -> Any:
    """``h * sum(weight * slope)``, in the dtypes of slopes."""
    return tree.map(lambda d, k: d.astype(k.dtype), _unrounded(h, weights, slopes), slopes[0])


def _unrounded(h: Any, weights: Sequence[float], slopes: Sequence[Any]) -> Any:
    """By one multiply-add a term: the first weight is a factor of the length, the same for all numbers of a state."""
    (first, *rest), leading = [w for w in weights if w], [k for w, k in zip(weights, slopes, strict=True) if w]
    scaled = h * first

    def leaf(k: Tensor, *ks: Tensor) -> Tensor:
        return scaled * total([k, *((w / first) * q for w, q in zip(rest, ks, strict=True))])  # type: ignore[no-any-return]

    return tree.map(leaf, *leading)


def total(terms: Sequence[Any]) -> Any:
    """A sum from the first to the last."""
    first, *rest = terms
    return sum(rest, first)


def chosen(condition: Any, a: Any, b: Any) -> Any:
    """``a`` where the condition holds, else ``b``, leaf by leaf."""
    return tree.map(lambda x, y: fnp.where(condition, x, y), a, b)


def stacked(first: Any, rest: Any) -> Any:
    """The states of all times: that of the first one, and those of the others along an axis."""
    return tree.map(lambda x, xs: fnp.concatenate([x[None], xs]), first, rest)
