"""From C text to a Python callable, compiled at most once a machine and loaded at most once a process.

Every translation unit exports one function, ``ft_entry``, which returns 0 on success, and AGAIN where it is to be
called again: between two calls Python handles signals. ``call.h`` describes it; ``scripts/make_abi.py`` makes
``_abi.py`` of that, for cffi. C of an algorithm's own need not take the last argument.
"""

from __future__ import annotations

import errno
import os
import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from functrans._locks import ForkLock
from functrans._recent import keep, recall
from functrans.backend.runtime import cache as cache_module
from functrans.backend.runtime import late
from functrans.backend.runtime._abi import ffi
from functrans.backend.runtime.cache import Cache, digest, end_workspace
from functrans.backend.runtime.child import ChildFailed
from functrans.backend.runtime.flags import cpu_identity
from functrans.backend.runtime.protocol import AGAIN
from functrans.backend.runtime.scratch import NoPlace, make_directory
from functrans.backend.runtime.toolchain import Compiler, CompilerSettingError, find_compiler, write_text
from functrans.config import config
from functrans.debug import log, warn_once
from functrans.errors import CompilerNotFound, refuse_descriptors

if TYPE_CHECKING:
    from functrans.backend.runtime.compiling import Compiling

__all__ = ["Entry", "NoPlace", "available", "begin", "find", "give_up", "load", "state"]

_ABI = "ft_entry 2"

_from_buffer = ffi.from_buffer


class Entry:
    """The entry point of one compiled translation unit."""

    __slots__ = ("__weakref__", "_library", "function")
    pointer: Callable[..., Any] = staticmethod(ffi.from_buffer)  # the address of an array, which it keeps alive

    def __init__(self, library: Any) -> None:
        self._library = library  # the function is gone once this is collected
        self.function: Callable[[Any, Any, Any], int] = library.ft_entry

    def __call__(
        self, arrays: Sequence[np.ndarray[Any, Any]], sizes: Sequence[int], pool: int = 0, threads: int = 1
    ) -> int:
        """Run the compiled code on `arrays`, with the GIL released, and return its status.

        `arrays` are C-contiguous NumPy arrays (ValueError otherwise) of the dtypes and extents that the C
        was written for: nothing is checked here.  Read-only arrays and arrays of size 0 are fine; whether
        the C writes to an array is the caller's care.  Work is shared by `threads` where `pool` is the address of
        what does that.
        """
        return self.through(list(map(_from_buffer, arrays)), sizes, self.begin(pool, threads))

    def through(self, buffers: Sequence[Any], sizes: Any, call: Any) -> int:
        """Call `function` until it has come to its end."""
        status = AGAIN
        while status == AGAIN:  # what a signal asks for is done here, between two calls
            status = self.function(buffers, sizes, call)
        return status

    @staticmethod
    def begin(pool: int = 0, threads: int = 1, marks: Any = ffi.NULL) -> Any:
        """The last argument of `function`, in the beginning; ``marks`` is the array for times of code that notes them,
        which the caller keeps.
        """
        pointer = marks if marks is ffi.NULL else ffi.cast("long long *", ffi.from_buffer(marks))
        return ffi.new("ft_call *", (ffi.cast("ft_pool *", pool), threads, (-1, 0), pointer))

    @property
    def address(self) -> int:
        """Where the function lies in memory."""
        return int(ffi.cast("uintptr_t", ffi.addressof(self._library, "ft_entry")))

    @staticmethod
    def integers(values: Sequence[int]) -> Any:
        """The second argument of `function`, made once for many calls."""
        return ffi.new("long long[]", list(values) or 1)


_LOADED = 256  # libraries that stay loaded though no function that can be called needs them
_entries: OrderedDict[str, Entry] = OrderedDict()  # by the hash of the text, and the compiler that was asked for
_alive: weakref.WeakValueDictionary[str, Entry] = weakref.WeakValueDictionary()  # those, and all that are in use
_lock = ForkLock()
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
        The compiler failed, was stopped after ``config.compile_timeout``, or made nothing that loads; `NoPlace` where
        there is nowhere to load anything from.
    """
    code = digest(c_text)
    entry = _loaded(code)
    if entry is not None:
        return entry
    with _lock:
        gate = _gates.setdefault(code, ForkLock())
    with gate:
        entry = _loaded(code)
        if entry is None:
            entry = _keep(code, _build(c_text, code, begun, meanwhile))
    with _lock:
        _gates.pop(code, None)
    return entry


def _loaded(code: str) -> Entry | None:
    """The entry point of a text that is loaded, whoever holds it; it counts as used now."""
    name = _name(code)
    entry = recall(_entries, name)
    if entry is None:
        entry = _alive.get(name)
        if entry is not None:
            keep(_entries, name, entry, _LOADED)
    return entry


def _name(code: str) -> str:
    """What is loaded from the text with this hash: other compilers may round sums of products otherwise."""
    return f"{config.cc or ''} {code}"


def _keep(code: str, entry: Entry) -> Entry:
    """What has been loaded, or what another thread has loaded meanwhile. A library is closed when it is neither among
    those used last nor held by anything that can be called or runs.
    """
    name = _name(code)
    return keep(_entries, name, _alive.setdefault(name, entry), _LOADED)


def begin() -> Compiling | None:
    """A compiler that starts up while a text is still being made, for `load`; who has it stops it in the end."""
    try:
        return late.compiling.Compiling(find_compiler(), cache_module.current())
    except (ChildFailed, NoPlace, OSError) as error:
        log(1, f"no compiler was started ahead: {error}")  # what there is to say, `load` will
        return None


def find(code: str) -> Entry | None:
    """The entry point of the text with this hash, where it is compiled already; None where it is not, or not whole."""
    entry = _loaded(code)
    if entry is None:
        entry = _kept(cache_module.current(), _file(find_compiler(), code))
        if entry is not None:
            entry = _keep(code, entry)
    return entry


def state(c_text: str) -> str:
    """Where the compiled code of `c_text` is: "loaded" in this process, "cached" on disk, or "absent"."""
    code = digest(c_text)
    if _name(code) in _alive:
        return "loaded"
    return "absent" if cache_module.current().get(_file(find_compiler(), code)) is None else "cached"


def _file(compiler: Compiler, code: str) -> str:
    """The name in the cache of the compiled code of a text with this hash."""
    return digest(_ABI, compiler.identity, cpu_identity(), code) + ".so"


def available() -> bool:
    """Whether C can be compiled, kept and loaded here; when not, a warning says once that the interpreter answers.

    Raises CompilerNotFound when ``FUNCTRANS_CC`` is set to something that does not work, CompileError where no file
    descriptor is left.
    """
    try:
        find_compiler()
        trouble = cache_module.current().unusable
    except CompilerSettingError:
        raise
    except (CompilerNotFound, NoPlace) as error:
        trouble = error.message
    if trouble:
        warn_once("no compiler", f"{trouble}\nUntil then the NumPy interpreter answers: the same, but slower.")
    return not trouble


def give_up(error: NoPlace) -> None:
    """Let the interpreter answer from now on, as there is no place for compiled code."""
    with suppress(NoPlace):  # `available` meets that again
        cache_module.current().unusable = error.message


def forget() -> None:
    """Drop the loaded entries, so that the next `load` looks into the cache again."""
    _entries.clear()
    _alive.clear()


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
    made = late.compiling.compile_c
    library = made(compiler, c_text, store, has_maths=_has_maths(), begun=begun, meanwhile=meanwhile)
    path = ""
    try:
        path = store.put(name, library)
        return _open(path)
    except (NoPlace, OSError) as error:
        return _open_elsewhere(library, c_text, compiler, store, path, error)


def _open(path: str) -> Entry:
    """Load a library; OSError if it does not load or lacks the entry point, CompileError if no descriptor is left."""
    # RTLD_NOW: a missing function must fail here, not when it is called.
    try:
        library = ffi.dlopen(path, ffi.RTLD_NOW)
    except OSError as error:
        if os.strerror(errno.EMFILE) in str(error):  # the loader has no errno
            refuse_descriptors(OSError(errno.EMFILE, str(error)), f"loading {path}")
        raise
    try:
        return Entry(library)
    except (AttributeError, ffi.error) as error:
        raise OSError(f"it exports no ft_entry: {error}") from error


def _open_elsewhere(
    library: bytes, c_text: str, compiler: Compiler, store: Cache, path: str, first: Exception
) -> Entry:
    """Load from a temporary directory what did not load from `path`, as when that is mounted noexec, or could not be
    written there.

    Raises NoPlace where no place lets code be loaded, CompileError where what was compiled is no library.
    """
    directory, last = os.path.dirname(path), first
    refused = isinstance(first, NoPlace) or _is_refused(directory, first)
    for place in config.temporary_directories():
        try:
            entry = _open_in(place, library)
        except OSError as error:
            last, refused = error, refused and _is_refused(place, error)
            continue
        if os.path.isfile(path):  # it has not just been removed, by another process
            trouble = f"libraries in {directory} do not load ({first})"
            store.leave(directory, trouble, readable=False, place=place)
        return entry
    if refused:
        raise NoPlace(
            f"compiled code cannot be loaded from {directory or 'the cache'}, nor from a temporary directory ({last}); "
            "set FUNCTRANS_CACHE_DIR or TMPDIR to a directory with free space on a disk that is not mounted noexec"
        ) from last
    failure = ChildFailed(f"made a library that does not load: {last}")
    command = [*compiler.command, *compiler.flags, "entry.c", *compiler.link]
    raise late.compiling.compile_error(command, failure, c_text, store) from last


def _open_in(place: str, library: bytes) -> Entry:
    """Load a library from a scratch directory, which is gone afterwards; OSError."""
    directory = make_directory("functrans-cc-", wanted=place)
    try:
        path = os.path.join(directory, "entry.so")
        with open(path, "wb") as file:
            file.write(library)
        return _open(path)
    finally:
        end_workspace(directory, os.getpid())


def _is_refused(place: str, error: Exception) -> bool:
    """Whether a library could not be written, or not be loaded, for where it lies and not for what it is."""
    if isinstance(error, OSError) and error.errno is not None:
        return True
    with suppress(OSError, AttributeError):  # no such directory, or system
        if os.statvfs(place).f_flag & os.ST_NOEXEC:
            return True
    return any(words in str(error) for words in _REFUSALS)


_REFUSALS = ("failed to map segment", os.strerror(errno.EPERM), os.strerror(errno.EACCES), os.strerror(errno.ENOENT))


def _dump(directory: str, c_text: str) -> None:
    path = os.path.join(directory, f"{digest(c_text)[:16]}.c")
    try:
        os.makedirs(directory, exist_ok=True)
        write_text(path, c_text)
    except OSError as error:
        warn_once("dump", f"FUNCTRANS_DUMP: {path} cannot be written ({error.strerror or error})")
