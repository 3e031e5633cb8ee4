"""Functions sent to pools, Ray, MPI and xarray: NumPy's numbers, and at most one compilation a worker."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.runtime import library
from functrans.trace import run

ROOT = Path(__file__).parents[1]
A = np.linspace(-1.0, 1.0, 60).reshape(20, 3)
compiled: list[int] = []


def counting(cache: str) -> None:
    """Let this worker keep its code there, and count what it compiles."""
    ft.config.cache_dir = cache
    real = library.late.compiling.compile_c

    def counted(*args: Any, **options: Any) -> bytes:
        compiled.append(1)
        return real(*args, **options)

    library.late.compiling.compile_c = counted


def chunk(f: Any, x: Any) -> tuple[Any, int, int]:
    return f(x), os.getpid(), len(compiled)


def spread(f: Any, cache: Path, workers: int, chunks: list[Any]) -> tuple[list[Any], dict[int, int]]:
    """The chunks over a new spawn pool, and what each of its workers compiled."""
    with ProcessPoolExecutor(workers, get_context("spawn"), counting, (str(cache),)) as pool:
        found = list(pool.map(chunk, [f] * len(chunks), chunks))
    return [values for values, _, _ in found], {pid: count for _, pid, count in found}


def test_each_worker_of_a_pool_compiles_at_most_once(tmp_path: Path, compiler: None) -> None:
    """Of a lambda for two sizes of chunk, that goes with every chunk: once; with a cache that was copied, never."""
    shift = A[0]
    f = ft.jit(ft.vmap(lambda x: np.cumsum(np.sin(x)) * x.max() + shift))
    chunks = [A[:6], A[6:12], A[12:18], A[18:]] * 3
    wanted = [f(x) for x in chunks]
    found, counts = spread(f, tmp_path / "fresh", 2, chunks)
    np.testing.assert_array_equal(np.concatenate(found), np.concatenate(wanted))
    assert 1 in counts.values() and max(counts.values()) == 1
    shutil.copytree(tmp_path / "fresh", tmp_path / "copy")
    found, counts = spread(f, tmp_path / "copy", 1, chunks[:5])
    np.testing.assert_array_equal(np.concatenate(found), np.concatenate(wanted[:5]))
    assert list(counts.values()) == [0]


def test_what_comes_again_is_opened_once() -> None:
    """Equal bytes are one graph and program, of the last that came; what is large is opened each time."""
    data = [ft.jit(lambda x, k=k: x * k).lower(A).compile() for k in (2, 3)]
    first, second = (run._arrived(_bytes(c)) for c in data)
    assert run._arrived(_bytes(data[0])) is first is not second
    again, other = (pickle.loads(pickle.dumps(c)) for c in (data[0], data[0]))
    assert again.program is other.program is first.shared_program() and again is not other
    np.testing.assert_array_equal(other(A), 2 * A)
    large = ft.jit(lambda x, w=np.zeros(run._SMALL // 8): x.sum() + w).lower(A).compile()
    assert run._arrived(_bytes(large)) is not run._arrived(_bytes(large))
    for k in range(run._ARRIVED):
        run._arrived(_bytes(ft.jit(lambda x, k=k: x + k).lower(A).compile()))
    assert len(run._arrived_last) == run._ARRIVED
    assert run._arrived(_bytes(data[0])) is not first


def _bytes(compiled: Any) -> bytes:
    make, (data,) = compiled.traced.__reduce__()
    assert make is run._arrived
    return data


def test_xarray_over_chunks() -> None:
    xarray, dask = pytest.importorskip("xarray"), pytest.importorskip("dask")
    f = ft.jit(ft.vmap(lambda x, s: np.cumsum(np.sin(x)) * s))
    x = xarray.DataArray(A, dims=("case", "bus")).chunk(case=6)
    s = xarray.DataArray(A[:, 0], dims="case").chunk(case=6)
    with dask.config.set(scheduler="threads", num_workers=2):
        found = xarray.apply_ufunc(
            f, x, s, input_core_dims=[["bus"], []], output_core_dims=[["sum"]], dask="parallelized",
            output_dtypes=[float], dask_gufunc_kwargs={"output_sizes": {"sum": 3}},
        )  # fmt: skip
        assert found.dims == ("case", "sum") and found.chunks is not None
        np.testing.assert_array_equal(found.values, f(A, A[:, 0]))


@pytest.mark.filterwarnings("default")  # theirs
def test_ray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray")
    monkeypatch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    f = ft.jit(ft.vmap(lambda x: np.cumsum(np.sin(x))))
    wanted = f(A)
    f(A[:10])
    environment = {"env_vars": {"PYTHONPATH": str(ROOT), "FUNCTRANS_CACHE_DIR": str(tmp_path / "cache")}}
    ray.init(num_cpus=2, include_dashboard=False, runtime_env=environment, log_to_driver=False)
    try:
        sent, apply = ray.put(f), ray.remote(lambda g, x: g(x))
        found = ray.get([apply.remote(sent, A[:10]), apply.remote(sent, A[10:])])
        np.testing.assert_array_equal(np.concatenate(found), wanted)
    finally:
        ray.shutdown()


RANKS = """
import numpy as np, functrans as ft
from mpi4py import MPI
world, A = MPI.COMM_WORLD, np.linspace(-1.0, 1.0, 60).reshape(20, 3)
f = None
if world.rank == 0:
    f = ft.jit(ft.vmap(lambda x: np.cumsum(np.sin(x))))
    f(A[:10])
f = world.bcast(f)
found = world.gather(f(A[10 * world.rank : 10 * world.rank + 10]))
if world.rank == 0:
    np.testing.assert_array_equal(np.concatenate(found), np.concatenate([f(A[:10]), f(A[10:])]))
    np.testing.assert_allclose(np.concatenate(found), np.cumsum(np.sin(A), axis=1), rtol=1e-14)
    print("same on", world.size)
"""


def test_mpi() -> None:
    pytest.importorskip("mpi4py")
    place = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    mpirun = shutil.which("mpirun", path=place)
    if mpirun is None:
        pytest.skip("there is no mpirun")
    names = ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM")  # of containers
    allowed = dict.fromkeys(names, "1") | {"PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
    command = [mpirun, "-n", "2", sys.executable, "-c", RANKS]
    done = subprocess.run(command, env=os.environ | allowed, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.stdout == "same on 2\n", done.stderr
