"""Work on results of all lanes that becomes work of a lane."""

from __future__ import annotations

import numpy as np

from functrans import dtypes
from functrans.backend.schedule.within import _in_lane
from functrans.ops import build as B
from functrans.ops.interpret import interpret
from functrans.ops.source import param
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp, toposort

ZERO = const(0)


def test_a_map_along_another_axis_is_not_the_lane() -> None:
    """The lanes of one size share a RANGE: what is closed at it along one axis may be opened at it along another."""
    x, lane = param((4, 4), dtypes.float64), UOp.range(4)
    row = x.vmapin((lane, ZERO))
    squares = B.mul(row, row).vmapout((lane, ZERO))
    given = np.arange(16.0).reshape(4, 4)
    for array, is_lane in ((squares, True), (B.permute(squares, (1, 0)), False)):
        made = _in_lane(array, 0, lane, set(toposort((array,))) - {x})
        assert (made is not None) == is_lane
        if made is not None:
            (found,) = interpret([made.vmapout((lane, ZERO))], {x: given})
            np.testing.assert_array_equal(found, given**2)
