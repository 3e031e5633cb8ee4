"""jvp: a function and its derivative along a tangent, in one pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from functrans import dtypes, tree
from functrans.errors import ArgumentError, DtypeError, ShapeError, at_user_line
from functrans.ops import build as B
from functrans.ops.source import param
from functrans.ops.uop import UOp, substitute
from functrans.tensor.core import Tensor
from functrans.tensor.lift import lift
from functrans.trace import call, name_of, results
from functrans.transforms.forward import Tangent, push_forward


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

    def body(ps: tuple[Any, ...], ts: Any) -> Any:
        return _jvp(f, ps, ts, has_aux)

    return tuple(call(body, (tuple(primals), tuple(tangents)), {}, f"jvp of {name_of(f)}"))


def _jvp(f: Callable[..., Any], primals: tuple[Any, ...], tangents: tuple[Any, ...], has_aux: bool) -> Any:
    leaves, treedef = tree.flatten(primals)
    incoming = _tangent_leaves(primals, treedef, tangents)
    nodes = [p.uop for p in leaves]
    for node, t, path in zip(nodes, incoming, tree.paths(primals, "primals"), strict=True):
        _check(node, t, path)
    holes, outputs, aux, out_tree = linear_graph(f, nodes, treedef, has_aux)
    seeds = {h: _seed(h, t) for h, t in zip(holes, incoming, strict=True)}
    pushed = [_dense(o, t) for o, t in zip(outputs, push_forward(outputs, seeds), strict=True)]
    done = substitute([*outputs, *pushed, *aux[0]], dict(zip(holes, nodes, strict=True)))
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
    holes = [param(x.sized, x.dtype) for x in nodes]
    out = f(*treedef.unflatten([Tensor.from_uop(h) for h in holes]))
    aux: tuple[list[UOp], tree.TreeDef] = ([], tree.TreeDef(tuple))
    if has_aux:
        if not isinstance(out, tuple) or len(out) != 2:
            raise ArgumentError(f"with has_aux=True {name_of(f)} must return (result, aux), but got {out!r}{at_user_line()}")
        out, extra = out
        aux = results(extra, f"aux of {name_of(f)}")
    outputs, out_tree = results(out, name_of(f))
    return holes, outputs, aux, out_tree


def _tangent_leaves(primals: Any, treedef: tree.TreeDef, tangents: Any) -> list[UOp | None]:
    """A tangent for every primal leaf, None where None stands for a leaf."""
    found = tree.flatten_prefix(tangents, treedef, "tangents") if _same(tangents, treedef) else None
    if found is None:
        raise ArgumentError(
            f"primal and tangent arguments to jvp must have the same tree structure; primals have {treedef.num_leaves} "
            f"leaves in {type(primals).__name__}s as given, tangents are {tangents!r}{at_user_line()}"
        )
    return [None if t is None else lift(t) for t in found]


def _same(tangents: Any, treedef: tree.TreeDef) -> bool:
    if treedef.kind is None:
        return tangents is None or tree.flatten(tangents)[1].kind is None
    if tangents is None:
        return treedef.kind is type(None)
    kind, children = _open(tangents)
    return (
        kind is treedef.kind and len(children) == len(treedef.children)
        and all(_same(c, d) for c, d in zip(children, treedef.children, strict=True))
    )  # fmt: skip


def _open(x: Any) -> tuple[type | None, list[Any]]:
    opened = tree.open_node(x)
    return (None, []) if opened is None else (opened[0], opened[2])


def _check(primal: UOp, tangent: UOp | None, path: str) -> None:
    if tangent is None:
        return
    if tangent.shape != primal.shape:
        raise ShapeError(
            f"jvp called with different primal and tangent shapes; got primal shape {primal.shape} and tangent shape "
            f"{tangent.shape} for {path}{at_user_line()}"
        )
    if not dtypes.is_inexact(primal.dtype):
        known = B.const_value(tangent)
        if known is None and tangent.dtype.kind not in "biuf":
            raise DtypeError(f"the tangent of {path}, of dtype {primal.dtype.name}, must be None or zeros{at_user_line()}")
        return
    if tangent.dtype != primal.dtype:
        raise DtypeError(
            "primal and tangent arguments to jvp do not match: dtypes must be equal; got primal dtype "
            f"{primal.dtype.name}, so expected tangent dtype {primal.dtype.name}, but got tangent dtype "
            f"{tangent.dtype.name} instead, for {path}{at_user_line()}"
        )


def _seed(hole: UOp, tangent: UOp | None) -> Tangent:
    if tangent is None or not dtypes.is_inexact(hole.dtype) or B.const_value(tangent) == 0:
        return None
    return tangent


def _dense(output: UOp, tangent: Tangent) -> UOp:
    if tangent is not None:
        return tangent
    inexact = dtypes.is_inexact(output.dtype)
    return B.full(output.sized, output.dtype if inexact else dtypes.from_numpy(np.float64), 0)
