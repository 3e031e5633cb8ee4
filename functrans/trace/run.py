"""Running a function on placeholders, and what an outermost call does with the graph that comes of it."""

from __future__ import annotations

import pickle
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from functrans import tree
from functrans._lazy import hashlib
from functrans._recent import keep, recall
from functrans.backend.again import evaluate
from functrans.backend.pipeline import Program
from functrans.backend.runtime.toolchain import probe_in_background
from functrans.debug import log
from functrans.errors import ArgumentError, at_user_line
from functrans.ops.custom import inlined
from functrans.ops.parcel import Parcel
from functrans.ops.placement import Layout, lay
from functrans.ops.source import param
from functrans.ops.uop import UOp, substitute, toposort
from functrans.ops.weak import check_fit, narrowed
from functrans.tensor.constants import is_traced
from functrans.tensor.core import Tensor
from functrans.tensor.lift import NARROW, is_weak, lift
from functrans.tensor.variable import Variable
from functrans.trace.arguments import (
    Array,
    Roots,
    as_array,
    check_bound,
    check_leaves,
    lies,
    placeholder,
    traced,
    wants_tensors,
)
from functrans.trace.scope import check_alive, check_leaks, claim, trace, tracing


class Traced:
    """What a function did on placeholders: its graph and the structure of its result."""

    def __init__(self, params: tuple[UOp, ...], outputs: tuple[UOp, ...], out_tree: tree.TreeDef) -> None:
        self.params, self.outputs, self.out_tree = params, outputs, out_tree
        self._sent: bytes | None = None
        self._program: Program | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its graph, for running: calls with rules of their own are what they compute."""
        data = self._sent
        if data is None:
            parcel = Parcel((self.params, tuple(inlined(self.outputs)), self.out_tree))
            data = pickle.dumps(parcel, pickle.HIGHEST_PROTOCOL)
            if len(data) <= _SMALL:
                self._sent = data  # a pool pickles a function with every task
        return _arrived, (data,)

    def program(self, fixed: bool = False) -> Program:
        """The graph made runnable; ``fixed`` if no other size is to have the same text."""
        return Program(self.outputs, self.params, fixed)

    def shared_program(self) -> Program:
        """The same, made once: for functions that were pickled and arrive again and again."""
        if self._program is None:
            self._program = self.program()
        return self._program


_SMALL = 1 << 22  # bytes; the arrays of larger ones are not held a second time
_ARRIVED = 16
_arrived_last: OrderedDict[bytes, Traced] = OrderedDict()  # by the hash of their bytes


def _arrived(data: bytes) -> Traced:
    """What was pickled; if it is small and was among the last that arrived, the same object, with its program."""
    if len(data) > _SMALL:
        return Traced(*pickle.loads(data))
    key = hashlib.sha256(data).digest()
    found = recall(_arrived_last, key)
    return keep(_arrived_last, key, Traced(*pickle.loads(data)), _ARRIVED) if found is None else found


def results(value: Any, what: str) -> tuple[list[UOp], tree.TreeDef]:
    """The nodes of what a function returned, and its structure."""
    leaves, out_tree = tree.flatten(value)
    for k, leaf in enumerate(leaves):
        if not isinstance(leaf, (Tensor, np.ndarray, np.generic, bool, int, float, complex)):
            path = tree.paths(value, "result")[k]
            raise ArgumentError(
                f"{path} of {what} is {leaf!r} of type {type(leaf).__name__}; a transformed function returns arrays, "
                f"numbers, Tensors, or tuples, lists and dicts of them{at_user_line()}"
            )
    return [lift(leaf) for leaf in leaves], out_tree


def trace_function(f: Callable[..., Any], leaves: Sequence[Any], treedef: tree.TreeDef, what: str) -> Traced:
    """Run f once on placeholders for the leaves.

    Raises LeakedValueError where the result holds a value of another trace.
    """
    return _traced(f, leaves, treedef, what)[0]


def _traced(f: Callable[..., Any], leaves: Sequence[Any], treedef: tree.TreeDef, what: str) -> tuple[Traced, list[UOp]]:
    """The same, and the nodes of the graph, sources first."""
    probe_in_background()  # what it finds is wanted when the trace is done
    start = time.perf_counter()
    with trace(what):
        params = tuple(claim(placeholder(leaf, weak=True)) for leaf in leaves)
        laid = [
            traced(p) if at is None else Tensor.from_uop(lay(p, at))
            for p, at in zip(params, map(lies, leaves), strict=True)
        ]
        args, kwargs = treedef.unflatten(laid)
        outputs, out_tree = results(f(*args, **kwargs), what)
    order = check_leaks(outputs, params, what)
    log(2, lambda: f"traced {what} in {(time.perf_counter() - start) * 1e3:.1f} ms")
    return Traced(params, tuple(outputs), out_tree), order


def call(f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], what: str, roots: Roots) -> Any:
    """Call f on Tensors. Inside a trace its Tensors are the result; outermost the graph runs and arrays come back,
    or Tensors where an argument was one. ``roots`` gives the names of the arguments, for messages.
    """
    leaves, treedef = tree.flatten((tuple(args), kwargs))
    check_leaves(leaves, args, kwargs, what, roots)
    if not tracing():
        check_bound(leaves, what)
    if tracing() or any(isinstance(leaf, Tensor) and is_traced(leaf.uop) for leaf in leaves):
        if not tracing():
            check_alive(leaves, what)
        with trace(what):
            nodes, numbers = _inner(leaves)
            given = [x if isinstance(x, Variable) else Tensor.from_uop(u) for x, u in zip(leaves, nodes, strict=True)]
            targs, tkwargs = treedef.unflatten(given)
            outputs, out_tree = results(f(*targs, **tkwargs), what)
        if numbers:
            check_fit(narrowed(toposort(outputs)), {hole: np.asarray(x.arg) for hole, x in numbers.items()})
            outputs = substitute(outputs, numbers)
        return out_tree.unflatten([Tensor.from_uop(u) for u in outputs])
    made, order = _traced(f, leaves, treedef, what)
    arrays, layouts = evaluate(made.outputs, made.params, order, [as_array(leaf) for leaf in leaves])
    return hand_back(arrays, made.out_tree, wants_tensors(leaves), layouts)


def _inner(leaves: Sequence[Any]) -> tuple[list[UOp], dict[UOp, UOp]]:
    """Nodes for the arguments of an inner call, and what to put for some of them afterwards.

    Beside narrow dtypes a Python number goes in as a weak placeholder, since a constant does not give way.
    """
    nodes = [lift(x) for x in leaves]
    if not any(u.dtype in NARROW for u in nodes):
        return nodes, {}
    weak = {k: claim(param((), u.dtype, weak=True)) for k, u in enumerate(nodes) if is_weak(leaves[k])}
    return [weak.get(k, u) for k, u in enumerate(nodes)], {hole: nodes[k] for k, hole in weak.items()}


def hand_back(
    arrays: Sequence[Array], out_tree: tree.TreeDef, as_tensors: bool, layouts: Sequence[Layout | None]
) -> Any:
    """Results in the structure the function returned: Tensors that lie as they were computed, or arrays and NumPy
    scalars.
    """
    if as_tensors:
        found = zip(arrays, layouts, strict=True)
        return out_tree.unflatten([Tensor.from_uop(lift(a) if at is None else lay(lift(a), at)) for a, at in found])
    return out_tree.unflatten([a if a.ndim else a[()] for a in arrays])
