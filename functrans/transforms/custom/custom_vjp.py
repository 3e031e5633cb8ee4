"""custom_vjp: a function whose cotangents are by a rule of the user's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import prod
from typing import Any

import numpy as np

from functrans import dtypes, tree
from functrans._records import record
from functrans.errors import ArgumentError, UnsupportedError, at_user_line
from functrans.ops import build as B
from functrans.ops.custom import refuse_forward
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.ops.weak import is_weak_node
from functrans.tensor.core import Tensor
from functrans.trace import name_of, results, trace
from functrans.transforms.custom import calls
from functrans.transforms.custom.calls import Custom, Rule, Tangent
from functrans.transforms.custom.zeros import CustomVJPPrimal, SymbolicZero, touched

Leaves = tuple[int, ...]


class custom_vjp(Custom):
    """A function with a rule of its own for cotangents: for reverse mode alone.

    ``f = custom_vjp(f)``, then ``f.defvjp(fwd, bwd)``. ``fwd`` takes the arguments of f and gives
    ``(result, residuals)``; ``bwd(residuals, cotangent)`` gives a tuple, one cotangent an argument, None where it is
    zero. Arguments, results and residuals are pytrees; the pullback of `vjp` is one, and may be a residual. The
    arguments at ``nondiff_argnums``, or called ``nondiff_argnames``, may be anything: ``fwd`` gets them in place,
    ``bwd(*nondiff, residuals, cotangent)`` before all else. Under ``vmap`` both speak of one element. Where nothing is
    differentiated f itself is called.

    Raises ArgumentError where no rule is defined, for what a rule returns, for a derivative by a value that f closes
    over, and under ``jvp``; ShapeError and DtypeError where a cotangent does not fit its argument.

    >>> import numpy as np, functrans as ft
    >>> @ft.custom_vjp
    ... def clipped(x):
    ...     return x
    >>> clipped.defvjp(lambda x: (x, None), lambda residuals, c: (np.clip(c, -1, 1),))
    >>> ft.grad(lambda x: 5 * clipped(x))(2.0)
    np.float64(1.0)

    Source: semantics of ``jax.custom_vjp``.
    """

    fwd: Callable[..., Any] | None = None
    bwd: Callable[..., Any] | None = None

    def defvjp(
        self,
        fwd: Callable[..., Any],
        bwd: Callable[..., Any],
        symbolic_zeros: bool = False,
        optimize_remat: bool = False,
    ) -> None:
        """Set ``fwd(*args) -> (result, residuals)`` and ``bwd(*nondiff, residuals, cotangent) -> cotangents``.

        With ``symbolic_zeros`` a leaf of the arguments of ``fwd`` has ``.value`` and ``.perturbed``, whether a
        derivative is by it; and the cotangent of a result that nothing was made of is a `SymbolicZero` and no array.
        Raises UnsupportedError for ``optimize_remat``.
        """
        if optimize_remat:
            raise UnsupportedError(f"defvjp with optimize_remat is not built{at_user_line()}; leave it out")
        self.fwd, self.bwd, self.symbolic_zeros = fwd, bwd, symbolic_zeros

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The value of the function."""
        if self.fwd is None:
            raise ArgumentError(f"no rule is defined for {self.what} by defvjp{at_user_line()}")
        return self._call(VjpRule, args, kwargs)


@record(repr=False)
class VjpRule(Rule["custom_vjp"]):
    """The rules for calls of one function with arguments of one structure."""

    def begin(
        self, inputs: Sequence[UOp], tangents: Sequence[Tangent], to_transpose: bool
    ) -> Callable[[UOp], tuple[UOp, Tangent]]:
        """Values by ``fwd``; tangents that are good for being transposed, which is by ``bwd``."""
        assert self.owner.fwd is not None  # a call without one has raised
        if not to_transpose:
            raise refuse_forward(self.name)
        nodes = calls.primals(inputs)
        what = f"the rule {name_of(self.owner.fwd)} of {self.name}"
        holes: dict[UOp, UOp] = {}
        with trace(what):
            seen = calls.giving_way(nodes, self.weak, holes)
            given = self._seen(seen, tangents) if self.owner.symbolic_zeros else self.arguments.trees(seen)
            answer = self.owner.fwd(*self.arguments.full(given))
            result, kept = calls.pair(answer, what, "the result and the residuals")
            values = calls.like_result(result, self.out_tree, self.specs, what)
            residuals, res_tree = results(kept, what)
        weak = tuple(map(is_weak_node, residuals))
        made = [x for x in calls.put_back([*values, *residuals], holes, nodes) if x is not None]
        values, residuals = made[: len(values)], made[len(values) :]
        active = tuple(k for k, t in enumerate(tangents) if t is not None)
        pullback = Pullback(self, res_tree, weak, active, tuple((x.sized, x.dtype) for x in nodes))
        pushed: list[Tangent] = [None] * len(self.specs)
        if any(dtypes.is_inexact(d) for _, d in self.specs):
            along = (t for t in tangents if t is not None)
            pushed = pullback.parts(UOp(Ops.LINEAR, pullback.dtype, (*residuals, *along), pullback))
        return lambda node: (values[node.arg[1]], pushed[node.arg[1]])

    def _seen(self, nodes: Sequence[UOp], tangents: Sequence[Tangent]) -> tuple[Any, ...]:
        pairs = zip(nodes, tangents, strict=True)
        leaves = (CustomVJPPrimal(Tensor.from_uop(x), t is not None) for x, t in pairs)
        return tuple(self.arguments.treedef.unflatten(leaves))


@record(repr=False)
class Pullback:
    """The transpose of the derivative of one call, on the cotangents of its results in one flat array.

    The argument of a LINEAR, whose sources are the residuals and the tangents of the ``active`` arguments.
    """

    rule: VjpRule
    res_tree: tree.TreeDef
    weak: tuple[bool, ...]  # which residuals are Python numbers
    active: Leaves
    arguments: tuple[calls.Spec, ...]

    def __repr__(self) -> str:
        return f"<pullback of {self.rule.name}>"

    @property
    def size(self) -> int:
        """The number of elements of all results that a derivative is of."""
        return sum(prod(s) for s, d in self.rule.specs if dtypes.is_inexact(d))

    @property
    def dtype(self) -> dtypes.DType:
        """One that holds them all."""
        return dtypes.from_numpy(np.result_type(*(d.numpy for _, d in self.rule.specs if dtypes.is_inexact(d))))

    def parts(self, flat: UOp) -> list[Tangent]:
        """The flat array taken apart; None where a result counts."""
        found: list[Tangent] = []
        for (shape, dtype), bounds in zip(self.rule.specs, self._bounds(), strict=True):
            inexact = dtypes.is_inexact(dtype)
            found.append(B.cast(B.reshape(B.shrink(flat, (bounds,)), shape), dtype) if inexact else None)
        return found

    def _bounds(self) -> list[tuple[int, int]]:
        """Where each result begins and ends in the flat array."""
        ends = list(accumulate(prod(s) if dtypes.is_inexact(d) else 0 for s, d in self.rule.specs))
        return list(zip((0, *ends), ends, strict=False))

    def refuse(self) -> ArgumentError:
        """The error for the value of such a tangent."""
        return refuse_forward(self.rule.name)

    def pull(self, residuals: Sequence[UOp], flat: UOp) -> list[Tangent]:
        """The cotangents of the active arguments by ``bwd``."""
        rule = self.rule
        assert rule.owner.bwd is not None
        what = f"the rule {name_of(rule.owner.bwd)} of {rule.name}"
        holes: dict[UOp, UOp] = {}
        with trace(what):
            kept = self.res_tree.unflatten(map(Tensor.from_uop, calls.giving_way(residuals, self.weak, holes)))
            answer = rule.owner.bwd(*rule.arguments.statics, kept, rule.out_tree.unflatten(self._cotangents(flat)))
            leaves = self._leaves(answer, what)
            paths = calls.paths(rule.arguments.treedef, "the cotangents")
            chosen = [leaves[k] for k in self.active]
            specs = [self.arguments[k] for k in self.active]
            own = zip(chosen, specs, self.active, strict=True)
            chosen = [_widened(x, dtype) if rule.weak[k] else x for x, (_, dtype), k in own]
            found = calls.fitted(chosen, specs, [paths[k] for k in self.active], what)
        return calls.put_back(found, holes, (*residuals, flat))

    def _cotangents(self, flat: UOp) -> list[Tensor | SymbolicZero]:
        """The cotangents of the results as ``bwd`` sees them."""
        parts = [B.full(s, dtypes.float64, 0) if c is None else c
                 for c, (s, _) in zip(self.parts(flat), self.rule.specs, strict=True)]  # fmt: skip
        if not self.rule.owner.symbolic_zeros:
            return [Tensor.from_uop(c) for c in parts]
        return [Tensor.from_uop(c) if hit else SymbolicZero.like(c)
                for c, hit in zip(parts, touched(flat, self._bounds()), strict=True)]  # fmt: skip

    @property
    def num_residuals(self) -> int:
        """How many of the sources are residuals."""
        return len(self.weak)

    def _leaves(self, answer: Any, what: str) -> list[Any]:
        wanted = self.rule.arguments.treedef
        if not isinstance(answer, (tuple, list)) or len(answer) != len(wanted.children):
            raise ArgumentError(
                f"{what} must produce a tuple of {len(wanted.children)} cotangents, one for each argument that is "
                f"differentiated by, but got {answer!r}{at_user_line()}; give None where one is zero"
            )
        found: list[Any] = []
        for k, (one, below) in enumerate(zip(answer, wanted.children, strict=True)):
            leaves = [None] * below.num_leaves if one is None else tree.flatten_like(one, below)
            if leaves is None:
                raise ArgumentError(
                    f"{what} must produce cotangents of the structure of the arguments: that of argument {k} is "
                    f"{tree.flatten(one)[1]}, and the argument {below}{at_user_line()}"
                )
            found.extend(leaves)
        return found


def _widened(cotangent: Any, dtype: dtypes.DType) -> Any:
    """That of a Python number in the dtype which it has alone."""
    is_narrow = isinstance(cotangent, Tensor) and cotangent.dtype.kind == dtype.kind
    return cotangent.astype(dtype.numpy) if is_narrow else cotangent
