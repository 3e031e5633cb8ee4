"""What calls with a rule of their own have in common: arguments, the graph of the call, and what a rule returns."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from functrans import dtypes, tree
from functrans._records import record, replace
from functrans.errors import ArgumentError, DtypeError, ShapeError, at_user_line
from functrans.ops import build as B
from functrans.ops.custom import Mark, marked, unmarked
from functrans.ops.enums import Ops
from functrans.ops.source import param
from functrans.ops.uop import Shape, UOp, substitute, toposort
from functrans.ops.weak import is_weak_node
from functrans.tensor.constants import is_traced, known
from functrans.tensor.core import Tensor
from functrans.tensor.lift import constant_of, is_weak
from functrans.trace import argument_names, call, claim, name_of, results
from functrans.transforms.custom.lanes import Lanes
from functrans.transforms.custom.zeros import SymbolicZero
from functrans.transforms.dependents import dependents
from functrans.transforms.static import positions

Spec = tuple[Shape, dtypes.DType]
Tangent = UOp | None
Given = TypeVar("Given", UOp, UOp | SymbolicZero)
Owner = TypeVar("Owner", bound="Custom")


@record(eq=False)
class Fixed:
    """An argument that is no array, or is not differentiated by: the same where it is the same object."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fixed) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


@record
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

    def trees(self, leaves: Sequence[UOp | SymbolicZero]) -> tuple[Any, ...]:
        """The varying arguments as Tensors."""
        return tuple(self.treedef.unflatten(x if isinstance(x, SymbolicZero) else Tensor.from_uop(x) for x in leaves))


class Custom:
    """A function with a rule of its own."""

    def __init__(
        self,
        fun: Callable[..., Any],
        nondiff_argnums: int | Sequence[int] = (),
        nondiff_argnames: str | Sequence[str] = (),
    ) -> None:
        kind = type(self).__name__
        if not callable(fun):
            raise ArgumentError(f"{kind} decorates a function, but got {fun!r}{at_user_line()}")
        functools.update_wrapper(self, fun)
        self.fun, self.nondiff_argnums = fun, fixed_places(fun, nondiff_argnums, nondiff_argnames)
        self.symbolic_zeros = False
        self.what = f"the {kind} function {name_of(fun)}"

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """Bind as a method of an instance, which is one of the arguments."""
        return self if instance is None else functools.partial(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The value of the function."""
        raise NotImplementedError

    def _call(self, kind: type[Rule[Any]], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The value of the function; its results name the rule."""
        given = positional(self.fun, args, kwargs, self.what)
        arguments, varying = split(given, self.nondiff_argnums, self.what)

        def body(*targs: Any) -> Any:
            nodes = [t.uop for t in tree.flatten(targs)[0]]
            rule = kind(self, arguments, tuple(map(is_weak_node, nodes)))
            outputs, inputs, out_tree = enclosed(self.fun, arguments, nodes, rule, self.what)
            rule = replace(rule, out_tree=out_tree, specs=tuple((u.sized, u.dtype) for u in outputs))
            made = [custom(u, inputs, rule, k) for k, u in enumerate(outputs)]
            return out_tree.unflatten(map(Tensor.from_uop, made))

        return call(body, varying, {}, self.what, lambda: argument_names(self.fun, varying))


@record(repr=False)
class Rule(Generic[Owner]):
    """The rule for calls of one function with arguments of one structure."""

    owner: Owner
    arguments: Arguments
    weak: tuple[bool, ...]  # which arguments are Python numbers
    out_tree: tree.TreeDef = tree.LEAF
    specs: tuple[Spec, ...] = ()

    opaque = True
    pull = None

    def __repr__(self) -> str:
        return f"<{self.name}>"

    @property
    def name(self) -> str:
        """What the function is, for messages."""
        return self.owner.what

    def begin(
        self, inputs: Sequence[UOp], tangents: Sequence[Tangent], to_transpose: bool
    ) -> Callable[[UOp], tuple[UOp, Tangent]]:
        """Values and tangents by the user's rule, for each node of the call."""
        raise NotImplementedError

    def batched(self, sizes: tuple[int, ...], axes: Sequence[tuple[int, ...]]) -> Lanes:
        """The rule of one lane, for many."""
        return Lanes(self, sizes, tuple(axes))


def positional(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], what: str) -> tuple[Any, ...]:
    """The arguments by position, defaults filled in; ArgumentError for one that can be given by keyword alone.

    What functools.partial bound is no argument, and its defaults are not filled in: the rule is one of what is left.
    """
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
    if not isinstance(f, functools.partial):
        bound.apply_defaults()
    if given := sorted(kwargs.keys() & bound.kwargs.keys()):
        raise ArgumentError(
            f"{what}: the keyword-only arguments {given} cannot be given to its rule, which goes by "
            f"position{at_user_line()}; bind them with functools.partial"
        )
    return bound.args


def fixed_places(f: Callable[..., Any], argnums: int | Sequence[int], argnames: str | Sequence[str]) -> tuple[int, ...]:
    """The positions of the arguments that a rule does not differentiate by, given by position or by name.

    Raises ArgumentError for a name that is none of f's positional arguments, and where f does not tell its names.
    """
    nums = positions(argnums, "nondiff_argnums")
    nums = (nums,) if isinstance(nums, int) else nums
    names = (argnames,) if isinstance(argnames, str) else tuple(argnames)
    if not names:
        return nums
    try:
        known = inspect.signature(f).parameters.values()
    except ValueError:  # a function that does not tell its signature
        known = ()  # type: ignore[assignment]
    places = {p.name: k for k, p in enumerate(known) if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)}
    if wrong := [n for n in names if n not in places]:
        raise ArgumentError(
            f"nondiff_argnames={names}, but {wrong} are none of the positional arguments {list(places)} of "
            f"{name_of(f)}{at_user_line()}"
        )
    return tuple(dict.fromkeys((*nums, *(places[n] for n in names))))


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


def as_functions(roots: Sequence[Tangent], holes: Iterable[UOp], stops: set[UOp]) -> list[Tangent]:
    """The graphs with the calls on what depends on ``holes`` taken as their functions, whatever their rules say.

    Where a graph is to be transposed a rule has nothing to say: a linear function is its own derivative, and a rule
    that calls its function on a tangent would go on for ever. Calls on other values, coefficients, keep their rules.
    """
    order = toposort([r for r in roots if r is not None], enter=lambda u: u not in stops)
    late = dependents(order, holes)
    new: dict[UOp, UOp] = {}
    for u in order:
        if u not in late:
            new[u] = u
        elif u.op is Ops.CUSTOM_RULE and u.arg[0].opaque and u.arg[0].pull is None:
            new[u] = new[u.src[0]]
        else:
            new[u] = u.replace(tuple(new[s] for s in u.src))
    return [None if r is None else new[r] for r in roots]


def giving_way(nodes: Sequence[Given], weak: Sequence[bool], holes: dict[UOp, UOp]) -> list[Given]:
    """What a rule sees of nodes: of those that stand for Python numbers placeholders, whose dtype gives way as it does
    in the function itself. They are added to ``holes``, with the nodes that they stand for.
    """
    found: list[Given] = []
    for x, is_weak_one in zip(nodes, weak, strict=True):
        if is_weak_one and isinstance(x, UOp):
            hole = claim(param((), x.dtype, weak=True))
            holes[hole] = x
            found.append(hole)
        else:
            found.append(x)
    return found


def put_back(found: Sequence[Tangent], holes: Mapping[UOp, UOp], given: Iterable[Any]) -> list[Tangent]:
    """What a rule gave, with placeholders replaced by what they stand for; seen as far as the nodes it was given."""
    if not holes:
        return list(found)
    stops = {x: x for x in given if isinstance(x, UOp)}
    made = iter(substitute([x for x in found if x is not None], stops | dict(holes)))
    return [None if x is None else next(made) for x in found]


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
    if any(x is None or isinstance(x, SymbolicZero) for x in leaves):
        raise ArgumentError(f"{what} must produce a result of arrays{at_user_line()}, which None and zeros are not")
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
    """Leaves as nodes of the shapes and dtypes wanted; None and SymbolicZero are zero, and None afterwards.

    Raises ShapeError and DtypeError, naming the leaf. A Python number takes the dtype that is wanted.
    """
    found: list[Tangent] = []
    for leaf, (shape, dtype), path in zip(leaves, specs, paths, strict=True):
        if isinstance(leaf, SymbolicZero) and leaf.shape != shape:
            raise ShapeError(f"{what}: {path} must have shape {shape}, but is {leaf}{at_user_line()}")
        if leaf is None or isinstance(leaf, SymbolicZero):
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


def no_tangent(x: UOp) -> UOp:
    """A tangent of zero as the user's rule sees it: an array, float zeros for ints and bools."""
    return B.full(x.sized, x.dtype if dtypes.is_inexact(x.dtype) else dtypes.float64, 0)


def as_zero(tangent: Tangent) -> Tangent:
    """None for an array of zeros that shows."""
    if tangent is None or B.const_value(tangent) == 0:
        return None
    value = None if is_traced(tangent) else known(tangent)
    return tangent if value is None or value.any() else None
