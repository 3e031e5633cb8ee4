"""Counts of 64 bits that become ones of 32: never where one might not fit, and then the same numbers."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans import dtypes
from functrans.backend.codegen.vectors.target import target
from functrans.backend.schedule.counts import counted
from functrans.ops.interpret import interpret
from functrans.ops.loops import regions
from functrans.ops.uop import UOp, toposort

LAST = 2**31 - 1
SOME = np.arange(3) > 0
Body = Callable[[Any, Any], Any]


def loops(roots: list[UOp]) -> list[UOp]:
    """The loops, those inside of others after them."""
    found = regions(toposort(roots))
    return [*found, *(u for loop in found for f in loop.arg.functions for u in loops(list(f.outputs)))]


def widths(f: Any, *args: Any) -> list[list[int]]:
    """The bits of the whole numbers that each loop carries."""
    roots = counted(list(ft.make_graph(f)(*args).outputs))
    return [[8 * d.itemsize for _, d in u.arg.results if d.kind == "i"] for u in loops(roots)]


def counts_to(test: Any, more: Any = 1, start: Any = 0, **options: Any) -> Any:
    """A loop that halves a number and counts."""

    def f(x: Any) -> Any:
        return ft.while_loop(lambda c: (c[0] > 0.1) & test(c[1]), lambda c: (c[0] * np.float32(0.5), c[1] + more),
                             (x, start), **options)  # fmt: skip

    return f


@pytest.mark.parametrize(
    ("f", "bits"),
    [
        (counts_to(lambda n: n < 200), 32),
        (counts_to(lambda n: n < LAST), 32),
        (counts_to(lambda n: n <= LAST), 64),
        (counts_to(lambda n: n <= LAST - 1), 32),
        (counts_to(lambda n: n + 5 < LAST), 32),
        (counts_to(lambda n: n + 5 < LAST + 5), 64),
        (counts_to(lambda n: n < LAST, 2), 64),
        (counts_to(lambda n: n < LAST - 1, 2), 32),
        (counts_to(lambda n: n < 5, 1, LAST + 1), 64),
        (counts_to(lambda n: n < 5, -1), 64),
        (counts_to(lambda n: n != 5), 64),
        (counts_to(lambda n: n != 5, 3, max_steps=LAST // 3), 32),
        (counts_to(lambda n: n != 5, 3, max_steps=LAST // 3 + 1), 64),
        (counts_to(lambda n: n != 5, -3, max_steps=LAST // 3), 32),
        (counts_to(lambda n: n != 5, -3, max_steps=LAST // 3 + 1), 64),
        (counts_to(lambda n: (n < 5) | (n > 7)), 64),
    ],
)
def test_a_count_has_32_bits_where_it_is_known_to_fit(f: Any, bits: int) -> None:
    [found] = widths(f, np.float32(8.0))
    assert set(found) == {bits}


def test_what_else_takes_64_bits_keeps_them() -> None:
    assert widths(counts_to(lambda n: n < 200), np.float64(8.0)) == [[64]]
    assert widths(lambda x, k: counts_to(lambda n: n < k)(x), np.float32(8.0), np.int64(5)) == [[64]]

    def f(x: Any) -> Any:  # one count ends the other
        return ft.while_loop(lambda c: c[1] < c[2], lambda c: (c[0], c[1] + 2, c[2] + 1), (x, 0, 9))

    assert widths(f, np.float32(8.0)) == [[64, 64]]


@pytest.mark.parametrize(
    ("starts", "end", "bits"), [((2, 0), LAST, 32), ((2, 1), LAST, 32), ((2, -1), LAST, 64), ((2, -1), LAST - 1, 32)]
)
def test_another_number_in_the_bound_may_be_less_than_zero(starts: tuple[int, int], end: int, bits: int) -> None:
    def f(x: Any) -> Any:
        return ft.while_loop(lambda c: (c[0] > 0.1) & (c[1] + c[2] < end),
                             lambda c: (c[0] * np.float32(0.5), c[1] + 1, c[2] * 1), (x, *starts))  # fmt: skip

    assert widths(f, np.float32(8.0)) == [[bits, bits]]


def test_where_it_begins_has_to_fit_as_well() -> None:
    def f(x: Any, far: int) -> Any:
        return counts_to(lambda n: n < 5, 1, fnp.where(x > 1, 0, far))(x)

    assert widths(lambda x: f(x, LAST), np.float32(8.0)) == [[32]]
    assert widths(lambda x: f(x, LAST + 1), np.float32(8.0)) == [[64]]


def made_by(body: Any, start: int = 0, test: Any = lambda n: n > -9) -> Any:
    """Three rounds in which a function makes the count."""

    def f(x: Any, k: Any) -> Any:
        def one_round(c: Any) -> Any:
            return c[0] * np.float32(0.5), body(c[1], c[0] > 1, k)

        return ft.while_loop(lambda c: (c[0] > 0.1) & test(c[1]), one_round, (x, start), max_steps=3)

    return f


@pytest.mark.parametrize(
    ("f", "bits"),
    [
        (made_by(lambda n, up, k: n + fnp.clip(fnp.where(up, 7, 9), 0, 3)), 32),
        (made_by(lambda n, up, k: n + fnp.clip(k + n, 0, 3)), 64),
        (made_by(lambda n, up, k: fnp.where(up, n + 1, LAST - 3)), 32),
        (made_by(lambda n, up, k: fnp.where(up, n + 1, LAST - 1)), 64),
        (made_by(lambda n, up, k: fnp.where(up, n, 1) + fnp.where(up, n, 2), LAST // 4), 64),
        (made_by(lambda n, up, k: n + (up & SOME).sum() * (LAST // 9)), 32),
        (made_by(lambda n, up, k: n + (up & SOME).sum() * (LAST // 8)), 64),
        (made_by(lambda n, up, k: fnp.where(up & SOME, 2000, 1).max()), 32),
        (made_by(lambda n, up, k: fnp.where(up & SOME, 2000, 1).prod()), 64),
        (made_by(lambda n, up, k: LAST - fnp.where(up & SOME, 5, 6).min() + 5), 32),
        (made_by(lambda n, up, k: LAST - fnp.pad(fnp.where(up & SOME, 5, 6), 1).min() + 5), 64),
        (made_by(lambda n, up, k: fnp.where(up, 0, 1), LAST - 2), 32),
        (made_by(lambda n, up, k: fnp.where(up, 0, 1), LAST - 2, lambda n: n + 10 > 5), 64),
    ],
)
def test_what_a_round_makes_of_a_count(f: Any, bits: int) -> None:
    assert set(widths(f, np.float32(8.0), np.int64(2**40))[0]) == {bits}


def test_two_counts_that_a_sum_bounds() -> None:
    def f(x: Any) -> Any:
        def body(c: Any) -> Any:
            x, a, b, state = c
            up = x > 1
            state = fnp.where(up, 2, state)
            return x * np.float32(0.5), a + up, b + 3 * ~up, fnp.where(x < 0.5, 7, state)

        return ft.while_loop(lambda c: (c[0] > 0.1) & (c[1] + c[2] < 100), body, (x, 0, 0, 1))

    assert widths(f, np.float32(8.0)) == [[32, 32, 32]]


@pytest.mark.parametrize(
    ("start", "step", "reset", "end", "added", "bits"),
    [
        (0, 1, False, 100, LAST // 100, 32),
        (0, 1, False, 100, LAST // 100 + 1, 64),
        (0, 1, False, 0, 10, 32),
        (-10, 2, False, 100, LAST // 55, 32),
        (-10, 2, False, 100, LAST // 55 + 1, 64),
        (0, 1, True, 100, 1, 64),
        (0, 0, False, 100, 1, 64),
    ],
)
def test_what_is_added_in_as_many_rounds_as_another_count_lets_there_be(
    start: int, step: int, reset: bool, end: int, added: int, bits: int
) -> None:
    def f(x: Any) -> Any:
        def body(c: Any) -> Any:
            x, n, total = c
            n = n + (step if step else x > 1)
            return x * np.float32(0.5), fnp.where(x > 2, n, 3) if reset else n, total + fnp.where(x > 1, added, 0)

        return ft.while_loop(lambda c: (c[0] > 0.1) & (c[1] < end), body, (x, start, 0))

    assert set(widths(f, np.float32(8.0))[0]) == {bits}


def test_positions_in_a_scan() -> None:
    def f(xs: Any) -> Any:
        return ft.scan(lambda c, x: (fnp.roll(c, 1) * x + fnp.argmax(c).astype("float32"), fnp.max(c)), xs[0], xs)

    xs = np.random.default_rng(0).normal(size=(4, 3)).astype("float32")
    [loop] = loops(counted(list(ft.make_graph(f)(xs).outputs)))
    assert all(u.dtype != dtypes.int64 for u in toposort(loop.arg.body.outputs))


def drawn(rng: random.Random) -> tuple[Any, list[int]]:
    """A loop over three counts near the ends of 32 bits, and where they begin."""
    near = [LAST - rng.randrange(8), -LAST + rng.randrange(-1, 8)]
    starts = [rng.choice([0, 1, 2, 5, -3, *near]) for _ in range(3)]
    ends = [rng.choice([LAST - 1, LAST, LAST + 1, *3 * [s + rng.randrange(6)]]) for s in starts]
    mores = [rng.choice([0, 1, 1, 2, 5, -1, -4]) for _ in starts]
    kinds = [rng.choice([*3 * ["add", "where", "reset", "sum"], "max", "twice", "times", "other"]) for _ in starts]
    tests = [rng.choice([*2 * ["lt", "le", "sum"], "or", "none"]) for _ in starts]
    most = rng.choice([None, 3, 6])
    anew = [rng.choice([0, s, LAST - 1, 7]) for s in starts]

    def next_of(k: int, n: Any, up: Any, where: Any, maximum: Any) -> Any:
        x, m, kind = n[k], mores[k], kinds[k]
        if kind == "add":
            return x + m
        if kind == "where":
            return where(up, x + m, x)
        if kind == "reset":
            return where(up, x + m, anew[k])
        if kind == "sum":
            return x + where(up, m, 3 * m) + m
        if kind == "max":
            return maximum(x, m) + m
        if kind == "twice":
            return x + x + m
        return x * 2 if kind == "times" else n[(k + 1) % 3] + m

    def goes_on(k: int, n: Any) -> Any:
        x, e, test = n[k], ends[k], tests[k]
        if test == "lt":
            return x < e
        if test == "le":
            return x <= e
        if test == "sum":
            return x + n[(k + 1) % 3] < e
        return (x < e) | (n[(k + 1) % 3] > 5) if test == "or" else x == x

    def loop(x: Any, while_loop: Any, where: Any, maximum: Any) -> Any:
        def test(c: Any) -> Any:
            found = c[0] > 0.1
            for k in range(3):
                found = found & goes_on(k, c[1])
            return found

        def body(c: Any) -> Any:
            up = c[0] > 1
            return c[0] * np.float32(0.5), tuple(next_of(k, c[1], up, where, maximum) for k in range(3))

        options = {} if most is None else {"max_steps": most}
        return while_loop(test, body, (x, tuple(starts)), **options)

    return loop, starts


def python_loop(test: Any, body: Any, carry: Any, max_steps: int = 100) -> Any:
    for _ in range(max_steps):
        if not test(carry):
            break
        carry = body(carry)
    return carry


def test_random_loops_count_as_python_does() -> None:
    rng, narrow = random.Random(0), 0
    for _ in range(300):
        loop, _ = drawn(rng)
        x = np.float32(rng.choice([0.05, 0.6, 3.0, 20.0]))
        graph = ft.make_graph(lambda x, loop=loop: loop(x, ft.while_loop, fnp.where, fnp.maximum))(x)
        roots = counted(list(graph.outputs))
        narrow += any(d.name == "int32" for u in loops(roots) for _, d in u.arg.results)
        found = interpret(roots, dict(zip(graph.params, [np.asarray(x)], strict=True)))
        ours = [int(v) for v in found[1:]]
        wanted = python_loop_of(loop, x)
        assert ours == wanted
    assert narrow > 20


def python_loop_of(loop: Any, x: Any) -> list[int]:
    """The counts of a plain loop over Python's whole numbers."""
    return list(loop(x, python_loop, lambda c, a, b: a if c else b, max)[1])


def test_compiled_lanes_count_as_python_does() -> None:
    rng = random.Random(7)
    xs = np.array([0.05, 0.6, 3.0, 20.0] * 5, np.float32)
    for _ in range(4):
        loop, _ = drawn(rng)
        found = ft.jit(ft.vmap(lambda x, loop=loop: loop(x, ft.while_loop, fnp.where, fnp.maximum)[1]))(xs)
        for k, x in enumerate(xs):
            assert [int(c[k]) for c in found] == python_loop_of(loop, x)


def test_rows_of_float32_beside_whole_numbers_of_64_bits() -> None:
    """Vectors half as long as those of the widest numbers: read, written, and written where a mask says."""
    rng, lanes = np.random.default_rng(0), 37
    x, first = rng.normal(size=(lanes, 5)).astype(np.float32), rng.integers(0, 4, lanes)
    last = rng.integers(0, 9, lanes)

    def f(x: Any, first: Any, last: Any) -> Any:
        def body(c: Any) -> Any:
            y, i, kept = c
            return y[::-1] * np.float32(0.5), i + 1, ft.at(kept)[i % 3].set(y[1] + i)

        return ft.while_loop(lambda c: c[1] < last, body, (x, first, fnp.zeros(3, np.float32)))

    y, i, kept = ft.jit(ft.vmap(f))(x, first, last)
    for b in range(lanes):
        own, wanted, k = x[b], np.zeros(3, np.float32), int(first[b])
        while k < last[b]:
            wanted[k % 3] = own[1] + np.float32(k)
            own, k = own[::-1] * np.float32(0.5), k + 1
        assert k == i[b]
        np.testing.assert_array_equal(own, y[b])
        np.testing.assert_array_equal(wanted, kept[b])


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize(
    "f",
    [
        lambda x: ft.fori_loop(0, 20, lambda i, y: y * np.float32(0.5) + i, x),
        counts_to(lambda n: n < 200),
    ],
    ids=["index", "count"],
)
def test_lanes_of_float32_are_as_many_as_a_vector_has(f: Any) -> None:
    found = set(re.findall(r"ft_f32x(\d+)", ft.jit(ft.vmap(f)).lower(np.ones(100, np.float32)).c_source))
    assert found == {str(target().bytes // 4)}
