"""Export, compile, run: the closed loop as a program, and what it printed."""

from __future__ import annotations

import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from examples.mpc.control import Task, export
from examples.mpc.models import LENGTH, OBSTACLE

Floats = NDArray[np.float64]
LOOP = Path(__file__).with_name("loop.c")
FLAGS = ("-std=c99", "-O2")


@dataclass(frozen=True)
class Run:
    """A closed loop: states, controls, reports (gap, change, length), microseconds of each period; plans of some."""

    states: Floats
    controls: Floats
    reports: Floats
    micros: Floats
    plans: Floats
    said: str


def compiler() -> list[str]:
    """The C compiler."""
    return os.environ.get("CC", "cc").split()


def build(task: Task, directory: Path, arch: str = "native") -> Path:
    """Export into a directory and compile the program there; its path."""
    sources, program = export(task, directory, arch), directory / "loop"
    native = ["-march=native"] if arch == "native" else []
    command = [*compiler(), *FLAGS, *native, f"-I{directory}", str(LOOP), *map(str, sources), "-lm", "-o", str(program)]
    subprocess.run(command, check=True)
    return program


def run(program: Path, task: Task, *arguments: str) -> Run:
    """Run the program; what it printed."""
    done = subprocess.run([str(program), *arguments], check=True, capture_output=True, text=True)
    lines = [line.split() for line in done.stdout.splitlines()]
    rows = np.array([line[1:] for line in lines if line[0] == "at"], np.float64)
    plans = np.array([line[1:] for line in lines if line[0] == "plan"], np.float64)
    n, m = task.control.states, task.control.controls
    parts = rows[:, :n], rows[:, n : n + m], rows[:, n + m : -1], rows[:, -1]
    return Run(*parts, plans.reshape(-1, 21, n), done.stderr)


def drive(task: Task, arch: str = "native") -> Run:
    """Both, in a directory that goes away."""
    with tempfile.TemporaryDirectory() as here:
        return run(build(task, Path(here), arch), task)


def clearance(states: Floats, obstacles: Floats) -> Floats:
    """How far the car is from each obstacle, in its sizes: less than 1 is inside of its margin."""
    along, side = states[:, None, 0] - obstacles[:, 0], states[:, None, 1] - obstacles[:, 1]
    ahead = LENGTH / np.pi * np.sin(np.pi / LENGTH * along)
    return np.asarray(np.hypot(ahead / OBSTACLE[0], side / OBSTACLE[1]))
