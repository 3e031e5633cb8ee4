"""A function as a value and a linear map: its graph, and that of its tangents on placeholders for tangents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from functrans import dtypes, tree
from functrans._records import record
from functrans.ops import build as B
from functrans.ops.source import param
from functrans.ops.uop import UOp
from functrans.trace import claim
from functrans.transforms.forward import Push
from functrans.transforms.jvp import linear_graph
from functrans.transforms.transpose import transpose

Node = UOp | None


@record
class Linearized:
    """A function at ``holes``, placeholders for its arguments, and the linear map from tangents to tangents.

    ``seeds`` are placeholders for the tangents of the holes, None where these are ints or bools; ``tangents`` are
    those of the outputs, None where zero.
    """

    holes: list[UOp]
    seeds: list[Node]
    outputs: list[UOp]
    tangents: list[Node]
    out_tree: tree.TreeDef
    aux: tuple[list[UOp], tree.TreeDef]
    known: dict[UOp, Node]  # the tangents of all nodes of the graph as it was traced

    def pull(self, cotangents: Sequence[Node]) -> list[Node]:
        """The cotangents of the holes, given those of the outputs; None is zero."""
        varying = [s for s in self.seeds if s is not None]
        found = iter(transpose(self.tangents, varying, cotangents))
        return [None if s is None else next(found) for s in self.seeds]


def linearized(f: Callable[..., Any], nodes: Sequence[UOp], treedef: tree.TreeDef, has_aux: bool) -> Linearized:
    """f at placeholders for the nodes, which only give shapes and dtypes."""
    holes, outputs, aux, out_tree = linear_graph(f, nodes, treedef, has_aux)
    seeds = [claim(param(h.sized, h.dtype)) if dtypes.is_inexact(h.dtype) else None for h in holes]
    push = Push(dict(zip(holes, seeds, strict=True)), to_transpose=True)
    outputs, tangents = push(outputs)
    return Linearized(holes, seeds, outputs, tangents, out_tree, aux, push.tangents)


def filled(x: UOp, found: Node) -> UOp:
    """A tangent or cotangent of x as an array: float zeros where there is none."""
    return found if found is not None else B.full(x.sized, tangent_dtype(x.dtype), 0)


def tangent_dtype(dtype: dtypes.DType) -> dtypes.DType:
    """The dtype of tangents and cotangents: float64 for ints and bools, whose tangents are zeros."""
    return dtype if dtypes.is_inexact(dtype) else dtypes.float64
