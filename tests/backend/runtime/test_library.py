"""From C text to numbers: once compiled, once loaded, from any thread or process."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from functrans.backend.runtime import cache, flags, library, toolchain
from functrans.backend.runtime.library import Entry, available, load
from functrans.config import config
from functrans.errors import CompileError, CompilerNotFound, FunctransWarning
from tests.backend.runtime.house import DOUBLE, House


@pytest.fixture
def compiled(house: House, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are compiled from now on."""
    texts: list[str] = []
    real = library.compile_c

    def record(compiler: toolchain.Compiler, c_text: str, store: cache.Cache) -> bytes:
        texts.append(c_text)
        return real(compiler, c_text, store)

    monkeypatch.setattr(library, "compile_c", record)
    return texts


def check(entry: Entry) -> None:
    x = np.array([1.5, -2.0, np.nan, np.inf])
    out = np.zeros(4)
    assert entry([out, x], [4]) == 0
    np.testing.assert_array_equal(out, 2.0 * x)


def returning(number: int) -> str:
    return f"int ft_entry(void **b, const long long *s) {{ (void)b; (void)s; return {number}; }}"


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
        patch.setattr(library, "compile_c", lambda *args: (_ for _ in ()).throw(CompileError("once")))
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


def test_pickles_as_text(house: House) -> None:
    entry = load(DOUBLE)
    data = pickle.dumps(entry)
    assert pickle.loads(data) is entry
    library.forget()
    check(pickle.loads(data))


# trouble


@pytest.mark.parametrize("keep", [0, 1, 100, 4096, -1])
def test_a_truncated_library_is_made_anew(house: House, compiled: list[str], keep: int) -> None:
    load(DOUBLE)
    (path,) = house.cached(".so")
    path.write_bytes(path.read_bytes()[:keep])
    house.restart()
    with pytest.warns(FunctransWarning, match="damaged"):
        check(load(DOUBLE))
    assert len(compiled) == 2
    house.restart()
    check(load(DOUBLE))
    assert len(compiled) == 2


def test_a_foreign_library_is_made_anew(house: House, compiled: list[str]) -> None:
    """Whole by its checksum, but nothing this machine can load: a copied cache."""
    load(DOUBLE)
    (path,) = house.cached(".so")
    path.unlink()
    cache.current().put(path.name, b"\x7fELF of another machine")
    house.restart()
    check(load(DOUBLE))
    assert len(compiled) == 2 and house.cached(".so") == [path]


def test_libraries_that_do_not_load_from_the_cache(
    house: House, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when it is mounted noexec."""
    load(DOUBLE)
    house.restart()
    real = library.ffi.dlopen
    tried: list[str] = []

    class Ffi:
        RTLD_NOW = library.ffi.RTLD_NOW
        error = library.ffi.error

        def dlopen(self, path: str, how: int) -> Any:
            if path.startswith(str(house.cache)):
                tried.append(path)
                raise OSError(f"{path}: failed to map segment from shared object")
            return real(path, how)

    monkeypatch.setattr(library, "ffi", Ffi())
    with pytest.warns(FunctransWarning, match="failed to map segment") as caught:
        check(load(DOUBLE))
        assert load(returning(3))([], []) == 3
    assert len(caught) == 1
    assert len(tried) == 2  # what was there, and the rebuilt one
    library.forget()
    check(load(DOUBLE))
    assert len(tried) == 2


def test_a_compiler_that_writes_rubbish(house: House, tmp_path: Path) -> None:
    fake = tmp_path / "cc"
    fake.write_text('#!/bin/sh\ncase "$*" in *-o*) echo rubbish > entry.so;; esac\n')
    fake.chmod(0o755)
    config.cc = str(fake)
    with pytest.raises(CompileError, match="does not load") as caught:
        load(DOUBLE)
    assert caught.value.source is not None and Path(caught.value.source).read_text() == DOUBLE
    assert house.left_over() == []


def test_a_library_without_the_entry_point(house: House) -> None:
    with pytest.raises(CompileError, match="exports no ft_entry"):
        load("int another(void) { return 0; }")


def test_a_cache_that_cannot_be_had_still_gives_the_result(house: House, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    config.cache_dir = str(tmp_path / "file" / "cache")
    with pytest.warns(FunctransWarning, match="no lasting cache") as caught:
        check(load(DOUBLE))
        assert load(returning(1))([], []) == 1
    assert len(caught) == 1


def run_python(program: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **environment}, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


FORKS = """
import os, sys
import numpy as np
from functrans.backend.runtime import load
source = '''{source}'''
def works():
    x = np.arange(5.0)
    out = np.empty(5)
    return load(source)([out, x], [5]) == 0 and (out == 2 * x).all()
{before}
children = []
for _ in range({count}):
    child = os.fork()
    if child == 0:
        os._exit(0 if works() else 1)
    children.append(child)
codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
print(codes)
"""


def test_sixteen_processes_compile_the_same_text(house: House) -> None:
    out = run_python(FORKS.format(source=DOUBLE, before="", count=16))
    assert out.split("\n")[0] == str([0] * 16)
    assert len(house.cached(".so")) == 1
    assert [path for path in os.listdir(house.cache) if path.startswith(".new")] == []


def test_a_fork_uses_what_the_parent_loaded(house: House) -> None:
    out = run_python(FORKS.format(source=DOUBLE, before="works()", count=2))
    assert out.split("\n")[0] == "[0, 0]"


def test_a_fork_is_not_blocked_by_a_lock_of_another_thread(house: House) -> None:
    before = (
        "import threading\n"
        "from functrans.backend.runtime import library\n"
        "held = threading.Event()\n"
        "def hold():\n"
        "    with library._lock:\n"
        "        held.set()\n"
        "        threading.Event().wait()\n"
        "threading.Thread(target=hold, daemon=True).start()\n"
        "held.wait()\n"
    )
    out = run_python(FORKS.format(source=DOUBLE, before=before, count=1), PYTHONWARNINGS="ignore")
    assert out.split("\n")[0] == "[0]"


# with and without a compiler


def test_available(house: House) -> None:
    assert available()


def test_not_available_is_one_warning(house: House, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(toolchain.importlib.util, "find_spec", lambda name: None)
    with pytest.warns(FunctransWarning, match="(?s)no working C compiler.*interpreter") as caught:
        assert not available()
        assert not available()
    assert len(caught) == 1
    with pytest.raises(CompilerNotFound):
        load(DOUBLE)


def test_not_available_on_purpose_raises(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FUNCTRANS_CC", "no-such-cc")
    with pytest.raises(CompilerNotFound, match="FUNCTRANS_CC is 'no-such-cc'"):
        available()


def test_dump_keeps_the_c(house: House, tmp_path: Path) -> None:
    config.dump = str(tmp_path / "new" / "dump")
    load(DOUBLE)
    (path,) = (tmp_path / "new" / "dump").iterdir()
    assert path.read_text() == DOUBLE and path.suffix == ".c"


def test_dump_that_cannot_be_written_is_a_warning(house: House, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    config.dump = str(tmp_path / "file")
    with pytest.warns(FunctransWarning, match="FUNCTRANS_DUMP"):
        check(load(DOUBLE))


def test_debug_tells_hits_and_misses(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    config.debug = 1
    load(DOUBLE)
    first = capsys.readouterr()
    library.forget()
    load(DOUBLE)
    second = capsys.readouterr()
    assert "cache miss" in first.err and "compiled 8 lines" in first.err
    assert "cache hit" in second.err and "compiled" not in second.err
    assert first.out == second.out == ""


def test_import_is_light() -> None:
    program = (
        "import sys, functrans.backend.runtime\n"
        "heavy = {'pycparser', 'cffi', 'subprocess', 'hashlib', 'tempfile', 'shutil', 'pathlib', 'scipy'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    assert run_python(program) == "[]\n"


def test_the_checked_in_abi_is_what_the_script_writes(tmp_path: Path) -> None:
    root = Path(library.__file__).parents[3]
    script = (
        (root / "scripts" / "make_abi.py").read_text().replace("Path(__file__)", f"Path({str(tmp_path)!r}, 'a', 'b')")
    )
    (tmp_path / "functrans" / "backend" / "runtime").mkdir(parents=True)
    run_python(script, PYTHONPATH=str(root))
    written = (tmp_path / "functrans" / "backend" / "runtime" / "_abi.py").read_text()
    assert written == Path(library.__file__).with_name("_abi.py").read_text()
