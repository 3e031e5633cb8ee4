"""What is found out about a compiler, and kept on disk for other processes."""

from __future__ import annotations

import os
from typing import NamedTuple

from functrans.backend.runtime.flags import FAMILIES

__all__ = ["Known", "stamp_of"]

_RECORD = "compiler 2"


class Known(NamedTuple):
    """What is found out about a compiler, and kept; ``behind`` is the program that does the work, where the command is
    a wrapper that tells it, with its time and size.
    """

    version: str
    family: str
    flags: tuple[str, ...]
    direct: tuple[str, ...]
    takes_pipe: bool
    behind: str

    def written(self) -> bytes:
        """As lines of text."""
        rows = (self.version, self.family, "\0".join(self.flags), "\0".join(self.direct), str(self.takes_pipe))
        return "\n".join((_RECORD, *rows, self.behind)).encode()

    @classmethod
    def read(cls, record: bytes) -> Known:
        """Back from the text; ValueError where it is none of these."""
        kind, version, family, flags, direct, takes_pipe, behind = record.decode().split("\n")
        if kind != _RECORD or family not in FAMILIES or takes_pipe not in ("True", "False"):
            raise ValueError("no record of a compiler")
        words = [tuple(w.split("\0")) if w else () for w in (flags, direct)]
        return cls(version, family, words[0], words[1], takes_pipe == "True", behind)


def stamp_of(path: str) -> str:
    """Path, time and size of a program; nothing where it is gone."""
    try:
        status = os.stat(path)
    except OSError:
        return ""
    return f"{os.path.realpath(path)}:{status.st_mtime_ns}:{status.st_size}"
