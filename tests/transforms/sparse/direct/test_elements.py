"""Second derivatives of energies of elements: the same loop over elements, however the energy is written."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import dtypes, tree
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.interpret import interpret
from functrans.ops.source import buffer, param
from functrans.ops.uop import UOp, toposort
from functrans.transforms.sparse.direct.cells import apart
from functrans.transforms.sparse.direct.symmetry import shared
from functrans.transforms.sparse.direct.tables import Tables
from functrans.transforms.sparse.direct.terms import Term
from tests.transforms.sparse.direct.test_values import close

Energy = Callable[[Any], Any]


def cube(m: int) -> tuple[Any, Any]:
    """The nodes and tetrahedra of a cube of m x m x m cells, six in each."""
    nodes = np.array(list(product(range(m + 1), repeat=3)), float)
    cells = []
    for corner in product(range(m), repeat=3):
        for order in permutations(range(3)):
            at, path = np.array(corner), []
            for axis in (None, *order):
                at = at + (np.arange(3) == axis)
                path.append((at[0] * (m + 1) + at[1]) * (m + 1) + at[2])
            cells.append(path)
    return nodes, np.array(cells)


def density(square: Any, volume: Any) -> Any:
    return 0.5 * (square - 3) - np.log(volume) + 0.5 * np.log(volume) ** 2


def by_components(cells: Any, inverse: Any) -> Energy:
    def energy(x: Any) -> Any:
        p = x.reshape(-1, 3)
        e = [p[cells[:, a]] - p[cells[:, 0]] for a in (1, 2, 3)]
        f = [[sum(e[k][:, i] * inverse[:, k, j] for k in range(3)) for j in range(3)] for i in range(3)]
        volume = sum(
            f[0][i] * (f[1][(i + 1) % 3] * f[2][(i + 2) % 3] - f[1][(i + 2) % 3] * f[2][(i + 1) % 3]) for i in range(3)
        )
        return density(sum(v * v for row in f for v in row), volume).sum()

    return energy


def by_einsum(cells: Any, inverse: Any) -> Energy:
    slopes = np.einsum("ka,ekj->eaj", np.array([[-1, 1, 0, 0], [-1, 0, 1, 0], [-1, 0, 0, 1.0]]), inverse)

    def energy(x: Any) -> Any:
        f = np.einsum("eai,eaj->eij", x.reshape(-1, 3)[cells], slopes)
        volume = np.einsum("ei,ei->e", f[:, 0], np.cross(f[:, 1], f[:, 2]))
        return density(np.einsum("eij,eij->e", f, f), volume).sum()

    return energy


def by_determinants(cells: Any, inverse: Any) -> Energy:
    def energy(x: Any) -> Any:
        p = x.reshape(-1, 3)
        f = np.stack([p[cells[:, a]] - p[cells[:, 0]] for a in (1, 2, 3)], -1) @ inverse
        return density((f * f).sum((1, 2)), np.linalg.det(f)).sum()

    return energy


def by_lanes(cells: Any, inverse: Any) -> Energy:
    def energy(x: Any) -> Any:
        def one(cell: Any, b: Any) -> Any:
            p = x.reshape(-1, 3)[cell]
            f = np.stack([p[1] - p[0], p[2] - p[0], p[3] - p[0]], -1) @ b
            return density((f * f).sum(), np.linalg.det(f))

        return ft.vmap(one)(cells, inverse).sum()

    return energy


SPELLINGS = {"components": by_components, "einsum": by_einsum, "determinants": by_determinants, "lanes": by_lanes}


def planned(spelling: str, distorted: bool) -> tuple[Any, Energy, Any, Any]:
    """The matrix of a beam of 48 tetrahedra, the energy, a point and the problem."""
    rng = np.random.default_rng(0)
    nodes, cells = cube(2)
    nodes = nodes + 0.1 * rng.random(nodes.shape) * distorted
    edges = np.stack([nodes[cells[:, a]] - nodes[cells[:, 0]] for a in (1, 2, 3)], -1)
    energy = SPELLINGS[spelling](cells, np.linalg.inv(edges))
    x = nodes.reshape(-1) + 0.05 * rng.random(nodes.size)
    H = ft.sphessian(energy)
    return H, energy, x, H._problem(*tree.flatten(((x,), {})))


@pytest.mark.covering(1)
@pytest.mark.parametrize("distorted", [False, True])
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_one_loop_over_elements(spelling: str, distorted: bool) -> None:
    """No arrays on the way, no products: each of 12 x 12 entries of an element by one expression, in one space."""
    _, _, x, problem = planned(spelling, distorted)
    direct = problem.direct
    assert direct is not None and not direct.extraction.temporaries.made and not direct.extraction.products.made
    (writes,) = direct.writes
    assert len(writes) == 144 and {len(t) for t, _ in writes} == {48}
    assert len({t.coefficient for t, _ in writes}) == 78  # symmetric: each entry once
    (data,) = interpret(direct.values(), dict(zip(problem.params, [x], strict=True)))
    matrix = problem.patterns[0].to_scipy(data).toarray()
    np.testing.assert_array_equal(matrix, matrix.T)
    close(matrix, dense(distorted))


@cache
def dense(distorted: bool) -> Any:
    _, energy, x, _ = planned("components", distorted)
    return ft.hessian(energy)(x)


def test_the_price_of_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is weighed against what products cost."""
    for free, node, method, why in (
        (4000, 1000, "direct", None),
        (0, 1, "direct", None),
        (0, 10**9, "compressed", "compile"),
    ):
        monkeypatch.setattr("functrans.transforms.sparse.method.FREE_NODES", free)
        monkeypatch.setattr("functrans.transforms.sparse.method._NODE", node)
        H, _, x, _ = planned("components", True)
        plan = H.plan(x)
        assert plan.method == method
        assert why is None or why in " ".join(plan.notes)


def transposed_pair(first: UOp, second: UOp) -> bool:
    """Whether the coefficients of two terms that are each other's transpose become one."""
    tables = Tables()
    rows, cols = tables.of(np.array([0, 1, 2])), tables.of(np.array([3, 3, 4]))
    a, b = shared([Term(rows, cols, first), Term(cols, rows, second)])
    assert a.coefficient is not None and (a.rows, b.rows) == (rows, cols)
    return a.coefficient is b.coefficient


def test_coefficients_that_are_nearly_equal_or_only_where_nothing_is_divided_by_zero() -> None:
    x, y, z = (param((), dtypes.float64) for _ in range(3))
    product = B.mul(UOp.const(dtypes.float64, 2e11), B.mul(x, y))
    assert transposed_pair(B.add(product, z), B.add(z, B.mul(y, B.mul(UOp.const(dtypes.float64, 2e11), x))))
    assert not transposed_pair(B.add(product, z), B.add(product, x))
    assert not transposed_pair(B.mul(x, UOp.const(dtypes.float64, 1 + 1e-15)), x)
    assert not transposed_pair(B.div(B.mul(x, y), y), x)
    assert transposed_pair(B.mul(B.div(x, y), z), B.div(B.mul(z, x), y))


def test_coefficients_of_a_symmetric_matrix() -> None:
    x, y = param((), dtypes.float64), param((), dtypes.float64)
    one = UOp.const(dtypes.float64, 1)

    def log(u: UOp) -> UOp:
        return B.alu(Ops.LOG, u)

    product_ = B.mul(B.add(x, y), B.sub(x, y))
    assert transposed_pair(product_, B.sub(B.mul(x, x), B.mul(y, y)))
    assert transposed_pair(log(product_), log(B.sub(B.mul(x, x), B.mul(y, y))))
    assert transposed_pair(B.where(B.lt(x, y), x, y), B.where(B.lt(x, y), B.add(x, B.sub(y, y)), y))
    assert not transposed_pair(product_, B.mul(product_, UOp.const(dtypes.float64, 1 + 1e-7)))
    assert not transposed_pair(log(x), log(y))
    assert not transposed_pair(B.where(B.lt(x, y), x, y), B.where(B.lt(y, x), x, y))
    assert not transposed_pair(B.add(log(x), one), log(x))


@pytest.mark.parametrize("n", range(1, 6))
def test_determinants_are_written_out(n: int) -> None:
    a = buffer(np.random.default_rng(n).uniform(-1, 1, (5, n, n)))
    roots = [B.det(a), B.adjugate(a)]
    made = apart(roots)
    kept = {u.op for u in toposort(made)} & {Ops.DET, Ops.ADJUGATE}
    assert (kept == set()) if n <= 4 else (made == roots)
    for have, want in zip(interpret(made), interpret(roots), strict=True):
        np.testing.assert_allclose(have, want, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_elements_are_lanes(spelling: str) -> None:
    """One long body goes over all elements, which it reads a list for, and not over the six of each cube."""
    _, _, _, problem = planned(spelling, True)
    assert problem.direct is not None
    shapes = {u.src[1].sized for u in toposort(problem.direct.values()) if u.op is Ops.SCATTER and u.size > 48 * 78 - 1}
    assert shapes == {(48,)}
