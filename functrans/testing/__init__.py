"""The laws of the transforms as checks of a user's own functions, and random programs to check them on."""

import functrans.numpy  # noqa: F401  (NumPy's functions, called on Tensors, come there)
from functrans.testing.checks import check_jvp, check_vjp, check_vmap
from functrans.testing.programs import RandomProgram, random_programs
from functrans.testing.sparse import check_pattern, check_spjacobian

__all__ = [
    "RandomProgram", "check_jvp", "check_pattern", "check_spjacobian", "check_vjp", "check_vmap", "random_programs"
]  # fmt: skip
