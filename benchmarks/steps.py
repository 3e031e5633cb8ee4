"""What each pass is for: ``python -m benchmarks.steps [PASS ...]`` plans programs with one pass left out at a time.

The programs are the graphs that our side of every row plans, at the size of the row, and the bodies of the sweep at a
few lengths. Nothing is compiled, run or timed: kernels, statements, bytes and operations are counted in the plan, and
the C is compared as text. A pass without which no program is another one is there for nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

import functrans as ft
from benchmarks.case import Case, waits
from benchmarks.cases import CASES
from benchmarks.data import there
from benchmarks.sweep import BODIES, NUMBERS
from functrans.backend import pipeline, plan
from functrans.backend.codegen import lower
from functrans.backend.codegen.regions import program as regions
from functrans.backend.plan import Plan
from functrans.backend.schedule import passes

LENGTHS = (5, 12, 33, 64, 100)
KINDS = ("kernels", "statements", "bytes", "operations")


class Program(NamedTuple):
    """A graph that a row plans."""

    row: str
    planned: pipeline.Program


class Counts(NamedTuple):
    """What is counted in a plan, and its C."""

    kernels: int
    statements: int
    bytes: int
    operations: int
    c_text: str


def programs(rows: Sequence[Case] = CASES, lengths: Sequence[int] = LENGTHS) -> list[Program]:
    """The graphs that are planned for rows and for the bodies of the sweep, each structure once."""
    found: dict[str, Program] = {}
    row = ""

    def run(program: pipeline.Program, arrays: Sequence[Any], out: Sequence[Any] | None = None) -> list[Any]:
        """In place of a call: note what would be planned, and give ones."""
        for _, leaf in program.leaves:
            found.setdefault(leaf.key, Program(row, leaf))
        made = [np.ones(o.sized, o.dtype.numpy) for o in program.outputs]
        return list(out) if out is not None else made

    with (
        mock.patch.object(pipeline.Program, "run", run),
        mock.patch.object(pipeline.Program, "record", lambda _: None),
        mock.patch.object(pipeline.Program, "compile", lambda _: None),
    ):
        for case in rows:
            if "ours" in case.sides and not waits(case, "ours") and (not case.data or there(case.data)):
                row = case.name
                case.builder("ours")(*case.arguments(case.size))
        for name, body in BODIES.items():
            for length in lengths:
                row = f"{name} of {length}"
                ft.jit(ft.vmap(body))(np.ones((max(NUMBERS // length, 1), length)))
    return list(found.values())


@contextmanager
def without(name: str) -> Iterator[None]:
    """Plan without a pass of one of the two lists."""
    graph = tuple(p for p in passes.GRAPH if p.name != name)
    body = tuple(p for p in passes.BODY if p.name != name)
    statements = tuple(p for p in lower.STATEMENTS if p.name != name)
    with (
        mock.patch.object(plan, "scheduled", partial(passes.scheduled, steps=graph)),
        mock.patch.object(regions, "BODY", body),
        mock.patch.object(lower, "STATEMENTS", statements),
    ):
        yield


def counts(program: Program) -> Counts | str:
    """Of the plan that is made of a program now; the name of what was raised where there is none."""
    p = program.planned
    try:
        made = Plan(p.roots, p.arrays, p.captured, p.variables)
        cost, c_text = made.facts.cost, made.c_source
    except Exception as error:  # any: a pass that others rely on is missing
        return type(error).__name__
    moved = cost.bytes_read + cost.bytes_written + cost.temporaries
    return Counts(cost.kernels, sum(len(k.uops) for k in made.lowered), moved, cost.flops, c_text)


def table(wanted: Sequence[str], found: Sequence[Program]) -> Iterator[str]:
    """Lines of a table: of each pass how many programs change without it, and what changes most."""
    before = [counts(p) for p in found]
    yield f"Of {len(found)} programs, with each pass and without it:\n"
    yield "| pass | programs that change | " + " | ".join(f"most by {kind}" for kind in KINDS) + " |"
    yield "| --- " * (2 + len(KINDS)) + "|"
    for name in [p.name for p in passes.GRAPH] + [p.name for p in lower.STATEMENTS]:
        if wanted and name not in wanted:
            continue
        with without(name):
            after = [counts(p) for p in found]
        raised = [b for b in after if isinstance(b, str)]
        both = zip(found, before, after)
        pairs = [(p.row, a, b) for p, a, b in both if isinstance(a, Counts) and isinstance(b, Counts)]
        changed = sum(a.c_text != b.c_text for _, a, b in pairs)
        how = f"{changed}" + (f", {len(raised)} raise {max(set(raised), key=raised.count)}" if raised else "")
        yield f"| {name} | {how} | " + " | ".join(_most(k, pairs) for k in range(len(KINDS))) + " |"


def _most(kind: int, pairs: Sequence[tuple[str, Counts, Counts]]) -> str:
    """The row whose count changes most, by its ratio."""
    moved = [(int(a[kind]), int(b[kind]), row) for row, a, b in pairs if a[kind] != b[kind]]
    if not moved:
        return ""
    a, b, row = max(moved, key=lambda m: max((m[0] + 1) / (m[1] + 1), (m[1] + 1) / (m[0] + 1)))
    return f"{row}: {a:,} to {b:,}"


if __name__ == "__main__":
    for text in table(sys.argv[1:], programs()):
        print(text, flush=True)
