"""Direct values against references that know nothing of terms: random programs, and each rule by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import functrans as ft
from functrans import tree
from functrans.errors import UnsupportedError
from functrans.ops.interpret import interpret
from tests.transforms.sparse.programs import Program


def interpreted(J: Any, *args: Any) -> list[np.ndarray]:
    """The matrices by the graph alone, without a compiler."""
    leaves, treedef = tree.flatten((args, {}))
    problem = J._problem(leaves, treedef)
    assert problem.direct is not None
    data = interpret(problem.direct.values(), dict(zip(problem.params, map(np.asarray, leaves), strict=True)))
    for full, fixed, constant in zip(data, problem.direct.fixed(), problem.direct.constant, strict=True):
        np.testing.assert_allclose(fixed[constant], full[constant], rtol=1e-13)
        assert not fixed[~constant].any()
    return [p.to_scipy(a).toarray() for p, a in zip(problem.patterns, data, strict=True)]


def flat(values: Any) -> np.ndarray:
    return np.concatenate([np.reshape(v, -1) for v in values])


def by_complex_step(f: Callable[..., Any], args: list[Any]) -> list[np.ndarray]:
    """Independent of every derivative in the library."""
    found = []
    for k, x in enumerate(args):
        columns = []
        for j in range(x.size):
            moved = [np.asarray(a, complex) for a in args]
            moved[k] = moved[k].copy()
            moved[k].reshape(-1)[j] += 1e-30j
            columns.append(np.imag(flat(f(*moved))) / 1e-30)
        found.append(np.stack(columns, 1) if columns else np.zeros((len(flat(f(*args))), 0)))
    return found


def by_forward_mode(f: Callable[..., Any], args: list[Any]) -> list[np.ndarray]:
    numbers = tuple(range(len(args)))
    jacobians = ft.jacfwd(lambda *xs: np.concatenate([np.reshape(v, -1) for v in f(*xs)]), argnums=numbers)(*args)
    return [np.reshape(j, (j.shape[0], x.size)) for j, x in zip(jacobians, args, strict=True)]


def close(have: np.ndarray, want: np.ndarray) -> None:
    np.testing.assert_allclose(have, want, rtol=1e-12, atol=1e-12 * np.abs(want[np.isfinite(want)]).max(initial=1))


@pytest.mark.parametrize("block", range(8))
def test_random_programs(block: int) -> None:
    """25 smooth programs a block."""
    for seed in range(50 * block, 50 * block + 50, 2):
        program = Program(seed, smooth=True)
        J = ft.spjacobian(program, argnums=tuple(range(len(program.args))), method="direct")
        found = interpreted(J, *program.args)
        for have, want in zip(found, by_complex_step(program, program.args), strict=True):
            close(have, want)


@pytest.mark.parametrize("seed", range(1, 41, 5))
def test_random_programs_with_kinks(seed: int) -> None:
    program = Program(seed, smooth=False)
    J = ft.spjacobian(program, argnums=tuple(range(len(program.args))), method="direct")
    found = interpreted(J, *program.args)
    for have, want in zip(found, by_forward_mode(program, program.args), strict=True):
        close(have, want)


A = scipy.sparse.random_array((7, 5), density=0.4, rng=np.random.default_rng(1)).tocsr()
MASK = np.arange(5) % 2 == 0
AT = np.array([3, 0, 3, 1, 4, 4, 2])
CASES: dict[str, Callable[[Any], Any]] = {
    "gather that repeats": lambda x: np.sin(x)[AT] * x[AT],
    "gather of a sum": lambda x: (np.exp(x[1:]) * x[:-1]).sum()[None][[0, 0, 0]] * x[:3],
    "segment sum": lambda x: np.bincount(AT % 3, x[AT] ** 2, 4),
    "constant sparse matrix": lambda x: np.cos(ft.sparse(A) @ (x * x)),
    "dense matrix": lambda x: np.tanh(A.toarray() @ np.sin(A.toarray().T @ np.ones(7) * x)),
    "known mask": lambda x: np.where(MASK, x * x, np.exp(x)),
    "computed mask": lambda x: np.where(x > 0.6, x * x, np.exp(x) * x[::-1]),
    "update": lambda x: ft.numpy.asarray(x * x).at[np.array([4, 1])].set(x[:2] * x[2:4]),
    "added update": lambda x: ft.numpy.asarray(x * x).at[np.array([4, 1, 4])].add(np.exp(x[:3])),
    "padding": lambda x: np.pad(x * x, 2) * np.pad(x, 2)[::-1],
    "outer product": lambda x: x[:, None] * np.exp(x)[None, :],
    "sum along an axis": lambda x: (x[:, None] * np.exp(x)[None, :]).sum(0),
    "normalised": lambda x: x / np.sqrt((x * x).sum()),
    "two layers of stencils": lambda x: np.diff(np.sin(np.diff(x * x)) * np.diff(x)),
    "float32": lambda x: np.sin(x.astype(np.float32)) * x.astype(np.float32),
    "through complex numbers": lambda x: (np.exp(1j * x) * x[::-1]).real,
    "a scalar": lambda x: (x * x).sum(),
    "mapped": lambda x: ft.vmap(lambda a, b: a * np.sin(b))(x[:-1], x[1:]),
    "nothing": lambda x: x[:0] * x[:0],
    "constant": lambda x: np.ones(3) * 2.0,
}


@pytest.mark.parametrize("name", CASES)
def test_rules(name: str) -> None:
    f = CASES[name]
    x = np.random.default_rng(2).uniform(0.5, 1.5, 5)
    J = ft.spjacobian(f, method="direct")
    (have,) = interpreted(J, x)
    want = np.reshape(ft.jacfwd(f)(x), (-1, 5))
    np.testing.assert_allclose(have, want, rtol=1e-5 if name == "float32" else 1e-12, atol=1e-12)
    np.testing.assert_allclose(J(x).toarray(), want, rtol=1e-5 if name == "float32" else 1e-12, atol=1e-12)


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_small_sizes(n: int) -> None:
    def f(x: Any) -> Any:
        return np.concatenate([np.roll(x, 1) * x, np.exp(x), (x * x).sum()[None] * 2.0])

    x = np.linspace(0.3, 0.9, n)
    J = ft.spjacobian(f, method="direct")
    close(J(x).toarray(), np.reshape(ft.jacfwd(f)(x), (2 * n + 1, n)))


@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
def test_formats_and_several_arguments(format: str) -> None:
    def f(x: Any, y: Any) -> Any:
        return np.concatenate([x[1:] * y[0] * x[:-1], np.sin(y) + 3.0 * x[:2]])

    x, y = np.array([0.2, 0.5, 0.9]), np.array([1.5, 2.5])
    J = ft.spjacobian(f, argnums=(0, 1), method="direct", format=format)
    for have, want in zip(J(x, y), ft.jacfwd(f, argnums=(0, 1))(x, y), strict=True):
        close(have.toarray(), want)


def test_what_terms_do_not_reach_is_said_and_auto_takes_products() -> None:
    def mapped(method: str) -> Any:
        return ft.vmap(lambda a: ft.spjacobian(lambda x: a * x[1:] * x[:-1], method=method).values(np.ones(3)))

    with pytest.raises(UnsupportedError, match=r"closes over a value of an ft.vmap.*use method='auto'"):
        mapped("direct")(np.ones(2))
    close(mapped("auto")(np.array([1.0, 3.0])), np.array([[1.0] * 4, [3.0] * 4]))
