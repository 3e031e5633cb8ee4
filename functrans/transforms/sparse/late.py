"""Modules of sparse derivatives that are imported when they are first used.

Nothing is detected or chosen for a problem that an earlier process kept, and few are looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from functrans._lazy import LazyModule

__all__ = [
    "choice",
    "compressed",
    "constant_entries",
    "detection",
    "draw",
    "emission",
    "inlined",
    "lines",
    "method",
    "notebook",
    "operators",
    "plan",
    "probe",
]

if TYPE_CHECKING:
    from functrans.transforms.sparse import (
        choice,
        compressed,
        constant_entries,
        detection,
        draw,
        inlined,
        lines,
        method,
        notebook,
        operators,
        plan,
        probe,
    )
    from functrans.transforms.sparse.direct import emission
else:
    # patterns, methods and their values
    detection = LazyModule("functrans.transforms.sparse.detection")
    constant_entries = LazyModule("functrans.transforms.sparse.constant_entries")
    choice = LazyModule("functrans.transforms.sparse.choice")
    compressed = LazyModule("functrans.transforms.sparse.compressed")
    emission = LazyModule("functrans.transforms.sparse.direct.emission")
    method = LazyModule("functrans.transforms.sparse.method")
    # where values are asked for otherwise, and checked
    inlined = LazyModule("functrans.transforms.sparse.inlined")
    operators = LazyModule("functrans.transforms.sparse.operators")
    probe = LazyModule("functrans.transforms.sparse.probe")
    # what is to be looked at
    draw = LazyModule("functrans.transforms.sparse.draw")
    lines = LazyModule("functrans.transforms.sparse.lines")
    notebook = LazyModule("functrans.transforms.sparse.notebook")
    plan = LazyModule("functrans.transforms.sparse.plan")
