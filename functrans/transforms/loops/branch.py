"""cond and switch: one of several functions, chosen by a value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from functrans import dtypes, tree
from functrans.errors import ArgumentError, DtypeError, ShapeError, at_user_line
from functrans.ops import build as B
from functrans.ops.births import branch
from functrans.ops.enums import Ops
from functrans.ops.loops import Switch, region
from functrans.ops.loops import results as results_of
from functrans.ops.source import param
from functrans.ops.uop import UOp
from functrans.tensor.core import Tensor
from functrans.trace import call, claim, results, trace
from functrans.transforms.loops.body import Graph, closed_together
from functrans.transforms.loops.carry import Carry, carry_of, cast, function_of, kind_order, named, numbers


def cond(pred: Any, true_fun: Callable[..., Any], false_fun: Callable[..., Any], *operands: Any) -> Any:
    """``true_fun(*operands)`` where ``pred`` holds, else ``false_fun(*operands)``; the other one is not evaluated.

    ``pred`` is a number or bool without axes. Both functions are traced; their results have the same structure and
    shapes, and dtypes that NumPy's promotion brings together for Python numbers alone. Under `vmap` each element takes
    its own branch: what the branch not taken would do there (a division by zero, an index out of range, a loop without
    end) does not happen.

    Raises ArgumentError (what is no function or no predicate, results of different structures), ShapeError and
    DtypeError (results that do not fit).

    >>> import functrans as ft
    >>> ft.cond(3.0 > 2.0, lambda x: x + 1.0, lambda x: x - 1.0, 10.0)
    np.float64(11.0)

    Source: semantics of ``jax.lax.cond``.
    """
    what = f"{named(true_fun, 'cond')} and {getattr(false_fun, '__name__', 'another function')}"
    for f, name in ((true_fun, "true_fun"), (false_fun, "false_fun")):
        function_of(f, f"{name} of cond")

    weak = numbers(operands)

    def body(given: Any, *args: Any) -> Any:
        test = _scalar(given, "pred", what)
        index = B.cast(test if test.dtype == dtypes.bool_ else B.alu(Ops.CMPNE, test, B.like(test, 0)), dtypes.int64)
        return _chosen(index, (false_fun, true_fun), ("false_fun", "true_fun"), carry_of(args, weak), what)

    return call(body, (pred, *operands), {}, what, lambda: ["pred", *(f"operands[{k}]" for k in range(len(operands)))])


def switch(index: Any, branches: Sequence[Callable[..., Any]], *operands: Any) -> Any:
    """``branches[index](*operands)``; an index out of range takes the nearest branch. No other one is evaluated.

    Results have the same structure, shapes and dtypes in every branch. Under `vmap` each element takes its own.

    Raises ArgumentError (no branches, what is no function, results of different structures), DtypeError (an index that
    is no integer, results of different dtypes) and ShapeError.

    >>> import functrans as ft
    >>> ft.switch(2, [lambda x: x, lambda x: x + 1.0, lambda x: x * x], 5.0)
    np.float64(25.0)

    Source: semantics of ``jax.lax.switch``.
    """
    functions = tuple(branches) if isinstance(branches, Iterable) else ()
    if not functions:
        raise ArgumentError(f"switch got the branches {branches!r}{at_user_line()}; expected at least one function")
    for k, f in enumerate(functions):
        function_of(f, f"branches[{k}] of switch")
    what = named(functions[0], "switch") + (" and others" if len(functions) > 1 else "")

    weak = numbers(operands)

    def body(given: Any, *args: Any) -> Any:
        place = _scalar(given, "index", what)
        if place.dtype.kind not in "iu":
            raise DtypeError(f"the index of {what} is {place.dtype.name}; expected an integer{at_user_line()}")
        names = [f"branches[{k}]" for k in range(len(functions))]
        return _chosen(B.cast(place, dtypes.int64), functions, names, carry_of(args, weak), what)

    return call(
        body, (index, *operands), {}, what, lambda: ["index", *(f"operands[{k}]" for k in range(len(operands)))]
    )


def _scalar(x: Any, name: str, what: str) -> UOp:
    if not isinstance(x, Tensor):
        raise ArgumentError(f"{name} of {what} is a {type(x).__name__}; expected one number{at_user_line()}")
    if x.shape != ():
        raise ShapeError(
            f"{name} of {what} has shape {x.shape}; expected one number{at_user_line()}; for a choice of each element "
            "write np.where, or map with ft.vmap"
        )
    return x.uop


class _Branch(NamedTuple):
    """What one of the functions made of placeholders."""

    name: str
    holes: list[UOp]
    outputs: list[UOp]
    weak: list[bool]  # which outputs are Python numbers
    treedef: tree.TreeDef


def _chosen(
    index: UOp, functions: Sequence[Callable[..., Any]], names: Sequence[str], operands: Carry, what: str
) -> Any:
    with branch() as inside:
        branches = [_traced(f, name, operands, what) for f, name in zip(functions, names, strict=True)]
        graphs = _agreeing(branches, what)
    made, constants = closed_together(graphs, inside)
    node = region(Ops.SWITCH, [index, *operands.nodes, *constants], Switch(tuple(made)))
    return branches[0].treedef.unflatten(map(Tensor.from_uop, results_of(node)))


def _agreeing(branches: Sequence[_Branch], what: str) -> list[Graph]:
    """The branches with results of the same structure, shapes and dtypes."""
    first = branches[0]
    for b in branches[1:]:
        if b.treedef != first.treedef:
            raise ArgumentError(
                f"{first.name} of {what} returns the structure {first.treedef}, and {b.name} {b.treedef}"
                f"{at_user_line()}; the branches return the same"
            )
    wanted = [_dtype(k, branches, what) for k in range(len(first.outputs))]
    return [([cast(o, d) for o, d in zip(b.outputs, wanted, strict=True)], b.holes) for b in branches]


def _traced(f: Callable[..., Any], name: str, operands: Carry, what: str) -> _Branch:
    holes = [claim(param(x.sized, x.dtype, weak=w)) for x, w in zip(operands.nodes, operands.weak, strict=True)]
    with trace(what):
        value = f(*operands.treedef.unflatten(map(Tensor.from_uop, holes)))
        outputs, treedef = results(value, what)
    return _Branch(name, holes, outputs, numbers(value), treedef)


def _dtype(k: int, branches: Sequence[_Branch], what: str) -> dtypes.DType:
    """The dtype of a result: that of all branches; Python numbers give way."""
    first = branches[0].outputs[k]
    for b in branches:
        if b.outputs[k].shape != first.shape:
            raise ShapeError(
                f"result {k} of {what} has shape {first.shape} in {branches[0].name} and {b.outputs[k].shape} in "
                f"{b.name}{at_user_line()}; the branches return arrays of the same shapes"
            )
    found = [b.outputs[k].dtype for b in branches]
    strong = {d for d, b in zip(found, branches, strict=True) if not b.weak[k]}
    wanted = strong or {max(found, key=kind_order)}
    if len(wanted) > 1 or any(kind_order(d) > kind_order(w) or (w.kind == "b") != (d.kind == "b")
                              for d in found for w in wanted):  # fmt: skip
        listed = ", ".join(f"{d.name} in {b.name}" for d, b in zip(found, branches, strict=True))
        raise DtypeError(
            f"result {k} of {what} is {listed}{at_user_line()}; the branches return the same dtypes: convert with "
            "astype"
        )
    return wanted.pop()
