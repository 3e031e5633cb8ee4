"""jit: a function traced once per signature and kept as one compiled call."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from functrans import tree
from functrans.backend.pipeline import Program, program
from functrans.backend.schedule import Kernel
from functrans.errors import ArgumentError, DtypeError, ShapeError, at_user_line
from functrans.ops.printer import to_text
from functrans.tensor.constants import is_traced
from functrans.tensor.core import Tensor
from functrans.trace import Array, Traced, as_array, check_leaf, hand_back, name_of, spec_of, trace_function, tracing


class Graph:
    """The traced graph of a function."""

    def __init__(self, traced: Traced) -> None:
        self._traced = traced

    def __repr__(self) -> str:
        """One node a line."""
        return to_text(*self._traced.outputs)

    def ops(self) -> dict[str, int]:
        """How many nodes there are of each op."""
        counts: dict[str, int] = {}
        for line in to_text(*self._traced.outputs).splitlines():
            if "UOp(Ops." in line:
                name = line.split("UOp(Ops.", 1)[1].split(",", 1)[0]
                counts[name] = counts.get(name, 0) + 1
        return counts


class Lowered:
    """A function at one signature, scheduled but not compiled."""

    def __init__(self, traced: Traced) -> None:
        self._traced = traced
        self._program: Program = program(traced.outputs, traced.params)

    @property
    def graph(self) -> Graph:
        """The traced graph."""
        return Graph(self._traced)

    @property
    def kernels(self) -> list[Kernel]:
        """The kernels, in the order they run."""
        return self._program.kernels

    @property
    def c_source(self) -> str:
        """The C text of the translation unit."""
        return self._program.c_source

    def compile(self) -> Compiled:
        """The compiled function, ready to be called at this signature."""
        self._program.compile()
        return Compiled(self._traced, self._program)


class Compiled:
    """A compiled function at one signature."""

    def __init__(self, traced: Traced, made: Program) -> None:
        self.traced, self.program = traced, made

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run on arguments of the shapes and dtypes it was made for."""
        leaves, _ = tree.flatten((args, kwargs))
        for leaf, p in zip(leaves, self.traced.params, strict=True):
            if spec_of(leaf) != (p.shape, p.dtype):
                raise ShapeError(
                    f"compiled for {p.dtype.name}{list(p.sized)}, called with {spec_of(leaf)[1].name}"
                    f"{list(spec_of(leaf)[0])}{at_user_line()}"
                )
        return self.run(leaves, None)

    def run(self, leaves: Sequence[Any], out: Any) -> Any:
        """Run on the leaves of the arguments."""
        arrays = [as_array(leaf) for leaf in leaves]
        if out is None:
            as_tensors = any(isinstance(leaf, Tensor) for leaf in leaves)
            return hand_back(self.program(arrays), self.traced.out_tree, as_tensors)
        targets, out_tree = tree.flatten(out)
        if out_tree != self.traced.out_tree:
            raise ArgumentError(f"out has the structure {out_tree}, the result {self.traced.out_tree}{at_user_line()}")
        for target, node, path in zip(targets, self.traced.outputs, tree.paths(out, "out"), strict=True):
            check_out(target, node.sized, node.dtype.numpy, path)
        self.program([_apart(a, targets) for a in arrays], targets)
        return out


def _apart(array: Array, targets: Sequence[Array]) -> Array:
    """The argument, copied where a result will be written over it."""
    return array.copy() if any(np.may_share_memory(array, t) for t in targets) else array


def check_out(target: Any, shape: tuple[int, ...], dtype: np.dtype[Any], path: str) -> None:
    """Raise where a result cannot be written into an array that the caller gave."""
    if not isinstance(target, np.ndarray):
        raise ArgumentError(f"{path} is a {type(target).__name__}; expected a NumPy array to write into{at_user_line()}")
    if target.shape != shape:
        raise ShapeError(f"{path} has shape {target.shape}, the result {shape}{at_user_line()}")
    if target.dtype != dtype:
        raise DtypeError(f"{path} has dtype {target.dtype}, the result {dtype}{at_user_line()}")
    if not target.flags.writeable:
        raise ReadOnlyError(f"{path} is read-only; give an array that may be written{at_user_line()}")


class ReadOnlyError(ArgumentError, ValueError):
    """An array given as ``out`` may not be written; a copy of it may."""


class Jitted:
    """A function that is traced once for each signature; see :func:`jit`."""

    def __init__(self, f: Callable[..., Any], static_argnums: tuple[int, ...], static_argnames: tuple[str, ...]) -> None:
        functools.update_wrapper(self, f)
        self._f, self._nums, self._names = f, static_argnums, static_argnames
        self._compiled: dict[Hashable, Compiled] = {}
        self._lock = threading.Lock()

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """Bind as a method of an instance."""
        return self if instance is None else functools.partial(self, instance)

    def __call__(self, *args: Any, out: Any = None, **kwargs: Any) -> Any:
        """The value of the function; inside a trace it becomes part of that trace."""
        f, args, kwargs, static = self._split(args, kwargs)
        leaves, treedef = tree.flatten((args, kwargs))
        if tracing() or any(isinstance(leaf, Tensor) and is_traced(leaf.uop) for leaf in leaves):
            if out is not None:
                raise ArgumentError(f"out= inside a trace: there is no memory to write yet{at_user_line()}")
            return f(*args, **kwargs)
        return self._get(f, leaves, treedef, static).run(leaves, out)

    def lower(self, *args: Any, **kwargs: Any) -> Lowered:
        """Trace and schedule for these arguments (arrays or ShapeDtype), without running."""
        f, args, kwargs, _ = self._split(args, kwargs)
        leaves, treedef = tree.flatten((args, kwargs))
        self._check(leaves, args, kwargs)
        return Lowered(trace_function(f, leaves, treedef, name_of(self._f)))

    def _get(self, f: Callable[..., Any], leaves: list[Any], treedef: tree.TreeDef, static: Hashable) -> Compiled:
        key = (treedef, static, tuple(_signature(leaf) for leaf in leaves))
        found = self._compiled.get(key)
        if found is None:
            with self._lock:
                found = self._compiled.get(key)
                if found is None:
                    self._check(leaves, *treedef.unflatten(leaves))
                    traced = trace_function(f, leaves, treedef, name_of(self._f))
                    found = self._compiled[key] = Compiled(traced, program(traced.outputs, traced.params))
        return found

    def _check(self, leaves: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        names = [p for k, a in enumerate(args) for p in tree.paths(a, f"args[{k}]")]
        names += [p for k in sorted(kwargs, key=str) for p in tree.paths(kwargs[k], k)]
        for leaf, path in zip(leaves, names, strict=True):
            check_leaf(leaf, path, name_of(self._f))

    def _split(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any], Hashable]:
        """The function of the traced arguments alone, those arguments, and the key of the static ones."""
        if not self._nums and not self._names:
            return self._f, args, kwargs, ()
        nums = {k % len(args) for k in self._nums if -len(args) <= k < len(args)}
        fixed = {k: args[k] for k in sorted(nums)}
        named = {k: v for k, v in sorted(kwargs.items()) if k in self._names}
        static = (tuple(fixed.items()), tuple(named.items()))
        try:
            hash(static)
        except TypeError as error:
            raise ArgumentError(f"a static argument of {name_of(self._f)} is not hashable: {error}{at_user_line()}") from None

        def rest(*targs: Any, **tkwargs: Any) -> Any:
            given = iter(targs)
            full = [fixed[k] if k in fixed else next(given) for k in range(len(args))]
            return self._f(*full, **tkwargs, **named)

        free = tuple(a for k, a in enumerate(args) if k not in fixed)
        return rest, free, {k: v for k, v in kwargs.items() if k not in named}, static


def _signature(leaf: Any) -> Hashable:
    if type(leaf) is np.ndarray:
        return leaf.shape, leaf.dtype
    if isinstance(leaf, (bool, int, float, complex)) and not isinstance(leaf, np.generic):
        return type(leaf)
    if isinstance(leaf, (Tensor, np.ndarray, np.generic)):
        return leaf.shape, leaf.dtype
    return type(leaf)


def jit(
    f: Callable[..., Any], *, static_argnums: int | Iterable[int] = (), static_argnames: str | Iterable[str] = ()
) -> Jitted:
    """Compile a function: traced once per signature, then one call into machine code.

    A signature is the structure of the arguments with shapes and dtypes, and the values of static arguments (which
    must be hashable). What f closes over is frozen at the first call of a signature. ``out=`` takes an array, or a
    pytree of them, that the result is written into and that is returned. ``.lower(*args)`` gives the graph, the
    kernels and the C. Inside another trace f is inlined.

    Raises ArgumentError for arguments that are no arrays; ShapeError, DtypeError, ArgumentError for a bad ``out``.

    >>> import numpy as np, functrans as ft
    >>> f = ft.jit(lambda x: np.sin(x).sum())
    >>> f(np.zeros(3))
    np.float64(0.0)

    Source: semantics of ``jax.jit``.
    """
    if not callable(f):
        raise ArgumentError(f"jit compiles a function, but got {f!r} of type {type(f).__name__}{at_user_line()}")
    nums = (static_argnums,) if isinstance(static_argnums, int) else tuple(static_argnums)
    names = (static_argnames,) if isinstance(static_argnames, str) else tuple(static_argnames)
    return Jitted(f, nums, names)


def make_graph(f: Callable[..., Any]) -> Callable[..., Graph]:
    """The traced graph of a function: ``make_graph(f)(*args)`` prints as one node a line.

    >>> import numpy as np, functrans as ft
    >>> ft.make_graph(np.sin)(np.zeros(3)).ops()
    {'PARAM': 1, 'SIN': 1}
    """
    jitted = jit(f)
    return lambda *args, **kwargs: jitted.lower(*args, **kwargs).graph
