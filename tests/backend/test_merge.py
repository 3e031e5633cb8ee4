"""Neighboring loops made one: fewer loops and arrays, the same bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import dtypes
from functrans.backend.codegen import lower as lowering
from functrans.backend.codegen import merge
from functrans.backend.codegen.merge import merged
from functrans.backend.codegen.statements import lower
from functrans.ops import Ops, UOp
from functrans.ops.enums import AxisType
from functrans.ops.execute import execute
from functrans.ops.kernel import GlobalArg, LocalArg
from tests.plans import plan_anew

N = 40


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max())
    return e / e.sum()


def moments(x: Any) -> Any:
    return x.max() + x.sum() * (x * x).sum()


def pulls(x: Any) -> Any:
    """Rows of points: the pull of all of them on each."""

    def on(body: Any) -> Any:
        d = x - body
        return np.sum(d * (1.0 / np.sqrt(np.sum(d * d, axis=1) + 0.01))[:, None], axis=0)

    return ft.vmap(on)(x)


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "softmax": softmax,
    "moments": moments,
    "spread": lambda x: (x - x.mean()) / np.sqrt(((x - x.mean()) ** 2).mean()),
    "argmax": lambda x: x.argmax() + x.sum(),
    "running": lambda x: x.cumsum() * x.sum(),
    "shifted": lambda x: x[1:].sum() * x[:-1].sum() + (x[1:] * x[:-1]).max(),
    "of the same": lambda x: (((x - x.max()) ** 2 + 3) * x).sum() * (((x - x.max()) ** 2 + 3) * abs(x)).sum(),
    "narrow": lambda x: x.astype(np.float32).sum() + x.sum(),
}


def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn the pass off."""
    monkeypatch.setattr(lowering, "STATEMENTS", tuple(p for p in lowering.STATEMENTS if p[0] != "merge"))
    plan_anew(monkeypatch)  # the plan of the same graph with the pass


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_bits_are_those_of_loops_apart(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of rows of any length, all in one translation unit: most of a run is compiling."""
    f = FUNCTIONS[name]
    rows = [np.random.default_rng(n).normal(size=(3, n)) for n in (2, 31, 32, 64, 100, 4097)]
    together = ft.jit(lambda rows: [ft.vmap(f)(a) for a in rows])(rows)
    rough = 2e-6 if name == "narrow" else 1e-11
    for got, a in zip(together, rows, strict=True):
        np.testing.assert_allclose(got, [f(row) for row in a], rtol=rough, atol=1e-11)
    apart(monkeypatch)
    for got, want in zip(ft.jit(lambda rows: [ft.vmap(f)(a) for a in rows])(rows), together, strict=True):
        np.testing.assert_array_equal(got, want)


def test_sums_over_the_same_bodies_share_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    a = np.random.default_rng(0).normal(size=(N, 3))
    together = ft.jit(pulls)(a)
    d = a[None] - a[:, None]
    np.testing.assert_allclose(together, (d / np.sqrt((d * d).sum(2) + 0.01)[..., None]).sum(1), rtol=1e-12)
    text = ft.jit(pulls).lower(a).c_source
    assert text.count("[40]") == 3  # the coordinates, made rows once: no array of distances
    apart(monkeypatch)
    np.testing.assert_array_equal(ft.jit(lambda x: pulls(x))(a), together)


def test_what_is_stored_and_read_in_one_loop_alone_is_not_stored() -> None:
    a = np.random.default_rng(1).normal(size=(5, 64))
    f = ft.vmap(lambda x: (np.exp(x - x.max()) * x).sum() / np.exp(x - x.max()).sum())
    (kernel,) = ft.jit(f).lower(a).kernels
    arrays = [u for u in lower(kernel).uops if u.op is Ops.DEFINE_LOCAL]
    assert all(u.arg.elements <= 16 for u in arrays)  # accumulators


def test_what_merged_loops_compute_of_the_same_elements_is_computed_once() -> None:
    def pairs(x: Any) -> Any:
        e = np.exp(x)
        return ft.vmap(lambda p: ft.vmap(lambda q: np.maximum(p * p + 3.0, q).sum())(e))(e)

    a = np.random.default_rng(5).normal(size=(5, 2, 20))
    e = np.exp(a)
    found = ft.jit(ft.vmap(pairs))(a)
    np.testing.assert_allclose(found, np.maximum((e * e + 3.0)[:, :, None], e[:, None]).sum(-1), rtol=1e-14)
    (kernel,) = ft.jit(ft.vmap(pairs)).lower(a).kernels
    assert sum(u.op is Ops.MULACC for u in lower(kernel).uops) == 2


def statements(shift: int, gap: bool = False) -> tuple[list[UOp], dict[str, np.ndarray]]:
    """s[i] = a[i] in one loop, o[i] = s[i + shift] in another; with a gap, a sum of the first stands in between."""
    f64, index = dtypes.float64, dtypes.index
    a = UOp(Ops.DEFINE_GLOBAL, f64, (), GlobalArg("a0", False))
    o = UOp(Ops.DEFINE_GLOBAL, f64, (), GlobalArg("o0", True))
    s = UOp(Ops.DEFINE_LOCAL, f64, (), LocalArg(0, N + 1))
    n, one, zero = UOp.const(index, N), UOp.const(index, shift), UOp.const(f64, 0.0)
    acc = UOp(Ops.DEFINE_ACC, f64, (zero,), 0)
    i, j = (UOp(Ops.RANGE, index, (n,), (k, AxisType.LOOP)) for k in range(2))
    end = (UOp(Ops.ENDRANGE, dtypes.void, (r,)) for r in (i, j))
    at_a, at_s = UOp(Ops.INDEX, f64, (a, i)), UOp(Ops.INDEX, f64, (s, i))
    value = UOp(Ops.LOAD, f64, (at_a,))
    new = UOp(Ops.ADD, f64, (acc, value))
    place = UOp(Ops.ADD, index, (j, one)) if shift else j
    there, at_o = UOp(Ops.INDEX, f64, (s, place)), UOp(Ops.INDEX, f64, (o, j))
    got = UOp(Ops.LOAD, f64, (there,))
    result = UOp(Ops.ADD, f64, (got, acc if gap else zero))
    uops = [a, o, n, one, zero, s, acc, i, at_a, value, at_s, UOp(Ops.STORE, dtypes.void, (at_s, value))]
    uops += [new, UOp(Ops.ASSIGN, f64, (acc, new))] if gap else []
    uops += [next(end), j, *([place] if shift else []), there, got, result, at_o]
    uops += [UOp(Ops.STORE, dtypes.void, (at_o, result)), next(end)]
    return uops, {"a0": np.random.default_rng(3).normal(size=N), "o0": np.zeros(N)}


@pytest.mark.parametrize("shift, gap, left", [(0, False, 1), (1, False, 2), (0, True, 2)])
def test_a_loop_that_reads_what_later_rounds_write_stays(shift: int, gap: bool, left: int) -> None:
    uops, arrays = statements(shift, gap)
    found = merged(uops)
    assert sum(u.op is Ops.RANGE for u in found) == left
    if not shift:
        execute(found, arrays, {})
        np.testing.assert_allclose(arrays["o0"], arrays["a0"] + (arrays["a0"].sum() if gap else 0.0), rtol=1e-12)


def test_a_loop_that_writes_what_was_to_be_read_before_stays() -> None:
    """o0 = a0 and o2 = a0 are loops alike, but o1 is made of what stood in o2."""
    f64, index = dtypes.float64, dtypes.index
    a, *o = (UOp(Ops.DEFINE_GLOBAL, f64, (), GlobalArg(n, n != "a0")) for n in ("a0", "o0", "o1", "o2"))
    sizes = [UOp.const(index, n) for n in (N, N // 2, N)]
    uops = [a, *o, *dict.fromkeys(sizes)]
    for k, (source, to) in enumerate([(a, o[0]), (o[2], o[1]), (a, o[2])]):
        r = UOp(Ops.RANGE, index, (sizes[k],), (k, AxisType.LOOP))
        read, place = UOp(Ops.INDEX, f64, (source, r)), UOp(Ops.INDEX, f64, (to, r))
        value = UOp(Ops.LOAD, f64, (read,))
        uops += [
            r,
            read,
            value,
            place,
            UOp(Ops.STORE, dtypes.void, (place, value)),
            UOp(Ops.ENDRANGE, dtypes.void, (r,)),
        ]
    arrays = {"a0": np.arange(float(N)), "o0": np.zeros(N), "o1": np.zeros(N // 2), "o2": np.full(N, 7.0)}
    execute(merged(uops), arrays, {})
    assert (arrays["o1"] == 7).all() and (arrays["o2"] == arrays["a0"]).all()


def random_loops(rng: np.random.Generator) -> tuple[list[UOp], dict[str, np.ndarray]]:
    """Loops of two lengths one behind the other, and numbers between them of what they have made. Each adds such a
    number to what it reads, or none, and stores that, or sums it up.
    """
    f64, index = dtypes.float64, dtypes.index
    arrays = [UOp(Ops.DEFINE_GLOBAL, f64, (), GlobalArg(f"o{k}", True)) for k in range(3)]
    one, zero, *sizes = UOp.const(index, 1), UOp.const(f64, 0.0), *(UOp.const(index, n) for n in (N, N // 2))
    sums = [UOp(Ops.DEFINE_ACC, f64, (zero,), k) for k in range(int(rng.integers(2, 7)))]
    uops, numbers = [*arrays, one, zero, *sizes, *sums], [zero]
    for k, total in enumerate(sums):
        r = UOp(Ops.RANGE, index, (sizes[int(rng.random() < 0.3)],), (k, AxisType.LOOP))
        source, to = (arrays[j] for j in rng.integers(3, size=2))
        shifted = UOp(Ops.ADD, index, (r, one))
        read, place = (UOp(Ops.INDEX, f64, (x, shifted if rng.random() < 0.2 else r)) for x in (source, to))
        value = UOp(Ops.LOAD, f64, (read,))
        made = UOp(Ops.ADD, f64, (value, numbers[int(rng.integers(len(numbers)))]))
        uops += [r, shifted, read, value, made]
        if rng.random() < 0.5:
            new = UOp(Ops.ADD, f64, (total, made))
            uops += [new, UOp(Ops.ASSIGN, f64, (total, new)), UOp(Ops.ENDRANGE, dtypes.void, (r,))]
            numbers += [total, UOp(Ops.ADD, f64, (total, total))]
            uops.append(numbers[-1])
        else:
            uops += [place, UOp(Ops.STORE, dtypes.void, (place, made)), UOp(Ops.ENDRANGE, dtypes.void, (r,))]
            at = UOp(Ops.INDEX, f64, (to, UOp.const(index, 3 + k)))
            numbers.append(UOp(Ops.LOAD, f64, (at,)))
            uops += [at.src[1], at, numbers[-1]]
    return uops, {f"o{k}": rng.normal(size=N + 1) for k in range(3)}


def test_random_loops_compute_the_same_when_merged() -> None:
    fewer = 0
    for seed in range(300):
        uops, given = random_loops(np.random.default_rng(seed))
        found = merged(uops)
        fewer += len(found) < len(uops)
        results = [{name: a.copy() for name, a in given.items()} for _ in range(2)]
        for statements_, arrays in zip((uops, found), results, strict=True):
            execute(statements_, arrays, {})
        for name in given:
            np.testing.assert_array_equal(results[1][name], results[0][name], err_msg=str(seed))
    assert fewer > 50


@pytest.mark.parametrize("n", [33, 64])
def test_a_row_has_the_same_bits_in_every_batch(n: int) -> None:
    a = np.random.default_rng(n).normal(size=(7, n))
    alone = [ft.jit(softmax)(row) for row in a]
    for method in ("vmapin", "rewrite", "pad_reduce"):
        for size in (1, 2, 7):
            np.testing.assert_array_equal(ft.vmap(softmax, method=method)(a[:size]), alone[:size])


def test_the_work_grows_with_the_number_of_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain of loops is planned in linear time: what stops a loop is not looked past."""
    taken: list[int] = []
    passes = merge._Way.passes
    monkeypatch.setattr(merge._Way, "passes", lambda *given: taken.append(1) or passes(*given))

    def steps(n: int) -> int:
        def f(x: Any) -> Any:
            for c in range(n):
                x = softmax(x * (c + 1.0)) + x
            return x

        taken.clear()
        assert ft.jit(ft.vmap(f)).lower(np.ones((3, N))).c_source
        return len(taken)

    short, long = steps(10), steps(40)
    assert 0 < long < 6 * short


def assembly(seed: int) -> tuple[Callable[[Any], Any], np.ndarray]:
    """Sums of edges at nodes, some by one list of ids and some by another, some of what others made."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(2, 40)), int(rng.integers(33, 90))
    ids = rng.integers(0, n, (2, m))
    plan = [(int(rng.integers(2)), int(rng.integers(k + 1)), rng.normal(size=m)) for k in range(5)]

    def f(x: Any) -> Any:
        made = [x]
        for which, source, weights in plan:
            i, j = ids[which], ids[1 - which]
            made.append(np.bincount(i, weights=(made[source][i] - made[source][j]) * weights, minlength=n))
        return tuple(made[1:])

    return f, rng.normal(size=(3, n))


@pytest.mark.parametrize("seed", range(4))
def test_sums_at_nodes_are_those_of_loops_apart(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    f, xs = assembly(seed)

    def looped(x: Any) -> Any:
        return ft.fori_loop(0, 2, lambda _, x: sum(f(x)), x)

    def run() -> list[np.ndarray]:
        every = ft.jit(lambda xs: (f(xs[0]), ft.vmap(f)(xs), looped(xs[0]), ft.vmap(looped)(xs)))(xs)
        return [np.asarray(a) for a in ft.tree.leaves(every)]

    together = run()
    for got, want in zip(together[:5], f(xs[0]), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-11, atol=1e-11)
    apart(monkeypatch)
    for got, want in zip(together, run(), strict=True):
        np.testing.assert_array_equal(got, want)


def test_sums_at_the_same_nodes_share_a_loop() -> None:
    rng = np.random.default_rng(0)
    i, j, weights = rng.integers(0, 20, 77), rng.integers(0, 20, 77), rng.normal(size=(3, 77))

    def f(x: Any) -> Any:
        return tuple(np.bincount(i, weights=(x[i] - x[j]) * w, minlength=20) for w in weights)

    text = ft.jit(ft.vmap(f)).lower(rng.normal(size=(3, 20))).c_source
    assert text.count("< 77;") == 2  # differences, which are stored, and the sums
