"""Terms that scatter: an element of one space sends numbers to many rows far apart, as a column of a stencil does.

Where all of them lie in the caches that is as good as anything. Otherwise each line of the values comes and goes once
for each distance. In the order of the rows every line is written once, and what the columns share is an array, read at
each distance.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from functrans.dtypes import DType
from functrans.ops.uop import UOp
from functrans.transforms.sparse.direct.expressions import multiple, times
from functrans.transforms.sparse.direct.tables import Table
from functrans.transforms.sparse.direct.temporaries import Temporaries
from functrans.transforms.sparse.direct.terms import Term
from functrans.transforms.sparse.direct.values import MIN_ADDITIONS, MIN_READS, costs


def gathered(terms: Sequence[Term], temporaries: Temporaries, size: int, dtype: DType) -> list[Term]:
    """The terms of a matrix of so many rows, those that scatter in the order of the rows."""
    by_space: dict[int, list[Term]] = {}
    for t in terms:
        by_space.setdefault(len(t), []).append(t)
    new: dict[Term, Term] = {}
    for part in by_space.values():
        chosen = [t for t in part if _is_spread(t, size) and not temporaries.values.is_constant(t.coefficient)]
        if len({t.every for t in chosen}) >= MIN_READS:
            new.update(_in_rows(chosen, temporaries, size, dtype))
    return [new.get(t, t) for t in terms]


def _is_spread(term: Term, size: int) -> bool:
    return term.rows.distinct and 2 * int(np.count_nonzero(term.rows.at >= 0)) >= size


def _in_rows(terms: list[Term], temporaries: Temporaries, size: int, dtype: DType) -> dict[Term, Term]:
    factors = {t: multiple(t.coefficient) for t in terms}
    heavy = dict.fromkeys(x for _, x in factors.values() if costs((x,), MIN_ADDITIONS))
    if not heavy or MIN_READS * len(heavy) > len(terms):
        return {}
    stored = {x: _stored(x, len(terms[0]), temporaries, dtype) for x in heavy}
    made = {}
    for t, (factor, x) in factors.items():
        coefficient = times(stored.get(x, x), UOp.const(x.dtype, factor))
        assert coefficient is not None  # a term is not zero
        made[t] = temporaries.carriers.by_rows(Term(t.rows, t.cols, coefficient, t.among), size)
    return made


def _stored(x: UOp, size: int, temporaries: Temporaries, dtype: DType) -> UOp:
    """An expression over a space as an array."""
    every: Table = temporaries.tables.iota(size)
    array = temporaries.laid([Term(every, every, x)], [every.at], size, dtype)
    return temporaries.values.leaf(array, every)
