"""Random movement nodes: every op, ranks 0 to 4, non-square, sizes 0 and 1 included."""

from __future__ import annotations

from math import prod

from hypothesis import strategies as st

from functrans import dtypes
from functrans.ops import Ops, UOp, source

SIZES = st.sampled_from([0, 1, 1, 2, 3, 4, 5])
shapes = st.lists(SIZES, min_size=0, max_size=4).map(tuple)


def reshapes(shape: tuple[int, ...]) -> st.SearchStrategy[tuple[int, ...]]:
    """Shapes of as many elements."""
    n = prod(shape)

    @st.composite
    def draw_one(draw: st.DrawFn) -> tuple[int, ...]:
        if n == 0:
            out = [*draw(st.lists(SIZES, max_size=3)), 0]
            return tuple(draw(st.permutations(out)))
        out, left = [], n
        while left > 1:
            d = draw(st.sampled_from([k for k in range(2, left + 1) if left % k == 0]))
            out.append(d)
            left //= d
        out += [1] * draw(st.integers(0, 2))
        return tuple(draw(st.permutations(out)))

    return draw_one()


@st.composite
def movement(draw: st.DrawFn, op: Ops, shape: tuple[int, ...] | None = None) -> UOp:
    """A node of the op over a PARAM, of the given shape if there is one."""
    shape = draw(shapes) if shape is None else shape
    arg: object
    if op is Ops.RESHAPE:
        arg = draw(reshapes(shape))
    elif op is Ops.PERMUTE:
        arg = tuple(draw(st.permutations(range(len(shape)))))
    elif op is Ops.EXPAND:
        arg = tuple(draw(SIZES) if d == 1 else d for d in shape)
    elif op is Ops.PAD:
        arg = tuple((draw(st.integers(0, 2)), draw(st.integers(0, 2))) for _ in shape)
    elif op is Ops.SHRINK:
        arg = tuple(tuple(sorted((draw(st.integers(0, d)), draw(st.integers(0, d))))) for d in shape)
    else:
        arg = tuple(draw(st.booleans()) for _ in shape)
    return UOp(op, dtypes.float64, (source.param(shape, dtypes.float64),), arg)
