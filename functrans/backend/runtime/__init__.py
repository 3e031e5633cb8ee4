"""Compile C, keep it, load it, call it."""

from __future__ import annotations

from functrans.backend.runtime.library import Entry, available, load

__all__ = ["Entry", "available", "load"]
