"""Calls with a derivative rule of their own, kept in the graph until it is known which transforms meet them.

``CUSTOM_RULE`` is the value of such a call: its first source is the result as the function computed it, the others are
the arguments, its argument says which result this is and holds the rule. For everything but derivatives it is its first
source, and :func:`inlined` makes it that before anything is scheduled. The function saw its arguments through marks
(``NOOP`` with a :class:`Mark`), so that a value it closes over is not taken for an argument, be it the same node.

``LINEAR`` is a linear map that only its transpose is known of: all its results in one flat array.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Any, Protocol

from functrans._records import record
from functrans.errors import ArgumentError, at_user_line
from functrans.ops.enums import Ops
from functrans.ops.opdef import OpDef, register, same_shape
from functrans.ops.uop import UOp, fresh_id, toposort

Tangent = UOp | None
Pull = Callable[[Sequence[UOp], UOp], UOp]

register(OpDef(Ops.CUSTOM_RULE, "framework", "its first source, by a rule of its own if differentiated", same_shape,
               lambda n, value, *inputs: value))  # fmt: skip
register(OpDef(Ops.LINEAR, "framework", "a linear map known by its transpose", lambda n: (n.arg.size,)))


class Rule(Protocol):
    """How calls of one function are differentiated."""

    def begin(
        self, inputs: Sequence[UOp], tangents: Sequence[Tangent], to_transpose: bool
    ) -> Callable[[UOp], tuple[UOp, Tangent]]:
        """For one call, at arguments and their tangents: from a CUSTOM_RULE node of it to its value and its tangent.

        ``to_transpose``: the tangent is built to be transposed, not to be evaluated.
        """

    def batched(self, sizes: tuple[int, ...], axes: Sequence[tuple[int, ...]]) -> Rule:
        """The rule of the call mapped over leading axes of the sizes; ``axes`` says which of them each argument has."""

    @property
    def name(self) -> str:
        """What the function is, for messages."""

    @property
    def opaque(self) -> bool:
        """Whether the derivative is what the rule says, and not that of the graph inside."""

    @property
    def pull(self) -> Pull | None:
        """Of a call that is linear in its last argument: from the arguments and a cotangent of its first result to that
        of the last argument. None where the graph inside says how it is transposed.
        """


@record
class Mark:
    """The argument of a NOOP around an argument of a call; it goes when the call is inlined."""

    rule: Any


@record
class Again:
    """The argument of a NOOP below which everything is computed once more, though it is there already."""

    number: int

    @staticmethod
    def fresh() -> Again:
        """One unlike every other."""
        return Again(fresh_id())


def marked(x: UOp, by: Mark | Again) -> UOp:
    """The value of x, as another node."""
    return UOp(Ops.NOOP, x.dtype, (x,), by)


def inside_calls(order: Sequence[UOp]) -> Container[UOp]:
    """The nodes inside of a call of an order, sources first: they depend on a marked argument of it.

    The argument itself, the value, and what depends on that are not inside. A call around the whole order does not
    count. Linear.
    """
    called = (x for u in order if u.op is Ops.CUSTOM_RULE for x in u.src[1:])
    marks = {x for x in called if x.op is Ops.NOOP and isinstance(x.arg, Mark)}
    inside: dict[UOp, frozenset[UOp]] = {x: frozenset([x]) for x in marks}
    for u in order if marks else ():
        found = frozenset[UOp]().union(*(inside[s] for s in u.src if s in inside))
        found = found.difference(u.src) if u.op is Ops.CUSTOM_RULE else found | inside.get(u, found)
        if found:
            inside[u] = found
    return {u for u, found in inside.items() if found != {u}}


def unmarked(x: UOp) -> UOp:
    """The argument itself."""
    return x.src[0] if x.op is Ops.NOOP and isinstance(x.arg, Mark) else x


def has_rules(order: Sequence[UOp]) -> bool:
    """Whether there is anything to inline."""
    return any(u.op is Ops.CUSTOM_RULE or u.op is Ops.LINEAR or isinstance(u.arg, Mark) for u in order)


def inlined(roots: Sequence[UOp]) -> list[UOp]:
    """The same values without CUSTOM_RULE nodes and marks; ArgumentError where a LINEAR would have to be evaluated."""
    new: dict[UOp, UOp] = {}
    for u in toposort(roots, sources=lambda u: u.src[:1] if u.op is Ops.CUSTOM_RULE else u.src):
        if u.op is Ops.LINEAR:
            raise u.arg.refuse()
        drop = u.op is Ops.CUSTOM_RULE or isinstance(u.arg, Mark)
        new[u] = new[u.src[0]] if drop else u.replace(tuple(new[s] for s in u.src))
    return [new[r] for r in roots]


def refuse_forward(name: str) -> ArgumentError:
    """The error for a tangent through a function of which only the pullback is known."""
    return ArgumentError(
        f"can't apply forward-mode differentiation (jvp) to {name}{at_user_line()}: its rule says how cotangents go "
        "backward and no more; use grad or vjp, or give it a rule by custom_jvp, which serves both"
    )
