"""Compiled code on disk, found by the hash of everything that went into it.

A file is written under a temporary name, synced and renamed, so that readers and other processes see all
of it or nothing, and no lock is needed: two processes that write one name write the same thing.  Its last
bytes are the SHA-256 of its name and of the rest, checked before the file is used, because loading a truncated
library kills the process, and a library under another's name gives wrong numbers.  No trouble with the directory
stops a computation: there is one warning, and a private temporary directory takes over.  The directory is bounded:
files that were used longest ago go.
"""

from __future__ import annotations

import atexit
import os
import re
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from functrans._lazy import hashlib
from functrans._locks import ForkLock
from functrans.backend.runtime.scratch import (
    NoPlace,
    make_directory,
    remove_tree,
    sweep,
    token,
)
from functrans.config import config
from functrans.debug import log, warn_once
from functrans.errors import refuse_descriptors

__all__ = ["Cache", "current", "digest", "end_workspace", "make_workspace", "workspace"]

_MAGIC = b"FTv2"
_EARLIER = b"FTv1"
_OURS = re.compile(r"[0-9a-f]{64}\.[a-z.]+|failed-[0-9a-f]{16}\.c|\.new-[\w-]+")  # names of files that are made here
_KEPT_PART = 0.9  # of the largest size, where files have to go: not one by one at each file that is written
_TRAILER = 32 + len(_MAGIC)


def digest(*parts: str) -> str:
    """SHA-256 of `parts` as hex; where one part ends and the next begins counts.

    >>> digest("ab", "c") == digest("a", "bc")
    False
    """
    state = hashlib.sha256()
    for part in parts:
        data = part.encode()
        state.update(len(data).to_bytes(8, "little"))
        state.update(data)
    return state.hexdigest()


class Cache:
    """A directory of checked files, with a private temporary directory to fall back on.

    `wanted` is the directory to use, or None when the user has no home.  It must be a directory of this
    user, not a symbolic link, that nobody else may write to: loading a library runs its code.
    """

    def __init__(self, wanted: str | None) -> None:
        self._lock = ForkLock()
        self._readable: list[str] = []
        self._size: int | None = None  # bytes, as far as this process knows
        self._tended = False
        self.trouble = ""
        """Why the directory that is wanted is not used; empty where it is."""
        self.unusable = ""
        """Why nothing can be loaded that is kept here or in any other place; empty as long as that was not seen."""
        trouble = "neither XDG_CACHE_HOME nor HOME names a directory" if wanted is None else _refusal(wanted)
        if wanted is not None and not trouble:
            self.directory = wanted
            self._readable.append(wanted)
        else:
            self._use_temporary(trouble)
            _tell(trouble)

    def get(self, name: str) -> str | None:
        """The path of the file `name` if it is there and whole; a damaged one is removed, with a warning."""
        found = self._found(name)
        return None if found is None else found[0]

    def read(self, name: str) -> bytes | None:
        """What was stored as `name`, or None."""
        found = self.view(name)
        return None if found is None else bytes(found)

    def view(self, name: str) -> memoryview | None:
        """The same, not copied once more."""
        found = self._found(name)
        return None if found is None else memoryview(found[1])[:-_TRAILER]

    def _found(self, name: str) -> tuple[str, bytes] | None:
        """The path and the bytes, read once: another process may remove the file at any time."""
        for directory in self._readable:
            path = os.path.join(directory, name)
            try:
                data = _bytes(path)
            except OSError as error:
                refuse_descriptors(error, f"reading {path}")
                continue
            if _whole(data, name):
                _used(path)
                return path, data
            _remove(path)
            if data.endswith(_EARLIER):
                log(1, f"{path} is of an earlier release; made anew")
                continue
            warn_once("damaged", f"the cached file {path} is damaged (a full disk or a crash?); made anew")
        return None

    def put(self, name: str, *parts: bytes | memoryview) -> str:
        """Store the parts, one after the other, as `name` and return its path; the temporary directory if it cannot be
        written here. Nothing is copied.

        Raises CompileError when that cannot be written either.
        """
        sealed = [*parts, _seal(name, *parts)]
        directory = self.directory
        try:
            return self._written(directory, name, sealed)
        except OSError as error:
            refuse_descriptors(error, f"writing {os.path.join(directory, name)}")
            trouble = f"{directory} cannot be written ({error.strerror or error})"
            self.leave(directory, trouble, told=False)
        try:
            path = self._written(self.directory, name, sealed)
        except OSError as error:
            raise NoPlace(
                f"compiled code cannot be stored: {self.directory} cannot be written "
                f"({error.strerror or error}); free some space, or set FUNCTRANS_CACHE_DIR to a directory "
                "of yours"
            ) from error
        _tell(trouble)  # now that it is so: where nothing can be written, something else is to be said
        return path

    def _written(self, directory: str, name: str, sealed: Sequence[bytes | memoryview]) -> str:
        path = _write(directory, name, sealed)
        self._size = None if self._size is None else self._size + sum(memoryview(part).nbytes for part in sealed)
        if self._size is None or self._size > config.cache_max_size:
            self.bound(path)
        return path

    def bound(self, newest: str = "") -> None:
        """Remove the files that were used longest ago, but not the ``newest``, if all are more than may be kept."""
        files = self._files_by_age()
        size = sum(n for _, _, n in files)
        most = config.cache_max_size
        if size > most:
            for _, path, n in files:
                if path != newest and size > _KEPT_PART * most:
                    log(1, f"{path} goes: the cache holds more than {most} bytes")
                    with suppress(OSError):  # another process has removed it
                        os.unlink(path)
                    size -= n
        self._size = size

    def tend(self) -> None:
        """Sweep what killed processes left, and keep the bound; done while a compiler works, once a process."""
        if not self._tended:
            self._tended = True
            sweep(self.directory)
            self.bound()

    def files(self) -> list[tuple[str, int]]:
        """The files that the directory holds, with their bytes; those of others that lie there are not counted."""
        return sorted((path, size) for _, path, size in self._files_by_age())

    def _files_by_age(self) -> list[tuple[int, str, int]]:
        """The same with the time of the last use in front, the oldest first."""
        found = []
        with suppress(OSError), os.scandir(self.directory) as entries:
            for entry in entries:
                with suppress(OSError):  # one that has just gone
                    if _OURS.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                        status = entry.stat(follow_symlinks=False)
                        found.append((status.st_mtime_ns, entry.path, status.st_size))
        return sorted(found)

    def clear(self) -> tuple[int, int]:
        """Remove them: how many, and how many bytes. Code that is loaded goes on running; it is compiled anew later."""
        found = self.files()
        for path, _ in found:
            _remove(path)
        return len(found), sum(size for _, size in found)

    def leave(
        self, directory: str, trouble: str, *, readable: bool = True, place: str | None = None, told: bool = True
    ) -> None:
        """Turn from `directory` to a temporary one, in ``place`` if that is given; `readable`: what the old one holds
        is still good; ``told``: with the warning.
        """
        with self._lock:
            if self.directory != directory:
                return  # another thread has done it
            if not readable:
                self._readable.clear()
            self._use_temporary(trouble, place)
        if told:
            _tell(trouble)

    def _use_temporary(self, trouble: str, place: str | None = None) -> None:
        try:
            self.directory = make_directory("functrans-", wanted=place)
        except OSError as error:
            raise NoPlace(
                f"compiled code cannot be stored: {trouble}, and no temporary directory can be made "
                f"({error.strerror or error}); set FUNCTRANS_CACHE_DIR or TMPDIR to a directory of yours"
            ) from error
        self._readable.insert(0, self.directory)
        self.trouble = trouble
        self._size = None
        atexit.register(_remove_own, self.directory, os.getpid())
        log(1, f"cache in {self.directory}: {trouble}")


def _tell(trouble: str) -> None:
    warn_once(
        "cache directory",
        f"no lasting cache: {trouble}; compiled code goes to a temporary directory and is lost at exit. "
        "Set FUNCTRANS_CACHE_DIR to a directory that only you can write",
    )


@contextmanager
def workspace(cache: Cache) -> Iterator[str]:
    """A private scratch directory for one run of the compiler; nothing of it is left afterwards."""
    path, made_by = make_workspace(cache), os.getpid()
    try:
        yield path
    finally:
        end_workspace(path, made_by)


def make_workspace(cache: Cache) -> str:
    """The same, for `end_workspace` to remove.

    Raises NoPlace where it cannot be made anywhere.
    """
    try:
        return make_directory("functrans-cc-", cache.directory)
    except OSError as error:
        raise NoPlace(
            f"there is no place for the files of the C compiler ({error.strerror or error}); free some space, or set "
            "TMPDIR to a directory of yours"
        ) from error


def end_workspace(path: str, made_by: int) -> None:
    """Remove a scratch directory, unless this is a fork of the process that made it, which may be at work in it."""
    if os.getpid() == made_by and os.path.isdir(path):
        remove_tree(path)


def _refusal(directory: str) -> str:
    """Make `directory` if it is not there; why it must not be used, or an empty string."""
    try:
        os.makedirs(os.path.dirname(directory), exist_ok=True)
        with suppress(FileExistsError):
            os.mkdir(directory, mode=0o700)
        status = os.lstat(directory)
    except OSError as error:
        return f"{directory} cannot be made or read ({error.strerror or error})"
    if stat.S_ISLNK(status.st_mode):
        return f"{directory} is a symbolic link"
    if not stat.S_ISDIR(status.st_mode):
        return f"{directory} is not a directory"
    if hasattr(os, "getuid") and status.st_uid != os.getuid():
        return f"{directory} belongs to another user"
    if os.name == "posix" and status.st_mode & 0o022:
        return f"{directory} can be written by others (chmod go-w would make it safe)"
    return ""


def _whole(sealed: bytes, name: str) -> bool:
    body = memoryview(sealed)[: max(len(sealed) - _TRAILER, 0)]
    return sealed[len(body) :] == _seal(name, body)


def _seal(name: str, *body: bytes | memoryview) -> bytes:
    """What ends a file: its name counts, so that a file under the name of another is not taken for it."""
    state = hashlib.sha256(len(name.encode()).to_bytes(8, "little") + name.encode())
    for part in body:
        state.update(part)
    return state.digest() + _MAGIC


def _used(path: str) -> None:
    """Note that a file is used now; where that cannot be written, the order is that of writing."""
    now = time.time_ns()
    with suppress(OSError):
        os.utime(path, ns=(now, now))


def _bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _write(directory: str, name: str, sealed: Sequence[bytes | memoryview]) -> str:
    """Write a file so that its name never stands for a part of it, not even after a power cut."""
    temporary = os.path.join(directory, f".new-{token()}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(sealed)
            file.flush()
            os.fsync(file.fileno())
        path = os.path.join(directory, name)
        os.replace(temporary, path)
    except OSError:
        _remove(temporary)
        raise
    return path


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        log(1, f"{path} could not be removed")


def _remove_own(directory: str, pid: int) -> None:
    """Remove a temporary directory at exit, unless this is a fork of the process that made it."""
    if os.getpid() == pid:
        remove_tree(directory)


_lock = ForkLock()
_current: dict[str | None, Cache] = {}


def current() -> Cache:
    """The cache of this process under the present settings."""
    wanted = config.cache_dir
    if wanted is None:
        home = config.user_cache_home()
        wanted = None if home is None else os.path.join(home, "functrans")
    with _lock:
        cache = _current.get(wanted)
        if cache is None:
            cache = _current[wanted] = Cache(wanted)
        return cache
