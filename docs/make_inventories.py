"""Write intersphinx inventories of the few outside names these pages mention.

Intersphinx would download each project's whole inventory, and a build without a network would fail. The names
below are all that is used; the links still lead to the projects' own pages.
"""

from __future__ import annotations

import zlib
from pathlib import Path

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
    "reference/generated/numpy.{name}.html": {
        "py:class": ["ndarray", "dtype", "generic", "ufunc", "int32", "int64", "float64"],
        "py:exception": ["linalg.LinAlgError", "exceptions.AxisError"],
        "py:function": ["bincount", "einsum", "take_along_axis", "stack", "full", "where", "clip", "split",
                        "tile", "repeat", "tensordot", "concatenate", "asarray", "array"],
    },
}  # fmt: skip
SCIPY = {
    "reference/generated/scipy.sparse.{name}.html": {
        "py:class": ["csr_array", "csc_array", "coo_array", "csr_matrix", "sparray", "spmatrix"],
    },
}
# NumPy's and SciPy's typing aliases have no page of their own worth a link.
UNLINKED = [
    ("py:.*", r"(numpy|np)\.(typing\.|_typing\.|random\.).*"),
    ("py:.*", r"(ArrayLike|NDArray|DTypeLike|npt\..*)"),
    ("py:.*", r"_?[A-Z]"),  # type variables
]


def _lines(pages: dict[str, dict[str, list[str]]], prefix: str) -> list[str]:
    return [
        f"{prefix}{name} {role} 1 {page.format(name=name)}{'' if '{name}' in page else '#$'} -"
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
        "python": ("https://docs.python.org/3/", _lines(PYTHON, "")),
        "numpy": ("https://numpy.org/doc/stable/", _lines(NUMPY, "numpy.")),
        "scipy": ("https://docs.scipy.org/doc/scipy/", _lines(SCIPY, "scipy.sparse.")),
    }
    for name, (_, lines) in projects.items():
        write(folder / f"{name}.inv", name, lines)
    return {name: (url, str(folder / f"{name}.inv")) for name, (url, _) in projects.items()}


if __name__ == "__main__":
    print(write_all(Path(__file__).parent / "_inventories"))
