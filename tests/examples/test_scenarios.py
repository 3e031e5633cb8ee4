"""Runs in chunks: exactly what is missing is done, none lost and none twice, whatever is killed or full."""

from __future__ import annotations

import errno
import io
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

pytest.importorskip("pypower")
pytest.importorskip("zarr")

import zarr
from pypower.case9 import case9
from scipy.sparse.linalg import spsolve

from examples.power_flow import grid as grids
from examples.power_flow.equations import power_balance
from examples.power_flow.newton import Newton
from examples.power_flow.reference import reference_jacobian
from examples.scenarios.bar import Bar
from examples.scenarios.job import PowerFlows
from examples.scenarios.run import Stopped, processes, run, solve_chunk
from examples.scenarios.store import Results, checksum

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Squares:
    """A job that costs nothing: k and k squared."""

    columns: ClassVar[dict[str, str]] = {"k": "i8", "square": "f8"}
    count: int = 37
    chunk: int = 3

    @property
    def settings(self) -> dict[str, Any]:
        return {"count": self.count, "chunk": self.chunk}

    def solve(self, number: int) -> dict[str, Any]:
        k = np.arange(number * self.chunk, min(self.count, (number + 1) * self.chunk))
        return {"k": k, "square": k**2.0}


def logged(log: str, die: int | None, pause: float, path: str, job: Squares, number: int) -> int:
    """Note that a chunk is begun; the first time that it is ``die``, the worker is killed on the way."""
    again = os.path.exists(log) and number in begun(log)
    with open(log, "a") as file:
        print(number, file=file)
    time.sleep(pause)
    if number == die and not again:
        os.kill(os.getpid(), signal.SIGKILL)
    return solve_chunk(path, job, number)


def begun(log: str | Path) -> list[int]:
    return list(map(int, Path(log).read_text().split()))


def check(path: Path, job: Squares) -> None:
    results = Results(str(path))
    assert results.missing() == results.damaged() == []
    np.testing.assert_array_equal(results.group["k"][:], np.arange(job.count))
    np.testing.assert_array_equal(results.group["square"][:], np.arange(job.count) ** 2.0)


def threads() -> Executor:
    return ThreadPoolExecutor(2)


def test_a_run_its_parts_and_what_was_there(tmp_path: Path) -> None:
    path, job = tmp_path / "a.zarr", Squares()
    assert sorted(run(str(path), job, threads, 2, part=(1, 3))) == [1, 4, 7, 10]
    assert sorted(run(str(path), job, threads, 2)) == [0, 2, 3, 5, 6, 8, 9, 11, 12]
    assert run(str(path), job, threads, 2) == []
    check(path, job)
    with pytest.raises(ValueError, match=r"holds .*'count': 37.*name another store"):
        run(str(path), Squares(38), threads, 2)


def test_a_damaged_chunk_is_done_again(tmp_path: Path) -> None:
    path, job = str(tmp_path / "a.zarr"), Squares()
    run(path, job, threads, 2)
    Results(path).group["square"][7] = -1.0
    assert Results(path).damaged() == [2]
    assert run(path, job, threads, 2) == [2]
    check(tmp_path / "a.zarr", job)
    assert checksum({"a": np.zeros(0)}) == 1  # never what stands for missing


def test_row_70_a_full_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, job = tmp_path / "a.zarr", Squares()
    Results.open(str(path), job.settings, job.columns)
    store = zarr.storage.LocalStore
    real, left = store.set, [12]

    async def full(self: Any, key: str, value: Any) -> None:
        if left[0] == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        left[0] -= 1
        await real(self, key, value)

    with monkeypatch.context() as patched:
        patched.setattr(store, "set", full)
        with pytest.raises(Stopped, match=r"a\.zarr cannot be written \(No space.*\d of 13 chunks are there"):
            run(str(path), job, lambda: ThreadPoolExecutor(1), 1)
    missing = Results(str(path)).missing()
    assert missing == list(range(4, 13))  # three files a chunk
    assert sorted(run(str(path), job, threads, 2)) == missing
    check(path, job)


def test_row_70_a_killed_worker(tmp_path: Path) -> None:
    """Its pool breaks and another takes over: what was under way is begun twice, what was done is not."""
    path, log, job = tmp_path / "a.zarr", tmp_path / "log", Squares()
    did = run(str(path), job, partial(processes, 1), 1, partial(logged, str(log), 5, 0.0))
    assert sorted(did) == list(range(13))
    assert Counter(begun(log)) == Counter([*range(13), 5])
    check(path, job)


def test_row_70_pools_that_always_break(tmp_path: Path) -> None:
    def broken() -> Executor:
        return ThreadPoolExecutor(1, initializer=lambda: 1 / 0)

    with pytest.raises(Stopped, match="3 pools broke without a chunk done"):
        run(str(tmp_path / "a.zarr"), Squares(), broken, 1)


def long_run(path: str, log: str) -> None:
    """The run that is killed."""
    run(path, Squares(), partial(processes, 2), 2, partial(logged, log, None, 0.1))


def until(true: Callable[[], Any]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end, "it does not come true"
        time.sleep(0.02)


def test_row_70_a_killed_run(tmp_path: Path) -> None:
    """Killed without a chance to tidy up, workers and all; the next one does exactly what is missing."""
    path, log, job = tmp_path / "a.zarr", tmp_path / "log", Squares()
    Results.open(str(path), job.settings, job.columns)
    code = f"from tests.examples.test_scenarios import long_run; long_run({str(path)!r}, {str(log)!r})"
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stderr=subprocess.PIPE) as killed:
        assert killed.stderr is not None
        until(lambda: len(Results(str(path)).missing()) <= 10)
        killed.kill()
        assert "chunks" in killed.stderr.read().decode()  # up to its end: the workers hold it as well, and end
    missing = Results(str(path)).missing()
    assert 0 < len(missing) <= 10
    before = begun(log)
    assert sorted(run(str(path), job, threads, 2, partial(logged, str(log), None, 0.0))) == missing
    assert sorted(begun(log)[len(before) :]) == missing
    check(path, job)


def test_a_bar() -> None:
    stream = io.StringIO()
    bar = Bar(20, 10, stream)
    assert bar.line() == f"[{'#' * 20}{'.' * 20}] 10 of 20 chunks"
    for _ in range(10):
        bar.step()
    lines = stream.getvalue().splitlines()
    assert len(lines) == 6 and lines[-1] == f"[{'#' * 40}] 20 of 20 chunks"
    assert "11 of 20 chunks, " in lines[0] and lines[0].endswith(" left")


def test_power_flows_are_those_of_newton(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(grids.CASES, 9, case9)
    monkeypatch.setattr("examples.scenarios.job.BLOCK", 2)  # of chunks of three: what is left over is cut
    job = PowerFlows(buses=9, count=7, chunk=3)
    path = str(tmp_path / "a.zarr")
    assert sorted(run(path, job, lambda: ThreadPoolExecutor(1), 1)) == [0, 1, 2]
    found, grid = Results(path).group, grids.read_grid(9)
    residual, angles = power_balance(grid), grid.free_angle.size
    for number in range(3):
        factors = np.random.default_rng((0, number)).uniform(0.8, 1.2, (3, 9))
        for k in range(min(3, 7 - 3 * number)):
            p = grid.injections(factors[k] * grid.load)
            newton = Newton(partial(residual, injections=p), partial(reference_jacobian, 9, grid), spsolve)
            x = newton.run(grid.start(), lambda iteration: None).x
            at = 3 * number + k
            angle, magnitude = grid.voltage(x)
            assert abs(found["lowest_voltage"][at] - x[angles:].min()) < 1e-9
            assert abs(magnitude[found["lowest_bus"][at]] - x[angles:].min()) < 1e-9
            assert abs(found["widest_angle"][at] - np.abs(angle[grid.source] - angle[grid.target]).max()) < 1e-9
            assert 1 <= found["iterations"][at] <= 5
