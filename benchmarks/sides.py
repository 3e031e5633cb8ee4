"""The sides of a row as seen by the one who times them: a process each, or in this process for a quick check."""

from __future__ import annotations

import os
import pickle
import select
import subprocess
import sys
from pathlib import Path
from typing import Any, Protocol

from benchmarks.case import Absent as Absent
from benchmarks.case import Array, Case, results
from benchmarks.worker import build, seconds

ROOT = Path(__file__).resolve().parents[1]
PEERS = ROOT / "benchmarks" / ".venv-peers" / "bin" / "python"
OWN = ("ours", "in_axes-0", "by-hand", "limit", "limit-two", "numpy")  # sides that need no environment of the peers
ONE_THREAD = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "CPU_COUNT", "FUNCTRANS_THREADS",
)  # fmt: skip


class Side(Protocol):
    """One side, built: seconds of one run among ``times``, its result, the seconds until the first one."""

    first: float

    def run(self, times: int) -> float: ...

    def result(self) -> list[Array]: ...

    def close(self) -> None: ...


class Local:
    """A side in this process."""

    def __init__(self, case: Case, side: str, size: int) -> None:
        self._run, self.first = build(case, side, size)

    def run(self, times: int) -> float:
        return seconds(self._run, times)

    def result(self) -> list[Array]:
        return results(self._run())

    def close(self) -> None:
        """Nothing is held."""


class Remote:
    """A side in a process of its own, with ``threads`` threads on as many cores."""

    def __init__(self, case: Case, side: str, size: int, threads: int = 1, timeout: float = 120.0) -> None:
        python = sys.executable if side in OWN else str(PEERS)
        if not Path(python).exists():
            raise Absent("no environment of peers: make bench-peers")
        self._timeout = timeout
        self._process = subprocess.Popen(
            [python, "-m", "benchmarks.worker", case.name, side, str(size)], cwd=ROOT,
            env=environment(threads, side in OWN),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(self._process.pid, sorted(os.sched_getaffinity(0))[-threads:])
        kind, value = self._answer()
        if kind == "absent":
            self.close()
            raise Absent(value)
        self.first = value

    def _answer(self) -> tuple[str, Any]:
        assert self._process.stdout is not None
        if not select.select([self._process.stdout], [], [], self._timeout)[0]:
            self._process.kill()
            self.close()
            raise Absent(f"over {self._timeout:.0f} s")
        try:
            return pickle.load(self._process.stdout)  # type: ignore[no-any-return]
        except EOFError:
            self.close()
            raise Absent(f"ended with status {self._process.returncode}") from None

    def _ask(self, *request: Any) -> Any:
        assert self._process.stdin is not None
        pickle.dump(request, self._process.stdin)
        self._process.stdin.flush()
        return self._answer()[1]

    def run(self, times: int) -> float:
        return float(self._ask("run", times))

    def result(self) -> list[Array]:
        return list(self._ask("result"))

    def close(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def environment(threads: int, own: bool = False) -> dict[str, str]:
    """The environment in which a library uses so many threads; its ``own`` modules are compiled once, as an
    installation does it and a checkout may be told not to.
    """
    pinned = {name: str(threads) for name in ONE_THREAD}
    xla = "" if threads > 1 else "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    more = {"XLA_FLAGS": xla, "JAX_ENABLE_X64": "1", "JAX_PLATFORMS": "cpu", "DEV": "CPU", "PYTHONPATH": str(ROOT)}
    found = {**os.environ, **pinned, **more}
    if own:
        found.pop("PYTHONDONTWRITEBYTECODE", None)
        found["PYTHONPYCACHEPREFIX"] = str(ROOT / "benchmarks" / ".build" / "bytecode")
    return found
