"""Energies of elements with many unknowns: products by the columns of an element, however the energy is written."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import tree
from tests.transforms.sparse.direct.test_values import close

CORNERS = np.array(list(product((0, 1), repeat=3)))
UNKNOWNS = 3 * len(CORNERS)
X = np.random.default_rng(1).uniform(-0.02, 0.02, 3 * 3**3)


def bricks(m: int) -> tuple[Any, Any, Any]:
    """The nodes of m x m x m bricks; slopes at their eight points (element, point, node, axis), and weights."""
    at = np.arange((m + 1) ** 3).reshape((m + 1,) * 3)
    cells = np.stack([at[i : m + i, j : m + j, k : m + k].ravel() for i, j, k in CORNERS], -1)
    sides = 2 * CORNERS - 1
    along = sides[None, :, :] * (sides[:, None, :] / np.sqrt(3)) + 1  # point, node, axis
    slopes = np.stack([sides[:, d] * np.prod(np.delete(along, d, 2), 2) / 4 * m for d in range(3)], -1)
    rng = np.random.default_rng(0)
    return cells, slopes * rng.uniform(0.9, 1.1, (len(cells), 1, 1, 1)), rng.uniform(0.5, 1, (len(cells), 8))


def density(f: Any) -> Any:
    volume = sum(
        f[..., 0, i] * (f[..., 1, i - 2] * f[..., 2, i - 1] - f[..., 1, i - 1] * f[..., 2, i - 2]) for i in range(3)
    )
    return 0.5 * (f * f).sum((-1, -2)) - np.log(volume) + 0.5 * np.log(volume) ** 2


def by_einsum(u: Any, slopes: Any, weights: Any) -> Any:
    return (density(np.einsum("eni,egnk->egik", u, slopes) + np.eye(3)) * weights).sum()


def by_stacks(u: Any, slopes: Any, weights: Any) -> Any:
    return (density(np.swapaxes(u, 1, 2)[:, None] @ slopes + np.eye(3)) * weights).sum()


def by_elements(u: Any, slopes: Any, weights: Any) -> Any:
    def one(v: Any, s: Any, w: Any) -> Any:
        return (density(np.einsum("ni,gnk->gik", v, s) + np.eye(3)) * w).sum()

    return ft.vmap(one)(u, slopes, weights).sum()


def by_points(u: Any, slopes: Any, weights: Any) -> Any:
    def one(v: Any, s: Any, w: Any) -> Any:
        return ft.vmap(lambda t, weight: density(v.T @ t + np.eye(3)) * weight)(s, w).sum()

    return ft.vmap(one)(u, slopes, weights).sum()


def of_unknowns(spelling: Any) -> Any:
    cells, slopes, weights = bricks(2)
    return lambda x: spelling(x.reshape(-1, 3)[cells], slopes, weights)


@cache
def dense() -> Any:
    """All second derivatives, by products with directions."""
    return ft.sphessian(of_unknowns(by_stacks), method="compressed")(X).toarray()


@pytest.mark.parametrize("spelling", [by_einsum, by_stacks, by_elements, by_points])
def test_products_by_the_columns_of_an_element(spelling: Any) -> None:
    """An element's results depend on 24 unknowns, the nodes that they are added to on 81: what is added up is made
    before it is. By points its sums are two short ones, and terms.
    """
    energy = of_unknowns(spelling)
    H = ft.sphessian(energy)
    direct = H._problem(*tree.flatten(((X,), {}))).direct
    left = [] if spelling is by_points else [UNKNOWNS]
    assert direct is not None and [n for _, n in direct.extraction.products.made] == left
    close(H(X).toarray(), dense())
