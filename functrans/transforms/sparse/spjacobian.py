"""spjacobian: the Jacobian of a function as a sparse matrix, its pattern found and its columns compressed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from functrans.errors import ArgumentError, at_user_line
from functrans.transforms.sparse.function import SparseFunction
from functrans.transforms.sparse.settings import Settings, given_patterns
from functrans.transforms.static import positions


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

    The pattern is read off the traced graph, so it holds at every point. Each nonzero is computed by its own
    expression; or columns that share no row are computed together, one derivative along a direction for each color; or
    rows that share no column, or some of both. All of it is one compiled call.

    Parameters
    ----------
    f : function of arrays and pytrees of them
        Results are flattened in C order and concatenated in leaf order: the rows. A scalar result makes one row.
    argnums : int or tuple of int
        The arguments to differentiate by, real floating point; their elements, likewise flattened, are the columns.
        A tuple gives a tuple of matrices.
    has_aux : bool
        f returns ``(result, aux)``, and ``J(*args)`` is ``(matrix, aux)``.
    method : "auto", "direct" or "compressed"
        Direct: each nonzero by its own expression, stored in its place, at one to two times the cost of f. Compressed:
        one product with a direction for each color. "auto" takes what computes least, see ``plan``; a partition that
        is given asks for products.
    partition : "auto", "column", "row" or "bidirectional"
        Products ``J @ d``, products ``d @ J``, or both: a matrix with a few dense rows and columns takes few of both.
        "auto" takes what computes least.
    format : "csr", "csc" or "coo"
    pattern : SparsityPattern, SciPy sparse matrix or (rows, cols, shape), optional
        Used instead of detection; with a tuple of argnums, a sequence of them.
    check : bool
        At the first call of each signature probe the pattern with random directions, and, in rows that depend on a
        choice between formulas, look for every entry that detection is certain of.

    Returns
    -------
    SparseFunction
        See there for ``pattern``, ``coloring``, ``plan``, ``values``, ``empty_values``, ``value_and_jacobian``.

    Raises
    ------
    ArgumentError
        An option that does not exist, argnums that are no positions.
    UnsupportedError
        With ``method="direct"``, at a call: an op that it does not know. Rows of a function with complex results.
    SparsityError
        At a call: the given pattern has the wrong shape, or ``check`` finds it too small.
    OutOfMemory
        At a call: the pattern has more entries than int32 counts or this machine holds; nothing was made of it.
    DtypeError
        At a call: an argument to differentiate by is no real floating-point array.

    Notes
    -----
    Cost of a call: of direct values the operations of the nonzeros' expressions; of compressed ones a derivative along
    a direction (one to three times f) for each color of columns, one backward (two to four times f) for each color of
    rows. Compression by structurally orthogonal columns: Curtis, Powell and Reid, On the estimation of sparse Jacobian
    matrices, IMA Journal of Applied Mathematics 13 (1974).

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
    if not isinstance(has_aux, bool):
        raise ArgumentError(f"spjacobian has_aux={has_aux!r}; expected True or False{at_user_line()}")
    at = positions(argnums, "spjacobian argnums", 1)
    given = given_patterns(pattern, at, "spjacobian")
    settings = Settings("spjacobian", method, partition, format, given=given, check=check)
    return SparseFunction(f, at, has_aux, settings)
