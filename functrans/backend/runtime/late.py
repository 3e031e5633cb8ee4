"""What compiles, imported where something is to be compiled: a program whose code is in the cache needs none of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from functrans._lazy import LazyModule

__all__ = ["compiling"]

if TYPE_CHECKING:
    from functrans.backend.runtime import compiling
else:
    compiling = LazyModule("functrans.backend.runtime.compiling")
