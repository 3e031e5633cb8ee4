"""Solvers for sparse and matrix-free systems under SciPy's names, as `functrans.scipy.sparse.linalg`."""

from __future__ import annotations

from functrans.scipy.sparse import linalg as linalg

__all__ = ["linalg"]
