"""The example of exported C: built as its Makefile and its CMakeLists.txt say, it computes what the library does."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import functrans as ft
from functrans.backend.runtime.toolchain import find_compiler

ROOT = Path(__file__).parents[2]
FILES = ROOT / "examples" / "export_c"


def module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pendulum", FILES / "pendulum.py")
    assert spec is not None and spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def swings() -> np.ndarray:
    """The same by the library."""
    state, step = np.array([0.1, 0.0]), ft.jit(module().step)
    for _ in range(100):
        state = step(state, np.float64(0.2))
    return np.asarray(state)


def built(here: Path, *commands: list[str]) -> np.ndarray:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CC": find_compiler().command[0]}
    for command in commands:
        done = subprocess.run(command, cwd=here, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return np.array(done.stdout.split(), np.float64)


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_make(tmp_path: Path) -> None:
    here = tmp_path / "made"
    shutil.copytree(FILES, here, ignore=shutil.ignore_patterns("__pycache__"))
    found = built(here, ["make", f"PYTHON={sys.executable}"], [str(here / "swing")])
    np.testing.assert_allclose(found, swings(), atol=1e-11)


@pytest.mark.skipif(None in (shutil.which("cmake"), shutil.which("make")), reason="there is no cmake, or no make")
def test_cmake(tmp_path: Path) -> None:
    here = tmp_path / "made"
    here.mkdir()
    first = ["cmake", str(FILES), f"-DPython3_EXECUTABLE={sys.executable}", "-G", "Unix Makefiles"]
    found = built(here, first, ["cmake", "--build", "."], [str(here / "swing")])
    np.testing.assert_allclose(found, swings(), atol=1e-11)
