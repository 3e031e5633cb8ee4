"""Modules that few programs use, imported when they are: a program that is compiled already waits for its imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from functrans._lazy import LazyModule

__all__ = ["fft", "files", "functions", "linalg", "loops", "multi", "notebook", "scipy_special", "special", "vmap"]

if TYPE_CHECKING:
    from functrans import numpy as functions
    from functrans.backend.domains import multi
    from functrans.numpy import fft, linalg
    from functrans.scipy import special as scipy_special
    from functrans.tensor import files, special
    from functrans.transforms.loops import while_loop as loops
    from functrans.transforms.vmap import mapped as vmap
    from functrans.viz import notebook
else:
    # what NumPy's functions do on Tensors
    functions = LazyModule("functrans.numpy")
    fft = LazyModule("functrans.numpy.fft")
    linalg = LazyModule("functrans.numpy.linalg")
    special = LazyModule("functrans.tensor.special")
    scipy_special = LazyModule("functrans.scipy.special")
    # loops of a number of rounds of their own
    loops = LazyModule("functrans.transforms.loops.while_loop")
    vmap = LazyModule("functrans.transforms.vmap.mapped")
    # thread domains and files
    files = LazyModule("functrans.tensor.files")
    multi = LazyModule("functrans.backend.domains.multi")
    # what a notebook shows
    notebook = LazyModule("functrans.viz.notebook")
