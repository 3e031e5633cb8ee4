"""spjacobian by columns, by rows and by both: the same matrix, at the cost that its plan tells."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import spjacobian
from functrans.errors import UnsupportedError

PARTITIONS = ["column", "row", "bidirectional", "auto"]
X = np.random.default_rng(1).uniform(0.5, 1.5, 7)


def arrow(x: Any) -> Any:
    """A dense row, a dense column and a diagonal."""
    return np.concatenate([(x**3).sum()[None], np.sin(x[1:]) * x[0]])


def tree(x: Any) -> Any:
    return {"b": x["p"][1:] * x["p"][:-1], "a": (x["q"] * x["p"][0]).sum()}


@pytest.mark.parametrize("partition", PARTITIONS)
@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
def test_the_matrix_is_the_same(partition: str, format: str) -> None:
    J = spjacobian(arrow, partition=partition, format=format)
    np.testing.assert_allclose(J(X).toarray(), ft.jacfwd(arrow)(X), rtol=1e-14)
    pattern = J.pattern(X)
    np.testing.assert_array_equal(J(X).toarray()[pattern.rows, pattern.cols], J.values(X))


@pytest.mark.parametrize("partition", PARTITIONS)
def test_several_arguments_and_pytrees(partition: str) -> None:
    def f(a: Any, t: Any, b: Any) -> Any:
        return a[:, None] * b * t, (a * a).sum()

    a, b = np.array([1.0, 2.0]), np.array([[3.0, 4, 5], [6, 7, 8]])
    by_b, by_a = spjacobian(f, argnums=(2, 0), partition=partition)(a, 2.0, b)
    np.testing.assert_allclose(by_b.toarray(), np.vstack([np.kron(np.diag(2 * a), np.eye(3)), np.zeros(6)]))
    want = np.kron(np.eye(2), np.ones((3, 1))) * (2 * b).reshape(-1, 1)
    np.testing.assert_allclose(by_a.toarray(), np.vstack([want, 2 * a]))
    colorings = spjacobian(f, argnums=(2, 0), partition=partition).coloring(a, 2.0, b)
    assert len(colorings) == 2 and all(c.partition in PARTITIONS for c in colorings)
    x = {"p": X[:3], "q": X[3:5]}
    want = spjacobian(tree, partition="column")(x).toarray()
    np.testing.assert_allclose(spjacobian(tree, partition=partition)(x).toarray(), want, rtol=1e-15)


@pytest.mark.parametrize("partition", PARTITIONS)
def test_values_are_a_function_like_any_other(partition: str) -> None:
    J = spjacobian(arrow, partition=partition)
    points = np.stack([X, X + 1, X * 2])
    want = np.stack([J.values(x) for x in points])
    np.testing.assert_array_equal(ft.vmap(J.values)(points), want)
    along = ft.jvp(J.values, (X,), (np.ones(7),))[1]
    step = 1e-6
    near = (J.values(X + step) - J.values(X - step)) / (2 * step)
    np.testing.assert_allclose(along, near, atol=1e-8)
    np.testing.assert_array_equal(ft.jit(J.values)(X), want[0])


def test_an_arrow_takes_three_products_and_auto_sees_it() -> None:
    n = 500
    J = spjacobian(arrow)
    coloring = J.coloring(ft.ShapeDtype((n,)))
    assert coloring.partition == "bidirectional" and coloring.num_colors == 3 and len(coloring.colors) == 2 * n
    plan = spjacobian(arrow, method="compressed").plan(ft.ShapeDtype((n,)))
    assert plan.partition == "bidirectional" and plan.cost < 40 * plan.function_cost
    assert "bidirectional: 3 products" in str(plan)
    assert spjacobian(arrow, partition="column").coloring(ft.ShapeDtype((n,))).num_colors == n


def test_wide_and_tall() -> None:
    wide = spjacobian(lambda x: np.stack([(x * x).sum(), np.sin(x).sum()]))
    assert wide.coloring(X).partition == "row" and wide.coloring(X).num_colors == 2
    np.testing.assert_allclose(wide(X).toarray(), [2 * X, np.cos(X)])
    tall = spjacobian(lambda t: np.stack([t[0] * t[1], t[0] + t[1], t[1] ** 2, t[0] ** 2]))
    assert tall.coloring(X[:2]).partition == "column"


@pytest.mark.parametrize("partition", PARTITIONS)
def test_sizes_zero_and_one(partition: str) -> None:
    for n in (0, 1):
        J = spjacobian(lambda x: x * x, partition=partition)
        assert J(np.ones(n)).toarray().tolist() == [[2.0]] * n
        assert J.coloring(np.ones(n)).num_colors == n
    assert spjacobian(lambda x: np.floor(x), partition=partition)(X).nnz == 0


@pytest.mark.parametrize("partition", PARTITIONS)
def test_integer_results_and_float32(partition: str) -> None:
    J = spjacobian(lambda x: (x * x, x.argmax()), partition=partition)
    np.testing.assert_array_equal(J(X).toarray(), np.vstack([np.diag(2 * X), np.zeros(7)]))
    assert spjacobian(lambda x: x * x, partition=partition)(X.astype(np.float32)).dtype == np.float32


def test_complex_results_have_columns_only() -> None:
    f = lambda x: x * (1 + 2j)  # noqa: E731
    assert spjacobian(f).coloring(X).partition == "column"
    with pytest.raises(UnsupportedError, match="partition='row' of a function with complex results"):
        spjacobian(f, partition="row")(X)


@pytest.mark.parametrize("partition", PARTITIONS)
def test_colorings_are_pickled(partition: str) -> None:
    coloring = spjacobian(arrow, partition=partition).coloring(X)
    assert pickle.loads(pickle.dumps(coloring)) == coloring
