"""Pytrees: nested tuples, lists, dicts, namedtuples and registered classes, None being a tree without leaves.

``ft.tree`` is this module; its public names are those of ``__all__``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from functrans.errors import ArgumentError, at_user_line

__all__ = ["TreeDef", "flatten", "leaves", "map", "structure", "unflatten"]

Flatten = Callable[[Any], tuple[Iterable[Any], Any]]
Unflatten = Callable[[Any, tuple[Any, ...]], Any]
IsLeaf = Callable[[Any], bool]
registered: dict[type, tuple[Flatten, Unflatten]] = {}
"""How instances of each class that `register_pytree` was told of are taken apart and put together."""


class TreeDef:
    """The structure of a tree: what node this is (None for a leaf), what it holds, its children.

    >>> made = structure({"a": 1.0, "b": (2.0, 3.0)})
    >>> made, made.unflatten([10, 20, 30])
    (TreeDef({'a': *, 'b': (*, *)}), {'a': 10, 'b': (20, 30)})
    """

    __slots__ = ("_hash", "children", "info", "kind", "num_leaves")

    def __init__(self, kind: type | None, info: Any = None, children: tuple[TreeDef, ...] = ()) -> None:
        self.kind, self.info, self.children = kind, info, children
        self.num_leaves: int = 1 if kind is None else sum([c.num_leaves for c in children])
        self._hash = hash((kind, info, children))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, TreeDef):
            return NotImplemented
        mine, theirs = (self.kind, self.info, self.children), (other.kind, other.info, other.children)
        return self._hash == other._hash and mine == theirs

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Without the hash, which is another one in another process."""
        return "LEAF" if self is LEAF else (TreeDef, (self.kind, self.info, self.children))

    def __repr__(self) -> str:
        return f"TreeDef({self})"

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """The tree of this structure with these leaves."""
        rest = iter(leaves)
        return self._build(rest)

    def __str__(self) -> str:
        return repr(self.unflatten([_Star()] * self.num_leaves))

    def _build(self, rest: Any) -> Any:
        if self.kind is None:
            return next(rest)
        items = tuple([next(rest) if c is LEAF else c._build(rest) for c in self.children])
        if self.kind is tuple:
            return items
        if self.kind is type(None):
            return None
        if self.kind is dict:
            return dict(zip(self.info, items, strict=True))
        if self.kind in registered:
            return registered[self.kind][1](self.info, items)
        return self.kind(*items) if hasattr(self.kind, "_fields") else self.kind(items)


class _Star:
    def __repr__(self) -> str:
        return "*"


LEAF = TreeDef(None)
_NO_ITEMS = TreeDef(dict, ())


def register_pytree(cls: type, flatten: Flatten, unflatten: Unflatten) -> None:
    """Make instances of a class nodes of pytrees.

    ``flatten(x)`` gives ``(children, info)``, ``unflatten(info, children)`` the object back; ``info`` must be
    hashable. Raises ArgumentError for a class that is a pytree already.

    >>> class Pair:
    ...     def __init__(self, a, b): self.a, self.b = a, b
    >>> register_pytree(Pair, lambda p: ((p.a, p.b), None), lambda info, c: Pair(*c))
    >>> flatten(Pair(1, 2))[0]
    [1, 2]
    """
    if not isinstance(cls, type):
        raise ArgumentError(f"register_pytree expects a class, got {cls!r} of type {type(cls).__name__}")
    if cls in registered or cls in (tuple, list, dict, type(None)):
        raise ArgumentError(f"{cls.__name__} is a pytree already; register a class once")
    registered[cls] = (flatten, unflatten)


def open_node(x: Any) -> tuple[type, Any, list[Any], list[str]] | None:
    """Node type, info, children and their names; None for a leaf."""
    if x is None:
        return type(None), None, [], []
    if type(x) in registered:
        children, info = registered[type(x)][0](x)
        children = list(children)
        return type(x), info, children, [f".{k}" for k in range(len(children))]
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return type(x), None, list(x), [f".{f}" for f in x._fields]
    if type(x) in (tuple, list):
        return type(x), None, list(x), [f"[{k}]" for k in range(len(x))]
    if type(x) is dict:
        keys = _sorted_keys(x)
        return dict, keys, [x[k] for k in keys], [f"[{k!r}]" for k in keys]
    return None


def _sorted_keys(x: dict[Any, Any]) -> tuple[Any, ...]:
    try:
        return tuple(sorted(x))
    except TypeError as error:
        raise ArgumentError(
            f"the keys {list(x)} of a dict cannot be sorted{at_user_line()}; the leaves of a pytree go by sorted keys: "
            "use keys of one type"
        ) from error


def flatten(tree: Any, is_leaf: IsLeaf | None = None) -> tuple[list[Any], TreeDef]:
    """The leaves in order and the structure: those of a dict by sorted keys. None is a tree without leaves.

    ``is_leaf(x)`` may say of a node that it is a leaf. Raises ArgumentError for dicts whose keys cannot be sorted.
    Linear in the tree.

    >>> import functrans as ft
    >>> ft.tree.flatten({"b": (1, None), "a": 2})
    ([2, 1], TreeDef({'a': *, 'b': (*, None)}))

    Source: semantics of ``jax.tree.flatten``.
    """
    leaves: list[Any] = []
    try:
        return leaves, _walk(tree, leaves) if is_leaf is None else _walk_to(tree, leaves, is_leaf)
    except RecursionError:
        raise ArgumentError(
            f"a {type(tree).__name__} of containers nested without end, or one that holds itself, is no pytree"
            f"{at_user_line()}"
        ) from None


@functools.lru_cache(maxsize=64)
def _sequence(kind: type, n: int) -> TreeDef:
    """The structure of a tuple or list of n leaves."""
    return TreeDef(kind, None, (LEAF,) * n)


def _walk(x: Any, leaves: list[Any]) -> TreeDef:
    kind = type(x)
    if kind is tuple or kind is list:  # a short way: every call comes through here
        children = [_walk(c, leaves) for c in x]
        flat = children.count(LEAF) == len(children)
        return _sequence(kind, len(children)) if flat else TreeDef(kind, None, tuple(children))  # type: ignore[arg-type]
    if kind is dict and not x:  # no keyword arguments: most calls
        return _NO_ITEMS
    opened = open_node(x) if kind is dict or x is None or kind in registered or isinstance(x, tuple) else None
    if opened is None:
        leaves.append(x)
        return LEAF
    return TreeDef(opened[0], opened[1], tuple([_walk(c, leaves) for c in opened[2]]))


def _walk_to(x: Any, leaves: list[Any], is_leaf: IsLeaf) -> TreeDef:
    opened = None if is_leaf(x) else open_node(x)
    if opened is None:
        leaves.append(x)
        return LEAF
    return TreeDef(opened[0], opened[1], tuple([_walk_to(c, leaves, is_leaf) for c in opened[2]]))


def unflatten(treedef: TreeDef, leaves: Iterable[Any]) -> Any:
    """The tree of a structure with these leaves. Raises ArgumentError where there are more or fewer than it has.

    >>> import functrans as ft
    >>> leaves, treedef = ft.tree.flatten({"b": (1, None), "a": 2})
    >>> ft.tree.unflatten(treedef, "xy")
    {'a': 'x', 'b': ('y', None)}

    Source: semantics of ``jax.tree.unflatten``.
    """
    given = list(leaves)
    if not isinstance(treedef, TreeDef):
        raise ArgumentError(
            f"tree.unflatten expects a structure and its leaves, but got {treedef!r} of type {type(treedef).__name__}"
            f"{at_user_line()}; flatten and structure give one"
        )
    if len(given) != treedef.num_leaves:
        raise ArgumentError(
            f"tree.unflatten: {len(given)} leaves for the structure {treedef}, which has {treedef.num_leaves}"
            f"{at_user_line()}"
        )
    return treedef.unflatten(given)


def leaves(tree: Any, is_leaf: IsLeaf | None = None) -> list[Any]:
    """The leaves of a tree in order; see `flatten`.

    >>> import functrans as ft
    >>> ft.tree.leaves([1, (2, None), {"x": 3}])
    [1, 2, 3]

    Source: semantics of ``jax.tree.leaves``.
    """
    return flatten(tree, is_leaf)[0]


def structure(tree: Any, is_leaf: IsLeaf | None = None) -> TreeDef:
    """The structure of a tree: equal for trees that differ in their leaves alone; see `flatten`.

    >>> import functrans as ft
    >>> ft.tree.structure([1, 2]) == ft.tree.structure(["a", 0.5])
    True

    Source: semantics of ``jax.tree.structure``.
    """
    return flatten(tree, is_leaf)[1]


def map(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: IsLeaf | None = None) -> Any:
    """The tree of ``f(leaf, *others)`` for every leaf, with what stands at its place in the other trees.

    ``rest`` have the structure of ``tree``, and may go on where it has a leaf: f is then given a subtree. Raises
    ArgumentError where a structure differs, naming the place. Linear in the tree.

    >>> import functrans as ft
    >>> ft.tree.map(lambda p, g: p - 0.5 * g, {"w": 1.0, "b": (2.0,)}, {"w": 2.0, "b": (4.0,)})
    {'b': (0.0,), 'w': 0.0}

    Source: semantics of ``jax.tree.map``.
    """
    first, treedef = flatten(tree, is_leaf)
    others = [_up_to(t, treedef, f"rest[{k}]") for k, t in enumerate(rest)]
    return treedef.unflatten([f(*group) for group in zip(first, *others, strict=True)])


def _up_to(x: Any, treedef: TreeDef, path: str) -> list[Any]:
    """What stands in x where a structure has leaves; ArgumentError, with the path, where x has another structure."""
    if treedef.kind is None:
        return [x]
    opened = open_node(x)
    if opened is None or (opened[0], opened[1], len(opened[2])) != (treedef.kind, treedef.info, len(treedef.children)):
        raise ArgumentError(
            f"tree.map: {path} is {_describe(structure(x))}, where the first tree has {_describe(treedef)}"
            f"{at_user_line()}; the trees must have one structure"
        )
    return [y for c, d, step in zip(opened[2], treedef.children, opened[3], strict=True)
            for y in _up_to(c, d, path + step)]  # fmt: skip


def paths(tree: Any, name: str = "") -> list[str]:
    """A name for each leaf, as in ``args[0]['x']``."""
    opened = open_node(tree)
    if opened is None:
        return [name]
    return [p for c, step in zip(opened[2], opened[3], strict=True) for p in paths(c, name + step)]


def flatten_prefix(prefix: Any, treedef: TreeDef, name: str) -> list[Any]:
    """One entry of a pytree prefix for every leaf of a tree; an entry above a subtree holds for all of it.

    None, which elsewhere is a tree without leaves, is an entry here; a list fits a tuple and the other way round.
    Raises ArgumentError where the prefix has another structure than the tree, naming the place.
    """
    opened = None if prefix is None else open_node(prefix)
    if opened is None:
        return [prefix] * treedef.num_leaves
    kind, info, children, names = opened
    alike = kind is treedef.kind or {kind, treedef.kind} <= {tuple, list}
    if not alike or len(children) != len(treedef.children) or info != treedef.info:
        raise ArgumentError(
            f"{name} is a {kind.__name__} of {len(children)} where the values are {_describe(treedef)}; give an entry "
            "for each, or one for all"
        )
    return [
        e for c, d, step in zip(children, treedef.children, names, strict=True)
        for e in flatten_prefix(c, d, name + step)
    ]  # fmt: skip


def flatten_like(values: Any, treedef: TreeDef) -> list[Any] | None:
    """The values that stand where the leaves of a tree stand, None being a value too; None where structures differ.

    >>> flatten_like((None, [1, 2]), flatten((0.5, [1.5, 2.5]))[1])
    [None, 1, 2]
    """
    opened = open_node(values)
    if treedef.kind is None:
        return [values] if opened is None or values is None else None
    if opened is None or (opened[0], opened[1], len(opened[2])) != (treedef.kind, treedef.info, len(treedef.children)):
        return None
    below = [flatten_like(c, d) for c, d in zip(opened[2], treedef.children, strict=True)]
    return None if None in below else [x for part in below for x in part or ()]


def _describe(treedef: TreeDef) -> str:
    if treedef.kind is None:
        return "a single array"
    if treedef.kind is type(None):
        return "None"
    keys = f" with the keys {list(treedef.info)}" if treedef.kind is dict else ""
    return f"a {treedef.kind.__name__} of {len(treedef.children)}{keys}"
