"""What was found out about a problem, on disk: the pattern, the values that are constant, and how others are computed.

A problem is known again by its graph, the arrays in it and what was asked for. Where a rule of the user's own says how
something is differentiated, that does not tell: then nothing is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from functrans._lazy import scipy_sparse
from functrans.backend.kept import find_kept, hash_of, keep_on_disk
from functrans.backend.launch import Record
from functrans.backend.pipeline import Program
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.source import in_file, stored
from functrans.ops.uop import toposort
from functrans.transforms.sparse.loops import bodies, every_loop
from functrans.transforms.sparse.prefilled import InPlace

if TYPE_CHECKING:
    from functrans.transforms.sparse.problem import Problem

__all__ = ["Kept", "known_by", "together"]

Array = NDArray[Any]
_VALUES, _TOGETHER = "values", "values and results"
_OWN = {Ops.CUSTOM_RULE, Ops.LINEAR} | GroupOp.Custom | GroupOp.SparseSystem


def known_by(problem: Problem) -> str | None:
    """A hash that problems have in common whose pattern and values are the same; None where that cannot be known."""
    if problem.captures:
        return None
    roots = (*problem.outputs, *problem.aux)
    order = toposort(roots)
    inner = (u for loop in every_loop(roots) for u in toposort(bodies(loop)))
    nodes = list(dict.fromkeys([*order, *inner]))
    if any(u.op in _OWN or (u.op is Ops.BUFFER and in_file(u)) for u in nodes):
        return None
    settings = problem.settings
    place = {p: k for k, p in enumerate(problem.params)}
    asked = (
        [[place[p] for p in block] for block in problem.blocks], settings.method, settings.partition, settings.format,
        settings.triangle, settings.symmetric, len(problem.outputs),
    )  # fmt: skip
    given = problem.patterns if settings.given is not None else ()
    arrays = [stored(u) for u in nodes if u.op is Ops.BUFFER]
    arrays += [a for p in given for a in (p.rows, p.cols)]
    return hash_of(roots, problem.params, order, arrays, repr(asked), repr([p.shape for p in given]))


class Kept:
    """What an earlier process kept of a problem.

    Attributes
    ----------
    record : of the call that computes what varies; None where nothing does
    matrix : the rows and columns that detection found; None of a pattern that was given
    data, varying : of each matrix the constant values, zero elsewhere, and the places of those that vary
    """

    def __init__(self, record: Record | None, arrays: Sequence[Array], problem: Problem) -> None:
        self.record = record
        rest = iter(arrays)
        self.matrix: Any = None
        if problem.settings.given is None:
            indptr, indices = next(rest), next(rest)
            shape = problem.rows, sum(problem.widths)
            self.matrix = scipy_sparse.csr_array((np.ones(len(indices), np.bool_), indices, indptr), shape=shape)
        self._fixed = list(rest)

    @staticmethod
    def of(problem: Problem) -> Kept | None:
        """What there is of a problem."""
        found = None if problem.known_by is None else find_kept(_VALUES, problem.known_by)
        return None if found is None else Kept(*found, problem)

    def fixed(self, problem: Problem) -> tuple[list[Array], list[NDArray[np.bool_]]]:
        """The constant values of each matrix, zero elsewhere, and which ones vary."""
        data, varying = [], []
        for p, bits, numbers in zip(problem.patterns, self._fixed[::2], self._fixed[1::2], strict=True):
            moves = np.unpackbits(bits, count=p.nnz).view(np.bool_)
            values = np.zeros(p.nnz, numbers.dtype)
            values[~moves] = numbers
            data.append(values)
            varying.append(moves)
        return data, varying

    @staticmethod
    def made(problem: Problem, make: Callable[[], Program]) -> InPlace | None:
        """The call of a program of what varies, made and kept; None where there is no such call."""
        program, record = make(), None
        if problem.moving:
            record = program.record()
            if record is None:
                return None
        Kept._keep(problem, program, record)
        return InPlace(record, lambda: program)

    @staticmethod
    def _keep(problem: Problem, made: Program, record: Record | None) -> None:
        if problem.known_by is None or (record is not None and any(record.limits)):
            return
        arrays: list[Array] = []
        if problem.settings.given is None:
            matrix = problem.dependence.matrix
            arrays += [matrix.indptr, matrix.indices]
        for values, moves in zip(problem.prefilled, problem.varying, strict=True):
            arrays += [np.packbits(moves), values[~moves]]
        keep_on_disk(_VALUES, problem.known_by, "" if record is None else made.facts.code, record, arrays)


def together(problem: Problem, make: Callable[[], Program]) -> InPlace | None:
    """The call of a program of what varies and of results beside it, found, or made and kept; None if there is none."""
    found = None if problem.known_by is None else find_kept(_TOGETHER, problem.known_by)
    if found is not None and found[0] is not None:
        return InPlace(found[0], make)
    program = make()
    record = program.record()
    if record is None:
        return None
    if problem.known_by is not None and not any(record.limits):
        keep_on_disk(_TOGETHER, problem.known_by, program.facts.code, record, [])
    return InPlace(record, lambda: program)
