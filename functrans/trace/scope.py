"""Which functions are being traced on this thread, and values that outlive the trace that made them."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from functrans.backend.runtime.launcher import running
from functrans.config import config
from functrans.errors import LeakedValueError, at_user_line
from functrans.ops.enums import Ops
from functrans.ops.origin import record
from functrans.ops.uop import UOp, toposort
from functrans.tensor.core import Tensor
from functrans.tensor.handle import place
from functrans.tensor.reading import before_refusal, hidden
from functrans.trace.repeats import Repeats


class Scope:
    """One running of a function on placeholders."""

    def __init__(self, what: str) -> None:
        self.what, self.running = what, True

    def __str__(self) -> str:
        return self.what


class _Stack(threading.local):
    def __init__(self) -> None:
        self.scopes: list[Scope] = []


_stack = _Stack()
_scope_of: weakref.WeakKeyDictionary[UOp, Scope] = weakref.WeakKeyDictionary()


def tracing() -> bool:
    """Whether a function is being traced on this thread."""
    return bool(_stack.scopes)


@contextmanager
def trace(what: str) -> Iterator[None]:
    """Within this, transformed functions build graphs instead of running them."""
    scope = Scope(what + at_user_line())
    record(config.debug_nans)
    _stack.scopes.append(scope)
    running[id(scope)] = scope
    outer, place.now = place.now, scope
    noted, place.note = place.note, Repeats().note
    refused, place.refused = place.refused, None
    try:
        yield
    except (TypeError, ValueError) as error:
        found = hidden(error)
        if found is None:
            raise
        raise found from error
    finally:
        scope.running = False
        _stack.scopes.pop()
        del running[id(scope)]
        place.now, place.note, place.refused = outer, noted, refused


def claim(node: UOp) -> UOp:
    """The PARAM or RANGE, remembered as belonging to the running trace: used after that it is a leak."""
    if _stack.scopes:
        _scope_of[node] = _stack.scopes[-1]
    return node


def check_leaks(outputs: Sequence[UOp], params: Sequence[UOp], what: str) -> list[UOp]:
    """Raise LeakedValueError where outputs hold a placeholder that is none of ``params``, or an open RANGE; else the
    nodes below the outputs, sources first.
    """
    own = set(params)
    order = toposort(outputs)
    stray = {u for u in order if u.op in _GIVEN and _given(u) and u not in own}
    stray.update(*(o.free_ranges for o in outputs))
    if not stray:
        return order
    user = next((u for u in order if u.op is not Ops.RANGE and not stray.isdisjoint(u.src)), order[-1])
    node = next(u for u in (*user.src, *stray) if u in stray)
    raise LeakedValueError(f"the result of {what} holds {_leak(node, user)}{at_user_line()}; {_ADVICE}")


_GIVEN = frozenset({Ops.PARAM, Ops.DEFINE_VAR})


def _given(u: UOp) -> bool:
    """Whether a node is an argument of some function that is traced."""
    return u.op is Ops.PARAM or (u.op is Ops.DEFINE_VAR and len(u.arg) > 3)


_ADVICE = "return values from the function that made them instead of storing them elsewhere"


def _leak(node: UOp, user: UOp) -> str:
    scope = _scope_of.get(node)
    whose = "another trace" if scope is None else scope.what
    ended = "" if scope is None or scope.running else ", which has returned"
    named = "the mapped axis" if node.op is Ops.RANGE else f"a traced value of shape {node.shape}, {node.dtype.name},"
    by = "" if user is node else f" (used by {user.op.name} of shape {user.shape})"
    return f"{named} of {whose}{ended}{by}"


def check_alive(leaves: Sequence[Any], what: str) -> None:
    """Raise LeakedValueError where an argument belongs to a trace that has ended."""
    for leaf in leaves:
        if isinstance(leaf, Tensor):
            refuse_ended(leaf.uop, what)


def refuse_ended(x: UOp, what: str) -> None:
    """Raise LeakedValueError where a value belongs to a trace that has ended; ``what`` is what it is given to."""
    for node in toposort([x]):
        scope = _scope_of.get(node) if node.op is Ops.RANGE or _given(node) else None
        if scope is not None and not scope.running:
            raise LeakedValueError(f"{what} is given {_leak(node, x)}{at_user_line()}; {_ADVICE}")


before_refusal.append(refuse_ended)  # read outside, such a value is no mere traced one
