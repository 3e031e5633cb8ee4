"""Functions as custom operators of PyTorch, with derivatives and vmap.

Needs ``pip install torch``; imported as ``ft.torch``, at its first use. PyTorch's gradients of a wrapped function call
what functrans compiles for its own.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from functrans import tree
from functrans._lazy import torch as torch_module
from functrans.errors import DtypeError, UnsupportedError, at_user_line
from functrans.transforms.foreign import FlatFunction, Kinds, as_list, of_leaves, pulled, pushed

__all__ = ["wrap"]

_DTYPES = "bool int8 int16 int32 int64 uint8 float16 float32 float64 complex64 complex128".split()
_numbers = itertools.count()


def wrap(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of NumPy code as one of PyTorch tensors, with gradients.

    Arguments and results are pytrees of tensors on the CPU; a Python float takes the dtype of the floating tensors
    beside it. f is traced and compiled once for their shapes and dtypes. ``backward``, ``torch.autograd.grad`` to any
    order, and ``torch.func.grad``, ``vjp``, ``jvp`` and ``vmap`` of it. For ``torch.compile``, which then takes it as one
    operator: ``torch.compiler.allow_in_graph(ft.torch.wrap(f))``.

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
        return flat.traced(_kinds(given)).out_tree.unflatten(list(found))

    return wrapped


class _Flat(FlatFunction):
    """A function with a number, by which the operator finds it."""

    def __init__(self, call: Callable[..., Any], name: str) -> None:
        super().__init__(call, name)
        self.number = next(_numbers)
        _FUNCTIONS[self.number] = self


_FUNCTIONS: WeakValueDictionary[int, _Flat] = WeakValueDictionary()


def _tensors(leaves: Sequence[Any], name: str) -> list[Any]:
    """The leaves as tensors; DtypeError and UnsupportedError for those that NumPy cannot read."""
    given = [leaf if isinstance(leaf, torch_module.Tensor | float) else torch_module.as_tensor(leaf) for leaf in leaves]
    for t in given:
        if isinstance(t, float):
            continue
        if t.device.type != "cpu" or t.layout != torch_module.strided:
            what = f"on {t.device}" if t.device.type != "cpu" else f"of layout {t.layout}"
            raise UnsupportedError(f"{name} got a tensor {what}{at_user_line()}; it takes dense tensors on the CPU")
        if t.dtype not in _dtypes():
            raise DtypeError(f"{name} got a tensor of {t.dtype}{at_user_line()}, which NumPy has not; convert it")
    floating = [t.dtype for t in given if not isinstance(t, float) and t.dtype.is_floating_point]
    widest = functools.reduce(torch_module.promote_types, floating) if floating else torch_module.get_default_dtype()
    return [torch_module.tensor(t, dtype=widest) if isinstance(t, float) else t for t in given]


@functools.cache
def _dtypes() -> dict[Any, np.dtype[Any]]:
    """NumPy's dtypes by PyTorch's."""
    return {getattr(torch_module, name): np.dtype(name) for name in _DTYPES}


def _kinds(tensors: Sequence[Any]) -> Kinds:
    return tuple((tuple(map(int, t.shape)), _dtypes()[t.dtype]) for t in tensors)


def _empty(function: _Flat, kinds: Kinds) -> list[Any]:
    """Tensors like the results."""
    by_numpy = {v: k for k, v in _dtypes().items()}
    found = function.results(kinds)
    for _, dtype in found:
        if dtype not in by_numpy:
            raise DtypeError(f"{function.name} gives {dtype}{at_user_line()}, which PyTorch has not; convert it in it")
    return [torch_module.empty(shape, dtype=by_numpy[dtype]) for shape, dtype in found]


@functools.cache
def _operator() -> Any:
    """The operator of all functions: a list of tensors and the number of a function to a list of tensors."""
    schema = "(Tensor[] tensors, int function) -> Tensor[]"
    made = torch_module.library.custom_op("functrans::call", _run, mutates_args=(), device_types="cpu", schema=schema)
    made.register_fake(lambda tensors, function: _empty(_FUNCTIONS[function], _kinds(tensors)))
    return made


def _run(tensors: list[Any], function: int) -> list[Any]:
    flat = _FUNCTIONS[function]
    kinds = _kinds(tensors)
    results = _empty(flat, kinds)
    arrays = [t.detach().resolve_conj().resolve_neg().numpy() for t in tensors]
    for made, array in zip(results, as_list(flat.compiled(kinds)(*arrays)), strict=True):
        made.numpy()[...] = array
    return results


@functools.cache
def _call() -> Callable[..., Any]:
    """The operator with its derivatives: from the number of a function, and tensors, to a tuple of tensors.

    An ``autograd.Function``, which ``torch.func`` takes; a rule that is registered for the operator itself it refuses.
    """
    rules = {"forward": _forward, "setup_context": _keep, "backward": _pull_back, "jvp": _push_forward, "vmap": _map}
    named = {name: staticmethod(rule) for name, rule in rules.items()}
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
