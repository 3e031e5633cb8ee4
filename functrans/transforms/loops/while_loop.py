"""while_loop and fori_loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from functrans import dtypes
from functrans.errors import ArgumentValueError, DtypeError, ShapeError, at_user_line
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.function import Function
from functrans.ops.loops import Scan, Switch, While, region
from functrans.ops.loops import results as results_of
from functrans.ops.source import param
from functrans.ops.uop import UOp
from functrans.tensor.constants import known
from functrans.tensor.core import Tensor
from functrans.trace import call, results, trace
from functrans.transforms.loops.body import closed_together, like
from functrans.transforms.loops.carry import Carry, carry_of, function_of, named, numbers, traced_body
from functrans.transforms.loops.scan import loop


def while_loop(
    cond_fun: Callable[..., Any], body_fun: Callable[..., Any], init_val: Any, *, max_steps: int | None = None
) -> Any:
    """``body_fun`` again and again as long as ``cond_fun`` of the carry holds: ``while cond(c): c = body(c)``.

    The carry is a pytree that keeps its structure, shapes and dtypes. It is traced once and compiled to one C loop.
    Under `vmap` each element has its own number of rounds. jvp passes through; reverse mode does where ``max_steps``
    bounds the number of rounds, after which the loop ends whatever ``cond_fun`` says.

    Raises ArgumentError (no functions, the structure of the carry changes), ShapeError and DtypeError (the carry
    changes, a condition that is no single bool), ArgumentValueError (max_steps), and UnsupportedError in reverse mode.

    >>> import functrans as ft
    >>> ft.while_loop(lambda c: c[0] < 100, lambda c: (c[0] * 2, c[1] + 1), (1, 0))
    (np.int64(128), np.int64(7))

    Source: semantics of ``jax.lax.while_loop``.
    """
    what = named(body_fun, "while_loop")
    function_of(cond_fun, "cond_fun of while_loop")
    function_of(body_fun, "body_fun of while_loop")
    if max_steps is not None and (isinstance(max_steps, bool) or not isinstance(max_steps, int) or max_steps < 0):
        raise ArgumentValueError(f"max_steps={max_steps!r} of {what}; expected an int >= 0 or None{at_user_line()}")

    weak = numbers(init_val)

    def body(start: Any) -> Any:
        carry = carry_of(start, weak)
        carry, holes, made, _, _ = traced_body(lambda c: (body_fun(c), None), carry, what)
        test = _tested(cond_fun, carry, holes, what)
        (condition, step), constants = closed_together([([test], holes), (made, holes)])
        sources = [*carry.nodes, *constants]
        if max_steps is None:
            ends = results_of(region(Ops.WHILE, sources, While(condition, step, len(holes))))
        else:
            ends = loop(_bounded(condition, step, len(holes), max_steps), sources)
        return carry.treedef.unflatten(map(Tensor.from_uop, ends))

    return call(body, (init_val,), {}, what, lambda: ["init_val"])


def _tested(f: Callable[..., Any], carry: Carry, holes: list[UOp], what: str) -> UOp:
    with trace(f"the condition of {what}"):
        outputs, _ = results(f(carry.treedef.unflatten(map(Tensor.from_uop, holes))), f"the condition of {what}")
    if len(outputs) != 1 or outputs[0].shape != ():
        shapes = [o.shape for o in outputs]
        raise ShapeError(f"the condition of {what} gives {shapes}; expected one bool{at_user_line()}")
    if outputs[0].dtype != dtypes.bool_:
        raise DtypeError(
            f"the condition of {what} gives {outputs[0].dtype.name}; expected bool{at_user_line()}; compare, as in "
            "x > 0"
        )
    return outputs[0]


def _bounded(condition: Function, step: Function, carries: int, rounds: int) -> Scan:
    """The loop as one of a known number of rounds, those after its end doing nothing."""
    holes = like(step.params)
    (test,) = condition.at(holes)
    rest = Function(tuple(copies := like(holes)), tuple(copies[:carries]))
    node = region(Ops.SWITCH, [B.cast(test, dtypes.int64), *holes], Switch((rest, step)))
    return Scan(Function(tuple(holes), tuple(results_of(node))), carries, 0, rounds)


def fori_loop(lower: Any, upper: Any, body_fun: Callable[..., Any], init_val: Any, *, unroll: int = 1) -> Any:
    """``for i in range(lower, upper): val = body_fun(i, val)``; a range without elements gives ``init_val``.

    ``val`` is a pytree that keeps its structure, shapes and dtypes. Bounds are integers; where both are known when the
    function is traced reverse mode passes through, else the loop is a `while_loop`.

    Raises as `scan` and `while_loop` do, and DtypeError for bounds that are no integers.

    >>> import functrans as ft
    >>> ft.fori_loop(0, 5, lambda i, x: x * 2.0 + i, 1.0)
    np.float64(58.0)

    Source: semantics of ``jax.lax.fori_loop``.
    """
    what = named(body_fun, "fori_loop")
    function_of(body_fun, "body_fun of fori_loop")

    weak = numbers(init_val)
    fixed = _integer(lower), _integer(upper)

    def body(start: Any, *bounds: Any) -> Any:
        given = iter(bounds)
        both = [Tensor.from_uop(UOp.const(dtypes.int64, n)) if n is not None else next(given) for n in fixed]
        ends = [_bound(x.uop, name, what) for x, name in zip(both, ("lower", "upper"), strict=True)]
        carry = carry_of(start, weak)
        i = param((), dtypes.int64)
        carry, holes, made, _, _ = traced_body(lambda c: (body_fun(Tensor.from_uop(i), c), None), carry, what)
        following = B.add(i, UOp.const(dtypes.int64, 1))
        limits = [_known(e) for e in ends]
        first, last = limits
        if first is not None and last is not None:
            (step,), constants = closed_together([([following, *made], [i, *holes])])
            arg = Scan(step, 1 + len(holes), 0, max(last - first, 0), unroll=unroll)
            found = loop(arg, [UOp.const(dtypes.int64, first), *carry.nodes, *constants])[1:]
        else:
            end = param((), dtypes.int64)
            own = [i, end, *holes]
            graphs = [([B.lt(i, end)], own), ([following, end, *made], own)]
            (condition, step), constants = closed_together(graphs)
            sources = [*ends, *carry.nodes, *constants]
            found = results_of(region(Ops.WHILE, sources, While(condition, step, 2 + len(holes))))[2:]
        return carry.treedef.unflatten(map(Tensor.from_uop, found))

    traced = [(x, name) for x, n, name in zip((lower, upper), fixed, ("lower", "upper"), strict=True) if n is None]
    names = ["init_val", *(name for _, name in traced)]
    return call(body, (init_val, *(x for x, _ in traced)), {}, what, lambda: names)


def _integer(x: Any) -> int | None:
    """A bound that is no array of a trace."""
    if isinstance(x, (int, np.integer)) and not isinstance(x, bool):
        return int(x)
    return int(x) if isinstance(x, np.ndarray) and x.ndim == 0 and x.dtype.kind in "iu" else None


def _bound(x: UOp, name: str, what: str) -> UOp:
    if x.shape != ():
        raise ShapeError(f"{name} of {what} has shape {x.shape}; expected one integer{at_user_line()}")
    if x.dtype.kind not in "iux":
        raise DtypeError(f"{name} of {what} is {x.dtype.name}; expected an integer{at_user_line()}")
    return B.cast(x, dtypes.int64)


def _known(x: UOp) -> int | None:
    value = known(x)
    return None if value is None else int(value)
