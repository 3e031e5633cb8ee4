"""Functions of every kind that is exported, with arguments."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import functrans as ft

RNG = np.random.default_rng(7)
BAND = np.diag(np.full(80, 4.0)) + np.diag(np.ones(79), 1) + np.diag(np.full(79, 0.5), -1)


def normal(*shape: int) -> Any:
    """Numbers of the order of one."""
    return RNG.normal(size=shape)


def positive(n: int) -> Any:
    """A positive definite matrix."""
    a = normal(n, n)
    return a @ a.T + n * np.eye(n)


def elementwise(x: Any, p: Any) -> Any:
    return {"y": x[1:] * x[:-1] ** 2 * p["a"] + np.sin(x[:-1]), "size": (x @ x) * p["b"]}


def riccati(a: Any, b: Any, q: Any, r: Any) -> Any:
    def step(p: Any, _: Any) -> Any:
        k = np.linalg.solve(r + b.T @ p @ b, b.T @ p @ a)
        return q + a.T @ p @ (a - b @ k), k

    return ft.scan(step, q, None, length=12)


def newton(x: Any) -> Any:
    def more(c: Any) -> Any:
        return (c[0] * c[0] - x) ** 2 > 1e-20

    return ft.while_loop(more, lambda c: (0.5 * (c[0] + x / c[0]), c[1] + 1), (x, 0))


def branches(x: Any, i: Any) -> Any:
    return ft.switch(i, [lambda x: x * 2, np.sin, lambda x: x.sum() + x], x)


def root(x: Any) -> Any:
    return ft.implicit.root(lambda y, x: y**3 + y - x, x, x)


def captured(x: Any) -> Any:
    return np.linspace(-1, 1, 12).reshape(3, 4) @ x, np.array([np.inf, -np.inf, np.nan, -0.0])[:3] * x[:3]


def several(x: Any) -> Any:
    return x, x, np.ones(3), x[:0], np.sort(x)


def integers(x: Any, k: Any) -> Any:
    return x[k], (k * 3) // 2, k > 2, np.argsort(x)


def matrices(a: Any, b: Any) -> Any:
    return np.linalg.solve(a, b), a @ a, np.linalg.eigh(a), np.linalg.svd(a, full_matrices=False)


def sparse(v: Any, b: Any) -> Any:
    return ft.spsolve(ft.sparse(v, ft.SparsityPattern(*np.nonzero(BAND), BAND.shape)), b)


def mapped(x: Any) -> Any:
    return ft.vmap(lambda x: ft.scan(lambda c, _: (np.sin(c) * 1.1, None), x, None, length=3)[0])(x)


def edges(a: Any, b: Any, x: Any) -> Any:
    """What in lanes and in vectors is computed as if an array went on before its first element."""
    row = lambda b, x: np.pad(np.cumsum(np.exp(b[:3, 0])), (7, 26)) * x  # noqa: E731
    return ft.vmap(np.linalg.solve)(a, b), ft.vmap(row)(b, x)


SAMPLES: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "elementwise": (elementwise, (normal(4), {"a": normal(3), "b": np.float64(0.3)})),
    "riccati": (riccati, (normal(4, 4) / 2, normal(4, 2), positive(4), positive(2))),
    "newton": (newton, (np.float64(7.0),)),
    "branches": (branches, (normal(5), np.int64(1))),
    "root": (root, (normal(5),)),
    "captured": (captured, (normal(4),)),
    "several": (several, (normal(40),)),
    "integers": (integers, (normal(9), np.int32(4))),
    "matrices": (matrices, (positive(16), normal(16))),
    "sparse": (sparse, (BAND[np.nonzero(BAND)], normal(80))),
    "mapped": (mapped, (normal(20, 3),)),
    "single": (lambda x: np.exp(x) * 2 + x.sum(), (normal(40).astype(np.float32),)),
    "rows": (lambda x: (x - x.max(1, keepdims=True)).sum(1), (normal(6, 37),)),
}


def kinds(*arrays: Any) -> Any:
    found = []
    for a in arrays:
        found += [np.maximum(a, a[::-1]), np.where(a > 1, a, -a), np.sort(a), np.argsort(a), a.max(), a == a[::-1]]
        found += [a.astype(d) for d in (np.int32, np.int64, np.uint64, np.float32, np.float64)]
        found += [np.sin(a), np.sqrt(abs(a)), a**3] if a.dtype.kind == "f" else [a // 3, a % 3, a >> 1, abs(a)]
    return found


def small(v: Any, b: Any) -> Any:
    pattern = ft.SparsityPattern(*np.nonzero(BAND[:6, :6]), (6, 6))
    return ft.spsolve(ft.sparse(v, pattern), b)


_KINDS = (np.float64, np.float32, np.int32, np.int64)
WARNED: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "edges": (edges, (normal(5, 6, 6), normal(5, 6, 2), normal(5, 36))),
    "kinds": (kinds, tuple((9 * normal(203)).astype(d) for d in _KINDS)),
    "small": (small, (BAND[:6, :6][np.nonzero(BAND[:6, :6])], normal(6))),
}


def exported(f: Callable[..., Any], args: tuple[Any, ...], here: Path, **options: Any) -> tuple[ft.Exported, Path]:
    """The files and the library of a function, called f."""
    made = ft.export_c(f, *args, name="f", path=here / "f.c", **options)
    return made, made.compile()


def leaves(values: Any) -> list[Any]:
    """Arrays of a pytree."""
    return list(map(np.asarray, ft.tree.leaves(values)))
