"""jit: a function traced once per signature and kept as one compiled call."""

from __future__ import annotations

import functools
import pickle
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from functrans import tree
from functrans._locks import ForkLock
from functrans._recent import SIGNATURES, keep, recall
from functrans.backend.facts import Cost
from functrans.backend.launch import Launch, Record
from functrans.backend.pipeline import Program
from functrans.backend.signature import Structure, structure
from functrans.config import config
from functrans.errors import ArgumentError, DtypeError, ShapeError, at_user_line
from functrans.ops.enums import Ops
from functrans.ops.origin import recorded
from functrans.tensor.constants import is_traced
from functrans.tensor.core import Tensor
from functrans.tensor.lift import is_weak
from functrans.tensor.variable import Variable
from functrans.trace import (
    Traced,
    argument_names,
    as_array,
    call,
    check_bound,
    check_leaves,
    fits,
    hand_back,
    leaf_names,
    lies,
    name_of,
    spec_of,
    trace_function,
    tracing,
    wants_tensors,
)
from functrans.transforms import late
from functrans.transforms.out import check_apart, check_out, overlap
from functrans.transforms.static import exact, static_arguments
from functrans.transforms.transformed import Carried, own_name

if TYPE_CHECKING:
    from functrans.backend.schedule.kernels import Kernel
    from functrans.transforms.graph import Graph


class Lowered:
    """A function at one signature, scheduled but not compiled."""

    def __init__(self, traced: Traced, in_tree: tree.TreeDef, what: str, program: Program | None = None) -> None:
        self.traced, self.in_tree, self.what = traced, in_tree, what
        self.program = traced.program() if program is None else program

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its graph; the code is found or compiled where it arrives."""
        return _arrived, (type(self), self.traced, self.in_tree, self.what)

    @property
    def graph(self) -> Graph:
        """The traced graph."""
        return late.graph.Graph(self.traced, self.what)

    @property
    def kernels(self) -> list[Kernel]:
        """The kernels, in the order they run."""
        return self.program.kernels

    @property
    def phases(self) -> list[dict[str, list[Kernel]]]:
        """What runs at once: phase by phase, the kernels of each thread domain."""
        return self.program.phases

    @property
    def c_source(self) -> str:
        """The C text of the translation unit."""
        return self.program.c_source

    def cost(self) -> Cost:
        """Operations, bytes, kernels and memory of one call, counted from the schedule.

        >>> import numpy as np, functrans as ft
        >>> ft.jit(lambda x: np.sin(x).sum()).lower(np.zeros(100)).cost()
        Cost(flops=200, bytes_read=800, bytes_written=8, kernels=1, launches=1, temporaries=0, host_steps=0)
        """
        return self.program.cost()

    def to_html(self, path: str | PathLike[str] | None = None) -> str:
        """The page of the graph and its C, see `Graph.to_html`; written to ``path`` if that is given."""
        return self.graph.to_html(path)

    def compile(self) -> Compiled:
        """The compiled function, ready to be called at this signature."""
        self.program.compile()
        return Compiled(self.traced, self.in_tree, self.what, self.program)

    def __repr__(self) -> str:
        """The graph."""
        return repr(self.graph)

    def _repr_html_(self) -> str:
        """What a notebook shows: what a call costs, and kernels, graph and C, folded away. Nothing is compiled."""
        return self.graph.fragment(self.cost(), self.kernels, self.c_source)


class Compiled(Lowered):
    """A compiled function at one signature.

    Examples
    --------
    >>> import numpy as np, functrans as ft
    >>> ft.jit(np.sqrt).lower(ft.ShapeDtype((2,))).compile()(np.array([4.0, 9.0]))
    array([2., 3.])
    """

    _short: tuple[Record, Structure] | Literal[False] | None = None  # False: there is none

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run on arguments of the structure, shapes and dtypes it was made for; static ones are left out.

        Raises ArgumentError, ShapeError or DtypeError for others.
        """
        leaves, treedef = tree.flatten((args, kwargs))
        if treedef != self.in_tree:
            raise ArgumentError(
                f"{self.what} was compiled for (args, kwargs) of the structure {self.in_tree}, and is called with "
                f"{treedef}{at_user_line()}"
            )

        def roots() -> list[str]:
            return [f"args[{k}]" for k in range(len(args))]

        check_leaves(leaves, args, kwargs, self.what, roots)
        for k, (leaf, p) in enumerate(zip(leaves, self.traced.params, strict=True)):
            if p.op is Ops.DEFINE_VAR and not fits(leaf, p):
                name, (variable, low, high) = leaf_names(roots(), args, kwargs)[k], p.arg[:3]
                raise ArgumentError(
                    f"argument {name} of {self.what} was compiled for the variable {variable!r} from {low} to {high}, "
                    f"and is {leaf!r}{at_user_line()}"
                )
            if not fits(leaf, p):
                shape, dtype = spec_of(leaf)
                name = leaf_names(roots(), args, kwargs)[k]
                kind = ShapeError if shape != p.shape else DtypeError
                raise kind(
                    f"argument {name} of {self.what} was compiled for {p.dtype.name}{list(p.sized)}, and is "
                    f"{dtype.name}{list(shape)}{at_user_line()}"
                )
        return self.run(leaves, None)

    def give(self, launch: Launch, args: Any, kwargs: dict[str, Any], static: Static, leaves: Sequence[Any]) -> None:
        """Put the function among those that are called the short way, if it can be; for arguments as they are given."""
        if self._short is None:
            record, out_tree = self.program.short(), self.traced.out_tree
            call = (args, kwargs, *static)
            found = record and structure(call, self.in_tree, leaves, record.inputs, record.limits, out_tree)
            self._short = False if record is None or found is None else (record, found)
        if self._short:
            launch.add_structure(self, *self._short, self.traced.out_tree)

    def run(self, leaves: Sequence[Any], out: Any) -> Any:
        """Run on the leaves of the arguments."""
        arrays = [as_array(leaf) for leaf in leaves]
        if out is None:
            return hand_back(self.program(arrays), self.traced.out_tree, wants_tensors(leaves), self.program.layouts)
        targets, out_tree = tree.flatten(out)
        if out_tree != self.traced.out_tree:
            raise ArgumentError(f"out has the structure {out_tree}, the result {self.traced.out_tree}{at_user_line()}")
        paths = tree.paths(out, "out")
        for target, node, path in zip(targets, self.traced.outputs, paths, strict=True):
            check_out(target, node.sized, node.dtype.numpy, path)
        check_apart(targets, paths)
        if overlap(targets, arrays):
            for target, result in zip(targets, self.program(arrays), strict=True):
                target[...] = result
        else:
            self.program(arrays, targets)
        return out


def _arrived(kind: type[Lowered], traced: Traced, in_tree: tree.TreeDef, what: str) -> Lowered:
    return kind(traced, in_tree, what, traced.shared_program())


Static = tuple[frozenset[int], frozenset[str]]
_NONE_STATIC: Static = frozenset(), frozenset()


class Jitted:
    """A function that is traced once for each signature; made by `jit`."""

    def __init__(self, f: Callable[..., Any], nums: tuple[int, ...], names: tuple[str, ...]) -> None:
        functools.update_wrapper(self, f)
        self._f, self._nums, self._names = f, nums, names
        self._what = f"jit of {name_of(f)}"
        self._compiled: OrderedDict[_Key, Compiled] = OrderedDict()  # those that were used last
        self._arrays: OrderedDict[Hashable, Compiled] = OrderedDict()  # the same of arrays alone: found faster
        self._launch = Launch()  # those of them that need nothing but a call of compiled code
        self._lock = ForkLock()

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """Bind as a method of an instance."""
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self) -> str:
        n = len(self._compiled)
        return f"<{self._what}, {n} signature{'' if n == 1 else 's'} traced>"

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickled by its name, as functions are; what is under no name, as the function it was made of and the graphs
        it was traced to, or as these alone where the function is not pickled.
        """
        known = tuple((key, made) for key, made in self._compiled.items() if not key[-1])  # without debug_nans
        f = self._f
        if known:
            try:
                pickle.dumps(f)
            except (pickle.PicklingError, AttributeError, TypeError):
                f = Carried(name_of(f))
        return own_name(self) or (_jitted, (f, self._nums, self._names, known))

    def __call__(self, *args: Any, out: Any = None, **kwargs: Any) -> Any:
        """The value of the function; inside a trace it becomes part of that trace."""
        result = self._launch.call(args, out, kwargs)
        if result is not NotImplemented:
            return result
        if not kwargs and not tracing() and not config.debug_nans:
            kinds = tuple([(a.shape, a.dtype) if type(a) is np.ndarray else None for a in args])
            found = recall(self._arrays, kinds)
            if found is not None:
                found.give(self._launch, args, kwargs, _NONE_STATIC, args)
                return found.run(args, out)
        given = args, kwargs
        f, args, kwargs, static = self._split(args, kwargs)
        leaves, treedef = tree.flatten((args, kwargs))
        if not tracing():
            check_bound(leaves, self._what)
        if tracing() or any(isinstance(leaf, Tensor) and is_traced(leaf.uop) for leaf in leaves):
            if out is not None:
                raise ArgumentError(f"out= inside a trace{at_user_line()}: there is no memory to write yet")
            return call(f, args, kwargs, self._what, lambda: argument_names(f, args))
        compiled, known = self._get(f, args, kwargs, leaves, (treedef, static))
        result = compiled.run(leaves, out)
        if known and not config.debug_nans:
            compiled.give(self._launch, *given, self._static_of(*given), leaves)
        return result

    def lower(self, *args: Any, **kwargs: Any) -> Lowered:
        """Trace and schedule for these arguments (arrays or ShapeDtype), without running."""
        return self.lowered(args, kwargs)[0]

    def lowered(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Lowered, list[Any]]:
        """The same, and the leaves of the arguments that are not static."""
        f, args, kwargs, _ = self._split(args, kwargs)
        leaves, treedef = tree.flatten((args, kwargs))
        check_leaves(leaves, args, kwargs, self._what, lambda: argument_names(f, args), spec=True)
        return Lowered(trace_function(f, leaves, treedef, self._what), treedef, self._what), leaves

    def _get(
        self, f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], leaves: list[Any], rest: Any
    ) -> tuple[Compiled, bool]:
        """What runs these arguments, and whether it was there."""
        key = (rest, tuple(map(_signature, leaves)), config.debug_nans)  # whose graphs know their lines
        found = recall(self._compiled, key)
        known = found is not None
        if found is None:
            check_leaves(leaves, args, kwargs, self._what, lambda: argument_names(f, args))
            with self._lock:
                found = self._compiled.get(key)
                if found is None:
                    traced = trace_function(f, leaves, rest[0], self._what)
                    made = Compiled(traced, rest[0], self._what)
                    found = keep(self._compiled, key, made, SIGNATURES)
        if not kwargs and not rest[1] and not config.debug_nans and all(type(a) is np.ndarray for a in args):
            keep(self._arrays, tuple((a.shape, a.dtype) for a in args), found, SIGNATURES)
        return found, known

    def _hashed(self, place: int | str, value: Any, args: tuple[Any, ...]) -> Hashable:
        """What a static argument is found by; ArgumentError, with its name, where it cannot be."""
        try:
            key = exact(value)
            hash(key)
        except TypeError:
            name = argument_names(self._f, args)[place] if isinstance(place, int) else place
            raise ArgumentError(
                f"the static argument {name} of {self._what} is {value!r} of type {type(value).__name__}, which is not "
                f"hashable{at_user_line()}; give a tuple for a list or dict, or pass an array as an argument that is "
                "not static"
            ) from None
        return key

    def _static_of(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Static:
        """The places and the names of the static arguments of a call."""
        nums = frozenset(k % len(args) for k in self._nums if -len(args) <= k < len(args))
        return nums, frozenset(k for k in kwargs if k in self._names)

    def _split(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any], Hashable]:
        """The function of the traced arguments alone, those arguments, and the key of the static ones."""
        if not self._nums and not self._names:
            return self._f, args, kwargs, ()
        fixed = {k: args[k] for k in sorted(self._static_of(args, kwargs)[0])}
        named = {k: v for k, v in sorted(kwargs.items()) if k in self._names}
        given: list[tuple[int | str, Any]] = [*fixed.items(), *named.items()]
        static = tuple((k, self._hashed(k, v, args)) for k, v in given)

        def rest(*targs: Any, **tkwargs: Any) -> Any:
            given = iter(targs)
            full = [fixed[k] if k in fixed else next(given) for k in range(len(args))]
            return self._f(*full, **tkwargs, **named)

        free = tuple(a for k, a in enumerate(args) if k not in fixed)
        return rest, free, {k: v for k, v in kwargs.items() if k not in named}, static


_Key = tuple[Hashable, tuple[Any, ...], bool]  # the structure with static arguments, the leaves, debug_nans
Known = tuple[tuple[_Key, Compiled], ...]


def _jitted(f: Any, nums: tuple[int, ...], names: tuple[str, ...], known: Known) -> Jitted:
    made = Jitted(f, nums, names)
    made._compiled.update(known)
    return made


def _signature(leaf: Any) -> Any:
    kind = type(leaf)
    if kind is Variable:
        return tuple(leaf.definition.arg[:3])
    if kind is np.ndarray or isinstance(leaf, np.generic):
        return leaf.shape, leaf.dtype
    if kind is Tensor:
        at = lies(leaf)
        return (leaf.shape, leaf.dtype) if at is None else (leaf.shape, leaf.dtype, at)
    if is_weak(leaf):
        return kind
    return kind, getattr(leaf, "shape", None), getattr(leaf, "dtype", None)


def jit(
    f: Callable[..., Any], *, static_argnums: int | Iterable[int] = (), static_argnames: str | Iterable[str] = ()
) -> Jitted:
    """Compile a function: traced once per signature, then one call into machine code.

    A signature is the structure of the arguments with shapes and dtypes, and the values of static arguments, which
    must be hashable and are static however they are passed, by position or by name. What f closes over is frozen at
    the first call of a signature. ``out=`` takes an array, or a pytree of them, that the result is written into and
    that is returned. ``.lower(*args)`` gives the graph, the kernels and the C. Inside another trace f is inlined.

    Raises ArgumentError for arguments that are no arrays and for static ones that f does not have; ShapeError,
    DtypeError, ArgumentError for a bad ``out``.

    >>> import numpy as np, functrans as ft
    >>> f = ft.jit(lambda x: np.sin(x).sum())
    >>> f(np.zeros(3))
    np.float64(0.0)

    Source: semantics of ``jax.jit``.
    """
    if not callable(f):
        raise ArgumentError(f"jit compiles a function, but got {f!r} of type {type(f).__name__}{at_user_line()}")
    return Jitted(f, *static_arguments(f, static_argnums, static_argnames))


def make_graph(f: Callable[..., Any]) -> Callable[..., Graph]:
    """The traced graph of a function: ``make_graph(f)(*args)`` prints as one node a line.

    Its ``ops()`` counts the nodes, its ``to_html(path)`` is a page with the graph after every pass beside the C.
    Nothing is compiled. Linear in the graph; each node knows the line of yours that made it.

    >>> import numpy as np, functrans as ft
    >>> ft.make_graph(np.sin)(np.zeros(3)).ops()
    {'PARAM': 1, 'SIN': 1}
    """
    jitted = jit(f)

    def graph(*args: Any, **kwargs: Any) -> Graph:
        with recorded():
            return jitted.lower(*args, **kwargs).graph

    return graph
