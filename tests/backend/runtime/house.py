"""What the tests of the runtime share: a tiny program, and a runtime that knows nothing yet."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from functrans import debug
from functrans.backend.runtime import cache, library, scratch, toolchain
from functrans.backend.runtime.library import Entry
from functrans.config import config

DOUBLE = """
int ft_entry(void **buffers, const long long *sizes) {
    double *out = buffers[0];
    const double *x = buffers[1];
    for (long long i = 0; i < sizes[0]; i++) out[i] = 2.0 * x[i];
    return 0;
}
"""


class House(NamedTuple):
    """The directories of a test, and what makes the process forget what it knows."""

    cache: Path
    temporary: Path
    restart: Callable[[], None]

    def left_over(self) -> list[str]:
        """What is in the temporary directory."""
        return sorted(path.name for path in self.temporary.iterdir())

    def cached(self, ending: str) -> list[Path]:
        """The files of the cache with this ending."""
        return sorted(self.cache.glob(f"*{ending}"))


def forget_everything() -> None:
    """What a new process would know: nothing."""
    config.reset()
    toolchain._found.clear()
    cache._current.clear()
    scratch._full.clear()
    library.forget()
    debug._warned.clear()


def check(entry: Entry) -> None:
    x = np.array([1.5, -2.0, np.nan, np.inf])
    out = np.zeros(4)
    assert entry([out, x], [4]) == 0
    np.testing.assert_array_equal(out, 2.0 * x)


def returning(number: int) -> str:
    return f"int ft_entry(void **b, const long long *s) {{ (void)b; (void)s; return {number}; }}"


def run_python(program: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **environment}, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
