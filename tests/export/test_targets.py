"""Exported C for other machines: compiled by zig, which comes as the package ziglang, without a warning.

``python -m tests.export.test_targets`` also runs it: on aarch64 where QEMU's emulator is, in 32 bits here. That is no
test of the suite, as zig first compiles the libraries of such a machine, which takes minutes.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.runtime.toolchain import find_compiler
from tests.export.samples import SAMPLES, leaves

ZIG = pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="zig is not installed")
STRICT = ("-std=c99", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror")
SMALL = ("thumb-freestanding-eabihf", "-mcpu=cortex_m7"), ("thumb-freestanding-eabi", "-mcpu=cortex_m4")
COMPILED = ("aarch64-linux-musl",), ("x86-linux-musl",), *SMALL
CTYPES = {"float64": "double", "float32": "float", "int64": "long long", "int32": "int"}


def zig(target: Sequence[str], *arguments: Any) -> None:
    command = [sys.executable, "-m", "ziglang", "cc", "-target", *target, *map(str, arguments)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@ZIG
@pytest.mark.parametrize("target", COMPILED, ids=[" ".join(t) for t in COMPILED])
def test_compiles_without_a_warning(target: Sequence[str], tmp_path: Path) -> None:
    for name in ("riccati", "single"):
        f, args = SAMPLES[name]
        made = ft.export_c(f, *args, name="f", path=tmp_path / "f.c", derivatives=())
        zig(target, *STRICT, "-c", made.path, "-o", tmp_path / "f.o")


def program(loaded: Any, args: Sequence[Any]) -> str:
    """A main function that calls f with numbers and prints its results."""
    lines, names = ["#include <stdio.h>", '#include "f.h"', "int main(void) {"], []
    for v, a in zip(loaded.inputs, args, strict=True):
        flat = np.asarray(a).ravel()
        numbers = ", ".join(float(x).hex() if flat.dtype.kind == "f" else str(x) for x in flat)
        lines.append(f"  static const {CTYPES[v.dtype.name]} {v.name}[] = {{{numbers}}};")
        names.append(v.name)
    sizes = {v.name: int(np.prod(v.shape)) for v in loaded.outputs}
    for v in loaded.outputs:
        lines.append(f"  static {CTYPES[v.dtype.name]} {v.name}[{sizes[v.name]}];")
    lines += ["  static double work[100000];", f"  int status = f({', '.join([*names, *sizes])}, work, 100000);"]
    for name, size in sizes.items():
        lines.append(f'  for (int k = 0; k < {size}; k++) printf("%.17g\\n", (double){name}[k]);')
    return "\n".join([*lines, "  return status;", "}", ""])


def difference(run: Sequence[str], build: Callable[..., Any], name: str, here: Path) -> float:
    """How far a sample as a program of another machine is from the library's numbers, relative to the largest."""
    f, args = SAMPLES[name]
    made = ft.export_c(f, *args, name="f", path=here / "f.c", derivatives=())
    loaded = ft.load_c(made.compile(), "f")
    (here / "main.c").write_text(program(loaded, leaves(args)))
    build(here / "main.c", made.path, "-lm", "-o", here / "main")
    done = subprocess.run([*run, str(here / "main")], check=True, capture_output=True, text=True)
    wanted = np.concatenate([np.ravel(v) for v in leaves(loaded(*leaves(args)))])
    return float(np.abs(np.array(done.stdout.split(), float) - wanted).max() / np.abs(wanted).max())


def test_a_program_prints_the_numbers(tmp_path: Path) -> None:
    """What is run elsewhere, by the compiler at hand."""
    command = find_compiler().command
    build = lambda *a: subprocess.run([*command, *map(str, a)], check=True)  # noqa: E731
    assert difference([], build, "newton", tmp_path) < 1e-15


def main() -> None:
    """Run samples for other machines; print how far their numbers are."""
    emulator = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")
    for machine, run in (("aarch64", emulator), ("x86", "")):
        if run is None:
            sys.stdout.write(f"{machine}: no emulator\n")
            continue
        for name in ("elementwise", "riccati", "newton", "branches", "root", "sparse", "mapped"):
            with tempfile.TemporaryDirectory() as here:
                build = partial(zig, (f"{machine}-linux-musl",), "-O2", "-static")
                far = difference([run] if run else [], build, name, Path(here))
            sys.stdout.write(f"{machine} {name}: {far:.0e}\n")


if __name__ == "__main__":
    main()
