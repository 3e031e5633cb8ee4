"""Krylov subspace methods under SciPy's names: `functrans.scipy.sparse.linalg`.

Each is one loop in the C, with its own number of iterations for each lane of a `vmap`. Derivatives are those of the
solution, by one more solve with the same method, whatever the iterations were.
"""

from __future__ import annotations

from functrans.scipy.sparse.methods import bicgstab as bicgstab
from functrans.scipy.sparse.methods import cg as cg
from functrans.scipy.sparse.methods import gmres as gmres
from functrans.scipy.sparse.methods import minres as minres

__all__ = ["bicgstab", "cg", "gmres", "minres"]
