"""Carries that change at a few places: stored into, not copied, in bodies that are called and in programs of lanes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.backend.codegen.regions import lowered, lowering
from tests.plans import kept_apart

pytestmark = pytest.mark.usefixtures("compiler")
ROUNDS = 37
START = np.linspace(-1.0, 1.0, 120).reshape(60, 2)
PLACES = np.array([[5, 5, 17], [0, 59, 3], [8, 9, 8], [5, 6, 7]])


def row(i: Any, c: Any) -> Any:
    """A row of two others, the one before it read again after it is known."""
    return ft.at(c)[i + 1].set(np.tanh(c[i]) * 0.5 + c[59])


def own_row(i: Any, c: Any) -> Any:
    """Rows that are read where they are written."""
    return ft.at(c)[i % 7].add(c[(i + 1) % 7] - c[i % 7][::-1])


def places(i: Any, c: Any) -> Any:
    """Places from data, some of them twice."""
    at = np.take(PLACES, i % 4, axis=0) if isinstance(i, int) else ft.Tensor(PLACES)[i % 4]
    return ft.at(c)[at].add(c[at] * 0.5 + 0.25)


def chain(i: Any, c: Any) -> Any:
    """Two updates, the second of which reads what the first one wrote."""
    d = ft.at(c)[i].multiply(0.5)
    return ft.at(d)[i + 2].set(d[i] + c[i])


def largest(i: Any, c: Any) -> Any:
    """Kept where it is greater."""
    return ft.at(c)[(3 * i) % 60, i % 2].max(c[i, 1] + 0.1)


ALL = (row, own_row, places, chain, largest)


def looped(f: Callable[..., Any], start: Any) -> Any:
    """The same, round by round."""
    c = np.array(start)
    for i in range(ROUNDS):
        c = np.asarray(f(i, c))
    return c


def close(found: Any, wanted: Any) -> None:
    """But for fused multiply-adds, and functions within their bounds."""
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-13)


@pytest.fixture(params=["at once", "left after each round", "called", "called, left after each round"])
def how(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    """Whether bodies are called, and calls left after each round. No plan that was made so is found or left."""
    if request.param == "at once":
        yield request.param
        return
    if "left" in request.param:
        monkeypatch.setattr(lowered, "TURN_PICOSECONDS", 1)
    if "called" in request.param:
        monkeypatch.setattr(lowering, "why_not", lambda lanes: "it is a test")
    with kept_apart(tmp_path):
        yield request.param


@pytest.mark.parametrize("f", ALL)
def test_values(f: Callable[..., Any], how: str) -> None:
    compiled = ft.jit(lambda x: ft.fori_loop(0, ROUNDS, f, x))
    close(compiled(START), looped(f, START))


@pytest.mark.parametrize("f", ALL)
def test_lanes(f: Callable[..., Any], how: str) -> None:
    batch = np.stack([START, START[::-1], START * 3.0])
    found = ft.vmap(lambda x: ft.fori_loop(0, ROUNDS, f, x))(batch)
    alone = ft.jit(lambda x: ft.fori_loop(0, ROUNDS, f, x))
    np.testing.assert_array_equal(found, np.stack([alone(x) for x in batch]))


@pytest.mark.parametrize("f", ALL)
def test_nothing_is_copied(f: Callable[..., Any], how: str) -> None:
    text = ft.jit(lambda x: ft.fori_loop(0, ROUNDS, f, x)).lower(START).c_source
    if "called" in how:
        assert re.search(r"double \*const c1 = o\d;", text) and "*d1" not in text
    elif f is not chain:  # the result alone is as long as the carry
        assert not re.search(r"double m\d+\[120\]", text)


@pytest.mark.parametrize("how", ["called"], indirect=True)
def test_more_than_half_is_computed_anew(how: str) -> None:
    line = np.arange(40)
    low = ft.jit(lambda x: ft.fori_loop(0, 9, lambda i, c: ft.at(c)[i + line].add(c[:40]), x)).lower(START)
    assert "*d1" in low.c_source


def emitted(x: Any, rows: Any) -> Any:
    """Rows that an inner loop stores, as many in a round as it happens, those of the last one read again."""

    def further(s: Any) -> Any:
        v, i, rows = s
        new = v + np.sin(v) * 0.1 + 0.2

        def store(c: Any) -> Any:
            i, rows = c
            return i + 1, ft.at(rows)[i].set(fnp.stack([new * i, v - i, rows[np.maximum(i - 1, 0), 0]]))

        i, rows = ft.while_loop(lambda c: (c[0] < 3 * new) & (c[0] < rows.shape[0]), store, (i, rows))
        return new, i, rows

    return ft.while_loop(lambda s: s[0] < 4 * x, further, (x, 0, rows))


def emitted_by_hand(x: float, rows: Any) -> Any:
    v, i, rows = x, 0, rows.copy()
    while v < 4 * x:
        new = v + np.sin(v) * 0.1 + 0.2
        while i < 3 * new and i < len(rows):
            rows[i] = new * i, v - i, rows[max(i - 1, 0), 0]
            i += 1
        v = new
    return v, i, rows


EMPTY = np.full((70, 3), 0.5)
AT = np.array([1.0, 0.25, 3.0, 0.0, 5.0, 0.7, 2.0, 0.1, 1.5, 2.5, 0.9, 4.0, 1.0, 1.1, 2.2, 0.3, 0.6, 3.5, 1.7])


def test_an_inner_loop(how: str) -> None:
    compiled = ft.jit(emitted)
    for x in (1.0, 0.0, 5.0):
        for found, wanted in zip(compiled(x, EMPTY), emitted_by_hand(x, EMPTY), strict=True):
            close(found, wanted)
    text = compiled.lower(1.0, EMPTY).c_source
    assert "[210]" not in text and not re.search(r"\*d\d = \(double \*\)\(scratch \+ \d+\), \*d2", text)


@pytest.mark.covering(1)
@pytest.mark.parametrize("heavy", [True, False])
def test_an_inner_loop_in_lanes(heavy: bool, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # that take the next instance, or wait for each other; with starts of their own, or the same one
    monkeypatch.setattr(lowering, "is_heavy", lambda program: heavy)
    alone = [emitted(x, EMPTY) for x in AT]
    found = ft.vmap(emitted, (0, None))(AT, EMPTY)
    own = ft.vmap(emitted)(AT, np.repeat(EMPTY[None], len(AT), 0))
    filled = ft.vmap(lambda x: emitted(x, np.full((70, 3), 0.5)))(AT)
    for k, x in enumerate(found):
        wanted = np.array([a[k] for a in alone]).tobytes()
        assert x.tobytes() == own[k].tobytes() == filled[k].tobytes() == wanted


def test_an_inner_loop_has_tangents(how: str) -> None:
    _, (slope, _, rows) = ft.jvp(emitted, (1.0, EMPTY), (1.0, EMPTY * 0.0))
    e = 1e-6
    more, less = emitted_by_hand(1.0 + e, EMPTY), emitted_by_hand(1.0 - e, EMPTY)
    np.testing.assert_allclose(slope, (more[0] - less[0]) / (2 * e), rtol=1e-7)
    np.testing.assert_allclose(rows, (more[2] - less[2]) / (2 * e), rtol=1e-6, atol=1e-7)


def test_a_carry_that_is_read_beside_the_inner_loop(how: str) -> None:
    """Neither before it nor after it is anything else seen than what the program says."""

    def further(s: Any) -> Any:
        n, total, rows = s
        new = ft.fori_loop(0, 3, lambda i, c: ft.at(c)[(n + i) % 60].add(1.0), rows)
        return n + 1, total + (rows[n % 60] * 3 + new[n % 60]).sum(), new

    found = ft.jit(lambda x: ft.while_loop(lambda s: s[0] < ROUNDS, further, (0, 0.0, x)))(START)
    total, rows = 0.0, START.copy()
    for n in range(ROUNDS):
        new = rows.copy()
        for i in range(3):
            new[(n + i) % 60] += 1.0
        total, rows = total + (rows[n % 60] * 3 + new[n % 60]).sum(), new
    close(found[1], total)
    close(found[2], rows)


def test_carries_that_read_each_other(how: str) -> None:
    def body(i: Any, c: Any) -> Any:
        a, b = c
        return ft.at(a)[i].set(b[i + 1] + a[0]), ft.at(b)[i + 1].set(a[i] * 0.5 + b[i])

    a, b = START.copy(), START[::-1].copy()
    found = ft.jit(lambda x, y: ft.fori_loop(0, ROUNDS, body, (x, y)))(a, b)
    for i in range(ROUNDS):
        (a, b) = (np.asarray(x) for x in body(i, (a, b)))
    close(found[0], a)
    close(found[1], b)


def test_what_is_stacked_is_the_carry_of_its_round() -> None:
    def body(c: Any, k: Any) -> Any:
        new = ft.at(c)[k].add(c[k + 1])
        return new, (new[:3], c[k])

    def program(x: Any) -> Any:
        return ft.scan(body, x, np.arange(ROUNDS))

    last, (rows, olds) = ft.jit(program)(START)
    c = START.copy()
    for k in range(ROUNDS):
        close(olds[k], c[k])
        c, (first, _) = body(c, k)
        close(rows[k], first)
    close(last, c)


def test_as_long_as_a_condition_holds() -> None:
    def further(s: Any) -> Any:
        n, c = s
        return n + 1, ft.at(c)[n % 50].set(c[(n + 1) % 50] * 1.25 + 0.5)

    n, c = ft.jit(lambda x: ft.while_loop(lambda s: s[1][0, 0] < 4.0, further, (0, x)))(START)
    k, d = 0, START.copy()
    while d[0, 0] < 4.0:
        k, d = further((k, d))
    assert n == k
    close(c, d)


@pytest.mark.parametrize("f", (row, chain, own_row))
def test_derivatives(f: Callable[..., Any]) -> None:
    def loss(x: Any) -> Any:
        return (ft.fori_loop(0, ROUNDS, f, x) ** 2).sum()

    direction = np.cos(np.arange(120.0)).reshape(60, 2)
    tangent = ft.jit(lambda x, v: ft.jvp(loss, (x,), (v,))[1])(START, direction)
    np.testing.assert_allclose((ft.jit(ft.grad(loss))(START) * direction).sum(), tangent, rtol=1e-11)
    h = 1e-6
    numeric = (loss(START + h * direction) - loss(START - h * direction)) / (2 * h)
    np.testing.assert_allclose(tangent, numeric, rtol=1e-6)


def test_an_inner_loop_changes_a_carry_that_is_not_its_first() -> None:
    def f(x: Any) -> Any:
        def block(rows: Any, _: Any) -> Any:
            def one(s: Any) -> Any:
                return s[0] + 1, ft.at(s[1])[s[0] * 7].set(x * (1.0 + s[0]))

            return ft.while_loop(lambda s: s[0] < 3, one, (0, rows))[1], None

        return ft.scan(block, np.zeros(64), None, length=2)[0]

    xs = np.arange(5.0)
    wanted = np.zeros((5, 64))
    wanted[:, [0, 7, 14]] = xs[:, None] * [1.0, 2.0, 3.0]
    np.testing.assert_array_equal(ft.vmap(f)(xs), wanted)


def kept(i: Any, c: Any) -> Any:
    """Handed on, or made anew of something else; read in the round."""
    a, b = c
    a = ft.cond(i % 3 == 0, lambda a, b: np.sin(b), lambda a, b: a, a, b)
    return a, 0.5 * b + a[::-1]


def changed(i: Any, c: Any) -> Any:
    """Made of what it was."""
    a, b = c
    a = ft.cond(i % 3 == 0, lambda a, b: np.sin(b) + a[::-1], lambda a, b: a, a, b)
    return a, 0.5 * b + a


def exchanged(i: Any, c: Any) -> Any:
    """Each handed on as the other."""
    a, b = ft.switch(i % 3, [lambda a, b: (b, a), lambda a, b: (a, b), lambda a, b: (np.cos(b), 0.5 * b)], *c)
    return a, b


@pytest.mark.parametrize("f", [kept, changed, exchanged], ids=lambda f: f.__name__)
def test_branches_that_hand_on_a_carry(f: Callable[..., Any], how: str) -> None:
    start = (START, START[::-1] + 0.3)

    def run(c: Any) -> Any:
        return ft.fori_loop(0, ROUNDS, f, c)

    wanted = start
    for i in range(ROUNDS):
        wanted = ft.tree.map(np.asarray, f(i, wanted))
    for found, x in zip(ft.jit(run)(start), wanted, strict=True):
        close(found, x)
    many = ft.tree.map(lambda x: np.stack([x, 0.5 * x, -x]), start)
    for found, x in zip(ft.jit(ft.vmap(run))(many), wanted, strict=True):
        close(found[0], x)


def test_a_carry_that_a_branch_hands_on_is_not_copied() -> None:
    """In bodies that are called."""
    start = np.zeros((60, 60)), np.ones((60, 60)), np.ones(60)

    def round_of(i: Any, c: Any) -> Any:
        a, b, x = c
        b = ft.cond(i % 3 == 0, lambda a, b: np.linalg.inv(a + np.eye(60)), lambda a, b: b, a, b)
        return a, b, b @ x

    source = ft.jit(lambda c: ft.fori_loop(0, ROUNDS, round_of, c)).lower(start).c_source
    copied = re.findall(rf"memcpy\((\w+), (\w+), {60 * 60 * 8}\)", source)
    assert copied and not [pair for pair in copied if re.fullmatch(r"c\d+", pair[1]) and pair[0].startswith("d")]
    assert re.search(r"if \((o\d+) != (a\d+)\) __builtin_memcpy\(\1, \2, 28800\)", source)
    assert re.search(r"&& (c\d+) != \w+\) __builtin_memcpy\(\1, \w+, 28800\)", source)  # its one place, before the loop
