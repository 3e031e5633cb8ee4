"""Transposes of steps between kernels: systems of equations, cofactors, Fourier transforms."""

from __future__ import annotations

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.fourier import fft
from functrans.ops.sparse_systems import Solving, spsolve
from functrans.ops.uop import UOp
from functrans.transforms.cotangent import Cotangent
from functrans.transforms.linearity import LinearMap, Parts, Rule, not_linear


def _solve(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    a, b = node.src
    if a in graph.nodes:
        raise not_linear("SOLVE is linear in its right-hand side alone, and the matrix varies")
    return None, Cotangent(B.solve(B.permute(a, (*range(b.ndim - 2), b.ndim - 1, b.ndim - 2)), ct.dense(), node.arg))


def _cofactors(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    # the second derivative of a determinant is symmetric in its two directions
    a, e = node.src
    if a in graph.nodes:
        raise not_linear("ADJUGATE_ALONG is linear in its direction alone, and the matrix varies")
    order = (*range(e.ndim - 2), e.ndim - 1, e.ndim - 2)
    return None, Cotangent(B.permute(B.adjugate_along(a, B.permute(ct.dense(), order)), order))


def _fourier(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    """FFT: the sums are symmetric in both indices; a half counts its inner terms for their conjugates too."""
    kind, n = node.arg
    c = ct.dense()
    if kind in ("forward", "inverse"):
        return (Cotangent(fft(c, kind, n)),)
    k = B.iota(n // 2 + 1)
    ends = B.alu(Ops.OR, B.eq(k, B.like(k, 0)), B.eq(B.add(k, k), B.like(k, n)))
    once, twice = B.full(k.sized, c.dtype, 1), B.full(k.sized, c.dtype, 0.5 if kind == "half" else 2)
    if kind == "half":
        c = B.mul(B.alu(Ops.CONJ, c), B.broadcast(B.where(ends, once, twice), c.sized))
        return (Cotangent(fft(c, "whole", n)),)
    half = B.alu(Ops.CONJ, fft(c, "half", n))
    return (Cotangent(B.mul(half, B.cast(B.broadcast(B.where(ends, once, twice), half.sized), half.dtype))),)


def _sparse_solve(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    values, factors, _ = node.src
    if values in graph.nodes:
        raise not_linear("SPSOLVE is linear in its right-hand side alone, and the matrix varies")
    s: Solving = node.arg
    return None, None, Cotangent(spsolve(values, factors, ct.dense(), s.symbolic, not s.turned))


HOST_RULES: dict[Ops, Rule] = {
    Ops.SOLVE: _solve, Ops.FFT: _fourier, Ops.ADJUGATE_ALONG: _cofactors, Ops.SPSOLVE: _sparse_solve,
}  # fmt: skip
