"""Functions as custom operators of PyTorch, with derivatives and vmap.

Needs ``pip install torch``; imported as ``ft.torch``, at its first use. PyTorch's gradients of a wrapped function call
what functrans compiles for its own.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from functrans import tree
from functrans._lazy import torch as torch_module
from functrans.errors import DtypeError, UnsupportedError, at_user_line
from functrans.transforms.foreign import FlatFunction, Kinds, as_list, of_leaves, pulled, pushed
from functrans.transforms.jit import jit

__all__ = ["wrap"]

_DTYPES = "bool int8 int16 int32 int64 uint8 float16 float32 float64 complex64 complex128".split()
_numbers = itertools.count()


def wrap(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of NumPy code as one of PyTorch tensors, with gradients.

    Arguments and results are pytrees of tensors on the CPU; a Python float takes the dtype of the floating tensors
    beside it. f is traced and compiled once for their shapes and dtypes. ``backward``, ``torch.autograd.grad`` to any
    order, and ``torch.func.grad``, ``vjp``, ``jvp`` and ``vmap`` of it. ``torch.compile`` takes it as one operator if
    told so: ``torch.compiler.allow_in_graph(ft.torch.wrap(f))``.

    >>> import torch, numpy as np, functrans as ft                   # doctest: +SKIP
    >>> x = torch.zeros(3, requires_grad=True)                       # doctest: +SKIP
    >>> ft.torch.wrap(lambda x: np.sin(x).sum())(x).backward()       # doctest: +SKIP
    >>> x.grad                                                       # doctest: +SKIP
    tensor([1., 1., 1.])

    Raises
    ------
    DtypeError
        A tensor or a result of a dtype that NumPy or PyTorch has not, as bfloat16.
    UnsupportedError
        A tensor that is on another device, or sparse.
    ModuleNotFoundError
        With the pip line, where PyTorch is not installed.
    """
    call = _call()
    known: dict[tree.TreeDef, _Flat] = {}

    @functools.wraps(f)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        leaves, structure = tree.flatten((args, kwargs))
        flat = known.get(structure) or known.setdefault(structure, _Flat(*of_leaves(f, structure)))
        given = _tensors(leaves, flat.name)
        found = call(flat.number, *given)
        return flat.structure(given).unflatten(list(found))

    return wrapped


class _Flat(FlatFunction):
    """A function with a number, by which the operator finds it."""

    def __init__(self, call: Callable[..., Any], name: str) -> None:
        super().__init__(call, name)
        self.number = next(_numbers)
        self.jitted = jit(call)
        self._structures: dict[Any, tree.TreeDef] = {}
        _FUNCTIONS[self.number] = self

    def structure(self, tensors: Sequence[Any]) -> tree.TreeDef:
        """Of the results for tensors like these."""
        key = tuple((t.shape, t.dtype) for t in tensors)
        if key not in self._structures:
            self._structures[key] = self.traced(_kinds(tensors)).out_tree
        return self._structures[key]

    def run(self, tensors: Sequence[Any]) -> list[Any]:
        """The results, in memory of their own."""
        found = self.jitted(*(t.detach().resolve_conj().resolve_neg().numpy() for t in tensors))
        arrays = [np.asarray(a) for a in as_list(found)]
        for a in arrays:
            self.check(a.dtype)
        return list(map(torch_module.from_numpy, arrays))

    def check(self, dtype: np.dtype[Any]) -> Any:
        """PyTorch's dtype for a result. Raises DtypeError where there is none."""
        if dtype not in _dtypes()[1]:
            raise DtypeError(f"{self.name} gives {dtype}{at_user_line()}, which PyTorch has not; convert it in it")
        return _dtypes()[1][dtype]


_FUNCTIONS: WeakValueDictionary[int, _Flat] = WeakValueDictionary()


def _tensors(leaves: Sequence[Any], name: str) -> list[Any]:
    """The leaves as tensors; DtypeError and UnsupportedError for those that NumPy cannot read."""
    given = list(leaves)
    for k, t in enumerate(leaves):
        if type(t) is float:
            continue
        if not isinstance(t, torch_module.Tensor):
            given[k] = t = torch_module.as_tensor(t)
        if t.device.type != "cpu" or t.layout is not torch_module.strided:
            what = f"on {t.device}" if t.device.type != "cpu" else f"of layout {t.layout}"
            raise UnsupportedError(f"{name} got a tensor {what}{at_user_line()}; it takes dense tensors on the CPU")
        if t.dtype not in _dtypes()[0]:
            raise DtypeError(f"{name} got a tensor of {t.dtype}{at_user_line()}, which NumPy has not; convert it")
    if any(type(t) is float for t in given):
        floating = [t.dtype for t in given if type(t) is not float and t.dtype.is_floating_point]
        widest = functools.reduce(torch_module.promote_types, floating or [torch_module.get_default_dtype()])
        given = [torch_module.tensor(t, dtype=widest) if type(t) is float else t for t in given]
    return given


@functools.cache
def _dtypes() -> tuple[dict[Any, np.dtype[Any]], dict[np.dtype[Any], Any]]:
    """NumPy's dtypes by PyTorch's, and these by those."""
    by_torch = {getattr(torch_module, name): np.dtype(name) for name in _DTYPES}
    return by_torch, {dtype: name for name, dtype in by_torch.items()}


def _kinds(tensors: Sequence[Any]) -> Kinds:
    return tuple((tuple(map(int, t.shape)), _dtypes()[0][t.dtype]) for t in tensors)


def _empty(tensors: Sequence[Any], function: int) -> list[Any]:
    """Tensors like the results."""
    flat = _FUNCTIONS[function]
    return [torch_module.empty(shape, dtype=flat.check(dtype)) for shape, dtype in flat.results(_kinds(tensors))]


@functools.cache
def _operator() -> Any:
    """The operator of all functions: a list of tensors and the number of a function to a list of tensors."""
    name, library = "functrans::call", torch_module.library
    library.define(name, "(Tensor[] tensors, int function) -> Tensor[]")
    library.impl(name, "cpu", _run)  # half the time of `custom_op`, which adds layers for derivatives of its own
    library.register_fake(name, _empty)
    return torch_module.ops.functrans.call.default


def _run(tensors: list[Any], function: int) -> list[Any]:
    return _FUNCTIONS[function].run(tensors)


@functools.cache
def _call() -> Callable[..., Any]:
    """The operator with its derivatives: from the number of a function, and tensors, to a tuple of tensors.

    An ``autograd.Function``, which ``torch.func`` takes; a rule that is registered for the operator itself it refuses.
    """
    rules: dict[str, Callable[..., Any]] = {
        "forward": _forward, "setup_context": _keep, "backward": _pull_back, "jvp": _push_forward, "vmap": _map
    }  # fmt: skip
    named = {name: staticmethod(rule) for name, rule in rules.items()}
    _forward.__signature__ = inspect.signature(_forward)  # type: ignore[attr-defined]  # PyTorch reads it at each call
    made: Callable[..., Any] = type("functrans", (torch_module.autograd.Function,), named).apply  # type: ignore[attr-defined]
    return made


def _forward(number: int, *tensors: Any) -> Any:
    return tuple(_operator()(list(tensors), number))


def _keep(ctx: Any, inputs: Any, output: Any) -> None:
    number, *tensors = inputs
    ctx.function = _FUNCTIONS[number]
    ctx.save_for_backward(*tensors)
    ctx.save_for_forward(*tensors)
    ctx.smooth = tuple(k for k, t in enumerate(output) if _is_differentiable(t))
    ctx.results = len(output)
    ctx.mark_non_differentiable(*(t for t in output if not _is_differentiable(t)))


def _pull_back(ctx: Any, *cotangents: Any) -> Any:
    """The cotangents of the tensors that have one, by those of the results."""
    tensors, some = ctx.saved_tensors, ctx.smooth
    wanted = tuple(k for k, needed in enumerate(ctx.needs_input_grad[1:]) if needed)
    found: list[Any] = [None] * len(tensors)
    if wanted and some:
        call = ctx.function.call
        derived = ctx.function.derived(("vjp", wanted, some), lambda: pulled(call, len(tensors), wanted, some))
        made = _call()(derived.number, *tensors, *(cotangents[k] for k in some))
        for k, value in zip(wanted, made, strict=True):
            found[k] = value
    return None, *found


def _push_forward(ctx: Any, _: Any, *tangents: Any) -> Any:
    """The tangents of the results, by those of the tensors that have one."""
    tensors, some = ctx.saved_tensors, ctx.smooth
    moved = tuple(k for k, t in enumerate(tangents) if t is not None and _is_differentiable(t))
    found: list[Any] = [None] * ctx.results
    if moved and some:
        call = ctx.function.call
        derived = ctx.function.derived(("jvp", moved, some), lambda: pushed(call, len(tensors), moved, some))
        made = _call()(derived.number, *tensors, *(tangents[k] for k in moved))
        for k, value in zip(some, made, strict=True):
            found[k] = value
    return tuple(found)


def _map(info: Any, axes: Any, number: int, *tensors: Any) -> Any:
    """The function under `vmap`, the batch in front of every result."""
    found = _call()(_FUNCTIONS[number].mapped(tuple(axes[1:])).number, *tensors)
    return found, (0,) * len(found)


def _is_differentiable(t: Any) -> bool:
    return bool(t.dtype.is_floating_point or t.dtype.is_complex)
