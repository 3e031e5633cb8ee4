"""Write pendulum.c and pendulum.h: a step of a controlled pendulum, and its derivatives.

Run it as ``python examples/export_c/pendulum.py [directory]``; then ``make`` or ``cmake`` builds ``swing`` of it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

import functrans as ft
import functrans.numpy as fnp

STEP, SUBSTEPS = 0.1, 4


def step(state: Any, torque: Any) -> Any:
    """The state a step later, by Runge and Kutta's method."""

    def rate(y: Any) -> Any:
        return fnp.stack([y[1], torque - np.sin(y[0])])

    def substep(_: Any, y: Any) -> Any:
        h = STEP / SUBSTEPS
        a = rate(y)
        b = rate(y + h / 2 * a)
        c = rate(y + h / 2 * b)
        return y + h / 6 * (a + 2 * b + 2 * c + rate(y + h * c))

    return ft.fori_loop(0, SUBSTEPS, substep, state)


def export(directory: Path) -> ft.Exported:
    """Write the files."""
    specs = ft.ShapeDtype((2,)), ft.ShapeDtype(())
    return ft.export_c(step, *specs, name="pendulum", path=directory / "pendulum.c", derivatives=("fwd1", "adj1"))


if __name__ == "__main__":
    export(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
