"""Hessians, forward over reverse; where that pays, by products with tangents that are there already.

The derivative of f along u and w is the sum, over what is not linear in f, of a cotangent, a second derivative, and
the tangents along u and w. Forward over reverse pulls the product of the first three back to the arguments, once for
each direction u. Through a sum of products that is as dear as the sum was; but the tangents of the sum along all w
are known, as they are those along all u: their product with what would be pulled through it says the same.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.opdef import opdef
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import by_nesting, extent
from functrans.trace import claim
from functrans.transforms.cotangent import Cotangent
from functrans.transforms.forward import Push
from functrans.transforms.grad import Argnums, Point, check_inputs, check_outputs
from functrans.transforms.jacobians import Traced, by_columns, by_rows, check_real, jacobian_by, unit
from functrans.transforms.linearize import Linearized, linearized
from functrans.transforms.transformed import Transformed
from functrans.transforms.transpose import pulled

LONG = 4  # terms of a sum for each direction, from which on it is not pulled through
_ELSEWHERE = frozenset({Ops.CUSTOM_RULE, Ops.MULTI})  # rules that are not looked into, and shards


def hessian(
    f: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False, holomorphic: bool = False
) -> Callable[..., Any]:
    """The function that gives the Hessian of f: ``jacfwd(jacrev(f))``.

    Of a scalar function of one array it has shape ``(*shape, *shape)``; pytrees nest, the first argument's
    structure outside. With ``has_aux`` the result is ``(Hessian, aux)``. Costs about four to eight times f for each
    element of the argument; half of that for few elements and long sums of products, as in networks of few inputs.

    Raises what `jacfwd` and `jacrev` raise.

    >>> import numpy as np, functrans as ft
    >>> ft.hessian(lambda x: x[0] ** 2 * x[1])(np.array([1.0, 3.0]))
    array([[6., 2.],
           [2., 0.]])

    Source: Griewank and Walther, Evaluating Derivatives, 2nd edition, section 5.2; for products with tangents Jackson
    and McCormick, The polyadic structure of factorable function tensors, JOTA 51 (1986).
    """

    def trace(point: Point) -> Traced:
        lin = linearized(point.function, point.nodes, point.treedef, has_aux)
        check_outputs("jacrev", lin.outputs, f, holomorphic)
        sums = _long_sums(lin)
        if sums:
            rows = [[block for row in by_x for block in row] for by_x in _by_tangents(lin, sums)]
        else:
            rows = [[block for row in by_columns(by_x, lin.holes) for block in row] for by_x in by_rows(lin)]
        return lin.holes, rows, lin.out_tree, lin.aux

    def check(args: Sequence[Any], names: Sequence[str]) -> None:
        check_inputs("jacfwd", args, names, holomorphic, False)
        check_real(args, names, holomorphic)

    found = jacobian_by(f, argnums, has_aux, "hessian", check, trace, depth=2)
    return Transformed(found, hessian, f, argnums, has_aux, holomorphic)


def _long_sums(lin: Linearized) -> list[UOp]:
    """The sums of products that are long enough to stop at."""
    if not _ELSEWHERE.isdisjoint(u.op for u in lin.known):
        return []
    most = LONG * sum(h.size for h in lin.holes)
    sums = (u for u in toposort(lin.outputs) if _is_sum(u) and lin.known[u] is not None)
    return [u for u in sums if u.src[0].size >= most * u.size > 0]


def _is_sum(u: UOp) -> bool:
    reduces = opdef(u).reduces
    return reduces is not None and reduces(u)[0] is Ops.ADD and u.dtype.kind == "f" and u.src[0].op is Ops.MUL


def _by_tangents(lin: Linearized, sums: Sequence[UOp]) -> list[list[list[UOp]]]:
    """For each output the derivatives by every hole, of each those by every hole."""
    ends = {t: v for v in sums if (t := lin.known[v]) is not None}  # tangents that nothing is pulled through
    seeds = [s for s in lin.seeds if s is not None]
    tables = [_tangents(x, list(ends.values())) for x in lin.holes]
    found: list[list[list[UOp]]] = [[[] for _ in lin.holes] for _ in lin.outputs]
    for x, table in zip(lin.holes, tables, strict=True):
        i = claim(UOp.range(x.size))
        for o, change, by_y in zip(lin.outputs, _changes(lin, x, table, i), found, strict=True):
            r = claim(UOp.range(o.size))
            cotangents = pulled([change], [*seeds, *ends], [unit(o, r)])
            rest = dict(zip(ends.values(), cotangents[len(seeds) :], strict=True))
            for y, direct, other, row in zip(lin.holes, cotangents, tables, by_y, strict=False):
                parts = [] if direct is None else [direct.dense().vmapout((r, *_kept(direct.value), i))]
                for v, c in rest.items():
                    t = other[v]
                    if c is not None and t is not None:
                        parts.append(_products(c, t, by_nesting(v.free_ranges - o.free_ranges), (r, i)))
                shape = o.sized + y.sized + x.sized
                blocks = [B.reshape(B.cast(p, y.dtype), shape) for p in parts]
                row.append(functools.reduce(B.add, blocks) if blocks else B.full(shape, y.dtype, 0))
    return found


def _tangents(x: UOp, sums: Sequence[UOp]) -> dict[UOp, UOp | None]:
    """For each sum an array of its tangents along all elements of x; None where it does not depend on x."""
    k = claim(UOp.range(x.size))
    found = Push({x: unit(x, k)})(sums)[1]
    return {v: None if t is None else _all(t, (k,)) for v, t in zip(sums, found, strict=True)}


def _changes(lin: Linearized, x: UOp, tangents: dict[UOp, UOp | None], i: UOp) -> list[UOp | None]:
    """What the tangents of the outputs change by along element i of x, those of the holes held fast."""
    known = {v: None if t is None else _at(t, (i,)) for v, t in tangents.items()}
    fixed = dict.fromkeys(s for s in lin.seeds if s is not None)
    varying = [t for t in lin.tangents if t is not None]
    changes = iter(Push({x: unit(x, i), **fixed, **known})(varying)[1])
    return [None if t is None else next(changes) for t in lin.tangents]


def _products(cotangent: Cotangent, tangents: UOp, inner: tuple[UOp, ...], free: tuple[UOp, UOp]) -> UOp:
    """The products of the cotangents for all values of two RANGEs with all tangents, summed over the rest."""
    r, i, j = (claim(UOp.range(n)) for n in (*map(extent, free), tangents.sized[0]))
    each = cotangent.moved(lambda c: _at(_all(c, free), (r, i))).each(lambda c: B.mul(c, _at(tangents, (j,))))
    total = each.over_axes(tuple(range(tangents.ndim - 1)))
    return (total.over_ranges(inner) if inner else total).dense().vmapout((r, j, i))


def _all(x: UOp, ranges: tuple[UOp, ...]) -> UOp:
    """A value for all values of RANGEs, the first axes: an array, which may be computed once."""
    return x.vmapout((*ranges, *_kept(x)))


def _at(x: UOp, ranges: tuple[UOp, ...]) -> UOp:
    return x.vmapin((*ranges, *_kept(x)[len(ranges) :]))


def _kept(x: UOp) -> tuple[UOp, ...]:
    return tuple(const(0) for _ in x.sized)
