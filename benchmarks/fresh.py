"""What only a new process can show: ``python -m benchmarks.fresh KIND LIBRARY SIZE`` prints seconds.

Kinds: "chain", a function of SIZE operations; "gradient" of it; "lorenz", SIZE steps of RK4 written out; "nesting",
SIZE nested vmaps; "trace", the chain traced but not compiled; "batches", not seconds but how many libraries were
compiled for SIZE batch extents of one function.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.case import load

Function = Callable[..., Any]


def namespace(library: str) -> tuple[Any, Any]:
    """The library, and the module whose functions its functions are written with."""
    found = load(library)
    return found, np if library == "functrans" else found.numpy


def chain(np: Any, operations: int) -> Function:
    """A function of so many operations of arrays: sine, product, sum, scaling, in turn."""

    def f(x: Any, y: Any) -> Any:
        steps: tuple[Function, ...] = (np.sin, lambda x: x * y, lambda x: x + y, lambda x: x * 0.99)
        for k in range(operations):
            x = steps[k % 4](x)
        return x

    return f


def nested(library: Any, np: Any, depth: int) -> tuple[Function, tuple[Any, ...]]:
    """A scalar function of ``depth`` vectors, each mapped by a vmap of its own; 4096 results at any depth."""

    def f(*scalars: Any) -> Any:
        total = scalars[0]
        for s in scalars[1:]:
            total = np.sin(total * s) + s
        return np.exp(-total * total)

    sizes = {1: [4096], 2: [64, 64], 3: [16, 16, 16], 4: [8, 8, 8, 8], 5: [8, 8, 8, 4, 2], 6: [4] * 6}[depth]
    for axis in reversed(range(depth)):
        f = library.vmap(f, in_axes=tuple(0 if k == axis else None for k in range(depth)))
    return f, tuple(np.linspace(0.1, 1.0, size) for size in sizes)


def task(kind: str, library: str, size: int) -> tuple[Function, tuple[Any, ...]]:
    """The function of a kind, jitted, and its arguments."""
    found, module = namespace(library)
    x = np.linspace(0.5, 1.0, 1000)
    if kind in ("chain", "trace"):
        f = chain(module, size)
        return (found.make_graph(f) if kind == "trace" else found.jit(f)), (x, 1.0 - 1e-3 * x)
    if kind == "gradient":
        g = chain(module, size)
        return found.jit(found.grad(lambda x, y: module.sum(g(x, y)))), (x, 1.0 - 1e-3 * x)
    if kind == "lorenz":
        lorenz = load("benchmarks.cases.lorenz")
        return found.jit(found.vmap(lorenz.of_one(module.stack, size))), lorenz.inputs(10_000)
    if kind == "nesting":
        f, vectors = nested(found, module, size)
        return found.jit(f), tuple(np.asarray(v) for v in vectors)
    raise ValueError(f"no kind {kind}")


def first(kind: str, library: str, size: int) -> float:
    """The seconds until a first result."""
    f, arguments = task(kind, library, size)
    start = time.perf_counter()
    result = f(*arguments)
    if library == "jax":
        result.block_until_ready()
    return time.perf_counter() - start


def compiled(extents: int, cache: Path) -> int:
    """How many libraries stand in a cache that was empty, after one function ran at so many batch extents."""
    ft = load("functrans")
    f = ft.jit(ft.vmap(lambda x: np.sin(x) / np.sum(np.exp(x))))
    for k in range(extents):
        f(np.ones((3 + 7 * k * k, 16)))
    return len(list(cache.rglob("*.so")))


def main(kind: str, library: str, size: str) -> float:
    if kind == "batches":
        return compiled(int(size), Path(load("functrans").config.cache_dir))
    load(library)
    return first(kind, library, int(size))


if __name__ == "__main__":
    print(main(*sys.argv[1:]))
