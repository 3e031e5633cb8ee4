"""Where an entry point stands, for compiled code that calls it: it may be changed while that runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans.backend.runtime.library import Entry

__all__ = ["Address"]


class Address(np.ndarray[Any, np.dtype[np.int64]]):
    """The address of an entry point, and all entry points that it has been: a thread may be in one that it was."""

    _entries: list[Entry]

    @staticmethod
    def of(entry: Entry) -> Address:
        """That of an entry point."""
        made = np.empty(1, np.int64).view(Address)
        made._entries = []
        made.point(entry)
        return made

    def point(self, entry: Entry) -> None:
        """Calls from now on go to this one."""
        if entry not in self._entries:
            self._entries.append(entry)
        self[0] = entry.address
