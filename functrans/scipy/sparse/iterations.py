"""The loops of Krylov methods on vectors: each takes a product, a right-hand side, a vector to begin with, a
preconditioner, the norm of the residual to reach and how many iterations it may take, and gives a solution and SciPy's
``info``: 0, or the iterations that were not enough, or less than zero for a breakdown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import functrans.numpy as fnp
from functrans.transforms.loops.while_loop import while_loop

Apply = Callable[[Any], Any]
BREAKDOWN = -10


def norm(x: Any) -> Any:
    """The Euclidean norm."""
    return fnp.sqrt((x * x).sum())


def info_of(residual: Any, limit: Any, count: Any, maxiter: int) -> Any:
    """SciPy's number for how a loop ended."""
    early = fnp.where(count < maxiter, BREAKDOWN, count)
    return fnp.where(residual <= limit, 0, early).astype(np.int64)


class _Conjugate(NamedTuple):
    x: Any
    r: Any
    p: Any
    rho: Any
    residual: Any
    count: Any


def conjugate_gradients(product: Apply, b: Any, x0: Any, precondition: Apply, limit: Any, maxiter: int) -> Any:
    """For symmetric positive definite matrices.

    Source: Hestenes and Stiefel (1952); Barrett et al., Templates for the Solution of Linear Systems, section 2.3.1.
    """
    r = b - product(x0)
    none = fnp.zeros((), np.int64)

    def goes_on(s: _Conjugate) -> Any:
        return (s.residual > limit) & (s.count < maxiter) & fnp.isfinite(s.residual) & fnp.isfinite(s.rho)

    def iterate(s: _Conjugate) -> _Conjugate:
        z = precondition(s.r)
        rho = (s.r * z).sum()
        p = z + fnp.where(s.count > 0, rho / s.rho, 0.0) * s.p
        q = product(p)
        alpha = rho / (p * q).sum()
        r = s.r - alpha * q
        return _Conjugate(s.x + alpha * p, r, p, rho, norm(r), s.count + 1)

    end = while_loop(goes_on, iterate, _Conjugate(x0, r, fnp.zeros_like(b), fnp.ones((), b.dtype), norm(r), none))
    return end.x, info_of(end.residual, limit, end.count, maxiter)


class _Stabilized(NamedTuple):
    x: Any
    r: Any
    p: Any
    v: Any
    rho: Any
    alpha: Any
    omega: Any
    residual: Any
    count: Any


def stabilized(product: Apply, b: Any, x0: Any, precondition: Apply, limit: Any, maxiter: int) -> Any:
    """The stabilized method of biconjugate gradients.

    Source: van der Vorst (1992); Barrett et al., Templates for the Solution of Linear Systems, section 2.3.8.
    """
    shadow = b - product(x0)
    one, zero = fnp.ones((), b.dtype), fnp.zeros_like(b)

    def goes_on(s: _Stabilized) -> Any:
        whole = fnp.isfinite(s.residual) & (s.rho != 0) & (s.omega != 0)
        return (s.residual > limit) & (s.count < maxiter) & whole

    def iterate(s: _Stabilized) -> _Stabilized:
        rho = (shadow * s.r).sum()
        beta = fnp.where(s.count > 0, rho / s.rho * (s.alpha / s.omega), 0.0)
        p = s.r + beta * (s.p - s.omega * s.v)
        toward = precondition(p)
        v = product(toward)
        alpha = rho / (shadow * v).sum()
        half = s.r - alpha * v
        done = norm(half) <= limit
        across = precondition(half)
        t = product(across)
        omega = fnp.where(done, 1.0, (t * half).sum() / (t * t).sum())
        x = s.x + alpha * toward + fnp.where(done, 0.0, omega * across)
        r = fnp.where(done, half, half - omega * t)
        return _Stabilized(x, r, p, v, rho, alpha, omega, norm(r), s.count + 1)

    none = fnp.zeros((), np.int64)
    end = while_loop(goes_on, iterate, _Stabilized(x0, shadow, zero, zero, one, one, one, norm(shadow), none))
    return end.x, info_of(end.residual, limit, end.count, maxiter)
