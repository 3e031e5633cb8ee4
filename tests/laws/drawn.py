"""Random programs in NumPy's own style: functions that take ndarrays or Tensors alike, for laws about transforms.

A program is a list of steps on a growing list of values. Shapes are followed by running the steps on NumPy arrays
while they are drawn, so every drawn program is valid. ``smooth`` programs are holomorphic in every operation, so that
the complex step gives their exact derivative.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

Value = Any
LIMIT = 200  # elements of a value, so that a drawn program stays small


@dataclass(frozen=True)
class Step:
    """One operation: its name, the values it reads, its static parameters."""

    name: str
    reads: tuple[int, ...]
    static: Any = None


@dataclass(frozen=True)
class Program:
    """Arguments of given shapes in, one array (or a tuple of the last two values) out."""

    shapes: tuple[tuple[int, ...], ...]
    steps: tuple[Step, ...]
    pair: bool = False

    def __call__(self, *args: Value) -> Value:
        """Run on ndarrays or Tensors."""
        values = list(args)
        for step in self.steps:
            values.append(OPS[step.name].run(step.static, *(values[k] for k in step.reads)))
        return (values[-1], values[-2]) if self.pair else values[-1]

    @property
    def __name__(self) -> str:
        return "program"

    def __repr__(self) -> str:
        lines = [f"  v{k + len(self.shapes)} = {s.name}({s.static}) of {s.reads}" for k, s in enumerate(self.steps)]
        return f"Program{self.shapes}" + ("" if not self.pair else " -> pair") + "\n" + "\n".join(lines)


@dataclass(frozen=True)
class Op:
    """An operation of programs: how it runs, what it is drawn with, whether it is holomorphic."""

    run: Callable[..., Value]
    static: Callable[[Any, tuple[int, ...]], Any] = lambda draw, shape: None
    fits: Callable[[tuple[int, ...]], bool] = lambda shape: True
    smooth: bool = True
    arity: int = 1
    alike: Callable[[tuple[int, ...], tuple[int, ...]], bool] = lambda a, b: True


def _axis(draw: Any, shape: tuple[int, ...]) -> int:
    return int(draw(st.integers(-len(shape), len(shape) - 1)))


def _axes(draw: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(draw(st.lists(st.integers(0, len(shape) - 1), min_size=1, unique=True)))


def _order(draw: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(draw(st.permutations(range(len(shape)))))


def _window(draw: Any, shape: tuple[int, ...]) -> tuple[slice, ...]:
    out = []
    for n in shape:
        start = draw(st.integers(0, n))
        step = draw(st.sampled_from([1, 1, 2, -1]))
        stop = draw(st.integers(start, n))
        out.append(slice(start, stop, step) if step > 0 else slice(None, None, -1))
    return tuple(out)


def _indices(draw: Any, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    size = draw(st.integers(1, 4))
    return np.array(draw(st.lists(st.integers(-shape[0], shape[0] - 1), min_size=size, max_size=size)))


def _mask(draw: Any, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    n = int(np.prod(shape))
    return np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)), bool).reshape(shape)


def _broadcasts(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    try:
        return int(np.prod(np.broadcast_shapes(a, b))) <= LIMIT
    except ValueError:
        return False


def _matmul(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return len(a) >= 1 and len(b) == 2 and a[-1] == b[0]


def _some(shape: tuple[int, ...]) -> bool:
    return len(shape) > 0 and shape[0] > 0


def _ranked(shape: tuple[int, ...]) -> bool:
    return len(shape) > 0


def _full(shape: tuple[int, ...]) -> bool:
    return len(shape) > 0 and 0 not in shape


def _constant(draw: Any, shape: tuple[int, ...]) -> float:
    return float(draw(st.sampled_from([-2.0, -0.5, 0.0, 0.25, 1.0, 1.5, 3.0])))


def _pads(draw: Any, shape: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(draw(st.integers(0, 1)), draw(st.integers(0, 2))) for _ in shape]


def _scatter(static: Any, x: Value, v: Value) -> Value:
    # NumPy has no functional update: an ndarray is updated in a copy
    mode, where = static
    if not isinstance(x, np.ndarray) and hasattr(x, "at"):
        return getattr(x.at[where], mode)(v)
    out = np.array(x, np.result_type(x, v))
    if mode == "set":
        for k in range(len(where)):  # in order, so that the last write wins
            out[where[k]] = np.broadcast_to(v, (len(where), *out.shape[1:]))[k]
    else:
        {"add": np.add, "multiply": np.multiply, "max": np.maximum, "min": np.minimum}[mode].at(out, where, v)
    return out


def _update(*modes: str) -> Callable[[Any, tuple[int, ...]], Any]:
    return lambda draw, shape: (draw(st.sampled_from(modes)), _indices(draw, shape))


def _writes(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return len(a) > 0 and a[0] > 0 and 0 not in a and b == a[1:]


OPS: dict[str, Op] = {
    # elementwise, tame: results stay of the order of one
    "sin": Op(lambda s, x: np.sin(x)),
    "cos": Op(lambda s, x: np.cos(x)),
    "tanh": Op(lambda s, x: np.tanh(x)),
    "exp": Op(lambda s, x: np.exp(np.sin(x))),
    "log": Op(lambda s, x: np.log(x * x + 1.5)),
    "sqrt": Op(lambda s, x: np.sqrt(x * x + 0.5)),
    "inverse": Op(lambda s, x: 1.0 / (2.5 + np.cos(x))),
    "square": Op(lambda s, x: np.sin(x) ** 2),
    "scale": Op(lambda s, x: s * x, _constant),
    "shift": Op(lambda s, x: x - s, _constant),
    "add": Op(lambda s, x, y: x + y, arity=2, alike=_broadcasts),
    "sub": Op(lambda s, x, y: x - y, arity=2, alike=_broadcasts),
    "mul": Op(lambda s, x, y: np.sin(x) * y, arity=2, alike=_broadcasts),
    "div": Op(lambda s, x, y: x / (3.0 + np.sin(y)), arity=2, alike=_broadcasts),
    # not holomorphic
    "abs": Op(lambda s, x: np.abs(x), smooth=False),
    "floor": Op(lambda s, x: np.floor(2 * x), smooth=False),
    "sign": Op(lambda s, x: np.sign(x), smooth=False),
    "cast": Op(lambda s, x: (3 * x).astype(np.int64) + 0.5, smooth=False),
    "maximum": Op(lambda s, x, y: np.maximum(x, y), arity=2, alike=_broadcasts, smooth=False),
    "minimum": Op(lambda s, x, y: np.minimum(x, y), arity=2, alike=_broadcasts, smooth=False),
    "where": Op(lambda s, x, y: np.where(x > y, x, 2 * y), arity=2, alike=_broadcasts, smooth=False),
    "clip": Op(lambda s, x: np.clip(x, -0.5, 0.75), smooth=False),
    "max": Op(lambda s, x: np.max(x, axis=s), _axes, _full, smooth=False),
    "min": Op(lambda s, x: np.min(x, axis=s), _axes, _full, smooth=False),
    "argmax": Op(lambda s, x: np.argmax(x, axis=s) * 0.5, _axis, _full, smooth=False),
    "any": Op(lambda s, x: np.where(np.any(x > 0.2, axis=s), 1.0, -1.0), _axes, _ranked, smooth=False),
    # reductions
    "sum": Op(lambda s, x: np.sum(x, axis=s), _axes, _ranked),
    "sumkeep": Op(lambda s, x: np.sum(np.sin(x), axis=s, keepdims=True), _axis, _ranked),
    "mean": Op(lambda s, x: np.mean(x, axis=s), _axis, _full),
    "prod": Op(lambda s, x: np.prod(np.sin(x), axis=s), _axis, _ranked),
    "cumsum": Op(lambda s, x: np.cumsum(x, axis=s) * 0.5, _axis, _ranked),
    "cumprod": Op(lambda s, x: np.cumprod(np.sin(x), axis=s), _axis, _ranked),
    # movement
    "transpose": Op(lambda s, x: np.transpose(x, s), _order),
    "flatten": Op(lambda s, x: np.reshape(x, -1)),
    "newaxis": Op(lambda s, x: np.expand_dims(x, s), lambda d, shape: int(d(st.integers(0, len(shape)))),
                  lambda shape: len(shape) < 4),
    "flip": Op(lambda s, x: np.flip(x, s), _axis, _ranked),
    "roll": Op(lambda s, x: np.roll(x, 1, s), _axis, _ranked),
    "pad": Op(lambda s, x: np.pad(x, s), _pads, lambda shape: 0 < len(shape) <= 3),
    "window": Op(lambda s, x: x[s], _window, _ranked),
    "gather": Op(lambda s, x: x[s], _indices, _some),
    "mask": Op(lambda s, x: x[s], _mask, _full),
    "choose": Op(lambda s, x: np.where(s, x, 1.0 - x), _mask, _full),
    # joins and contractions
    "stack": Op(lambda s, x, y: np.stack([x, y, x], s), lambda d, shape: int(d(st.integers(0, len(shape)))), arity=2,
                fits=lambda shape: len(shape) < 4, alike=lambda a, b: a == b),
    "cat": Op(lambda s, x, y: np.concatenate([x, y], 0), arity=2, fits=_ranked,
              alike=lambda a, b: len(a) == len(b) > 0 and a[1:] == b[1:]),
    "matmul": Op(lambda s, x, y: x @ np.cos(y), arity=2, alike=_matmul),
    "outer": Op(lambda s, x, y: np.sin(x).reshape(-1, 1) * y.reshape(1, -1), arity=2,
                alike=lambda a, b: int(np.prod(a)) * int(np.prod(b)) <= LIMIT),
    # functional updates
    "update": Op(_scatter, _update("add", "set", "multiply"), _full, arity=2, alike=_writes),
    "extreme": Op(_scatter, _update("max", "min"), _full, arity=2, alike=_writes, smooth=False),
}  # fmt: skip

SIZES = st.sampled_from([0, 1, 2, 3, 4])
SHAPES = st.one_of(
    st.lists(st.sampled_from([2, 3, 4]), min_size=3, max_size=3), st.lists(SIZES, min_size=0, max_size=3)
).map(tuple)


def sample(shapes: tuple[tuple[int, ...], ...], seed: int) -> list[np.ndarray[Any, Any]]:
    """Distinct random arrays of the shapes, every element its own."""
    rng = np.random.default_rng(seed)
    return [rng.uniform(-1.5, 1.5, s) for s in shapes]


@st.composite
def programs(draw: Any, smooth: bool = False, most: int = 7, arguments: int = 2) -> Program:
    """A random program of one or two arguments."""
    shapes = tuple(draw(st.lists(SHAPES, min_size=1, max_size=arguments)))
    values = [np.asarray(x) for x in sample(shapes, 0)]
    steps: list[Step] = []
    names = sorted(n for n, op in OPS.items() if op.smooth or not smooth)
    for _ in range(draw(st.integers(1, most))):
        step = _draw_step(draw, names, values)
        result = np.asarray(OPS[step.name].run(step.static, *(values[k] for k in step.reads)))
        if result.size <= LIMIT and result.ndim <= 5:
            steps.append(step)
            values.append(result)
    if not steps:
        steps.append(Step("sin", (0,)))
        values.append(np.sin(values[0]))
    return Program(shapes, tuple(steps), draw(st.booleans()))


def _draw_step(draw: Any, names: list[str], values: list[np.ndarray[Any, Any]]) -> Step:
    # later values are likelier, so that programs are deep rather than wide
    k = len(values) - 1 - draw(st.integers(0, min(2, len(values) - 1)))
    shape = values[k].shape
    fitting = []
    for name in names:
        op = OPS[name]
        if op.fits(shape):
            others = [j for j in range(len(values)) if op.alike(shape, values[j].shape)]
            if op.arity == 1 or others:
                fitting.append((name, others))
    name, others = draw(st.sampled_from(fitting))
    op = OPS[name]
    reads = (k,) if op.arity == 1 else (k, draw(st.sampled_from(others)))
    return Step(name, reads, op.static(draw, shape))
