"""Modules of the transforms that are imported when they are first used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from functrans._lazy import LazyModule

__all__ = ["graph"]

if TYPE_CHECKING:
    from functrans.transforms import graph
else:
    graph = LazyModule("functrans.transforms.graph")  # what is to be looked at
