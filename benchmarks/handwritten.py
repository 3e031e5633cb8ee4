"""Compile and call the hand-written C of ``limits/``: the physical bound of a row, on one thread or on two."""

from __future__ import annotations

import ctypes
import hashlib
import os
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.case import Array, Build, aligned, results

HERE = Path(__file__).parent
FLAGS = ("-Ofast", "-march=native", "-mprefer-vector-width=512", "-fopenmp-simd", "-fPIC", "-shared", "-nostartfiles")
# -nostartfiles: the start-up code of -Ofast would turn off subnormal numbers for the whole process.


class Limit:
    """One evaluation of a C function ``void name(double *const *arrays, const long *sizes)``.

    Called, it runs once; ``repeat(k)`` runs k times in a loop that is C itself, so no call from Python is timed.
    """

    def __init__(
        self, source: str, name: str, arrays: Sequence[Array], sizes: Sequence[int], out: Any, rows: int | None = None
    ) -> None:
        library = ctypes.CDLL(str(compiled(source, rows)))
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


class Together:
    """Limits that run at once, each on a thread that stays on a processor of its own.

    They wait for each other at the end of ``repeat`` alone: no hand-over of work between two runs is in their time.
    """

    def __init__(self, parts: Sequence[Limit]) -> None:
        self._parts = parts
        self._threads = [ThreadPoolExecutor(1, initializer=_stay, initargs=(k,)) for k in range(len(parts))]

    def repeat(self, times: int) -> None:
        """Run so many times."""
        for running in [t.submit(p.repeat, times) for t, p in zip(self._threads, self._parts)]:
            running.result()

    def __call__(self) -> Any:
        """Run once; what was written, in one piece."""
        self.repeat(1)
        found = tuple(np.concatenate(pieces) for pieces in zip(*(results(p()) for p in self._parts)))
        return found if len(found) > 1 else found[0]


def _stay(k: int) -> None:
    """Keep this thread on the k-th processor there is."""
    if hasattr(os, "sched_setaffinity"):
        there = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {there[k % len(there)]})


def halves(build: Callable[..., Limit], whole: Sequence[int] = ()) -> Build:
    """A limit on two threads, each with half of the rows of the arguments, but for those that both need ``whole``."""

    def both(*arguments: Array) -> Together:
        middle = len(arguments[0]) // 2
        cuts = slice(None, middle), slice(middle, None)
        return Together([
            build(*(a if k in whole else aligned(a[cut]) for k, a in enumerate(arguments))) for cut in cuts
        ])  # fmt: skip

    return both


def limit(
    source: str, arrays: Sequence[Array], sizes: Sequence[int], out: Any, *, name: str = "limit",
    rows: int | None = None,
) -> Limit:  # fmt: skip
    """The function of ``limits/<source>.c`` on these arrays, of which ``out`` holds what it writes; ``rows`` is what
    that file is told that N is.
    """
    if any(not a.flags.c_contiguous for a in arrays):
        raise ValueError(f"{source}.c takes arrays in C order")
    return Limit(source, name, arrays, sizes, out, rows)


def compiled(source: str, rows: int | None = None) -> Path:
    """The shared library of one file, compiled where its text, the headers or the compiler are new."""
    compiler = os.environ.get("CC", "gcc")
    version = subprocess.run([compiler, "--version"], capture_output=True, check=True).stdout
    text = b"".join((HERE / "limits" / f).read_bytes() for f in (f"{source}.c", "vecmath.h", "repeat.h"))
    flags = FLAGS if rows is None else (*FLAGS, f"-DN={rows}")
    key = hashlib.sha256(text + version + " ".join(flags).encode()).hexdigest()[:16]
    target = HERE / ".build" / f"{source}-{key}.so"
    if not target.exists():
        target.parent.mkdir(exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=target.parent, suffix=".so", delete=False) as made:
            command = [compiler, *flags, str(HERE / "limits" / f"{source}.c"), "-lm", "-o", made.name]
        subprocess.run(command, check=True)
        os.replace(made.name, target)
    return target
