"""Ctrl-C in a kernel that takes long (FAULTS, row 47): it is left between two steps, and what runs next is right."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen import split
from functrans.backend.runtime import launcher
from functrans.config import config
from tests.plans import plan_anew


@pytest.fixture(params=["compiled-1", "compiled-2", "cffi-1", "cffi-2"])
def way(request: pytest.FixtureRequest, compiler: None, session_cache: Path) -> Iterator[str]:
    """Through the launcher or through cffi, with one thread or two."""
    kind, threads = request.param.split("-")
    with config.override(launcher=kind == "compiled", threads=int(threads), spec=False):
        if kind == "compiled":
            if not launcher.has_headers():
                pytest.skip("no headers of Python")
            thread = launcher.build_in_background()
            if thread is not None:
                thread.join()
        yield kind


def slow(x: Any) -> Any:
    for _ in range(120):
        x = np.tan(np.exp(np.sin(x)))
    return x


def warm(f: Callable[..., Any], *args: Any) -> Any:
    jitted = ft.jit(f)
    for _ in range(3):
        jitted(*args)
    return jitted


@pytest.fixture
def ctrl_c() -> Iterator[Callable[[], None]]:
    """Press Ctrl-C in a fifth of a second."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
    timers: list[threading.Timer] = []

    def press() -> None:
        timers.append(threading.Timer(0.2, signal.raise_signal, (signal.SIGINT,)))
        timers[-1].start()

    yield press
    for t in timers:
        t.join()
    signal.signal(signal.SIGINT, before)


def test_row_47_a_long_kernel_is_left_on_the_way(way: str, ctrl_c: Callable[[], None]) -> None:
    x = np.linspace(0.0, 1.0, 8_000_000)  # some seconds
    out = np.full_like(x, np.nan)
    f = warm(ft.vmap(slow), x[:10])
    small = x[:: x.size // 10].copy()
    expected = f(small)
    f.lower(x)  # traced: what is pressed is for the kernel
    ctrl_c()
    with pytest.raises(KeyboardInterrupt):
        f(x, out=out)
    assert np.isnan(out[-1000:]).all(), "it ran to its end"
    assert np.array_equal(f(small), expected)


def test_what_is_left_and_entered_again_has_the_same_bits(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split, "TURN_PICOSECONDS", 1)  # of one thread; several look at the clock, which takes longer
    plan_anew(monkeypatch)

    def f(x: Any) -> tuple[Any, Any]:
        y = ft.vmap(slow)(x)
        return y, ft.vmap(slow)(y - y.sum())  # a sum in between, which is not shared

    x = np.linspace(0.0, 1.0, 400_000 if config.threads > 1 else 2_000)
    jitted = warm(f, x)
    y, z = jitted(x)
    parts = [ft.jit(ft.vmap(slow))(p) for p in np.split(x, 40)]
    assert np.array_equal(y, np.concatenate(parts))
    again = jitted(x)
    assert np.array_equal(again[0], y) and np.array_equal(again[1], z, equal_nan=True)
    with config.override(threads=1):
        monkeypatch.setattr(split, "TURN_PICOSECONDS", 1 << 60)
        plan_anew(monkeypatch)
        whole = ft.jit(f)(x)
    assert np.array_equal(whole[0], y) and np.array_equal(whole[1], z, equal_nan=True)


def test_other_handlers_run_meanwhile(way: str) -> None:
    seen = []
    before = signal.signal(signal.SIGUSR1, lambda *_: seen.append(len(seen)))
    try:
        f, x = warm(ft.vmap(slow), np.ones(10)), np.linspace(0.0, 1.0, 2_000_000)
        timer = threading.Timer(0.05, signal.raise_signal, (signal.SIGUSR1,))
        timer.start()
        result = f(x)
        during = list(seen)
        timer.join()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert during == seen == [0] and np.array_equal(result[:100], f(x[:100]))


@pytest.mark.parametrize("loop", ["counted", "tested", "called", "shared"])
def test_a_long_loop_is_left_between_two_rounds(
    loop: str, compiler: None, ctrl_c: Callable[[], None], session_cache: Path
) -> None:
    tested = ft.vmap(lambda a: ft.while_loop(lambda c: c < 1e9, lambda c: np.cos(c * a) ** 2 + c, a))
    f, x = {
        "counted": (lambda x: ft.fori_loop(0, 10**9, lambda i, x: np.sin(x) + i, x), np.array(1.0)),
        "tested": (tested, np.ones(9)),
        "shared": (tested, np.linspace(1.0, 2.0, 5000)),
        "called": (lambda x: ft.fori_loop(0, 10**9, lambda i, x: np.sort(x) * 0.5 + i, x), np.ones(7)),
    }[loop]
    jitted = ft.jit(f)
    jitted.lower(x).compile()  # what is pressed is for the loop
    ctrl_c()
    with pytest.raises(KeyboardInterrupt):
        jitted(x)
