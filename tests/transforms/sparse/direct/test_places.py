"""Where elements of terms go among the entries of a pattern: the same as by looking each of them up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from functrans.dtypes import float64
from functrans.ops.uop import UOp
from functrans.transforms.sparse.direct.places import Entries
from functrans.transforms.sparse.direct.stores import alive, halves
from functrans.transforms.sparse.direct.tables import Tables
from functrans.transforms.sparse.direct.terms import Term
from functrans.transforms.sparse.pattern import SparsityPattern

Places = NDArray[np.int32]


def elements(rng: np.random.Generator, many: int, size: int) -> list[Places]:
    """Unknowns of elements: of nodes at random, or all alike, by node or one kind after the other; some nowhere."""
    corners = rng.integers(0, size // 3, (many, int(rng.integers(1, 4))))
    if rng.random() < 0.3:
        corners = (np.arange(many)[:, None] + corners[:1]) % (size // 3)
    by_node = rng.random() < 0.5
    found = [3 * c + k if by_node else c + size // 3 * k for c in corners.T for k in range(3)]
    return [np.where(rng.random(many) < rng.choice([0.0, 0.0, 0.2]), -1, at).astype(np.int32) for at in found]


@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
@pytest.mark.parametrize("seed", range(30))
def test_places_are_those_of_each_element(seed: int, format: str) -> None:
    rng = np.random.default_rng(seed)
    size, start = 3 * int(rng.integers(2, 40)), int(rng.choice([0, 5]))
    tables, one = Tables(), UOp.const(float64, 1)
    ends: list[Any] = []
    for _ in range(int(rng.integers(1, 3))):
        at = list(map(tables.of, elements(rng, int(rng.integers(1, 60)), size)))
        ends += [(rows, cols) for rows in at for cols in at if rng.random() < 0.9]
    terms = [Term(rows, cols, one) for rows, cols in ends]
    whole = np.concatenate([np.zeros((2, 1), int), *(np.stack([t.rows.at, t.cols.at]) for t in terms)], axis=1)
    there = whole[:, (whole[0] >= 0) & (whole[1] >= start) & (rng.random(whole.shape[1]) < rng.choice([0.6, 1.0]))]
    shape = (size, max(size - start - int(rng.integers(2)), 1) + 1)
    pattern = SparsityPattern(there[0], there[1] - start, shape, format)
    number = {e: k for k, e in enumerate(zip(pattern.rows.tolist(), (pattern.cols + start).tolist(), strict=True))}
    for term, to in zip(terms, Entries(pattern, start).places(terms), strict=True):
        wanted = [number.get(e, -1) for e in zip(term.rows.at.tolist(), term.cols.at.tolist(), strict=True)]
        assert to.dtype == np.int32
        assert to.tolist() == wanted


@pytest.mark.parametrize("seed", range(20))
def test_halves_store_what_comes_first(seed: int) -> None:
    rng = np.random.default_rng(seed)
    writes = []
    for k in range(3):
        to = (100 * k + rng.permutation(80)).astype(np.int32)
        to[rng.random(80) < 0.1] = -1
        if rng.random() < 0.7:
            again = rng.choice(80, 4)
            to[again] = to[rng.integers(0, 80, 4)]
        writes.append(to)
    if rng.random() < 0.5:
        writes[1][-1] = max(int(writes[0][0]), 0)  # another goes there: nothing of the first is only its own
    found = halves(writes)
    for to, both in zip(writes, [(to,) for to in writes] if found is None else found, strict=True):
        assert np.array_equal(np.max(both, axis=0), to)
        if len(both) > 1:
            once = alive(both[0])
            assert len(set(once.tolist())) == len(once)
            assert set(alive(both[1]).tolist()) <= set(once.tolist())
            others = {int(p) for other in writes if other is not to for p in other}
            assert not set(alive(both[1]).tolist()) & others
