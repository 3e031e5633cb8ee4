"""What every test runs with: the graph checked after every pass, a compile cache of the session's own, no limits of
time on the examples of a law, and the oracle in place of a compiler where that is enough.
"""

from __future__ import annotations

import gc
import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from functrans.backend import kept, pipeline
from functrans.backend.runtime import toolchain
from functrans.backend.runtime.toolchain import Compiler, find_compiler
from functrans.config import config
from functrans.errors import CompileError
from tests.covering import chosen

# a loaded machine is slow, and the first example of a law may compile: neither is a fault
settings.register_profile("functrans", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("functrans")

TESTS = Path(__file__).parent
# What programs mean, many of them. One in COMPILED of these tests, and those that ask for ``compiler``, run compiled C,
# which the compiler need not optimize: its flags are the business of laws, golden and most of backend. The others are
# computed by the oracle, as on a machine without a compiler: in a tenth of the time, most of which is the compiler's.
OF_MEANING = ("numpy", "reference", "scipy", "tensor", "transforms")
COMPILED = 12
# Those of compiled C, one and all, that the compiler need not optimize either.
UNOPTIMIZED = (
    "backend", "benchmarks", "examples", "export", "implicit", "laws", "ode", "ops", "programs", "test_testing.py",
)  # fmt: skip
# But for laws of what flags may change, the last bits of functions, memory and instructions, and what is run as users
# run it: threads, signals, integers at their edges.
OPTIMIZED = (
    "backend/runtime", "backend/test_allocation.py", "backend/test_compiler_law.py", "backend/test_compiled_law.py",
    "backend/test_deep.py", "backend/test_elementary.py", "backend/test_interrupt.py", "backend/test_kernel_stage.py",
    "backend/test_threads.py", "export/test_plain.py", "export/test_targets.py",
    "laws/test_compiled_law.py", "laws/test_integers.py",
)  # fmt: skip


# No optimization; the functions of vectors, which are to be parts of their callers, are called and compiled once.
AS_WRITTEN = ("-O0", "-Dalways_inline=__noinline__")
BEHIND: dict[str, Compiler] = {}  # the compiler that a script calls


def pytest_addoption(parser: pytest.Parser) -> None:
    """All cases of all tests on demand."""
    parser.addoption("--every-case", action="store_true", help="all combinations of parameters, see tests/covering.py")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the product of the lists of a test's parameters, a covering is run."""
    if not config.getoption("every_case"):
        items[:], left_out = chosen(items)
        config.hook.pytest_deselected(items=left_out)


def pytest_collection_finish() -> None:
    """Collections of garbage need not look at the tests themselves: there are thousands, and they stay. And not as
    often as they come by default, which is a tenth of the time of what traces.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session")
def session_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A compile cache that starts empty and that all processes of a run of tests share, as those of a user do."""
    own = tmp_path_factory.getbasetemp()
    path = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "compiled"
    path.mkdir(mode=0o700, exist_ok=True)
    return path


@pytest.fixture(autouse=True)
def checked(request: pytest.FixtureRequest, session_cache: Path) -> Iterator[None]:
    """Spec checks on, the user's own cache left alone; tests of meaning by the oracle or by C that is not optimized."""
    path = request.path.relative_to(TESTS).as_posix()
    of_meaning = path.startswith(OF_MEANING)
    asked = "compiler" in request.fixturenames or not crc32(request.node.nodeid.encode()) % COMPILED
    unoptimized = path.startswith((*OF_MEANING, *UNOPTIMIZED)) and not path.startswith(OPTIMIZED)
    cc = request.getfixturevalue("unoptimized") if unoptimized else config.cc
    with config.override(spec=True, cache_dir=session_cache, cc=cc), pytest.MonkeyPatch.context() as patched:
        if unoptimized:
            toolchain._found.setdefault((cc, config.system_cc()), BEHIND[cc])
        if of_meaning and not asked:
            patched.setattr(pipeline, "available", lambda: False)
        patched.setattr(kept, "fingerprint", lambda: None)  # what a test changes is derived, not found on disk
        if not path.startswith(("backend/runtime", "test_faults.py")):  # the cache of a test outlives no power cut
            patched.setattr(os, "fsync", lambda descriptor: None)
        yield


@pytest.fixture(autouse=True)
def drawn_anew(request: pytest.FixtureRequest) -> None:
    """The generator of a module gives a test the same numbers, whichever tests ran before it in the process."""
    generator = getattr(request.module, "RNG", None)
    if generator is not None:
        fresh = np.random.default_rng(crc32(request.node.nodeid.encode()))
        generator.bit_generator.state = fresh.bit_generator.state


@pytest.fixture
def compiler() -> None:
    """For tests of compiled C, or that would compare the interpreter with itself."""
    try:
        find_compiler()
    except CompileError as error:
        pytest.skip(f"no C compiler: {error}")


@pytest.fixture(scope="session")
def unoptimized(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A compiler like the one that is used, which takes no optimization from anybody; it takes less than half the time.

    For tests of what a program means, many programs each: that flags change no bit is the law of
    ``backend/test_compiler_law.py``. The script is for processes that tests start; this one calls what is behind it.
    """
    try:
        found = find_compiler()
    except CompileError as error:
        pytest.skip(f"no C compiler: {error}")
    script = tmp_path_factory.mktemp("unoptimized") / "cc"
    script.write_text(f'#!/bin/sh\nexec {shlex.join(found.command)} "$@" {" ".join(AS_WRITTEN)}\n')
    script.chmod(0o755)
    BEHIND[str(script)] = found._replace(flags=(*found.flags, *AS_WRITTEN))
    return str(script)
