"""Results in a Zarr group: one array a column, one chunk of each a task, and a mark for each chunk that is whole."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import zarr
from numpy.typing import NDArray

Columns = Mapping[str, NDArray[Any]]


class Results:
    """The arrays of a run. ``marks[k]`` is the checksum of chunk k, written after it, and 0 as long as it is missing.

    A chunk is a file of each column, which Zarr writes under another name and renames: a kill leaves the old one or the
    new one. So a chunk with a mark is whole, and one without is done again, over whatever is there.
    """

    def __init__(self, path: str, mode: str = "r+") -> None:
        self.path = path
        self.group = zarr.open_group(path, mode=mode)
        self.marks = self.group["marks"]
        self.count, self.chunk = self.group.attrs["count"], self.group.attrs["chunk"]

    @classmethod
    def open(cls, path: str, settings: Mapping[str, Any], columns: Mapping[str, str]) -> Results:
        """The group at a path, made if it is not there; ValueError where it holds another run."""
        group = zarr.open_group(path, mode="a", attributes=None)
        if "settings" not in group.attrs:
            count, chunk = settings["count"], settings["chunk"]
            for name, dtype in columns.items():
                group.create_array(name, shape=(count,), chunks=(chunk,), dtype=dtype, overwrite=True)
            chunks = -(-count // chunk)
            group.create_array("marks", shape=(chunks,), chunks=(1,), dtype="uint32", overwrite=True)
            group.attrs.update({"count": count, "chunk": chunk, "settings": dict(settings)})  # last: all is there
        elif group.attrs["settings"] != dict(settings):
            raise ValueError(f"{path} holds {group.attrs['settings']}, not {dict(settings)}; name another store")
        return cls(path)

    def rows(self, number: int) -> slice:
        """The scenarios of a chunk."""
        return slice(number * self.chunk, min((number + 1) * self.chunk, self.count))

    def missing(self) -> list[int]:
        """The chunks without a mark."""
        return np.flatnonzero(self.marks[:] == 0).tolist()

    def write(self, number: int, columns: Columns) -> None:
        """Write a chunk, and then its mark."""
        for name, values in columns.items():
            self.group[name][self.rows(number)] = values
        self.marks[number] = checksum(columns)

    def damaged(self) -> list[int]:
        """Unmark the chunks that are not what was written, as after a power cut; they are missing from now on."""
        names = sorted(set(self.group.array_keys()) - {"marks"})
        found = []
        for number in np.flatnonzero(self.marks[:]).tolist():
            if checksum({n: self.group[n][self.rows(number)] for n in names}) != self.marks[number]:
                found.append(number)
                self.marks[number] = 0
        return found


@lru_cache(maxsize=4)
def opened(path: str) -> Results:
    """The group of a run that was begun, opened once a worker."""
    return Results(path)


def checksum(columns: Columns) -> int:
    """CRC-32 of all columns in the order of their names; 1 for 0, which is no mark."""
    total = 0
    for name in sorted(columns):
        total = zlib.crc32(np.ascontiguousarray(columns[name]).data, total)
    return total or 1
