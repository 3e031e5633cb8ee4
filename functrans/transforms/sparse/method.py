"""Which method computes the values: the one whose cost is least, known before anything is compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from functrans.errors import UnsupportedError, at_user_line
from functrans.transforms.sparse.choice import computed
from functrans.transforms.sparse.direct.direct import Direct
from functrans.transforms.sparse.direct.values import NoTermsError

if TYPE_CHECKING:
    from functrans.transforms.sparse.problem import Problem

_MOST = 2**28  # entries of terms, beyond which memory is at stake
_TIMES = 8  # as many entries as nonzeros: from there on another method is cheaper
_LONG = 4000  # nodes of expressions that compile in the time that one waits gladly
_LONGEST = 100_000  # and that a compiler takes at all
STREAMED = 2  # operations in registers in the time of an element that goes through memory, as those of products do
_FEW = 100_000  # entries that are always worth a try


class Choice(NamedTuple):
    """The direct values, or None: then compressed ones; and why not direct."""

    direct: Direct | None
    reason: str


def choose(problem: Problem) -> Choice:
    """The choice for a problem.

    Raises UnsupportedError, naming the op, where ``method="direct"`` is asked for and an op has no terms.
    """
    settings = problem.settings
    forced = settings.method == "direct"
    if settings.method == "compressed" or (not forced and settings.partition != "auto"):
        return Choice(None, "")
    limit = _MOST if forced else max(_FEW, _TIMES * sum(p.nnz for p in problem.patterns))
    try:
        direct = Direct(problem.outputs, problem.inputs, problem.patterns, limit, _LONGEST if forced else _LONG)
    except NoTermsError as error:
        if forced:
            raise UnsupportedError(
                f"{settings.what} of {problem.name}, method='direct': {error}{at_user_line()}; use method='auto', "
                "which takes products with directions where there are no terms"
            ) from error
        return Choice(None, f"not direct: {error}")
    if not forced and direct.cost > STREAMED * _compressed_cost(problem, direct.cost // STREAMED):
        return Choice(None, f"not direct: that would take {direct.cost} operations")
    return Choice(direct, "")


def _compressed_cost(problem: Problem, other: int) -> int:
    """Elements computed by products, or a lower bound that is above the other cost: without a coloring."""
    matrix = problem.joint
    # a product has one number for each row or column, which is two entries of a symmetric matrix
    most = max(*matrix.shape, 1) * (2 if problem.settings.symmetric else 1)
    products, f = matrix.nnz // most, computed(problem.outputs)
    if f * (1 + products) >= other:  # a product computes as much as f, about
        return f * (1 + products)
    price = problem.costs
    cheapest = min(price.column, price.row) if price.row else price.column
    least = price.function + products * cheapest
    return least if least >= other else price.of(problem.compression.coloring)
