"""Calls in two parts: a function now, and a linear map at the same point later, as often as wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from functrans import dtypes, tree
from functrans._records import record, replace
from functrans.errors import ArgumentError, DtypeError, ShapeError, at_user_line
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.parcel import Parcel
from functrans.ops.source import buffer, param
from functrans.ops.uop import Shape, UOp, substitute, toposort
from functrans.tensor.constants import is_traced
from functrans.tensor.core import Tensor
from functrans.tensor.lift import is_weak, lift
from functrans.trace import call, check_leaves, claim, name_of, results, spec_of, trace, tracing
from functrans.transforms.linearize import Node, filled, linearized, tangent_dtype
from functrans.transforms.residuals import split
from functrans.transforms.transpose import transpose


@record
class Side:
    """One side of a linear map: its pytree, and for every leaf a name, shape and dtype."""

    treedef: tree.TreeDef
    names: list[str]
    specs: list[tuple[Shape, dtypes.DType]]

    @staticmethod
    def of(nodes: Sequence[UOp], treedef: tree.TreeDef, root: str) -> Side:
        """The side of nodes that stand for the leaves of a pytree called ``root``."""
        names = tree.paths(treedef.unflatten(range(len(nodes))), root)
        return Side(treedef, names, [(u.sized, u.dtype) for u in nodes])

    def text(self, k: int) -> str:
        """Dtype and shape of leaf k."""
        shape, dtype = self.specs[k]
        return _text(shape, dtype)


@record(eq=False)
class LinearCall:
    """A linear map kept for later: graphs on placeholders for its argument and for what was stored of the point.

    ``describe`` tells where the shape of leaf k of the argument comes from.
    """

    what: str
    given: Side
    result: tree.TreeDef
    holes: list[Node]
    places: list[UOp]
    roots: list[UOp]
    describe: Callable[[int], str]

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (self.what, self.given, self.result, self.holes, self.places, self.roots, self.describe)
        return _unpacked, (Parcel(parts),)

    def __call__(self, value: Any, stored: Sequence[UOp]) -> Any:
        """The image of a pytree like ``given``, at the point of which this was stored."""
        leaves = match(value, self.given, self.what, self.describe)
        point = dict(zip(self.places, stored, strict=True))

        def body(given: list[Any]) -> Any:
            nodes = [None if t is None else t.uop for t in given]
            at = {h: B.cast(u, h.dtype) for h, u in zip(self.holes, nodes, strict=True) if h is not None and u}
            return self.result.unflatten([Tensor.from_uop(u) for u in substitute(self.roots, point | at)])

        return call(body, (leaves,), {}, self.what, lambda: [self.what])

    def settled(self, stored: Sequence[UOp]) -> tuple[LinearCall, list[UOp]]:
        """The same map on all that it needs of the trace around it, values that it closes over included."""
        roots = substitute(self.roots, dict(zip(self.places, stored, strict=True)))
        given = [h for h in self.holes if h is not None]
        around = frozenset[UOp]().union(*(r.free_ranges for r in roots))
        known = [u for u in toposort(roots) if (u.op in (Ops.PARAM, Ops.DEFINE_VAR) and u not in given) or u in around]
        parts = split(roots, known, given, around)
        return replace(self, places=parts.places, roots=parts.roots), parts.stored


def _unpacked(parts: tuple[Any, ...]) -> LinearCall:
    return LinearCall(*parts)


class LinearFunction:
    """A linear map at a point, as a function. It is a pytree, of what was stored of the point."""

    __slots__ = ("_map", "_nodes", "_settled", "_stored")

    def __init__(
        self, given: LinearCall, stored: Sequence[Any], settled: bool = True, nodes: Sequence[UOp] | None = None
    ) -> None:
        self._map, self._stored, self._settled, self._nodes = given, list(stored), settled, nodes

    def __repr__(self) -> str:
        return f"<{self._map.what}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its graph and what was stored."""
        stored, given = self.flatten()
        return type(self), (given, stored)

    def _apply(self, value: Any) -> Any:
        if self._nodes is None:
            self._nodes = list(map(lift, self._stored))  # arrays are copied, once
        return self._map(value, self._nodes)

    def flatten(self) -> tuple[list[Any], LinearCall]:
        """What was stored, and the map itself. Inside a trace that is known when it is asked for."""
        if not self._settled:
            self._map, self._nodes = self._map.settled(list(map(lift, self._stored)))
            self._stored, self._settled = list(map(Tensor.from_uop, self._nodes)), True
        return self._stored, self._map


class Pullback(LinearFunction):
    """The transposed derivative at a point: ``pullback(cotangent)``."""

    __slots__ = ()
    __name__ = "pullback"

    def __call__(self, cotangent: Any) -> Any:
        """The cotangents of the arguments, as a tuple."""
        return self._apply(cotangent)


class Pushforward(LinearFunction):
    """The derivative at a point: ``f_jvp(*tangents)``."""

    __slots__ = ()
    __name__ = "f_jvp"

    def __call__(self, *tangents: Any) -> Any:
        """The tangent of the result."""
        return self._apply(tangents)


for _kind in (Pullback, Pushforward):
    tree.register_pytree(_kind, _kind.flatten, lambda info, stored, kind=_kind: kind(info, stored))  # type: ignore[misc]


def match(value: Any, side: Side, what: str, describe: Callable[[int], str]) -> list[Any]:
    """The leaves of a tangent or cotangent; errors name the leaf that does not fit. None stands for ints and bools."""
    found = tree.flatten_like(value, side.treedef)
    if found is None:
        raise ArgumentError(
            f"unexpected tree structure of argument to {what}: got {tree.flatten(value)[1]}, but expected to match "
            f"{side.treedef}{at_user_line()}"
        )
    for k, (leaf, name, (shape, dtype)) in enumerate(zip(found, side.names, side.specs, strict=True)):
        if leaf is None and not dtypes.is_inexact(dtype):
            continue
        if leaf is None:
            raise ArgumentError(
                f"{name} of the argument to {what} is None, but {describe(k)}{at_user_line()}; only for an int or bool "
                "it may be None: give an array of zeros"
            )
        check_leaves([leaf], ([leaf],), {}, what, lambda name=name: [name])  # type: ignore[misc]
        got_shape, got = spec_of(leaf)
        fits = got == tangent_dtype(dtype) or (is_weak(leaf) and (got.kind != "c" or dtype.kind == "c"))
        if got_shape == shape and (fits or not dtypes.is_inexact(dtype)):
            continue
        error = ShapeError if got_shape != shape else DtypeError
        raise error(
            f"unexpected shape or dtype of argument to {what} at {name}: got {_text(got_shape, got)}, but expected "
            f"{_text(shape, tangent_dtype(dtype))} because {describe(k)}{at_user_line()}"
        )
    return [x if dtypes.is_inexact(d) else None for x, (_, d) in zip(found, side.specs, strict=True)]


def _text(shape: Shape, dtype: dtypes.DType) -> str:
    return f"{dtype.name}[{','.join(map(str, shape))}]"


def two_parts(
    f: Callable[..., Any], primals: tuple[Any, ...], has_aux: bool, what: str, backward: bool
) -> tuple[Any, Any, LinearFunction]:
    """The value and auxiliary result of f, and its derivative at the point for later.

    ``backward`` takes the transpose. Inside a trace nothing is stored: all is one graph.
    """
    leaves, treedef = tree.flatten(primals)
    inside = tracing() or any(isinstance(x, Tensor) and is_traced(x.uop) for x in leaves)
    kept: list[Any] = []

    def body(*targs: Any) -> Any:
        nodes = [t.uop for t in tree.flatten(targs)[0]]
        lin = linearized(f, nodes, treedef, has_aux)
        given: list[Node] = lin.seeds
        if backward:
            given = [claim(param(o.sized, o.dtype)) if dtypes.is_inexact(o.dtype) else None for o in lin.outputs]
            roots = [filled(h, c) for h, c in zip(lin.holes, lin.pull(given), strict=True)]
        else:
            roots = [filled(o, t) for o, t in zip(lin.outputs, lin.tangents, strict=True)]
        stored, places = lin.holes, lin.holes
        if not inside:
            stored, places, roots = split(roots, lin.holes, [g for g in given if g is not None])
        kept.append((lin, given, places, roots))
        point = dict(zip(lin.holes, nodes, strict=True))
        done = iter(Tensor.from_uop(u) for u in substitute([*lin.outputs, *lin.aux[0], *stored], point))
        value = lin.out_tree.unflatten([next(done) for _ in lin.outputs])
        aux = lin.aux[1].unflatten([next(done) for _ in lin.aux[0]])
        return value, aux, list(done)

    value, aux, stored = call(body, primals, {}, f"{what} of {name_of(f)}", lambda: _roots(primals))
    lin, given, places, roots = kept[-1]
    out = Side.of(lin.outputs, lin.out_tree, "result")
    arguments = Side.of(lin.holes, treedef, "primals")
    point = [lift(x) if isinstance(x, Tensor) else buffer(x) for x in stored]
    for x in stored:
        if isinstance(x, np.ndarray):
            x.flags.writeable = False  # the map reads it, and hands it out as a leaf
    name = f"{what} function"
    if backward:
        back = LinearCall(name, out, treedef, given, places, roots, partial(_because, out, name_of(f)))
        return value, aux, Pullback(back, stored, not inside, point)
    along = LinearCall(name, arguments, lin.out_tree, given, places, roots, partial(_alike, arguments))
    return value, aux, Pushforward(along, stored, not inside, point)


def _because(out: Side, name: str, k: int) -> str:
    return f"the corresponding output of the function {name} had type {out.text(k)}"


def _alike(arguments: Side, k: int) -> str:
    return f"{arguments.names[k]} has that shape and dtype"


def transposed(f: Callable[..., Any], primals: tuple[Any, ...]) -> Pullback:
    """The transpose of a linear function; primals give shapes and dtypes alone."""
    leaves, treedef = tree.flatten(primals)
    what = "linear_transpose"
    check_leaves(leaves, primals, {}, what, lambda: _roots(primals), spec=True)
    specs = [spec_of(x) for x in leaves]
    for (_, dtype), name in zip(specs, tree.paths(primals, "primals"), strict=True):
        if not dtypes.is_inexact(dtype):
            raise DtypeError(
                f"linear_transpose is for functions of float or complex arrays, but {name} has dtype {dtype.name}"
                f"{at_user_line()}"
            )
    inside = tracing()
    with trace(f"{what} of {name_of(f)}"):
        holes = [claim(param(*spec)) for spec in specs]
        outputs, out_tree = results(f(*treedef.unflatten([Tensor.from_uop(h) for h in holes])), name_of(f))
        given = [claim(param(o.sized, o.dtype)) if dtypes.is_inexact(o.dtype) else None for o in outputs]
        roots = [filled(h, c) for h, c in zip(holes, transpose(outputs, holes, given), strict=True)]
    out = Side.of(outputs, out_tree, "result")
    back = LinearCall("transposed function", out, treedef, list(given), [], roots, partial(_because, out, name_of(f)))
    return Pullback(back, [], not inside)


def _roots(primals: tuple[Any, ...]) -> list[str]:
    return [f"primals[{k}]" for k in range(len(primals))]
