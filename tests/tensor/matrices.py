"""Random sparse matrices, and how far a solution is off; functions in the body of a loop."""

import numpy as np
import scipy.sparse as sp

import functrans as ft


def random_matrix(n: int, density: float, seed: int, kind: str = "plain") -> sp.csr_array:
    """A matrix with a structurally full matching; ``kind`` says how its rows or values are spoilt."""
    rng = np.random.default_rng(seed)
    dense = np.where(rng.random((n, n)) < density, rng.normal(size=(n, n)), 0.0)
    dense[np.arange(n), np.arange(n)] = 2 + rng.random(n)
    if kind == "permuted":
        dense = dense[rng.permutation(n)]
    if kind == "graded":
        dense *= 10.0 ** rng.uniform(-8, 8, (n, 1))
    if kind == "symmetric":
        dense = dense + dense.T
    if kind == "saddle":
        half = n // 2
        dense = dense + dense.T
        dense[half:, half:] = 0
        dense[np.arange(half, n), np.arange(n - half)] = dense[np.arange(n - half), np.arange(half, n)] = 2
    found = sp.csr_array(dense)
    found.sort_indices()
    return found


def error(A: sp.csr_array, x: np.ndarray, b: np.ndarray) -> float:
    """The componentwise backward error."""
    left = np.abs(b - A @ x)
    size = abs(A) @ np.abs(x) + np.abs(b)
    return float(np.max(np.divide(left, size, out=np.zeros_like(left), where=left > 0), initial=0.0))


def inside(f, v, b):
    """The same in the body of a loop, where it cannot be moved out of."""
    return ft.fori_loop(0, 2, lambda k, x: f(v, x), b)
