"""`ft.dask` on arrays here and on workers: the numbers of NumPy, one compilation for all, killed workers."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.runtime import library

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
        both = da.from_array(A[:5], chunks=(2, 3)), da.from_array(A.reshape(4, 5, 3), chunks=(2, 2, 3))
        found = ft.dask.apply_gufunc(lambda a, b: np.concatenate([a * b.sum(), b]), "(n),(m)->(k)", *both)
        assert found.shape == (4, 5, 6) and found.numblocks == (2, 3, 1)
        A3 = A.reshape(4, 5, 3)
        np.testing.assert_allclose(found.compute(), np.concatenate([A[:5] * A3.sum(2, keepdims=True), A3], axis=2))
    with pytest.raises(ft.ArgumentError, match=r"axis n of .* has 3 and 4 elements"):
        ft.dask.apply_gufunc(element, "(n),(n)->(n)", x, da.ones((20, 4)))
    with pytest.raises(ft.ArgumentError, match=r"lies in 2 chunks.*rechunk axis 1 with -1"):
        ft.dask.apply_gufunc(element, "(n),()->(n)", x.rechunk((6, 2)), s)
    with pytest.raises(ft.ArgumentError, match="more axes than"):
        ft.dask.apply_gufunc(element, "(n),(n,m)->(n)", x, s)
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


def test_workers_that_share_a_machine_call_with_one_thread(client: Any) -> None:
    assert set(client.run(lambda: ft.config.threads).values()) == {1}


def count() -> None:
    real, library.compiled = library.late.compiling.compile_c, []  # type: ignore[attr-defined]

    def counted(*args: Any, **options: Any) -> bytes:
        library.compiled.append(1)  # type: ignore[attr-defined]
        return real(*args, **options)

    library.late.compiling.compile_c = counted


def compilations() -> int:
    return len(library.compiled)  # type: ignore[attr-defined]


def test_a_worker_compiles_once_for_all_chunks(client: Any) -> None:
    client.run(count)
    x, s = arrays()
    found = ft.dask.apply_gufunc(element, "(n),()->(n)", x, s)
    np.testing.assert_array_equal(client.compute(found).result(), wanted(A, A[:, 0]))
    counts = client.run(compilations).values()
    assert max(counts) == 1  # for chunks of 6 rows and of 2
    again = ft.dask.apply_gufunc(element, "(n),()->(n)", x + 1, s)
    client.compute(again).result()
    assert max(client.run(compilations).values()) == 1


def test_a_killed_workers_chunks_are_done_again(client: Any) -> None:
    x, s = da.from_array(np.tile(A, (200, 1)), chunks=(20, 3)), da.from_array(np.tile(A[:, 0], 200), chunks=20)
    running = client.compute(ft.dask.apply_gufunc(element, "(n),()->(n)", x, s))
    os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
    np.testing.assert_array_equal(running.result(), np.tile(wanted(A, A[:, 0]), (200, 1)))
