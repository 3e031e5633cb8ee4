"""Compiled code on disk, found by the hash of everything that went into it.

A file is written under a temporary name, synced and renamed, so that readers and other processes see all
of it or nothing, and no lock is needed: two processes that write one name write the same thing.  Its last
bytes are the SHA-256 of the rest, checked before the file is used, because loading a truncated library
kills the process.  No trouble with the directory stops a computation: there is one warning, and a private
temporary directory takes over.
"""

from __future__ import annotations

import atexit
import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from functrans._lazy import hashlib, shutil
from functrans.backend.runtime.locks import ForkLock
from functrans.config import config
from functrans.debug import log, warn_once
from functrans.errors import CompileError

__all__ = ["Cache", "current", "digest", "make_workspace", "remove_tree", "workspace"]

_MAGIC = b"FTv1"
_OURS = re.compile(r"[0-9a-f]{64}\.[a-z.]+|failed-[0-9a-f]{16}\.c|\.new-\w+")  # names of files that are made here
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
        trouble = "neither XDG_CACHE_HOME nor HOME names a directory" if wanted is None else _refusal(wanted)
        if wanted is not None and not trouble:
            self.directory = wanted
            self._readable.append(wanted)
        else:
            self._use_temporary(trouble)

    def get(self, name: str) -> str | None:
        """The path of the file `name` if it is there and whole; a damaged one is removed, with a warning."""
        found = self._found(name)
        return None if found is None else found[0]

    def read(self, name: str) -> bytes | None:
        """What was stored as `name`, or None."""
        found = self._found(name)
        return None if found is None else found[1][:-_TRAILER]

    def _found(self, name: str) -> tuple[str, bytes] | None:
        """The path and the bytes, read once: another process may remove the file at any time."""
        for directory in self._readable:
            path = os.path.join(directory, name)
            try:
                data = _bytes(path)
            except OSError:
                continue
            if _whole(data):
                return path, data
            _remove(path)
            warn_once("damaged", f"the cached file {path} is damaged (a full disk or a crash?); made anew")
        return None

    def put(self, name: str, data: bytes) -> str:
        """Store `data` as `name` and return its path; the temporary directory if it cannot be written here.

        Raises CompileError when that cannot be written either.
        """
        sealed = data + hashlib.sha256(data).digest() + _MAGIC
        directory = self.directory
        try:
            return _write(directory, name, sealed)
        except OSError as error:
            self.leave(directory, f"{directory} cannot be written ({error.strerror or error})")
        try:
            return _write(self.directory, name, sealed)
        except OSError as error:
            raise CompileError(
                f"compiled code cannot be stored: {self.directory} cannot be written "
                f"({error.strerror or error}); free some space, or set FUNCTRANS_CACHE_DIR to a directory "
                "of yours"
            ) from error

    def files(self) -> list[tuple[str, int]]:
        """The files that the directory holds, with their bytes; those of others that lie there are not counted."""
        found = []
        with suppress(OSError):
            for entry in os.scandir(self.directory):
                if _OURS.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                    found.append((entry.path, entry.stat(follow_symlinks=False).st_size))
        return sorted(found)

    def clear(self) -> tuple[int, int]:
        """Remove them: how many, and how many bytes. Code that is loaded goes on running; it is compiled anew later."""
        found = self.files()
        for path, _ in found:
            _remove(path)
        return len(found), sum(size for _, size in found)

    def leave(self, directory: str, trouble: str, *, readable: bool = True) -> None:
        """Turn from `directory` to a temporary one; `readable`: what the old one holds is still good."""
        with self._lock:
            if self.directory != directory:
                return  # another thread has done it
            if not readable:
                self._readable.clear()
            self._use_temporary(trouble)

    def _use_temporary(self, trouble: str) -> None:
        try:
            self.directory = _temporary("functrans-")
        except OSError as error:
            raise CompileError(
                f"compiled code cannot be stored: {trouble}, and no temporary directory can be made "
                f"({error.strerror or error}); set FUNCTRANS_CACHE_DIR or TMPDIR to a directory of yours"
            ) from error
        self._readable.insert(0, self.directory)
        atexit.register(_remove_own, self.directory, os.getpid())
        log(1, f"cache in {self.directory}: {trouble}")
        warn_once(
            "cache directory",
            f"no lasting cache: {trouble}; compiled code goes to a temporary directory and is lost at exit. "
            "Set FUNCTRANS_CACHE_DIR to a directory that only you can write",
        )


@contextmanager
def workspace(cache: Cache) -> Iterator[str]:
    """A private scratch directory for one run of the compiler; nothing of it is left afterwards."""
    path = make_workspace(cache)
    try:
        yield path
    finally:
        remove_tree(path)


def make_workspace(cache: Cache) -> str:
    """The same, for `remove_tree` to remove.

    Raises OSError.
    """
    return _temporary("functrans-cc-", cache.directory)


def _temporary(prefix: str, *more: str) -> str:
    """A new directory of this user alone, where temporary files go; in `more` if that is full or missing.

    Raises OSError.  (tempfile does the same, and takes as long to import as a compiler to start.)
    """
    trouble = OSError(errno.ENOENT, "no directory for temporary files")
    for place in (*config.temporary_directories(), *more):
        path = os.path.join(place, prefix + _token())
        try:
            os.mkdir(path, 0o700)
        except OSError as error:
            trouble = error
        else:
            return path
    raise trouble


def _token() -> str:
    """A name that nobody else has, or guesses."""
    return os.urandom(8).hex()


def remove_tree(path: str) -> None:
    """Remove a directory of mostly files, with all that can be removed."""
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    os.unlink(entry.path)
        os.rmdir(path)
    except OSError as error:
        log(1, f"{path} could not be removed: {error}")


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


def _whole(sealed: bytes) -> bool:
    body = memoryview(sealed)[: max(len(sealed) - _TRAILER, 0)]
    return sealed[len(body) :] == hashlib.sha256(body).digest() + _MAGIC


def _bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _write(directory: str, name: str, sealed: bytes) -> str:
    """Write a file so that its name never stands for a part of it, not even after a power cut."""
    temporary = os.path.join(directory, f".new-{_token()}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(sealed)
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
