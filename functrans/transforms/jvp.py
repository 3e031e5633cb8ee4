"""jvp: a function and its derivative along a tangent, in one pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from functrans import dtypes, tree
from functrans.errors import ArgumentError, DtypeError, ShapeError, at_user_line
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.source import param
from functrans.ops.uop import UOp, substitute
from functrans.ops.weak import is_weak_node
from functrans.tensor.affine import VARIABLES
from functrans.tensor.constants import is_traced
from functrans.tensor.core import Tensor
from functrans.tensor.variable import Variable
from functrans.trace import call, check_leaves, claim, name_of, results, spec_of
from functrans.transforms.forward import Push
from functrans.transforms.jvp_rules import Tangent


def jvp(
    f: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], *, has_aux: bool = False
) -> tuple[Any, ...]:
    """The value of f and its derivative along tangents: ``(f(*primals), Df(primals) @ tangents[, aux])``.

    ``primals`` and ``tangents`` are tuples or lists of equal structure, shapes and dtypes. An integer or bool primal
    takes None or zeros; an integer or bool result has a tangent of float zeros. With ``has_aux`` f returns
    ``(result, aux)`` and aux is passed on. What f closes over is constant. Costs one to about three times f.

    Raises ArgumentError (no tuples, structures differ), ShapeError and DtypeError (a tangent does not fit).

    >>> import numpy as np, functrans as ft
    >>> ft.jvp(np.sin, (0.0,), (2.0,))
    (np.float64(0.0), np.float64(2.0))

    Source: Griewank and Walther, Evaluating Derivatives, chapter 3; semantics of ``jax.jvp``.
    """
    if not callable(f):
        raise ArgumentError(f"jvp differentiates a function, but got {f!r} of type {type(f).__name__}{at_user_line()}")
    for given in (primals, tangents):
        if not isinstance(given, (tuple, list)):
            raise ArgumentError(
                "primal and tangent arguments to jvp must be tuples or lists; found "
                f"{type(primals).__name__} and {type(tangents).__name__}{at_user_line()}"
            )

    leaves, treedef = tree.flatten(tuple(primals))
    names = tree.paths(tuple(primals), "primals")
    along = tree.flatten_like(tuple(tangents), treedef)
    if along is None:
        raise ArgumentError(
            f"primal and tangent arguments to jvp must have the same tree structure; got {treedef} and "
            f"{tree.flatten(tuple(tangents))[1]}{at_user_line()}"
        )

    def body(nodes: list[Any], seeds: list[Any]) -> Any:
        return _jvp(f, treedef, [x.uop for x in nodes], [_seed(t) for t in seeds], has_aux)

    what = f"jvp of {name_of(f)}"
    check_leaves(leaves, (tuple(primals),), {}, what, lambda: ["primals"])
    seeds = [_tangent(p, t, name) for p, t, name in zip(leaves, along, names, strict=True)]
    return tuple(call(body, (leaves, seeds), {}, what, lambda: ["primals", "tangents"]))


def _jvp(
    f: Callable[..., Any], treedef: tree.TreeDef, nodes: list[UOp], seeds: list[Tangent], has_aux: bool
) -> tuple[Any, ...]:
    holes, outputs, aux, out_tree = linear_graph(f, nodes, treedef, has_aux)
    outputs, pushed = Push(dict(zip(holes, seeds, strict=True)))(outputs)
    dense = [_dense(o, t) for o, t in zip(outputs, pushed, strict=True)]
    done = substitute([*outputs, *dense, *aux[0]], dict(zip(holes, nodes, strict=True)))
    tensors = [Tensor.from_uop(u) for u in done]
    n = len(outputs)
    value, tangent = out_tree.unflatten(tensors[:n]), out_tree.unflatten(tensors[n : 2 * n])
    return (value, tangent, aux[1].unflatten(tensors[2 * n :])) if has_aux else (value, tangent)


def linear_graph(
    f: Callable[..., Any], nodes: Sequence[UOp], treedef: tree.TreeDef, has_aux: bool
) -> tuple[list[UOp], list[UOp], tuple[list[UOp], tree.TreeDef], tree.TreeDef]:
    """f traced on fresh placeholders for the nodes: placeholders, results, auxiliary results, structure.

    Fresh ones, because f may close over the very values it is differentiated at: those are constants.
    """
    holes = [x if _is_variable(x) else claim(param(x.sized, x.dtype, weak=is_weak_node(x))) for x in nodes]
    given = [Variable.of(h.src[0]) if _is_variable(h) else Tensor.from_uop(h) for h in holes]
    out = f(*treedef.unflatten(given))
    aux: tuple[list[UOp], tree.TreeDef] = ([], tree.TreeDef(tuple))
    if has_aux:
        if not isinstance(out, tuple) or len(out) != 2:
            raise ArgumentError(
                f"with has_aux=True {name_of(f)} must return (result, aux), but got {out!r}{at_user_line()}"
            )
        out, extra = out
        aux = results(extra, f"the auxiliary result of {name_of(f)}")
    outputs, out_tree = results(out, name_of(f))
    return holes, outputs, aux, out_tree


def _is_variable(x: UOp) -> bool:
    """Whether the node is a run-time integer: it has bounds, and no derivative."""
    return x.op is Ops.CAST and x.src[0].op in VARIABLES


def _tangent(primal: Any, tangent: Any, name: str) -> Any:
    """The tangent of one leaf, None where it is zero because the primal counts; errors where it does not fit."""
    shape, dtype = spec_of(primal)
    if tangent is None:
        if dtypes.is_inexact(dtype):
            raise ArgumentError(
                f"the tangent of {name}, of dtype {dtype.name}, is None; only that of an int or bool may be: give "
                f"an array of zeros where nothing changes{at_user_line()}"
            )
        return None
    check_leaves([tangent], ([tangent],), {}, "jvp", lambda: [f"tangent of {name}"])
    tshape, tdtype = spec_of(tangent)
    if tshape != shape:
        raise ShapeError(
            f"jvp called with different primal and tangent shapes; got primal shape {shape} and tangent shape {tshape} "
            f"for {name}{at_user_line()}"
        )
    if dtypes.is_inexact(dtype):
        if tdtype != dtype:
            raise DtypeError(
                f"primal and tangent arguments to jvp do not match; got primal dtype {dtype.name} for {name}, so "
                f"expected tangent dtype {dtype.name}, but got tangent dtype {tdtype.name} instead{at_user_line()}"
            )
        return tangent
    if not _is_zero(tangent):
        raise DtypeError(
            f"the tangent of {name}, of dtype {dtype.name}, must be None or zeros: an int or bool does not vary"
            f"{at_user_line()}"
        )
    return None


def _is_zero(x: Any) -> bool:
    if isinstance(x, Tensor):
        if is_traced(x.uop):
            return B.const_value(x.uop) == 0
        x = x.numpy()
    return not np.any(x)


def _seed(tangent: Any) -> Tangent:
    return None if tangent is None or B.const_value(tangent.uop) == 0 else tangent.uop


def _dense(output: UOp, tangent: Tangent) -> UOp:
    if tangent is not None:
        return tangent
    return B.full(output.sized, output.dtype if dtypes.is_inexact(output.dtype) else dtypes.float64, 0)
