"""Patterns over nodes, and tables of (pattern, rule) rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from functrans.dtypes import DType
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

Rule = Callable[..., Any]


class UPat:
    """A pattern: an op or a set of them, and optionally dtype, arg and sources; ``name`` binds the node.

    ``src=None`` matches any sources; a tuple matches them in order, each in turn when ``any_order``.

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
        bound = {} if bound is None else bound
        if self.ops is not None and node.op not in self.ops:
            return None
        if (self.dtype is not None and node.dtype != self.dtype) or (self.arg is not None and node.arg != self.arg):
            return None
        if self.name is not None:
            if bound.get(self.name, node) is not node:
                return None
            bound = bound | {self.name: node}
        if self.src is None:
            return bound
        if len(self.src) != len(node.src):
            return None
        orders = (node.src, node.src[::-1]) if self.any_order and len(node.src) == 2 else (node.src,)
        for order in orders:
            found: dict[str, UOp] | None = bound
            for pattern, s in zip(self.src, order, strict=True):
                found = pattern.match(s, found) if found is not None else None
            if found is not None:
                return found
        return None


class PatternMatcher:
    """Rows of (pattern, rule). A rule takes the bound nodes by name, and ``ctx`` where it names it.

    The first row whose pattern matches and whose rule does not return None decides. Tables add up.
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
