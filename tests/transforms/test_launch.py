"""The short way of a call against the long way: the same results and errors, and no memory used twice."""

from __future__ import annotations

import gc
import os
import pickle
import sys
import threading
import tracemalloc
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.runtime import launcher
from functrans.config import config
from functrans.transforms.jit import Jitted

LARGE = 20_000  # elements whose memory is kept for the next result


@pytest.fixture(params=["compiled", "cffi"])
def way(request: pytest.FixtureRequest, compiler: None, session_cache: Path) -> Iterator[str]:
    """Calls go through the compiled launcher, or through cffi."""
    with config.override(launcher=request.param == "compiled", spec=False):
        if request.param == "compiled":
            if not launcher.has_headers():
                pytest.skip("no headers of Python")
            thread = launcher.build_in_background()
            if thread is not None:
                thread.join()
            assert launcher.ready() is not None
        yield request.param


def warm(f: Callable[..., Any], *args: Any) -> Jitted:
    """The function jitted, its calls with such arguments on the short way."""
    jitted = ft.jit(f)
    plain = [np.array(a) for a in args]
    for _ in range(2):
        jitted(*plain)
    assert jitted._launch.call(tuple(plain), None) is not NotImplemented
    return jitted


def long_way(jitted: Jitted, *args: Any) -> Any:
    return jitted.lower(*args).compile()(*args)


def same(a: Any, b: Any) -> None:
    assert type(a) is type(b)
    if isinstance(a, (tuple, list)):
        assert len(a) == len(b)
        for x, y in zip(a, b):
            same(x, y)
    elif isinstance(a, dict):
        assert a.keys() == b.keys()
        for k in a:
            same(a[k], b[k])
    else:
        assert a.dtype == b.dtype and a.shape == b.shape
        assert np.asarray(a).tobytes() == np.asarray(b).tobytes()


PROGRAMS: list[tuple[Callable[..., Any], list[tuple[int, ...]]]] = [
    (lambda x, y: x * y + 1.0, [(6,), (6,)]),
    (lambda x: x, [(2, 3)]),
    (lambda x: (x.sum(), x[0] * 2), [(3, 4)]),
    (lambda x, y: {"a": x @ y, "b": [y.T, x.sum()]}, [(2, 3), (3, 4)]),
    (lambda x: (x, x), [(5,)]),
    (lambda x: x / x.sum(), [(7,)]),
    (lambda x: (np.sin(x) / np.sin(x).sum(axis=0), x - x.mean()), [(4, 5)]),
    (lambda x: x + 1, [()]),
    (lambda x: x.sum(axis=1), [(3, 0)]),
    (lambda x: np.ones(3) * 2, [(4,)]),
    (lambda x: x + np.arange(4.0), [(3, 4)]),
    (lambda x: np.sort(x), [(9,)]),
    (lambda x: np.linalg.solve(x, np.ones(3)), [(3, 3)]),
    (lambda x: [], [(3,)]),
]


def variants(a: np.ndarray[Any, Any]) -> list[Any]:
    """The same values in every shape of memory, and others like them."""
    wide = np.zeros((*a.shape, 2))
    wide[..., 0] = a
    odd = np.zeros(a.nbytes + 1, np.uint8)[1:].view(a.dtype).reshape(a.shape) if a.size else a
    odd[...] = a
    fixed = a.copy()
    fixed.flags.writeable = False

    class Own(np.ndarray[Any, Any]):
        pass

    return [
        a, wide[..., 0], np.asfortranarray(a), odd, fixed, a.view(Own), a.astype(">f8"), a.astype(np.float32),
        np.flip(a), ft.Tensor(a), a.astype(int), a.tolist() if a.ndim == 0 else a[None], np.broadcast_to(a, a.shape),
    ]  # fmt: skip


@pytest.mark.parametrize("k", range(len(PROGRAMS)))
def test_a_call_is_the_same_on_both_ways(k: int, way: str) -> None:
    f, shapes = PROGRAMS[k]
    rng = np.random.default_rng(k)
    jitted = ft.jit(f)
    for turn in range(12):
        args = [rng.uniform(0.5, 2.0, s) for s in shapes]
        if turn > 1:
            args = [(found := variants(a))[rng.integers(len(found))] for a in args]
        try:
            expected = long_way(jitted, *args)
        except Exception as error:
            with pytest.raises(type(error)):
                jitted(*args)
        else:
            got = jitted(*args)
            if isinstance(expected, ft.Tensor):
                expected, got = np.asarray(expected), np.asarray(got)
            elif any(isinstance(a, ft.Tensor) for a in args):
                continue
            same(got, expected)


def test_every_variant_after_a_plain_call(way: str) -> None:
    f = warm(lambda x, y: x * y + x.sum(), np.ones((3, 4)), np.ones((3, 4)))
    rng = np.random.default_rng(7)
    for a in variants(rng.normal(size=(3, 4))):
        for b in variants(rng.normal(size=(3, 4))):
            expected = long_way(f, a, b)
            got = f(a, b)
            assert type(got) is type(expected)
            same(np.asarray(got), np.asarray(expected))


def test_which_arrays_go_the_short_way(way: str) -> None:
    f = warm(lambda x: x + 1.0, np.ones((3, 4)))
    plain, *others = variants(np.ones((3, 4)))
    assert f._launch.call((plain,), None) is not NotImplemented
    short = [f._launch.call((a,), None) is not NotImplemented for a in others]
    strided = way == "compiled"
    assert short == [*[strided] * 3, True, *[False] * 3, strided, *[False] * 3, True]
    assert f._launch.call((plain, plain), None) is f._launch.call((), None) is NotImplemented


def test_out_of_the_short_way(way: str) -> None:
    f = warm(lambda x, y: (x * y).sum(0), np.arange(6.0).reshape(2, 3), np.ones(3))
    x, y = np.arange(6.0).reshape(2, 3), np.full(3, 2.0)
    for out in (np.empty(3), np.empty(4)[1:]):
        assert f._launch.call((x, y), out) is out and out.tolist() == [6.0, 10.0, 14.0]
    locked = np.empty(3)
    locked.flags.writeable = False
    for out in (y, x[1], np.empty(6)[::2], np.empty(2), np.empty(3, np.float32), locked):
        assert f._launch.call((x, y), out) is NotImplemented


def test_a_tuple_of_out_of_the_short_way(way: str) -> None:
    f = warm(lambda x, y: (x * y, x.sum()), np.arange(3.0), np.ones(3))
    x, y = np.arange(3.0), np.full(3, 2.0)
    out = np.empty(3), np.empty(())
    assert f._launch.call((x, y), out) is out
    assert out[0].tolist() == [0.0, 2.0, 4.0] and out[1] == 3.0
    both = np.empty(4)
    for bad in (out[0], out[:1], list(out), (*out, out[0]), (x, out[1]), (both[:3], both[2:3].reshape(())), (1.0, 2.0)):
        assert f._launch.call((x, y), bad) is NotImplemented
    assert f(x, y, out=(both[:3], both[3:].reshape(())))[0] is not None and both.tolist() == [0.0, 2.0, 4.0, 3.0]
    references = [sys.getrefcount(a) for a in (x, y, *out)]
    for _ in range(50):
        f._launch.call((x, y), out)
    assert [sys.getrefcount(a) for a in (x, y, *out)] == references


@pytest.mark.parametrize("way", ["compiled"], indirect=True)
def test_an_out_that_was_pickled_is_written_the_short_way(way: str) -> None:
    """Its dtype is an object of its own; another byte order goes the long way."""
    f, x = warm(lambda x: x + 1.0, np.zeros(3)), np.arange(3.0)
    out = pickle.loads(pickle.dumps(np.zeros(3)))
    assert out.dtype is not np.dtype(float)
    assert f._launch.call((x,), out) is out and out.tolist() == [1.0, 2.0, 3.0]
    turned = np.zeros(3, np.dtype(float).newbyteorder())
    assert f._launch.call((x,), turned) is NotImplemented


def test_out(way: str) -> None:
    f = warm(lambda x: x + 0.5 * np.roll(x, 1), np.ones(6))
    x = np.arange(6.0)
    expected = f(x)
    for out in (np.empty(6), np.empty(12)[::2], x.copy(), np.empty(7)[1:], np.empty(6, ">f8")[:6].view(np.float64)):
        assert f(x, out=out) is out
        np.testing.assert_array_equal(out, expected)
    state = np.arange(7.0)
    assert np.array_equal(f(state[:6], out=state[1:]), expected)  # they overlap
    state = np.arange(6.0)
    assert f(state, out=state) is state and np.array_equal(state, expected)
    fixed = np.empty(6)
    fixed.flags.writeable = False
    for bad, error in ((fixed, ValueError), (np.empty(5), ft.ShapeError), (np.empty(6, np.float32), ft.DtypeError),
                       ([0.0] * 6, ft.ArgumentError)):  # fmt: skip
        with pytest.raises(error):
            f(x, out=bad)


@pytest.mark.parametrize("size", [5, LARGE])
def test_a_result_is_nobody_elses_memory(size: int, way: str) -> None:
    f = warm(lambda x: x + 1.0, np.zeros(size))
    results = [f(np.full(size, float(k))) for k in range(6)]
    for k, r in enumerate(results):
        assert r[0] == r[-1] == k + 1
    assert len({r.ctypes.data for r in results}) == 6
    assert all(r.flags.writeable for r in results)
    for hold in (lambda r: r[1:3], memoryview, lambda r: r.reshape(1, -1), weakref.ref, lambda r: r.view(np.int64),
                 np.asarray, lambda r: np.frombuffer(r)):  # fmt: skip
        for _ in range(3):
            held = hold(f(np.zeros(size)))
            before = held if isinstance(held, weakref.ref) else np.array(held)
            for k in range(4):
                f(np.full(size, 10.0 + k))
            if isinstance(held, weakref.ref):
                assert held() is None or held()[0] == 1.0
            else:
                assert np.array_equal(np.array(held), before)


def test_a_kept_result_comes_back_as_new(way: str) -> None:
    f = warm(lambda x: x + 1.0, np.zeros((2, LARGE)))
    x = np.arange(2.0 * LARGE).reshape(2, -1)

    def spoil(r: Any, how: int) -> None:
        if how == 0:
            r.flags.writeable = False
        elif how == 1:
            r.shape = (LARGE, 2)
        elif how == 2:
            r.dtype = np.int64
        elif how == 3:
            r.resize((3, 5), refcheck=False)

    for how in range(4):
        for _ in range(3):
            r = f(x)
            assert r.shape == x.shape and r.dtype == np.float64 and r.flags.writeable
            np.testing.assert_array_equal(r, x + 1.0)
            spoil(r, how)
            del r


def test_memory_is_used_again(way: str) -> None:
    if way == "cffi":
        pytest.skip("cffi takes new memory for each result")
    f = warm(lambda x: x + 1.0, np.zeros(LARGE))
    x = np.zeros(LARGE)
    places = set()
    y = None
    for _ in range(20):
        y = f(x)
        places.add(y.ctypes.data)
    assert y is not None and len(places) <= 3


def test_other_signatures_each_find_their_code(way: str) -> None:
    f = ft.jit(lambda x: x * 2 + x.sum())
    for _ in range(4):
        for n in range(20):  # more than are kept at hand
            x = np.arange(float(n))
            np.testing.assert_array_equal(f(x), x * 2 + x.sum())
            np.testing.assert_array_equal(f(x.astype(np.float32)), (x * 2 + x.sum()).astype(np.float32))


def test_inside_a_trace_it_is_part_of_it(way: str) -> None:
    f = warm(lambda x: x * 3.0, np.zeros(4))
    seen = []

    def g(y: Any) -> Any:
        seen.append(f(np.ones(4)))
        return seen[-1] + y

    np.testing.assert_array_equal(ft.jit(g)(np.ones(4)), np.full(4, 4.0))
    assert isinstance(seen[0], ft.Tensor)
    assert type(f(np.ones(4))) is np.ndarray


def test_a_trace_that_raises_leaves_the_short_way_open(way: str) -> None:
    f = warm(lambda x: x * 3.0, np.zeros(4))

    def bad(x: Any) -> Any:
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        ft.jit(bad)(np.ones(4))
    assert f._launch.call((np.ones(4),), None) is not NotImplemented


def test_debug_nans_is_seen_at_once(way: str) -> None:
    f = warm(lambda x: np.log(x), np.ones(4))
    with config.override(debug_nans=True), pytest.raises(ft.NanError):
        f(-np.ones(4))
    assert np.isnan(f(-np.ones(4))).all()


def test_eight_threads_at_once(way: str) -> None:
    f = warm(lambda x, y: ((x / x.sum() + y).sum(axis=1), x - y), np.ones((50, 400)), np.ones((50, 400)))
    rng = np.random.default_rng(3)
    cases = [rng.uniform(1, 2, (2, 50, 400)) for _ in range(8)]
    expected = [long_way(f, *c) for c in cases]
    wrong: list[int] = []
    start = threading.Barrier(8)

    def work(k: int) -> None:
        start.wait()
        for _ in range(60):
            got = f(*cases[k])
            if not all(np.array_equal(a, b) for a, b in zip(got, expected[k])):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_after_a_fork(way: str) -> None:
    f = warm(lambda x: x / x.sum() + 1.0, np.ones(LARGE))
    x = np.arange(1.0, LARGE + 1)
    expected = f(x)
    child = os.fork()
    if child == 0:
        ok = all(np.array_equal(f(x), expected) for _ in range(3))
        os._exit(0 if ok else 1)
    assert os.waitpid(child, 0)[1] == 0
    np.testing.assert_array_equal(f(x), expected)


def test_nothing_leaks(way: str) -> None:
    f = warm(lambda x, y: (x * y, x / y.sum()), np.ones((3, 500)), np.ones((3, 500)))
    x, y, out = np.ones((3, 500)), np.ones((3, 500)), np.ones((3, 500))
    g = warm(lambda x: x * 2, x)
    odd = x.T

    def calls() -> None:
        f(x, y)
        g(x)
        g(x, out=out)
        g(odd.T)
        f(x, y)
        with pytest.raises(ft.ShapeError):
            g(x, out=out[0])

    for _ in range(3):
        calls()
    gc.collect()
    counts = [sys.getrefcount(a) for a in (x, y, out, x.dtype)]
    tracemalloc.start()
    calls()
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(200):
        calls()
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 20_000
    assert [sys.getrefcount(a) for a in (x, y, out)] == counts[:3]
    assert abs(sys.getrefcount(x.dtype) - counts[3]) < 50


def test_a_function_that_is_dropped_is_gone(way: str) -> None:
    captured = np.arange(5.0)
    f = warm(lambda x: x + captured, np.ones(5))
    held = weakref.ref(f)
    del f
    gc.collect()
    assert held() is None


def test_memory_that_cannot_be_had(way: str) -> None:
    f = ft.jit(lambda x: np.broadcast_to(x, (1 << 45, 3)) + 1.0)
    for _ in range(3):
        with pytest.raises(ft.OutOfMemory, match="GiB for a result"):
            f(np.zeros(3))
