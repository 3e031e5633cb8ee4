"""What the transforms must equal: loops over NumPy, complex steps, differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

import functrans as ft
from functrans import tree
from functrans.ops.interpret import interpret

STEP = 1e-30  # far below the last digit of anything: the imaginary part is the derivative, without a difference


def loop(f: Callable[..., Any], in_axes: Sequence[int | None], out_axis: int = 0, size: int | None = None) -> Any:
    """vmap by a Python loop over NumPy."""

    def mapped(*args: Any) -> Any:
        sizes = {np.shape(x)[a] for x, a in zip(args, in_axes, strict=True) if a is not None}
        (n,) = sizes or {size}

        def lane(i: int) -> Any:
            pairs = zip(args, in_axes, strict=True)
            if n == 0:  # no lane: one of zeros shows shapes and dtypes
                return f(*(x if a is None else np.zeros_like(x).sum(axis=a) for x, a in pairs))
            return f(*(x if a is None else np.take(x, i, axis=a) for x, a in pairs))

        rows = [lane(i) for i in range(max(n, 1))]
        if isinstance(rows[0], tuple):
            return tuple(_joined(list(column), n, out_axis) for column in zip(*rows, strict=True))
        return _joined(rows, n, out_axis)

    return mapped


def _joined(rows: list[Any], n: int, axis: int) -> Any:
    whole = np.stack(rows, axis)
    return np.take(whole, range(n), axis=axis)


def complex_step(f: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
    """The derivative of an analytic NumPy function along tangents.

    Source: Squire and Trapp, Using complex variables to estimate derivatives of real functions, SIAM Review 40 (1998).
    """
    out = f(*(np.asarray(p) + 1j * STEP * np.asarray(t) for p, t in zip(primals, tangents, strict=True)))
    if isinstance(out, tuple):
        return tuple(np.imag(o) / STEP for o in out)
    return np.imag(out) / STEP


def difference(g: Callable[[float], Any], step: float = 0.02) -> Any:
    """The derivative of a smooth function of one number at 0, by central differences extrapolated four times."""
    rows = [(np.asarray(g(h)) - np.asarray(g(-h))) / (2 * h) for h in (step / 2**k for k in range(5))]
    for order in range(1, 5):
        rows = [(4**order * b - a) / (4**order - 1) for a, b in pairwise(rows)]
    return rows[0]


def assert_close(got: Any, wanted: Any, tolerance: float = 1e-12, context: Any = "") -> None:
    """Same shape and dtype; floats within ``tolerance`` of the largest element; everything else equal."""
    got, wanted = np.asarray(got), np.asarray(wanted)
    assert got.shape == wanted.shape, f"shape {got.shape}, expected {wanted.shape}\n{context}"
    assert got.dtype == wanted.dtype, f"dtype {got.dtype}, expected {wanted.dtype}\n{context}"
    if not wanted.size:
        return
    if wanted.dtype.kind not in "fc":
        assert np.array_equal(got, wanted), f"got\n{got}\nexpected\n{wanted}\n{context}"
        return
    assert np.array_equal(np.isnan(got), np.isnan(wanted)), f"NaN: got\n{got}\nexpected\n{wanted}\n{context}"
    with np.errstate(invalid="ignore"):
        error = np.abs(got - wanted)
    worst = float(np.nanmax(np.where(got == wanted, 0.0, error), initial=0.0))
    scale = 1.0 + float(np.max(np.abs(wanted), initial=0.0, where=np.isfinite(wanted)))
    assert worst <= tolerance * scale, f"off by {worst:.3g}: got\n{got}\nexpected\n{wanted}\n{context}"


def alone(f: Callable[..., Any], *lanes: Sequence[Any]) -> list[Any]:
    """What f gives for each lane by itself, traced once."""
    one = ft.jit(f)
    return [one(*xs) for xs in zip(*lanes, strict=True)]


def interpreted(f: Callable[..., Any], *args: Any) -> Any:
    """The results of f (arrays in a tuple, or nested ones flat) by the interpreter, without scheduling or compiling."""
    graph = ft.jit(f).lower(*args).graph
    values = [np.asarray(leaf) for leaf in tree.flatten(args)[0]]
    return interpret(graph.outputs, dict(zip(graph.params, values, strict=True)))
