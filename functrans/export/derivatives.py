"""The derivatives that are exported beside a function, by the names that CasADi looks for.

With results y and arguments x: ``jac_NAME`` has the nonzeros of each matrix dy/dx; ``fwd1_NAME`` the change of y along
a direction of x; ``adj1_NAME`` the gradient by x of y weighted by ``adj_y``; ``jac_adj1_NAME`` the nonzeros of its
derivatives, and ``fwd1_adj1_NAME`` its change along a direction: a product with the Hessian. CasADi gives y too
(``out_y``), and wants blocks by what they do not depend on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans._records import replace
from functrans.errors import ArgumentValueError, at_user_line
from functrans.export.problem import Problem
from functrans.export.values import Pattern, Routine, Value
from functrans.transforms.jvp import jvp
from functrans.transforms.sparse.sphessian import sphessian
from functrans.transforms.sparse.spjacobian import spjacobian
from functrans.transforms.vjp import vjp

__all__ = ["DERIVATIVES", "PRODUCTS", "check_derivatives", "derivatives_of"]

Indices = NDArray[np.int64]
DERIVATIVES = ("jac", "fwd1", "adj1", "jac_adj1")
PRODUCTS = (*DERIVATIVES, "fwd1_adj1")
"""Besides, products with second derivatives, which few callers want."""


def check_derivatives(names: Iterable[str]) -> tuple[str, ...]:
    """The derivatives that are asked for. Raises ArgumentValueError for another name."""
    wanted = (names,) if isinstance(names, str) else tuple(names)
    for name in wanted:
        if name not in PRODUCTS:
            raise ArgumentValueError(
                f"derivatives={wanted!r} of export_c: {name!r} is none of {', '.join(PRODUCTS)}{at_user_line()}"
            )
    return tuple(d for d in PRODUCTS if d in wanted)


def derivatives_of(problem: Problem, name: str, wanted: Sequence[str]) -> list[Routine]:
    """The derivatives of a function, as functions; where the file goes by columns, in the form of CasADi.

    Raises ArgumentValueError where there is nothing real to differentiate, or to differentiate by.
    """
    made = _Derivatives(problem, name)
    if wanted and not (made.x and made.y):
        which = "no result that is" if made.x else "no argument that is"
        raise ArgumentValueError(
            f"{problem.what} has {which} an array of floats{at_user_line()}: export it with derivatives=()"
        )
    find: dict[str, Callable[[], Routine]] = {
        "jac": made.jac, "fwd1": made.fwd1, "adj1": made.adj1, "jac_adj1": made.jac_adj1,
        "fwd1_adj1": made.fwd1_adj1,
    }  # fmt: skip
    return [find[d]() for d in wanted]


class _Derivatives:
    """``x`` and ``y`` are the places of the arguments and results that are floats."""

    def __init__(self, problem: Problem, name: str) -> None:
        self.problem, self.name, self.casadi = problem, name, problem.by_columns
        self.inputs, self.outputs = problem.inputs, problem.outputs
        self.x = [k for k, v in enumerate(self.inputs) if v.dtype.kind == "f"]
        self.y = [k for k, v in enumerate(self.outputs) if v.dtype.kind == "f"]
        self.format = "csc" if self.casadi else "csr"
        self.values = [Value(f"out_{v.name}", v.shape, v.dtype, void=True) for v in self.outputs if self.casadi]

    def _of(self, values: Sequence[Value], which: Sequence[int], prefix: str) -> list[Value]:
        return [replace(values[k], name=f"{prefix}_{values[k].name}") for k in which]

    def _of_floats(self, leaves: Sequence[Any]) -> Callable[..., tuple[Any, ...]]:
        """The float results as a function of the float arguments."""

        def g(*xs: Any) -> tuple[Any, ...]:
            given = list(leaves)
            for k, x in zip(self.x, xs, strict=True):
                given[k] = x
            results = self.problem(*given)
            return tuple(results[k] for k in self.y)

        return g

    def fwd1(self) -> Routine:
        """The change of each result along a direction."""
        n = len(self.inputs)

        def run(*leaves: Any) -> Any:
            point = tuple(leaves[k] for k in self.x)
            return jvp(self._of_floats(leaves[:n]), point, tuple(leaves[n:]))[1]

        inputs = (*self.inputs, *self.values, *self._of(self.inputs, self.x, "fwd"))
        return Routine(f"fwd1_{self.name}", inputs, tuple(self._of(self.outputs, self.y, "fwd")), run)

    def _pulled(self, leaves: Sequence[Any], weights: Sequence[Any]) -> tuple[Any, ...]:
        found: tuple[Any, ...] = vjp(self._of_floats(leaves), *(leaves[k] for k in self.x))[1](tuple(weights))
        return found

    def adj1(self) -> Routine:
        """The gradient of the weighted results."""
        n = len(self.inputs)

        def run(*leaves: Any) -> Any:
            return self._pulled(leaves[:n], leaves[n:])

        inputs = (*self.inputs, *self.values, *self._of(self.outputs, self.y, "adj"))
        return Routine(f"adj1_{self.name}", inputs, tuple(self._of(self.inputs, self.x, "adj")), run)

    def fwd1_adj1(self) -> Routine:
        """The change of the gradient of the weighted results along a direction of arguments and weights."""
        n, m = len(self.inputs), len(self.y)
        weights = self._of(self.outputs, self.y, "adj")
        first = [self.inputs[k] for k in self.x]

        def run(*leaves: Any) -> Any:
            def gradient(*point: Any) -> Any:
                given = list(leaves[:n])
                for k, x in zip(self.x, point, strict=False):
                    given[k] = x
                return self._pulled(given, point[len(first) :])

            point = (*(leaves[k] for k in self.x), *leaves[n : n + m])
            return jvp(gradient, point, tuple(leaves[n + m :]))[1]

        inputs = (*self.inputs, *self.values, *weights)
        if self.casadi:
            inputs += tuple(replace(v, name=f"out_adj_{v.name}", void=True) for v in first)
        inputs += tuple(replace(v, name=f"fwd_{v.name}") for v in (*first, *self.values, *weights))
        outputs = tuple(replace(v, name=f"fwd_adj_{v.name}") for v in first)
        return Routine(f"fwd1_adj1_{self.name}", inputs, outputs, run)

    def _jacobian(self) -> tuple[Callable[..., list[Any]], list[list[tuple[Indices, Indices, Indices]]]]:
        """The nonzeros by each argument as a function, and of each block which of them, with rows and columns."""
        specs = [self.problem.spec(v) for v in self.inputs]

        def floats(*leaves: Any) -> tuple[Any, ...]:
            return self._of_floats(leaves)(*(leaves[k] for k in self.x))

        matrix = spjacobian(floats, argnums=tuple(self.x), format=self.format)
        patterns = matrix.pattern(*specs)
        ends = np.cumsum([0, *(self.outputs[k].size for k in self.y)])
        blocks = [[_block(p.rows, p.cols, (ends[o], ends[o + 1])) for p in patterns] for o in range(len(self.y))]

        def values(*leaves: Any) -> list[Any]:
            return list(matrix.values(*leaves))

        return values, blocks

    def jac(self) -> Routine:
        """The nonzeros of each derivative."""
        values, blocks = self._jacobian()
        n, each = len(self.inputs), [(o, i) for o in range(len(self.y)) for i in range(len(self.x))]

        def run(*leaves: Any) -> Any:
            found = values(*leaves[:n])
            return _typed([_picked(found[i], blocks[o][i][0]) for o, i in each], outputs)

        outputs = []
        for o, i in each:
            y, x = self.outputs[self.y[o]], self.inputs[self.x[i]]
            _, rows, cols = blocks[o][i]
            outputs.append(self._sparse(f"jac_{y.name}_{x.name}", rows, cols, y, x))
        return Routine(f"jac_{self.name}", (*self.inputs, *self.values), tuple(outputs), run)

    def jac_adj1(self) -> Routine:
        """The nonzeros of the derivatives of the gradient: by each argument; for CasADi by all it is given."""
        n, first = len(self.inputs), [self.inputs[k] for k in self.x]
        rest = [k for k in range(n) if k not in self.x]
        weights = self._of(self.outputs, self.y, "adj")

        def weighted(z: Any, *others: Any) -> Any:
            leaves: list[Any] = [None] * n
            for k, x in zip(self.x, self._unpacked(z), strict=True):
                leaves[k] = x
            for k, x in zip(rest, others, strict=False):
                leaves[k] = x
            results = self._of_floats(leaves)(*(leaves[k] for k in self.x))
            return sum((w * y).sum() for w, y in zip(others[len(rest) :], results, strict=True))

        hessian = sphessian(weighted, format=self.format)
        specs = [self.problem.spec(v) for v in (*(self.inputs[k] for k in rest), *weights)]
        size = sum(v.size for v in first)
        packed = self.problem.packed(size, np.result_type(*(v.dtype for v in first)))
        pattern = hessian.pattern(packed, *specs)
        ends = np.cumsum([0, *(v.size for v in first)])
        each = [(i, j) for i in range(len(first)) for j in range(len(first))]
        spans = [((ends[i], ends[i + 1]), (ends[j], ends[j + 1])) for i, j in each]
        blocks = dict(zip(each, (_block(pattern.rows, pattern.cols, *s) for s in spans), strict=True))
        values, turned = self._turned() if self.casadi else (lambda *_: [], {})

        def run(*leaves: Any) -> Any:
            z = self._packed([leaves[k] for k in self.x])
            second = hessian.values(z, *(leaves[k] for k in rest), *leaves[n:])
            first_order = values(*leaves[:n])
            found = []
            for i in range(len(first)):
                found += [_picked(second, blocks[i, j][0]) for j in range(len(first))]
                found += [_picked(first_order[i], turned[o, i][0]) for o in range(len(self.y)) if self.casadi]
            return _typed(found, [v for v in outputs if not v.void])

        outputs: list[Value] = []
        for i, x in enumerate(first):
            for j, other in enumerate(first):
                _, rows, cols = blocks[i, j]
                outputs.append(self._sparse(f"jac_adj_{x.name}_{other.name}", rows, cols, x, other))
            if self.casadi:
                outputs += [self._empty(f"jac_adj_{x.name}_out_{y.name}", x, y) for y in self.outputs]
                for o, y in enumerate(self.outputs):
                    outputs.append(self._sparse(f"jac_adj_{x.name}_adj_{y.name}", *turned[o, i][1:], x, y))
        inputs = (*self.inputs, *self.values, *weights)
        if self.casadi:
            inputs += tuple(replace(v, name=f"out_adj_{v.name}", void=True) for v in self.inputs)
        return Routine(f"jac_adj1_{self.name}", inputs, tuple(outputs), run)

    def _turned(self) -> tuple[Callable[..., list[Any]], dict[tuple[int, int], tuple[Indices, Indices, Indices]]]:
        """The nonzeros of the transposed derivatives, in the order of their columns."""
        values, blocks = self._jacobian()
        found = {}
        for o, row in enumerate(blocks):
            for i, (pick, rows, cols) in enumerate(row):
                order = np.lexsort((cols, rows))
                found[o, i] = pick[order], cols[order], rows[order]
        return values, found

    def _packed(self, leaves: Sequence[Any]) -> Any:
        """The float arguments as one vector."""
        if len(leaves) == 1:
            return np.reshape(leaves[0], (-1,))
        return np.concatenate([np.reshape(x, (-1,)) for x in leaves])

    def _unpacked(self, z: Any) -> list[Any]:
        found, start = [], 0
        for v in (self.inputs[k] for k in self.x):
            x = z[start : start + v.size].astype(v.dtype)
            found.append(np.reshape(x, self.problem.spec(v).shape))
            start += v.size
        return found

    def _sparse(self, name: str, rows: Indices, cols: Indices, y: Value, x: Value) -> Value:
        pattern = Pattern.of(rows, cols, (y.size, x.size), self.casadi)
        return Value(name, (pattern.nnz,), np.result_type(y.dtype, x.dtype), pattern)

    def _empty(self, name: str, y: Value, x: Value) -> Value:
        nothing = np.zeros(0, np.int64)
        return replace(self._sparse(name, nothing, nothing, y, x), void=True)


def _block(
    rows: NDArray[Any], cols: NDArray[Any], of: tuple[int, int], by: tuple[int, int] | None = None
) -> tuple[Indices, Indices, Indices]:
    """Which entries are in a block, and their rows and columns there."""
    inside = (rows >= of[0]) & (rows < of[1])
    start = 0
    if by is not None:
        inside &= (cols >= by[0]) & (cols < by[1])
        start = by[0]
    pick = np.flatnonzero(inside)
    return pick, rows[pick].astype(np.int64) - of[0], cols[pick].astype(np.int64) - start


def _typed(values: Sequence[Any], outputs: Sequence[Value]) -> tuple[Any, ...]:
    """Numbers of the types that their places have: a matrix by arguments of two precisions has the longer one."""
    return tuple(value.astype(v.dtype) for value, v in zip(values, outputs, strict=True))


def _picked(values: Any, pick: Indices) -> Any:
    """Some of the nonzeros; those that stand side by side without a table."""
    if len(pick) == 0 or (pick[-1] - pick[0] + 1 == len(pick) and bool((np.diff(pick) == 1).all())):
        start = int(pick[0]) if len(pick) else 0
        return values[start : start + len(pick)]
    return values[pick]
