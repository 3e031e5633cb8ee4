"""What the bodies of loops have in common: placeholders for carries, and carries that keep their shapes and dtypes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from functrans import dtypes, tree
from functrans.errors import ArgumentError, DtypeError, ShapeError, at_user_line
from functrans.ops import build as B
from functrans.ops.source import param
from functrans.ops.uop import UOp
from functrans.ops.weak import is_weak_node
from functrans.tensor.core import Tensor
from functrans.tensor.lift import constant_of, is_weak, lift
from functrans.trace import claim, name_of, results, trace


class Carry(NamedTuple):
    """Values that go around: nodes, their structure, and which of them are Python numbers, whose dtype gives way."""

    nodes: list[UOp]
    treedef: tree.TreeDef
    weak: list[bool]

    def names(self, root: str) -> list[str]:
        """A name for each leaf."""
        return tree.paths(self.treedef.unflatten(range(self.treedef.num_leaves)), root)


def numbers(init: Any) -> list[bool]:
    """Which leaves are Python numbers."""
    return [is_weak(x) for x in tree.leaves(init)]


def carry_of(init: Any, weak: Sequence[bool]) -> Carry:
    """The carry that a loop begins with."""
    leaves, treedef = tree.flatten(init)
    nodes = [lift(x) for x in leaves]
    return Carry(nodes, treedef, [w or is_weak_node(u) for w, u in zip(weak, nodes, strict=True)])


def function_of(f: Any, what: str) -> None:
    """ArgumentError where f is no function."""
    if not callable(f):
        raise ArgumentError(f"{what} is {f!r} of type {type(f).__name__}; expected a function{at_user_line()}")


def traced_body(
    f: Callable[[Any], Any], carry: Carry, what: str
) -> tuple[Carry, list[UOp], list[UOp], tree.TreeDef | None, list[UOp]]:
    """A body run once on placeholders: the carry to begin with, those placeholders, what the body makes of them, the
    structure of what it gives besides, and that.

    ``f`` takes the carry and gives the next one and something else, None for nothing. A Python number in the carry
    takes the dtype that the body gives it. Raises ArgumentError, ShapeError and DtypeError for a carry that changes.
    """
    while True:
        holes = [claim(param(x.sized, x.dtype, weak=w)) for x, w in zip(carry.nodes, carry.weak, strict=True)]
        with trace(what):
            value, extra = f(carry.treedef.unflatten(map(Tensor.from_uop, holes)))
            made = _like(value, carry, what)
            others, other_tree = results(extra, what)
        wider = [
            made[k].dtype if w and made[k].dtype != x.dtype and not is_weak_node(made[k]) else x.dtype
            for k, (x, w) in enumerate(zip(carry.nodes, carry.weak, strict=True))
        ]  # fmt: skip
        if wider == [x.dtype for x in carry.nodes]:
            return carry, holes, _checked(made, carry, what), other_tree, others
        nodes = [_wider(x, d) for x, d in zip(carry.nodes, wider, strict=True)]
        weak = [w and x is y for w, x, y in zip(carry.weak, carry.nodes, nodes, strict=True)]
        carry = Carry(nodes, carry.treedef, weak)


def _wider(x: UOp, dtype: dtypes.DType) -> UOp:
    return x if x.dtype == dtype else B.cast(x, dtype)


def _like(value: Any, carry: Carry, what: str) -> list[UOp]:
    """The nodes of the next carry; a number takes the dtype of what it is put for."""
    leaves = tree.flatten_like(value, carry.treedef)
    if leaves is None:
        raise ArgumentError(
            f"the carry of {what} has the structure {carry.treedef}, but its body gives back "
            f"{tree.flatten(value)[1]}{at_user_line()}; return the carry as it came, with new values"
        )
    made = []
    for leaf, x in zip(leaves, carry.nodes, strict=True):
        (node,), _ = results(leaf, what)
        fits = is_weak(leaf) and (dtypes.is_inexact(x.dtype) >= isinstance(leaf, (float, complex)))
        made.append(constant_of(leaf, x.dtype) if fits and x.dtype.kind != "b" else node)
    return made


def _checked(made: Sequence[UOp], carry: Carry, what: str) -> list[UOp]:
    found = []
    for new, old, weak, name in zip(made, carry.nodes, carry.weak, carry.names("carry"), strict=True):
        if new.shape != old.shape:
            raise ShapeError(
                f"{name} of {what} has shape {old.shape}, but its body makes it {new.shape}{at_user_line()}; a carry "
                "keeps its shape from round to round"
            )
        if new.dtype != old.dtype and not (is_weak_node(new) and weak):
            raise DtypeError(
                f"{name} of {what} has dtype {old.dtype.name}, but its body makes it {new.dtype.name}"
                f"{at_user_line()}; a carry keeps its dtype: convert one of the two, as in "
                f"x.astype('{new.dtype.name}')"
            )
        found.append(new if new.dtype == old.dtype else B.cast(new, old.dtype))
    return found


def named(f: Any, kind: str) -> str:
    """What a loop is called in messages."""
    return f"{kind} of {name_of(f)}"
