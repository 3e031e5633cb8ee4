"""Products with one known array after the other, as one product with the product of these arrays.

(dX B) X is dX (B X). Terms that are carried through both sums have an entry for each pair of what both of them add up;
the known arrays are multiplied once, and an entry of the result then is one of theirs. It is the order in which a chain
of matrices is multiplied, chosen by the number of products: Griewank and Walther, Evaluating Derivatives (2008),
chapter 10.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count
from math import prod
from typing import NamedTuple

import numpy as np

from functrans.ops import build as B
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.interpret import interpret
from functrans.ops.opdef import opdef
from functrans.ops.source import buffer
from functrans.ops.uop import UOp, substitute, toposort
from functrans.tensor.contract import contract
from functrans.transforms.dependents import dependents
from functrans.transforms.sparse.constants import Constants
from functrans.transforms.sparse.direct.nonzeros import listed
from functrans.transforms.sparse.direct.spaces import SHORT

_SUMS = frozenset({Ops.ADD, Ops.SUB, Ops.NEG})


class View(NamedTuple):
    """An array and the label of each of its axes; of one element along an axis the label is of no other array."""

    array: UOp
    labels: tuple[int, ...]


class Contraction(NamedTuple):
    """The sum of products of what depends on directions and what is known, over the labels that are not left."""

    late: View
    known: View
    left: tuple[int, ...]


def chained(roots: Sequence[UOp], directions: Iterable[UOp]) -> list[UOp]:
    """The same values, with known arrays multiplied first where that takes fewer products. Linear in the graph."""
    order = toposort(roots)
    return _Chains(order, dependents(order, directions)).rewritten(roots)


class _Chains:
    """The rewriting of one graph."""

    def __init__(self, order: Sequence[UOp], late: Collection[UOp]) -> None:
        self._order, self._late = order, set(late)
        self._label, self._size = count(), dict[int, int]()
        self._made: dict[UOp, Contraction] = {}
        self._new: dict[UOp, UOp] = {}

    def rewritten(self, roots: Sequence[UOp]) -> list[UOp]:
        """The roots, each sum after those that it reads."""
        for u in self._order:
            if u in self._late and opdef(u).reduces is not None and _sum_of(u)[0] is Ops.ADD:
                self._visit(u)
        return substitute(roots, self._new) if self._new else list(roots)

    def _visit(self, node: UOp) -> None:
        """A sum of products, of which some may have another order: then each of them is a sum of its own. What is the
        sum of one product, not of its negative nor of it twice, is a part of a chain.
        """
        found = {p: self._contraction(node, p) for p in _added(node.src[0])}
        shorter = {p: c for p, c in ((p, self._shorter(c)) for p, c in found.items() if c is not None) if c is not None}
        only = shorter.get(node.src[0], found.get(node.src[0]))
        if only is not None:
            self._made[node] = only
        totals = {p: _summed(*c) for p, c in shorter.items()}
        for p, c in found.items():
            few = None if c is None or p in shorter else self._over_nonzeros(c)
            if few is not None:
                totals[p] = B.reshape(few, node.sized)
        if not totals:
            return
        for p in found:
            if p not in totals:
                totals[p] = B.reduce_axis(p, *_sum_of(node))
        (self._new[node],) = substitute([_combined(node.src[0], totals)], self._new)

    def _contraction(self, node: UOp, product: UOp) -> Contraction | None:
        if product.op is not Ops.MUL or product.dtype.kind != "f":
            return None
        parts = [s for s in product.src if s in self._late]
        if len(parts) != 1:
            return None
        (late,) = parts
        labels = self._labels(product.sized)
        left = tuple(k for axis, k in enumerate(labels) if axis not in _sum_of(node)[1])
        views = self._view(late, labels), self._view(product.src[product.src[0] is late], labels)
        told = {k for v in views for k in v.labels}
        return Contraction(*views, left) if all(k in told or self._size[k] == 1 for k in labels) else None

    def _labels(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        found = []
        for n in shape:
            k = next(self._label)
            self._size[k] = n
            found.append(k)
        return tuple(found)

    def _view(self, node: UOp, labels: tuple[int, ...]) -> View:
        """What a node shows an array as, by moves that keep its axes apart."""
        while True:
            moved = self._moved(node, labels)
            if moved is None:
                return View(node, labels)
            node, labels = moved

    def _moved(self, node: UOp, labels: tuple[int, ...]) -> tuple[UOp, tuple[int, ...]] | None:
        record = opdef(node)
        if node.op not in GroupOp.Movement or len(node.src) > 1 or record.axes is None:
            return None
        (source,) = node.src
        repeated = () if record.repeats is None else record.repeats(node)
        found = list(self._labels((1,) * source.ndim))
        known = 1
        for axis, (k, n) in enumerate(zip(labels, node.sized, strict=True)):
            if n == 1 or axis in repeated:
                continue
            at = record.axes.source(node, axis)
            if at is None or source.sized[at] != n:
                return None
            found[at], known = k, known * n
        return (source, tuple(found)) if known == source.size else None

    def _shorter(self, outer: Contraction) -> Contraction | None:
        """A contraction of what another one is of, with the product of both known arrays; None where it is longer."""
        inner = self._made.get(outer.late.array)
        if inner is None:
            return None
        source, first = self._renamed(inner, outer.late.labels)
        second = outer.known
        summed = set(second.labels) - set(outer.left) - set(source.labels)
        if all(self._size[k] <= SHORT for k in summed):
            return None  # terms write the sums out
        kept = tuple(k for k in dict.fromkeys((*first.labels, *second.labels)) if self._size[k] > 1 and k not in summed)
        products = self._products({*source.labels, *first.labels, *second.labels, *outer.left})
        fewer = self._products({*first.labels, *second.labels}) + self._products({*source.labels, *kept, *outer.left})
        if products <= fewer or any(self._has_zeros(v.array) for v in (first, second)):
            return None  # of zeros there are no terms
        return Contraction(source, View(self._multiplied(first, second, kept), kept), outer.left)

    def _over_nonzeros(self, c: Contraction) -> UOp | None:
        """A contraction by the nonzeros of what is known, where these are few."""
        (late, of_late), (known, of_known) = map(_squeezed, (c.late, c.known))
        summed = (set(of_late) | set(of_known)) - set(c.left)
        if all(self._size[k] <= SHORT for k in summed):
            return None  # terms write the sums out
        value = Constants(toposort((known,)), (known,)).value(known)
        left = [k for k in c.left if self._size[k] > 1]
        return None if value is None else listed(late, of_late, value, of_known, left)

    def _renamed(self, inner: Contraction, labels: Sequence[int]) -> tuple[View, View]:
        """The arrays of a contraction by the labels under which its result is read, what it adds up by new ones."""
        new = dict(zip(inner.left, labels, strict=True))
        for k in (*inner.late.labels, *inner.known.labels):
            if k not in new:
                (new[k],) = self._labels((self._size[k],))
        late, known = (View(v.array, tuple(new[k] for k in v.labels)) for v in (inner.late, inner.known))
        return late, known

    def _products(self, labels: Iterable[int]) -> int:
        return prod(self._size[k] for k in labels)

    def _has_zeros(self, array: UOp) -> bool:
        zeros = Constants(toposort((array,)), (array,)).zeros(array)
        return zeros is not None and 2 * int(np.count_nonzero(zeros)) >= zeros.size

    def _multiplied(self, first: View, second: View, kept: Sequence[int]) -> UOp:
        """The product of two known arrays; a constant where both are."""
        whole = _summed(first, second, kept)
        if not Constants(toposort((whole,)), ()).constant(whole):
            return whole
        (value,) = interpret((whole,), {})
        return buffer(value)


def _sum_of(node: UOp) -> tuple[Ops, tuple[int, ...]]:
    """What a reduction combines by, and over which axes."""
    reduces = opdef(node).reduces
    assert reduces is not None
    return reduces(node)


def _added(node: UOp) -> list[UOp]:
    """What a node adds up, each once. Linear, also where sums are added to themselves."""
    return [u for u in toposort((node,), enter=lambda u: u.op in _SUMS) if u.op not in _SUMS]


def _combined(node: UOp, totals: Mapping[UOp, UOp]) -> UOp:
    """The same sums and differences, of sums of what a node adds up."""
    made = dict(totals)
    for u in toposort((node,), enter=lambda u: u not in totals):
        if u in made:
            continue
        parts = [made[s] for s in u.src]
        made[u] = B.neg(*parts) if u.op is Ops.NEG else B.sub(*parts) if u.op is Ops.SUB else B.add(*parts)
    return made[node]


def _summed(a: View, b: View, left: Sequence[int]) -> UOp:
    (x, la), (y, lb) = map(_squeezed, (a, b))
    return contract(x, la, y, lb, left)


def _squeezed(view: View) -> View:
    array, labels = view
    long = [k for k, n in enumerate(array.sized) if n != 1]
    return View(B.reshape(array, tuple(array.sized[k] for k in long)), tuple(labels[k] for k in long))
