"""Functions of SciPy on Tensors, under SciPy's names: those that no protocol brings here as `functrans.scipy`.

Ufuncs of `scipy.special` find Tensors by themselves; what is no ufunc there, such as logsumexp, does not. `arguments`
is what SciPy's own solvers are given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from functrans._lazy import attributes as _attributes

__all__ = ["arguments", "linalg", "sparse", "special"]

if _TYPE_CHECKING:
    from functrans.scipy import arguments as arguments
    from functrans.scipy import linalg as linalg
    from functrans.scipy import sparse as sparse
    from functrans.scipy import special as special
else:
    __getattr__ = _attributes(__name__, "special", __all__)
