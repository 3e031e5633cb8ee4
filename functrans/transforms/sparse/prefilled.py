"""Prefilled buffers: ``values(x, out=)`` passes a buffer of ``empty_values`` straight to compiled code."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from functrans import tree
from functrans.backend.launch import Launch, Record
from functrans.backend.pipeline import Program

if TYPE_CHECKING:
    from functrans.transforms.sparse.problem import Problem

Array = NDArray[Any]


class InPlace:
    """A program whose results are written into given memory, by a plain call where that is possible.

    record : what such a call needs
    make : makes the program, which other calls are given to
    """

    def __init__(self, record: Record | None, make: Callable[[], Program]) -> None:
        self.record, self._make, self._launch = record, make, Launch()
        if record is not None and not any(record.limits):
            self._launch.add(record, tree.TreeDef(tuple, None, (tree.LEAF,) * len(record.outputs)))

    @cached_property
    def program(self) -> Program:
        """The program, made when first needed."""
        return self._make()

    def __call__(self, arrays: Sequence[Array], targets: Sequence[Array]) -> None:
        """Run; the targets overlap neither one another nor the arrays."""
        if self._launch.call(tuple(arrays), tuple(targets)) is not NotImplemented:
            return
        near = [np.require(t, requirements=("C", "A")) for t in targets]  # what is not written stands there too
        self.program(arrays, near)
        for target, written in zip(targets, near, strict=True):
            if written is not target:
                target[...] = written


class Prefilled:
    """The buffers that hold the constant values of a problem, each with the launch that writes the other values.

    ``calls`` maps the ``id`` of a buffer to its launch; `values` looks there first. A buffer is removed before its
    memory is freed, so no other array is found under its ``id``.
    """

    def __init__(self) -> None:
        self.calls: dict[int, Callable[..., Any]] = {}
        self._alive: dict[int, weakref.ref[Any]] = {}
        self._launches: weakref.WeakKeyDictionary[Problem, Launch | None] = weakref.WeakKeyDictionary()

    def register(self, problem: Problem, args: tuple[Any, ...], out: Any) -> Launch | None:
        """Register a buffer that `empty_values` of the problem made; None if its program allows no plain call."""
        if not problem.is_prefilled([out]) or problem.in_place is None:
            return None
        if problem not in self._launches:
            record = problem.in_place.record
            plain = record is not None and (len(record.outputs), len(record.inputs)) == (1, len(args))
            self._launches[problem] = made = Launch() if plain and record is not None and not record.weak else None
            if made is not None and record is not None:
                made.add(record, tree.LEAF)
        launch, number = self._launches[problem], id(out)
        if launch is not None:
            self._alive[number] = weakref.ref(out, lambda _: self._forget(number))
            self.calls[number] = launch.call
        return launch

    def _forget(self, number: int) -> None:
        del self.calls[number], self._alive[number]
