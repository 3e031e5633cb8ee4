"""Patterns over nodes, and tables of (pattern, rule) rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from functrans.dtypes import DType
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

Rule = Callable[..., Any]


class UPat:
    """A pattern: an op or a set of them, and optionally dtype, arg and sources; ``name`` binds the node.

    ``src=None`` matches any sources; a tuple matches them in order, and two also swapped when ``any_order``.

    >>> from functrans.ops import UOp, Ops, UPat, dtypes
    >>> UPat(Ops.CONST, name="c").match(UOp.const(dtypes.int64, 3))["c"].arg
    3
    """

    __slots__ = ("any_order", "arg", "dtype", "name", "ops", "src")

    def __init__(
        self,
        ops: Ops | Iterable[Ops] | None = None,
        dtype: DType | None = None,
        src: tuple[UPat, ...] | None = None,
        arg: Any = None,
        name: str | None = None,
        any_order: bool = False,
    ) -> None:
        self.ops = None if ops is None else frozenset({ops} if isinstance(ops, Ops) else ops)
        self.dtype, self.src, self.arg, self.name, self.any_order = dtype, src, arg, name, any_order

    @staticmethod
    def var(name: str) -> UPat:
        """Any node, under a name; the same name twice demands the same node."""
        return UPat(name=name)

    def match(self, node: UOp, bound: dict[str, UOp] | None = None) -> dict[str, UOp] | None:
        """The names bound by a match of the node, or None."""
        if not self._may_match(node):
            return None
        if self.src is None and bound is None:
            return {} if self.name is None else {self.name: node}
        return next(self._ways(node, {} if bound is None else bound), None)

    def _may_match(self, node: UOp) -> bool:
        """Whether the node and the ops of its sources are the pattern's, whatever is bound and stands below these."""
        if self.ops is not None and node.op not in self.ops:
            return False
        if self.dtype is not None and node.dtype != self.dtype:
            return False
        if self.arg is not None and node.arg != self.arg:
            return False
        if self.src is None:
            return True
        if len(self.src) != len(node.src):
            return False
        if not self.any_order:
            for pattern, source in zip(self.src, node.src):
                if pattern.ops is not None and source.op not in pattern.ops:
                    return False
        return True

    def _ways(self, node: UOp, bound: dict[str, UOp]) -> Iterator[dict[str, UOp]]:
        """Every way to match a node that may, since what a later source needs may rule out the first way found for an
        earlier one.
        """
        if self.name is not None:
            if bound.get(self.name, node) is not node:
                return
            bound = bound | {self.name: node}
        if self.src is None:
            yield bound
            return
        yield from _in_order(self.src, node.src, bound)
        if self.any_order and len(node.src) == 2:
            yield from _in_order(self.src, node.src[::-1], bound)


def _in_order(patterns: tuple[UPat, ...], nodes: tuple[UOp, ...], bound: dict[str, UOp]) -> Iterator[dict[str, UOp]]:
    if not patterns:
        yield bound
        return
    if not patterns[0]._may_match(nodes[0]):
        return
    for found in patterns[0]._ways(nodes[0], bound):
        yield from _in_order(patterns[1:], nodes[1:], found)


class PatternMatcher:
    """Rows of (pattern, rule). A rule takes the bound nodes by name, and ``ctx`` where it names it.

    The first row whose pattern matches and whose rule does not return None decides. Tables add up.

    Examples
    --------
    >>> from functrans.ops import Ops, UOp, UPat, PatternMatcher, dtypes
    >>> twice = PatternMatcher([(UPat(Ops.NEG, src=(UPat(Ops.NEG, src=(UPat(name="x"),)),)), lambda x: x)])
    >>> one = UOp.const(dtypes.float64, 1.0)
    >>> minus = UOp(Ops.NEG, dtypes.float64, (one,))
    >>> twice.rewrite(UOp(Ops.NEG, dtypes.float64, (minus,))) is one
    True
    """

    def __init__(self, rows: Iterable[tuple[UPat, Rule]]) -> None:
        self.rows = [(p, f, "ctx" in f.__code__.co_varnames[: f.__code__.co_argcount]) for p, f in rows]
        self._by_op: dict[Ops, list[tuple[UPat, Rule, bool]]] = {}

    def __add__(self, other: PatternMatcher) -> PatternMatcher:
        return PatternMatcher([(p, f) for p, f, _ in self.rows + other.rows])

    def rewrite(self, node: UOp, ctx: Any = None) -> Any:
        """What the first fitting row makes of the node, or None."""
        rows = self._by_op.get(node.op)
        if rows is None:
            rows = [row for row in self.rows if row[0].ops is None or node.op in row[0].ops]
            self._by_op[node.op] = rows
        for pattern, rule, wants_ctx in rows:
            bound = pattern.match(node)
            if bound is not None:
                made = rule(ctx=ctx, **bound) if wants_ctx else rule(**bound)
                if made is not None:
                    return made
        return None
