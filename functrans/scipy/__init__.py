"""Functions of SciPy on Tensors, under SciPy's names: those that no protocol brings here as `functrans.scipy`.

Ufuncs of `scipy.special` find Tensors by themselves; what is no ufunc there, such as logsumexp, does not.
"""

from __future__ import annotations

from functrans.scipy import linalg as linalg
from functrans.scipy import sparse as sparse
from functrans.scipy import special as special

__all__ = ["linalg", "sparse", "special"]
