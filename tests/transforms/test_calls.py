"""Calls of transformed functions from threads, from the child of a fork, and where there is no compiler."""

from __future__ import annotations

import gc
import os
import threading
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend import pipeline, plan
from functrans.ops import source
from tests.laws.references import assert_close

X = np.random.default_rng(5).normal(size=(4, 6))
TABLE = np.arange(6.0)


def f(x: Any) -> Any:
    e = np.exp(x - x.max())
    return e / e.sum(), x, x, TABLE, x.sum()


def plain(x: Any) -> Any:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    repeated = np.broadcast_to(TABLE, x.shape)
    return e / e.sum(axis=-1, keepdims=True), x, x, repeated, x.sum(axis=-1)


def test_threads_call_one_function_at_once() -> None:
    jitted, mapped = ft.jit(ft.vmap(f)), ft.vmap(f)
    wrong: list[str] = []

    def work(k: int) -> None:
        x = X[: k % 4 + 1] * (k + 1)
        for call in [jitted, mapped] * 10:
            for got, wanted in zip(call(x), plain(x), strict=True):
                if not np.allclose(got, wanted, rtol=1e-13, atol=0):
                    wrong.append(f"thread {k}")

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(60)
    assert not wrong and not any(t.is_alive() for t in threads)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_the_child_of_a_fork_calls_old_and_new_functions() -> None:
    jitted = ft.jit(ft.vmap(f))
    wanted = jitted(X)[0]
    held = threading.Event()
    done = threading.Event()

    def hold() -> None:  # a thread of the parent is tracing, with the function's lock in its hand
        other(np.zeros(2))

    def slow(x: Any) -> Any:
        held.set()
        done.wait(30)
        return x + 1

    other = ft.jit(slow)
    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(30)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            done.set()  # the child's own
            same = np.array_equal(jitted(X)[0], wanted) and np.array_equal(ft.vmap(lambda r: r * 2)(X), X * 2)
            code = 0 if same and other(np.zeros(2)).tolist() == [1, 1] else 2
        finally:
            os._exit(code)
    done.set()
    thread.join(30)
    for _ in range(600):
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            break
        threading.Event().wait(0.05)
    else:
        os.kill(child, 9)
        os.waitpid(child, 0)
        pytest.fail("the child hangs")
    assert os.waitstatus_to_exitcode(status) == 0


def test_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter answers: the same structure, memory of one's own, out= all the same."""
    monkeypatch.setattr(pipeline, "available", lambda: False)
    monkeypatch.setattr(plan, "plan_of", None)  # nothing is scheduled
    jitted = ft.jit(ft.vmap(f))
    got = jitted(X)
    arrays = [X, TABLE, *got]
    for g, w in zip(got, plain(X), strict=True):
        assert_close(g, w)
    for k, a in enumerate(arrays):
        assert not any(np.shares_memory(a, b) for b in arrays[:k])
    out = tuple(np.full_like(g, np.nan, order="F") for g in got)
    assert jitted(X, out=out) is out
    for g, w in zip(out, got, strict=True):
        assert_close(g, w, 0.0)
    turned = ft.jit(lambda x: x.T + 1)
    square = X[:, :4].copy()
    assert_close(turned(square, out=square), X[:, :4].T + 1)
    assert ft.jvp(np.sin, (0.0,), (2.0,)) == (0.0, 2.0)


def test_results_of_jit_share_no_memory() -> None:
    g = ft.jit(lambda x: (x, x, TABLE, np.stack([x, x])[0], x[None][0], TABLE[::-1][::-1]))
    x = np.arange(6.0)
    arrays = [x, TABLE, *g(x), *g(x)]
    for k, a in enumerate(arrays):
        assert not any(np.shares_memory(a, b) for b in arrays[:k])
    for a in arrays[2:]:
        a += 100.0
    for a in g(np.arange(6.0)):
        assert_close(a, np.arange(6.0), 0.0)


def test_captured_arrays_are_let_go() -> None:
    """A call that is over keeps no copy of what its function closed over, though its code is kept."""

    def held() -> int:
        gc.collect()
        return sum(a.nbytes for a in source._stored.values())

    def call(k: float) -> Any:
        table = np.full((100, 100), k)
        return ft.vmap(lambda x: (table * x).sum() + k)(np.arange(2.0))

    before = held()
    for k in (1.0, 2.0, 3.0):  # each another structure: the number is part of the graph
        assert_close(call(k), np.array([k, 1e4 * k + k]))
    assert held() <= before
