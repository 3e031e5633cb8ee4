"""Ways to move the elements of an array about, and indices into it, drawn at random for a shape."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

Value = Any
Shape = tuple[int, ...]


def movement(draw: random.Random, shape: Shape) -> tuple[str, Callable[[Value], Value]]:
    """A way to move elements of an array of a shape about, as ``(text with {} for the array, function)``."""
    ndim = len(shape)
    wide = (draw.choice([2, 3]), *shape)
    choices: list[tuple[str, Callable[[Value], Value]]] = [
        ("{}.ravel()", lambda x: x.ravel()), ("{}[None]", lambda x: x[None]), ("atleast_2d({})", np.atleast_2d),
        (f"broadcast_to({{}}, {wide})", lambda x: np.broadcast_to(x, wide)),
    ]  # fmt: skip
    if ndim:
        a, b = draw.randrange(-ndim, ndim), draw.randrange(ndim)
        order = tuple(draw.sample(range(ndim), ndim))
        widths = [(draw.randint(0, 1), draw.randint(0, 2)) for _ in shape]
        flipped = tuple(shape[::-1])
        repeats = np.array([draw.randint(0, 2) for _ in range(shape[b])], int)
        choices += [
            (f"{{}}.transpose({order})", lambda x: x.transpose(order)), ("{}.T", lambda x: x.T),
            (f"moveaxis({{}}, {a}, {b})", lambda x: np.moveaxis(x, a, b)),
            (f"swapaxes({{}}, {a}, {b})", lambda x: np.swapaxes(x, a, b)),
            (f"flip({{}}, {a})", lambda x: np.flip(x, a)), (f"roll({{}}, 2, {a})", lambda x: np.roll(x, 2, a)),
            (f"pad({{}}, {widths})", lambda x: np.pad(x, widths)), ("tile({}, 2)", lambda x: np.tile(x, 2)),
            (f"{{}}.reshape{flipped}", lambda x: x.reshape(flipped)),
            (f"repeat({{}}, {repeats}, {b})", lambda x: np.repeat(x, repeats, axis=b)),
            (f"expand_dims({{}}, {a})", lambda x: np.expand_dims(x, a)),
        ]  # fmt: skip
    if 1 in shape:
        choices.append(("squeeze({})", np.squeeze))
    if ndim > 1:
        choices += [("triu({}, 1)", lambda x: np.triu(x, 1)), ("tril({})", np.tril), ("diagonal({})", np.diagonal)]
    return draw.choice(choices)


def index(draw: random.Random, shape: Shape) -> Any:
    """A valid NumPy index into a shape: integers, slices, None, Ellipsis, arrays and masks of constants, mixed."""
    if not shape:
        return draw.choice([(), None, ..., (..., None)])
    if draw.random() < 0.12:
        return np.array([draw.random() < 0.6 for _ in range(int(np.prod(shape)))], bool).reshape(shape)
    joint = draw.choice([(2,), (3,), (2, 1), (1, 3), ()])
    key: list[Any] = []
    for k, n in enumerate(shape[: draw.randint(1, len(shape))]):
        kind = draw.choice(["whole", "slice", "slice", "integer", "array", "mask", "new"])
        if kind == "integer" and n:
            key.append(draw.randrange(-n, n))
        elif kind == "array" and n:
            key.append(np.array([draw.randrange(-n, n) for _ in range(int(np.prod(joint)))]).reshape(joint))
        elif kind == "mask" and not any(isinstance(e, np.ndarray) for e in key) and k == len(shape) - 1:
            key.append(np.array([draw.random() < 0.6 for _ in range(n)], bool))
        elif kind == "slice":
            step = draw.choice([1, 1, 2, -1, -2, 3])
            ends = [None if draw.random() < 0.4 else draw.randint(-n - 1, n + 1) for _ in range(2)]
            key.append(slice(ends[0], ends[1], step))
        else:
            key += [None, slice(None)] if kind == "new" else [slice(None)]
    if draw.random() < 0.2:
        key.append(...)
    return tuple(key)
