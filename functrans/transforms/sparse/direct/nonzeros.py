"""Sums of products with a known array that is mostly zero, over its other elements alone.

A matrix of reactions and species, stored dense, has a product for each of its elements in each cell, and all but a few
are with zero. Of these there are no terms, but tables of where they would be are as long as all products.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from functrans.ops import build as B
from functrans.ops.source import buffer
from functrans.ops.uop import UOp

TIMES = 4
"""As many multiplications as those of terms: up to there products with directions are cheaper, which store nothing. An
array with fewer zeros than that leaves none of them out may be better off with products."""

Labels = Sequence[int]


def listed(late: UOp, of_late: Labels, known: NDArray[np.generic], of_known: Labels, left: Labels) -> UOp | None:
    """The sum of the products of two arrays over the labels that are not left, by the known one's nonzeros in order.

    None where it has too many of them, and where the other array is summed over labels of its own. Axes of one element
    have no labels. Linear in the nonzeros times what is left.
    """
    rest = [k for k in of_late if k not in of_known]
    common = [k for k in of_late if k in of_known]
    if TIMES * np.count_nonzero(known) >= known.size or not common or any(k not in left for k in rest):
        return None
    size = dict(zip((*of_late, *of_known), (*late.sized, *known.shape), strict=True))
    places = dict(zip(of_known, np.nonzero(known), strict=True))
    rows = B.permute(late, tuple(of_late.index(k) for k in (*common, *rest)))
    rows = B.reshape(rows, (prod(size[k] for k in common), prod(size[k] for k in rest)))
    factors = buffer(known[tuple(places.values())].reshape(-1, 1))
    read = B.gather(rows, _numbers(common, places, size))
    products = B.mul(B.expand(factors, read.sized), read)
    kept = [k for k in left if k in places]
    base = B.full((prod(size[k] for k in kept), rows.sized[1]), late.dtype, 0)
    made = B.scatter(base, products, (_numbers(kept, places, size),), "add")
    order = [*kept, *rest]
    made = B.reshape(made, tuple(size[k] for k in order))
    return B.permute(made, tuple(order.index(k) for k in left if k in order))


def _numbers(labels: Labels, places: dict[int, NDArray[np.intp]], size: dict[int, int]) -> UOp:
    """The place of each nonzero along some axes, as one number."""
    found = np.zeros(len(next(iter(places.values()))), np.int64)
    for k in labels:
        found = found * size[k] + places[k]
    return buffer(found)
