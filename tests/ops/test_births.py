"""Which branch a node belongs to."""

from __future__ import annotations

import threading

from functrans import dtypes
from functrans.ops import UOp
from functrans.ops import build as B
from functrans.ops.births import branch
from functrans.ops.origin import place_of, recorded
from functrans.ops.source import param


def test_nodes_belong_to_the_branch_that_made_them() -> None:
    x = param((), dtypes.float64)
    before = B.add(x, x)
    with branch() as inside:
        made = B.mul(x, before)
        with branch() as within:
            deeper = B.mul(made, made)
            assert within(deeper) and not within(made) and not within(before)
        assert inside(made) and not inside(before) and not inside(B.add(x, x))
        assert inside(deeper)  # of a branch that has ended
    after = B.neg(made)
    with branch() as other:
        assert other(made) and not other(after)  # equal nodes are one, whoever makes them


def test_nodes_of_other_threads_belong_to_no_branch() -> None:
    x = param((), dtypes.float64)
    found: list[UOp] = []
    with branch() as inside:
        worker = threading.Thread(target=lambda: found.append(B.neg(x)))
        worker.start()
        worker.join()
        assert not inside(found[0]) and inside(B.recip(x))


def test_lines_are_recorded_beside_it_and_not_without() -> None:
    x = param((), dtypes.float64)
    with branch() as inside:
        silent = B.mul(x, B.like(x, 3.0))
        with recorded():
            lined = B.mul(x, B.like(x, 5.0))
        assert inside(silent) and inside(lined)
        assert inside(B.mul(x, B.like(x, 7.0)))
    assert place_of(lined) is not None and place_of(silent) is None
    with recorded():
        late = B.mul(x, B.like(x, 9.0))
    with branch() as other:
        assert place_of(late) is not None and not other(late)
