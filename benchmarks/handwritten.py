"""Compile and call the hand-written C of ``limits/``: the physical bound of a row."""

from __future__ import annotations

import ctypes
import hashlib
import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.case import Array

HERE = Path(__file__).parent
FLAGS = ("-Ofast", "-march=native", "-mprefer-vector-width=512", "-fopenmp-simd", "-fPIC", "-shared", "-nostartfiles")
# -nostartfiles: the start-up code of -Ofast would turn off subnormal numbers for the whole process.


class Limit:
    """One evaluation of a C function ``void name(double *const *arrays, const long *sizes)``.

    Called, it runs once; ``repeat(k)`` runs k times in a loop that is C itself, so no call from Python is timed.
    """

    def __init__(self, source: str, name: str, arrays: Sequence[Array], sizes: Sequence[int], out: Any) -> None:
        library = ctypes.CDLL(str(compiled(source)))
        self._repeat = library.repeat
        self._repeat.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long]
        self._repeat.restype = None
        self._function = ctypes.cast(getattr(library, name), ctypes.c_void_p)
        self._arrays = (ctypes.c_void_p * len(arrays))(*[a.ctypes.data for a in arrays])
        self._sizes = (ctypes.c_long * len(sizes))(*sizes)
        self._kept, self._out = arrays, out

    def repeat(self, times: int) -> None:
        """Run so many times."""
        self._repeat(self._function, self._arrays, self._sizes, times)

    def __call__(self) -> Any:
        """Run once; what was written."""
        self.repeat(1)
        return self._out


def limit(source: str, arrays: Sequence[Array], sizes: Sequence[int], out: Any, *, name: str = "limit") -> Limit:
    """The function of ``limits/<source>.c`` on these arrays, of which ``out`` holds what it writes."""
    if any(not a.flags.c_contiguous for a in arrays):
        raise ValueError(f"{source}.c takes arrays in C order")
    return Limit(source, name, arrays, sizes, out)


def compiled(source: str) -> Path:
    """The shared library of one file, compiled where its text, the headers or the compiler are new."""
    compiler = os.environ.get("CC", "gcc")
    version = subprocess.run([compiler, "--version"], capture_output=True, check=True).stdout
    text = b"".join((HERE / "limits" / f).read_bytes() for f in (f"{source}.c", "vecmath.h", "repeat.h"))
    key = hashlib.sha256(text + version + " ".join(FLAGS).encode()).hexdigest()[:16]
    target = HERE / ".build" / f"{source}-{key}.so"
    if not target.exists():
        target.parent.mkdir(exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=target.parent, suffix=".so", delete=False) as made:
            command = [compiler, *FLAGS, str(HERE / "limits" / f"{source}.c"), "-lm", "-o", made.name]
        subprocess.run(command, check=True)
        os.replace(made.name, target)
    return target
