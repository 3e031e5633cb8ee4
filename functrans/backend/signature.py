"""Signatures as the compiled launcher reads them: what each place in the arguments must be, and in the results.

A node is ``(kind, type, how, info, children)``; ``Node`` in ``launch.h`` is the same.  What a signature is depends on
nothing but the key that the long way finds its code by, so that both ways take a call for the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import Any

import numpy as np

from functrans import tree

__all__ = ["Kinds", "Structure", "array_arguments", "structure"]

Kinds = tuple[tuple[tuple[int, ...], np.dtype[Any]], ...]
Node = tuple[int, Any, Any, Any, tuple[Any, ...]]
Structure = tuple[Node, tuple[str, ...], Node, Node, int]
"""Positional arguments, names of the keyword arguments, those, the results, and how many classes are pytrees."""

_DEEPEST = 40  # levels of containers: beyond them the long way is as good


class Kind(IntEnum):
    """What stands in a place; ``Kind`` in ``launch.h``."""

    ARRAY, FLOAT, INT, BOOL, COMPLEX, NONE, TUPLE, LIST, DICT, NAMED, REGISTERED, FIXED = range(12)


_NUMBERS = {float: Kind.FLOAT, int: Kind.INT, bool: Kind.BOOL, complex: Kind.COMPLEX}
_BY_VALUE = frozenset({str, bytes, int, bool, float, complex, type(None)})  # equal ones of a type are one in every use
_INT64 = (-(1 << 63), (1 << 63) - 1)


class _LongWay(Exception):
    """Something that only the long way knows."""


def structure(
    call: tuple[tuple[Any, ...], dict[str, Any], frozenset[int], frozenset[str]],
    given: tree.TreeDef,
    leaves: Sequence[Any],
    inputs: Kinds,
    limits: Sequence[tuple[int, int] | None],
    results: tree.TreeDef,
) -> Structure | None:
    """The signature of a call; None where the launcher cannot tell such arguments apart.

    ``call`` are the arguments by place and by name, and the places and names of those compared by value; the others
    have the structure ``given``, these ``leaves``, and are read as ``inputs``; an integer lies within ``limits``.
    """
    args, kwargs, places, fixed = call
    below = iter([_leaf_of(*found) for found in zip(leaves, inputs, limits, strict=True)])
    try:
        positions, keywords = (iter(c.children) for c in given.children)
        one = [_fixed(a) if k in places else _argument(next(positions), below) for k, a in enumerate(args)]
        names = tuple(sorted(kwargs))
        two = [_fixed(kwargs[k]) if k in fixed else _argument(next(keywords), below) for k in names]
        made = _result(results)
    except _LongWay:
        return None
    classes = len(tree.registered) if any(map(_holds_named, (*one, *two, made))) else -1
    return _node(Kind.TUPLE, one), names, _node(Kind.TUPLE, two), made, classes


def array_arguments(inputs: Kinds, results: tree.TreeDef) -> Structure:
    """The signature of positional arrays."""
    arrays = [_leaf(Kind.ARRAY, dtype) for _, dtype in inputs]
    return _node(Kind.TUPLE, arrays), (), _node(Kind.TUPLE, ()), _result(results), -1


def _leaf(kind: Kind, info: Any = None, how: Any = None) -> Node:
    return kind, None, how, info, ()


def _node(kind: Kind, children: Sequence[Node], cls: Any = None, how: Any = None, info: Any = None) -> Node:
    return kind, cls, how, info, tuple(children)


def _holds_named(node: Node) -> bool:
    return node[0] == Kind.NAMED or any(map(_holds_named, node[4]))


def _leaf_of(x: Any, read: tuple[tuple[int, ...], np.dtype[Any]], limits: tuple[int, int] | None) -> Node | None:
    """The node of a leaf that is read as an array of this shape and dtype; None for what only the long way reads."""
    kind = type(x)
    if kind is np.ndarray or isinstance(x, np.generic):  # an array without axes and a scalar are one signature
        return _leaf(Kind.ARRAY, x.dtype) if (x.shape, x.dtype.newbyteorder("=")) == read else None
    if kind not in _NUMBERS or read != ((), np.dtype(kind)):
        return None
    return _leaf(_NUMBERS[kind], limits or _INT64)


def _argument(given: tree.TreeDef, leaves: Iterator[Node | None], depth: int = 0) -> Node:
    """The node of an argument; its leaves are the next ones."""
    cls, info = given.kind, given.info
    if cls is None:
        leaf = next(leaves)
        if leaf is None:
            raise _LongWay
        return leaf
    if depth > _DEEPEST:
        raise _LongWay
    children = [_argument(c, leaves, depth + 1) for c in given.children]
    if cls is type(None):
        return _leaf(Kind.NONE)
    if cls in tree.registered:
        _fixed(info)
        return _node(Kind.REGISTERED, children, cls, tree.registered[cls][0], info)
    if cls is dict:
        if not all(type(k) is str for k in info):
            raise _LongWay
        return _node(Kind.DICT, children, info=info)
    if cls is tuple or cls is list:
        return _node(Kind.TUPLE if cls is tuple else Kind.LIST, children)
    if cls.__iter__ is not tuple.__iter__:  # type: ignore[attr-defined]
        raise _LongWay
    return _node(Kind.NAMED, children, cls)


def _fixed(value: Any) -> Node:
    """A static argument: with its hash, where comparing values may run code of the user's."""
    _check_exact(value)
    return _leaf(Kind.FIXED, value, None if _by_value(value) else hash(value))


def _check_exact(value: Any) -> None:
    if type(value) is tuple:
        for v in value:
            _check_exact(v)
    elif type(value) not in _BY_VALUE and isinstance(value, (float, complex, tuple, frozenset)):
        raise _LongWay


def _by_value(value: Any) -> bool:
    return all(map(_by_value, value)) if type(value) is tuple else type(value) in _BY_VALUE


def _result(made: tree.TreeDef, depth: int = 0) -> Node:
    if depth > _DEEPEST:
        raise _LongWay
    if made.kind is None:
        return _leaf(Kind.ARRAY)
    if made.kind is type(None):
        return _leaf(Kind.NONE)
    children = [_result(c, depth + 1) for c in made.children]
    if made.kind in tree.registered:
        return _node(Kind.REGISTERED, children, how=tree.registered[made.kind][1], info=made.info)
    if made.kind is dict:
        return _node(Kind.DICT, children, info=made.info)
    if made.kind is tuple or made.kind is list:
        return _node(Kind.TUPLE if made.kind is tuple else Kind.LIST, children)
    return _node(Kind.NAMED, children, made.kind)
