"""Private scratch directories: where they are made, which places turned out to be full, what killed processes left.

The name of a directory, or of a file that is being written, says which process made it. So what belongs to a process
that has ended is told from what is in use, on the same system; from other systems, which may share a disk or a
temporary directory, it is told by its age.
"""

from __future__ import annotations

import errno
import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache

from functrans._lazy import hashlib, shutil
from functrans.config import config
from functrans.debug import log
from functrans.errors import CompileError

__all__ = ["NoPlace", "is_abandoned", "make_directory", "remove_tree", "sweep", "token", "was_full"]

_ROOM = 1 << 20  # bytes: what a small compilation writes
_FULL = ("No space left on device", "Disk quota exceeded")  # as compilers say it in the locale C
_MADE = re.compile(r"(?:functrans-(?:cc-)?|\.new-)(?:(?P<host>[0-9a-f]{8})-(?P<pid>\d{1,10})-)?[0-9a-f]{16}")
_OLD = 24 * 3600.0  # seconds, after which a directory of another system is taken for abandoned
_OLD_FILE = 3600.0  # a file is written in far less

_full: set[str] = set()  # places without room for what a compiler writes


class NoPlace(CompileError):
    """There is nowhere to write compiled code, or to load it from: the interpreter answers."""


def make_directory(prefix: str, *more: str, wanted: str | None = None) -> str:
    """A new directory of this user alone, where temporary files go, or in ``more``; in ``wanted`` alone if given.

    Raises OSError.  (tempfile does the same, and takes as long to import as a compiler to start.)
    """
    trouble = OSError(errno.ENOENT, "no directory for temporary files")
    for place in (*config.temporary_directories(), *more) if wanted is None else (wanted,):
        if place in _full:
            trouble = OSError(errno.ENOSPC, _FULL[0], place)
            continue
        path = os.path.join(place, prefix + token())
        try:
            os.mkdir(path, 0o700)
        except OSError as error:
            trouble = error
        else:
            return path
    raise trouble


def was_full(directory: str, said: str = "") -> bool:
    """Whether work in a scratch directory failed for want of room, by what was ``said`` or by trying; the place that
    it was made in is then passed over from now on.
    """
    place = os.path.dirname(directory)
    if place in _full:
        return True
    if not any(words in said for words in _FULL):
        path = os.path.join(directory, "room")
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                written = os.write(descriptor, bytes(_ROOM))
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
                os.unlink(path)
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO):
                return False
        else:
            if written == _ROOM:
                return False
    log(1, f"{place} is full; scratch files go elsewhere")
    _full.add(place)
    return True


def token() -> str:
    """A name that nobody else has, or guesses, and that tells which process made it."""
    return f"{_system()}-{os.getpid()}-{os.urandom(8).hex()}"


@cache
def _system() -> str:
    """What tells this start of this machine, and the processes seen here, from others."""
    parts = []
    with suppress(OSError), open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        parts.append(file.read())
    with suppress(OSError):
        parts.append(os.readlink("/proc/self/ns/pid"))
    if not parts:
        parts = list(os.uname()) if hasattr(os, "uname") else [os.name]
    return str(hashlib.sha256("\n".join(parts).encode()).hexdigest()[:8])


def is_abandoned(name: str, status: os.stat_result) -> bool:
    """Whether a file or directory was made by functrans, in a process that has ended."""
    made = _MADE.fullmatch(name)
    if made is None:
        return False
    if made["host"] == _system():
        return not _runs(int(made["pid"]))
    age = time.time() - status.st_mtime
    return age > (_OLD_FILE if name.startswith(".new-") else _OLD)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def sweep(*more: str) -> None:
    """Remove the scratch directories, and files that were being written, of processes that have ended."""
    for place in dict.fromkeys((*config.temporary_directories(), *more)):
        for path, is_directory in list(_abandoned_in(place)):
            log(1, f"{path} was left by a process that has ended, and is removed")
            if is_directory:
                remove_tree(path)
            else:
                with suppress(OSError):
                    os.unlink(path)


def _abandoned_in(place: str) -> Iterator[tuple[str, bool]]:
    with suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            if not entry.name.startswith(("functrans-", ".new-")):
                continue
            with suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                mine = not hasattr(os, "getuid") or status.st_uid == os.getuid()
                if mine and not entry.is_symlink() and is_abandoned(entry.name, status):
                    yield entry.path, entry.is_dir(follow_symlinks=False)


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
