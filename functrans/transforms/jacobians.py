"""Dense Jacobians: one tangent a column or one cotangent a row, all under one RANGE."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from functrans import tree
from functrans.errors import ArgumentError, DtypeError, at_user_line
from functrans.ops import build as B
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp
from functrans.trace import argument_names, call, claim, held, name_of, others
from functrans.transforms.forward import push_forward
from functrans.transforms.grad import (
    Argnums,
    Point,
    check_inputs,
    check_outputs,
    dtype_of,
    grad,
    places,
    tensors,
)
from functrans.transforms.jvp import jvp, linear_graph
from functrans.transforms.linearize import Linearized, filled, linearized
from functrans.transforms.static import positions
from functrans.transforms.transformed import Transformed
from functrans.transforms.vjp import check_function

Rows = list[list[UOp]]  # per output leaf, a Jacobian per input leaf
Traced = tuple[list[UOp], Rows, tree.TreeDef, tuple[list[UOp], tree.TreeDef]]  # at placeholders for the arguments


def jacfwd(
    f: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False, holomorphic: bool = False
) -> Callable[..., Any]:
    """The function that gives the Jacobian of f, a column at a time by forward mode.

    The result has the structure of f's result, each leaf in turn the structure of the argument (a tuple where
    ``argnums`` is one), and its arrays have shape ``(*shape of the result, *shape of the argument)``. With
    ``has_aux`` it is ``(Jacobian, aux)``. Costs about one to three times f for every element of the argument;
    `jacrev` is better where the result has fewer.

    Raises ArgumentError (argnums), DtypeError (int or bool arguments; complex ones unless ``holomorphic``).

    >>> import numpy as np, functrans as ft
    >>> ft.jacfwd(lambda x: x * x[::-1])(np.array([1.0, 2.0]))
    array([[2., 1.],
           [2., 1.]])

    Source: semantics of ``jax.jacfwd``.
    """

    def trace(point: Point) -> Traced:
        holes, outputs, aux, out_tree = linear_graph(point.function, point.nodes, point.treedef, has_aux)
        if holomorphic:
            check_outputs("jacfwd", outputs, f, True)
        return holes, by_columns(outputs, holes), out_tree, aux

    def check(args: Sequence[Any], names: Sequence[str]) -> None:
        check_inputs("jacfwd", args, names, holomorphic, False)
        check_real(args, names, holomorphic)

    found = jacobian_by(f, argnums, has_aux, "jacfwd", check, trace)
    return Transformed(found, jacfwd, f, argnums, has_aux, holomorphic)


def jacrev(
    f: Callable[..., Any],
    argnums: Argnums = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[..., Any]:
    """The function that gives the Jacobian of f, a row at a time by reverse mode.

    The result is that of `jacfwd`. Costs about two to four times f for every element of the result; `jacfwd` is
    better where the argument has fewer.

    Raises ArgumentError (argnums), DtypeError (int or bool arguments unless ``allow_int``; complex results unless
    ``holomorphic``).

    >>> import numpy as np, functrans as ft
    >>> ft.jacrev(lambda x: x.sum() * x)(np.array([1.0, 2.0]))
    array([[4., 1.],
           [2., 5.]])

    Source: semantics of ``jax.jacrev``.
    """

    def trace(point: Point) -> Traced:
        lin = linearized(point.function, point.nodes, point.treedef, has_aux)
        check_outputs("jacrev", lin.outputs, f, holomorphic)
        return lin.holes, list(by_rows(lin)), lin.out_tree, lin.aux

    def check(args: Sequence[Any], names: Sequence[str]) -> None:
        check_inputs("jacrev", args, names, holomorphic, allow_int)

    found = jacobian_by(f, argnums, has_aux, "jacrev", check, trace)
    return Transformed(found, jacrev, f, argnums, has_aux, holomorphic, allow_int)


def hvp(f: Callable[..., Any], argnums: Argnums = 0) -> Callable[..., Any]:
    """The product of the Hessian of a scalar function with a vector: ``hvp(f)(*args, v)``.

    ``v`` is shaped as the argument to differentiate by, a tuple where ``argnums`` is one; so is the result. It is the
    derivative of the gradient along v, and costs about four to eight times f.

    Raises what `grad` and `jvp` raise; ArgumentError where no vector is given.

    >>> import numpy as np, functrans as ft
    >>> ft.hvp(lambda x: np.sum(x ** 3))(np.array([1.0, 2.0]), np.array([1.0, 0.5]))
    array([6., 6.])

    Source: Pearlmutter, Fast exact multiplication by the Hessian, Neural Computation 6 (1994).
    """
    check_function(f, "hvp")
    argnums = positions(argnums, "hvp argnums")

    def product(*args: Any, **kwargs: Any) -> Any:
        if not args:
            raise ArgumentError(
                f"hvp of {name_of(f)} takes the arguments of {name_of(f)} and a vector, but got nothing{at_user_line()}"
            )
        chosen = places(argnums, args[:-1], "hvp", f)
        own, args, kwargs = held(f, args, kwargs, others(args, kwargs, (*chosen, len(args) - 1)))

        def body(*targs: Any, **tkwargs: Any) -> Any:
            *point, v = targs

            def gradient(*varying: Any) -> Any:
                full = list(point)
                for k, x in zip(chosen, varying, strict=True):
                    full[k] = x
                return grad(own, argnums)(*full, **tkwargs)

            vectors = (v,) if isinstance(argnums, int) else v
            return jvp(gradient, tuple(point[k] for k in chosen), vectors)[1]

        return call(body, args, kwargs, f"hvp of {name_of(f)}", lambda: [*argument_names(f, args[:-1]), "v"])

    return Transformed(product, hvp, f, argnums)


def jacobian_by(
    f: Callable[..., Any],
    argnums: Argnums,
    has_aux: bool,
    what: str,
    check: Callable[[Sequence[Any], Sequence[str]], None],
    trace: Callable[[Point], Traced],
    depth: int = 1,
) -> Callable[..., Any]:
    """A derivative as a function of the arguments of f; of ``depth`` 2, derivatives of derivatives."""
    check_function(f, what)
    argnums = positions(argnums, f"{what} argnums")

    def jacobian(*args: Any, **kwargs: Any) -> Any:
        chosen = places(argnums, args, what, f)
        names = argument_names(f, args)
        check([args[k] for k in chosen], [names[k] for k in chosen])
        own, args, kwargs = held(f, args, kwargs, others(args, kwargs, chosen))

        def body(*targs: Any, **tkwargs: Any) -> Any:
            point = Point(own, targs, tkwargs, chosen)
            holes, rows, out_tree, aux = trace(point)
            done = iter(tensors([*(j for row in rows for j in row), *aux[0]], holes, point.nodes))
            leaves = [_nested([next(done) for _ in row], point.treedef, argnums, depth) for row in rows]
            found = out_tree.unflatten(leaves)
            return (found, aux[1].unflatten(list(done))) if has_aux else found

        return call(body, args, kwargs, f"{what} of {name_of(f)}", lambda: names)

    return jacobian


def _nested(row: list[Any], treedef: tree.TreeDef, argnums: Argnums, depth: int) -> Any:
    """The structure of the arguments, that of the last derivative innermost."""
    n = treedef.num_leaves
    for level in range(depth - 1, -1, -1):
        structured = [treedef.unflatten(row[k * n : (k + 1) * n]) for k in range(n**level)]
        row = [found[0] if isinstance(argnums, int) else found for found in structured]
    return row[0]


def by_rows(lin: Linearized) -> Iterator[list[UOp]]:
    """For each output of a function its Jacobian by every hole, a cotangent for each row."""
    for k, output in enumerate(lin.outputs):
        r = claim(UOp.range(output.size))
        cotangents = [unit(output, r) if j == k else None for j in range(len(lin.outputs))]
        found = [filled(h, c) for h, c in zip(lin.holes, lin.pull(cotangents), strict=True)]
        whole = [c.vmapout((r, *(const(0) for _ in c.sized))) for c in found]
        yield [B.reshape(c, output.sized + h.sized) for c, h in zip(whole, lin.holes, strict=True)]


def by_columns(outputs: Sequence[UOp], holes: Sequence[UOp]) -> list[list[UOp]]:
    """For each output its Jacobian by every hole, a tangent for each column."""
    found: list[list[UOp]] = [[] for _ in outputs]
    for x in holes:
        r = claim(UOp.range(x.size))
        for o, t, row in zip(outputs, push_forward(outputs, {x: unit(x, r)}), found, strict=True):
            whole = filled(o, t).vmapout((*(const(0) for _ in o.sized), r))
            row.append(B.reshape(whole, o.sized + x.sized))
    return found


def unit(x: UOp, r: UOp) -> UOp:
    """One at element r of a node's shape, zero elsewhere."""
    if x.size == 1:
        return B.like(x, 1)
    number = B.iota(x.size)
    here = B.eq(number, B.broadcast(number.vmapin((r,)), (x.size,)))
    return B.where(B.reshape(here, x.sized), B.like(x, 1), B.like(x, 0))


def check_real(args: Sequence[Any], names: Sequence[str], holomorphic: bool) -> None:
    """DtypeError where an argument is complex and the function is not said to be holomorphic."""
    for arg, root in zip(args, names, strict=True):
        for leaf, name in zip(tree.flatten(arg)[0], tree.paths(arg, root), strict=True):
            dtype = dtype_of(leaf)
            if dtype is not None and dtype.kind == "c" and not holomorphic:
                raise DtypeError(
                    f"jacfwd requires real-valued inputs (float dtype), but got {dtype.name} for {name}"
                    f"{at_user_line()}; for a holomorphic function pass holomorphic=True, else use jvp"
                )
