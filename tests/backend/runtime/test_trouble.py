"""No trouble with cache, compiler or processes changes a result."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.runtime import cache, library, scratch, toolchain
from functrans.backend.runtime.library import NoPlace, available, load
from functrans.config import config
from functrans.errors import CompileError, CompilerNotFound, FunctransWarning
from tests.backend.runtime.house import DOUBLE, House, check, returning, run_python
from tests.plans import plan_anew

REAL = shutil.which("cc") or ""


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
        cast, new, NULL = library.ffi.cast, library.ffi.new, library.ffi.NULL

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


@pytest.mark.parametrize("said", ["echo 'No space left on device'; ", ""])
def test_scratch_files_go_elsewhere_where_there_is_no_room(
    house: House, script: Callable[[str, str], str], monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    """By what the compiler says, or else by what can be written; the cache is not left for that."""
    config.cc = script("cc", f'case "$TMPDIR" in {house.temporary}/*) {said}exit 1;; esac\nexec {REAL} "$@"')
    real = os.write

    def write(descriptor: int, data: bytes) -> int:
        if os.readlink(f"/proc/self/fd/{descriptor}").startswith(str(house.temporary)):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(descriptor, data)

    if not said:
        monkeypatch.setattr(os, "write", write)
    check(load(DOUBLE))
    assert len(house.cached(".so")) == 1 and house.left_over() == []
    assert str(house.temporary) in scratch._full
    assert load(returning(1))([], []) == 1


def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """No place lets a library be loaded, as when all are mounted noexec."""
    real = library.ffi

    class Ffi:
        RTLD_NOW, error = real.RTLD_NOW, real.error
        cast, new = real.cast, real.new

        def dlopen(self, path: str | None, how: int = 0) -> Any:
            raise OSError(f"{path}: failed to map segment from shared object")

    monkeypatch.setattr(library, "ffi", Ffi())


def no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    def mkdir(path: str, mode: int = 0o777) -> None:
        raise FileExistsError if os.path.isdir(path) else OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "mkdir", mkdir)


@pytest.mark.parametrize("trouble", [nowhere, no_room])
def test_where_nothing_can_be_loaded_or_written_the_interpreter_answers(
    house: House, monkeypatch: pytest.MonkeyPatch, trouble: Callable[[pytest.MonkeyPatch], None]
) -> None:
    house.cache.mkdir(mode=0o700)
    plan_anew(monkeypatch)
    trouble(monkeypatch)
    x = np.linspace(0.0, 1.0, 7)
    f = ft.jit(lambda v: np.sin(v) + v[::-1])
    with pytest.warns(FunctransWarning, match="interpreter answers") as caught:
        for _ in range(3):
            np.testing.assert_allclose(f(x), np.sin(x) + x[::-1], rtol=1e-15)
        np.testing.assert_allclose(ft.vmap(lambda v: v * 3.25)(x), x * 3.25)
        np.testing.assert_array_equal(ft.spjacobian(lambda v: v * v)(x).diagonal(), 2 * x)
    assert len(caught) == 1
    with pytest.raises(NoPlace):
        load(DOUBLE)


def test_libraries_that_were_swapped_are_made_anew(house: House) -> None:
    assert [load(returning(k))([], []) for k in (1, 2)] == [1, 2]
    one, two = house.cached(".so")
    first, second = one.read_bytes(), two.read_bytes()
    one.write_bytes(second)
    two.write_bytes(first)
    house.restart()
    with pytest.warns(FunctransWarning, match="is damaged"):
        assert [load(returning(k))([], []) for k in (1, 2)] == [1, 2]


DESCRIPTORS = """
import os, resource
import numpy as np, functrans as ft, scipy.sparse
x = np.ones(3)
known = ft.jit(lambda v: v * 3)
known(x)
ft.vmap, ft.spjacobian  # names are loaded when they are first read
resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200))
held = []
try:
    while True:
        held.append(os.dup(0))
except OSError:
    pass
for spare in range(4):
    for call in (ft.jit(lambda v: np.sin(v) + spare), ft.vmap(lambda v: np.cos(v) + spare), ft.spjacobian(np.exp)):
        try:
            call(x)
        except ft.FunctransError as error:
            assert "no file descriptor is left" in str(error) and "ulimit -n" in str(error), error
        else:
            raise AssertionError(spare)
    assert (known(x) == 3).all()
    os.close(held.pop())
for end in held:
    os.close(end)
print(ft.jit(lambda v: np.sin(v) * 0)(x), ft.spjacobian(np.exp)(x).nnz)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="counts descriptors as Linux does")
def test_no_descriptors_are_left(house: House) -> None:
    assert run_python(DESCRIPTORS) == "[0. 0. 0.] 3\n"


@pytest.mark.parametrize("setting", ["", "FUNCTRANS_CC", "FUNCTRANS_CACHE_DIR", "PATH"])
def test_the_working_directory_is_gone(house: House, tmp_path: Path, setting: str) -> None:
    program = (
        "import os, numpy as np, functrans as ft\n"
        f"os.chdir({str(tmp_path)!r}); os.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone')\n"
        f"if {setting!r}: os.environ[{setting!r}] = './here:' + os.environ.get({setting!r}, '')\n"
        "try:\n    print(ft.jit(lambda v: v * 3)(np.ones(2)))\n"
        "except ft.FunctransError as error:\n    print(type(error).__mro__[-3].__name__, error)\n"
    )
    told = {"FUNCTRANS_CC": "FUNCTRANS_CC is './here:'", "FUNCTRANS_CACHE_DIR": "which does not exist any more"}
    assert told.get(setting, "[3. 3.]") in run_python(program)


NO_THREADS = """
import atexit, sys, threading
import numpy as np, functrans as ft
x = np.ones(3)
f = ft.jit(lambda v: np.sin(v) * 2)
def work():
    for _ in range(200):  # enough for the launcher to be built beside them
        f(x)
    assert (ft.jit(lambda v: v + 3)(x) == 4).all()
    big = np.ones(2_000_000)
    assert (ft.jit(lambda v: v * v)(big) == 1).all()
    parts = ft.Tensor(np.arange(8.0)).shard(("CPU", "CPU:1"), 0)
    assert (ft.jit(lambda v: v + 1)(parts).numpy() == np.arange(1.0, 9.0)).all()
    print("done", flush=True)
"""


@pytest.mark.parametrize("when", ["atexit.register(work)", "threading._register_atexit(work)", "NONE"])
def test_where_no_thread_can_be_started(house: House, when: str) -> None:
    """At the end of the interpreter, as Python 3.12 has it; and in a process that has all the threads it may have."""
    none = (
        "def start(self):\n    raise RuntimeError(\"can't start new thread\")\n"
        "threading.Thread.start = start\nwork()\n"
    )
    assert run_python(NO_THREADS + (none if when == "NONE" else when)) == "done\n"


def test_a_compiler_that_writes_rubbish(house: House, tmp_path: Path) -> None:
    fake = tmp_path / "cc"
    fake.write_text('#!/bin/sh\ncase "$*" in *-o*) while [ "$1" != -o ]; do shift; done; echo rubbish > "$2";; esac\n')
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
    header = Path(library.__file__).with_name("call.h").read_text()
    (tmp_path / "functrans" / "backend" / "runtime" / "call.h").write_text(header)
    run_python(script, PYTHONPATH=str(root))
    written = (tmp_path / "functrans" / "backend" / "runtime" / "_abi.py").read_text()
    assert written == Path(library.__file__).with_name("_abi.py").read_text()
