"""Small matrices written out: lists of rows of numbers, with None where a number is zero in every stage.

What is None costs nothing: not a place in memory, not a product. Pytrees leave it out, so such matrices go through
`ft.vmap` and `ft.scan` as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

Vector = list[Any]
Matrix = list[list[Any]]


def total(terms: Iterable[Any]) -> Any:
    """The sum of the terms that are there."""
    result = None
    for term in terms:
        if term is not None:
            result = term if result is None else result + term
    return result


def times(*factors: Any) -> Any:
    """The product, if all factors are there."""
    if any(f is None for f in factors):
        return None
    result = factors[0]
    for f in factors[1:]:
        result = result * f
    return result


def minus(a: Any, b: Any) -> Any:
    """a - b."""
    if b is None:
        return a
    return -b if a is None else a - b


def dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    """The sum of the products."""
    return total(times(x, y) for x, y in zip(a, b, strict=True))


def column(A: Matrix, j: int) -> Vector:
    """Column j."""
    return [row[j] for row in A]


def apply(A: Matrix, v: Sequence[Any]) -> Vector:
    """A @ v."""
    return [dot(row, v) for row in A]


def transposed(A: Matrix) -> Matrix:
    """A.T."""
    return [list(row) for row in zip(*A, strict=True)]


def product(A: Matrix, B: Matrix) -> Matrix:
    """A @ B."""
    return [[dot(row, column(B, j)) for j in range(len(B[0]))] for row in A]


def symmetric(size: int, entry: Any) -> Matrix:
    """The matrix of entry(i, j), asked for where j <= i."""
    lower = [[entry(i, j) for j in range(i + 1)] for i in range(size)]
    return [[lower[max(i, j)][min(i, j)] for j in range(size)] for i in range(size)]


def lower(A: Matrix) -> Matrix:
    """The rows of a symmetric matrix up to the diagonal."""
    return [row[: i + 1] for i, row in enumerate(A)]


def filled(A: Matrix) -> Matrix:
    """The same with numbers in all places, for what does not stay zero."""
    return [[0.0 if v is None else v for v in row] for row in A]


def mirrored(A: Matrix) -> Matrix:
    """The symmetric matrix of these rows."""
    return symmetric(len(A), lambda i, j: A[i][j])


def solve(A: Matrix, rights: Matrix) -> Matrix:
    """X with A X^T = rights^T for a positive definite A: each row of X solves one right-hand side. By A = L D L^T."""
    n = len(A)
    L: Matrix = [[None] * n for _ in range(n)]
    inverse: Vector = []
    for j in range(n):
        pivot = minus(A[j][j], total(times(L[j][k], L[j][k], 1 / inverse[k]) for k in range(j)))
        inverse.append(1 / pivot)
        for i in range(j + 1, n):
            rest = minus(A[i][j], total(times(L[i][k], L[j][k], 1 / inverse[k]) for k in range(j)))
            L[i][j] = times(rest, inverse[j])
    found = []
    for right in rights:
        y: Vector = []
        for i in range(n):
            y.append(minus(right[i], dot(L[i][:i], y)))
        x: Vector = [times(v, d) for v, d in zip(y, inverse, strict=True)]
        for i in reversed(range(n)):
            x[i] = minus(x[i], dot([L[k][i] for k in range(i + 1, n)], x[i + 1 :]))
        found.append(x)
    return found
