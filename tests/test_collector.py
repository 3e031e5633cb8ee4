"""The collector rests while a plan is made, and runs again as before."""

from __future__ import annotations

import gc
import os
import threading
import weakref

import numpy as np
import pytest

import functrans as ft
from functrans._collector import Paused, paused
from functrans.backend import plan
from functrans.ops.symbolic import TRUE
from functrans.ops.uop import UOp, toposort


def test_it_is_put_back_by_the_last_that_ends() -> None:
    pause = Paused()
    assert gc.isenabled()
    with pause:
        with pause:
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_walks_are_kept_as_long() -> None:
    x = UOp.sink(TRUE)
    with paused:
        toposort((x,)).clear()  # a caller's own
        assert toposort((x,)) == [x.src[0], x] and paused.kept
    node = weakref.ref(x)
    del x
    assert paused.kept is None and node() is None


def test_an_error_puts_it_back() -> None:
    with pytest.raises(RuntimeError), Paused():
        raise RuntimeError
    assert gc.isenabled()


def test_it_stays_off_where_the_user_turned_it_off() -> None:
    gc.disable()
    try:
        with Paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_threads_inside_at_different_times() -> None:
    pause, second_inside, first_left = Paused(), threading.Event(), threading.Event()
    seen = []

    def other() -> None:
        with pause:
            second_inside.set()
            first_left.wait(30)
            seen.append(gc.isenabled())

    thread = threading.Thread(target=other)
    with pause:
        thread.start()
        second_inside.wait(30)
    first_left.set()
    thread.join()
    assert seen == [False] and gc.isenabled()


def test_a_plan_is_made_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    real = plan.lower_all
    monkeypatch.setattr(plan, "lower_all", lambda *args: (seen.append(gc.isenabled()), real(*args))[1])
    ft.jit(lambda x: x * 3.25 + 17.0).lower(np.zeros(7)).cost()
    assert seen == [False] and gc.isenabled()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_has_it_though_another_thread_was_inside() -> None:
    inside, done = threading.Event(), threading.Event()

    def other() -> None:
        with paused:
            inside.set()
            done.wait(30)

    thread = threading.Thread(target=other)
    thread.start()
    inside.wait(30)
    child = os.fork()
    if child == 0:
        os._exit(0 if gc.isenabled() else 1)
    done.set()
    thread.join()
    assert os.waitpid(child, 0)[1] == 0
    assert gc.isenabled()
