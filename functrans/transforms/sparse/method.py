"""Which method computes the values: the one whose cost is least, known before anything is compiled.

Where neither terms nor products are cheap for a whole function, each block of its outputs gets the method that is
cheapest for it: a dense row a product from the left, a stencil terms, what is opaque products of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from functrans.errors import UnsupportedError, at_user_line
from functrans.transforms.sparse.blocks import MAX_BLOCKS, Block, Multiplied, apart, whole
from functrans.transforms.sparse.choice import compression, computed, costs, streamed
from functrans.transforms.sparse.direct.direct import Direct
from functrans.transforms.sparse.direct.extraction import Limits
from functrans.transforms.sparse.direct.values import NoTermsError
from functrans.transforms.sparse.pattern import SparsityPattern
from functrans.transforms.sparse.settings import FREE_NODES
from functrans.transforms.sparse.traced import value_dtype

if TYPE_CHECKING:
    from functrans.transforms.sparse.problem import Problem

_MAX_NUMBERS = 2**29  # of tables of terms that are alive, two gigabytes: beyond it memory is at stake
_NO_LIMIT = 2**62
_TIMES = 4  # as much as the best other method: from there on no more terms are made
_NODE = 1000  # operations a call that are worth the time that each further one takes to compile
_COMPILED_NODES = 100_000  # of expressions that compile at all
_MIN_ENTRIES = 100_000  # of terms that are always tried
_NOT_DIRECT = "products with directions (compressed) were chosen, not an expression for each nonzero (direct)"
_CHEAP = 4  # times the cost of f: a product from the left takes as much, so that blocks have little to win


class Choice(NamedTuple):
    """The direct values, or None: then compressed ones; and why not direct, or not by blocks of outputs."""

    direct: Direct | None
    reason: str


def choose(problem: Problem) -> Choice:
    """The choice for a problem.

    Raises UnsupportedError, naming the op, where ``method="direct"`` is asked for and there are no terms.
    """
    settings = problem.settings
    if settings.method == "direct":
        try:
            limits = Limits(_NO_LIMIT, _NO_LIMIT, _COMPILED_NODES, _MAX_NUMBERS)
            return Choice(_direct(problem, whole(problem.outputs), limits), "")
        except NoTermsError as error:
            raise UnsupportedError(
                f"{settings.what} of {problem.name}, method='direct': the nonzeros get no expressions of their own: "
                f"{error}{at_user_line()}; use method='auto', which then takes products with directions"
            ) from error
    if settings.method == "compressed" or settings.partition != "auto":
        return Choice(None, "")
    return _cheapest(problem)


def _direct(problem: Problem, blocks: Sequence[Block], limits: Limits, multiplied: Sequence[Multiplied] = ()) -> Direct:
    dtype, symmetric = value_dtype(problem.outputs), problem.settings.symmetric
    return Direct(blocks, problem.inputs, problem.patterns, dtype, limits, multiplied, symmetric=symmetric)


def _below(other: int) -> Limits:
    """Where terms lose against another method of so many operations."""
    most = max(_MIN_ENTRIES, _TIMES * other)
    return Limits(most, most, FREE_NODES + most // _NODE, _MAX_NUMBERS)


def _price(direct: Direct) -> int:
    """The operations of a call, and what it costs that long expressions are compiled."""
    return direct.cost + _NODE * max(direct.expressions - FREE_NODES, 0)


def _cheapest(problem: Problem) -> Choice:
    f, element = computed(problem.outputs), streamed(problem.outputs)
    try:
        limits = _below(int(element * _at_least(problem, f)))
        direct: Direct | None = _direct(problem, whole(problem.outputs), limits)
        reason = ""
    except NoTermsError as error:
        direct, reason = None, f"{_NOT_DIRECT}: {error}"
    if direct is not None and _price(direct) <= _CHEAP * f:
        return Choice(direct, "")
    mixed, limit = _by_blocks(problem, direct)
    if mixed is not None and (direct is None or _price(mixed) < _price(direct)):
        direct = mixed
    if direct is not None:
        price = _price(direct)
        other = int(element * _compressed_cost(problem, f, int(price / element)))
        if price > other:
            long = f", and {price - direct.cost} for the compiler's time" if price > direct.cost else ""
            reason = (
                f"{_NOT_DIRECT}: expressions would take {direct.cost} operations{long}, products about {other}; "
                "method='direct' takes expressions all the same"
            )
            direct = None
        else:
            reason = ""
    return Choice(direct, "; ".join(filter(None, (reason, limit))))


def _by_blocks(problem: Problem, direct: Direct | None) -> tuple[Direct | None, str]:
    """Each block of outputs by what is cheapest for it; None where that is nothing new, and the limit that kept it from
    being tried.

    Where all blocks are ``direct``, the terms of none of them cost more than those of all: products that do are not
    looked at.
    """
    blocks = apart(problem.outputs)
    if problem.settings.symmetric or problem.captures or len(blocks) == 1:
        return None, ""
    if len(blocks) > MAX_BLOCKS:
        return None, (
            f"the methods of the {len(blocks)} arrays that the result is joined of are not chosen one by one, as "
            f"those of up to {MAX_BLOCKS} are"
        )
    known = None if direct is None else _price(direct)
    by_terms: list[Block] = []
    multiplied: list[Multiplied] = []
    for block in blocks:
        if known is not None and _products_at_least(problem, block) >= known:
            by_terms.append(block)
            continue
        other = _multiplied(problem, block)
        try:
            cost = _price(_direct(problem, [block], _below(other.cost)))
        except NoTermsError:
            multiplied.append(other)
            continue
        if cost <= other.cost:
            by_terms.append(block)
        else:
            multiplied.append(other)
    if not by_terms or (known is not None and not multiplied):
        return None, ""
    try:
        limits = Limits(_NO_LIMIT, _NO_LIMIT, _COMPILED_NODES, _MAX_NUMBERS)
        return _direct(problem, by_terms, limits, multiplied), ""
    except NoTermsError as error:
        return None, f"not chosen for blocks of outputs: {error}"


def _multiplied(problem: Problem, block: Block) -> Multiplied:
    """The products of a block with the cheapest coloring."""
    pattern = block.part(problem.joint)
    price = costs([block.node], problem.inputs)
    how = compression(pattern, [block.node], problem.settings, lambda: price)
    return Multiplied(block, pattern, how, int(streamed([block.node]) * price.of(how.coloring)))


def _products_at_least(problem: Problem, block: Block) -> int:
    """The cost of the products of a block, whatever the coloring."""
    least = _least(block.part(problem.joint), problem, computed([block.node]))
    return int(streamed([block.node]) * least)


def _at_least(problem: Problem, f: int) -> int:
    """Elements that products compute, whatever the coloring: each about as many as f."""
    return _least(problem.joint, problem, f)


def _least(matrix: SparsityPattern, problem: Problem, f: int) -> int:
    # a product has one number for each row or column, which is two entries of a symmetric matrix
    most = max(*matrix.shape, 1) * (2 if problem.settings.symmetric else 1)
    return f * (1 + matrix.nnz // most)


def _compressed_cost(problem: Problem, f: int, other: int) -> int:
    """Elements computed by products, or a lower bound that is above the other cost: without a coloring."""
    if _at_least(problem, f) >= other:
        return _at_least(problem, f)
    price = problem.costs
    cheapest = min(price.column, price.row) if price.row else price.column
    least = price.function + (_at_least(problem, f) // max(f, 1) - 1) * cheapest
    return least if least >= other else price.of(problem.compression.coloring)
