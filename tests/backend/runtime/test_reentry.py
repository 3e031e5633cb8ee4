"""Calls of functrans in the middle of a call of functrans: by signal handlers, by the collector, across forks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from functrans._locks import ForkLock
from tests.backend.runtime.house import House

pytestmark = pytest.mark.skipif(os.name != "posix", reason="has signals and forks of Unix")
REAL = shutil.which("cc") or ""

START = """
import gc, os, signal, sys, threading, time
import numpy as np
import functrans as ft
x = np.arange(5.0)
def call(k):
    return ft.jit(lambda v: v * v + k)(x)
def right(k):
    found = call(k)
    assert type(found) is np.ndarray and (found == x * x + k).all(), found
"""


def run(program: str, **environment: str) -> str:
    """What a process prints, which has to end in time."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", START + program],
        env={**os.environ, **environment}, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def waiting(script: Callable[[str, str], str], at: Path, slow: str) -> str:
    """A compiler that tells by a file that it works, and the first time does so until another is there, or for long."""
    wait = f"touch {at}; for k in $(seq 200); do [ -e {at}.done ] || sleep 0.02; done"
    return script("cc", f'case "$*" in {slow}) [ -e {at} ] || {{ {wait}; }};; esac\nexec {REAL} "$@"')


@pytest.mark.skipif(not REAL, reason="needs a C compiler")
@pytest.mark.parametrize("slow", ["*-fsyntax-only*", "*entry.c*", "*.so*"], ids=["looking", "compiling", "linking"])
@pytest.mark.parametrize("same", [True, False])
def test_a_signal_handler(
    house: House, script: Callable[[str, str], str], slow: str, same: bool, tmp_path: Path
) -> None:
    """It runs, and is done, while the compiler works."""
    at = tmp_path / "at"
    cc = waiting(script, at, slow)
    program = f"""
def handle(*_):
    right(1 if {same} else 2)
    answered.append(time.monotonic())
    open("{at}.done", "w").close()
answered = []
signal.signal(signal.SIGUSR1, handle)
def send():
    while not os.path.exists({str(at)!r}):
        time.sleep(0.01)
    time.sleep(0.1)
    os.kill(os.getpid(), signal.SIGUSR1)
threading.Thread(target=send, daemon=True).start()
right(1)
print(len(answered))
"""
    assert run(program, FUNCTRANS_CC=cc) == "1\n"


@pytest.mark.skipif(not REAL, reason="needs a C compiler")
def test_a_signal_handler_at_any_time(house: House) -> None:
    """Also between any two steps of tracing, planning, compiling and loading, and beside another thread."""
    program = """
depth, count = [], []
def handle(*_):
    if not depth:
        depth.append(1)
        try:
            call(len(count) % 3)
            ft.jit(np.sin)(x)
            count.append(1)
        finally:
            depth.pop()
right(99)  # Python's own import of modules cannot be entered twice in 3.11
ft.spjacobian(lambda v: v[1:] + v[:-1])(x)
signal.signal(signal.SIGALRM, handle)
def other():
    for k in range(3):
        right(k + 10)
thread = threading.Thread(target=other)
thread.start()
signal.setitimer(signal.ITIMER_REAL, 0.01, 0.02)
J = ft.spjacobian(lambda v: v[1:] * v[:-1])
for k in range(4):
    right(k)
    call(k + 10)
    assert (J(x).toarray().sum(axis=1) == x[1:] + x[:-1]).all()
signal.setitimer(signal.ITIMER_REAL, 0)
thread.join()
assert count and gc.isenabled()
"""
    run(program)


@pytest.mark.skipif(not REAL, reason="needs a C compiler")
def test_the_collector_at_every_line(house: House) -> None:
    """Wherever it may strike: a `__del__` that calls functrans, once for each line of the run time that is passed."""
    program = """
class Late:
    def __del__(self):
        call(len(seen) % 2)
        ft.jit(np.sin)(x)
def strike(frame, event, arg):
    code, line = frame.f_code, frame.f_lineno
    if "functrans/backend/runtime" not in code.co_filename:
        return None
    if (code, line) not in seen and not busy:
        seen.add((code, line))
        busy.append(1)
        Late()
        busy.pop()
    return strike
right(99)
seen, busy = set(), []
sys.settrace(strike)
for k in range(3):
    right(k)
ft.spjacobian(lambda v: v[1:] * v[:-1])(x)
sys.settrace(None)
assert len(seen) > 100, len(seen)
"""
    run(program)


@pytest.mark.skipif(not REAL, reason="needs a C compiler")
def test_the_collector(house: House) -> None:
    program = """
depth, count = [], []
class Cycle:
    def __init__(self):
        self.me = self
    def __del__(self):
        if not depth and len(count) < 200:
            depth.append(1)
            call(len(count) % 3)
            count.append(Cycle() and 1)
            depth.pop()
right(99)
Cycle()
gc.set_threshold(50)
for k in range(4):
    Cycle()
    right(k)
    ft.vmap(np.sin)(x)
assert count
"""
    run(program)


@pytest.mark.skipif(not REAL, reason="needs a C compiler")
@pytest.mark.parametrize(
    "call", ["ft.jit(f)(x)", "ft.vmap(f)(x)", "ft.spjacobian(f)(x).diagonal()", "ft.grad(lambda v: f(v).sum())(x)"]
)
def test_a_fork_inside_of_a_trace(house: House, call: str) -> None:
    program = f"""
pids = []
def f(v):
    if not pids:
        pids.append(os.fork())
    return v * v
def check():
    want = x * x if "vmap" in {call!r} or "jit" in {call!r} else 2 * x
    for _ in range(2):
        assert ({call} == want).all()
    right(7)
try:
    check()
except BaseException as error:
    if pids == [0]:
        sys.stderr.write(repr(error))
        os._exit(1)
    raise
if pids == [0]:
    os._exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(pids[0], 0)[1]))
"""
    assert run(program) == "0\n"


@pytest.mark.skipif(not REAL, reason="needs a C compiler")
def test_a_fork_by_a_handler_while_the_compiler_works(
    house: House, script: Callable[[str, str], str], tmp_path: Path
) -> None:
    """The compiler works for the parent; the child runs one of its own, and takes no file of the other away."""
    at = tmp_path / "at"
    cc = waiting(script, at, "*entry.c*")
    program = f"""
pids = []
signal.signal(signal.SIGUSR1, lambda *_: pids.append(os.fork()))
def send():
    while not os.path.exists({str(at)!r}):
        time.sleep(0.01)
    time.sleep(0.1)
    os.kill(os.getpid(), signal.SIGUSR1)
threading.Thread(target=send, daemon=True).start()
try:
    right(1)
except BaseException as error:
    sys.stderr.write(repr(error))
    os._exit(1)
if pids == [0]:
    open("{at}.done", "w").close()
    os._exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(pids[0], 0)[1]))
"""
    assert run(program, FUNCTRANS_CC=cc, TMPDIR=str(house.temporary)) == "0\n"
    assert house.left_over() == []


# the locks


def test_a_lock_is_entered_again_by_its_thread() -> None:
    lock, order = ForkLock(), []
    with lock:
        with lock:
            order.append("inner")
        thread = threading.Thread(target=lambda: (lock.__enter__(), order.append("other"), lock.__exit__()))
        thread.start()
        time.sleep(0.2)
        order.append("outer")
    thread.join(10)
    assert order == ["inner", "outer", "other"]


@pytest.mark.parametrize("many", [2, 3, 5])
def test_threads_that_wait_for_one_another_go_on(many: int) -> None:
    locks = [ForkLock() for _ in range(many)]
    held = threading.Barrier(many)
    done: list[int] = []

    def work(k: int) -> None:
        with locks[k]:
            held.wait(10)
            with locks[(k + 1) % many]:
                done.append(k)

    threads = [threading.Thread(target=work, args=(k,), daemon=True) for k in range(many)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(done) == list(range(many))
    for lock in locks:  # and all are open again
        other = threading.Thread(target=lambda lock=lock: lock.__enter__(), daemon=True)
        other.start()
        other.join(10)
        assert not other.is_alive()


def test_a_lock_of_the_thread_that_forks_is_held_in_the_child() -> None:
    mine, other, held = ForkLock(), ForkLock(), threading.Event()

    def hold() -> None:
        with other:
            held.set()
            time.sleep(60)

    threading.Thread(target=hold, daemon=True).start()
    assert held.wait(10)
    with mine:
        child = os.fork()
        if child == 0:
            try:
                with mine, other:
                    pass
                free = threading.Thread(target=lambda: mine.__enter__(), daemon=True)
                free.start()
                free.join(0.3)
                os._exit(0 if free.is_alive() else 2)
            finally:
                os._exit(3)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
