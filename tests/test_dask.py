"""`ft.dask` on arrays here and on workers: the numbers of NumPy, one compilation for all, killed workers."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("default")  # theirs

A = np.linspace(-1.0, 1.0, 60).reshape(20, 3)


def element(x: Any, s: Any) -> Any:
    return np.cumsum(np.sin(x)) * s


def wanted(a: Any, s: Any) -> Any:
    return ft.vmap(element)(a, s)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    os.environ["FUNCTRANS_CACHE_DIR"] = str(tmp_path_factory.mktemp("cache"))
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
    with cluster, distributed.Client(cluster) as made:
        yield made


def arrays() -> tuple[Any, Any]:
    return da.from_array(A, chunks=(6, 3)), da.from_array(A[:, 0], chunks=6)


def test_a_gufunc_in_this_process() -> None:
    x, s = arrays()
    with dask.config.set(scheduler="synchronous"):
        found = ft.dask.apply_gufunc(element, "(n),()->(n)", x, s)
        np.testing.assert_array_equal(found.compute(), wanted(A, A[:, 0]))
        np.testing.assert_array_equal(ft.dask.map_blocks(np.sin, x, dtype=float).compute(), ft.jit(np.sin)(A))
    with pytest.raises(ft.ArgumentError, match="one result"):
        ft.dask.apply_gufunc(element, "(n),()->()", x, s)
    with pytest.raises(ft.ArgumentError, match="for 1 arrays"):
        ft.dask.apply_gufunc(element, "(n),()->(n)", x)


def test_values_of_a_sparse_jacobian_and_lambdas() -> None:
    J = ft.spjacobian(lambda x: x[1:] * x[:-1])
    x = da.from_array(A, chunks=(7, 3))
    with dask.config.set(scheduler="synchronous"):
        found = ft.dask.apply_gufunc(J.values, "(n)->(k)", x)
        assert found.shape == (20, 4)
        np.testing.assert_array_equal(found.compute(), ft.vmap(J.values)(A))


def test_workers_share_what_is_compiled(client: Any) -> None:
    x, s = arrays()
    found = ft.dask.apply_gufunc(element, "(n),()->(n)", x, s)
    np.testing.assert_array_equal(client.compute(found).result(), wanted(A, A[:, 0]))
    cache = Path(next(iter(client.run(os.getenv, "FUNCTRANS_CACHE_DIR").values())))
    made = sorted(cache.glob("*.so"))
    again = ft.dask.apply_gufunc(element, "(n),()->(n)", x + 1, s)
    client.compute(again).result()
    assert made and sorted(cache.glob("*.so")) == made


def test_a_killed_workers_chunks_are_done_again(client: Any) -> None:
    x, s = da.from_array(np.tile(A, (200, 1)), chunks=(20, 3)), da.from_array(np.tile(A[:, 0], 200), chunks=20)
    running = client.compute(ft.dask.apply_gufunc(element, "(n),()->(n)", x, s))
    os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
    np.testing.assert_array_equal(running.result(), np.tile(wanted(A, A[:, 0]), (200, 1)))
