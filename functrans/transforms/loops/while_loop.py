"""while_loop and fori_loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from functrans import dtypes
from functrans.errors import ArgumentError, DtypeError, ShapeError, at_user_line
from functrans.ops import build as B
from functrans.ops.births import branch
from functrans.ops.enums import Ops
from functrans.ops.loops import Scan, While, region
from functrans.ops.loops import results as results_of
from functrans.ops.source import param
from functrans.ops.uop import UOp, toposort
from functrans.ops.weak import check_fit, narrowed
from functrans.tensor.constants import known
from functrans.tensor.core import Tensor
from functrans.trace import call, claim, results, trace
from functrans.transforms.loops.blocks import loop
from functrans.transforms.loops.body import closed_together, endless
from functrans.transforms.loops.carry import Carry, carry_of, function_of, is_number, named, numbers, traced_body
from functrans.transforms.loops.sequences import natural, unrolled


def while_loop(
    cond_fun: Callable[..., Any], body_fun: Callable[..., Any], init_val: Any, *, max_steps: int | None = None
) -> Any:
    """``body_fun`` again and again as long as ``cond_fun`` of the carry holds: ``while cond(c): c = body(c)``.

    The carry is a pytree that keeps its structure, shapes and dtypes. It is traced once and compiled to one C loop.
    Under `vmap` each element has its own number of rounds. jvp passes through; reverse mode does where ``max_steps``
    bounds the number of rounds, after which the loop ends whatever ``cond_fun`` says.

    It takes the rounds that there are, with ``max_steps`` as without. In reverse mode it runs once more and stores what
    the way back needs of the carries, in memory for ``max_steps`` of each.

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
    most = None if max_steps is None else natural(max_steps, "max_steps", what, 0)
    return _repeated(cond_fun, body_fun, init_val, what, most, most)


def bounded(cond_fun: Callable[..., Any], body_fun: Callable[..., Any], init_val: Any, most: int) -> Any:
    """`while_loop` with a condition that ends it after ``most`` rounds at most: reverse mode passes through."""
    return _repeated(cond_fun, body_fun, init_val, named(body_fun, "while_loop"), None, most)


def _repeated(
    cond_fun: Callable[..., Any], body_fun: Callable[..., Any], init_val: Any, what: str, stop: int | None,
    most: int | None,
) -> Any:  # fmt: skip
    """``stop``: it counts its rounds, and ends after so many. ``most``: it is known to have no more."""
    weak = numbers(init_val)

    def body(start: Any) -> Any:
        carry = carry_of(start, weak)
        with branch() as inside:
            carry, holes, made, _, _ = traced_body(lambda c: (body_fun(c), None), carry, what)
            test = _tested(cond_fun, carry, holes, what)
        start = carry.nodes
        if stop is not None:
            i, end = param((), dtypes.int64), UOp.const(dtypes.int64, stop)
            test, made = B.alu(Ops.AND, B.lt(i, end), test), [B.add(i, UOp.const(dtypes.int64, 1)), *made]
            holes, start = [i, *holes], [UOp.const(dtypes.int64, 0), *start]
        graphs = [([test], holes), (made, holes)]
        late = endless(graphs)
        (condition, step), constants = closed_together(
            graphs, inside if stop is not None else lambda u: late(u) and inside(u)
        )
        ends = results_of(region(Ops.WHILE, [*start, *constants], While(condition, step, len(holes), most=most)))
        return carry.treedef.unflatten(map(Tensor.from_uop, ends[stop is not None :]))

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


def fori_loop(lower: Any, upper: Any, body_fun: Callable[..., Any], init_val: Any, *, unroll: int | bool = 1) -> Any:
    """``for i in range(lower, upper): val = body_fun(i, val)``; a range without elements gives ``init_val``.

    ``val`` is a pytree that keeps its structure, shapes and dtypes. Bounds are integers; where both are known when the
    function is traced reverse mode passes through, and ``unroll`` rounds are written out in a round of the C loop; else
    the loop is a `while_loop`. Between bounds that are Python numbers i is one too: beside a float32 it is a float32.

    Raises as `scan` and `while_loop` do, and DtypeError for bounds that are no integers.

    >>> import functrans as ft
    >>> ft.fori_loop(0, 5, lambda i, x: x * 2.0 + i, 1.0)
    np.float64(58.0)

    Source: semantics of ``jax.lax.fori_loop``.
    """
    return _rounds(lower, upper, body_fun, init_val, unroll, None)


def counted(rounds: Any, most: int, body_fun: Callable[..., Any], init_val: Any) -> Any:
    """`fori_loop` from 0 to a traced number that is known to be ``most`` at most: reverse mode passes through."""
    return _rounds(0, rounds, body_fun, init_val, 1, most)


def _rounds(
    lower: Any, upper: Any, body_fun: Callable[..., Any], init_val: Any, unroll: int | bool, most: int | None
) -> Any:
    what = named(body_fun, "fori_loop")
    function_of(body_fun, "body_fun of fori_loop")

    weak = numbers(init_val)
    rounds = unrolled(unroll, what)
    fixed = [_integer(x, name, what) for x, name in zip((lower, upper), _BOUNDS, strict=True)]
    given_way = is_number(lower) and is_number(upper)

    def body(start: Any, *bounds: Any) -> Any:
        given = iter(bounds)
        ends = [UOp.const(dtypes.int64, n) if n is not None else _bound(next(given), name, what)
                for n, name in zip(fixed, _BOUNDS, strict=True)]  # fmt: skip
        i = claim(param((), dtypes.int64, weak=given_way))
        with branch() as inside:
            carry, holes, made, _, _ = traced_body(
                lambda c: (body_fun(Tensor.from_uop(i), c), None), carry_of(start, weak), what
            )
        following = B.add(i, UOp.const(dtypes.int64, 1))
        first, last = map(_known, ends)
        if first is not None and last is not None:
            if first < last:
                for n in (first, last - 1):
                    check_fit(narrowed(toposort(made)), {i: np.asarray(n)})
            (step,), constants = closed_together([([following, *made], [i, *holes])])
            arg = Scan(step, 1 + len(holes), 0, max(last - first, 0), unroll=rounds)
            found = loop(arg, [UOp.const(dtypes.int64, first), *carry.nodes, *constants])[1:]
        else:
            _refuse_narrow(made, i, what)
            end = param((), dtypes.int64)
            own = [i, end, *holes]
            graphs = [([B.lt(i, end)], own), ([following, end, *made], own)]
            late = endless(graphs)
            (condition, step), constants = closed_together(graphs, lambda u: late(u) and inside(u))
            sources = [*ends, *carry.nodes, *constants]
            found = results_of(region(Ops.WHILE, sources, While(condition, step, 2 + len(holes), most=most)))[2:]
        return carry.treedef.unflatten(map(Tensor.from_uop, found))

    traced = [(x, name) for x, n, name in zip((lower, upper), fixed, _BOUNDS, strict=True) if n is None]
    names = ["init_val", *(name for _, name in traced)]
    return call(body, (init_val, *(x for x, _ in traced)), {}, what, lambda: names)


_BOUNDS = ("lower", "upper")


def _integer(x: Any, name: str, what: str) -> int | None:
    """A bound that is no array of a trace."""
    plain = (isinstance(x, (int, np.integer)) and not isinstance(x, bool)) or (
        isinstance(x, np.ndarray) and x.ndim == 0 and x.dtype.kind in "iu"
    )
    if plain and not dtypes.int64.low <= int(x) <= dtypes.int64.high:
        raise DtypeError(f"{name}={x} of {what} does not fit into int64{at_user_line()}")
    return int(x) if plain else None


def _bound(x: Any, name: str, what: str) -> UOp:
    if not isinstance(x, Tensor):
        raise ArgumentError(f"{name} of {what} is a {type(x).__name__}; expected one integer{at_user_line()}")
    if x.shape != ():
        raise ShapeError(f"{name} of {what} has shape {x.shape}; expected one integer{at_user_line()}")
    if x.uop.dtype.kind not in "iux":
        raise DtypeError(f"{name} of {what} is {x.uop.dtype.name}; expected an integer{at_user_line()}")
    return B.cast(x.uop, dtypes.int64)


def _refuse_narrow(made: Sequence[UOp], i: UOp, what: str) -> None:
    """DtypeError where an index whose last value is not known gives way to a narrow integer."""
    for c in narrowed(toposort(made)):
        if i in toposort([c]):
            raise DtypeError(
                f"the index of {what} meets {c.dtype.name}, which it may not fit: its bounds are traced"
                f"{at_user_line()}; convert it with i.astype('{c.dtype.name}')"
            )


def _known(x: UOp) -> int | None:
    value = known(x)
    return None if value is None else int(value)
