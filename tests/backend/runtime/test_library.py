"""From C text to numbers: once compiled, once loaded, from any thread or process."""

from __future__ import annotations

import gc
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from functrans.backend.runtime import flags, library, toolchain
from functrans.backend.runtime.library import Entry, load
from functrans.config import config
from functrans.errors import CompileError
from tests.backend.runtime.house import DOUBLE, House, check, returning

# calling


def test_runs(house: House) -> None:
    check(load(DOUBLE))


@pytest.mark.parametrize("status", [0, 1, -7, 2**31 - 1])
def test_status_is_returned(house: House, status: int) -> None:
    assert load(returning(status))([], []) == status


def test_arrays_of_every_kind(house: House) -> None:
    source = """
    int ft_entry(void **b, const long long *s) {
        for (long long k = 0; k < s[0]; k++) {
            unsigned char *p = b[k];
            if (p == 0 && s[1 + k] != 0) return 1;
            unsigned char sum = 0;
            for (long long i = 0; i < s[1 + k]; i++) sum += p[i];
            ((unsigned char *)b[s[0]])[k] = sum;
        }
        return 0;
    }"""
    kinds = "?bBhHiIqQefdFD"
    arrays: list[np.ndarray[Any, Any]] = [np.arange(12).reshape(3, 4).astype(kind) for kind in kinds]
    arrays += [np.array(3.0), np.zeros((0, 5)), np.zeros((3, 0, 2)), np.broadcast_to(np.ones(()), (1, 1))]
    for array in arrays[:5]:
        array.flags.writeable = False
    out = np.zeros(len(arrays), dtype=np.uint8)
    sizes = [len(arrays), *(array.nbytes for array in arrays)]
    assert load(source)([*arrays, out], sizes) == 0
    expected = [np.frombuffer(array.tobytes(), np.uint8).sum(dtype=np.uint8) for array in arrays]
    np.testing.assert_array_equal(out, expected)


def test_a_thousand_buffers_and_numpy_sizes(house: House) -> None:
    source = """
    int ft_entry(void **b, const long long *s) {
        for (long long k = 0; k < s[0]; k++) *(double *)b[k] += s[k + 1];
        return 0;
    }"""
    arrays = [np.array([0.5]) for _ in range(1000)]
    assert load(source)(tuple(arrays), (1000, *np.arange(1000))) == 0
    assert [array[0] for array in arrays] == [k + 0.5 for k in range(1000)]


def test_big_sizes_pass_whole(house: House) -> None:
    source = "int ft_entry(void **b, const long long *s) { (void)b; return s[0] == -s[1] && s[0] > 0; }"
    assert load(source)([], [2**63 - 1, -(2**63 - 1)]) == 1


@pytest.mark.parametrize("array", [np.ones((3, 4)).T, np.ones((3, 4))[:, ::2], np.ones(4)[::-1]])
def test_strided_arrays_are_refused(house: House, array: np.ndarray[Any, Any]) -> None:
    with pytest.raises(ValueError, match="contiguous"):
        load(DOUBLE)([np.zeros(array.size), array], [array.size])


def test_arithmetic_is_ieee(house: House) -> None:
    """No contraction to a fused multiply-add, NaN kept apart, integers wrap."""
    source = """
    int ft_entry(void **b, const long long *s) {
        double *x = b[0]; long long *n = b[1];
        x[3] = x[0] * x[1] + x[2];
        x[4] = x[5] != x[5];
        n[0] = n[0] + s[0] > n[0];
        return 0;
    }"""
    a = 1.0 + 2.0**-30
    x = np.array([a, a, -1.0 - 2.0**-29, 0.0, 0.0, np.nan])
    n = np.array([2**63 - 1])
    load(source)([x, n], [1])
    assert (x[3], x[4], n[0]) == (a * a + x[2], 1.0, 0)
    assert x[3] == 0.0  # a fused multiply-add gives 2**-60


def test_maths_library_is_linked(house: House) -> None:
    source = "double sin(double); int ft_entry(void **b, const long long *s) " \
        "{ double *x = b[0]; for (long long i = 0; i < s[0]; i++) x[i] = sin(x[i]); return 0; }"  # fmt: skip
    x = np.linspace(-3, 3, 7)
    expected = np.sin(x)
    load(source)([x], [7])
    np.testing.assert_allclose(x, expected, rtol=1e-15)


def test_the_call_lets_other_threads_run(house: House) -> None:
    source = """
    int ft_entry(void **b, const long long *s) {
        volatile long long *flag = b[0];
        flag[1] = 1;
        for (long long i = 0; i < s[0]; i++) if (flag[0]) return 0;
        return 7;
    }"""
    entry = load(source)
    flag = np.zeros(2, dtype=np.int64)
    with ThreadPoolExecutor(1) as pool:
        status = pool.submit(entry, [flag], [20_000_000_000])
        while not flag[1]:
            pass
        flag[0] = 1
        assert status.result() == 0


# once


def test_one_text_is_one_entry(compiled: list[str]) -> None:
    assert load(DOUBLE) is load(str(DOUBLE))
    assert load(returning(5)) is not load(DOUBLE)
    assert compiled == [DOUBLE, returning(5)]


def test_eight_threads_compile_once_and_get_one_object(compiled: list[str]) -> None:
    barrier = threading.Barrier(8)

    def first_call(_: int) -> Entry:
        barrier.wait()
        return load(DOUBLE)

    with ThreadPoolExecutor(8) as pool:
        entries = list(pool.map(first_call, range(8)))
    assert len(compiled) == 1
    assert len({id(entry) for entry in entries}) == 1
    check(entries[0])


def test_threads_with_different_texts(compiled: list[str]) -> None:
    with ThreadPoolExecutor(4) as pool:
        entries = list(pool.map(load, map(returning, range(4))))
    assert [entry([], []) for entry in entries] == [0, 1, 2, 3]
    assert sorted(compiled) == [returning(number) for number in range(4)]


def test_a_failure_is_not_remembered(compiled: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        once = Mock(side_effect=CompileError("once"))
        patch.setattr(library.late.compiling, "compile_c", once)
        with pytest.raises(CompileError, match="once"):
            load(DOUBLE)
    check(load(DOUBLE))


def test_a_warm_process_compiles_nothing(house: House, compiled: list[str]) -> None:
    load(DOUBLE)
    house.restart()
    check(load(DOUBLE))
    assert len(compiled) == 1


def test_another_cpu_or_compiler_compiles_anew(
    house: House, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    load(DOUBLE)
    monkeypatch.setattr(library, "cpu_identity", lambda: flags.cpu_identity() + "more")
    house.restart()
    check(load(DOUBLE))
    config.cc = f"{toolchain.find_compiler().command[0]} -DOTHER"
    library.forget()
    check(load(DOUBLE))
    assert len(compiled) == len(house.cached(".so")) == 3


def mapped(house: House) -> int:
    """How many libraries of the cache this process has open."""
    lines = Path("/proc/self/maps").read_text().splitlines()
    return len({line.split()[-1] for line in lines if str(house.cache) in line})


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_libraries_used_longest_ago_are_closed_unless_they_are_held(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "_LOADED", 3)
    held = [load(returning(k)) for k in range(4)]
    for k in range(4, 10):
        load(returning(k))
        assert load(returning(0)) is held[0]
    gc.collect()
    assert mapped(house) == 4 + 2  # those that are held; of the last three that were used the first is one of them
    assert [entry([], []) for entry in held] == [0, 1, 2, 3]
    assert load(returning(2)) is held[2]
    assert load(returning(5))([], []) == 5  # from the cache again
    del held
    gc.collect()
    assert mapped(house) == 3


WAITS = """
int usleep(unsigned int);
int ft_entry(void **b, const long long *s) { for (int k = 0; k < 50; k++) usleep(10000); return 7; }
"""


def test_a_library_that_runs_is_not_closed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "_LOADED", 1)
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(load(WAITS)([], [])))
    load(WAITS)
    thread.start()
    time.sleep(0.1)
    for k in range(3):
        load(returning(k))
    gc.collect()
    thread.join(30)
    assert found == [7]
