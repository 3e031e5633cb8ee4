"""A graph as C that needs nobody around it: no threads, no steps of LAPACK, no signals, memory by arguments alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from functrans._records import record
from functrans.backend.codegen.unit import Parts, parts_of
from functrans.backend.codegen.vectors.target import Target, written_for
from functrans.backend.memory import Array
from functrans.backend.pipeline import Program
from functrans.backend.plan import Scheduled
from functrans.errors import ArgumentError, UnsupportedError
from functrans.ops.enums import Ops
from functrans.ops.opdef import opdef
from functrans.ops.origin import line_of
from functrans.ops.source import stored
from functrans.ops.uop import UOp

__all__ = ["Standalone", "standalone"]


@record
class Standalone:
    """The C of a graph in parts, and what stands in the ``buffers`` and ``sizes`` of its calls.

    Attributes
    ----------
    buffers are, in this order: the parameters, ``captured`` arrays, results (``results`` of them), and then parts of
    one piece of memory of ``arena`` bytes, which begin at ``offsets``.
    place : which of the results each output is, and behind the outputs each flag
    """

    parts: Parts
    captured: tuple[Array, ...]
    results: tuple[tuple[int, np.dtype[np.generic]], ...]
    place: tuple[int, ...]
    offsets: tuple[int, ...]
    arena: int
    sizes: tuple[int, ...]


def standalone(outputs: Sequence[UOp], params: Sequence[UOp], what: str, target: Target) -> Standalone:
    """The C of a graph for a target without a host, with linear algebra written out or as loops.

    Raises UnsupportedError for what is computed between kernels or over thread domains, ArgumentError for a run-time
    integer.
    """
    with written_for(target):
        program = Program(outputs, params)
        _check(program, what)
        made = Scheduled(program.roots, program.arrays, program.captured, program.variables)
        parts = parts_of(made.lowered, made.position, made.free, made.size_of)
    roots = program.roots
    return Standalone(
        parts,
        tuple(map(stored, program.captured)),
        tuple((root.size, root.dtype.numpy) for root in roots),
        tuple(map(roots.index, program.root_of)),
        (*(low for low, _ in made.memory.slices), made.memory.scratch[0]),
        made.memory.size,
        (*made.sizes, *program.bound),
    )


def _check(program: Program, what: str) -> None:
    if program.over_domains:
        raise UnsupportedError(f"{what} is computed over thread domains, which exported C has none of")
    for step in program.host_steps:
        node = step.nodes[0]
        raise UnsupportedError(
            f"{node.op.name} in {what}{line_of(node)}: it is computed by {opdef(node).by} between "
            "kernels, and exported C has its kernels alone; dense matrices and sparse systems of real "
            "numbers are computed in it"
        )
    variables = [*program.unbound, *(p for p in program.params if p.op is Ops.DEFINE_VAR)]
    for v in variables:
        raise ArgumentError(
            f"variable {v.arg[0]!r} in {what}: exported C has the sizes it was traced with; bind it to a number"
        )
