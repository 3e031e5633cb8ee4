"""The launcher: a C extension that takes a call from arrays to arrays, built once by the compiler that builds kernels.

Where it is not built, or cannot be (no headers of Python, another interpreter), calls go through cffi: the same, in
about four times the time.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import pkgutil
import sys
import threading
from typing import Any

import numpy as np

from functrans._lazy import sysconfig
from functrans._locks import ForkLock
from functrans.backend.runtime import cache as cache_module
from functrans.backend.runtime import late
from functrans.backend.runtime.cache import Cache, digest
from functrans.backend.runtime.scratch import NoPlace
from functrans.backend.runtime.toolchain import Compiler, find_compiler
from functrans.config import config
from functrans.debug import log
from functrans.errors import CompileError, text_of
from functrans.tree import registered

__all__ = ["build_in_background", "ready", "running"]

_MODULE = "functrans_launch"
_PARTS = ("call.h", "launch.h", "memory.c", "arguments.c", "launch.c", "records.c", "writer.c", "module.c")
_RESULT_FROM = 1 << 16  # bytes of a result whose memory is kept when it is dropped: NumPy has smaller ones at hand
_BUDGET = 1 << 25  # bytes that are kept in all, of results and of intermediate values
_POSSIBLE = (
    os.name == "posix"
    and sys.implementation.name == "cpython"
    and "t" not in sys.abiflags  # with a GIL: it is what makes its tables safe
)

running: dict[Any, Any] = {}
"""Empty unless some thread traces a function: otherwise no call is a plain one."""

_lock = ForkLock()
_known: dict[str, Any] = {}  # by the directory of the cache: the module, or None where there will be none
_building: dict[str, threading.Thread] = {}


def ready() -> Any:
    """The extension module, None if it is not built (yet). A millisecond the first time, then nothing."""
    if not config.launcher or not _POSSIBLE:
        return None
    store = cache_module.current()
    with _lock:
        if store.directory not in _known:
            try:
                _look(store)
            except (CompileError, OSError) as error:  # no compiler any more, no descriptors: calls go on without it
                log(1, f"the launcher is not looked for now: {text_of(error)}")
        return _known.get(store.directory)


def _look(store: Cache) -> None:
    """Load the extension, if it is built, and note if it cannot be."""
    name = _name()
    path = store.get(f"{name}.so")
    if path is not None:
        module = _load(path)
        _known.setdefault(store.directory, module)
    elif store.get(f"{name}.no") is not None:
        _known[store.directory] = None


def build_in_background() -> threading.Thread | None:
    """Build the extension on a thread of its own, unless it is built or being built; an interpreter that ends waits.

    Where no thread can be had it is not built: one that is ending starts none, and neither does a full process.
    """
    if not config.launcher or not _POSSIBLE:
        return None
    store = cache_module.current()
    with _lock:
        if store.directory not in _known and store.directory not in _building:
            thread = threading.Thread(target=_build, args=(store,), name="functrans launcher", daemon=False)
            try:
                thread.start()
            except RuntimeError as error:
                log(1, f"the launcher is not built now: {error}")
                return None
            _building[store.directory] = thread
        return _building.get(store.directory)


def _build(store: Cache) -> None:
    """Compile and store the extension, or a note that it does not compile here."""
    try:
        if not has_headers():
            log(1, "no launcher, calls go through cffi: there are no headers of Python")
            return
        name = _name()
        try:
            store.put(f"{name}.so", late.compiling.compile_c(_compiler(), _text(), store))
        except NoPlace:
            raise
        except CompileError as error:
            log(1, f"no launcher, calls go through cffi: {error.message}")
            store.put(f"{name}.no", b"")
    except (CompileError, OSError) as error:  # no place, no descriptors, no compiler any more: nobody asked for it
        log(1, f"no launcher now: {text_of(error)}")


def has_headers() -> bool:
    """Whether C can be compiled for this Python."""
    return _POSSIBLE and os.path.isfile(os.path.join(sysconfig.get_path("include"), "Python.h"))


def _compiler() -> Compiler:
    """The compiler with the flags of an extension module: no arithmetic is done in it."""
    found = find_compiler()
    missing = ("-undefined", "dynamic_lookup") if sys.platform == "darwin" else ()
    includes = [f"-I{path}" for path in (sysconfig.get_path("include"), np.get_include())]
    return found._replace(flags=("-O1", "-fPIC", "-fwrapv", *includes), link=missing)


def _text() -> str:
    """The parts one behind the other: they are one file to the compiler."""
    texts = {part: pkgutil.get_data(__package__, part) for part in _PARTS}
    for part, text in texts.items():
        if text is None:
            raise CompileError(f"{part} is not part of this installation", command=[], stderr="", source=None)
    return "\n".join(text.decode() for text in texts.values() if text is not None)


def _name() -> str:
    """What the extension is found by: it fits one Python, one NumPy and one compiler."""
    python = (sys.version, sys.base_prefix, str(sys.abiflags))
    return digest("launcher", _text(), *python, np.__version__, find_compiler().identity)


def _load(path: str) -> Any:
    """The extension module in a file, None if it does not load."""
    loader = importlib.machinery.ExtensionFileLoader(_MODULE, path)
    spec = importlib.util.spec_from_file_location(_MODULE, path, loader=loader)
    if spec is None:
        return None
    try:
        module = importlib.util.module_from_spec(spec)
        loader.exec_module(module)
    except ImportError as error:  # a directory that is mounted noexec
        log(1, f"no launcher, calls go through cffi: {path} does not load: {error}")
        return None
    module.watch(running, config.__dict__, registered, _RESULT_FROM, _BUDGET)
    return module
