"""Functions of the user as graphs of arguments alone: what they close over becomes arguments too.

Source: closure conversion, as in Appel, Compiling with Continuations, chapter 10.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from functrans import tree
from functrans._records import record
from functrans.ops.function import Function
from functrans.ops.source import param
from functrans.ops.weak import is_weak_node
from functrans.tensor.core import Tensor
from functrans.tensor.lift import lift
from functrans.trace import claim, results, trace
from functrans.transforms.loops.body import closed


@record(eq=False)
class Converted:
    """A function that was traced once: of its arguments, and of what it closed over."""

    function: Function
    out_tree: tree.TreeDef

    def __call__(self, args: Sequence[Any], constants: Sequence[Any]) -> Any:
        """Its value; arguments have the structure, shapes and dtypes that it was traced with."""
        nodes = [lift(x) for x in tree.leaves((tuple(args), tuple(constants)))]
        return self.out_tree.unflatten(map(Tensor.from_uop, self.function.at(nodes)))


def converted(f: Callable[..., Any], args: Sequence[Any], what: str) -> tuple[Converted, list[Tensor]]:
    """f at placeholders like the arguments, which are pytrees of Tensors, and the values that it closes over."""
    leaves, treedef = tree.flatten(tuple(args))
    holes = [claim(param(x.uop.sized, x.uop.dtype, weak=is_weak_node(x.uop))) for x in leaves]
    with trace(what):
        outputs, out_tree = results(f(*treedef.unflatten(map(Tensor.from_uop, holes))), what)
    function, constants = closed(outputs, holes)
    return Converted(function, out_tree), list(map(Tensor.from_uop, constants))
