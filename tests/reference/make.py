"""Makes `values.npz`: what JAX gives for every function and derivative of `functions`, in double precision.

Run ``python -m tests.reference.make`` where jax is installed; the tests read the file and need no jax.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.special as special
import numpy as np

from tests.reference.functions import CASES, LANES, PATH, derivatives


def main() -> None:
    """Write the file."""
    jax.config.update("jax_enable_x64", True)
    index: dict[str, dict[str, Any]] = {}
    values: list[Any] = []
    for name, case in CASES.items():
        made = derivatives(case, jnp, jax, special)

        def every(a: Any, b: Any, made: Any = made) -> Any:
            return {key: jax.tree.leaves(f(a, b)) for key, f in made.items()}

        arguments = tuple(map(jnp.asarray, case.arguments())), tuple(map(jnp.asarray, case.arguments((LANES,))))
        found = jax.jit(every)(*arguments)
        index[name] = {key: [list(x.shape) for x in leaves] for key, leaves in found.items()}
        values.extend(np.ravel(x) for key in sorted(found) for x in found[key])
    flat = np.concatenate(values).astype(np.float64)
    np.savez_compressed(PATH, values=flat, index=np.array(json.dumps(index)), jax=np.array(jax.__version__))
    assert np.isfinite(flat).all(), "a point is a kink"
    sys.stdout.write(f"{len(CASES)} functions, {flat.size} numbers, {PATH.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
