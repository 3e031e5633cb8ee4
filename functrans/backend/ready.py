"""Graphs that can be called: by code in this process, by a plan and code on disk, or planned and compiled now.

A plan on disk stands under a hash of the graph's structure and of functrans itself, and holds no more than integers
and the hash of the C text. So a new process that finds one, and the code it names, schedules nothing and writes no C.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from typing import TYPE_CHECKING

from functrans._recent import keep, recall
from functrans._sources import fingerprint
from functrans.backend import late
from functrans.backend.codegen.vectors.target import target
from functrans.backend.facts import Facts
from functrans.backend.runtime import cache
from functrans.backend.runtime.library import Entry, begin, find
from functrans.backend.runtime.threads import pool
from functrans.config import config
from functrans.debug import log, warn_once
from functrans.errors import CompileError

if TYPE_CHECKING:
    from functrans.backend.pipeline import Program
    from functrans.backend.plan import Plan

__all__ = ["Code", "code_of", "is_current"]

Code = tuple[Entry, Facts]
"""Compiled code, and what a call of it needs."""

_KEPT = 256
_WRITTEN = 16  # plans that one process writes for one code: each batch size has a plan of its own


_ready: OrderedDict[str, Facts] = OrderedDict()  # the libraries are in a table of their own, which bounds them
_written: Counter[str] = Counter()
_compiled = [True]  # whether the last plan that was made had to be compiled


def code_of(program: Program) -> Code:
    """What runs a graph, made of what there is of it.

    Raises CompileError and CompilerNotFound, where it has to be compiled.
    """
    facts = recall(_ready, program.key)
    entry = None if facts is None else find(facts.code)
    if facts is not None and entry is not None:
        return entry, facts
    found = _from_disk(program) or _made(program)
    keep(_ready, program.key, found[1], _KEPT)
    return found


def is_current(key: str, facts: Facts) -> bool:
    """Whether this is what runs graphs of a key now."""
    return _ready.get(key) is facts


def _name(program: Program) -> str | None:
    functrans = fingerprint()
    return None if functrans is None else cache.digest("plan", functrans, repr(target()), program.key) + ".plan"


def _from_disk(program: Program) -> Code | None:
    """The plan and the code that an earlier process left; None where one of them is missing or of no use."""
    if config.debug >= 2 or config.dump is not None:  # schedule and C are to be told of
        return None
    name = _name(program)
    data = None if name is None else cache.current().read(name)
    if data is None:
        return None
    try:
        facts = Facts.read(data)
    except ValueError as error:
        warn_once("plan", f"the cached plan {name} makes no sense ({error}); made anew")
        return None
    entry = find(facts.code)
    if entry is None:
        return None
    log(1, f"plan found {program.key[:12]}")
    return entry, facts


def _made(program: Program) -> Code:
    """The graph planned and compiled.

    The compiler is started before the graph is scheduled, as long as the last graph had to be compiled: other sizes of
    one function have other plans, and one code. What else is to be done is done while it works.
    """
    began = begin() if _compiled[-1] else None
    done: list[bool] = []

    def meanwhile() -> None:
        if not done:
            done.append(True)
            if plan.far or (plan.threads_pay and config.threads > 1):
                pool()  # is compiled beside it, the first time
            _write_down(plan, program)

    try:
        plan = late.plan.plan_of(program)
        entry = plan.compiled(began, meanwhile)
        _compiled[:] = [bool(done)]
    finally:
        if began is not None:
            began.stop()
    meanwhile()
    return entry, plan.facts


def _write_down(plan: Plan, program: Program) -> None:
    """Keep a plan for other processes; its cost is counted for that."""
    name = _name(program)
    if name is not None and _written[plan.facts.code] < _WRITTEN:
        _written[plan.facts.code] += 1
        try:
            cache.current().put(name, plan.facts.written())
        except CompileError as error:  # the code is loaded, which is all that this process needs
            log(1, f"the plan is not kept: {error}")
