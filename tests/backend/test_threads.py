"""Loops shared by threads: the same bits for any number, after a fork, under load, and interrupted."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import tree
from functrans.backend import pipeline, plan
from functrans.backend.codegen import split as split_module
from functrans.backend.codegen.nest import Loop, nest
from functrans.backend.pipeline import Program
from functrans.backend.runtime import threads
from functrans.backend.runtime.library import load
from functrans.backend.schedule.independence import iterations_independent
from functrans.backend.schedule.outer import closed_by
from functrans.config import config
from functrans.errors import CompileError, FunctransWarning
from functrans.ops.uop import UOp
from tests.backend.test_compiled_law import grown
from tests.backend.test_outline import chain
from tests.plans import plan_anew

pytestmark = pytest.mark.usefixtures("compiler")

# runs the steps in the shortest portions: the last one first, each in scratch memory of another thread's, or one a call
POOL = """
typedef int part(void **, const long long *, long long, long long, long long);
static int share(part *run, void **buffers, const long long *sizes, long long n, long long grain, long long least,
                 long long most, long long *at, const long long *rows) {
  (void)least, (void)rows;
  RUN
  *at = 0;
  return 0;
}
int ft_entry(void **buffers, const long long *sizes) {
  (void)sizes;
  *(void **)buffers[0] = (void *)share;
  return 0;
}
"""
ORDERS = {
    "backwards": """
  for (long long k = n / grain + (n && n < grain); k--;)
    run(buffers, sizes, k * grain, n - k * grain < 2 * grain ? n : (k + 1) * grain, k % most);
""",
    "left": """
  if (*at < n) {
    const long long from = *at, to = n - from < 2 * grain ? n : from + grain;
    run(buffers, sizes, from, to, from / grain % most);
    *at = to;
    return 1;
  }
""",
}


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any loop that threads may share is shared, step by step."""
    monkeypatch.setattr(split_module, "THREAD_PICOSECONDS", 0)
    plan_anew(monkeypatch)


def pool_of(order: str) -> int:
    address = np.zeros(1, np.uintp)
    load(POOL.replace("RUN", ORDERS[order]))([address], [0])
    return int(address[0])


@pytest.mark.parametrize("group", range(8))
def test_the_order_of_the_steps_does_not_matter(group: int, always: None, monkeypatch: pytest.MonkeyPatch) -> None:
    graphs = [grown(seed, 6 + group % 9, casts=group % 2 == 1) for seed in range(4000 + group * 5, 4005 + group * 5)]
    params = [p for g, _, _ in graphs for p in g.params]
    values = [v for _, _, vs in graphs for v in vs]
    program = Program([r for _, outputs, _ in graphs for r in outputs], params)
    with config.override(threads=1):
        want = program(values)
    for order in ORDERS:
        monkeypatch.setattr(pipeline, "pool", lambda order=order: pool_of(order))
        with config.override(threads=3):
            got = program(values)
        assert [w.tobytes() for w in want] == [g.tobytes() for g in got], order


def test_lanes_in_the_shortest_portions(always: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A body of lanes of sparse values is written for portions of a vector at the least, where all rounds are as many;
    that of a map for all, whatever the batch.
    """
    monkeypatch.setattr(pipeline, "pool", lambda: pool_of("backwards"))
    f = ft.vmap(chain(1, 160))
    g, J = ft.jit(f), ft.spjacobian(f, method="direct")
    texts = set()
    for n in (3, 32, 67, 131):
        x = np.random.default_rng(n).uniform(0.1, 0.9, n)
        for h in (g, J.values):
            found = []
            for count in (1, 3):
                plan_anew(monkeypatch)
                with config.override(threads=count):
                    found.append(h(x))
            np.testing.assert_array_equal(*found)
        texts.add(g.lower(x).c_source)
        values = J._problem(*tree.flatten(((x,), {}))).program.plan.c_source
        assert ("const int full = 0;" in values) == (n < 4)
    assert len(texts) == 1


ROWS = 301
SHARED: dict[str, tuple[Callable[..., Any], list[tuple[int, ...]]]] = {
    "chain": (lambda x: np.sin(x) * x + 1, [(ROWS,)]),
    "softmax": (ft.vmap(lambda v: np.exp(v - v.max()) / np.exp(v - v.max()).sum()), [(ROWS, 70)]),
    "product": (lambda a, b: a @ b, [(ROWS, 40), (40, 30)]),
    "sorted rows": (lambda x: np.sort(x, axis=1), [(23, 6000)]),  # scratch memory for each thread
    "long rows": (ft.vmap(lambda v: np.cumsum(np.sin(v) / np.sin(v).sum())), [(19, 6000)]),
    "derivative": (lambda x: ft.jvp(ft.vmap(lambda v: (v * v).sum()), (x,), (x,)), [(ROWS, 33)]),
    "several": (lambda x, y: (x + y, (x * y).sum(axis=1)), [(ROWS, 20), (ROWS, 20)]),
}


@pytest.mark.parametrize("name", SHARED)
@pytest.mark.parametrize("launcher", [True, False])
def test_any_number_of_threads_gives_the_same_bits(name: str, launcher: bool, always: None) -> None:
    f, shapes = SHARED[name]
    args = [np.random.default_rng(5).normal(size=s) for s in shapes]
    jitted = ft.jit(f)
    assert "call->pool(" in jitted.lower(*args).c_source
    with config.override(launcher=launcher, spec=False):
        results = []
        for count in (1, 2, 3, 8, 1):
            with config.override(threads=count):
                for _ in range(6):
                    found = jitted(*args)
                    results.append([r.tobytes() for r in (found if isinstance(found, tuple) else (found,))])
    assert all(r == results[0] for r in results)


CARRIED: dict[str, tuple[Callable[..., Any], tuple[int, ...]]] = {
    "sum": (lambda x: x.sum(), (500,)),
    "running sum": (lambda x: np.cumsum(x), (500,)),
    "counts": (lambda x: np.bincount(np.arange(500) % 7, x, 7), (500,)),
    "segments": (lambda x: ft.segment_sum(x, np.arange(len(x)) % 7, 7), (500, 2)),
    "updates": (lambda x: (x + 0).at[np.arange(500) % 9].add(x * 2), (500,)),
}


@pytest.mark.parametrize("name", CARRIED)
def test_a_loop_that_carries_is_not_shared(name: str, always: None, monkeypatch: pytest.MonkeyPatch) -> None:
    f, shape = CARRIED[name]
    jitted, x = ft.jit(f), np.random.default_rng(1).normal(size=shape)
    with config.override(threads=1):
        want = jitted(x)
    monkeypatch.setattr(pipeline, "pool", lambda: pool_of("backwards"))
    with config.override(threads=3):
        assert ft.jit(f)(x).tobytes() == want.tobytes()
    assert "_part(void **buffers" not in jitted.lower(x).c_source


def test_each_reason_not_to_share_a_loop() -> None:
    """One of them would do for each of the functions above."""
    x = np.zeros((40, 3))

    def plan_of(f: Any) -> plan.Plan:
        return Program(*_graph(ft.jit(f), x)).plan

    added = plan_of(CARRIED["segments"][0])
    (kernel,) = added.kernels
    alone = [replace(kernel, parts={kernel.roots[0]: (s,)}) for s in kernel.stores]
    found = [iterations_independent(k, closed_by(s)[0]) for k, s in zip(alone, kernel.stores, strict=True)]
    assert found == [True, False]
    for f, carries in ((lambda x: np.cumsum(x[:, 0]), True), (lambda x: np.cumsum(x, axis=1), False)):
        (low,) = plan_of(f).lowered
        (loop,) = (item for item in nest(low.uops) if isinstance(item, Loop))
        inside = set(loop.walk())
        assert any(split_module._carries(u, inside) for u in inside) == carries
    two = plan_of(lambda x: x[:, 0] / x[:31, ::-1].sum())  # a sum by two loops, into a number and no array
    (low,) = two.lowered
    assert len([item for item in nest(low.uops) if isinstance(item, Loop)]) == 2
    assert split_module.split(two.kernels[0], low) is None


def heavy() -> tuple[Any, np.ndarray[Any, Any]]:
    x = np.random.default_rng(2).normal(size=(400, 300))
    f = ft.jit(ft.vmap(lambda v: np.sin(v).sum() * np.cos(v)))
    return f, x


def test_a_call_that_pays_uses_threads_and_a_small_one_does_not() -> None:
    f, x = heavy()
    small = ft.jit(lambda x: x + 1)
    assert Program(*_graph(f, x)).plan.threads_pay
    assert not Program(*_graph(small, np.zeros(100))).plan.threads_pay


def _graph(f: Any, *args: Any) -> tuple[Any, Any]:
    graph = f.lower(*args).graph
    return graph.outputs, graph.params


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_after_a_fork_the_child_has_threads_of_its_own() -> None:
    f, x = heavy()
    with config.override(threads=3, spec=False):
        expected = [f(x) for _ in range(5)][-1]
        for _ in range(5):
            child = os.fork()
            if child == 0:
                ok = all(np.array_equal(f(x), expected) for _ in range(20))
                os._exit(0 if ok else 1)
            assert os.waitpid(child, 0)[1] == 0
            assert np.array_equal(f(x), expected)


def test_many_calls_at_once_share_the_pool() -> None:
    f, x = heavy()
    cases = [x + k for k in range(8)]
    with config.override(threads=4, spec=False):
        expected = [f(c) for c in cases]
        wrong: list[int] = []

        def work(k: int) -> None:
            for _ in range(15):
                if not np.array_equal(f(cases[k]), expected[k]):
                    wrong.append(k)

        workers = [threading.Thread(target=work, args=(k,)) for k in range(8)]
        for w in workers:
            w.start()
        for w in workers:
            w.join(timeout=120)
            assert not w.is_alive()
    assert not wrong


def test_a_signal_reaches_python_and_the_next_call_is_right() -> None:
    f, x = heavy()
    with config.override(threads=2, spec=False):
        expected = [f(x) for _ in range(4)][-1]
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
        timer = threading.Timer(0.2, signal.raise_signal, (signal.SIGINT,))
        timer.start()
        try:
            with pytest.raises(KeyboardInterrupt):
                end = time.monotonic() + 60
                while time.monotonic() < end:
                    f(x)
        finally:
            timer.join()
            signal.signal(signal.SIGINT, before)
        assert np.array_equal(f(x), expected)


def test_where_its_code_does_not_compile_one_thread_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(text: str) -> Any:
        raise CompileError("no pthreads here", command=[], stderr="", source=None)

    f, x = heavy()
    with config.override(threads=1, spec=False):
        expected = f(x)
    monkeypatch.setattr(threads, "load", refuse)
    monkeypatch.setattr(threads, "_address", [])
    monkeypatch.setattr("functrans.debug._warned", set())
    with config.override(threads=2, spec=False), pytest.warns(FunctransWarning, match="one thread"):
        assert np.array_equal(ft.jit(ft.vmap(lambda v: np.sin(v).sum() * np.cos(v)))(x), expected)


@pytest.mark.parametrize("before", [0, 10**6, 10**9])
def test_a_portion_is_much_more_than_what_each_repeats(before: int) -> None:
    r = UOp.range(1000)
    found = split_module.Split(r, r, r, weight=100, before=before)
    assert found.grain * found.weight >= max(10 * before, 10**6)
