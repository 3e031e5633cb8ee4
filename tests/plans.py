"""For tests that change a pass: what is planned while they run is planned now, and not kept. And what they count."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from functrans.backend import again, plan, ready
from functrans.backend.cost import cost
from functrans.backend.facts import Cost
from functrans.backend.pipeline import Program
from functrans.backend.schedule.kernels import kernels
from functrans.backend.schedule.passes import scheduled
from functrans.config import config
from functrans.ops.passes import SILENT, Passes


def plan_anew(monkeypatch: pytest.MonkeyPatch, *, disk: bool = False) -> None:
    """Forget the plans of this process and, but for ``disk``, leave those of the cache alone."""
    monkeypatch.setattr(plan, "_plans", OrderedDict())
    monkeypatch.setattr(ready, "_ready", OrderedDict())
    monkeypatch.setattr(ready, "_written", Counter())
    if not disk:
        monkeypatch.setattr(ready, "fingerprint", lambda: None)


@contextmanager
def kept_apart(path: Path) -> Iterator[None]:
    """No plan that was made under other settings is found, and none that is made is left."""
    with config.override(cache_dir=str(path)):
        tables: list[Any] = [plan._plans, ready._ready, again._known]
        before = [dict(t) for t in tables]
        for t in tables:
            t.clear()
        try:
            yield
        finally:
            for t, old in zip(tables, before, strict=True):
                t.clear()
                t.update(old)


def schedule_cost(program: Program, passes: Passes = SILENT) -> Cost:
    """What the kernels of a program cost, but for memory and host steps. Their statements are not made, which are most
    of a plan: no number of operations, or of bytes that are moved, depends on them.
    """
    return cost([k for _, leaf in program.leaves for k in kernels(scheduled(leaf.roots, passes))], 0)
