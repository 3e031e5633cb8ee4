"""Boolean matrices that follow each other: what rounds of a loop do to a pattern, up to where that repeats itself.

There are finitely many patterns, so each sequence of them ends in a cycle; mostly in one matrix, a fixed point.

Source: boolean powers of a matrix as reachability, Gilbert, Predicting structure in sparse matrix computations (1994).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, NamedTuple


class Powers(NamedTuple):
    """Matrices by their number. From the number ``first`` on, they are the last ones of ``items``, over and over."""

    items: list[Any]
    first: int

    @property
    def settles(self) -> bool:
        """Whether they end in one matrix."""
        return self.first == len(self.items) - 1

    @property
    def ends(self) -> bool:
        """Whether they end in an empty matrix."""
        return self.settles and not self.items[-1].nnz

    def __getitem__(self, t: Any) -> Any:
        """The matrix of a number."""
        cycle = len(self.items) - self.first
        return self.items[t if t < self.first else self.first + (t - self.first) % cycle]

    def numbered(self, count: int) -> Iterator[tuple[Any, range]]:
        """Each matrix among the first ones, so many, and its numbers."""
        cycle = len(self.items) - self.first
        for k, item in enumerate(self.items[:count]):
            yield item, range(k, k + 1) if k < self.first else range(k, count, cycle)


def powers(step: Any, begin: Any, count: int, more: Any = None) -> Powers:
    """The matrices ``begin, step @ begin + more, ...``, the first ones of them, so many, or as many as differ.

    All are boolean csr_arrays, and sums are unions.

    >>> from scipy.sparse import csr_array, eye_array
    >>> turn = csr_array([[False, True], [True, False]])
    >>> found = powers(turn, csr_array(eye_array(2, dtype=bool)), 100)
    >>> len(found.items), found.first, (found[98] != found[0]).nnz
    (2, 0, 0)
    """
    seen: dict[bytes, int] = {}
    items: list[Any] = []
    latest = begin
    for t in range(max(count, 1)):
        latest.sort_indices()
        content = hashlib.blake2b(latest.indptr.tobytes(), digest_size=16)
        content.update(latest.indices.tobytes())
        key = content.digest()
        if key in seen:
            return Powers(items, seen[key])
        seen[key] = t
        items.append(latest)
        latest = step @ latest
        latest = latest if more is None else latest + more
    return Powers(items, len(items))
