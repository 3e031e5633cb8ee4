"""Orders and names of numbers are those that NumPy's sorts give, whether numbers are close together or not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from functrans.transforms.sparse.numbering import distinct, firsts, in_groups, in_order, named


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint64])
@pytest.mark.parametrize("size", [0, 1, 2, 5, 1000])
@pytest.mark.parametrize("most", [1, 3, 1001, 2**31 - 1, 2**40])
def test_as_sorted(dtype: Any, size: int, most: int) -> None:
    if most > np.iinfo(dtype).max:
        most = 7
    keys = np.random.default_rng(size + most).integers(0, most, size).astype(dtype)
    found, first, name = np.unique(keys, return_index=True, return_inverse=True)
    np.testing.assert_array_equal(in_order(keys), np.argsort(keys, kind="stable"))
    np.testing.assert_array_equal(firsts(keys), first[name])
    for mine, numpys in zip(distinct(keys), (first, name), strict=True):
        np.testing.assert_array_equal(mine, numpys)
        assert mine.dtype == np.int32
    if size:
        names, count = named(keys)
        np.testing.assert_array_equal(names, name)
        assert count == len(found)
    small = (keys % np.array(10, dtype)).astype(np.int32)
    order, begin = in_groups(small, 10)
    np.testing.assert_array_equal(order, np.argsort(small, kind="stable"))
    np.testing.assert_array_equal(np.diff(begin), np.bincount(small, minlength=10))
