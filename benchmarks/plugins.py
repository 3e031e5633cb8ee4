"""Solvers of CasADi as the benchmark calls them: options, the functions they look for, what linear algebra takes."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import re
import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.case import Absent, load
from benchmarks.control import Control

FLAGS = ("-O3", "-march=native", "-fno-math-errno", "-fPIC", "-shared")
PATIENCE = 100.0  # seconds for the compiler
BUILD = Path(__file__).parent / ".build"
IPOPT = {"ipopt.print_level": 0, "ipopt.sb": "yes", "print_time": False}


@dataclass(frozen=True)
class Plugin:
    """A solver of ``casadi.nlpsol``.

    ``functions`` are those that it looks for in a library; ``warm`` says that it starts from the solution of the
    problem before, as a method without globalization has to; ``algebra`` solves once with what makes a solver, and
    gives the seconds of linear algebra, or of quadratic programs, and of that solve.
    """

    name: str
    options: Callable[[Control], dict[str, Any]]
    functions: tuple[str, ...]
    warm: bool
    algebra: Callable[[Callable[..., Any], dict[str, Any]], tuple[float, float]]


def _factors(make: Callable[..., Any], arguments: dict[str, Any]) -> tuple[float, float]:
    """Factors and solves, as IPOPT itself counts them if it is made so."""
    text, timed = io.StringIO(), make(**{"ipopt.print_timing_statistics": "yes", "ipopt.print_level": 3})
    with contextlib.redirect_stdout(text):
        seconds = _seconds(timed, arguments)
    parts = r"LinearSystem(?:Factorization|BackSolve|StructureConverter|Symbolic\w*)"
    found = re.findall(parts + r"\.+:\s+[\d.]+ \(sys:\s+[\d.]+ wall:\s+([\d.]+)\)", text.getvalue())
    return sum(map(float, found)), seconds


def _quadratic(make: Callable[..., Any], arguments: dict[str, Any]) -> tuple[float, float]:
    solver = make()
    seconds = _seconds(solver, arguments)
    return float(solver.stats()["t_wall_QP"]), seconds


def _riccati(make: Callable[..., Any], arguments: dict[str, Any]) -> tuple[float, float]:
    solver = make()
    seconds = _seconds(solver, arguments)
    return float(solver.stats()["fatrop"]["compute_sd_time"]), seconds


def _seconds(solver: Any, arguments: dict[str, Any]) -> float:
    begin = perf_counter()
    solver(**arguments)
    return perf_counter() - begin


def _fatrop(c: Control) -> dict[str, Any]:
    equalities = [True] * ((c.stages + 1) * c.states + len(c.ends))
    return {"print_time": False, "fatrop.print_level": 0, "structure_detection": "auto", "equality": equalities}


def _sqp(c: Control) -> dict[str, Any]:
    quiet = dict.fromkeys(("print_time", "print_header", "print_iteration", "print_status"), False)
    return {**quiet, "qpsol": "piqp", "qpsol_options": {"error_on_fail": False, "print_time": False}}


PLUGINS = {
    plugin.name: plugin
    for plugin in (
        Plugin("ipopt", lambda c: IPOPT, ("nlp_f", "nlp_g", "nlp_grad_f", "nlp_jac_g", "nlp_hess_l"), False,
               _factors),
        Plugin("fatrop", _fatrop, ("nlp_f", "nlp_g", "nlp_grad_f", "nlp_jac_g", "nlp_hess_l"), False, _riccati),
        Plugin("sqpmethod", _sqp, ("nlp_fg", "nlp_jac_fg", "nlp_hess_l"), True, _quadratic),
    )
}  # fmt: skip


def compiled(solver: Any, plugin: Plugin, options: dict[str, Any]) -> tuple[Any, float]:
    """The same solver from C that CasADi writes and the compiler compiles, and the seconds of both.

    The library is kept with its seconds, since it may take minutes; Absent where it takes too many.
    """
    ca, begin = load("casadi"), perf_counter()
    generator = ca.CodeGenerator("nlp.c")
    for name in ("nlp", *plugin.functions, "nlp_grad"):
        generator.add(solver.oracle() if name == "nlp" else solver.get_function(name))
    text = generator.dump()
    BUILD.mkdir(exist_ok=True)
    library = BUILD / f"nlp-{hashlib.sha256((text + ' '.join(FLAGS)).encode()).hexdigest()[:16]}.so"
    taken = library.with_suffix(".seconds")
    if not library.exists():
        source = library.with_suffix(".c")
        source.write_text(text)
        _compile(["cc", *FLAGS, str(source), "-lm", "-o", str(library)])
        taken.write_text(str(perf_counter() - begin))
    return ca.nlpsol("compiled", plugin.name, str(library), options), float(taken.read_text())


def _compile(command: list[str]) -> None:
    """Run a compiler and all that it starts; Absent where that takes too long."""
    process = subprocess.Popen(command, start_new_session=True)
    try:
        status = process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise Absent(f"over {PATIENCE:.0f} s to compile") from None
    if status:
        raise subprocess.CalledProcessError(status, command)
