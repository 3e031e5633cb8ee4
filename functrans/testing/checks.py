"""The laws of the transforms as checks of a user's own functions; each raises AssertionError with what differs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from functrans import tree
from functrans.errors import ArgumentError, at_user_line
from functrans.trace import Array
from functrans.transforms.jvp import jvp
from functrans.transforms.vjp import vjp
from functrans.transforms.vmap import vmap

__all__ = ["check_jvp", "check_vjp", "check_vmap"]

_SEED = 7


def leaves_of(value: Any) -> list[Array]:
    """The leaves of a pytree as arrays."""
    return [np.asarray(leaf) for leaf in tree.flatten(value)[0]]


def tolerance(given: float | None, dtype: np.dtype[Any], power: float) -> float:
    """The one that was given, or by default a power of the rounding unit of the dtype."""
    narrow = np.finfo(dtype) if dtype.kind in "fc" else np.finfo(np.float64)
    return float(narrow.eps) ** power if given is None else given


def _alike(got: Any, want: Any, what: str) -> Iterator[tuple[Array, Array, str]]:
    """The leaves side by side, with their names; AssertionError where structures, shapes or dtypes differ."""
    mine, theirs = tree.flatten(got)[1], tree.flatten(want)[1]
    if mine != theirs:
        raise AssertionError(f"{what}: structure {mine}, expected {theirs}")
    for g, w, name in zip(leaves_of(got), leaves_of(want), tree.paths(want, "result"), strict=True):
        if g.shape != w.shape or g.dtype != w.dtype:
            raise AssertionError(f"{what}: {name} is {g.dtype}{list(g.shape)}, expected {w.dtype}{list(w.shape)}")
        yield g, w, name


def _largest(x: Array) -> float:
    return float(np.max(np.abs(x), initial=0.0, where=np.isfinite(x))) if x.dtype.kind != "b" else 0.0


def _noise(values: Any, dtypes: Any) -> list[float]:
    """For each value what rounding of it leaves of a difference quotient; derivatives that are zero do not show it."""
    finest = max((np.finfo(d).eps for d in dtypes if d.kind in "fc"), default=1e-16)
    return [32 * float(finest) ** 0.8 * _largest(v) for v in leaves_of(values)]


def _compare(
    got: Any, want: Any, rtol: float | None, atol: float | None, power: float, what: str, noise: Sequence[float] = ()
) -> None:
    for k, (g, w, name) in enumerate(_alike(got, want, what)):
        near = tolerance(rtol, w.dtype, power)
        floor = near * _largest(w) + (noise[k] if noise else 0.0) if atol is None else atol
        np.testing.assert_allclose(g, w, rtol=near, atol=floor, err_msg=f"{what}: {name}")


def like(rng: np.random.Generator, x: Any) -> Any:
    """A random tangent of an argument; zeros where it does not vary."""
    a = np.asarray(x)
    if a.dtype.kind not in "fc":
        return np.zeros(a.shape)
    t = rng.standard_normal(a.shape)
    if a.dtype.kind == "c":
        t = t + 1j * rng.standard_normal(a.shape)
    return np.asarray(t, a.dtype)


def along(f: Callable[..., Any], args: Sequence[Any], tangents: Sequence[Any], eps: float | None) -> list[Array]:
    """The derivative of every result along tangents, by central differences of fourth order."""
    points, treedef = tree.flatten(tuple(args))
    steps = tree.flatten(tuple(tangents))[0]
    finest = max((np.finfo(np.asarray(p).dtype).eps for p in points if np.asarray(p).dtype.kind in "fc"), default=1e-16)
    h = float(finest) ** 0.2 if eps is None else eps

    def at(k: int) -> list[Array]:
        moved = [
            np.asarray(p + k * h * t, np.asarray(p).dtype) if np.asarray(p).dtype.kind in "fc" else p
            for p, t in zip(points, steps, strict=True)
        ]
        return leaves_of(f(*treedef.unflatten(moved)))

    def difference(a: Array, b: Array, c: Array, d: Array) -> Array:
        if a.dtype.kind not in "fc":
            return np.zeros(a.shape)
        return np.asarray((a - 8 * b + 8 * c - d) / (12 * h), a.dtype)

    return [difference(*values) for values in zip(at(-2), at(-1), at(1), at(2), strict=True)]


def check_jvp(
    f: Callable[..., Any],
    args: Sequence[Any],
    *,
    f_jvp: Callable[..., Any] | None = None,
    atol: float | None = None,
    rtol: float | None = None,
    eps: float | None = None,
) -> None:
    """Check that the jvp of f along a random direction is its derivative, by differences.

    ``args`` is the tuple of arguments, f smooth near it. ``f_jvp(primals, tangents)`` replaces `functrans.jvp`.
    ``eps`` is the step of the differences, ``rtol`` and ``atol`` bound the error (by default for the dtypes, and
    relative to the largest element). Calls f five times.

    Raises AssertionError where value or tangent differ; what `functrans.jvp` raises.

    >>> import numpy as np, functrans as ft
    >>> check_jvp(lambda x: np.sin(x) * x.sum(), (np.ones(3),))

    Source: Fornberg, Generation of finite difference formulas on arbitrarily spaced grids (1988).
    """
    rng = np.random.default_rng(_SEED)
    leaves, treedef = tree.flatten(tuple(args))
    tangents = treedef.unflatten([like(rng, x) for x in leaves])
    out, tangent = jvp(f, tuple(args), tangents) if f_jvp is None else f_jvp(tuple(args), tangents)
    _compare(out, f(*args), rtol, atol, 0.6, "value")
    want = tree.flatten(out)[1].unflatten(along(f, args, tangents, eps))
    dtypes = [x.dtype for x in leaves_of(args)]
    _compare(tangent, want, rtol, atol, 0.5, "tangent", _noise(out, dtypes))


def check_vjp(
    f: Callable[..., Any],
    args: Sequence[Any],
    *,
    f_vjp: Callable[..., Any] | None = None,
    atol: float | None = None,
    rtol: float | None = None,
    eps: float | None = None,
) -> None:
    """Check that the vjp of f is the transpose of its derivative: <J t, c> = <t, J' c>, J t by differences.

    ``args`` is the tuple of arguments, f smooth near it; t and c are random directions. ``f_vjp(*args)`` replaces
    `functrans.vjp`. ``eps`` is the step of the differences, ``rtol`` and ``atol`` bound the error of the product (by
    default for the dtypes, and relative to the sum of the absolute terms). Calls f five times.

    Raises AssertionError where the value, a shape, a dtype or the product differs; what `functrans.vjp` raises.

    >>> import numpy as np, functrans as ft
    >>> check_vjp(lambda x: np.sin(x) * x.sum(), (np.ones(3),))

    Source: Griewank and Walther, Evaluating Derivatives, 2nd edition, chapter 3.
    """
    rng = np.random.default_rng(_SEED)
    leaves, treedef = tree.flatten(tuple(args))
    tangents = [like(rng, x) for x in leaves]
    out, pullback = vjp(f, *args) if f_vjp is None else f_vjp(*args)
    _compare(out, f(*args), rtol, atol, 0.6, "value")
    results, out_tree = tree.flatten(out)
    cotangents = [like(rng, y) for y in results]
    pulled = tuple(pullback(out_tree.unflatten(cotangents)))
    back = [b for b, _, _ in _alike(pulled, treedef.unflatten([_zeros(x) for x in leaves]), "cotangents")]
    change = along(f, args, treedef.unflatten(tangents), eps)
    forward, backward = _products(change, cotangents), _products(tangents, back)
    coarsest = max([np.asarray(y).dtype for y in (*back, *cotangents)], key=lambda d: float(np.finfo(d).eps))
    near = tolerance(rtol, coarsest, 0.5)
    scale = float(np.abs(forward).sum() + np.abs(backward).sum())
    noises = zip(_noise(out, [x.dtype for x in leaves_of(args)]), cotangents, strict=True)
    noise = sum(n * float(np.abs(c).sum()) for n, c in noises)
    error = abs(float(forward.sum() - backward.sum()))
    bound = near * scale + (noise if atol is None else atol)
    if not error <= bound:
        raise AssertionError(f"vjp: <J t, c> is {forward.sum()}, <t, J' c> is {backward.sum()}, allowed {bound:.3g}")


def _zeros(x: Any) -> Array:
    a = np.asarray(x)
    return np.zeros(a.shape, a.dtype if a.dtype.kind in "fc" else np.float64)


def _products(a: Sequence[Any], b: Sequence[Any]) -> Array:
    """The terms of the inner product; of complex numbers the real part, without conjugation."""
    terms = [np.real(np.asarray(x) * np.asarray(y)).reshape(-1) for x, y in zip(a, b, strict=True)]
    return np.concatenate([t.astype(np.float64) for t in terms]) if terms else np.zeros(0)


def check_vmap(
    f: Callable[..., Any],
    args: Sequence[Any],
    in_axes: Any = 0,
    out_axis: int = 0,
    *,
    atol: float | None = None,
    rtol: float | None = None,
) -> None:
    """Check that the vmap of f is f called on each element by itself.

    ``args`` is the tuple of batched arguments, ``in_axes`` and ``out_axis`` are those of `functrans.vmap`. Calls f
    once per element.

    Raises AssertionError where results differ; ArgumentError for an empty batch; what `functrans.vmap` raises.

    >>> import numpy as np
    >>> check_vmap(lambda x, a: a * np.cumsum(x), (np.eye(3), 2.0), in_axes=(1, None))
    """
    got = vmap(f, in_axes=in_axes, out_axis=out_axis)(*args)
    lanes = [f(*lane) for lane in _lanes(tuple(args), in_axes)]
    if not lanes:
        raise ArgumentError(f"check_vmap compares elements, but the batch is empty{at_user_line()}")
    out_tree = tree.flatten(lanes[0])[1]
    columns = zip(*(leaves_of(lane) for lane in lanes), strict=True)
    _compare(got, out_tree.unflatten([np.stack(c, out_axis) for c in columns]), rtol, atol, 0.75, "vmap")


def _lanes(args: tuple[Any, ...], in_axes: Any) -> Iterator[Any]:
    leaves, treedef = tree.flatten(args)
    prefix = tuple(in_axes) if isinstance(in_axes, list) else in_axes
    axes = tree.flatten_prefix(prefix, treedef, "in_axes")
    size = next((np.shape(x)[a] for x, a in zip(leaves, axes, strict=True) if a is not None), 0)
    for k in range(size):
        yield treedef.unflatten([x if a is None else np.take(x, k, a) for x, a in zip(leaves, axes, strict=True)])
