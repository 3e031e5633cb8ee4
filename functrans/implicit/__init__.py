"""Equations as `functrans.implicit`: their solutions, with derivatives by the implicit function theorem."""

from __future__ import annotations

from functrans.implicit.custom_root import custom_root as custom_root
from functrans.implicit.fixed_point import fixed_point as fixed_point
from functrans.implicit.linear_solve import custom_linear_solve as custom_linear_solve
from functrans.implicit.roots import RootInfo as RootInfo
from functrans.implicit.roots import root as root

__all__ = ["RootInfo", "custom_linear_solve", "custom_root", "fixed_point", "root"]
