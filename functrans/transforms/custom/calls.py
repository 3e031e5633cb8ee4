"""What calls with a rule of their own have in common: arguments, the graph of the call, and what a rule returns."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from functrans import dtypes, tree
from functrans.errors import ArgumentError, DtypeError, ShapeError, at_user_line
from functrans.ops import build as B
from functrans.ops.custom import Mark, marked, unmarked
from functrans.ops.enums import Ops
from functrans.ops.uop import Shape, UOp
from functrans.tensor.constants import is_traced, known
from functrans.tensor.core import Tensor
from functrans.tensor.lift import constant_of, is_weak
from functrans.trace import results

Spec = tuple[Shape, dtypes.DType]
Tangent = UOp | None


@dataclass(frozen=True, eq=False)
class Fixed:
    """An argument that is no array, or is not differentiated by: the same where it is the same object."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fixed) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


@dataclass(frozen=True)
class Arguments:
    """How the arguments of one call are put together: the fixed ones at their places, and the tree of the others."""

    fixed: tuple[tuple[int, Fixed], ...]
    treedef: tree.TreeDef

    @property
    def statics(self) -> list[Any]:
        """The fixed arguments, in order."""
        return [f.value for _, f in self.fixed]

    def full(self, varying: Iterable[Any]) -> list[Any]:
        """All arguments, in order."""
        args = list(varying)
        for k, f in self.fixed:
            args.insert(k, f.value)
        return args

    def trees(self, leaves: Sequence[UOp]) -> tuple[Any, ...]:
        """The varying arguments as Tensors."""
        return tuple(self.treedef.unflatten(map(Tensor.from_uop, leaves)))


def positional(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], what: str) -> tuple[Any, ...]:
    """The arguments by position, defaults filled in; ArgumentError for one that is given by keyword alone."""
    try:
        bound = inspect.signature(f).bind(*args, **kwargs)
    except ValueError:  # a function that does not tell its signature
        if kwargs:
            raise ArgumentError(
                f"{what} takes no keyword arguments, but got {sorted(kwargs)}{at_user_line()}"
            ) from None
        return args
    except TypeError as error:
        raise ArgumentError(f"{what}: {error}{at_user_line()}") from None
    bound.apply_defaults()
    if bound.kwargs:
        raise ArgumentError(
            f"{what}: the keyword-only arguments {sorted(bound.kwargs)} cannot be given to its rule, which goes by "
            f"position{at_user_line()}; bind them with functools.partial"
        )
    return bound.args


def split(args: tuple[Any, ...], fixed: Sequence[int], what: str) -> tuple[Arguments, tuple[Any, ...]]:
    """The arguments at the positions ``fixed`` put aside."""
    if any(not -len(args) <= k < len(args) for k in fixed):
        raise ArgumentError(
            f"nondiff_argnums={tuple(fixed)} of {what}, which got {len(args)} arguments{at_user_line()}"
        )
    apart = sorted({k % len(args) for k in fixed})
    varying = tuple(a for k, a in enumerate(args) if k not in apart)
    return Arguments(tuple((k, Fixed(args[k])) for k in apart), tree.flatten(varying)[1]), varying


def enclosed(
    f: Callable[..., Any], arguments: Arguments, nodes: Sequence[UOp], rule: Any, what: str
) -> tuple[list[UOp], list[UOp], tree.TreeDef]:
    """The results of f at marked nodes, those nodes, and the structure of the results.

    A constant stays what it is: no function can close over it in a way that matters.
    """
    inputs = [marked(x, Mark(rule)) if is_traced(x) else x for x in nodes]
    outputs, out_tree = results(f(*arguments.full(arguments.trees(inputs))), what)
    return outputs, inputs, out_tree


def custom(value: UOp, inputs: Sequence[UOp], rule: Any, k: int) -> UOp:
    """Result k of a call."""
    return UOp(Ops.CUSTOM_RULE, value.dtype, (value, *inputs), (rule, k))


def primals(inputs: Sequence[UOp]) -> list[UOp]:
    """The arguments of a call without their marks."""
    return list(map(unmarked, inputs))


def pair(given: Any, what: str, parts: str) -> tuple[Any, Any]:
    """The two parts of what a rule returned."""
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise ArgumentError(f"{what} must produce a pair (list or tuple of length two): {parts}, but got {given!r}"
                            f"{at_user_line()}")  # fmt: skip
    return given[0], given[1]


def like_result(given: Any, out_tree: tree.TreeDef, specs: Sequence[Spec], what: str) -> list[UOp]:
    """The nodes of a result that a rule gives in the place of the function's own."""
    leaves = _leaves(given, out_tree, what, "result")
    if None in leaves:
        raise ArgumentError(f"{what} must produce a result without None{at_user_line()}, which stands for no array")
    return [x for x in fitted(leaves, specs, paths(out_tree, "the result"), what) if x is not None]


def like_tangent(given: Any, out_tree: tree.TreeDef, specs: Sequence[Spec], what: str) -> list[Tangent]:
    """The tangents of a result; what is given for ints and bools is left out."""
    leaves = _leaves(given, out_tree, what, "tangent")
    varying = [x if dtypes.is_inexact(d) else None for x, (_, d) in zip(leaves, specs, strict=True)]
    return [as_zero(t) for t in fitted(varying, specs, paths(out_tree, "the tangent"), what)]


def _leaves(given: Any, out_tree: tree.TreeDef, what: str, part: str) -> list[Any]:
    leaves = tree.flatten_like(given, out_tree)
    if leaves is None:
        raise ArgumentError(
            f"{what} must produce a {part} of the structure {out_tree}, which the function returns, but it has "
            f"{tree.flatten(given)[1]}{at_user_line()}"
        )
    return leaves


def paths(treedef: tree.TreeDef, root: str) -> list[str]:
    """The names of the leaves of a tree."""
    return tree.paths(treedef.unflatten(range(treedef.num_leaves)), root)


def fitted(leaves: Sequence[Any], specs: Sequence[Spec], paths: Sequence[str], what: str) -> list[Tangent]:
    """Leaves as nodes of the shapes and dtypes wanted; None is zero and stays None.

    Raises ShapeError and DtypeError, naming the leaf. A Python number takes the dtype that is wanted.
    """
    found: list[Tangent] = []
    for leaf, (shape, dtype), path in zip(leaves, specs, paths, strict=True):
        if leaf is None:
            found.append(None)
            continue
        (node,), _ = results(leaf, what)
        if is_weak(leaf):
            node = constant_of(leaf, dtype) if dtypes.is_inexact(dtype) or node.dtype.kind in "bi" else node
        for kind, got, wanted in ((ShapeError, node.shape, shape), (DtypeError, node.dtype.name, dtype.name)):
            if got != wanted:
                name = "shape" if kind is ShapeError else "dtype"
                raise kind(f"{what}: {path} must have {name} {wanted}, but has {got}{at_user_line()}")
        found.append(node)
    return found


def as_tangent(x: UOp, tangent: Tangent) -> UOp:
    """A tangent or cotangent as the user's rule sees it: an array, float zeros for ints and bools."""
    dtype = x.dtype if dtypes.is_inexact(x.dtype) else dtypes.float64
    return B.full(x.sized, dtype, 0) if tangent is None else tangent


def as_zero(tangent: Tangent) -> Tangent:
    """None for an array of zeros that shows."""
    if tangent is None or B.const_value(tangent) == 0:
        return None
    value = None if is_traced(tangent) else known(tangent)
    return tangent if value is None or value.any() else None
