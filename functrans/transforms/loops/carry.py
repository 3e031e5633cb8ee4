"""What the bodies of loops have in common: placeholders for carries, and carries that keep their shapes and dtypes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from functrans import dtypes, tree
from functrans.errors import ArgumentError, DtypeError, ShapeError, at_user_line
from functrans.ops import build as B
from functrans.ops.enums import Ops
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
    """Which leaves are Python numbers; a bool is none."""
    return [is_number(x) for x in tree.leaves(init)]


def is_number(x: Any) -> bool:
    """Whether x is a Python number, or a value computed from such alone: its dtype gives way, as that of no bool."""
    if isinstance(x, Tensor):
        return x.uop.dtype != dtypes.bool_ and is_weak_node(x.uop)
    return is_weak(x) and not isinstance(x, bool)


def carry_of(init: Any, weak: Sequence[bool]) -> Carry:
    """The carry that a loop begins with; ``weak`` says which of its leaves were Python numbers."""
    leaves, treedef = tree.flatten(init)
    return Carry([lift(x) for x in leaves], treedef, [w or is_number(x) for w, x in zip(weak, leaves, strict=True)])


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
            leaves = _like(value, carry, what)
            made = [_put(leaf, x.dtype, what) for leaf, x in zip(leaves, carry.nodes, strict=True)]
            others, other_tree = results(extra, what)
        weak = [w and is_number(leaf) for w, leaf in zip(carry.weak, leaves, strict=True)]
        wider = [
            _wider(x.dtype, m.dtype, also_weak) if was_weak else x.dtype
            for x, m, was_weak, also_weak in zip(carry.nodes, made, carry.weak, weak, strict=True)
        ]
        if wider == [x.dtype for x in carry.nodes]:
            return carry, holes, _checked(made, carry, weak, what), other_tree, others
        nodes = [cast(x, d) for x, d in zip(carry.nodes, wider, strict=True)]
        kept = [w and (x is y or v) for w, v, x, y in zip(carry.weak, weak, carry.nodes, nodes, strict=True)]
        carry = Carry(nodes, carry.treedef, kept)


def _wider(old: dtypes.DType, new: dtypes.DType, weak: bool) -> dtypes.DType:
    """The dtype of a Python number that meets what the body makes of it, which may be a Python number too."""
    if "b" in (old.kind, new.kind):
        return old
    given = old.numpy if weak else {"i": 0, "f": 0.0, "c": 0j}[old.kind]
    return dtypes.from_numpy(np.result_type(given, new.numpy))


def cast(x: UOp, dtype: dtypes.DType) -> UOp:
    """A value in another dtype; IntegerOutOfRange for a number that does not fit."""
    return B.cast(x, dtype) if x.op is not Ops.CONST else constant_of(B.const_value(x), dtype)  # type: ignore[arg-type]


def _like(value: Any, carry: Carry, what: str) -> list[Any]:
    """The leaves of the next carry."""
    leaves = tree.flatten_like(value, carry.treedef)
    if leaves is None or any(leaf is None for leaf in leaves):
        raise ArgumentError(
            f"the carry of {what} has the structure {carry.treedef}, but its body gives back "
            f"{tree.flatten(value)[1]}{at_user_line()}; return the carry as it came, with new values"
        )
    return leaves


def _put(leaf: Any, dtype: dtypes.DType, what: str) -> UOp:
    """The node of a leaf; a Python number takes the dtype of what it is put for, where that holds such numbers."""
    (node,), _ = results(leaf, what)
    fits = is_number(leaf) and not isinstance(leaf, Tensor) and kind_order(node.dtype) <= kind_order(dtype)
    return constant_of(leaf, dtype) if fits else node


def kind_order(dtype: dtypes.DType) -> int:
    """Bools, integers, floats, complex numbers."""
    return "biufc".index(dtype.kind) if dtype.kind != "u" else 1


def _checked(made: Sequence[UOp], carry: Carry, weak: Sequence[bool], what: str) -> list[UOp]:
    found = []
    for new, old, gives_way, name in zip(made, carry.nodes, weak, carry.names("carry"), strict=True):
        if new.shape != old.shape:
            raise ShapeError(
                f"{name} of {what} has shape {old.shape}, but its body makes it {new.shape}{at_user_line()}; a carry "
                "keeps its shape from round to round"
            )
        if new.dtype != old.dtype and not gives_way:
            raise DtypeError(
                f"{name} of {what} has dtype {old.dtype.name}, but its body makes it {new.dtype.name}"
                f"{at_user_line()}; a carry keeps its dtype: convert one of the two, as in "
                f"x.astype('{new.dtype.name}')"
            )
        found.append(B.cast(new, old.dtype))
    return found


def named(f: Any, kind: str) -> str:
    """What a loop is called in messages."""
    return f"{kind} of {name_of(f)}"
