"""grad and value_and_grad: the derivative of a scalar function."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from functrans import dtypes, tree
from functrans.errors import ArgumentError, DtypeError, at_user_line
from functrans.ops import build as B
from functrans.ops.uop import UOp, substitute
from functrans.tensor.core import Tensor
from functrans.trace import argument_names, call, held, name_of, others, spec_of
from functrans.transforms.linearize import filled, linearized
from functrans.transforms.static import positions
from functrans.transforms.transformed import Transformed
from functrans.transforms.vjp import check_function

Argnums = int | Sequence[int]


def grad(
    f: Callable[..., Any],
    argnums: Argnums = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[..., Any]:
    """The function that gives the gradient of a scalar function.

    ``argnums`` is the argument to differentiate by, or several, which gives a tuple; an argument may be a pytree, and
    the gradient has its structure. Other arguments may be anything, words and functions too. With ``has_aux`` f
    returns ``(value, aux)`` and the result is ``(gradient, aux)``.
    Of a real function of complex numbers the gradient is the plain transpose: the conjugate of the direction of
    steepest ascent; ``holomorphic`` allows complex results. ``allow_int`` gives float zeros for ints and bools.
    Costs about two to four times f, whatever the number of arguments.

    Raises ArgumentError (f is not scalar, argnums), DtypeError (int, bool or complex where a derivative has no
    meaning), UnsupportedError where an op has no derivative.

    >>> import numpy as np, functrans as ft
    >>> ft.grad(lambda x: np.sum(x ** 2))(np.arange(3.0))
    array([0., 2., 4.])

    Source: Griewank and Walther, Evaluating Derivatives, chapter 3; semantics of ``jax.grad``.
    """
    both = _value_and_grad(f, argnums, has_aux, holomorphic, allow_int, "grad")

    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, found = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return Transformed(gradient, grad, f, argnums, has_aux, holomorphic, allow_int)


def value_and_grad(
    f: Callable[..., Any],
    argnums: Argnums = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[..., Any]:
    """The function that gives value and gradient of a scalar function, sharing their work.

    The result is ``(value, gradient)``, with ``has_aux`` ``((value, aux), gradient)``; all else as in `grad`.

    >>> import numpy as np, functrans as ft
    >>> ft.value_and_grad(lambda x: np.sum(x ** 2))(np.arange(3.0))
    (np.float64(5.0), array([0., 2., 4.]))

    Source: semantics of ``jax.value_and_grad``.
    """
    both = _value_and_grad(f, argnums, has_aux, holomorphic, allow_int, "value_and_grad")
    return Transformed(both, value_and_grad, f, argnums, has_aux, holomorphic, allow_int)


def _value_and_grad(
    f: Callable[..., Any], argnums: Argnums, has_aux: bool, holomorphic: bool, allow_int: bool, what: str
) -> Callable[..., Any]:
    check_function(f, what)
    argnums = positions(argnums, f"{what} argnums")

    def both(*args: Any, **kwargs: Any) -> Any:
        chosen = places(argnums, args, what, f)
        names = argument_names(f, args)
        check_inputs(what, [args[k] for k in chosen], [names[k] for k in chosen], holomorphic, allow_int)
        own, args, kwargs = held(f, args, kwargs, others(args, kwargs, chosen))

        def body(*targs: Any, **tkwargs: Any) -> Any:
            point = Point(own, targs, tkwargs, chosen)
            lin = linearized(point.function, point.nodes, point.treedef, has_aux)
            _check_scalar(lin.outputs, lin.out_tree, f, what, holomorphic)
            pulled = lin.pull([B.like(lin.outputs[0], 1)])
            dense = [filled(h, c) for h, c in zip(lin.holes, pulled, strict=True)]
            value, *rest = tensors([*lin.outputs, *dense, *lin.aux[0]], lin.holes, point.nodes)
            found = point.treedef.unflatten(rest[: len(dense)])
            gradient = found[0] if isinstance(argnums, int) else found
            return ((value, lin.aux[1].unflatten(rest[len(dense) :])) if has_aux else value), gradient

        return call(body, args, kwargs, f"{what} of {name_of(f)}", lambda: names)

    return both


class Point:
    """The arguments to differentiate by, and f as a function of them alone."""

    def __init__(
        self, f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], chosen: tuple[int, ...]
    ) -> None:
        leaves, self.treedef = tree.flatten(tuple(args[k] for k in chosen))
        self.nodes: list[UOp] = [t.uop for t in leaves]

        def function(*varying: Any) -> Any:
            full = list(args)
            for k, x in zip(chosen, varying, strict=True):
                full[k] = x
            return f(*full, **kwargs)

        self.function = functools.wraps(f)(function)


def tensors(roots: Sequence[UOp], holes: Sequence[UOp], nodes: Sequence[UOp]) -> list[Tensor]:
    """Graphs on placeholders as Tensors, at the nodes these stand for."""
    return [Tensor.from_uop(u) for u in substitute(roots, dict(zip(holes, nodes, strict=True)))]


def places(argnums: Argnums, args: tuple[Any, ...], what: str, f: Any) -> tuple[int, ...]:
    """The positions of the arguments to differentiate by, from the front."""
    several = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    if any(not -len(args) <= k < len(args) for k in several):
        raise ArgumentError(
            f"{what} of {name_of(f)} with respect to argnums={argnums} requires at least "
            f"{max(k + 1 if k >= 0 else -k for k in several)} positional arguments to be passed by the caller, but got "
            f"only {len(args)} positional arguments{at_user_line()}"
        )
    return tuple(k % len(args) for k in several)


def check_inputs(what: str, args: Sequence[Any], names: Sequence[str], holomorphic: bool, allow_int: bool) -> None:
    """DtypeError where an argument has a dtype that reverse mode has no derivative by."""
    for arg, root in zip(args, names, strict=True):
        for leaf, name in zip(tree.flatten(arg)[0], tree.paths(arg, root), strict=True):
            dtype = dtype_of(leaf)
            if dtype is None:  # the call tells what is wrong with it
                continue
            if holomorphic and dtype.kind != "c":
                raise DtypeError(
                    f"{what} with holomorphic=True requires inputs with complex dtype, but got {dtype.name} for "
                    f"{name}{at_user_line()}"
                )
            if dtype.kind not in "fc" and not allow_int:
                raise DtypeError(
                    f"{what} requires real- or complex-valued inputs (float or complex dtype), but got {dtype.name} "
                    f"for {name}{at_user_line()}; convert it to float64, or use jvp or vjp, which give zeros"
                )


def check_outputs(what: str, outputs: Sequence[UOp], f: Any, holomorphic: bool) -> None:
    """DtypeError where a result has a dtype that reverse mode has no derivative of."""
    for o in outputs:
        wanted = "c" if holomorphic else "f"
        if o.dtype.kind != wanted:
            kind = "complex" if holomorphic else "real"
            hint = "; for a holomorphic function pass holomorphic=True, else use vjp" if o.dtype.kind == "c" else ""
            raise DtypeError(
                f"{what} requires {kind}-valued outputs, but got {o.dtype.name} from {name_of(f)}{at_user_line()}{hint}"
            )


def dtype_of(leaf: Any) -> dtypes.DType | None:
    """The dtype of an argument, None where it is no array."""
    if not (isinstance(leaf, (bool, int, float, complex)) or hasattr(leaf, "dtype")):
        return None
    try:
        return spec_of(leaf)[1]
    except DtypeError:
        return None


def _check_scalar(outputs: Sequence[UOp], out_tree: tree.TreeDef, f: Any, what: str, holomorphic: bool) -> None:
    if out_tree.kind is not None:
        raise ArgumentError(
            f"Gradient only defined for scalar-output functions. {name_of(f)} returned a pytree {out_tree}"
            f"{at_user_line()}; use has_aux=True to return more than the scalar, or vjp"
        )
    if outputs[0].sized != ():
        raise ArgumentError(
            f"Gradient only defined for scalar-output functions. Output had shape: {outputs[0].sized}. Sum the result "
            f"of {name_of(f)}, or use jacrev or vjp{at_user_line()}"
        )
    check_outputs(what, outputs, f, holomorphic)
