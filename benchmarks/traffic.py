"""Memory traffic of mapped functions by cachegrind, beside what their schedule says: ``python -m benchmarks.traffic``.

Each row runs twice under valgrind's simulation of a cache of 256 KB, with few calls and with many. The lines that the
calls in which they differ miss, times their 64 bytes, are the bytes that they move; a written line counts
where it is fetched.
Valgrind knows no vectors of 512 bits, so the code is compiled for AVX2 here. Nothing is timed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import functrans as ft
from benchmarks.case import LINE, Array, empty
from benchmarks.cases.logsumexp import logsumexp
from benchmarks.cases.softmax import softmax

BATCH, M = 8_000, 64
CALLS = (2, 42)
ROWS = {"softmax": softmax, "logsumexp": logsumexp}
_COMPILER = '#!/bin/sh\nexec gcc "$@" -march=haswell\n'


def child(name: str, calls: int) -> None:
    """Call the mapped function so many times."""
    x, f = batch(), ft.jit(ft.vmap(ROWS[name]))
    out = empty(f(x).shape)
    for _ in range(calls):
        f(x, out=out)


def batch() -> Array:
    """The argument: larger than the simulated cache."""
    x = empty((BATCH, M))
    x[...] = np.random.default_rng(0).normal(size=x.shape)
    return x


def misses(name: str, calls: int, folder: str) -> tuple[int, int]:
    """Lines that were missed by reads and by writes in a process of so many calls."""
    run = [sys.executable, "-m", "benchmarks.traffic", name, str(calls)]
    command = ["valgrind", "--tool=cachegrind", "--cache-sim=yes", "--LL=262144,16,64"]
    command += ["--cachegrind-out-file=/dev/null", *run]
    compiler = Path(folder) / "cc"
    compiler.write_text(_COMPILER)
    compiler.chmod(0o700)
    settings = {"FUNCTRANS_CC": str(compiler), "FUNCTRANS_CACHE_DIR": folder, "FUNCTRANS_THREADS": "1"}
    subprocess.run(run, env=os.environ | settings, check=True)  # compiles
    done = subprocess.run(command, env=os.environ | settings, capture_output=True, text=True)
    found = re.search(r"LL misses:\s+[\d,]+\s+\(\s*([\d,]+) rd\s+\+\s+([\d,]+) wr\)", done.stderr)
    if found is None:
        raise RuntimeError(f"cachegrind of {name} failed:\n{done.stderr[-2000:]}")
    reads, writes = (int(g.replace(",", "")) for g in found.groups())
    return reads, writes


def main() -> int:
    """Print both for each row; 1 if a row moves more than 5 % beyond what its schedule says."""
    failed = 0
    for name, f in ROWS.items():
        spent = ft.jit(ft.vmap(f)).lower(batch()).cost()
        with tempfile.TemporaryDirectory() as folder:
            few, many = (misses(name, calls, folder) for calls in CALLS)
        read, written = (LINE * (b - a) // (CALLS[1] - CALLS[0]) for a, b in zip(few, many))
        print(f"{name}: reads {read} bytes, by its schedule {spent.bytes_read}; "
              f"writes {written}, by its schedule {spent.bytes_written}", flush=True)  # fmt: skip
        failed += read > 1.05 * spent.bytes_read + 65536 or written > 1.05 * spent.bytes_written + 65536
    return int(failed > 0)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        child(sys.argv[1], int(sys.argv[2]))
    else:
        sys.exit(main())
