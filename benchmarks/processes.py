"""Runs in new processes: seconds of a first result, and of an import, with a cache that is empty or filled."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable

from benchmarks.sides import PEERS, ROOT, Absent, environment

TIMED_IMPORT = "import numpy, time; s = time.perf_counter(); import {}; print(time.perf_counter() - s)"
SIZE = """
import importlib.util, pathlib
total = 0
for name in {}:
    found = importlib.util.find_spec(name)
    here = pathlib.Path(found.origin)
    files = here.parent.rglob('*') if found.submodule_search_locations else [here]
    total += sum(f.stat().st_size for f in files if f.is_file() and '__pycache__' not in f.parts)
print(total)
"""


def python(library: str) -> str:
    """The interpreter that has a library."""
    if library == "functrans":
        return sys.executable
    if not PEERS.exists():
        raise Absent("no environment of peers: make bench-peers")
    return str(PEERS)


def run(library: str, arguments: list[str], cache: str | None = None, timeout: float = 120.0) -> float:
    """The number that a process prints last; Absent where it fails or takes too long."""
    variables = environment(1, library == "functrans") | ({} if cache is None else {"FUNCTRANS_CACHE_DIR": cache})
    command = [python(library), *arguments]
    try:
        found = subprocess.run(
            command, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=timeout, check=False
        )
    except subprocess.TimeoutExpired:
        raise Absent(f"over {timeout:.0f} s") from None
    if found.returncode != 0:
        raise Absent((found.stderr.strip().splitlines() or ["failed"])[-1])
    return float(json.loads(found.stdout.strip().splitlines()[-1]))


def median(measure: Callable[[], float], times: int) -> float:
    """The median of some runs."""
    return statistics.median(measure() for _ in range(times))


def first(kind: str, library: str, size: int, times: int = 3) -> float:
    """Seconds until the first result, each in a new process with an empty cache."""

    def once() -> float:
        with tempfile.TemporaryDirectory(prefix="benchmark") as cache:
            return run(library, ["-m", "benchmarks.fresh", kind, library, str(size)], cache)

    return median(once, times)


def warm(kind: str, size: int, times: int = 3) -> float:
    """The same where a process before it filled the cache."""
    with tempfile.TemporaryDirectory(prefix="benchmark") as cache:
        arguments = ["-m", "benchmarks.fresh", kind, "functrans", str(size)]
        run("functrans", arguments, cache)
        return median(lambda: run("functrans", arguments, cache), times)


def libraries(extents: int) -> int:
    """How many shared libraries one function leaves in an empty cache when it runs at so many batch extents."""
    with tempfile.TemporaryDirectory(prefix="benchmark") as cache:
        return int(run("functrans", ["-m", "benchmarks.fresh", "batches", "functrans", str(extents)], cache))


def importing(library: str, times: int = 7) -> float:
    """Seconds of an import after that of NumPy."""
    return median(lambda: run(library, ["-c", TIMED_IMPORT.format(library)]), times)


def size(library: str, packages: list[str]) -> float:
    """Bytes that packages take, without compiled Python."""
    return run(library, ["-c", SIZE.format(packages)])
