"""Einstein summation: subscripts read, diagonals taken, operands contracted two at a time, cheap pairs first."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import combinations
from math import prod
from typing import Any

import numpy as np

from functrans import dtypes
from functrans.errors import ArgumentError, ArgumentValueError, ShapeError, at_user_line
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.tensor.contract import contract, operands
from functrans.tensor.indexing import getitem
from functrans.tensor.lift import lift
from functrans.tensor.reduce import fold, sum_

Labels = list[Hashable]


def einsum(*args: Any, dtype: Any = None) -> UOp:
    """NumPy's einsum: ``(subscripts, *operands)`` or ``(operand, labels, ..., [labels out])``."""
    terms, out, arrays, text = _read(args)
    nodes = operands(*arrays) if arrays else []
    if dtype is not None:
        nodes = [lift(x, dtypes.from_numpy(dtype)) for x in nodes]
    spelled, target = _ellipses(terms, out, nodes, text)
    _check_sizes(spelled, nodes, text)
    live = [_diagonal(x, labels) for x, labels in zip(nodes, spelled, strict=True)]
    while len(live) > 1:
        i, j, kept = _next([labels for _, labels in live], target, _sizes(live))
        (a, la), (b, lb) = live[i], live[j]
        order = target if len(live) == 2 else kept
        live[i] = contract(a, la, b, lb, order), order
        del live[j]
    return _single(*live[0], target)


def _sizes(live: list[tuple[UOp, Labels]]) -> dict[Hashable, int]:
    """The size that each label stands for."""
    found: dict[Hashable, int] = {}
    for x, labels in live:
        for k, n in zip(labels, x.sized, strict=True):
            found[k] = max(found.get(k, 1), n)
    return found


def _next(terms: list[Labels], target: Labels, sizes: dict[Hashable, int]) -> tuple[int, int, Labels]:
    """The two operands that are contracted next, and the labels that are left of them: those with the fewest products,
    of equals those with the smallest result, the first of these.
    """

    def left(i: int, j: int) -> Labels:
        later = {k for m, labels in enumerate(terms) if m not in (i, j) for k in labels} | set(target)
        return [k for k in dict.fromkeys([*terms[i], *terms[j]]) if k in later]

    def price(pair: tuple[int, int]) -> tuple[int, int]:
        i, j = pair
        return prod(sizes[k] for k in {*terms[i], *terms[j]}), prod(sizes[k] for k in left(i, j))

    i, j = min(combinations(range(len(terms)), 2), key=price)
    return i, j, left(i, j)


def _single(x: UOp, labels: Labels, target: Labels) -> UOp:
    drop = tuple(i for i, k in enumerate(labels) if k not in target)
    if drop:
        x = fold(x, Ops.OR, drop, False) if x.dtype.kind == "b" else sum_(x, drop, x.dtype.numpy)
    rest = [k for k in labels if k in target]
    return B.permute(x, tuple(rest.index(k) for k in target))


def _read(args: tuple[Any, ...]) -> tuple[list[Labels], Labels | None, list[Any], str]:
    """Labels of each operand, labels of the result (None: implicit), operands, and the text for messages."""
    if not args:
        raise ArgumentValueError(f"einsum: no arguments{at_user_line()}; expected subscripts and operands")
    if not isinstance(args[0], str):
        arrays = list(args[: len(args) // 2 * 2 : 2])
        terms = [_numbers(s) for s in args[1::2]][: len(arrays)]
        out = _numbers(args[-1]) if len(args) % 2 else None
        return terms, out, arrays, f"labels {terms}"
    text = args[0].replace(" ", "")
    left, arrow, right = text.partition("->")
    terms = [_letters(t, text) for t in left.split(",")]
    if len(terms) != len(args) - 1:
        raise ArgumentValueError(
            f"einsum: subscripts {text!r} name {len(terms)} operands, {len(args) - 1} are given{at_user_line()}"
        )
    return terms, _letters(right, text) if arrow else None, list(args[1:]), repr(text)


def _numbers(given: Any) -> Labels:
    """The labels of an operand, as a list of integers and Ellipsis."""
    labels = list(given) if isinstance(given, (list, tuple, np.ndarray)) else None
    if labels is None or not all(k is Ellipsis or isinstance(k, (int, np.integer)) for k in labels):
        raise ArgumentError(
            f"einsum: subscripts {given!r}{at_user_line()}; expected a text, or a list of integers and Ellipsis "
            "after each operand"
        )
    return labels


def _letters(term: str, text: str) -> Labels:
    letters: Labels = []
    before, dots, after = term.partition("...")
    for piece, marks in ((before, dots), (after, "")):
        if not piece.isalpha() and piece:
            raise ArgumentValueError(
                f"einsum: subscripts {text!r}{at_user_line()}; expected letters, commas, ... and ->"
            )
        letters += [*piece, *([Ellipsis] if marks else [])]
    return letters


def _ellipses(terms: list[Labels], out: Labels | None, nodes: list[UOp], text: str) -> tuple[list[Labels], Labels]:
    """Labels with every ellipsis spelled out, and those of the result."""
    spelled: list[Labels] = []
    widest = 0
    for labels, x in zip(terms, nodes, strict=True):
        extra = x.ndim - (len(labels) - (Ellipsis in labels))
        if extra < 0 or (extra and Ellipsis not in labels):
            raise ShapeError(f"einsum: subscripts {text} do not fit an operand of shape {x.shape}{at_user_line()}")
        widest = max(widest, extra if Ellipsis in labels else 0)
        spelled.append(_spell(labels, extra))
    if out is None:
        every = [k for labels in spelled for k in labels]
        single = [k for k in dict.fromkeys(every) if every.count(k) == 1 and not isinstance(k, tuple)]
        target: Labels = [*_dots(widest), *sorted(single)]  # type: ignore[type-var]
    else:
        target = _spell(out, widest)
    known = {k for labels in spelled for k in labels}
    if len(set(target)) != len(target) or not set(target) <= known:
        raise ArgumentValueError(f"einsum: the result of {text} repeats a label or has one of its own{at_user_line()}")
    return spelled, target


def _spell(labels: Labels, extra: int) -> Labels:
    if Ellipsis not in labels:
        return labels
    at = labels.index(Ellipsis)
    return [*labels[:at], *_dots(extra), *labels[at + 1 :]]


def _dots(count: int) -> Labels:
    return [("...", -k) for k in range(count, 0, -1)]  # counted from the last axis, as broadcasting does


def _check_sizes(spelled: list[Labels], nodes: list[UOp], text: str) -> None:
    found: dict[Hashable, int] = {}
    for labels, x in zip(spelled, nodes, strict=True):
        for k, n in zip(labels, x.sized, strict=True):
            if n != 1 and found.setdefault(k, n) != n:
                shapes = " and ".join(str(u.shape) for u in nodes)
                raise ShapeError(
                    f"einsum: in {text} the label {k!r} stands for sizes {found[k]} and {n}; "
                    f"operands have shapes {shapes}{at_user_line()}"
                )


def _diagonal(x: UOp, labels: Labels) -> tuple[UOp, Labels]:
    """X with axes of one label replaced by their diagonal."""
    for k in dict.fromkeys(labels):
        axes = [i for i, other in enumerate(labels) if other == k]
        if len(axes) == 1:
            continue
        n = max(x.sized[a] for a in axes)
        lines = {a: np.arange(n) if x.sized[a] == n else np.zeros(n, np.int64) for a in axes}
        first = [B.permute(x, (*axes, *(i for i in range(x.ndim) if i not in axes)))]
        x = getitem(first[0], tuple(lines[a] for a in axes))
        labels = [k, *(other for other in labels if other != k)]
    return x, labels
