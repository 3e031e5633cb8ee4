"""The pool by itself: every step once, in portions that shrink; helpers wake elsewhere than the call; one processor."""

from __future__ import annotations

import itertools
import os
import pkgutil
import platform
import threading
import time
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.runtime.library import Entry, load
from functrans.backend.runtime.threads import pool
from functrans.config import config

pytestmark = pytest.mark.usefixtures("compiler")

# Runs steps on the pool whose address is buffers[0]: it counts them in buffers[1], notes the lengths of the portions of
# the call in buffers[2], and in buffers[3] the threads that came. sizes: steps, grain, how many are worth a thread,
# threads, first step, how many milliseconds the call waits at most, with each portion, until another thread has begun
# one, how many another thread takes for each, and which one it waits for.
CALL = """
typedef int part(void **, const long long *, long long, long long, long long);
typedef int share(part *, void **, const long long *, long long, long long, long long, long long, long long *,
                  const long long *);
struct moment { long seconds, nanoseconds; };
int clock_gettime(int, struct moment *);
static long long milliseconds(void) {
  struct moment now;
  clock_gettime(CLOCK, &now);
  return now.seconds * 1000LL + now.nanoseconds / 1000000;
}
static int count(void **buffers, const long long *sizes, long long from, long long to, long long who) {
  long long *times = buffers[1], *lengths = buffers[2], *came = buffers[3], end = milliseconds() + sizes[who ? 6 : 5];
  for (long long k = from; k < to; k++) __atomic_fetch_add(&times[k], 1, __ATOMIC_RELAXED);
  if (!who) lengths[++lengths[0]] = to - from;
  __atomic_fetch_add(&came[who], 1, __ATOMIC_SEQ_CST);
  while ((who || !__atomic_load_n(&came[sizes[7]], __ATOMIC_SEQ_CST)) && milliseconds() < end);
  return 0;
}
int ft_entry(void **buffers, const long long *sizes) {
  long long at[5] = {sizes[4]};
  while ((*(share **)buffers[0])(count, buffers, sizes, sizes[0], sizes[1], sizes[2], sizes[3], at, 0));
  return 0;
}
""".replace("CLOCK", str(1 if platform.system() == "Linux" else 6))

# The processors as threads.c sees them are 0 to 3, or the only one that the call runs on; what it says is written down.
STAND_IN = """
#define sched_getcpu shown_processor
#define sched_getaffinity shown_set
#define pthread_setaffinity_np noted
"""
NOTES = """
static unsigned long said[64], mask;
static int many;
int shown_processor(void) { return 2; }
int shown_set(int thread, unsigned long size, processors *set) {
  for (unsigned long k = 0; k < size / sizeof(long); k++) set->bits[k] = k ? 0 : mask;
  return 0 * thread;
}
int noted(void *thread, unsigned long size, const processors *set) {
  if (many < 64) said[__atomic_fetch_add(&many, 1, __ATOMIC_SEQ_CST)] = set->bits[0] + 0 * size + (thread == 0);
  return 0;
}
"""
ENTRY = "int ft_entry(void **buffers, const long long *sizes) {"
MASKED = f"""
static int begin(void **buffers, const long long *sizes);
{ENTRY}
  mask = sizes[0];
  if (mask) return begin(buffers, sizes);
  for (int k = 0; k < many; k++) ((unsigned long *)buffers[0])[k + 1] = said[k];
  *(unsigned long *)buffers[0] = many;
  return 0;
}}
"""


def called(
    address: int, n: int, grain: int, most: int, *, first: int = 0, least: int = 0, wait: int = 0, slow: int = 0,
    until: int = 1,
) -> tuple[Any, Any, Any]:
    """How often each step ran, the lengths of the portions of the call, and how many portions each thread had."""
    times, lengths, came = np.zeros(n, np.int64), np.zeros(n + 1, np.int64), np.zeros(256, np.int64)
    entry = load(CALL)
    buffers = [np.array([address], np.uintp), times, lengths, came]
    assert entry(buffers, [n, grain, least, most, first, wait, slow, until]) == 0
    return times, lengths[1 : lengths[0] + 1], came


@pytest.mark.parametrize("most", [1, 2, 3, 8])
def test_every_step_runs_once(most: int) -> None:
    draw = np.random.default_rng(most)
    for _ in range(40):
        n, grain = int(draw.integers(1, 5000)), int(draw.integers(1, 70))
        first = int(draw.integers(0, n))
        times, lengths, _ = called(pool(), n, grain, most, first=first)
        assert not times[:first].any() and (times[first:] == 1).all()
        assert all(x % grain == 0 for x in lengths[:-1])
        assert all(x >= min(grain, n - first) for x in lengths)


def test_portions_are_parts_of_what_is_left() -> None:
    _, lengths, _ = called(pool(), 100_000, 10, 1)
    assert lengths[0] == 640 and lengths[-1] == 10
    assert (np.diff(lengths) <= 0).all() and lengths.sum() == 100_000


HELD: list[Entry] = []
"""Pools whose threads run in them, as long as the process."""


@pytest.fixture
def watched(request: pytest.FixtureRequest) -> Entry:
    """A pool of the test's own, with stand-ins for what the system says of processors."""
    text = pkgutil.get_data("functrans.backend.runtime", "threads.c")
    assert text is not None and text.decode().count(ENTRY) == 1
    begin = text.decode().replace(ENTRY, ENTRY.replace("int ft_entry", "static int begin"))
    own = f"/* {request.node.name} */{STAND_IN}" + begin.replace("#define MOST", NOTES + "#define MOST") + MASKED
    HELD.append(load(own))
    return HELD[-1]


def said(watched: Entry) -> list[int]:
    note = np.zeros(65, np.int64)
    watched([note], [0])
    return [int(x) for x in note[1 : note[0] + 1]]


@pytest.mark.skipif(platform.system() != "Linux", reason="threads are placed on Linux alone")
def test_a_helper_wakes_on_another_processor_and_is_told_once(watched: Entry) -> None:
    address = np.zeros(1, np.uintp)
    watched([address], [0b1111])
    for _ in range(20):  # the first call starts the thread
        times, _, came = called(int(address[0]), 64, 1, 2, wait=5000)
        assert (times == 1).all() and came[1] > 0 and not came[2:].any()
    found = said(watched)  # it may have been set free, as below, where other work kept it from running
    assert set(found) <= {0b1011, 0b1111} and found[0] == 0b1011
    assert all(a != b for a, b in itertools.pairwise(found))


@pytest.mark.skipif(platform.system() != "Linux", reason="threads are placed on Linux alone")
def test_a_helper_that_is_waited_for_may_have_the_processor_of_the_call(watched: Entry) -> None:
    address = np.zeros(1, np.uintp)
    watched([address], [0b1111])
    for _ in range(20):
        assert (called(int(address[0]), 3, 1, 2, wait=5000, slow=5)[0] == 1).all()
    found = said(watched)
    assert found and found[::2] == [0b1011] * len(found[::2]) and found[1::2] == [0b1111] * (len(found) // 2)
    assert len(found) >= 2


def test_little_work_after_a_pause_is_done_alone() -> None:
    for steps, comes in ((300, False), (301, True)):
        time.sleep(0.01)
        came = called(pool(), steps, 1, 2, least=100, wait=5000 if comes else 1)[2]
        assert bool(came[1]) == comes


@pytest.mark.skipif(platform.system() != "Linux", reason="threads are placed on Linux alone")
def test_on_one_processor_no_helper_is_woken(watched: Entry) -> None:
    address = np.zeros(1, np.uintp)
    watched([address], [0b100])
    times, _, came = called(int(address[0]), 4, 1, 4, wait=40)
    assert (times == 1).all() and not came[1:].any()


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity here")
def test_a_call_that_may_use_one_processor_gives_the_same_bits() -> None:
    f = ft.jit(ft.vmap(lambda v: np.sin(v).sum() * np.cos(v)))
    x = np.random.default_rng(2).normal(size=(600, 300))
    allowed = os.sched_getaffinity(0)
    with config.override(threads=4, spec=False):
        want = [f(x).tobytes() for _ in range(3)][-1]
        for one in sorted(allowed)[:3]:
            os.sched_setaffinity(0, {one})
            try:
                assert all(f(x).tobytes() == want for _ in range(5))
                assert os.sched_getaffinity(0) == {one}  # the calling thread is never moved
            finally:
                os.sched_setaffinity(0, allowed)
        assert f(x).tobytes() == want


def test_each_thread_has_work_that_is_worth_it() -> None:
    for _ in range(5):
        times, _, came = called(pool(), 350, 1, 8, least=100, wait=2, slow=2, until=7)
        assert (times == 1).all() and not came[4:].any()


def test_calls_from_many_threads_run_every_step_once() -> None:
    wrong: list[int] = []

    def work(k: int) -> None:
        for _ in range(60):
            times, _, _ = called(pool(), 700 + k, 1 + k, 4)
            if not (times == 1).all():
                wrong.append(k)

    workers = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for w in workers:
        w.start()
    for w in workers:
        w.join(timeout=60)
        assert not w.is_alive()
    assert not wrong


# A portion takes some turns of milliseconds; between them it may be left, and goes on at the same place. What is left
# of it lies at its place in buffers[2]: first, last and turns. buffers[3] counts what a turn finds out of order.
LEFT = """
typedef int part(void **, const long long *, long long, long long, long long);
typedef int share(part *, void **, const long long *, long long, long long, long long, long long, long long *,
                  const long long *);
int usleep(unsigned);
static int turn(void **buffers, const long long *sizes, long long from, long long to, long long place) {
  long long *times = buffers[1], *own = (long long *)buffers[2] + 3 * place, *wrong = buffers[3];
  if (from >= 0) {
    if (own[2]) __atomic_fetch_add(wrong, 1, __ATOMIC_RELAXED);
    own[0] = from, own[1] = to, own[2] = sizes[4];
  } else if (!own[2]) __atomic_fetch_add(wrong, 1, __ATOMIC_RELAXED);
  usleep(1000 * sizes[5]);
  if (--own[2]) return 1;
  for (long long k = own[0]; k < own[1]; k++) __atomic_fetch_add(&times[k], 1, __ATOMIC_RELAXED);
  return 0;
}
int ft_entry(void **buffers, const long long *sizes) {
  long long at[5] = {0}, calls = 1;
  while ((*(share **)buffers[0])(turn, buffers, sizes, sizes[0], sizes[1], sizes[2], sizes[3], at, 0)) calls++;
  for (int k = 0; k < 5; k++) *(long long *)buffers[3] += at[k];
  *(long long *)buffers[4] = calls;
  return 0;
}
"""


@pytest.mark.parametrize(("n", "grain", "turns"), [(1, 1, 30), (3, 1, 20), (9, 2, 12), (40, 4, 3), (500, 4, 1)])
@pytest.mark.parametrize("most", [1, 2, 5, 300])
@pytest.mark.parametrize("least", [0, -75_000])
def test_what_a_call_leaves_in_the_middle_goes_on(n: int, grain: int, turns: int, most: int, least: int) -> None:
    times, places, wrong, calls = np.zeros(n, np.int64), np.zeros(3 * 256, np.int64), np.zeros(1, np.int64), [0]
    count = np.array(calls, np.int64)
    entry = load(LEFT)
    entry([np.array([pool()], np.uintp), times, places, wrong, count], [n, grain, least, most, turns, 5])
    assert (times == 1).all() and not wrong[0] and not places[2::3].any()
    assert most > 1 or count[0] >= min(n // grain, 3) * turns * 5 // 200


@pytest.mark.parametrize("milliseconds", [0, 3])
def test_a_first_portion_tells_whether_threads_are_worth_it(milliseconds: int) -> None:
    came = called(pool(), 40, 4, 2, least=-75_000, wait=milliseconds, slow=milliseconds)[2]
    assert bool(came[1]) == bool(milliseconds)
