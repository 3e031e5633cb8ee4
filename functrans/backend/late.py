"""Modules of the backend that are imported when they are first used: a graph whose code is in the cache needs none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from functrans._lazy import LazyModule

__all__ = ["chained", "cost", "dense", "domains", "failures", "nans", "plan", "standalone", "steps", "target"]

if TYPE_CHECKING:
    from functrans.backend import chained, cost, nans, plan, standalone, steps
    from functrans.backend.codegen.vectors import target
    from functrans.backend.dense import expansion as dense
    from functrans.backend.dense import failures
    from functrans.backend.domains import run as domains
else:
    # scheduling and code generation
    plan = LazyModule("functrans.backend.plan")
    domains = LazyModule("functrans.backend.domains.run")
    # linear algebra, steps between kernels, what is counted of kernels
    dense = LazyModule("functrans.backend.dense.expansion")
    steps = LazyModule("functrans.backend.steps")
    chained = LazyModule("functrans.backend.chained")
    cost = LazyModule("functrans.backend.cost")
    # results that are refused
    failures = LazyModule("functrans.backend.dense.failures")
    nans = LazyModule("functrans.backend.nans")
    # what writes C for others
    standalone = LazyModule("functrans.backend.standalone")
    target = LazyModule("functrans.backend.codegen.vectors.target")
