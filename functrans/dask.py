"""Functions over the chunks of Dask arrays: traced and compiled once a worker process, mapped within each chunk.

Needs ``pip install functrans[dask]``; imported as ``ft.dask``, at its first use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from functrans._lazy import cloudpickle, dask_array
from functrans.errors import ArgumentError, at_user_line
from functrans.trace import ShapeDtype, name_of
from functrans.transforms.jit import Jitted, jit
from functrans.transforms.vmap import vmap
from functrans.tree import LEAF

__all__ = ["apply_gufunc", "map_blocks"]

_SIGNATURE = re.compile(r"\(([\w,]*)\)")


def map_blocks(f: Callable[..., Any], *arrays: Any, **options: Any) -> Any:
    """``dask.array.map_blocks`` of a function of whole chunks, compiled once a worker for each shape of chunk.

    ``options`` are those of ``dask.array.map_blocks`` (``dtype``, ``chunks``, ``drop_axis``, ``new_axis``, ``meta``).

    Raises ModuleNotFoundError, with the pip line, where Dask is not installed.

    Examples
    --------
    >>> import dask.array, numpy as np, functrans as ft
    >>> ft.dask.map_blocks(lambda x: np.sqrt(x) * 2.0, dask.array.ones(4, chunks=2), dtype=float).compute()
    array([2., 2., 2., 2.])
    """
    return dask_array.map_blocks(_Block(cloudpickle.dumps(f), None), *arrays, name=options.pop("name", None), **options)


def apply_gufunc(f: Callable[..., Any], signature: str, *arrays: Any) -> Any:
    """``dask.array.apply_gufunc`` of a function of one element, under `vmap` within each chunk.

    ``signature`` is NumPy's, as in ``"(n),()->(m)"``: the core axes, which lie in one chunk, of arguments and result.
    Shapes and dtypes of the result are those of a trace of f; nothing is computed for them.

    Raises ArgumentError (a signature that does not fit), ModuleNotFoundError, with the pip line, where Dask is missing.

    Examples
    --------
    >>> import dask.array, numpy as np, functrans as ft
    >>> rows = dask.array.ones((4, 3), chunks=(2, 3))
    >>> ft.dask.apply_gufunc(lambda v: (v ** 2).sum(), "(n)->()", rows).compute()
    array([3., 3., 3., 3.])
    """
    inner, arrow, outer = signature.replace(" ", "").partition("->")
    axes, results = ([c.split(",") if c else [] for c in _SIGNATURE.findall(side)] for side in (inner, outer))
    if not arrow or len(axes) != len(arrays) or len(results) != 1:
        raise ArgumentError(
            f"the signature {signature!r} of {name_of(f)} has {len(axes)} arguments and {len(results)} results for "
            f"{len(arrays)} arrays{at_user_line()}; one pair of parentheses for each array, and one result"
        )
    given = [dask_array.asarray(a) for a in arrays]
    sizes = _core_sizes(signature, given, axes)
    specs = [ShapeDtype(tuple(sizes[n] for n in names), a.dtype) for a, names in zip(given, axes, strict=True)]
    traced = jit(f).lower(*specs).traced
    result, names = traced.outputs[0], results[0]
    wrong = traced.out_tree != LEAF or result.ndim != len(names)
    if wrong or any(sizes.get(n, size) != size for n, size in zip(names, result.sized, strict=True)):
        raise ArgumentError(
            f"{name_of(f)} gives {[o.shape for o in traced.outputs]} where the signature {signature!r} has one result "
            f"of {len(names)} axes with {sizes}{at_user_line()}"
        )
    loops = [f" {k}" for k in range(max(a.ndim - len(core) for a, core in zip(given, axes, strict=True)))]  # no core's
    lead = [loops[len(loops) - (a.ndim - len(core)) :] for a, core in zip(given, axes, strict=True)]
    pairs = [part for a, loop, core in zip(given, lead, axes, strict=True) for part in (a, (*loop, *core))]
    return dask_array.blockwise(
        _Block(cloudpickle.dumps(f), tuple(map(len, axes))), (*loops, *names), *pairs, concatenate=True,
        new_axes={n: size for n, size in zip(names, result.sized, strict=True) if n not in sizes},
        dtype=result.dtype.numpy, meta=np.empty((0,) * (len(loops) + len(names)), result.dtype.numpy),
    )  # fmt: skip


def _core_sizes(signature: str, arrays: Sequence[Any], axes: Sequence[Sequence[str]]) -> dict[str, int]:
    """The extent of each core axis; ArgumentError where an array has fewer axes, another extent, or several chunks."""
    sizes: dict[str, int] = {}
    for a, names in zip(arrays, axes, strict=True):
        if a.ndim < len(names):
            raise ArgumentError(f"the signature {signature!r} names more axes than an array has{at_user_line()}")
        for k, name in enumerate(names, a.ndim - len(names)):
            size, chunks = sizes.setdefault(name, a.shape[k]), len(a.chunks[k])
            if size != a.shape[k]:
                raise ArgumentError(
                    f"the axis {name} of {signature!r} has {size} and {a.shape[k]} elements{at_user_line()}"
                )
            if chunks > 1:
                raise ArgumentError(
                    f"the axis {name} of {signature!r} lies in {chunks} chunks{at_user_line()}; f takes it whole: "
                    f"rechunk axis {k} with -1"
                )
    return sizes


class _Block:
    """A function of the chunks, sent as bytes: equal bytes are one function in a worker, traced and compiled once."""

    def __init__(self, data: bytes, cores: tuple[int, ...] | None) -> None:
        self.data, self.cores = data, cores
        self.__name__ = "functrans"

    def __call__(self, *chunks: Any) -> Any:
        """The result for one chunk of each array."""
        if self.cores is None:
            return _function(self.data, False)(*chunks)
        loops = [c.shape[: c.ndim - core] for c, core in zip(chunks, self.cores, strict=True)]
        shape = np.broadcast_shapes(*loops)
        flat = [
            np.broadcast_to(c, shape + c.shape[c.ndim - core :]).reshape(-1, *c.shape[c.ndim - core :])
            for c, core in zip(chunks, self.cores, strict=True)
        ]
        found = _function(self.data, True)(*flat)
        return found.reshape(shape + found.shape[1:])


@lru_cache(maxsize=64)
def _function(data: bytes, mapped: bool) -> Jitted:
    f = cloudpickle.loads(data)
    return jit(vmap(f)) if mapped else jit(f)
