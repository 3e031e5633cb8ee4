"""Random NumPy-style programs: functions that run on ndarrays and on Tensors alike, and their steps as text.

Where a step is not continuous (a comparison, a floor), its threshold is a number no other value has, so that
the last digit of a sum never decides. A smooth program is analytic: it runs on complex arrays too, and its
derivative is its imaginary part at a tiny imaginary argument; analytic in pieces, or (without ``pieces``) all over.
Without ``matrices`` there is no step of LAPACK, which has no long doubles, and other last digits for other batches.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tests.laws.updates import at

Value = Any
Step = Callable[[list[Value]], Value]
Shape = tuple[int, ...]
SHAPES: tuple[Shape, ...] = (
    (2, 3, 4), (4, 2, 3), (3, 1, 2), (4, 2), (2, 5), (3,), (5,), (), (1, 1), (2, 0, 3)
)  # fmt: skip
LARGEST, MOST = 8.0, 160  # magnitudes and sizes stay below


def numbers(rng: np.random.Generator, shape: Shape) -> Any:
    """Distinct multiples of a power of two: sums of a few are exact."""
    return rng.integers(-160, 160, shape) / 64.0 + rng.integers(0, 8, shape) / 4096.0


class Program:
    """A function of arrays of the given shapes; its results are a tuple."""

    def __init__(
        self,
        draw: random.Random,
        steps: int = 8,
        smooth: bool = False,
        shapes: Sequence[Shape] | None = None,
        pieces: bool = True,
        matrices: bool = True,
    ) -> None:
        self.draw, self.smooth, self.pieces, self.matrices = draw, smooth, pieces, matrices
        self.rng = np.random.default_rng(draw.getrandbits(32))
        drawn = [draw.choice(SHAPES) for _ in range(draw.randint(1, 3))]
        self.shapes = tuple(drawn if shapes is None else shapes)
        self.steps: list[tuple[str, Step]] = []
        self.pool: list[Value] = [numbers(self.rng, s) for s in self.shapes]
        while len(self.steps) < steps:
            self.grow()
        made = range(len(self.shapes), len(self.pool))
        self.outputs = sorted({len(self.pool) - 1, draw.choice(made), draw.choice(made)})

    def __call__(self, *args: Value) -> tuple[Value, ...]:
        pool = list(args)
        for _, run in self.steps:
            pool.append(run(pool))
        return tuple(pool[k] for k in self.outputs)

    def __repr__(self) -> str:
        n = len(self.shapes)
        lines = [f"  v{k} = argument {s}" for k, s in enumerate(self.shapes)]
        lines += [f"  v{n + k} = {text}   # {np.shape(self.pool[n + k])}" for k, (text, _) in enumerate(self.steps)]
        return "\n".join(["program:", *lines, f"  return {', '.join(f'v{k}' for k in self.outputs)}"])

    # growing

    def grow(self) -> None:
        """Add a step of a random kind, and what keeps its values small."""
        kinds = [
            self.unary, self.binary, self.binary, self.reduce, self.reduce, self.centered, self.cumulate,
            self.movement, self.movement, self.index, self.index, self.join, self.contract, self.update, self.constant,
        ]  # fmt: skip
        kinds += [self.matrix] if self.matrices else []
        kinds += [self.where] if self.pieces else []
        kinds += [] if self.smooth else [self.integer, self.compare, self.gather, self.argument, self.order]
        before = len(self.pool)
        self.draw.choice(kinds)()
        if len(self.pool) == before:
            return
        made = np.asarray(self.pool[-1])
        if made.dtype.kind in "iu":
            if made.size and np.abs(made).max() > 1000:
                self.add(f"v{before} % 7", lambda p: p[before] % 7)
        elif made.dtype.kind == "f" and made.size and np.abs(made).max() > LARGEST:
            scale = 2.0 ** -np.ceil(np.log2(np.abs(made).max()))
            self.add(f"v{before} * {scale}", lambda p: p[before] * scale)

    def add(self, text: str, run: Step) -> None:
        """One more value, unless it is too large; seldom an empty one."""
        value = run(self.pool)
        if np.size(value) <= MOST and np.ndim(value) <= 5 and (np.size(value) or self.draw.random() < 0.15):
            self.pool.append(value)
            self.steps.append((text, run))

    def pick(self, kinds: str = "f") -> int:
        """The place of a value of a dtype kind, recent ones more often."""
        fit = [k for k, v in enumerate(self.pool) if np.asarray(v).dtype.kind in kinds]
        return fit[-1 - min(int(self.draw.expovariate(0.4)), len(fit) - 1)]

    def shape(self, k: int) -> Shape:
        """The shape of a value."""
        return np.shape(self.pool[k])

    def floats(self, fits: Callable[[Shape], bool]) -> list[int]:
        """The places of float values whose shapes fit."""
        return [j for j, v in enumerate(self.pool) if v.dtype.kind == "f" and fits(np.shape(v))]

    def axes(self, k: int, empty: bool = True) -> Any:
        """One axis, several, or None for all; () where there must be an element and is none."""
        ndim, shape = len(self.shape(k)), self.shape(k)
        if not empty and 0 in shape:
            return ()
        choice = self.draw.choice(["all", "one", "some"])
        if choice == "all" or not ndim:
            return None
        if choice == "one":
            return self.draw.randrange(-ndim, ndim)
        return tuple(sorted(self.draw.sample(range(ndim), self.draw.randint(1, ndim))))

    def named(self, table: dict[str, Any]) -> tuple[str, Any]:
        """An entry of a table of functions, an analytic one if the program must be."""
        refused = (KINKED if self.smooth else frozenset()) | (frozenset() if self.pieces else {"max", "min"})
        return self.draw.choice([(n, f) for n, f in table.items() if n not in refused])

    # kinds of steps

    def unary(self) -> None:
        k = self.pick()
        name, f = self.named(UNARY)
        self.add(f"{name}(v{k})", lambda p: f(p[k]))

    def binary(self) -> None:
        k = self.pick("f" if self.smooth or self.draw.random() < 0.7 else "biuf")
        others = self.floats(lambda s: _fits(self.shape(k), s))
        if others:
            j, (name, f) = self.draw.choice(others), self.named(BINARY)
            self.add(f"{name}(v{k}, v{j})", lambda p: f(p[k], p[j]))

    def reduce(self) -> None:
        k, keep = self.pick("f" if self.smooth else "biuf"), self.draw.random() < 0.3
        name, f = self.named(REDUCE)
        axis = self.axes(k, empty=name in ("sum", "prod", "any", "all"))
        if axis != ():
            self.add(f"{name}(v{k}, axis={axis}, keepdims={keep})", lambda p: f(p[k], axis=axis, keepdims=keep))

    def centered(self) -> None:
        """Two consumers of one value, one of them a reduction of it."""
        k = self.pick()
        axis = self.axes(k, empty=False)
        if axis == ():
            return
        if self.draw.random() < 0.5:
            self.add(f"v{k} - mean(v{k}, {axis})", lambda p: p[k] - np.mean(p[k], axis=axis, keepdims=True))
        else:
            self.add(f"softmax(v{k}, {axis})", lambda p: _softmax(p[k], axis))

    def cumulate(self) -> None:
        k = self.pick()
        if not self.shape(k):
            return
        axis = self.draw.randrange(-len(self.shape(k)), len(self.shape(k)))
        name = self.draw.choice(["cumsum", "cumprod", "diff"])
        if name == "diff" and not self.shape(k)[axis]:
            return
        f = getattr(np, name)
        self.add(f"{name}(v{k}, axis={axis})", lambda p: f(p[k], axis=axis))

    def movement(self) -> None:
        k = self.pick("f" if self.smooth else "biuf")
        text, f = movement(self.draw, self.shape(k))
        self.add(text.format(f"v{k}"), lambda p: f(p[k]))

    def index(self) -> None:
        k = self.pick("f" if self.smooth else "biuf")
        key = index(self.draw, self.shape(k))
        self.add(f"v{k}[{key}]", lambda p: p[k][key])

    def join(self) -> None:
        k = self.pick()
        axis = self.draw.randrange(max(len(self.shape(k)), 1))
        twins = self.floats(lambda s: s == self.shape(k))
        j, i = self.draw.choice(twins), self.draw.choice(twins)
        if self.shape(k) and self.draw.random() < 0.5:
            self.add(f"concatenate([v{k}, v{j}], {axis})", lambda p: np.concatenate([p[k], p[j]], axis))
        else:
            self.add(f"stack([v{k}, v{j}, v{i}], {axis})", lambda p: np.stack([p[k], p[j], p[i]], axis))

    def contract(self) -> None:
        k = self.pick()
        shape = self.shape(k)
        if not shape or 0 in shape:
            return
        right, left = numbers(self.rng, (shape[-1], 3)) / 2, numbers(self.rng, (2, shape[0])) / 2
        j = self.draw.choice(self.floats(lambda s: len(s) > 0))
        choices: list[tuple[str, Step]] = [
            ("v @ constant", lambda p: p[k] @ right),
            ("constant . v", lambda p: np.tensordot(left, p[k], axes=(1, 0))),
            ("einsum(v, v)", lambda p: np.einsum("i...,i...->...", p[k], p[k])),
            ("v @ v.T", lambda p: p[k] @ np.swapaxes(p[k], -1, -2) if len(shape) > 1 else np.dot(p[k], p[k])),
            (f"outer(v, v{j})", lambda p: np.outer(p[k][..., :2], p[j][..., :3])),
        ]
        text, run = self.draw.choice(choices)
        self.add(text.replace("v", f"v{k}"), run)

    def where(self) -> None:
        k = self.pick()
        j, level = self.draw.choice(self.floats(lambda s: _fits(self.shape(k), s))), self.draw.uniform(-1, 1)
        self.add(f"where(v{k} > {level:.3f}, v{k}, v{j})", lambda p: np.where(p[k] > level, p[k], p[j]))

    def update(self) -> None:
        """x.at[i].mode(v), i with duplicates perhaps."""
        k = self.pick()
        if not self.shape(k) or 0 in self.shape(k):
            return
        mode = self.draw.choice(["set", "add", "multiply"] if self.smooth else ["set", "add", "multiply", "min", "max"])
        key = index(self.draw, self.shape(k))
        shape = np.shape(self.pool[k][key])
        if not shape or self.draw.random() < 0.3:
            self.add(f"v{k}.at[{key}].{mode}(0.5)", lambda p: at(p[k], key, mode, 0.5))
            return
        new = numbers(self.rng, shape)
        if self.draw.random() < 0.5:
            self.add(f"v{k}.at[{key}].{mode}(v{k}[...] * ...)", lambda p: at(p[k], key, mode, p[k][key] * new))
        else:
            self.add(f"v{k}.at[{key}].{mode}(v{k}.sum() + ...)", lambda p: at(p[k], key, mode, p[k].sum() + new))

    def constant(self) -> None:
        """A captured array meets a value."""
        k = self.pick()
        table = numbers(self.rng, self.shape(k))
        self.add(f"v{k} * captured", lambda p: p[k] * table)

    def integer(self) -> None:
        k = self.pick()
        self.add(f"floor(3 v{k} + 0.217).astype(int)", lambda p: np.floor(p[k] * 3 + 0.2171).astype(np.int64))

    def compare(self) -> None:
        k, level = self.pick("biuf"), self.draw.uniform(-1, 1)
        if self.draw.random() < 0.5:
            self.add(f"v{k} < {level:.3f}", lambda p: p[k] < level)
        else:
            self.add(f"(v{k} >= {level:.3f}) & (v{k} != 2)", lambda p: (p[k] >= level) & (p[k] != 2))

    def gather(self) -> None:
        """Read at computed places."""
        k = self.pick()
        places = [j for j in range(len(self.pool)) if self.pool[j].dtype.kind == "i" and self.pool[j].size < 9]
        if not places or not self.shape(k) or not self.shape(k)[0]:
            return
        j, n = self.draw.choice(places), self.shape(k)[0]
        self.add(f"v{k}[v{j} % {n}]", lambda p: p[k][p[j] % n])

    def argument(self) -> None:
        """Where the largest is, no two being equal."""
        k = self.pick()
        if not self.shape(k) or not self.shape(k)[-1]:
            return
        bias = np.random.default_rng(k).permutation(self.shape(k)[-1]) * 0.001237
        self.add(f"argmax(v{k} + bias, -1)", lambda p: np.argmax(p[k] + bias, axis=-1))

    def matrix(self) -> None:
        """A solution, a determinant or an inverse of matrices with a heavy diagonal."""
        k = self.draw.choice(self.floats(lambda s: len(s) > 1 and min(s[-2:]) > 1) or [-1])
        if k < 0:
            return
        n = min(self.shape(k)[-2:])
        heavy = 4 * np.eye(n)
        kind = self.draw.choice(["solve", "solve", "det", "inv"])

        def run(p: list[Value]) -> Value:
            a = np.sin(p[k][..., :n, :n]) + heavy
            if kind == "solve":
                return np.linalg.solve(a, np.swapaxes(p[k], -1, -2)[..., :n, :2])
            return np.linalg.det(a / 4) if kind == "det" else np.linalg.inv(a) * 2

        self.add(f"{kind}(sin(v{k}) + heavy)", run)

    def order(self) -> None:
        """In ascending order along an axis, no two being equal."""
        k = self.pick()
        if not self.shape(k):
            return
        axis = self.draw.randrange(-len(self.shape(k)), len(self.shape(k)))
        n = self.shape(k)[axis]
        bias = np.random.default_rng(k).permutation(n) * 0.001237
        line = bias.reshape((n,) + (1,) * (-axis - 1 if axis < 0 else len(self.shape(k)) - axis - 1))
        self.add(f"sort(v{k} + bias, {axis})", lambda p: np.sort(p[k] + line, axis=axis))


UNARY: dict[str, Callable[[Value], Value]] = {
    "sin": np.sin, "cos": np.cos, "tanh": np.tanh, "square": np.square, "negative": np.negative,
    "arctan": lambda x: np.arctan(x * 0.5), "exp": lambda x: np.exp(np.tanh(x)), "expm1": lambda x: np.expm1(x / 8),
    "sqrt": lambda x: np.sqrt(x * x + 1), "log": lambda x: np.log(x * x + 0.75), "log1p": lambda x: np.log1p(x * x),
    "quotient": lambda x: x / (x * x + 1), "cube": lambda x: x**3, "method": lambda x: (2 - x).sum() + x.T.T,
    "abs": np.abs, "clip": lambda x: np.clip(x, -0.713, 0.917), "floor": lambda x: np.floor(x + 0.2171),
    "sign": lambda x: np.sign(x + 0.0123), "cast": lambda x: np.where(x > -9, x, 1).astype(np.float64),
}  # fmt: skip
BINARY: dict[str, Callable[[Value, Value], Value]] = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "div": lambda a, b: a / (b * b + 1), "reflected": lambda a, b: 1.5 - a * (2 * b),
    "power": lambda a, b: (a * a + 0.5) ** np.tanh(b), "hypot": lambda a, b: np.hypot(a, b * b + 0.5),
    "maximum": lambda a, b: np.maximum(a, b + 0.0123), "arctan2": lambda a, b: np.arctan2(a, b * b + 1.25),
    "remainder": lambda a, b: np.remainder(a + 0.0171, 1.25) + b,
}  # fmt: skip
REDUCE: dict[str, Callable[..., Value]] = {
    "sum": np.sum, "mean": np.mean, "prod": lambda x, **kw: np.prod(x * 0.5, **kw), "max": np.max, "min": np.min,
    "var": np.var, "any": lambda x, **kw: np.any(x > 0.3719, **kw), "all": lambda x, **kw: np.all(x > -0.3719, **kw),
}  # fmt: skip
# no derivative, or one that a complex argument does not show
KINKED = frozenset(
    {"abs", "clip", "floor", "sign", "cast", "maximum", "arctan2", "remainder", "hypot", "var", "any", "all"}
)


def _fits(a: Shape, b: Shape) -> bool:
    return all(m == n or 1 in (m, n) for m, n in zip(a[::-1], b[::-1], strict=False))


def _softmax(x: Value, axis: Any) -> Value:
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


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
