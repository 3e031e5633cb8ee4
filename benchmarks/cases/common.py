"""Builders that most rows share: the same NumPy function given to several libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.case import Build, Run, empty, load


def outputs(expected: Any) -> Any:
    """Arrays to write into, of the shapes and dtypes of a result; a tuple of them for a tuple."""
    if isinstance(expected, tuple):
        return tuple(outputs(e) for e in expected)
    return empty(expected.shape, expected.dtype)


def ours(make: Callable[[Any], Callable[..., Any]]) -> Build:
    """functrans: ``make(ft)`` is the function, compiled by ``jit`` and written into arrays that are there."""

    def build(*arguments: Any) -> Run:
        ft = load("functrans")
        f = ft.jit(make(ft))
        out = outputs(f(*arguments))
        return lambda: f(*arguments, out=out)

    return build


def jax(make: Callable[[Any], Callable[..., Any]]) -> Build:
    """JAX: ``make(jax)`` is the function, compiled by ``jit``; the arrays are JAX's own, as it likes them best."""

    def build(*arguments: Any) -> Run:
        library = load("jax")
        f = library.jit(make(library))
        there = [library.numpy.asarray(a) for a in arguments]
        return lambda: library.block_until_ready(f(*there))

    return build


def tinygrad(make: Callable[[Any], Callable[..., Any]]) -> Build:
    """tinygrad: ``make(tinygrad)`` is the function of Tensors, under its ``TinyJit``."""

    def build(*arguments: Any) -> Run:
        library = load("tinygrad")
        f = library.TinyJit(lambda *a: make(library)(*a).realize())
        there = [library.Tensor(np.ascontiguousarray(a)).realize() for a in arguments]
        for _ in range(3):
            f(*there)

        class Call:
            """The result is read, which waits for it."""

            def __call__(self) -> Any:
                return f(*there).numpy()

            def repeat(self, times: int) -> None:
                for _ in range(times):
                    f(*there)
                library.Device[library.Device.DEFAULT].synchronize()

        return Call()

    return build


def torch(make: Callable[[Any], Callable[..., Any]]) -> Build:
    """PyTorch: ``make(torch)`` is the function of tensors, under ``torch.compile``."""

    def build(*arguments: Any) -> Run:
        library = load("torch")
        library.set_num_threads(1)
        f = library.compile(make(library))
        there = [library.from_numpy(a) for a in arguments]
        return lambda: f(*there)

    return build


def numba(make: Callable[[Any], Callable[..., Any]], result: Callable[..., Any]) -> Build:
    """Numba: ``make(numba)`` is a loop over arrays that writes into its last ones, ``result(*arguments)``'s shapes."""

    def build(*arguments: Any) -> Run:
        library = load("numba")
        f = library.njit(fastmath=True, error_model="numpy")(make(library))
        out = outputs(result(*arguments))
        targets = out if isinstance(out, tuple) else (out,)

        def run() -> Any:
            f(*arguments, *targets)
            return out

        return run

    return build
