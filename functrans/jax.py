"""Functions as primitives of JAX: called by XLA through its foreign function interface, without Python.

Needs ``pip install functrans[jax]``; imported as ``ft.jax``, at its first use. JAX's ``jvp``,
``grad`` and ``vmap`` of a wrapped function call what functrans compiles for its own.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from functrans import tree
from functrans._lazy import jax as jax_module
from functrans._lazy import jax_ad, jax_batching, jax_core, jax_ffi, jax_mlir
from functrans.backend.runtime.xla import XlaCall, handler
from functrans.errors import DtypeError, UnsupportedError, at_user_line
from functrans.transforms.foreign import FlatFunction, Kinds, as_list, of_leaves, pushed
from functrans.transforms.vjp import vjp

__all__ = ["wrap"]

_TARGET = "functrans_call"
_DTYPES = frozenset("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 "
                    "complex128".split())  # fmt: skip


def wrap(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of NumPy code as one that JAX traces, compiles, differentiates and maps.

    Arguments and results are pytrees of arrays, of shapes and dtypes that JAX knows when it traces; f is traced once
    for each. XLA calls the compiled code: a call takes as long as one of JAX's own functions, a tenth of the time of
    ``jax.pure_callback``. What needs steps of LAPACK between kernels (matrices of more than 40 rows) goes through
    ``jax.pure_callback``. ``jit``, ``jvp``, ``vjp`` and ``vmap`` in any order and to any depth; on CPUs.

    >>> import jax, numpy as np, functrans as ft                     # doctest: +SKIP
    >>> g = ft.jax.wrap(lambda x: np.sin(x).sum())                   # doctest: +SKIP
    >>> jax.grad(g)(jax.numpy.zeros(3))                              # doctest: +SKIP
    Array([1., 1., 1.], dtype=float32)

    Raises
    ------
    DtypeError
        A result is of 64 bits, which JAX has under ``jax_enable_x64`` alone.
    ModuleNotFoundError
        With the pip line, where JAX is not installed.
    """
    primitive = _primitive()
    known: dict[tree.TreeDef, _Flat] = {}

    @functools.wraps(f)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        leaves, structure = tree.flatten((args, kwargs))
        given = [jax_module.numpy.asarray(x) for x in leaves]
        flat = known.get(structure) or known.setdefault(structure, _Flat(*of_leaves(f, structure)))
        flat.results(_kinds(given))
        found = primitive.bind(*given, function=flat, linear=0)
        return flat.out_tree.unflatten(list(found))

    return wrapped


class _Flat(FlatFunction):
    """A function as XLA calls it, and what is known of its results."""

    def __init__(self, call: Callable[..., Any], name: str) -> None:
        super().__init__(call, name)
        self.out_tree = tree.LEAF
        self._known: dict[Kinds, Kinds] = {}
        self._calls: dict[Kinds, XlaCall | None] = {}

    def results(self, kinds: Kinds) -> Kinds:
        """Shapes and dtypes of the results. Raises DtypeError for one that JAX has not."""
        if kinds not in self._known:
            self.out_tree = self.traced(kinds).out_tree
            found = super().results(kinds)
            for _, dtype in found:
                if dtype.name not in _DTYPES or jax_module.dtypes.canonicalize_dtype(dtype) != dtype:
                    raise DtypeError(
                        f"{self.name} gives {dtype}, which JAX has not as it is set{at_user_line()}; set "
                        "jax.config.update('jax_enable_x64', True), or give arrays and constants of 32 bits"
                    )
            self._known[kinds] = found
        return self._known[kinds]

    def xla_call(self, kinds: Kinds) -> XlaCall | None:
        """What XLA calls; None where that is more than compiled code."""
        if kinds not in self._calls:
            record = self.compiled(kinds).program.record()
            refused = f"{self.name}: a matrix is singular, or is not positive definite"
            self._calls[kinds] = None if record is None else XlaCall(record, refused)
        return self._calls[kinds]


def _kinds(arrays: Sequence[Any]) -> Kinds:
    return tuple((tuple(a.shape), np.dtype(a.dtype)) for a in arrays)


def _is_differentiable(dtype: np.dtype[Any]) -> bool:
    return dtype.kind in "fc"


@functools.cache
def _primitive() -> Any:
    """The primitive of all functions, with its rules."""
    made = jax_core.Primitive("functrans")
    made.multiple_results = True
    made.def_impl(_run)
    made.def_abstract_eval(_shapes)
    jax_ad.primitive_jvps[made] = _push_forward
    jax_ad.primitive_transposes[made] = _pull_back
    jax_batching.primitive_batchers[made] = _map
    jax_mlir.register_lowering(made, _lower, platform="cpu")
    jax_ffi.register_ffi_target(_TARGET, jax_ffi.pycapsule(handler()), platform="cpu")
    return made


@functools.lru_cache(maxsize=512)
def _jitted(function: _Flat, linear: int) -> Any:
    return jax_module.jit(lambda *args: _primitive().bind(*args, function=function, linear=linear))


def _run(*args: Any, function: _Flat, linear: int) -> Any:
    return _jitted(function, linear)(*args)


def _shapes(*args: Any, function: _Flat, linear: int) -> list[Any]:
    return [jax_module.core.ShapedArray(shape, dtype) for shape, dtype in function.results(_kinds(args))]


def _lower(context: Any, *args: Any, function: _Flat, linear: int) -> Any:
    kinds = _kinds(context.avals_in)
    call = function.xla_call(kinds)
    if call is not None:
        return jax_ffi.ffi_lowering(_TARGET)(context, *args, call=np.int64(call.address))
    compiled = function.compiled(kinds)
    results = [jax_module.ShapeDtypeStruct(*kind) for kind in function.results(kinds)]

    def by_python(*arrays: Any) -> Any:
        return jax_module.pure_callback(
            lambda *given: [np.asarray(r) for r in as_list(compiled(*map(np.asarray, given)))], results, *arrays
        )

    return jax_mlir.lower_fun(by_python, multiple_results=True)(context, *args)


def _push_forward(primals: Any, tangents: Any, *, function: _Flat, linear: int) -> Any:
    """The results, and their tangents: a function that is linear in the tangents of its arguments that are not zero."""
    results = _primitive().bind(*primals, function=function, linear=linear)
    moved = tuple(k for k, t in enumerate(tangents) if type(t) is not jax_ad.Zero and _is_differentiable(t.dtype))
    kinds = function.results(_kinds(primals))
    smooth = tuple(k for k, (_, dtype) in enumerate(kinds) if _is_differentiable(dtype))
    still = [jax_ad.Zero(jax_module.core.ShapedArray(r.shape, r.dtype).to_tangent_aval()) for r in results]
    if not moved or not smooth:
        return results, still
    n = len(primals)
    tangent = function.derived(("jvp", moved, n), lambda: pushed(function.call, n, moved, smooth))
    found = _primitive().bind(*primals, *(tangents[k] for k in moved), function=tangent, linear=len(moved))
    made = dict(zip(smooth, found, strict=True))
    return results, [made.get(k, still[k]) for k in range(len(results))]


def _pull_back(cotangents: Any, *args: Any, function: _Flat, linear: int) -> Any:
    """The cotangents of the arguments that the function is linear in."""
    wanted = tuple(k for k, a in enumerate(args) if jax_ad.is_undefined_primal(a))
    if any(k < len(args) - linear for k in wanted):
        raise UnsupportedError(
            f"{function.name} is not linear in what JAX transposes it by{at_user_line()}; "
            "use jax.vjp, or jax.linearize first"
        )
    given = [a for k, a in enumerate(args) if k not in wanted]
    kinds = _kinds([a.aval if k in wanted else a for k, a in enumerate(args)])
    some = tuple(k for k, c in enumerate(cotangents) if type(c) is not jax_ad.Zero)
    if not some:
        return [jax_ad.Zero(args[k].aval) if k in wanted else None for k in range(len(args))]

    def make() -> Callable[..., Any]:
        def call(*arrays: Any) -> Any:
            fixed, cts = arrays[: len(given)], arrays[len(given) :]

            def part(*values: Any) -> list[Any]:
                others = iter(fixed)
                own = iter(values)
                whole = [next(own) if k in wanted else next(others) for k in range(len(args))]
                found = as_list(function.call(*whole))
                return [found[k] for k in some]

            zeros = [np.zeros(shape, dtype) for shape, dtype in (kinds[k] for k in wanted)]
            return list(vjp(part, *zeros)[1](list(cts)))

        return call

    pulled = function.derived(("vjp", wanted, some, kinds), make)
    found = iter(_primitive().bind(*given, *(cotangents[k] for k in some), function=pulled, linear=len(some)))
    return [next(found) if k in wanted else None for k in range(len(args))]


def _map(args: Any, axes: Any, *, function: _Flat, linear: int) -> Any:
    """The function under `vmap`, the batch in front of every result."""
    places = tuple(None if a is None else int(a) for a in axes)
    found = _primitive().bind(*args, function=function.mapped(places), linear=linear)
    return found, [0] * len(found)
