"""What a sparse derivative will do, and what that costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from functrans._records import record
from functrans.ops.enums import Ops
from functrans.ops.origin import line_of
from functrans.transforms.sparse import late
from functrans.transforms.sparse.choice import of_products, operations
from functrans.transforms.sparse.coloring import Coloring

if TYPE_CHECKING:
    from functrans.transforms.sparse.direct.direct import Direct
    from functrans.transforms.sparse.problem import Problem


class BlockPlan(NamedTuple):
    """How the entries of some rows are computed: "direct", with no partition and no colors, or by products."""

    rows: str
    method: str
    partition: str | None
    num_colors: int

    def __str__(self) -> str:
        return _way(self.partition, self.num_colors)


@record
class Plan:
    """The plan of one signature; its text says it all.

    Attributes
    ----------
    method, partition : "direct", with None; "compressed" by "column", "row", "bidirectional" or "symmetric"; or
        "blocks", with None: each has its own
    shapes, nonzeros : of each matrix
    num_colors : products with a direction for each call; of direct values 0
    function_cost : operations of one evaluation of f (of a Hessian: of the gradient), stores among them
    cost : operations of one call, stores among them
    constant : nonzeros that are the same at every point, of each matrix
    blocks : how the entries of each block of outputs are computed
    parts : intermediate arrays of direct values, and the parts of the function that are left to products
    notes : where the pattern is larger than it might be and why values are not direct, each with what to change

    Examples
    --------
    >>> import functrans as ft
    >>> plan = ft.spjacobian(lambda x: x[1:] - x[:-1] ** 2).plan(ft.ShapeDtype((3,)))
    >>> plan.method, plan.shapes, plan.nonzeros, plan.constant
    ('direct', ((2, 3),), (4,), (2,))
    """

    method: str
    partition: str | None
    shapes: tuple[tuple[int, int], ...]
    nonzeros: tuple[int, ...]
    num_colors: int
    function_cost: int
    cost: int
    constant: tuple[int, ...]
    blocks: tuple[BlockPlan, ...]
    parts: tuple[str, ...]
    notes: tuple[str, ...]

    @staticmethod
    def of(problem: Problem) -> Plan:
        """The plan of a problem. Detects, and colors where that is needed; nothing is compiled."""
        direct, reason = problem.choice
        function = operations(problem.outputs)
        if direct is None:
            coloring = problem.compression.coloring
            blocks = [_products("all rows", coloring)]
            method, cost = "compressed", of_products(problem.outputs, problem.inputs, coloring)
        else:
            blocks = _blocks(direct)
            method, cost = "blocks" if direct.multiplied else "direct", direct.cost
        notes = tuple(problem.dependence.notes) if problem.settings.given is None else ()
        return Plan(
            method, blocks[0].partition if direct is None else None, tuple(p.shape for p in problem.patterns),
            tuple(p.nnz for p in problem.patterns), sum(b.num_colors for b in blocks), function, cost,
            tuple(int(c.sum()) for c in problem.constant), tuple(blocks), () if direct is None else _parts(direct),
            (*notes, reason) if reason else notes,
        )  # fmt: skip

    def __str__(self) -> str:
        times = self.cost / max(self.function_cost, 1)
        if self.method == "blocks":
            lines = ["by blocks of outputs", *(f"  {b.rows}: {b}" for b in self.blocks)]
        else:
            lines = [f"{self.method}, {_way(self.partition, self.num_colors)}"]
        for shape, nnz, fixed in zip(self.shapes, self.nonzeros, self.constant, strict=True):
            lines.append(f"  matrix {shape[0]} x {shape[1]}, {nnz} nonzeros, {fixed} of them constant")
        lines.append(f"  about {self.cost} operations a call, {times:.3g} times f")
        return "\n".join([*lines, *(f"  {p}" for p in self.parts), *(f"  note: {n}" for n in self.notes)])

    def _repr_html_(self) -> str:
        """The same for a notebook."""
        return late.notebook.of_plan(self)


def _way(partition: str | None, num_colors: int) -> str:
    if partition is None:
        return "each nonzero by its own expression"
    return f"by {partition}: {num_colors} product{'s' * (num_colors != 1)} with a direction"


def _products(rows: str, coloring: Coloring) -> BlockPlan:
    return BlockPlan(rows, "compressed", str(coloring.partition), coloring.num_colors)


def _blocks(direct: Direct) -> list[BlockPlan]:
    """In the order of their rows."""
    found = [(b.first, BlockPlan(str(b), "direct", None, 0)) for b in direct.blocks]
    found += [(m.block.first, _products(str(m.block), m.compression.coloring)) for m in direct.multiplied]
    return [plan for _, plan in sorted(found, key=lambda item: item[0])]


_AROUND = "sensitivities go around with the carries, one sum of products for each nonzero"
_CARRIED = {Ops.SCAN: _AROUND, Ops.WHILE: _AROUND, Ops.SWITCH: "each branch computes its own nonzeros"}


def _parts(direct: Direct) -> tuple[str, ...]:
    arrays, products = len(direct.extraction.temporaries.made), direct.extraction.products.made
    found = [f"of {node.op.name} of shape {node.shape}: {_way('column', count)}" for node, count in products]
    of_loops = [f"{u.op.name}{line_of(u)}: {_CARRIED[u.op]}" for u in direct.extraction.loops.made]
    return (*of_loops, *([f"{arrays} intermediate array{'s' * (arrays != 1)} of nonzeros"] if arrays else []), *found)
