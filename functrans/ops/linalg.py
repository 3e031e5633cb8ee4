"""Linear algebra of whole matrices, the last two axes: steps that run in LAPACK between the kernels.

The axes in front are a batch; all sources have the same ones. Where NumPy raises, so do these, naming the matrix.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from functrans import dtypes
from functrans.config import config
from functrans.errors import LinAlgError
from functrans.ops import factors
from functrans.ops.axes import Axes, same_arg
from functrans.ops.build import adjugate_along, permute, solve
from functrans.ops.enums import Ops
from functrans.ops.opdef import TABLE, OpDef, like_all, like_first_or_real, register, same_shape, second
from functrans.ops.origin import line_of
from functrans.ops.uop import Shape, UOp

Array = np.ndarray[Any, Any]
QUIET = "nan"
"""The argument of a SOLVE that gives NaN where a matrix is singular, whatever the settings say."""
DTYPES = frozenset({dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128})


def matrices_check(node: UOp) -> str | None:
    """What is wrong with the first source as matrices."""
    a = node.src[0]
    if a.ndim < 2:
        return f"shape {a.shape}; expected matrices in the last two axes"
    return None if a.dtype in DTYPES else f"dtype {a.dtype.name}; LAPACK has float32, float64, complex64 and complex128"


def _square(node: UOp) -> str | None:
    a = node.src[0]
    if a.ndim < 2 or a.sized[-1] != a.sized[-2]:
        return f"shape {a.shape}; expected square matrices in the last two axes"
    return matrices_check(node)


def solve_check(node: UOp) -> str | None:
    """What is wrong with square matrices and right-hand sides."""
    wrong = _square(node)
    if wrong is not None:
        return wrong
    a, b = node.src[:2]
    ok = b.ndim == a.ndim and a.sized[:-1] == b.sized[:-1]
    return None if ok else f"right-hand sides of shape {b.shape} for matrices of shape {a.shape}"


def _pair_check(node: UOp) -> str | None:
    a, e = node.src
    ok = a.shape == e.shape
    return _square(node) if ok else f"a direction of shape {e.shape} for matrices of shape {a.shape}"


def _scalar_shape(node: UOp) -> Shape:
    return node.src[0].sized[:-2]


def _eigh_shape(node: UOp) -> Shape:
    shape = node.src[0].sized
    return shape[:-1] if node.arg == 0 else shape


def _svd_shape(node: UOp) -> Shape:
    *lead, m, n = node.src[0].sized
    k = min(m, n)
    return (*lead, *((m, k), (k,), (k, n))[node.arg])


def _qr_shape(node: UOp) -> Shape:
    *lead, m, n = node.src[0].sized
    return (*lead, m, min(m, n)) if node.arg == 0 else (*lead, min(m, n), n)


def _turned_shape(node: UOp) -> Shape:
    *lead, m, n = node.src[0].sized
    return (*lead, n, m)


def _meaning(step: Callable[..., Array]) -> Callable[..., Array]:
    """The NumPy meaning of an op: a refusal of LAPACK becomes a LinAlgError that names the matrix, or NaN for it."""

    def meaning(node: UOp, *arrays: Array) -> Array:
        try:
            with np.errstate(all="ignore"):
                return np.asarray(step(node, *arrays))
        except np.linalg.LinAlgError as error:
            if config.linalg_errors == "nan" or node.arg == QUIET:
                return _with_nan(node, step, arrays)
            raise refused(node, _first_refused(node, step, arrays)) from error

    return meaning


def _part(whole: Callable[..., Sequence[Array]]) -> Callable[..., Array]:
    """The step that gives the part of a decomposition that the argument says."""
    return lambda node, *arrays: whole(*arrays)[node.arg]


def _together(whole: Callable[..., Sequence[Array]]) -> Callable[..., Sequence[Array]]:
    """Several parts of one decomposition; each by itself where a matrix is refused."""

    def meaning(nodes: Sequence[UOp], *arrays: Array) -> Sequence[Array]:
        try:
            with np.errstate(all="ignore"):
                parts = whole(*arrays)
        except np.linalg.LinAlgError:
            return [TABLE[n.op].numpy(n, *arrays) for n in nodes]  # type: ignore[misc]
        return [np.asarray(parts[n.arg]) for n in nodes]

    return meaning


def _first_refused(node: UOp, step: Callable[..., Array], arrays: tuple[Array, ...]) -> tuple[int, ...]:
    lead = arrays[0].shape[:-2]
    # right-hand sides do not matter, and have a batch of their own; factors have that of their matrix
    own = [a if a.shape[:-2] == lead else np.zeros(a.shape[-2:], a.dtype) for a in arrays]
    given = [np.broadcast_to(a, (*lead, *a.shape[-2:])) for a in own]
    return next((lane for lane in np.ndindex(*lead) if _refuses(node, step, [a[lane] for a in given])), ())


def refused(node: UOp, where: tuple[int, ...]) -> LinAlgError:
    """The error of a matrix at a batch index that an op refuses."""
    index = f" at batch index {where[0] if len(where) == 1 else where}" if where else ""
    name = _CALLED.get(node.op, node.op.name.lower())
    return LinAlgError(f"{name}: the matrix{index} {_WRONG[node.op]}{line_of(node)}")


def _with_nan(node: UOp, step: Callable[..., Array], arrays: tuple[Array, ...]) -> Array:
    """The results matrix by matrix, NaN for those that are refused."""
    lead = np.broadcast_shapes(*(a.shape[:-2] for a in arrays))
    given = [np.broadcast_to(a, (*lead, *a.shape[-2:])) for a in arrays]
    found = np.full((*lead, *node.sized[node.src[0].ndim - 2 :]), np.nan, node.dtype.numpy)
    for lane in np.ndindex(*lead):
        own = [a[lane] for a in given]
        if not _refuses(node, step, own):
            with np.errstate(all="ignore"):
                found[lane] = step(node, *own)
    return found


def _refuses(node: UOp, step: Callable[..., Array], arrays: list[Array]) -> bool:
    try:
        step(node, *arrays)
    except np.linalg.LinAlgError:
        return True
    return False


def _solve(node: UOp, a: Array, b: Array, *packed: Array) -> Array:
    if packed:
        return factors.solved(packed[0], b, node.src[2].src[0] is not node.src[0])
    if a.ndim == 2 and b.ndim > 2:  # one matrix for the whole batch is factored once
        columns = np.moveaxis(b, -2, 0)
        x = np.linalg.solve(a, columns.reshape(len(a), columns[:1].size)).reshape(columns.shape)
        return np.moveaxis(x, 0, -2)
    return np.linalg.solve(a, b)


def _svd(a: Array) -> tuple[Array, Array, Array]:
    return np.linalg.svd(a, full_matrices=False)


def _qr(node: UOp, a: Array) -> Array:
    return np.asarray(np.linalg.qr(a, "r")) if node.arg else np.linalg.qr(a).Q


def _lu_shape(node: UOp) -> Shape:
    *lead, n, _ = node.src[0].sized
    return (*lead, n + 1, n)


def _slogdet(a: Array, *packed: Array) -> tuple[Array, Array]:
    return factors.slogdet(*packed) if packed else np.linalg.slogdet(a)


def _det(node: UOp, a: Array, *packed: Array) -> Array:
    return factors.det(*packed) if packed else np.asarray(np.linalg.det(a))


def adjugate(a: Array) -> Array:
    """By singular values: products of all but one exist where the inverse does not."""
    n = a.shape[-1]
    if n < 2 or a.size == 0:
        return np.ones_like(a)
    u, s, vh = np.linalg.svd(a)
    turn = (np.linalg.det(u) * np.linalg.det(vh))[..., None]
    return np.asarray((_adjoint(vh) * (turn * _all_but_one(s))[..., None, :]) @ _adjoint(u))


def _adjugate_along(node: UOp, a: Array, e: Array) -> Array:
    """Between singular vectors: products of all values but two, which exist where a is singular."""
    n = a.shape[-1]
    if n < 2 or a.size == 0 or e.size == 0:
        return np.zeros(np.broadcast_shapes(a.shape, e.shape), a.dtype)
    u, s, vh = np.linalg.svd(a)
    inner = _adjoint(u) @ e @ _adjoint(vh)
    one = np.eye(n, dtype=bool)
    products = np.where(one, 0.0, _all_but_one(np.where(one, 1.0, s[..., None, :])))
    sums = (products @ np.diagonal(inner, axis1=-2, axis2=-1)[..., None])[..., 0]
    change = np.where(one, sums[..., None, :], -inner * products)
    turn = (np.linalg.det(u) * np.linalg.det(vh))[..., None, None]
    return np.asarray(turn * (_adjoint(vh) @ change @ _adjoint(u)), a.dtype)


def _all_but_one(s: Array) -> Array:
    """The products of all numbers of the last axis but one."""
    before = np.concatenate([np.ones_like(s[..., :1]), np.cumprod(s[..., :-1], -1)], -1)
    after = np.concatenate([np.cumprod(s[..., :0:-1], -1)[..., ::-1], np.ones_like(s[..., :1])], -1)
    return np.asarray(before * after)


def _adjoint(x: Array) -> Array:
    return np.conj(np.swapaxes(x, -1, -2))


def turned(x: UOp) -> UOp:
    """The transposed matrices."""
    return permute(x, (*range(x.ndim - 2), x.ndim - 1, x.ndim - 2))


def _solve_turned(node: UOp, ct: UOp, k: int) -> UOp:
    return solve(turned(node.src[0]), ct, node.arg)


def _along_turned(node: UOp, ct: UOp, k: int) -> UOp:
    # the second derivative of a determinant is symmetric in its two directions
    return turned(adjugate_along(node.src[0], turned(ct)))


_WRONG: dict[Ops, str] = {}
_CALLED = {Ops.TRIANGULAR: "solve_triangular", Ops.BANDED: "solve_banded", Ops.POSITIVE: "solveh_banded"}
_AXES = Axes(lambda node, axis: axis if axis < node.src[0].ndim - 2 else None, same_arg)


def host(
    op: Ops, meaning: str, shape: Any, step: Callable[..., Array], wrong: str, check: Any = _square,
    transpose: Callable[[UOp, UOp, int], UOp] | None = None, parts: int = 0,
    whole: Callable[..., Sequence[Array]] | None = None,
) -> None:  # fmt: skip
    """An op that a step of NumPy computes, and what is wrong with a matrix that the step refuses; of a decomposition
    of so many ``parts``, what gives them all.
    """
    _WRONG[op] = wrong
    record = OpDef(
        op, "host", meaning, shape, _meaning(step), axes=_AXES, linear=None if transpose is None else second,
        transpose=transpose, check=check, typed=_is_part(parts) if parts else like_all,
        by="LAPACK", together=None if whole is None else _together(whole),
    )  # fmt: skip
    register(record)


def _is_part(parts: int) -> Callable[[UOp], bool]:
    """Of a decomposition arg tells which of its parts; one may be real where the matrix is complex."""
    return lambda node: like_first_or_real(node) and node.arg in range(parts)


host(
    Ops.SOLVE, "x of a x = b, for each column of b", lambda n: n.src[1].shape, _solve, "is singular", solve_check,
    _solve_turned,
)  # fmt: skip
host(
    Ops.LU, "triangular factors of a by exchanges of rows, column by column, and behind them the exchanges", _lu_shape,
    lambda n, a: factors.lu(a), "has no triangular factors",
)  # fmt: skip
host(
    Ops.CHOLESKY, "the lower triangle l of a = l l^H, from the lower triangle of a", same_shape,
    lambda n, a: np.linalg.cholesky(a), "is not positive definite",
)  # fmt: skip
host(Ops.DET, "the determinant", _scalar_shape, _det, "has no determinant")
host(
    Ops.SLOGDET, "of the determinant the sign (arg 0) or the logarithm of its size (arg 1)", _scalar_shape,
    _part(_slogdet), "has no determinant", parts=2, whole=_slogdet,
)  # fmt: skip
host(
    Ops.ADJUGATE, "the transposed matrix of cofactors: det(a) inv(a), also where a is singular", same_shape,
    lambda n, a: adjugate(a),
    "has a singular value decomposition that does not converge",
)  # fmt: skip
host(
    Ops.EIGH, "of a Hermitian matrix the eigenvalues (arg 0) or eigenvectors (arg 1), from its lower triangle",
    _eigh_shape, lambda n, a: np.linalg.eigh(a)[1] if n.arg else np.linalg.eigvalsh(a),
    "has eigenvalues that do not converge", parts=2, whole=np.linalg.eigh,
)  # fmt: skip
host(
    Ops.SVD, "of the reduced singular value decomposition u s vh the factor arg", _svd_shape,
    lambda n, a: np.linalg.svd(a, compute_uv=False) if n.arg == 1 else _svd(a)[n.arg],
    "has singular values that do not converge", matrices_check, parts=3, whole=_svd,
)  # fmt: skip
host(
    Ops.ADJUGATE_ALONG, "the derivative of the adjugate of the first along the second, in which it is linear",
    same_shape, _adjugate_along, "has a singular value decomposition that does not converge", _pair_check,
    _along_turned,
)  # fmt: skip
host(
    Ops.QR, "of the reduced factors, q with orthonormal columns and r upper triangular, the one of arg", _qr_shape,
    _qr, "has no QR factors", matrices_check, parts=2,
    whole=np.linalg.qr,
)  # fmt: skip
host(
    Ops.PINV, "the pseudo-inverse; singular values up to arg times the largest count as zero", _turned_shape,
    lambda n, a: np.linalg.pinv(a, n.arg), "has singular values that do not converge", matrices_check,
)  # fmt: skip
