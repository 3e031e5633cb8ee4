"""Heavy or optional modules, imported when first used.

``import functrans`` must stay cheap, and matplotlib may be absent.  This is the one place where an import
happens late: ``from functrans._lazy import scipy_sparse`` at the top of a module costs nothing until an
attribute of ``scipy_sparse`` is read, and `attributes` makes a package read its own modules so. Modules of a layer that
are imported late are listed in the layer: `functrans.backend.late`, `functrans.export.late`.
"""

from __future__ import annotations

import importlib
import re
import sys
import types
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any

from functrans.errors import refuse_descriptors

__all__ = [
    "LazyModule",
    "attributes",
    "casadi",
    "cffi",
    "clarabel",
    "cloudpickle",
    "dask_array",
    "difflib",
    "fractions",
    "hashlib",
    "highspy",
    "html",
    "jax",
    "jax_ad",
    "jax_batching",
    "jax_core",
    "jax_ffi",
    "jax_mlir",
    "json",
    "matplotlib_pyplot",
    "osqp",
    "piqp",
    "scipy",
    "scipy_linalg_blas",
    "scipy_linalg_lapack",
    "scipy_sparse",
    "scipy_sparse_csgraph",
    "scipy_sparse_linalg",
    "scipy_special",
    "shutil",
    "subprocess",
    "sysconfig",
    "tempfile",
    "torch",
]


_OLDEST = {"clarabel": "0.10", "dask": "2024.8", "osqp": "1.0.4", "piqp": "0.6"}
"""The oldest releases of optional packages with the interfaces that are used here."""
_EXTRAS = {"cloudpickle": "functrans[dask]", "dask": "functrans[dask]"}
"""What is installed for a package that an extra of functrans brings."""


class LazyModule(types.ModuleType):
    """Stands for a module and imports it when an attribute is first read.

    >>> LazyModule("math").sqrt(4.0)
    2.0
    """

    def __getattr__(self, name: str) -> Any:
        """Import the module, take over its names, and answer."""
        if name.startswith("__") and name != "__version__":
            # doctest, inspect and pytest probe modules for these; a probe must not import SciPy.
            raise AttributeError(name)
        package = self.__name__.partition(".")[0]
        try:
            module = _imported(self.__name__)
        except ModuleNotFoundError as error:
            wanted = _EXTRAS.get(package, package)
            raise ModuleNotFoundError(
                f"{self.__name__} is needed here and is not installed; try: pip install {wanted}",
                name=error.name,
                path=error.path,
            ) from error
        _check_age(package)
        value = getattr(module, name)
        # Later reads find the name in the instance and never come here.
        self.__dict__[name] = value
        return value


def _imported(name: str) -> types.ModuleType:
    """A module; CompileError where no file can be opened."""
    try:
        return importlib.import_module(name)
    except OSError as error:
        refuse_descriptors(error, f"loading {name}")
        raise


def _check_age(package: str) -> None:
    """Raise ImportError for a package that is older than what is used of it here."""
    oldest = _OLDEST.get(package)
    if oldest is None:
        return
    metadata = importlib.import_module("importlib.metadata")
    try:
        version = metadata.version(package)
    except metadata.PackageNotFoundError:  # a copy that no installer knows of
        return
    if [*map(int, re.findall(r"\d+", version))] < [*map(int, oldest.split("."))]:
        raise ImportError(
            f"{package} {version} is installed, and functrans uses what came with {oldest}; try: "
            f"pip install '{package}>={oldest}'",
            name=package,
        )


def find(name: str) -> types.ModuleType | None:
    """A module by its full name, imported now; None where there is no such module. For messages only."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        return None


def attributes(
    package: str,
    module: str,
    modules: Collection[str],
    homes: Mapping[str, str] | None = None,
) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package whose names are those of its ``module``, and some of its other ``modules``.

    A name that ``homes`` knows is read from the module it lives in. The first of the others puts all of them into the
    package, so this is called once for them.

    >>> attributes("xml", "dom", ("sax",))("sax").__name__
    'xml.sax'
    """

    def read(name: str) -> Any:
        if name in modules:
            return _imported(f"{package}.{name}")
        names = sys.modules[package].__dict__
        if name not in names["__all__"]:
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name, obj=sys.modules[package])
        if homes is not None and name in homes:
            names[name] = getattr(_imported(f"{package}.{homes[name]}"), name)
            return names[name]
        found = _imported(f"{package}.{module}").__dict__
        names.update({n: found[n] for n in names["__all__"] if n in found})
        return found[name]

    return read


if TYPE_CHECKING:
    import difflib
    import fractions
    import hashlib
    import html
    import json
    import shutil
    import subprocess
    import sysconfig
    import tempfile

    import scipy
    import scipy.linalg.blas as scipy_linalg_blas
    import scipy.linalg.lapack as scipy_linalg_lapack
    import scipy.sparse as scipy_sparse
    import scipy.sparse.csgraph as scipy_sparse_csgraph
    import scipy.sparse.linalg as scipy_sparse_linalg
    import scipy.special as scipy_special

    casadi: Any
    cffi: Any
    clarabel: Any
    highspy: Any
    jax: Any
    jax_ad: Any
    jax_batching: Any
    jax_core: Any
    jax_ffi: Any
    jax_mlir: Any
    cloudpickle: Any
    dask_array: Any
    matplotlib_pyplot: Any
    osqp: Any
    piqp: Any
    torch: Any
else:
    casadi = LazyModule("casadi")
    cffi = LazyModule("cffi")
    clarabel = LazyModule("clarabel")
    cloudpickle = LazyModule("cloudpickle")
    dask_array = LazyModule("dask.array")
    difflib = LazyModule("difflib")
    fractions = LazyModule("fractions")
    hashlib = LazyModule("hashlib")
    highspy = LazyModule("highspy")
    html = LazyModule("html")
    jax = LazyModule("jax")
    jax_ad = LazyModule("jax.interpreters.ad")
    jax_batching = LazyModule("jax.interpreters.batching")
    jax_core = LazyModule("jax.extend.core")
    jax_ffi = LazyModule("jax.ffi")
    jax_mlir = LazyModule("jax.interpreters.mlir")
    json = LazyModule("json")
    osqp = LazyModule("osqp")
    piqp = LazyModule("piqp")
    shutil = LazyModule("shutil")
    sysconfig = LazyModule("sysconfig")
    scipy = LazyModule("scipy")
    scipy_linalg_blas = LazyModule("scipy.linalg.blas")
    scipy_linalg_lapack = LazyModule("scipy.linalg.lapack")
    scipy_sparse = LazyModule("scipy.sparse")
    scipy_sparse_csgraph = LazyModule("scipy.sparse.csgraph")
    scipy_sparse_linalg = LazyModule("scipy.sparse.linalg")
    scipy_special = LazyModule("scipy.special")
    matplotlib_pyplot = LazyModule("matplotlib.pyplot")
    torch = LazyModule("torch")
