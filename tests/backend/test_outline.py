"""Long kernels in pieces: the same bits, the same statements, and one function for equal pieces."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans import dtypes
from functrans.backend.codegen import allocation, lanes, unit
from functrans.backend.codegen.outline import Outline, pieces
from functrans.backend.codegen.regions import body
from functrans.backend.codegen.regions.of_a_round import outside_of
from functrans.backend.codegen.render_c import lines_of, render_c
from functrans.backend.policy import EXPENSIVE_ADDITIONS
from functrans.config import config
from functrans.ops import Ops, UOp
from functrans.ops.enums import AxisType
from functrans.ops.kernel import GlobalArg
from tests.backend.executed import executed
from tests.plans import plan_anew

Limit = Callable[[int], None]
NEVER = 10**9


@pytest.fixture
def limit(monkeypatch: pytest.MonkeyPatch) -> Limit:
    """Set from how many statements on kernels are in pieces, of what is not compiled yet."""

    def set_(large: int) -> None:
        monkeypatch.setattr(unit, "Outline", partial(Outline, large=large))
        monkeypatch.setattr(lanes, "chosen", lambda uops: ())  # a loop of lanes is written in one
        plan_anew(monkeypatch)

    return set_


def step(kind: int, c: float, y: Any, o: Any, x: Any) -> Any:
    match kind:
        case 0:
            return y * c + o * 0.3
        case 1:
            return (y - o) * c + x
        case 2:
            return y * o * c + 0.1
        case 3:
            return np.maximum(y, c) - o
        case _:
            return np.sqrt(y * y + c) * 0.5


def chain(seed: int, n: int = 700) -> Callable[[Any], Any]:
    """A random chain, of which each value may be wanted up to twelve steps later."""
    r = np.random.default_rng(seed)
    kinds, back, scale = r.integers(0, 5, n), r.integers(1, 13, n), r.uniform(0.2, 0.6, n)

    def f(x: Any) -> Any:
        values = [x]
        for kind, b, c in zip(kinds, back, scale.tolist(), strict=True):
            y, o = values[-1], values[-min(int(b), len(values))]
            values.append(step(int(kind), c, y, o, x))
        return values[-1]

    return f


def recurrent(r: Any, numbers: Any = (0.5,) * 24) -> Any:
    """Steps over a row that differ in a number alone."""
    y = r
    for c in numbers:
        e = np.exp(y * c - y.max())
        y = e / e.sum() + r
    return y


CASES: dict[str, tuple[Callable[[Any], Any], tuple[int, ...]]] = {
    "record": (ft.vmap(lambda r: chain(4, 250)(r) * r.sum()), (3,)),
    "mapped": (ft.vmap(ft.grad(lambda r: fnp.sum(chain(5, 120)(r)))), (2,)),
    "steps": (ft.vmap(recurrent), (40,)),
    "gradient": (ft.vmap(ft.grad(lambda r: recurrent(r).sum())), (40,)),
    "narrow": (ft.vmap(lambda r: recurrent(r.astype(np.float32))), (40,)),
}


def drawn(n: int, shape: tuple[int, ...]) -> np.ndarray:
    return np.random.default_rng(n).uniform(0.1, 0.9, (n, *shape))


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("name", CASES)
def test_pieces_change_no_bit(name: str, limit: Limit) -> None:
    f, shape = CASES[name]
    for n in (5, 131):
        x = drawn(n, shape)
        texts, results = [], []
        for large in (NEVER, 100):
            limit(large)
            g = ft.jit(lambda x: f(x))
            results.append(g(x))
            texts.append(g.lower(x).c_source)
        np.testing.assert_array_equal(*results)
        assert "void piece" not in texts[0]
        assert "void piece" in texts[1]


@pytest.mark.parametrize("name", ["steps", "gradient", "mapped"])
def test_pieces_compute_what_the_arrays_mean(name: str, limit: Limit) -> None:
    f, shape = CASES[name]
    x = drawn(10, shape)  # a vector and what is left
    limit(100)
    g = ft.jit(f)
    found = g.lower(x)
    (want,) = executed(found.program.outputs, dict(zip(found.program.params, [x], strict=True)))
    np.testing.assert_allclose(g(x), want, rtol=1e-12, atol=1e-14)


@pytest.mark.usefixtures("compiler")
def test_threads_run_pieces(limit: Limit, monkeypatch: pytest.MonkeyPatch) -> None:
    x = drawn(6_011, (40,))
    limit(NEVER)
    monkeypatch.setattr(config, "threads", 1)
    want = ft.jit(lambda x: CASES["steps"][0](x))(x)
    limit(100)
    monkeypatch.setattr(config, "threads", 4)
    np.testing.assert_array_equal(ft.jit(lambda x: CASES["steps"][0](x))(x), want)


@pytest.mark.usefixtures("compiler")
def test_arrays_that_share_bytes_are_apart_in_a_piece(limit: Limit, monkeypatch: pytest.MonkeyPatch) -> None:
    f, x = CASES["gradient"][0], drawn(67, (40,))
    limit(NEVER)
    want = ft.jit(lambda x: f(x))(x)
    monkeypatch.setattr(allocation, "L2_BYTES", 0)
    limit(100)
    g = ft.jit(lambda x: f(x))
    np.testing.assert_array_equal(g(x), want)
    text = g.lower(x).c_source
    assert re.search(r"^ +double \*s\d+ = ", text, re.M)
    assert all(line.count("*") == line.count("*restrict") for line in text.splitlines() if "noinline" in line)


def test_equal_pieces_are_one_function(limit: Limit) -> None:
    limit(100)
    text = ft.jit(ft.vmap(recurrent)).lower(drawn(9, (40,))).c_source
    assert len(re.findall(r"^static __attribute__", text, re.M)) * 2 <= len(re.findall(r"^ +piece\d+\(", text, re.M))


def test_short_kernels_are_one_function() -> None:
    assert "piece0" not in ft.jit(chain(1, 60)).lower(drawn(9, ())).c_source


def rows(steps: int, outside: bool = False, inner: AxisType = AxisType.LOOP) -> list[UOp]:
    """``o[i * m + j] = a[j] + ... + a[j]`` for a row after the other; or a sum of them into an accumulator."""
    read = UOp(Ops.DEFINE_GLOBAL, dtypes.float64, (), GlobalArg("a0", written=False))
    wrote = UOp(Ops.DEFINE_GLOBAL, dtypes.float64, (), GlobalArg("o0", written=True))
    n, m = (UOp(Ops.DEFINE_VAR, dtypes.index, (), (k, 0, 100)) for k in ("n0", "n1"))
    i, j = (UOp(Ops.RANGE, dtypes.index, (end,), (k + 3, (AxisType.LOOP, inner)[k])) for k, end in enumerate((n, m)))
    from_ = UOp(Ops.INDEX, dtypes.float64, (read, j))
    values = [UOp(Ops.LOAD, dtypes.float64, (from_,))]
    for _ in range(steps):
        values.append(UOp(Ops.ADD, dtypes.float64, (values[-1], values[0])))
    start = UOp(Ops.MUL, dtypes.index, (i, m))
    place = UOp(Ops.ADD, dtypes.index, (start, j))
    to = UOp(Ops.INDEX, dtypes.float64, (wrote, place))
    head, end_j, end_i = [read, wrote, n, m, i, start], *(UOp(Ops.ENDRANGE, dtypes.void, (r,)) for r in (j, i))
    name = UOp(Ops.NAME, dtypes.void, (), "k")
    if outside:
        acc = UOp(Ops.DEFINE_ACC, dtypes.float64, (UOp.const(dtypes.float64, 0.0),), 0)
        last = [UOp(Ops.ASSIGN, dtypes.float64, (acc, UOp(Ops.ADD, dtypes.float64, (acc, values[-1]))))]
        head = [*head, acc.src[0], acc]
        last = [last[0].src[1], *last]
    else:
        last = [place, to, UOp(Ops.STORE, dtypes.void, (to, values[-1]))]
    return [*head, j, from_, *values, *last, end_j, end_i, name, UOp(Ops.SINK, dtypes.void, (name,))]


def test_the_text_of_a_piece() -> None:
    uops, outline = rows(EXPENSIVE_ADDITIONS), Outline(large=20)
    kernel = render_c(uops, outline=outline)
    (piece,) = outline.functions()
    assert kernel.splitlines() == [
        "static void k(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, "
        "long long n1) {",
        "  for (long long i3 = 0; i3 < n0; i3++) {",
        "    piece0(n1, a0, (i3 * n1), o0);",
        "  }",
        "}",
    ]
    assert piece.splitlines() == [
        "static __attribute__((noinline)) void piece0(const long long n0, const double *restrict p1, "
        "const long long n2, double *restrict p3) {",
        "  for (long long i0 = 0; i0 < n0; i0++) {",
        "    const double v0 = p1[i0];",
        f"    p3[n2 + i0] = {'(' * 15}v0{' + v0)' * 15} + v0;",
        "  }",
        "}",
    ]
    found = {u: (where, first, last) for u, where, first, last in lines_of(uops, outline=outline)}
    store = next(u for u in uops if u.op is Ops.STORE)
    assert found[store] == ("piece0", 3, 4)


def test_what_stays_in_the_kernel() -> None:
    assert not pieces(rows(EXPENSIVE_ADDITIONS), len(rows(EXPENSIVE_ADDITIONS)))
    assert pieces(rows(EXPENSIVE_ADDITIONS), 20)
    loops = [u for u in rows(EXPENSIVE_ADDITIONS) if u.op is Ops.RANGE]
    assert not pieces(rows(EXPENSIVE_ADDITIONS), 20, loops[1])  # threads share it
    assert not pieces(rows(EXPENSIVE_ADDITIONS, outside=True), 20)  # it changes an accumulator
    assert not pieces(rows(2), 8)  # not worth a call


def test_steps_that_differ_in_a_number_are_one_function(limit: Limit) -> None:
    x = drawn(7, (40,))
    limit(100)
    counts = []
    for n in (20, 40):
        numbers = np.random.default_rng(3).uniform(-0.9, 0.9, n).tolist()
        f = ft.vmap(lambda r, numbers=numbers: recurrent(r, numbers))
        text = ft.jit(f).lower(x).c_source
        counts.append(text.count("__attribute__((noinline)) void piece"))
        assert text.count("piece") > 2 * n  # its calls
    assert counts[0] == counts[1] <= 12
    np.testing.assert_allclose(ft.jit(f)(x), np.stack([recurrent(r, numbers) for r in x]), rtol=1e-12)


def test_numbers_keep_their_bits(limit: Limit) -> None:
    x = drawn(7, (40,))
    f = ft.vmap(lambda r: recurrent(r, [0.1, 1 / 3, 0.0, -0.0, 1e-310] * 6))
    limit(NEVER)
    want = ft.jit(f)(x)
    limit(100)
    np.testing.assert_array_equal(ft.jit(lambda x: f(x))(x), want)


def test_a_piece_of_lanes_is_given_what_places_are_made_of() -> None:
    """Lanes write places anew, relative to records."""
    uops = rows(EXPENSIVE_ADDITIONS, inner=AxisType.LANES)
    (piece,) = pieces(uops, 20).values()
    body = uops[piece.start + 1 : piece.end]
    (outer,) = (u for u in uops if u.op is Ops.RANGE and u.arg[1] is AxisType.LOOP)
    assert outer in outside_of(body, uops[piece.start])
    assert {*outside_of(body, uops[piece.start])} <= {*piece.needed}


def test_bodies_of_a_branch_have_pieces_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each body numbers its pieces from 0 on."""
    monkeypatch.setattr(body, "Outline", partial(Outline, 8))
    plan_anew(monkeypatch)

    def round_(x: Any, g: Callable[[Any], Any]) -> Any:
        w = x
        for i in range(12):
            w = w * 0.5 + g(w + 0.2 * i) * (np.sin(x).sum() * 0.0025)
        w = (w[:, None] * np.cos(x)).sum(1) * 0.0025
        for i in range(12):
            w = w * 0.5 + g(w + 0.2 * i)
        return w

    def twice(g: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda x: ft.while_loop(lambda c: c[0] < 2, lambda c: (c[0] + 1, round_(c[1], g)), (0, x))[1]

    f = ft.jit(lambda p, x: ft.cond(p, twice(np.cos), twice(np.sin), x))
    x = np.linspace(0.0, 1.0, 400)  # more than are unrolled: bodies call kernels
    assert len(set(re.findall(r"void (\w+_piece\d+)\(", f.lower(True, x).c_source))) == 2
    for p, g in ((True, np.cos), (False, np.sin)):
        np.testing.assert_allclose(f(p, x), round_(round_(x, g), g), rtol=1e-12)
