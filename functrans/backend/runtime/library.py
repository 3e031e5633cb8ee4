"""From C text to a Python callable, compiled at most once a machine and loaded at most once a process.

Every translation unit exports one function, ``int ft_entry(void **buffers, const long long *sizes)``, which
returns 0 on success, and AGAIN where it is to be called again: between two calls Python handles signals.
``_abi.py`` describes it to cffi; ``scripts/make_abi.py`` writes that file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from functrans.backend.runtime import cache as cache_module
from functrans.backend.runtime._abi import ffi
from functrans.backend.runtime.cache import Cache, digest, workspace
from functrans.backend.runtime.child import ChildFailed
from functrans.backend.runtime.compiling import Compiling, compile_c, compile_error
from functrans.backend.runtime.flags import cpu_identity
from functrans.backend.runtime.locks import ForkLock
from functrans.backend.runtime.toolchain import Compiler, CompilerSettingError, find_compiler, write_text
from functrans.config import config
from functrans.debug import log, warn_once
from functrans.errors import CompileError

__all__ = ["AGAIN", "Entry", "available", "begin", "find", "load", "state"]

AGAIN = 1000  # as in launch.c
_ABI = "ft_entry 1"

_from_buffer = ffi.from_buffer


class Entry:
    """The entry point of one compiled translation unit."""

    __slots__ = ("_library", "function")
    pointer: Callable[..., Any] = staticmethod(ffi.from_buffer)  # the address of an array, which it keeps alive

    def __init__(self, library: Any) -> None:
        self._library = library  # the function is gone once this is collected
        self.function: Callable[[Any, Any], int] = library.ft_entry

    def __call__(self, arrays: Sequence[np.ndarray[Any, Any]], sizes: Sequence[int], last: int = 0) -> int:
        """Run the compiled code on `arrays`, with the GIL released, and return its status.

        `arrays` are C-contiguous NumPy arrays (ValueError otherwise) of the dtypes and extents that the C
        was written for: nothing is checked here.  Read-only arrays and arrays of size 0 are fine; whether
        the C writes to an array is the caller's care.  The address `last` is given behind them, and then how
        far the call has come.
        """
        return self.through([*map(_from_buffer, arrays), ffi.cast("void *", last), self.begin()], sizes)

    def through(self, buffers: Sequence[Any], sizes: Any) -> int:
        """Call `function` until it has come to its end."""
        status = AGAIN
        while status == AGAIN:  # what a signal asks for is done here, between two calls
            status = self.function(buffers, sizes)
        return status

    @staticmethod
    def begin() -> Any:
        """What a call keeps of how far it has come, in the beginning."""
        return ffi.new("long long[2]", (-1, 0))

    @staticmethod
    def at(address: int) -> Any:
        """An address as an element of the first argument of `function`."""
        return ffi.cast("void *", address)

    @property
    def address(self) -> int:
        """Where the function lies in memory."""
        return int(ffi.cast("uintptr_t", ffi.addressof(self._library, "ft_entry")))

    @staticmethod
    def integers(values: Sequence[int]) -> Any:
        """The second argument of `function`, made once for many calls."""
        return ffi.new("long long[]", list(values) or 1)


_lock = ForkLock()
_entries: dict[str, Entry] = {}  # by the hash of the text
_gates: dict[str, ForkLock] = {}


def load(c_text: str, begun: Compiling | None = None, meanwhile: Callable[[], None] = lambda: None) -> Entry:
    """The entry point of `c_text`: from this process, from the cache, or compiled now, by the compiler that `begin`
    started if there is one. While it works, `meanwhile` is called.

    Threads that ask for one text at once wait for one compilation and get the same object; different
    texts compile side by side.

    Raises
    ------
    CompilerNotFound
        There is no compiler; ask `available` first.
    CompileError
        The compiler failed, was stopped after ``config.compile_timeout``, or made nothing that loads.
    """
    code = digest(c_text)
    entry = _entries.get(code)
    if entry is not None:
        return entry
    with _lock:
        gate = _gates.setdefault(code, ForkLock())
    with gate:
        entry = _entries.get(code)
        if entry is None:
            entry = _entries[code] = _build(c_text, code, begun, meanwhile)
    with _lock:
        _gates.pop(code, None)
    return entry


def begin() -> Compiling | None:
    """A compiler that starts up while a text is still being made, for `load`; who has it stops it in the end."""
    try:
        return Compiling(find_compiler(), cache_module.current())
    except (ChildFailed, OSError) as error:
        log(1, f"no compiler was started ahead: {error}")  # what there is to say, `load` will
        return None


def find(code: str) -> Entry | None:
    """The entry point of the text with this hash, where it is compiled already; None where it is not, or not whole."""
    entry = _entries.get(code)
    if entry is None:
        entry = _kept(cache_module.current(), _file(find_compiler(), code))
        if entry is not None:
            entry = _entries.setdefault(code, entry)
    return entry


def state(c_text: str) -> str:
    """Where the compiled code of `c_text` is: "loaded" in this process, "cached" on disk, or "absent"."""
    code = digest(c_text)
    if code in _entries:
        return "loaded"
    return "absent" if cache_module.current().get(_file(find_compiler(), code)) is None else "cached"


def _file(compiler: Compiler, code: str) -> str:
    """The name in the cache of the compiled code of a text with this hash."""
    return digest(_ABI, compiler.identity, cpu_identity(), code) + ".so"


def available() -> bool:
    """Whether C can be compiled here; when not, a warning says once that the interpreter answers instead.

    Raises CompilerNotFound when ``FUNCTRANS_CC`` is set to something that does not work.
    """
    try:
        find_compiler()
    except CompilerSettingError:
        raise
    except CompileError as error:
        warn_once("no compiler", f"{error}\nUntil then the NumPy interpreter answers: the same, but slower.")
        return False
    return True


def forget() -> None:
    """Drop the loaded entries, so that the next `load` looks into the cache again."""
    with _lock:
        _entries.clear()


@cache
def _has_maths() -> bool:
    """Whether the C library's functions of mathematics are part of this program, where every library finds them."""
    try:
        return bool(ffi.dlopen(None).sin)
    except (AttributeError, OSError):
        return False


def _kept(store: Cache, name: str) -> Entry | None:
    """The entry point of a library that is in the cache, whole, and loads."""
    path = store.get(name)
    if path is None:
        return None
    try:
        entry = _open(path)
    except OSError as error:
        log(1, f"{path} is rebuilt, as it does not load: {error}")
        return None
    log(1, f"cache hit {name[:12]}")
    return entry


def _build(c_text: str, code: str, begun: Compiling | None, meanwhile: Callable[[], None]) -> Entry:
    compiler = find_compiler()
    store = cache_module.current()
    if config.dump is not None:
        _dump(config.dump, c_text)
    name = _file(compiler, code)
    entry = _kept(store, name)
    if entry is not None:
        return entry
    log(1, f"cache miss {name[:12]}")
    library = compile_c(compiler, c_text, store, has_maths=_has_maths(), begun=begun, meanwhile=meanwhile)
    path = store.put(name, library)
    try:
        return _open(path)
    except OSError as error:
        return _open_elsewhere(library, c_text, compiler, store, os.path.dirname(path), error)


def _open(path: str) -> Entry:
    """Load a library; OSError if it does not load or lacks the entry point."""
    # RTLD_NOW: a missing function must fail here, not when it is called.
    library = ffi.dlopen(path, ffi.RTLD_NOW)
    try:
        return Entry(library)
    except (AttributeError, ffi.error) as error:
        raise OSError(f"it exports no ft_entry: {error}") from error


def _open_elsewhere(
    library: bytes, c_text: str, compiler: Compiler, store: Cache, directory: str, first: OSError
) -> Entry:
    """Load from a temporary directory what `directory` does not load, as when it is mounted noexec."""
    with workspace(store) as elsewhere:
        copy = os.path.join(elsewhere, "entry.so")
        try:
            with open(copy, "wb") as file:
                file.write(library)
            entry = _open(copy)
        except OSError as error:
            trouble = f"made a library that does not load: {error}"
            command = [*compiler.command, *compiler.flags, "entry.c", *compiler.link]
            raise compile_error(command, trouble, "", c_text, store) from error
    store.leave(directory, f"libraries in {directory} do not load ({first})", readable=False)
    return entry


def _dump(directory: str, c_text: str) -> None:
    path = os.path.join(directory, f"{digest(c_text)[:16]}.c")
    try:
        os.makedirs(directory, exist_ok=True)
        write_text(path, c_text)
    except OSError as error:
        warn_once("dump", f"FUNCTRANS_DUMP: {path} cannot be written ({error.strerror or error})")
