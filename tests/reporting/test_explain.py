"""What explain says of functions of every kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.facts import Cost
from functrans.backend.report import KernelFact, LocalFact, LoopFact
from functrans.backend.schedule.decision import Why
from functrans.reporting import text

X = np.linspace(0.1, 1.0, 60).reshape(20, 3)


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max())
    return e / e.sum()


def test_a_mapped_function_is_one_kernel_with_the_batch_outside() -> None:
    found = ft.explain(ft.vmap(softmax), X)
    (kernel,) = found.kernels
    assert kernel.loops[0].roles[0] == "batch"
    assert (kernel.cost.bytes_read, kernel.cost.bytes_written) == (X.nbytes, X.nbytes)
    assert kernel.nanoseconds is not None and found.call is not None and found.calls >= 3


def test_buffers_have_reasons_and_the_line_of_the_user() -> None:
    found = ft.explain(ft.vmap(softmax), X)
    (stored,) = [b for u in found.units for b in u.buffers if b.decision.why is Why.SHARED]
    line = softmax.__code__.co_firstlineno + 1
    assert (stored.op, stored.place, stored.memory) == ("EXP", (__file__, line), "in registers")
    assert f"stored in registers: EXP, 3 float64 (test_explain.py:{line})" in repr(found)


@pytest.mark.parametrize(
    "f",
    [
        softmax,
        ft.vmap(softmax),
        ft.jit(ft.vmap(softmax)),
        ft.grad(lambda x: np.sin(x).sum()),
        ft.vmap(ft.grad(lambda x: np.sin(x).sum())),
        ft.vmap(softmax, axis_type="outer"),
        lambda x: np.linalg.solve(x.T @ x, np.ones(3)),
        lambda x: (x, x.sum(), {"a": np.cumsum(x, 0)}),
        lambda x: np.zeros((0, 3)) + x[:0],
    ],
)
def test_it_explains(f: Callable[..., Any]) -> None:
    found = ft.explain(f, X)
    assert len(found.kernels) == found.lowered.cost().kernels
    text = repr(found)
    assert "one call takes" in text and "median" in text
    for kernel in found.kernels:
        assert kernel.name in text and kernel.nanoseconds is not None


def test_host_steps_have_times_of_their_own() -> None:
    x = np.eye(401, 400)
    found = ft.explain(lambda x: 2 * np.linalg.solve(x.T @ x, np.ones(400)), x)
    assert [(s.nodes[0].op.name, t is not None) for s, t in found.host] == [("SOLVE", True)]
    assert [u.title for u in found.units] == ["segment 0", "segment 1"]
    text = repr(found)
    assert "stored: REDUCE_AXIS, 400x400 float64" in text and "read by SOLVE by LAPACK" in text
    assert "MUL, 400 float64" in text and "read by the caller" in text


def test_a_sparse_jacobian_is_explained_by_its_values() -> None:
    assert ft.explain(ft.spjacobian(lambda x: x[1:] * x[:-1]), np.ones(9)).what == "values"


def test_shapes_are_enough_but_for_times() -> None:
    found = ft.explain(np.sin, ft.ShapeDtype((4, 5)))
    assert found.call is None and found.kernels[0].cost.bytes_read == 160
    assert "not run: an argument is a ShapeDtype" in repr(found)


def test_static_arguments_and_keywords() -> None:
    f = ft.jit(lambda x, n, *, scale: x * n * scale, static_argnums=1)
    assert len(ft.explain(f, X, 3, scale=2.0).kernels) == 1


def test_sharded_arrays_are_explained_part_by_part() -> None:
    laid = ft.Tensor(np.ones((8, 3))).shard(("CPU", "CPU:1"), axis=0)
    found = ft.explain(lambda x: x * 2, laid)
    assert {u.title for u in found.units} == {"phase 0 on CPU", "phase 0 on CPU:1"}
    assert all(k.nanoseconds is not None for k in found.kernels)


def test_bad_uses_are_refused() -> None:
    with pytest.raises(ft.ArgumentError, match="explain explains a function, but got"):
        ft.explain(np.sin(X), X)  # type: ignore[arg-type]
    with pytest.raises(ft.TracedValueError, match=r"inside a function that is being traced.*test_explain"):
        ft.jit(lambda x: ft.explain(np.sin, x))(X)
    with pytest.raises(ft.ArgumentError, match="object"):
        ft.explain(np.sin, object())


def test_a_variable_without_value_is_named() -> None:
    with pytest.raises(ft.ArgumentError, match="variable 'n'"):
        ft.explain(lambda x, n: x * n, X, ft.Variable("n", 1, 10))


@pytest.mark.filterwarnings("ignore::functrans.errors.FunctransWarning")
def test_without_a_compiler_the_schedule_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("functrans.reporting.explain.available", lambda: False)
    found = ft.explain(ft.vmap(softmax), X)
    assert "no C compiler: the NumPy interpreter answers" in repr(found)
    assert repr(found.roofline) == "nothing was measured on this machine"
    assert "batch" in found._repr_html_() and found.call is None


def test_html_of_a_notebook_and_of_a_page() -> None:
    found = ft.explain(ft.vmap(softmax), X)
    fragment, page = found._repr_html_(), found.to_html()
    assert "<script" not in fragment and fragment in page
    for word in ("<table>", "<svg", "k0", "too expensive"):
        assert word in fragment


def test_the_roof_weighs_functions() -> None:
    found = ft.explain(lambda x: np.sin(x) / x, ft.ShapeDtype((100,)))
    (kernel,) = found.kernels
    assert (kernel.cost.flops, kernel.work) == (200, 3700)  # a sine as 29 additions, a division as 8


def test_vector_loops_are_asked_about_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = ft.explain(lambda x: x * 2.125 + 1, np.ones(1000))
    monkeypatch.setattr("functrans.backend.runtime.toolchain.run", None)  # a compiler that runs again fails
    again = ft.explain(lambda x: x * 2.125 + 1, np.ones(1000))
    assert again.kernels[0].loops == first.kernels[0].loops


def test_what_is_written_out_is_in_registers() -> None:
    found = ft.explain(ft.vmap(lambda x: np.stack([x[0] + x[1], x[1]]) * np.stack([x[2], x[0]])), X)
    kept = [b.memory for u in found.units for b in u.buffers if b.local and b.decision.stays]
    assert kept == ["in registers"] * len(kept)


def test_loops_that_are_alike_are_listed_together() -> None:
    inner = [LoopFact(1, f"i{k}", 5, ()) for k in (1, 2, 3)]
    loops = [LoopFact(0, "i0", 9, ("batch",)), *inner, LoopFact(1, "i4", 6, ())]
    arrays = [LocalFact(f"s{k}", 5, "float64", True) for k in range(3)]
    kernel = KernelFact("k0", loops, Cost(0, 0, 0, 1, 1, 0), 0, False, False, arrays, (4, 20))
    assert text.loops(kernel) == (
        "k0, lines 5 to 20 of the C\n  for i0 < 9          batch\n    for i1 to i3 < 5\n    for i4 < 6\n"
        "  s0 to s2: 5 float64 each on the stack"
    )


def test_many_kernels_are_listed_in_part() -> None:
    def f(x: Any) -> Any:
        for _ in range(25):
            x = np.cumsum(x, 0) + 1
        return x

    found = ft.explain(f, X)
    text = repr(found)
    left = len(found.kernels) - 20
    assert left > 0 and f"and {left} kernels that take less" in text


def test_work_that_pays_is_shared_by_threads() -> None:
    with ft.config.override(threads=2):
        found = ft.explain(ft.vmap(softmax), np.ones((200000, 3)))
    assert "shared by threads" in found.kernels[0].loops[0].roles
    assert "2 threads in k0" in repr(found)


def test_a_loop_says_why_its_lanes_are_no_vectors() -> None:
    def turned(body: Any) -> str:
        return str(ft.explain(ft.vmap(lambda x: ft.fori_loop(0, 9, lambda i, c: body(c), x)), np.ones((5, 50))))

    assert "an axis of 50 elements is walked in each round" in turned(np.sin)
    assert "SORT is no op on vectors" in str(
        ft.explain(ft.vmap(lambda x: ft.fori_loop(0, 9, lambda i, c: np.sort(c), x)), np.ones((5, 6)))
    )
    assert "lane by lane" not in str(
        ft.explain(ft.vmap(lambda x: ft.fori_loop(0, 9, lambda i, c: np.sin(c), x)), np.ones((5, 6)))
    )
