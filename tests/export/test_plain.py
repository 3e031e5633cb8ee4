"""The plain interface: what the library computes, bit for bit; a C file that is whole, clean and without state."""

from __future__ import annotations

import importlib
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.runtime.flags import MISREAD
from functrans.backend.runtime.toolchain import find_compiler
from functrans.testing import random_programs
from tests.export.samples import SAMPLES, WARNED, exported, leaves, riccati

WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Werror", "-std=c99", "-pedantic"]
LAPACK = {"matrices"}  # the library leaves these to it, and other algorithms round otherwise


def run(*command: str | Path) -> str:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def compiler() -> str:
    return find_compiler().command[0]


def same(got: Any, wanted: Any, exact: bool = True) -> None:
    for a, b in zip(leaves(got), leaves(wanted), strict=True):
        assert a.dtype == b.dtype
        if exact:
            np.testing.assert_array_equal(a, b)
            np.testing.assert_array_equal(np.signbit(a), np.signbit(b)) if a.dtype.kind == "f" else None
        else:
            np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("arch", ["portable", "native"])
@pytest.mark.parametrize("name", SAMPLES)
def test_the_same_numbers(name: str, arch: str, tmp_path: Path) -> None:
    f, args = SAMPLES[name]
    _, library = exported(f, args, tmp_path, derivatives=(), arch=arch)
    got = ft.load_c(library, "f")(*leaves(args))
    same(got, ft.jit(f)(*args), name not in LAPACK)


def test_gcc_leaves_out_what_it_leaves_out_here(tmp_path: Path) -> None:
    """gcc 12 stops at some programs at -O2, and could take others to mean something else."""
    f, args = SAMPLES["riccati"]
    text = ft.export_c(f, *args, name="f", path=tmp_path / "f.c", derivatives=()).path.read_text()
    told = re.findall(r'"([\w-]+)"', " ".join(re.findall(r"#pragma GCC optimize \((.*)\)", text)))
    assert {flag.removeprefix("-f") for flag in MISREAD} <= set(told)


def test_random_programs(tmp_path: Path) -> None:
    for f, args in random_programs(12, 5):
        _, library = exported(f, args, tmp_path, derivatives=())
        try:
            wanted = ft.jit(f)(*args)
        except ft.LinAlgError:
            continue
        same(ft.load_c(library, "f")(*args), wanted)


@pytest.mark.parametrize("flags", [["-std=c99", "-O2"], ["-O0"], ["-O3", "-march=native"]], ids=" ".join)
def test_other_flags(flags: list[str], tmp_path: Path) -> None:
    """Compilers that contract products and sums by themselves are told not to; fused ones are of the machine."""
    for name, (f, args) in SAMPLES.items():
        made = ft.export_c(f, *args, name="f", path=tmp_path / "f.c", derivatives=())
        run(compiler(), *flags, "-shared", "-fPIC", made.path, "-lm", "-o", tmp_path / "f.so")
        got = ft.load_c(tmp_path / "f.so", "f")(*leaves(args))
        if "-march=native" in flags and name not in LAPACK:  # as the library is compiled
            same(got, ft.jit(f)(*args))
        elif name == "single":
            np.testing.assert_allclose(got, ft.jit(f)(*args), rtol=1e-6)
        else:
            same(got, ft.jit(f)(*args), exact=False)


@pytest.mark.parametrize("name", SAMPLES)
def test_clean_text(name: str, tmp_path: Path) -> None:
    f, args = SAMPLES[name]
    made = ft.export_c(f, *args, name="f", path=tmp_path / "f.c", derivatives=())
    flags = [*WARNINGS, "-O1", "-Wno-aggressive-loop-optimizations"]  # which sees no end of loops that have one
    run(compiler(), *flags, "-c", made.path, "-o", tmp_path / "f.o")
    text = made.path.read_text()
    assert set(re.findall(r"#include .*", text)) == {"#include <stddef.h>"}
    assert not re.search(r"\b(malloc|free|vector_size)\b", text)
    assert not re.search(r"^\s*static (?!const|inline|__attribute__|__inline__)[^(]*[;=]", text, re.MULTILINE)
    (tmp_path / "only.c").write_text('#include "f.h"\n#include "f.h"\nint main(void) { return f_work() > 1u << 30; }\n')
    run(compiler(), *WARNINGS, "-c", tmp_path / "only.c", "-o", tmp_path / "only.o")


@pytest.mark.parametrize("command", ["gcc", "clang"])
@pytest.mark.parametrize("arch", ["portable", "native"])
def test_no_warnings(arch: str, command: str, tmp_path: Path) -> None:
    """Of loops, branches, linear algebra, sparse Jacobians and sorting, in numbers of every length."""
    if shutil.which(command) is None:
        pytest.skip(f"there is no {command}")
    strict = [*WARNINGS, "-fsyntax-only", *(["-march=native"] if arch == "native" else [])]
    if arch == "native":  # vectors are an extension of C
        strict.remove("-pedantic")
    for name, (f, args) in {**SAMPLES, **WARNED}.items():
        wanted = ("jac", "fwd1") if name in ("elementwise", "mapped", "small") else ()
        made = ft.export_c(f, *args, name=name, path=tmp_path / f"{name}.c", derivatives=wanted, arch=arch)
        run(command, *strict, made.path)


@pytest.mark.parametrize("arch", ["portable", "native"])
def test_a_sparse_system_and_its_derivatives_share_a_pattern(arch: str, tmp_path: Path) -> None:
    """The tables of a pattern are in the file once, though several functions solve with it."""
    f, args = WARNED["small"]
    made, library = exported(f, args, tmp_path, derivatives=("fwd1", "adj1"), arch=arch)
    assert len(re.findall("^} sparse_pattern;", made.path.read_text(), re.MULTILINE)) == 1
    tangents = [np.ones_like(a) for a in args]
    same(ft.load_c(library, "fwd1_f")(*args, *tangents), ft.jvp(f, args, tuple(tangents))[1], exact=False)


def test_vector_registers_are_left_clear(tmp_path: Path) -> None:
    """Code in SSE instructions that runs afterwards would wait for their upper halves."""
    for arch in ("portable", "native"):
        made = ft.export_c(lambda x: x * 2, np.ones(640), name="f", path=tmp_path / "f.c", derivatives=(), arch=arch)
        found = find_compiler()
        run(*found.command, *found.flags, "-S", made.path, "-o", tmp_path / "f.s")
        text = (tmp_path / "f.s").read_text()
        assert "vzeroupper" in text or not re.search("%[yz]mm", text)


def test_no_symbol_but_its_own(tmp_path: Path) -> None:
    f, args = SAMPLES["elementwise"]
    made = ft.export_c(f, *args, name="f", path=tmp_path / "f.c")
    run(compiler(), "-O1", "-c", made.path, "-o", tmp_path / "f.o")
    try:
        lines = run("nm", tmp_path / "f.o").splitlines()
    except FileNotFoundError:
        pytest.skip("there is no nm")
    seen = {line.split()[-1] for line in lines if line.split()[-2] in "TDBRCVW"}
    assert seen == {n + end for n in made.functions for end in ("", "_work", "_sparsity_out", "_signature")}
    assert not [line for line in lines if line.split()[-2] in "bdBDC"]  # nothing that is written
    needed = {line.split()[-1] for line in lines if line.split()[-2] == "U"}
    assert needed <= {"sin", "cos", "memcpy", "_GLOBAL_OFFSET_TABLE_"}


def test_threads_call_it_at_once(tmp_path: Path) -> None:
    _, args = SAMPLES["riccati"]
    _, library = exported(riccati, args, tmp_path, derivatives=())
    f = ft.load_c(library, "f")
    points = [(args[0] * k / 8, *args[1:]) for k in range(8)]
    alone = [f(*p) for p in points]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(8):
            for got, wanted in zip(pool.map(lambda p: f(*p), points), alone, strict=True):
                same(got, wanted)


_MAIN = """
#include "f.h"
#include <stdlib.h>
#include <string.h>
static void *some(size_t n, double x) {{ char *p = malloc(n + !n); (void)x; memset(p, 0, n); return p; }}
int main(void) {{
  {inputs}
  {outputs}
  size_t n = f_work();
  double *work = some(n * sizeof(double), 0);
  int status = 0;
  if (f({given}, work, n) == 2) status = 10;
  if (n && f({given}, work, n - 1) != 2) status = 11;
  if (f({nulled}, work, n) != 1) status = 12;
  return status;
}}
"""


@pytest.mark.parametrize(
    "name, arch",
    [*((n, "portable") for n in ("riccati", "matrices", "branches", "several", "mapped")), ("edges", "native")],
)
def test_memory_is_that_of_its_arguments(name: str, arch: str, tmp_path: Path) -> None:
    """Under the sanitizers of memory and of undefined behavior, with arrays of exactly their sizes."""
    f, args = (SAMPLES | WARNED)[name]
    made, library = exported(f, args, tmp_path, derivatives=(), arch=arch)
    loaded = ft.load_c(library, "f")
    kinds = {"float64": "double", "int64": "long long", "bool": "unsigned char"}

    def defined(values: Any) -> str:
        return " ".join(
            f"{kinds[v.dtype.name]} *{v.name} = some({int(np.prod(v.shape)) * v.dtype.itemsize}, 0);" for v in values
        )

    names = [v.name for v in (*loaded.inputs, *loaded.outputs)]
    text = _MAIN.format(
        inputs=defined(loaded.inputs), outputs=defined(loaded.outputs), given=", ".join(names),
        nulled=", ".join(["0", *names[1:]]),
    )  # fmt: skip
    (tmp_path / "main.c").write_text(text)
    flags = ["-g", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    flags += ["-march=native"] if arch == "native" else []
    done = subprocess.run(
        [compiler(), *flags, str(tmp_path / "main.c"), str(made.path), "-lm", "-o", str(tmp_path / "main")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        assert "cannot find" in done.stderr or "lib" in done.stderr, done.stderr
        pytest.skip("this compiler has no sanitizers")
    done = subprocess.run(
        [str(tmp_path / "main")], capture_output=True, text=True, check=False, env={"ASAN_OPTIONS": "detect_leaks=0"}
    )
    assert done.returncode == 0, done.stderr[-3000:]


def test_a_refused_matrix_is_told(tmp_path: Path) -> None:
    _, library = exported(lambda a, b: np.linalg.solve(a, b), (np.eye(3), np.ones(3)), tmp_path, derivatives=())
    f = ft.load_c(library, "f")
    same(f(2 * np.eye(3), np.ones(3)), np.full(3, 0.5))
    with pytest.raises(ft.FunctransError, match="f returned 3: a matrix was refused"):
        f(np.zeros((3, 3)), np.ones(3))


def test_fast_math_is_refused(tmp_path: Path) -> None:
    made = ft.export_c(np.sin, np.ones(3), name="f", path=tmp_path / "f.c", derivatives=())
    done = subprocess.run(
        [compiler(), "-ffast-math", "-c", str(made.path), "-o", str(tmp_path / "f.o")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode and "compile this file without -ffast-math" in done.stderr


def test_a_text_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module, compiled = importlib.import_module("functrans.export.building"), []
    real = module.compile_c
    monkeypatch.setattr(module, "compile_c", lambda *a: compiled.append(a[1]) or real(*a))
    factor = float(np.random.default_rng().normal())  # a text that no cache has

    def made(name: str, by: float) -> Path:
        return ft.export_c(lambda x: x * by, np.ones(3), name="f", path=tmp_path / name, derivatives=()).compile()

    first, second = made("a.c", factor), made("b.c", factor)
    assert len(compiled) == 1 and first.read_bytes() == second.read_bytes() and first != second
    assert ft.load_c(made("a.c", factor + 1), "f")(np.ones(3))[0] == factor + 1
    assert len(compiled) == 2
