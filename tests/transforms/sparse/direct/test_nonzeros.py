"""Sums of products with a known array that is mostly zero: the same values, and nothing as large as all products."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import dtypes
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.interpret import interpret
from functrans.ops.source import buffer, param
from functrans.ops.uop import substitute, toposort
from functrans.tensor.einsum import einsum
from functrans.transforms.sparse.direct.chains import chained
from functrans.transforms.sparse.direct.nonzeros import TIMES

SIZE = {"i": 10, "j": 11, "k": 9, "b": 12, "c": 3}
SPECS = ["ij,jk->ik", "ji,kj->ik", "ij,jk->ki", "bij,jk->bik", "bij,ijk->bk", "bicj,kji->bkc", "ij,ji->"]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("late", [0, 1])
def test_sums_over_nonzeros(spec: str, late: int) -> None:
    rng = np.random.default_rng(len(spec))
    shapes = [tuple(SIZE[k] for k in labels) for labels in spec.partition("->")[0].split(",")]
    d = param(shapes[late], dtypes.float64, 0)
    x, known = rng.normal(size=shapes[late]), rng.normal(size=shapes[1 - late])
    known *= rng.random(known.shape) < 0.7 / TIMES
    pair = (d, buffer(known)) if late == 0 else (buffer(known), d)
    total = einsum(spec, *pair)
    (made,) = chained([total], [d])
    assert made is not total
    products = np.prod([SIZE[k] for k in set(spec) & set(SIZE)])
    assert all(u.size < products for u in toposort((made,)) if u.op is Ops.MUL)
    (found,) = interpret(substitute((made,), {d: buffer(x)}), {})
    want = np.einsum(spec, *((x, known) if late == 0 else (known, x)))
    np.testing.assert_allclose(found, want, rtol=1e-12, atol=1e-12)


def test_what_stays_as_it_is() -> None:
    """Arrays with too many nonzeros, sums that are written out, and what is added up over axes of its own."""
    rng = np.random.default_rng(0)
    d = param((9, 10), dtypes.float64, 0)
    several = np.where(np.arange(90).reshape(10, 9) % TIMES, 0.0, rng.normal(size=(10, 9)))
    few = buffer(np.eye(10, 9))
    short, own = param((9, 4), dtypes.float64, 1), param((9, 10, 9), dtypes.float64, 2)
    all_ = (9, 10, 9, 9)
    product = B.mul(*(B.expand(B.reshape(a, s), all_) for a, s in ((own, (9, 10, 9, 1)), (few, (1, 10, 1, 9)))))
    for total in (
        einsum("ij,jk->ik", d, buffer(several)),
        einsum("ij,jk->ik", short, buffer(np.eye(4, 30))),
        B.reduce_axis(product, Ops.ADD, (1, 2)),
    ):
        made = chained([total], [d, short, own])
        assert made == [total]


def test_derivatives_of_kinetics() -> None:
    rng = np.random.default_rng(1)
    orders, change = (np.where(rng.random((20, 12)) < 0.1, rng.integers(-2, 3, (20, 12)), 0.0) for _ in range(2))

    def f(v: Any) -> Any:
        c = v.reshape(12, 5)
        return (change.T @ np.exp(orders @ np.log(c)) + np.roll(c, 1, 1)).reshape(-1)

    x = 0.5 + rng.random(60)
    J = ft.spjacobian(f, method="direct")
    np.testing.assert_allclose(J(x).toarray(), np.asarray(ft.jacfwd(f)(x)), rtol=1e-12, atol=1e-12)
