"""Random programs as C for other machines, against the library's numbers on this one. By hand.

``python -m tests.targets [count] [seed]`` exports programs, maps of them and gradients; compiles them for this
processor without AVX, for AVX2, for AVX-512 with its instructions in plain C, and for aarch64 with NEON by ``zig cc``
(package ziglang), which QEMU's emulator runs; and counts the differences. Where NumPy's numbers change as much when
arguments change by rounding, there is none.
"""

from __future__ import annotations

import importlib.util
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
from numpy.typing import NDArray

import functrans as ft
from functrans.backend.codegen.vectors import target
from functrans.backend.codegen.vectors.target import PORTABLE, Target
from functrans.testing import RandomProgram
from tests import avx512
from tests.plans import kept_apart

LANES = 21  # whole vectors of every width, and a rest
TOGETHER = 20  # programs in one executable
FAR = 1e-9  # relative to the largest number of a result
C_TYPES = {"float64": "double", "float32": "float", "int64": "long long", "int32": "int", "bool": "unsigned char"}
FLAGS = ("-O2", "-ffp-contract=off", "-w")


class Machine(NamedTuple):
    """What C is written for, what compiles it, and what runs it."""

    name: str
    target: Target
    compiler: tuple[str, ...]
    run: tuple[str, ...] = ()


class Case(NamedTuple):
    """A function, its arguments, its results here and what they are once the arguments are rounded otherwise."""

    f: Callable[..., Any]
    args: list[NDArray[Any]]
    wanted: list[NDArray[Any]]
    nearby: list[NDArray[Any]]


def machines() -> Iterator[Machine]:
    """Those that can be had here."""
    sse2, avx2 = Target(16, masks=False, fused=False, hosted=False), Target(32, masks=True, hosted=False)
    for cc in filter(shutil.which, ("gcc", "clang")):
        yield Machine(f"SSE2 {cc}", sse2, (cc, "-march=x86-64"))
        yield Machine(f"AVX2 {cc}", avx2, (cc, "-march=x86-64-v3"))
    if shutil.which("gcc"):
        emulated = avx512.write(Path(tempfile.mkdtemp()))
        yield Machine("AVX-512 in plain C", avx512.WIDE, ("gcc", "-march=x86-64-v3", *emulated))
    emulator = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")
    if importlib.util.find_spec("ziglang") and emulator:
        zig = (sys.executable, "-m", "ziglang", "cc", "-target", "aarch64-linux-musl", "-static")
        yield Machine("NEON zig", Target(16, masks=False, hosted=False), zig, (emulator,))
        yield Machine("aarch64 portable zig", PORTABLE, zig, (emulator,))


def cases(count: int, seed: int) -> Iterator[Case]:
    """Programs as they are, in lanes, and the gradients of smooth ones in lanes."""
    draw, rng = random.Random(seed), np.random.default_rng(seed)
    shapes = [None, ((37,), (5, 23)), None]
    for k in range(count):
        program = RandomProgram(draw, 8, smooth=k % 3 == 2, shapes=shapes[k % 2])
        f: Callable[..., Any] = program
        plain: Callable[..., Any] = program
        args = [rng.uniform(-1.5, 1.5, s) for s in program.shapes]
        if k % 3:
            args = [rng.uniform(-1.5, 1.5, (LANES, *s)) for s in program.shapes]
            if k % 3 == 2:
                f = ft.grad(lambda *a, p=program: sum((y * y).sum() for y in p(*a)), tuple(range(len(args))))
            f = plain = ft.vmap(f)
        near = [a * (1 + 1e-13 * rng.choice([-1, 1], a.shape)) for a in args]
        wanted, nearby = ([np.asarray(y) for y in ft.tree.leaves(g(*x))] for g, x in ((ft.jit(f), args), (plain, near)))
        yield Case(f, args, wanted, nearby)


def program(case: Case, made: Any, name: str) -> str:
    """A C function that calls an exported one, and writes its results as they lie in memory."""
    lines, names = [f'#include "{name}.h"', f"static int call_{name}(void) {{"], []
    for k, a in enumerate(case.args):
        lines.append(f"  static const double a{k}[] = {{{', '.join(float(x).hex() for x in a.ravel()) or '0'}}};")
        names.append(f"a{k}")
    for k, y in enumerate(case.wanted):
        lines.append(f"  static {C_TYPES[y.dtype.name]} y{k}[{max(y.size, 1)}];")
    results = [f"y{k}" for k in range(len(case.wanted))]
    lines.append(f"  const int status = {name}({', '.join([*names, *results])}, work, sizeof work / sizeof *work);")
    lines += [f"  fwrite(y{k}, sizeof *y{k}, {y.size}, stdout);" for k, y in enumerate(case.wanted)]
    return "\n".join([*lines, "  return status;", "}"])


def exported(case: Case, machine: Machine, name: str, here: Path) -> Any:
    """The C of a program for a machine; None where it has no such form."""
    with kept_apart(here), mock.patch.object(target, "native", lambda: machine.target):
        try:
            return ft.export_c(case.f, *case.args, name=name, path=here / f"{name}.c", derivatives=(), arch="native")
        except (ft.UnsupportedError, ft.DtypeError):
            return None


def results(data: bytes, case: Case) -> tuple[list[NDArray[Any]], bytes]:
    """What a program wrote, and the rest."""
    found = []
    for y in case.wanted:
        found.append(np.frombuffer(data, y.dtype, y.size).reshape(y.shape))
        data = data[y.nbytes :]
    return found, data


def differs(found: Sequence[NDArray[Any]], wanted: Sequence[NDArray[Any]]) -> bool:
    """Whether some results are not those that are wanted, but for rounding."""
    for x, y in zip(found, wanted, strict=True):
        if y.dtype.kind != "f":
            if not np.array_equal(x, y):
                return True
            continue
        finite = np.abs(y[np.isfinite(y)])
        if not np.allclose(x, y, rtol=FAR, atol=FAR * float(finite.max(initial=1)), equal_nan=True):
            return True
    return False


def compared(batch: Sequence[Case], machine: Machine, first: int) -> Counter[str]:
    """Run some programs on a machine; how many of each outcome."""
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        here, run, text = Path(folder), list[tuple[int, Case]](), ["#include <stdio.h>", "static double work[1 << 20];"]
        for k, case in enumerate(batch, first):
            made = exported(case, machine, f"p{k}", here)
            counts["not exported"] += made is None
            if made is not None:
                run.append((k, case))
                text.append(program(case, made, f"p{k}"))
        calls = " || ".join(f"call_p{k}() != 0 && 0" for k, _ in run) or "0"
        (here / "main.c").write_text("\n".join([*text, "int main(void) {", f"  return {calls};", "}"]))
        files = ["main.c", *(f"p{k}.c" for k, _ in run)]
        subprocess.run([*machine.compiler, *FLAGS, *files, "-lm", "-o", "main"], cwd=here, check=True)
        data = subprocess.run([*machine.run, "./main"], cwd=here, check=True, capture_output=True).stdout
    for k, case in run:
        found, data = results(data, case)
        outcome = "equal"
        if differs(found, case.wanted):
            outcome = "unstable" if differs(case.nearby, case.wanted) else "different"
        elif all(x.tobytes() == y.tobytes() for x, y in zip(found, case.wanted, strict=True)):
            outcome = "equal bits"
        counts[outcome] += 1
        if outcome == "different":
            sys.stdout.write(f"{machine.name}: program {k} differs\n{case.f!r}\n")
    return counts


def main(count: int, seed: int) -> None:
    """Print how many programs had which outcome, machine by machine."""
    counts: dict[str, Counter[str]] = {m.name: Counter() for m in machines()}
    drawn = cases(count, seed)
    for first in range(0, count, TOGETHER):
        batch = list(islice(drawn, TOGETHER))
        for machine in machines():
            counts[machine.name] += compared(batch, machine, first)
    for name, each in counts.items():
        sys.stdout.write(f"{name}: {', '.join(f'{n} {what}' for what, n in sorted(each.items()))}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
