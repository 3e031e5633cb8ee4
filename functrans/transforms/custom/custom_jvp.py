"""custom_jvp: a function whose tangents are by a rule of the user's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from functrans import dtypes, tree
from functrans._records import record
from functrans.errors import ArgumentError, at_user_line
from functrans.ops.enums import Ops
from functrans.ops.source import param
from functrans.ops.uop import UOp, toposort
from functrans.tensor.core import Tensor
from functrans.trace import name_of, trace
from functrans.transforms.custom import calls
from functrans.transforms.custom.calls import Custom, Rule, Tangent
from functrans.transforms.custom.zeros import SymbolicZero
from functrans.transforms.dependents import dependents
from functrans.transforms.forward import Push
from functrans.transforms.loops.independent import independent


class custom_jvp(Custom):
    """A function with a rule of its own for its tangents, from which reverse mode comes too.

    ``f = custom_jvp(f)``, then ``@f.defjvp`` over ``rule(primals, tangents) -> (result, tangent of the result)``, both
    tuples. Arguments and results are pytrees. The arguments at ``nondiff_argnums``, or called ``nondiff_argnames``, may
    be anything; they come first: ``rule(*nondiff, primals, tangents)``. The tangent of an int or bool argument is float
    zeros. Under ``vmap`` the rule speaks of one element. Where nothing is differentiated the rule costs nothing. The
    rule may call the function on tangents too: reverse mode takes such a call as the function itself, which must be
    linear there.

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

    jvp: Callable[..., Any] | None = None
    forward: Callable[..., Any] | None = None  # the rule for tangents that are not transposed, if another one

    def defjvp(self, jvp: Callable[..., Any], symbolic_zeros: bool = False) -> Callable[..., Any]:
        """Set the rule ``jvp(*nondiff, primals, tangents) -> (result, tangent)``; returns it, so it is a decorator.

        With ``symbolic_zeros`` a tangent that is zero whatever the values are is a `SymbolicZero` and no array.
        """
        self.jvp, self.symbolic_zeros = jvp, symbolic_zeros
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
            zeros = [Tensor.from_uop(calls.no_tangent(x.uop)) for x in flat]
            columns = zip(zeros, *(tree.flatten(t)[0] for t in terms), strict=True)
            return result, out_tree.unflatten([sum(rest, zero) for zero, *rest in columns])

        self.defjvp(jvp)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The value of the function."""
        if self.jvp is None:
            raise ArgumentError(f"no rule is defined for {self.what} by defjvp{at_user_line()}")
        return self._call(JvpRule, args, kwargs)


@record(repr=False)
class JvpRule(Rule["custom_jvp"]):
    """The rule for calls of one function with arguments of one structure."""

    def begin(
        self, inputs: Sequence[UOp], tangents: Sequence[Tangent], to_transpose: bool
    ) -> Callable[[UOp], tuple[UOp, Tangent]]:
        """Values and tangents by the user's rule."""
        nodes = calls.primals(inputs)
        if to_transpose:
            values, pushed = self._linear(nodes, tangents)
        else:
            given = [self._zero(x) if t is None else t for x, t in zip(nodes, tangents, strict=True)]
            values, pushed = self._applied(nodes, given, self.owner.forward)
        return lambda node: (values[node.arg[1]], pushed[node.arg[1]])

    @property
    def _what(self) -> str:
        return f"the rule {name_of(self.owner.jvp)} of {self.name}"

    def _zero(self, x: UOp) -> UOp | SymbolicZero:
        return SymbolicZero.like(x) if self.owner.symbolic_zeros else calls.no_tangent(x)

    def _applied(
        self, nodes: Sequence[UOp], tangents: Sequence[UOp | SymbolicZero], other: Callable[..., Any] | None = None
    ) -> tuple[list[UOp], list[Tangent]]:
        rule = other or self.owner.jvp
        assert rule is not None  # a call without one has raised
        holes: dict[UOp, UOp] = {}
        with trace(self._what):
            varies = [w and dtypes.is_inexact(x.dtype) for w, x in zip(self.weak, nodes, strict=True)]
            at = self.arguments.trees(calls.giving_way(nodes, self.weak, holes))
            along = self.arguments.trees(calls.giving_way(tangents, varies, holes))
            answer = rule(*self.arguments.statics, at, along)
        parts = calls.pair(answer, self._what, "the result and its tangent")
        values = calls.like_result(parts[0], self.out_tree, self.specs, self._what)
        pushed = calls.like_tangent(parts[1], self.out_tree, self.specs, self._what)
        made = calls.put_back([*values, *pushed], holes, (*nodes, *tangents))
        return [x for x in made[: len(values)] if x is not None], made[len(values) :]

    def _linear(self, nodes: Sequence[UOp], tangents: Sequence[Tangent]) -> tuple[list[UOp], list[Tangent]]:
        """The rule on placeholders for tangents, and the derivative of what it gives along those that are not zero.

        So no term is left of a tangent that is zero, which an array of zeros would leave, and what is not linear shows.
        """
        given = [self._placeholder(x, t) for x, t in zip(nodes, tangents, strict=True)]
        values, pushed = self._applied(nodes, given)
        holes = {h: t for h, t in zip(given, tangents, strict=True) if isinstance(h, UOp) and h.op is Ops.PARAM}
        for lost, path in zip(pushed, calls.paths(self.out_tree, "the tangent"), strict=True):
            if lost is not None and not _reaches(lost, {*holes}, {*nodes}):
                raise self._not_linear(path)
        return values, self._along(nodes, pushed, holes)

    def _placeholder(self, x: UOp, tangent: Tangent) -> UOp | SymbolicZero:
        if tangent is None and (self.owner.symbolic_zeros or not dtypes.is_inexact(x.dtype)):
            return self._zero(x)
        return param(x.sized, x.dtype)

    def _along(self, nodes: Sequence[UOp], pushed: Sequence[Tangent], holes: dict[UOp, Tangent]) -> list[Tangent]:
        """Graphs that are linear in placeholders, at what these stand for; ArgumentError where one is not linear."""
        varying = [h for h, t in holes.items() if t is not None]
        here = _parted(calls.as_functions(pushed, holes, {*nodes}), varying)
        push = Push({**dict.fromkeys(nodes), **holes}, True)
        found = _parted([None if t is None else push([t])[1][0] for t in here], holes)
        points, along = {*nodes}, {t for t in holes.values() if t is not None}
        for tangent, result, path in zip(here, found, calls.paths(self.out_tree, "the tangent"), strict=True):
            if tangent is None:
                continue
            below = dependents(toposort([tangent], enter=lambda u: u not in points), varying)
            dropped = any(dtypes.is_inexact(u.dtype) and push.tangents.get(u, u) is None for u in below)
            if dropped or (result is not None and _reaches(result, {*holes}, points | along)):
                raise self._not_linear(path)
        return found

    def _not_linear(self, path: str) -> ArgumentError:
        return ArgumentError(
            f"{self._what}: {path} is not linear in the tangents of the arguments{at_user_line()}, and has no "
            "transpose; give zeros where it is zero"
        )


def _parted(tangents: Sequence[Tangent], late: Iterable[UOp]) -> list[Tangent]:
    """The same, no value that depends on nothing late among the results of a loop that does."""
    given = iter(independent([t for t in tangents if t is not None], late))
    return [None if t is None else next(given) for t in tangents]


def _reaches(x: UOp, ends: set[UOp], stops: set[UOp]) -> bool:
    """Whether a value depends on one of ``ends``, seen as far as the ``stops``."""
    return not ends.isdisjoint(toposort([x], enter=lambda u: u not in stops))
