"""IPOPT by CasADi, with the program's functions from functrans and from CasADi itself: bicycle and quadrotor.

Run as ``python -m benchmarks.solvers`` where CasADi is installed too (``make bench-peers``). For each side the point,
the iterations, one evaluation of each function, set-up, and a whole solve with its shares. CasADi has its best forms:
scalar expressions (SX) and maps of a stage (MX), in its virtual machine and as compiled C.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.case import Array, load

FUNCTIONS = ("nlp_f", "nlp_g", "nlp_grad_f", "nlp_jac_g", "nlp_hess_l")
QUIET = {"ipopt.print_level": 0, "ipopt.sb": "yes", "print_time": False}
FLAGS = ("-O2", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-fPIC", "-shared")
BUILD = Path(__file__).parent / ".build"
GRAVITY, ARM, INERTIA = 9.81, 0.2, (0.01, 0.01, 0.02)


@dataclass(frozen=True)
class Control:
    """An optimal control problem by multiple shooting with Runge and Kutta's method.

    The unknowns are the stages (state, control), one after another, and the last state; the parameter is where to go.
    ``rate`` is given components and the functions of a library; ``cost`` sums one stage.
    """

    name: str
    stages: int
    states: int
    controls: int
    step: float
    rate: Callable[[Any, Any, Any], list[Any]]
    cost: Callable[[Any, Any, Any], Any]
    first: tuple[float, ...]
    goal: tuple[float, ...]
    ends: tuple[int, ...]  # which states of the last are fixed: to the goal and then to zero
    hover: float
    limit: float

    def advance(self, m: Any, s: list[Any], u: list[Any]) -> list[Any]:
        """The components of the state a step later."""
        h = self.step

        def moved(k: list[Any], by: float) -> list[Any]:
            return [x + by * d for x, d in zip(s, k)]

        a = self.rate(m, s, u)
        b = self.rate(m, moved(a, h / 2), u)
        c = self.rate(m, moved(b, h / 2), u)
        d = self.rate(m, moved(c, h), u)
        return [x + h / 6 * (i + 2 * j + 2 * k + n) for x, i, j, k, n in zip(s, a, b, c, d)]

    def start(self) -> Array:
        """A straight line, and controls that hover."""
        first, last = np.array(self.first), np.array(self.first)
        last[list(self.ends[: len(self.goal)])] = self.goal
        t = np.linspace(0, 1, self.stages + 1)[:, None]
        states = first * (1 - t) + last * t
        rows = np.hstack([states[:-1], np.full((self.stages, self.controls), self.hover)])
        return np.concatenate([rows.ravel(), states[-1]])

    def bounds(self) -> tuple[Array, Array]:
        """Of the unknowns: controls are limited."""
        high = np.full((self.stages, self.states + self.controls), np.inf)
        high[:, self.states :] = self.limit
        low = -high
        if self.hover:
            low[:, self.states :] = 0.0
        free = np.full(self.states, np.inf)
        return np.concatenate([low.ravel(), -free]), np.concatenate([high.ravel(), free])


def bicycle_rate(m: Any, s: list[Any], u: list[Any]) -> list[Any]:
    _, _, heading, speed, steer = s
    return [speed * m.cos(heading), speed * m.sin(heading), speed * m.tan(steer), u[0], u[1]]


def bicycle_cost(m: Any, s: list[Any], u: list[Any]) -> Any:
    hill = m.exp(-4 * ((s[0] - 5.0) ** 2 + (s[1] - 0.1) ** 2) / 1.5**2)
    return 0.2 * (u[0] ** 2 + u[1] ** 2 + 30 * hill)


def quadrotor_rate(m: Any, s: list[Any], u: list[Any]) -> list[Any]:
    """Position, quaternion, velocity, rates of the body; four rotors."""
    a, b, c, d, vx, vy, vz, p, q, r = s[3:]
    lift = u[0] + u[1] + u[2] + u[3]
    turn = [ARM * (u[1] - u[3]), ARM * (u[2] - u[0]), 0.05 * (u[0] - u[1] + u[2] - u[3])]
    i, j, k = INERTIA
    return [
        vx, vy, vz,
        0.5 * (-b * p - c * q - d * r), 0.5 * (a * p + c * r - d * q), 0.5 * (a * q - b * r + d * p),
        0.5 * (a * r + b * q - c * p),
        2 * (b * d + a * c) * lift, 2 * (c * d - a * b) * lift, (1 - 2 * (b * b + c * c)) * lift - GRAVITY,
        (turn[0] - (k - j) * q * r) / i, (turn[1] - (i - k) * r * p) / j, (turn[2] - (j - i) * p * q) / k,
    ]  # fmt: skip


def quadrotor_cost(m: Any, s: list[Any], u: list[Any]) -> Any:
    effort = sum((v - GRAVITY / 4) ** 2 for v in u)
    return 0.02 * (effort + 0.1 * sum(w * w for w in s[7:]) + 4 * m.exp(-((s[0] - 1.5) ** 2 + (s[1] - 1.0) ** 2)))


PROBLEMS = (
    Control("bicycle", 200, 5, 2, 0.2 * 50 / 200, bicycle_rate, bicycle_cost, (0.0, 0.0, 0.0, 1.0, 0.0), (10.0, 0.0),
            (0, 1, 2, 4), 0.0, 10.0),
    Control("quadrotor", 100, 13, 4, 0.03, quadrotor_rate, quadrotor_cost, (0.0,) * 3 + (1.0,) + (0.0,) * 9,
            (3.0, 2.0, 1.0), (0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12), GRAVITY / 4, 4.0),
)  # fmt: skip


def ours(c: Control) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Objective and constraints for functrans: NumPy on arrays, a map over the stages."""
    ft = load("functrans")
    width = c.states + c.controls

    def split(z: Any) -> tuple[Any, Any]:
        return z[: c.stages * width].reshape(c.stages, width), z[c.stages * width :]

    def f(z: Any, p: Any) -> Any:
        rows, _ = split(z)
        return ft.vmap(lambda r: c.cost(np, list(r[: c.states]), list(r[c.states :])))(rows).sum()

    def g(z: Any, p: Any) -> Any:
        rows, last = split(z)
        after = ft.vmap(lambda r: np.stack(c.advance(np, list(r[: c.states]), list(r[c.states :]))))(rows)
        gaps = np.concatenate([rows[1:, : c.states], last[None]]) - after
        ends = np.concatenate([p, np.zeros(len(c.ends) - len(c.goal))])
        begin, end = rows[0, : c.states] - np.array(c.first), last[np.array(c.ends)] - ends
        return np.concatenate([begin, gaps.reshape(-1), end])

    return f, g


def theirs(c: Control, kind: str) -> dict[str, Any]:
    """The program of CasADi's: scalars, or a map of one stage."""
    ca = load("casadi")
    s, u = ca.SX.sym("s", c.states), ca.SX.sym("u", c.controls)
    parts = [[v[k] for k in range(v.numel())] for v in (s, u)]
    stage = ca.Function("stage", [s, u], [ca.vertcat(*c.advance(ca, *parts)), c.cost(ca, *parts)])
    width, sym = c.states + c.controls, ca.SX.sym if kind == "SX" else ca.MX.sym
    z, p = sym("z", c.stages * width + c.states), sym("p", len(c.goal))
    rows, last = ca.reshape(z[: c.stages * width], width, c.stages), z[c.stages * width :]
    states, controls = rows[: c.states, :], rows[c.states :, :]
    if kind == "SX":
        each = [stage(states[:, k], controls[:, k]) for k in range(c.stages)]
        after, costs = (ca.horzcat(*(e[k] for e in each)) for k in range(2))
    else:
        after, costs = stage.map(c.stages)(states, controls)
    gaps = ca.horzcat(states[:, 1:], last) - after
    ends = ca.vertcat(p, np.zeros(len(c.ends) - len(c.goal)))
    g = ca.vertcat(states[:, 0] - ca.DM(c.first), ca.vec(gaps), last[list(c.ends)] - ends)
    return {"x": z, "p": p, "f": ca.sum2(costs), "g": g}


def compiled(solver: Any) -> Any:
    """The same solver from C that CasADi writes and the compiler compiles; kept, since that takes minutes."""
    ca = load("casadi")
    generator = ca.CodeGenerator("nlp.c")
    for name in ("nlp", *FUNCTIONS, "nlp_grad"):
        generator.add(solver.oracle() if name == "nlp" else solver.get_function(name))
    text = generator.dump()
    BUILD.mkdir(exist_ok=True)
    library = BUILD / f"nlp-{hashlib.sha256(text.encode()).hexdigest()[:16]}.so"
    if not library.exists():
        source = library.with_suffix(".c")
        source.write_text(text)
        subprocess.run(["cc", *FLAGS, str(source), "-lm", "-o", str(library)], check=True)
    return ca.nlpsol("compiled", "ipopt", str(library), QUIET)


def portable(program: Any, point: tuple[Array, Array]) -> Any:
    """The solver of a library that the portable C of a program became."""
    BUILD.mkdir(exist_ok=True)
    made = program.export(BUILD / "nlp.c", *point, target="ipopt")
    return load("casadi").nlpsol("portable", "ipopt", str(made.compile()), QUIET)


def fastest(f: Any, arguments: list[Array], seconds: float = 0.15) -> float:
    """Seconds of an evaluation into memory that is there."""
    buffer, evaluate = f.buffer()
    given = [np.array(a, float) for a in arguments]
    made = [np.zeros(max(f.nnz_out(k), 1)) for k in range(f.n_out())]
    for k, a in enumerate(given):
        buffer.set_arg(k, a.data)
    # as IPOPT calls them: of values and derivatives the derivatives alone
    buffer.set_res(f.n_out() - 1, made[-1].data)
    best, end = float("inf"), perf_counter() + seconds
    while perf_counter() < end:
        begin = perf_counter()
        for _ in range(5):
            evaluate()
        best = min(best, (perf_counter() - begin) / 5)
    return best


def linear_algebra(solver: Any, arguments: dict[str, Any]) -> float:
    """Seconds of factors and solves of a whole solve, as IPOPT itself counts them."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        solver(**arguments)
    parts = r"LinearSystem(?:Factorization|BackSolve|StructureConverter|Symbolic\w*)"
    found = re.findall(parts + r"\.+:\s+[\d.]+ \(sys:\s+[\d.]+ wall:\s+([\d.]+)\)", text.getvalue())
    return sum(map(float, found))


@dataclass
class Side:
    """A solver and what was measured of it, in seconds."""

    solver: Any
    setup: float
    evaluations: list[float]
    whole: float = float("inf")
    evaluating: float = 0.0

    @staticmethod
    def of(make: Callable[[], Any]) -> Side:
        begin = perf_counter()
        solver = make()
        return Side(solver, perf_counter() - begin, [float("inf")] * len(FUNCTIONS))

    def evaluate(self, x: Array, p: Array, multipliers: Array) -> None:
        """Time each function."""
        for k, name in enumerate(FUNCTIONS):
            f = self.solver.get_function(name)
            given = [x, p, *([np.ones(1), multipliers] if f.n_in() == 4 else [])]
            self.evaluations[k] = min(self.evaluations[k], fastest(f, given, 0.03))

    def solve(self, arguments: dict[str, Any]) -> None:
        """Time a whole solve, and the evaluations in it."""
        begin = perf_counter()
        self.solver(**arguments)
        seconds = perf_counter() - begin
        if seconds < self.whole:
            self.whole = seconds
            self.evaluating = sum(v for k, v in self.solver.stats().items() if k.startswith("t_wall_nlp_"))


def report(c: Control) -> None:
    """One problem by all sides, each in turn."""
    ca, ft = load("casadi"), load("functrans")
    arguments: dict[str, Any] = {"x0": c.start(), "p": np.array(c.goal), "lbg": 0.0, "ubg": 0.0}
    arguments["lbx"], arguments["ubx"] = c.bounds()
    point = arguments["x0"], arguments["p"]
    program = ft.nlp(*ours(c))
    sides = {
        "functrans": Side.of(lambda: program.casadi(*point, **QUIET)),
        "portable": Side.of(lambda: portable(program, point)),
    }
    for kind in ("SX", "MX"):
        vm = Side.of(lambda kind=kind: ca.nlpsol("s", "ipopt", theirs(c, kind), QUIET))  # type: ignore[misc]
        sides |= {f"{kind} vm": vm, f"{kind} C": Side.of(lambda vm=vm: compiled(vm.solver))}  # type: ignore[misc]
    draw = np.random.default_rng(0)
    multipliers = draw.normal(size=sides["functrans"].solver.size_in("lbg")[0])
    near = point[0] + 0.1 * draw.normal(size=len(point[0]))  # libraries of functions are faster at zero
    for _ in range(5):
        for side in sides.values():
            side.evaluate(near, point[1], multipliers)
    for _ in range(9):
        for side in sides.values():
            side.solve(arguments)
    own = sides["functrans"]
    timed = QUIET | {"ipopt.print_timing_statistics": "yes", "ipopt.print_level": 3}
    algebra = linear_algebra(program.casadi(*point, **timed), arguments)
    print(f"\n{c.name}, {c.stages} stages, {len(point[0])} unknowns; microseconds of an evaluation")
    print(f"{'':10}" + "".join(f"{n:>12}" for n in (*FUNCTIONS, "set-up s", "solve ms", "eval. ms", "iterations")))
    for name, side in sides.items():
        found, stats = side.solver(**arguments), side.solver.stats()
        off = float(ca.norm_inf(own.solver(**arguments)["x"] - found["x"]))
        row = "".join(f"{1e6 * t:12.2f}" for t in side.evaluations)
        rest = f"{side.setup:12.2f}{1e3 * side.whole:12.1f}{1e3 * side.evaluating:12.2f}{stats['iter_count']:12}"
        print(f"{name:10}{row}{rest}  {stats['return_status']} {float(found['f']):.9g}, differs by {off:.0e}")
    shares = [100 * own.evaluating / own.whole, 100 * algebra / own.whole]
    print(f"of functrans's solve {shares[0]:.0f} % is evaluation, {shares[1]:.0f} % linear algebra, the rest IPOPT")


def main(names: list[str]) -> None:
    """The problems of these names, or all."""
    for c in PROBLEMS:
        if not names or c.name in names:
            report(c)


if __name__ == "__main__":
    main(sys.argv[1:])
