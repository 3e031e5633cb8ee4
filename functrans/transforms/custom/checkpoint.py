"""checkpoint: what a derivative needs of a function is computed again where it is needed, and not stored."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from functrans import tree
from functrans._records import record
from functrans.errors import ArgumentError, UnsupportedError, at_user_line
from functrans.ops.custom import Again, Mark, marked, unmarked
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, fresh_id, substitute, toposort
from functrans.tensor.constants import is_traced
from functrans.tensor.core import Tensor
from functrans.trace import argument_names, call, name_of, results
from functrans.transforms.custom import calls
from functrans.transforms.custom.calls import Tangent
from functrans.transforms.dependents import dependents
from functrans.transforms.forward import Push
from functrans.transforms.transformed import Transformed


def checkpoint(
    fun: Callable[..., Any],
    *,
    concrete: bool = False,
    prevent_cse: bool = True,
    static_argnums: int | Sequence[int] = (),
    policy: Any = None,
) -> Callable[..., Any]:
    """The same function, of which reverse mode stores the arguments alone: the rest is computed a second time.

    Use it on the parts of a long computation: of n steps in blocks of about the root of n, memory falls from n values
    to twice the root of n, for one more evaluation. Values that ``fun`` closes over count as arguments. Nothing changes
    where nothing is transposed. Arguments at ``static_argnums`` are passed on as they are. ``prevent_cse=False`` allows
    the second computation to be merged with the first, which undoes the effect.

    Raises ArgumentError for what is no function, UnsupportedError for ``policy`` and ``concrete``.

    >>> import numpy as np, functrans as ft
    >>> f = ft.checkpoint(lambda x: np.sin(np.sin(x)))
    >>> ft.grad(lambda x: f(f(x)))(0.0)
    np.float64(1.0)

    Source: Griewank and Walther, Evaluating Derivatives, chapter 12; semantics of ``jax.checkpoint``.
    """
    if not callable(fun):
        raise ArgumentError(
            f"checkpoint is of a function, but got {fun!r} of type {type(fun).__name__}{at_user_line()}"
        )
    for name, given in (("policy", policy), ("concrete", concrete or None)):
        if given is not None:
            raise UnsupportedError(f"checkpoint with {name}={given!r} is not built{at_user_line()}; leave it out")
    fixed = (static_argnums,) if isinstance(static_argnums, int) else tuple(static_argnums)
    what = f"checkpoint of {name_of(fun)}"

    def checkpointed(*args: Any, **kwargs: Any) -> Any:
        arguments, varying = calls.split(args, fixed, what)

        def body(*targs: Any, **tkwargs: Any) -> Any:
            leaves, treedef = tree.flatten((targs, tkwargs))
            rule = Checkpoint(what, fresh_id())
            inputs = [marked(t.uop, Mark(rule)) if prevent_cse and is_traced(t.uop) else t.uop for t in leaves]
            inner, keywords = treedef.unflatten(map(Tensor.from_uop, inputs))
            outputs, out_tree = results(fun(*arguments.full(inner), **keywords), what)
            made = _enclosed(outputs, inputs, rule) if prevent_cse else outputs
            return out_tree.unflatten(map(Tensor.from_uop, made))

        return call(body, varying, kwargs, what, lambda: argument_names(fun, varying))

    make = functools.partial(checkpoint, prevent_cse=prevent_cse, static_argnums=fixed)
    return Transformed(checkpointed, make, fun)


def _enclosed(outputs: Sequence[UOp], inputs: Sequence[UOp], rule: Checkpoint) -> list[UOp]:
    """The results as nodes of the call, with what the function closes over for arguments too."""
    ends = {x for x in inputs if isinstance(x.arg, Mark)}
    order = toposort(outputs, enter=lambda u: u not in ends)
    inside = dependents(order, ends)
    around = frozenset[UOp]().union(*(o.free_ranges for o in outputs))
    closed: dict[UOp, UOp] = {}
    needed = set(outputs)
    for u in reversed(order):
        if u not in needed or u in ends or u.op is Ops.RANGE:
            continue
        if u in inside or not u.free_ranges <= around:  # what depends on a loop of the function is computed in it
            needed.update(u.src)
        elif is_traced(u):
            closed[u] = marked(u, Mark(rule))
    made = substitute(outputs, {x: x for x in ends} | closed)
    every = (*inputs, *closed.values())
    return [
        calls.custom(m, every, rule, k) if o in inside else o
        for k, (o, m) in enumerate(zip(outputs, made, strict=True))
    ]


@record(repr=False)
class Checkpoint:
    """The rule of one call: the derivative of its graph, at arguments that everything is computed from anew."""

    name: str
    number: int
    opaque = False
    pull = None

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def batched(self, sizes: tuple[int, ...], axes: Sequence[tuple[int, ...]]) -> Checkpoint:
        """The same: it speaks of the graph, whatever axes that has."""
        return self

    def begin(
        self, inputs: Sequence[UOp], tangents: Sequence[Tangent], to_transpose: bool
    ) -> Callable[[UOp], tuple[UOp, Tangent]]:
        """Tangents of the graph inside; those that are not transposed are a checkpointed call themselves."""
        if to_transpose:
            again = Again.fresh()
            fresh = {x: marked(unmarked(x), again) if isinstance(x.arg, Mark) else x for x in inputs}
            push = Push({fresh[x]: t for x, t in zip(inputs, tangents, strict=True)}, to_transpose)

            def recomputed(node: UOp) -> tuple[UOp, Tangent]:
                return node, push(substitute(node.src[:1], fresh))[1][0]

            return recomputed
        rule = Checkpoint(f"jvp of {self.name}", fresh_id())
        along = [None if t is None else marked(t, Mark(rule)) for t in tangents]
        pushed = Push(dict(zip(inputs, along, strict=True)))

        def enclosed(node: UOp) -> tuple[UOp, Tangent]:
            (tangent,) = pushed(node.src[:1])[1]
            every = (*inputs, *(t for t in along if t is not None))
            return node, None if tangent is None else calls.custom(tangent, every, rule, node.arg[1])

        return enclosed
