"""custom_jvp: a function whose tangents are by a rule of the user's."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from functrans import dtypes, tree
from functrans.errors import ArgumentError, UnsupportedError, at_user_line
from functrans.ops.enums import Ops
from functrans.ops.source import param
from functrans.ops.uop import UOp, toposort
from functrans.tensor.core import Tensor
from functrans.trace import argument_names, call, name_of, trace
from functrans.transforms.custom import calls
from functrans.transforms.custom.calls import Arguments, Tangent
from functrans.transforms.custom.lanes import Lanes
from functrans.transforms.forward import Push


class custom_jvp:
    """A function with a rule of its own for its tangents, from which reverse mode comes too.

    ``f = custom_jvp(f)``, then ``@f.defjvp`` over ``rule(primals, tangents) -> (result, tangent of the result)``, both
    tuples. Arguments and results are pytrees. The arguments at ``nondiff_argnums`` may be anything; they come first:
    ``rule(*nondiff, primals, tangents)``. The tangent of an int or bool argument is float zeros. Under ``vmap`` the
    rule speaks of one element. Where nothing is differentiated the rule costs nothing.

    Raises ArgumentError where no rule is defined, for what a rule returns, and for a derivative by a value that f
    closes over; ShapeError and DtypeError where a tangent does not fit its primal.

    >>> import numpy as np, functrans as ft
    >>> @ft.custom_jvp
    ... def log1pexp(x):
    ...     return np.log(1 + np.exp(x))
    >>> @log1pexp.defjvp
    ... def rule(primals, tangents):
    ...     (x,), (t,) = primals, tangents
    ...     return log1pexp(x), (1 - 1 / (1 + np.exp(x))) * t
    >>> ft.grad(log1pexp)(100.0)
    np.float64(1.0)

    Source: semantics of ``jax.custom_jvp``.
    """

    def __init__(self, fun: Callable[..., Any], nondiff_argnums: Sequence[int] = ()) -> None:
        if not callable(fun):
            raise ArgumentError(f"custom_jvp decorates a function, but got {fun!r}{at_user_line()}")
        functools.update_wrapper(self, fun)
        self.fun, self.nondiff_argnums = fun, tuple(nondiff_argnums)
        self.jvp: Callable[..., Any] | None = None
        self.what = f"the custom_jvp function {name_of(fun)}"

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """Bind as a method of an instance, which is one of the arguments."""
        return self if instance is None else functools.partial(self, instance)

    def defjvp(self, jvp: Callable[..., Any], symbolic_zeros: bool = False) -> Callable[..., Any]:
        """Set the rule ``jvp(*nondiff, primals, tangents) -> (result, tangent)``; returns it, so it is a decorator."""
        if symbolic_zeros:
            raise UnsupportedError(f"defjvp with symbolic_zeros is not built{at_user_line()}; zero tangents are arrays")
        self.jvp = jvp
        return jvp

    def defjvps(self, *jvps: Callable[..., Any] | None) -> None:
        """Set a rule for each argument: ``jvp(tangent, result, *primals)``, summed; None where the derivative is zero.

        >>> import numpy as np, functrans as ft
        >>> product = ft.custom_jvp(lambda a, b: a * b)
        >>> product.defjvps(lambda t, ans, a, b: t * b, None)
        >>> ft.jvp(product, (2.0, 3.0), (1.0, 1.0))
        (np.float64(6.0), np.float64(3.0))
        """
        if self.nondiff_argnums:
            raise ArgumentError(f"can't use defjvps with nondiff_argnums{at_user_line()}; use defjvp")

        def jvp(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
            if len(jvps) != len(primals):
                raise ArgumentError(
                    f"defjvps of {self.what} was given {len(jvps)} rules for {len(primals)} arguments{at_user_line()}"
                )
            result = self(*primals)
            flat, out_tree = tree.flatten(result)
            terms = [f(t, result, *primals) for f, t in zip(jvps, tangents, strict=True) if f is not None]
            if any(tree.flatten(t)[1] != out_tree for t in terms):
                raise ArgumentError(
                    f"a rule of defjvps of {self.what} gives a tangent of another structure than the result"
                    f"{at_user_line()}"
                )
            zeros = [Tensor.from_uop(calls.as_tangent(x.uop, None)) for x in flat]
            columns = zip(zeros, *(tree.flatten(t)[0] for t in terms), strict=True)
            return result, out_tree.unflatten([sum(rest, zero) for zero, *rest in columns])

        self.defjvp(jvp)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The value of the function."""
        if self.jvp is None:
            raise ArgumentError(f"no rule is defined for {self.what} by defjvp{at_user_line()}")
        given = calls.positional(self.fun, args, kwargs, self.what)
        arguments, varying = calls.split(given, self.nondiff_argnums, self.what)

        def body(*targs: Any) -> Any:
            nodes = [t.uop for t in tree.flatten(targs)[0]]
            rule = JvpRule(self, arguments)
            outputs, inputs, out_tree = calls.enclosed(self.fun, arguments, nodes, rule, self.what)
            rule = replace(rule, out_tree=out_tree, specs=tuple((u.sized, u.dtype) for u in outputs))
            made = [calls.custom(u, inputs, rule, k) for k, u in enumerate(outputs)]
            return out_tree.unflatten(map(Tensor.from_uop, made))

        return call(body, varying, {}, self.what, lambda: argument_names(self.fun, varying))


@dataclass(frozen=True, repr=False)
class JvpRule:
    """The rule for calls of one function with arguments of one structure."""

    owner: custom_jvp
    arguments: Arguments
    out_tree: tree.TreeDef = tree.LEAF
    specs: tuple[calls.Spec, ...] = ()

    opaque = True

    def __repr__(self) -> str:
        return f"<{self.name}>"

    @property
    def name(self) -> str:
        """What the function is, for messages."""
        return self.owner.what

    def batched(self, sizes: tuple[int, ...], axes: Sequence[tuple[int, ...]]) -> Lanes:
        """The rule of one lane, for many."""
        return Lanes(self, sizes, tuple(axes))

    def begin(
        self, inputs: Sequence[UOp], tangents: Sequence[Tangent], to_transpose: bool
    ) -> Callable[[UOp], tuple[UOp, Tangent]]:
        """Values and tangents by the user's rule."""
        nodes = calls.primals(inputs)
        if to_transpose:
            values, pushed = self._linear(nodes, tangents)
        else:
            dense = [calls.as_tangent(x, t) for x, t in zip(nodes, tangents, strict=True)]
            values, pushed = self._applied(nodes, dense)
        return lambda node: (values[node.arg[1]], pushed[node.arg[1]])

    @property
    def _what(self) -> str:
        return f"the rule {name_of(self.owner.jvp)} of {self.name}"

    def _applied(self, nodes: Sequence[UOp], tangents: Sequence[UOp]) -> tuple[list[UOp], list[Tangent]]:
        assert self.owner.jvp is not None  # a call without one has raised
        given = self.arguments.trees(nodes), self.arguments.trees(tangents)
        with trace(self._what):
            answer = self.owner.jvp(*self.arguments.statics, *given)
        parts = calls.pair(answer, self._what, "the result and its tangent")
        values = calls.like_result(parts[0], self.out_tree, self.specs, self._what)
        return values, calls.like_tangent(parts[1], self.out_tree, self.specs, self._what)

    def _linear(self, nodes: Sequence[UOp], tangents: Sequence[Tangent]) -> tuple[list[UOp], list[Tangent]]:
        """The rule on placeholders for all tangents, and the derivative of what it gives along those that are not zero.

        So no term is left of a tangent that is zero, which an array of zeros would leave, and what is not linear shows.
        """
        holes = [param(x.sized, x.dtype) if dtypes.is_inexact(x.dtype) else calls.as_tangent(x, None) for x in nodes]
        values, pushed = self._applied(nodes, holes)
        fixed: dict[UOp, Tangent] = dict.fromkeys(nodes)
        push = Push(fixed | dict(zip(holes, tangents, strict=True)), True)
        varying = {h for h in holes if h.op is Ops.PARAM}
        along = {t for t in tangents if t is not None}
        found: list[Tangent] = []
        for tangent, path in zip(pushed, calls.paths(self.out_tree, "the tangent"), strict=True):
            result = None if tangent is None else push([tangent])[1][0]
            lost = tangent is not None and not _reaches(tangent, varying, {*nodes})
            if lost or (result is not None and _reaches(result, varying, {*nodes, *along})):
                raise ArgumentError(
                    f"{self._what}: {path} is not linear in the tangents of the arguments{at_user_line()}, and has "
                    "no transpose; give zeros where it is zero"
                )
            found.append(result)
        return values, found


def _reaches(x: UOp, ends: set[UOp], stops: set[UOp]) -> bool:
    """Whether a value depends on one of ``ends``, seen as far as the ``stops``."""
    return not ends.isdisjoint(toposort([x], enter=lambda u: u not in stops))
