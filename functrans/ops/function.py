"""A graph with placeholders of its own: the body of a loop, the arm of a branch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from functrans._records import record
from functrans.dtypes import DType
from functrans.ops.uop import Shape, UOp, substitute, toposort

Spec = tuple[Shape, DType]


@record(eq=False)
class Function:
    """Outputs of placeholders, and of nothing else: no RANGE is open in them, no array from outside is read.

    Two are equal where they are one object; plans compare them by structure.
    """

    params: tuple[UOp, ...]
    outputs: tuple[UOp, ...]

    def __repr__(self) -> str:
        return f"<{len(self.params)} -> {len(self.outputs)}, {len(toposort(self.outputs))} nodes>"

    @property
    def results(self) -> tuple[Spec, ...]:
        """Shape and dtype of each output."""
        return tuple((o.sized, o.dtype) for o in self.outputs)

    def at(self, arguments: Sequence[UOp]) -> list[UOp]:
        """The outputs at arguments of the shapes and dtypes of the placeholders."""
        return substitute(self.outputs, dict(zip(self.params, arguments, strict=True)))

    def mapped(self, rewrite: Callable[[list[UOp]], list[UOp]]) -> Function:
        """The function whose outputs a rewrite makes of these; itself where nothing changes."""
        outputs = tuple(rewrite(list(self.outputs)))
        return self if outputs == self.outputs else Function(self.params, outputs)

    def misfit(self, arguments: Sequence[UOp]) -> str | None:
        """What is wrong with arguments, or None."""
        if len(arguments) != len(self.params):
            return f"{len(arguments)} sources; its function takes {len(self.params)}"
        for k, (x, p) in enumerate(zip(arguments, self.params, strict=True)):
            if (x.shape, x.dtype) != (p.shape, p.dtype):
                return f"source {k} is {x.shape} {x.dtype.name}; its function takes {p.shape} {p.dtype.name}"
        return None
