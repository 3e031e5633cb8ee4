"""The threads of the domains: at once, in turn, with errors, in a forked child, and inside themselves."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from functrans.backend.runtime.pool import run_at_once

WAIT = 20.0  # seconds that a test that is right never waits
pytestmark = pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # a fork beside threads is meant


def test_tasks_of_domains_run_at_once() -> None:
    meeting = threading.Barrier(3, timeout=WAIT)  # breaks unless all three are there together
    run_at_once(dict.fromkeys(("CPU", "CPU:1", "CPU:2"), meeting.wait), "CPU")
    assert not meeting.broken


def test_the_host_is_the_thread_that_calls() -> None:
    seen: dict[str, int] = {}
    tasks = {d: (lambda d=d: seen.__setitem__(d, threading.get_ident())) for d in ("CPU", "CPU:1", "CPU:2")}
    run_at_once(tasks, "CPU")
    assert seen["CPU"] == threading.get_ident()
    assert len(set(seen.values())) == 3
    before = dict(seen)
    run_at_once(tasks, "CPU")
    assert seen == before  # a domain is one thread


def test_it_returns_when_all_are_done_and_raises_the_first_error() -> None:
    done = threading.Event()
    meeting = threading.Barrier(2, timeout=WAIT)

    def fails() -> None:
        meeting.wait()
        raise ValueError("of the host")

    def lasts() -> None:
        meeting.wait()
        done.wait(0.05)
        done.set()
        raise KeyError("of another")

    with pytest.raises(ValueError, match="of the host"):
        run_at_once({"CPU": fails, "CPU:1": lasts}, "CPU")
    assert done.is_set()
    with pytest.raises(KeyError, match="of another"):
        run_at_once({"CPU:1": lambda: (_ for _ in ()).throw(KeyError("of another"))}, "CPU")


def test_callers_share_domains_in_turn() -> None:
    total = []
    meeting = threading.Barrier(4, timeout=WAIT)

    def call() -> None:
        meeting.wait()
        for _ in range(50):
            run_at_once({d: (lambda d=d: total.append(d)) for d in ("CPU", "CPU:1", "CPU:2")}, "CPU")

    threads = [threading.Thread(target=call) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(WAIT)
    assert sorted(total) == ["CPU"] * 200 + ["CPU:1"] * 200 + ["CPU:2"] * 200


def test_a_domain_may_call_on_itself() -> None:
    seen: list[str] = []

    def outer() -> None:
        run_at_once({d: (lambda d=d: seen.append(d)) for d in ("CPU", "CPU:1")}, "CPU")

    run_at_once({"CPU:1": outer}, "CPU")
    assert seen == ["CPU", "CPU:1"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_has_threads_of_its_own() -> None:
    run_at_once({"CPU:1": lambda: None}, "CPU")  # a thread that the child will not have
    child = os.fork()
    if child == 0:
        signal.alarm(int(WAIT))  # a child that waits for a thread it has not is ended
        seen: list[str] = []
        try:
            run_at_once({d: (lambda d=d: seen.append(d)) for d in ("CPU", "CPU:1", "CPU:2")}, "CPU")
        finally:
            os._exit(0 if sorted(seen) == ["CPU", "CPU:1", "CPU:2"] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
