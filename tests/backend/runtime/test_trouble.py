"""No trouble with cache, compiler or processes changes a result."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from functrans.backend.runtime import cache, library, toolchain
from functrans.backend.runtime.library import available, load
from functrans.config import config
from functrans.errors import CompileError, CompilerNotFound, FunctransWarning
from tests.backend.runtime.house import DOUBLE, House, check, returning, run_python


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
        cast, new = library.ffi.cast, library.ffi.new

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
    run_python(script, PYTHONPATH=str(root))
    written = (tmp_path / "functrans" / "backend" / "runtime" / "_abi.py").read_text()
    assert written == Path(library.__file__).with_name("_abi.py").read_text()
