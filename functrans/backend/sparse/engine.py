"""The C that factors and solves: loops for all patterns, or written out for one that there is enough work for."""

from __future__ import annotations

from collections import OrderedDict

from functrans._recent import keep, recall
from functrans.backend.runtime.library import Entry
from functrans.backend.runtime.native import native
from functrans.backend.sparse.native import text_of
from functrans.backend.sparse.residual import Residual
from functrans.backend.sparse.straight import MOST, kernels
from functrans.config import config
from functrans.ops.sparse_systems import Symbolic

__all__ = ["WORK", "engine", "form"]

WORK = 20_000_000
"""Products that are done by loops before code for one pattern is written: a tenth of what compiling it takes."""
_KEPT = 64
_done: OrderedDict[str, list[int]] = OrderedDict()
_entries: OrderedDict[tuple[str, str, bool], Entry] = OrderedDict()  # by compiler too: another one may fuse otherwise


def engine(s: Symbolic, residual: Residual, turned: bool, systems: int) -> Entry | None:
    """The entry point of numeric.c for one more call with so many systems; None where there is no compiler.

    Both forms do the same operations in the same order: which one runs is not to be seen in a result.
    """
    if s.products > MOST or systems == 1:  # one alone is always done by loops
        return _loops()
    count = keep(_done, s.key, [0], _KEPT)
    count[0] += systems * s.products
    if count[0] < WORK:
        return _loops()
    key = config.cc or "", s.key, turned
    entry = recall(_entries, key)
    if entry is None:
        entry = _compiled(kernels(s, residual, turned))
        if entry is None:
            return _loops()
        keep(_entries, key, entry, _KEPT)
    return entry


def _loops() -> Entry | None:
    key = config.cc or "", "", False
    entry = recall(_entries, key)
    if entry is None:
        entry = _compiled(text_of("loops.c"))
        if entry is not None:
            keep(_entries, key, entry, _KEPT)
    return entry


def _compiled(kernels: str) -> Entry | None:
    many, one = (text_of("systems.c").replace("/* KERNELS */", text) for text in (kernels, text_of("loops.c")))
    text = text_of("numeric.c").replace("/* SYSTEMS */", text_of("pattern.c") + many.replace("_Y(", "_8("))
    return native(text.replace("/* ONE SYSTEM */", one.replace("_Y(", "_1(")), "sparse linear algebra")


def form(s: Symbolic) -> str:
    """Which C factors matrices of a pattern, in words."""
    if s.products > MOST:
        return "loops over the pattern, eight systems at a time"
    return f"loops, after {-(-WORK // max(s.products, 1))} systems written out, eight systems at a time"
