"""Initial value problems as `functrans.ode`: each solver is one loop in the C, each lane of a `vmap` its own steps."""

from __future__ import annotations

from functrans.ode.dense import DenseOutput as DenseOutput
from functrans.ode.rk4 import rk4 as rk4
from functrans.ode.solution import Solution as Solution
from functrans.ode.solution import Stats as Stats
from functrans.ode.solve import solve as solve

__all__ = ["DenseOutput", "Solution", "Stats", "rk4", "solve"]
