"""spjacobian: the Jacobian of a function as a sparse matrix, its pattern found and its columns compressed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from functrans.errors import ArgumentError, UnsupportedError, at_user_line
from functrans.transforms.sparse.function import SparseFunction

_BUILT = {"method": ("auto", "compressed"), "partition": ("auto", "column")}
_LATER = {"method": ("direct",), "partition": ("row", "bidirectional")}
_FORMATS = ("csr", "csc", "coo")


def spjacobian(
    f: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    *,
    has_aux: bool = False,
    method: str = "auto",
    partition: str = "auto",
    format: str = "csr",
    pattern: Any = None,
    check: bool = False,
) -> SparseFunction:
    """The sparse Jacobian of ``f`` as a function of the same arguments.

    The pattern is read off the traced graph, so it holds at every point; columns that share no row are computed
    together, one derivative along a direction for each color; all of it is one compiled call.

    Parameters
    ----------
    f : function of arrays and pytrees of them
        Results are flattened in C order and concatenated in leaf order: the rows. A scalar result makes one row.
    argnums : int or tuple of int
        The arguments to differentiate by, real floating point; their elements, likewise flattened, are the columns.
        A tuple gives a tuple of matrices.
    has_aux : bool
        f returns ``(result, aux)``, and ``J(*args)`` is ``(matrix, aux)``.
    method : "auto" or "compressed"
    partition : "auto" or "column"
    format : "csr", "csc" or "coo"
    pattern : SparsityPattern, SciPy sparse matrix or (rows, cols, shape), optional
        Used instead of detection; with a tuple of argnums, a sequence of them.
    check : bool
        Probe the pattern with random directions at the first call of each signature.

    Returns
    -------
    SparseFunction
        See there for ``pattern``, ``coloring``, ``plan``, ``values``, ``empty_values``, ``value_and_jacobian``.

    Raises
    ------
    ArgumentError
        An option that does not exist, argnums that are no positions.
    UnsupportedError
        A method or partition that is not built yet.
    SparsityError
        At a call: the given pattern has the wrong shape, or ``check`` finds it too small.
    DtypeError
        At a call: an argument to differentiate by is no real floating-point array.

    Notes
    -----
    Cost of a call: one derivative along a direction (one to three times f) for each color. Compression by
    structurally orthogonal columns: Curtis, Powell and Reid, On the estimation of sparse Jacobian matrices, IMA
    Journal of Applied Mathematics 13 (1974).

    Examples
    --------
    >>> import numpy as np, functrans as ft
    >>> J = ft.spjacobian(lambda x: x[1:-1] * (x[2:] - x[:-2]))
    >>> x = np.arange(5.0)
    >>> print(J(x).toarray())
    [[-1.  2.  1.  0.  0.]
     [ 0. -2.  2.  2.  0.]
     [ 0.  0. -3.  2.  3.]]
    >>> J.pattern(x).nnz, J.coloring(x).num_colors
    (9, 3)
    """
    if not callable(f):
        raise ArgumentError(f"spjacobian differentiates a function, but got {type(f).__name__} {f!r}{at_user_line()}")
    for name, value in (("method", method), ("partition", partition)):
        if value in _LATER[name]:
            raise UnsupportedError(
                f"spjacobian {name}={value!r} is not built yet; use {name}={_BUILT[name][1]!r}{at_user_line()}"
            )
        if value not in _BUILT[name]:
            known = ", ".join(map(repr, _BUILT[name] + _LATER[name]))
            raise ArgumentError(f"spjacobian {name}={value!r}; expected one of {known}{at_user_line()}")
    if format not in _FORMATS:
        known = ", ".join(map(repr, _FORMATS))
        raise ArgumentError(f"spjacobian format={format!r}; expected one of {known}{at_user_line()}")
    for name, flag in (("has_aux", has_aux), ("check", check)):
        if not isinstance(flag, bool):
            raise ArgumentError(f"spjacobian {name}={flag!r}; expected True or False{at_user_line()}")
    positions = _positions(argnums)
    return SparseFunction(f, positions, has_aux, format, _given(pattern, positions), check)


def _positions(argnums: Any) -> int | tuple[int, ...]:
    many = isinstance(argnums, (tuple, list))
    items = tuple(argnums) if many else (argnums,)
    if not items or any(isinstance(k, bool) or not isinstance(k, int) for k in items):
        raise ArgumentError(f"spjacobian argnums={argnums!r}; expected an int or a tuple of ints{at_user_line()}")
    return items if many else items[0]


def _given(pattern: Any, positions: int | tuple[int, ...]) -> tuple[Any, ...] | None:
    if pattern is None:
        return None
    if isinstance(positions, int):
        return (pattern,)
    if not isinstance(pattern, (tuple, list)) or len(pattern) != len(positions):
        raise ArgumentError(
            f"spjacobian pattern: with argnums={positions} expected a sequence of {len(positions)} patterns, got "
            f"{type(pattern).__name__}{at_user_line()}"
        )
    return tuple(pattern)
