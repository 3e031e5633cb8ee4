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

from functrans.backend import pipeline
from functrans.backend.runtime.toolchain import find_compiler
from functrans.config import config
from functrans.errors import CompileError

# a loaded machine is slow, and the first example of a law may compile: neither is a fault
settings.register_profile("functrans", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("functrans")

TESTS = Path(__file__).parent
# What programs mean, many of them. One in COMPILED of these tests, and those that ask for ``compiler``, run compiled C,
# which the compiler need not optimize: its flags are the business of laws, golden and most of backend. The others are
# computed by the oracle, as on a machine without a compiler: in a tenth of the time, most of which is the compiler's.
OF_MEANING = ("numpy", "reference", "scipy", "tensor", "transforms")
COMPILED = 6
# Those of compiled C, one and all, that the compiler need not optimize either. Laws of what flags may change, integers
# at their edges, vectors and lanes run as users' programs do.
UNOPTIMIZED = (
    "examples", "implicit", "ode", "programs", "backend/domains", "backend/test_by_columns.py",
    "backend/test_by_rounds.py", "backend/test_contractions.py", "backend/test_decompositions.py",
    "backend/test_dense.py", "backend/test_flat.py", "backend/test_hoist.py", "backend/test_in_place.py",
    "backend/test_loop_chains.py", "backend/test_outline.py", "backend/test_regions.py",
    "backend/test_round_by_round.py", "backend/test_routines.py", "backend/test_sorted_values.py",
    "backend/test_together.py", "laws/test_drawn.py", "laws/test_jvp_law.py", "laws/test_loops.py",
    "laws/test_reverse_law.py", "laws/test_sharding.py", "laws/test_sparsity.py", "laws/test_vmap_law.py",
    "laws/test_words_by_duals.py", "laws/test_words_reverse.py",
)  # fmt: skip


def pytest_collection_finish() -> None:
    """Collections of garbage need not look at the tests themselves: there are thousands, and they stay."""
    gc.collect()
    gc.freeze()


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
    cc = request.getfixturevalue("unoptimized") if of_meaning or path.startswith(UNOPTIMIZED) else config.cc
    with config.override(spec=True, cache_dir=session_cache, cc=cc), pytest.MonkeyPatch.context() as patched:
        if of_meaning and not asked:
            patched.setattr(pipeline, "available", lambda: False)
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
    ``backend/test_compiler_law.py``.
    """
    try:
        found = find_compiler().command
    except CompileError as error:
        pytest.skip(f"no C compiler: {error}")
    script = tmp_path_factory.mktemp("unoptimized") / "cc"
    script.write_text(f'#!/bin/sh\nexec {shlex.join(found)} "$@" -O0\n')
    script.chmod(0o755)
    return str(script)
