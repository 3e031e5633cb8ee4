"""The node: interned, immutable, and every walk over it free of recursion."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path

import numpy as np
import pytest

from functrans import dtypes
from functrans.errors import SpecError
from functrans.ops import AxisType, Ops, UOp, source, uop
from functrans.ops import build as B
from functrans.ops.interpret import interpret
from functrans.ops.printer import from_text, to_text
from functrans.ops.uop import substitute, toposort

DEEP = 100_000
F = dtypes.float64


def chain(x: UOp, n: int) -> UOp:
    """A tower of n nodes over x that nothing folds."""
    for _ in range(n):
        x = UOp(Ops.SIN, x.dtype, (x,))
    return x


@pytest.fixture(scope="module")
def deep() -> tuple[UOp, UOp]:
    """A leaf and a tower of DEEP nodes over it."""
    x = source.param((2,), F)
    return x, chain(x, DEEP)


# interning


def test_built_alike_is_the_same_node() -> None:
    x = source.param((3,), F)
    assert B.add(x, x) is B.add(x, x)
    assert B.add(x, x) is not B.mul(x, x)
    assert B.reshape(x, (1, 3)) is not B.reshape(x, (3, 1))
    assert UOp.sink(x) is UOp.sink(x)


@pytest.mark.parametrize(
    ("dtype", "one", "other"),
    [
        (F, 0.0, -0.0),
        (dtypes.float32, 0.0, -0.0),
        (dtypes.complex128, complex(0.0, 0.0), complex(0.0, -0.0)),
        (dtypes.complex128, complex(0.0, 0.0), complex(-0.0, 0.0)),
        (F, float("inf"), float("-inf")),
        (F, 1.0, 2.0),
    ],
)
def test_constants_that_differ(dtype: dtypes.DType, one: complex, other: complex) -> None:
    assert UOp.const(dtype, one) is not UOp.const(dtype, other)


def test_nan_is_one_constant() -> None:
    assert UOp.const(F, float("nan")) is UOp.const(F, -float("nan"))
    nan = complex(float("nan"), 1.0)
    assert UOp.const(dtypes.complex64, nan) is UOp.const(dtypes.complex64, nan)


def test_a_constant_has_the_type_of_its_dtype() -> None:
    # True, 1 and 1.0 are equal and hash alike: whichever came first must not decide what the others become
    kinds = {dtypes.int64: int, dtypes.bool_: bool, F: float, dtypes.complex64: complex, dtypes.index: int}
    nodes = {}
    for dtype, kind in kinds.items():
        for value in (True, 1, 1.0):
            direct = UOp(Ops.CONST, dtype, (), value)
            assert direct is UOp.const(dtype, value)
            assert type(direct.arg) is kind
            nodes[dtype] = direct
    assert len(set(nodes.values())) == len(kinds)


def test_fresh_ranges_and_params_are_unlike_every_other() -> None:
    assert UOp.range(3) is not UOp.range(3)
    assert UOp.range(3, axis_id=1) is UOp.range(3, axis_id=1)
    assert UOp.range(3, axis_id=1) is not UOp.range(3, axis_id=1, axis_type=AxisType.OUTER)
    assert source.param((2,), F) is not source.param((2,), F)
    assert source.buffer(np.zeros(2)) is not source.buffer(np.zeros(2))


def test_nodes_do_not_change_or_get_extra_attributes() -> None:
    x = source.param((3,), F)
    with pytest.raises(AttributeError):
        x.color = "red"  # type: ignore[attr-defined]
    assert not hasattr(x, "__dict__")


def test_a_node_is_forgotten_with_its_last_user() -> None:
    x = source.param((3,), F)
    gone = weakref.ref(B.add(x, x))
    gc.collect()
    assert gone() is None
    assert B.add(x, x).op is Ops.ADD


def test_interning_is_safe_across_threads() -> None:
    x = source.param((4,), F)
    rounds, workers = 200, 8
    barrier = threading.Barrier(workers)
    made: list[list[UOp]] = [[] for _ in range(workers)]

    def work(k: int) -> None:
        for n in range(rounds):
            if n % 20 == 0:
                barrier.wait()
            made[k].append(B.add(B.mul(x, B.like(x, float(n) + 0.5)), x))

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work, args=(k,)) for k in range(workers)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    finally:
        sys.setswitchinterval(before)
    assert all(len(set(row)) == 1 for row in zip(*made, strict=True))
    assert len(set(made[0])) == rounds


def test_remember_is_safe_across_threads() -> None:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for n in range(200):
            x = UOp.const(dtypes.int64, 10_000 + n)
            barrier, answers = threading.Barrier(4), []

            def work(name: str, x: UOp = x, barrier: threading.Barrier = barrier, answers: list = answers) -> None:
                barrier.wait()
                answers.append(x.remember(name, lambda u: (name, u.arg)))

            threads = [threading.Thread(target=work, args=(f"fact{k}",)) for k in range(4)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
            assert sorted(answers) == [(f"fact{k}", x.arg) for k in range(4)]
    finally:
        sys.setswitchinterval(before)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_of_a_fork_makes_nodes() -> None:
    x = source.param((4,), F)
    held, release = threading.Event(), threading.Event()

    def hold() -> None:
        with uop._lock:
            held.set()
            release.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    try:
        child = os.fork()
        if child == 0:  # the thread that holds the lock does not exist here
            fine = B.mul(x, x).shape == (4,)
            os._exit(0 if fine else 1)
        for _ in range(500):
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                break
            time.sleep(0.01)
        else:
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 0
    finally:
        release.set()
        thread.join()


# shape and free ranges


def test_shape_and_size() -> None:
    x = source.param((2, 3), F)
    assert (x.shape, x.sized, x.ndim, x.size) == ((2, 3), (2, 3), 2, 6)
    assert UOp.sink(x).shape is None
    with pytest.raises(SpecError, match="SINK has no shape"):
        _ = UOp.sink(x).sized


def test_free_ranges_follow_brackets() -> None:
    zero = UOp.const(dtypes.index, 0)
    r, q = UOp.range(2), UOp.range(3)
    x = source.param((2, 3, 4), F)
    inner = x.vmapin((r, q, zero))
    assert inner.free_ranges == {r, q}
    assert B.add(inner, inner).free_ranges == {r, q}
    half = inner.vmapout((q, zero))
    assert (half.free_ranges, half.shape) == ({r}, (3, 4))
    assert half.vmapout((zero, r, zero)).free_ranges == frozenset()


def test_a_failed_node_leaves_nothing_behind() -> None:
    x, y = source.param((2,), F), source.param((3,), F)
    for _ in range(2):
        with pytest.raises(SpecError, match="equal shapes"):
            B.add(x, y)


# copies and pickles


def test_copies_are_the_node_itself() -> None:
    x = B.add(source.param((2,), F), B.full((2,), F, -0.0))
    assert copy.copy(x) is x
    assert copy.deepcopy(x) is x
    assert copy.deepcopy({"a": [x]})["a"][0] is x


@pytest.mark.parametrize("value", [0.0, -0.0, float("nan"), float("inf"), 1.5])
def test_pickle_gives_the_same_node(value: float) -> None:
    x = B.where(B.lt(source.param((2,), F), B.full((2,), F, value)), B.full((2,), F, value), B.full((2,), F, 2.0))
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(x, protocol)) is x
    assert pickle.loads(pickle.dumps([x, x.src[0]]))[1] is x.src[0]


def test_pickles_of_another_process() -> None:
    # there the numbers that tell RANGEs, PARAMs and buffers apart may belong to others
    code = (
        "import pickle, sys; import numpy as np;"
        "from functrans.ops import *; from functrans.ops import build as B, source;"
        "F = dtypes.float64; r = UOp.range(3);"
        "nodes = [source.param((2,), F), r, source.buffer(np.zeros(2)), B.neg(B.full((2,), F, 1.5)), UOp.range(3, 1)];"
        "sys.stdout.buffer.write(pickle.dumps([pickle.dumps(n) for n in nodes]))"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, cwd=root)
    param, fresh, buffer, plain, named = pickle.loads(done.stdout)
    for bound in (param, fresh, buffer):
        with pytest.raises(SpecError, match="pickled in another process"):
            pickle.loads(bound)
    assert pickle.loads(plain) is B.neg(B.full((2,), F, 1.5))
    assert pickle.loads(named) is UOp.range(3, 1)


# graphs too deep for recursion


def test_deep_graphs_are_walked(deep: tuple[UOp, UOp]) -> None:
    x, y = deep
    order = y.toposort()
    assert len(order) == DEEP + 1
    assert order[0] is x
    assert order[-1] is y
    assert y.shape == (2,)
    assert repr(y) == "<SIN float64 (2,)>"


def test_deep_graphs_are_substituted(deep: tuple[UOp, UOp]) -> None:
    x, y = deep
    other = source.param((2,), F)
    (z,) = substitute([y], {x: other})
    assert z is not y
    assert z.toposort()[0] is other
    assert substitute([z], {other: x})[0] is y


def test_deep_graphs_are_interpreted(deep: tuple[UOp, UOp]) -> None:
    x, y = deep
    values = np.array([0.5, -1.0])
    want = values
    for _ in range(DEEP):
        want = np.sin(want)
    np.testing.assert_array_equal(interpret([y], {x: values})[0], want)


def test_deep_graphs_are_pickled_and_printed(deep: tuple[UOp, UOp]) -> None:
    _, y = deep
    assert pickle.loads(pickle.dumps(y)) is y
    part = y.toposort()[20_000]
    assert from_text(to_text(part))[0] is part


def test_deep_graphs_are_freed() -> None:
    x = source.param((), F)
    y = chain(x, DEEP)
    last = weakref.ref(y)
    middle = weakref.ref(y.toposort()[DEEP // 2])
    del y
    gc.collect()
    assert last() is None
    assert middle() is None


def test_deep_graphs_with_two_sources() -> None:
    x = y = source.param((), F)
    for _ in range(DEEP):
        y = B.add(y, x) if y.op is Ops.MUL else B.alu(Ops.MUL, y, y)  # shared: 2**50000 paths
    assert len(y.toposort()) == DEEP + 1


# toposort and substitute


def test_toposort_puts_sources_first() -> None:
    x = source.param((2,), F)
    a = B.mul(x, x)
    b = B.add(a, x)
    c = B.sub(a, b)
    order = toposort([c, a, b])
    place = {u: k for k, u in enumerate(order)}
    assert len(order) == len(place) == 4
    assert all(place[s] < place[u] for u in order for s in u.src)
    assert toposort([]) == []


def test_toposort_does_not_enter_where_told() -> None:
    x = source.param((2,), F)
    a = B.mul(x, x)
    b = B.neg(a)
    assert toposort([b], enter=lambda u: u is not a) == [a, b]
    assert toposort([b], enter=lambda u: False) == [b]


def test_substitute_shares_what_does_not_change() -> None:
    x, y = source.param((2,), F), source.param((2,), F)
    kept = B.mul(y, y)
    root = B.add(B.neg(x), kept)
    (new,) = substitute([root], {x: y})
    assert new is B.add(B.neg(y), kept)
    assert new.src[1] is kept
    assert substitute([root, kept], {}) == [root, kept]


def test_substitute_does_not_look_into_what_it_put_in() -> None:
    x = source.param((2,), F)
    assert substitute([B.neg(x)], {x: B.mul(x, x)})[0] is B.neg(B.mul(x, x))


def test_substitute_swaps() -> None:
    x, y = source.param((2,), F), source.param((2,), F)
    assert substitute([B.sub(x, y)], {x: y, y: x})[0] is B.sub(y, x)
