"""Random arrays and random indices of every kind NumPy takes, for the tests of reading and writing."""

import numpy as np
from hypothesis import strategies as st

from functrans import dtypes
from functrans.ops import source

shapes = st.lists(st.integers(0, 4), max_size=4).map(tuple)


def arange(shape, dtype=np.float64):
    return np.arange(1, np.prod(shape, dtype=int) + 1).reshape(shape).astype(dtype)


def slices(n):
    edge = st.none() | st.integers(-n - 2, n + 2)
    return st.builds(slice, edge, edge, st.none() | st.integers(-3, 3).filter(bool) | st.just(n + 5))


@st.composite
def arrays(draw, n, common):
    """An integer array, list or scalar for an axis of size n, that broadcasts to the shape ``common``."""
    keep = draw(st.integers(0, len(common)))
    shape = tuple(draw(st.sampled_from((d, 1))) for d in common[keep:])
    if n == 0 and 0 not in shape:  # only an empty array indexes an empty axis
        shape = (*shape[:-1], 0)
    size = int(np.prod(shape, dtype=int))
    if draw(st.booleans()) and n:
        start, step = draw(st.integers(0, n - 1)), draw(st.integers(-2, 2))
        values = (start + step * np.arange(size)) % n
    else:
        member = st.integers(-n, n - 1) if n else st.nothing()
        values = np.array(draw(st.lists(member, min_size=size, max_size=size)), np.int64)
    made = values.reshape(shape).astype(draw(st.sampled_from([np.int64, np.int32, np.int8])))
    return made.tolist() if draw(st.booleans()) and size else made


@st.composite
def masks(draw, shape):
    size = int(np.prod(shape, dtype=int))
    return np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size)), bool).reshape(shape)


@st.composite
def keys(draw, shape, fancy=True):
    """A key for an array of this shape: a tuple, or the one entry of it."""
    common = draw(st.sampled_from([(2,), (3,), (1,), (2, 3), (3, 1, 2), (0,), (2, 0)]))
    rest, key, dotted = list(shape), [], False
    while True:
        kinds = ["end", "none"] if len(key) < 6 else ["end"]
        if not dotted:
            kinds.append("dots")
        if rest:
            kinds += ["slice", "slice"] + (["int"] if rest[0] else [])
            if fancy:
                kinds += ["array", "array", "array", "mask"]
        if fancy:
            kinds.append("bool")
        kind = draw(st.sampled_from(kinds))
        if kind == "end":
            key += [slice(None)] * len(rest) if dotted else []
            break
        if kind == "none":
            key.append(None)
        elif kind == "dots":
            skip = draw(st.integers(0, len(rest)))
            key.append(Ellipsis)
            dotted, rest = True, rest[skip:]
        elif kind == "slice":
            key.append(draw(slices(rest.pop(0))))
        elif kind == "int":
            n = rest.pop(0)
            i = draw(st.integers(-n, n - 1))
            key.append(draw(st.sampled_from([i, np.int32(i), np.array(i)])))
        elif kind == "array":
            key.append(draw(arrays(rest.pop(0), common)))
        elif kind == "bool":
            key.append(draw(st.sampled_from([True, False, np.True_])))
        else:
            take = draw(st.integers(1, len(rest)))
            mask = draw(masks(tuple(rest[:take])))
            rest = rest[take:]
            key.append(mask.tolist() if take == 1 and mask.size and draw(st.booleans()) else mask)
    return key[0] if len(key) == 1 and draw(st.booleans()) else tuple(key)


@st.composite
def indexed(draw, fancy=True):
    """A shape and a key that NumPy accepts for it."""
    shape = draw(shapes)
    return shape, draw(keys(shape, fancy))


def accepted(shape, key):
    """Whether NumPy takes the key: random arrays and masks need not broadcast together."""
    try:
        np.empty(shape)[key]
    except IndexError:
        return False
    return True


def dynamic(key, values):
    """The key with its integers and integer arrays made PARAMs, whose values are kept."""
    if isinstance(key, tuple):
        return tuple(dynamic(k, values) for k in key)
    array = np.asarray(key) if not (key is None or key is Ellipsis or isinstance(key, slice)) else None
    if array is None or array.dtype.kind not in "iu":
        return key
    node = source.param(array.shape, dtypes.from_numpy(array.dtype))
    values[node] = array
    return node
