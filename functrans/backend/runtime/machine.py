"""What this machine can do at its best: memory bandwidth and arithmetic, measured once and kept in the cache.

Source: S. Williams, A. Waterman, D. Patterson, "Roofline: an insightful visual performance model for multicore
architectures", Communications of the ACM 52 (2009); the kernel that moves memory is the triad of J. McCalpin's STREAM.
"""

from __future__ import annotations

import math
import pkgutil
import platform
import threading
import time
from typing import Any

import numpy as np

from functrans._lazy import json
from functrans._locks import ForkLock
from functrans._records import as_dict, record
from functrans.backend.runtime import cache as cache_module
from functrans.backend.runtime.cache import digest
from functrans.backend.runtime.flags import cpu_identity
from functrans.backend.runtime.library import Entry, load
from functrans.backend.runtime.toolchain import find_compiler
from functrans.debug import log, warn_once
from functrans.errors import CompileError

__all__ = ["Machine", "machine"]

_ELEMENTS = (1 << 10, 1 << 13, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 10 << 20)  # of each of three arrays
_SECONDS = 0.01  # of one measurement
_BEST_OF = 6
_VECTORS = 12  # sums in machine.c
_FILE = "machine.json"


@record
class Machine:
    """What some threads can do at their best: operations a second, and bytes a second by the bytes that are touched."""

    name: str
    threads: int
    flops64: float
    flops32: float
    bandwidth: tuple[tuple[int, float], ...]

    def bandwidth_at(self, size: int) -> float:
        """Bytes a second for work on so many bytes, between the sizes that were measured; constant beyond them.

        >>> m = Machine("", 1, 1e9, 2e9, ((1000, 8e9), (100000, 2e9)))
        >>> m.bandwidth_at(10), m.bandwidth_at(10000), m.bandwidth_at(10**9)
        (8000000000.0, 4000000000.0, 2000000000.0)
        """
        at = [math.log(b) for b, _ in self.bandwidth]
        rate = [math.log(r) for _, r in self.bandwidth]
        return round(float(math.exp(np.interp(math.log(max(size, 1)), at, rate))), 3)


_known: dict[tuple[str, int], Machine] = {}
_lock = ForkLock()


def machine(threads: int = 1, *, again: bool = False) -> Machine:
    """What this many threads can do here: from the cache, or measured now, which takes about a second.

    Raises CompilerNotFound where there is no compiler.
    """
    store = cache_module.current()
    name = digest("machine", _text(), cpu_identity(), find_compiler().identity, str(threads)) + "." + _FILE
    with _lock:
        found = None if again else _known.get((name, threads))
        if found is None:
            found = None if again else _kept(store, name)
            if found is None:
                found = _measure(threads)
                try:
                    store.put(name, json.dumps(as_dict(found)).encode())
                except CompileError as error:
                    log(1, f"what was measured is not kept: {error}")
            _known[name, threads] = found
    return found


def _kept(store: cache_module.Cache, name: str) -> Machine | None:
    """What was measured earlier; None where nothing is kept, or nothing that makes sense."""
    data = store.read(name)
    if data is None:
        return None
    try:
        return _read(data)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        warn_once("machine", f"the cached measurements {name} make no sense ({error}); measured anew")
        return None


def _read(data: bytes) -> Machine:
    facts = json.loads(data)
    numbers = {key: float(facts[key]) for key in ("flops64", "flops32")}
    bandwidth = tuple((int(size), float(rate)) for size, rate in facts["bandwidth"])
    if not bandwidth or min(*numbers.values(), *(x for pair in bandwidth for x in pair)) <= 0:
        raise ValueError("rates are above 0")
    return Machine(str(facts["name"]), int(facts["threads"]), **numbers, bandwidth=bandwidth)


def processor() -> str:
    """The name of the processor, as the system tells it."""
    for line in cpu_identity().splitlines():
        if line.startswith(("model name=", "uarch=")):
            return line.partition("=")[2]
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            lines = file.read(16_384).splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.lower().startswith(("model name", "hardware"))]
    return named[0] if named else platform.processor() or platform.machine()


def _text() -> str:
    data = pkgutil.get_data(__package__, "machine.c")
    assert data is not None  # it is part of the package, like every module of it
    return data.decode()


def _measure(threads: int) -> Machine:
    start = time.perf_counter()
    entry = load(_text())
    out = [np.zeros(2) for _ in range(threads)]
    nothing = np.zeros(1)
    _at_once(entry, 1, [[nothing] * 3 + [o] for o in out], 1, 0)
    rates = {}
    for what, item in ((1, 8), (2, 4)):
        arrays = [[nothing] * 3 + [o] for o in out]
        flops = 2 * _VECTORS * out[0][1] / item
        rates[what] = threads * float(flops) * _best(entry, what, arrays, 0)
    bandwidth = []
    for elements in _ELEMENTS:
        n = max(elements // threads, 64)
        arrays = [[np.zeros(n), np.ones(n), np.ones(n), o] for o in out]
        size = threads * 24 * n
        bandwidth.append((size, size * _best(entry, 0, arrays, n)))
    for k in range(len(bandwidth) - 2, -1, -1):  # what is slower than more bytes are was disturbed
        bandwidth[k] = bandwidth[k][0], max(bandwidth[k][1], bandwidth[k + 1][1])
    log(1, f"measured this machine with {threads} threads in {time.perf_counter() - start:.1f} s")
    return Machine(processor(), threads, rates[1], rates[2], tuple(bandwidth))


def _best(entry: Entry, what: int, arrays: list[list[np.ndarray[Any, Any]]], n: int) -> float:
    """Rounds a second, the best of a few measurements that are long enough to be told from nothing."""
    rounds = 1
    while (spent := _at_once(entry, what, arrays, rounds, n)) < _SECONDS / 4:
        rounds = max(2 * rounds, min(int(rounds * _SECONDS / max(spent, 1e-7)), 1000 * rounds))
    return rounds / min(spent, *(_at_once(entry, what, arrays, rounds, n) for _ in range(_BEST_OF)))


def _at_once(entry: Entry, what: int, arrays: list[list[np.ndarray[Any, Any]]], rounds: int, n: int) -> float:
    """Seconds until the last of the threads, one for each list of arrays, is done with its rounds."""
    sizes = [what, rounds, n]
    if len(arrays) == 1:
        start = time.perf_counter()
        entry(arrays[0], sizes)
        return time.perf_counter() - start
    gate = threading.Barrier(len(arrays) + 1)
    ends: list[float] = []

    def work(mine: list[np.ndarray[Any, Any]]) -> None:
        try:
            gate.wait()
        except threading.BrokenBarrierError:
            return
        entry(mine, sizes)  # the GIL is released
        ends.append(time.perf_counter())

    workers = [threading.Thread(target=work, args=(mine,), daemon=True) for mine in arrays]
    try:
        for w in workers:
            w.start()
    except RuntimeError:  # no thread can be had: one after the other, which is all that can be done here
        gate.abort()
        start = time.perf_counter()
        for mine in arrays:
            entry(mine, sizes)
        return time.perf_counter() - start
    gate.wait()
    start = time.perf_counter()
    for w in workers:
        w.join()
    return max(ends) - start
