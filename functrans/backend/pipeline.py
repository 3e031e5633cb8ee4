"""From a graph to something that runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from functrans.ops.interpret import interpret
from functrans.ops.uop import UOp

Array = np.ndarray[Any, Any]


class Program:
    """A graph made runnable: arrays for its PARAMs in, arrays for its outputs out."""

    def __init__(self, outputs: Sequence[UOp], params: Sequence[UOp]) -> None:
        self.outputs, self.params = tuple(outputs), tuple(params)

    def __call__(self, arrays: Sequence[Array]) -> list[Array]:
        """Run on the arrays of the params, in their order."""
        return interpret(self.outputs, dict(zip(self.params, arrays, strict=True)))


def program(outputs: Sequence[UOp], params: Sequence[UOp]) -> Program:
    """The program of a graph. Graphs alike but for the identity of PARAMs, RANGEs and BUFFERs share their code."""
    return Program(outputs, params)
