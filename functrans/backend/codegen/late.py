"""Modules of code generation that are imported when they are first used: most programs have no loops of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from functrans._lazy import LazyModule

__all__ = ["batch", "known", "regions", "sparse"]

if TYPE_CHECKING:
    from functrans.backend.codegen.regions import batch, known
    from functrans.backend.codegen.regions import lowering as regions
    from functrans.backend.sparse import routine as sparse
else:
    # loops that stay loops
    regions = LazyModule("functrans.backend.codegen.regions.lowering")
    known = LazyModule("functrans.backend.codegen.regions.known")
    batch = LazyModule("functrans.backend.codegen.regions.batch")
    # factorizations of a known pattern
    sparse = LazyModule("functrans.backend.sparse.routine")
