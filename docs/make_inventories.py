"""Write intersphinx inventories of the few outside names these pages mention.

Intersphinx would download each project's whole inventory, and a build without a network would fail. The names
below are all that is used; the links still lead to the projects' own pages.
"""

from __future__ import annotations

import importlib
import zlib
from pathlib import Path


def _functions(*modules: str) -> list[str]:
    """The full names of the functions that modules list as theirs: each has a page of its own."""
    found = []
    for module in modules:
        space = vars(importlib.import_module(module))
        found += [f"{module}.{name}" for name in space["__all__"]
                  if callable(space.get(name)) and not isinstance(space[name], type)]  # fmt: skip
    return found


PYTHON = {
    "library/functions.html": {
        "py:class": ["bool", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "object", "set",
                     "slice", "str", "tuple", "type"],
        "py:function": ["len", "iter", "repr"],
    },
    "library/constants.html": {"py:data": ["None", "True", "False", "Ellipsis", "NotImplemented"]},
    "library/exceptions.html": {
        "py:exception": ["ArithmeticError", "Exception", "FloatingPointError", "IndexError", "MemoryError",
                         "NotImplementedError", "OSError", "OverflowError", "RuntimeError", "TypeError",
                         "ValueError", "Warning", "RuntimeWarning", "UserWarning", "KeyError"],
    },
    "library/typing.html": {"py:data": ["typing.Any", "typing.Union", "typing.Literal"],
                            "py:class": ["typing.NamedTuple", "typing.Self"]},
    "library/collections.abc.html": {
        "py:class": [f"collections.abc.{name}" for name in
                     ("Callable", "Hashable", "Iterable", "Iterator", "Mapping", "Sequence")],
    },
    "library/pathlib.html": {"py:class": ["pathlib.Path"]},
    "library/types.html": {"py:class": ["types.ModuleType"]},
    "library/os.html": {"py:class": ["os.PathLike"]},
}  # fmt: skip
NUMPY = {
    "reference/generated/{name}.html": {
        "py:class": [f"numpy.{name}" for name in ("ndarray", "dtype", "generic", "ufunc", "int32", "int64", "float64")],
        "py:exception": ["numpy.linalg.LinAlgError", "numpy.exceptions.AxisError"],
        "py:function": [*_functions("numpy", "numpy.linalg", "numpy.fft"), "numpy.array", "numpy.vectorize",
                        "numpy.memmap"],
    },
    "reference/generated/numpy.ufunc.at.html": {"py:method": ["numpy.add.at"]},
}  # fmt: skip
SCIPY = {
    "reference/generated/{name}.html": {
        "py:class": [f"scipy.sparse.{name}" for name in
                     ("csr_array", "csc_array", "coo_array", "csr_matrix", "sparray", "spmatrix")]
                    + ["scipy.sparse.linalg.LinearOperator", "scipy.LowLevelCallable"],
        "py:function": _functions("scipy.optimize", "scipy.integrate", "scipy.linalg", "scipy.sparse",
                                  "scipy.sparse.linalg", "scipy.special", "scipy.ndimage"),
    },
}  # fmt: skip
JAX = {
    "_autosummary/{name}.html": {
        "py:function": [f"jax.{name}" for name in
                        ("vmap", "jit", "jvp", "vjp", "grad", "value_and_grad", "linearize", "linear_transpose",
                         "jacfwd", "jacrev", "hessian", "custom_jvp", "custom_vjp", "checkpoint", "make_jaxpr",
                         "pure_callback", "pmap", "lax.stop_gradient", "lax.scan", "lax.while_loop", "lax.fori_loop",
                         "lax.cond", "lax.switch", "lax.map", "ops.segment_sum", "tree.map",
                         "tree_util.register_pytree_node", "numpy.vectorize", "numpy.asarray")],
        "py:class": ["jax.ShapeDtypeStruct", "jax.Array"],
    },
    "jax.numpy.html": {"py:module": ["jax.numpy"]},
    "jax.lax.html": {"py:module": ["jax.lax"]},
    "jax.random.html": {"py:module": ["jax.random"]},
    "jax.ffi.html": {"py:module": ["jax.ffi"]},
}  # fmt: skip
# CasADi's guide and its list of plugins are a page each, with anchors
CASADI = {
    "docs/#nonlinear-programming": {"py:function": ["casadi.nlpsol"]},
    "docs/#opti-stack": {"py:class": ["casadi.Opti"]},
    "docs/#for-loop-equivalents": {"py:method": ["casadi.Function.map", "casadi.Function.mapaccum"]},
    "docs/#document-function": {"py:class": ["casadi.Function"]},
    "docs/#document-symbolic": {"py:class": ["casadi.SX", "casadi.MX"]},
    "docs/#casadi-s-external-function": {"py:function": ["casadi.external"]},
    "python-api/#nlp": {"py:data": ["casadi.solvers"]},
    "python-api/#integrator": {"py:function": ["casadi.integrator"]},
}
# NumPy's and SciPy's typing aliases have no page of their own worth a link.
UNLINKED = [
    ("py:.*", r"(numpy|np)\.(typing\.|_typing\.|random\.).*"),
    ("py:.*", r"(ArrayLike|NDArray|DTypeLike|npt\..*)"),
    ("py:.*", r"_?[A-Z]"),  # type variables
]


def _lines(pages: dict[str, dict[str, list[str]]]) -> list[str]:
    return [
        f"{name} {role} 1 {page.format(name=name)}{'' if {'{', '#'} & set(page) or role == 'py:module' else '#$'} -"
        for page, roles in pages.items()
        for role, names in roles.items()
        for name in names
    ]


def write(path: Path, project: str, lines: list[str]) -> None:
    """Write ``lines`` in the format of Sphinx inventories, version 2: a text head, then a zlib stream."""
    head = f"# Sphinx inventory version 2\n# Project: {project}\n# Version: \n"
    head += "# The remainder of this file is compressed using zlib.\n"
    path.write_bytes(head.encode() + zlib.compress("\n".join(lines).encode() + b"\n"))


def write_all(folder: Path) -> dict[str, tuple[str, str]]:
    """Write all inventories into ``folder`` and return the ``intersphinx_mapping`` that reads them."""
    folder.mkdir(exist_ok=True)
    projects = {
        "python": ("https://docs.python.org/3/", _lines(PYTHON)),
        "numpy": ("https://numpy.org/doc/stable/", _lines(NUMPY)),
        "scipy": ("https://docs.scipy.org/doc/scipy/", _lines(SCIPY)),
        "jax": ("https://docs.jax.dev/en/latest/", _lines(JAX)),
        "casadi": ("https://web.casadi.org/", _lines(CASADI)),
    }
    for name, (_, lines) in projects.items():
        write(folder / f"{name}.inv", name, lines)
    return {name: (url, str(folder / f"{name}.inv")) for name, (url, _) in projects.items()}


if __name__ == "__main__":
    print(write_all(Path(__file__).parent / "_inventories"))
