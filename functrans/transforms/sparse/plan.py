"""What a sparse derivative will do, and what that costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from functrans.transforms.sparse.problem import Problem


@dataclass(frozen=True)
class Plan:
    """The plan of one signature; its text says it all.

    Attributes
    ----------
    method, partition : "direct", with None, or "compressed" by "column", "row", "bidirectional" or "symmetric"
    shapes, nonzeros : of each matrix
    num_colors : products with a direction for each call; of direct values 0
    function_cost : elements computed by one evaluation of f (of a Hessian: of the gradient)
    cost : elements computed by one call
    constant : nonzeros that are the same at every point, of each matrix
    notes : where the pattern is larger than it might be, and why values are not direct
    """

    method: str
    partition: str | None
    shapes: tuple[tuple[int, int], ...]
    nonzeros: tuple[int, ...]
    num_colors: int
    function_cost: int
    cost: int
    constant: tuple[int, ...]
    notes: tuple[str, ...]

    @staticmethod
    def of(problem: Problem) -> Plan:
        """The plan of a problem. Detects, and colors where that is needed; nothing is compiled."""
        direct, reason = problem.choice
        price = problem.costs
        partition: str | None = None
        method, colors, cost = "direct", 0, 0 if direct is None else direct.cost
        if direct is None:
            coloring = problem.compression.coloring
            method, partition = "compressed", str(coloring.partition)
            colors, cost = coloring.num_colors, price.of(coloring)
        notes = tuple(problem.dependence.notes) if problem.settings.given is None else ()
        return Plan(
            method, partition, tuple(p.shape for p in problem.patterns), tuple(p.nnz for p in problem.patterns),
            colors, price.function, cost, tuple(int(c.sum()) for c in problem.constant),
            (*notes, reason) if reason else notes,
        )  # fmt: skip

    def __str__(self) -> str:
        times = self.cost / max(self.function_cost, 1)
        how = f"by {self.partition}: {self.num_colors} products with a direction"
        lines = [f"{self.method}, {'each nonzero by its own expression' if self.partition is None else how}"]
        for shape, nnz, fixed in zip(self.shapes, self.nonzeros, self.constant, strict=True):
            lines.append(f"  matrix {shape[0]} x {shape[1]}, {nnz} nonzeros, {fixed} of them constant")
        lines.append(f"  about {self.cost} elements computed a call, {times:.3g} times f")
        return "\n".join([*lines, *(f"  note: {n}" for n in self.notes)])
