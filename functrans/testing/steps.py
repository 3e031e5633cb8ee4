"""The kinds of steps that random programs are made of: each adds a value to a pool, or nothing where none fits.

Where a step is not continuous (a comparison, a floor), its threshold is a number no other value has, so that the last
digit of a sum never decides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from functrans.testing import moves
from functrans.testing.pool import Pool, Shape, Step, Value, numbers
from functrans.testing.updates import at

UNARY: dict[str, Callable[[Value], Value]] = {
    "sin": np.sin, "cos": np.cos, "tanh": np.tanh, "square": np.square, "negative": np.negative,
    "arctan": lambda x: np.arctan(x * 0.5), "exp": lambda x: np.exp(np.tanh(x)),
    "expm1": lambda x: np.expm1(np.tanh(x / 8)), "sqrt": lambda x: np.sqrt(x * x + 1),
    "log": lambda x: np.log(x * x + 0.75), "log1p": lambda x: np.log1p(x * x),
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


def _named(pool: Pool, table: dict[str, Any]) -> tuple[str, Any]:
    """An entry of a table of functions, an analytic one if the program must be."""
    refused = (KINKED if pool.smooth else frozenset()) | (frozenset() if pool.pieces else {"max", "min"})
    return pool.draw.choice([(n, f) for n, f in table.items() if n not in refused])


def unary(pool: Pool) -> None:
    """An elementwise function of one value."""
    k = pool.pick()
    name, f = _named(pool, UNARY)
    pool.add(f"{name}(v{k})", lambda p: f(p[k]))


def binary(pool: Pool) -> None:
    """An elementwise function of two values that broadcast."""
    k = pool.pick("f" if pool.smooth or pool.draw.random() < 0.7 else "biuf")
    others = pool.floats(lambda s: _fits(pool.shape(k), s))
    if others:
        j, (name, f) = pool.draw.choice(others), _named(pool, BINARY)
        pool.add(f"{name}(v{k}, v{j})", lambda p: f(p[k], p[j]))


def reduce(pool: Pool) -> None:
    """A reduction over one axis, several or all."""
    k, keep = pool.pick("f" if pool.smooth else "biuf"), pool.draw.random() < 0.3
    name, f = _named(pool, REDUCE)
    axis = pool.axes(k, empty=name in ("sum", "prod", "any", "all"))
    if axis != ():
        pool.add(f"{name}(v{k}, axis={axis}, keepdims={keep})", lambda p: f(p[k], axis=axis, keepdims=keep))


def centered(pool: Pool) -> None:
    """Two consumers of one value, one of them a reduction of it."""
    k = pool.pick()
    axis = pool.axes(k, empty=False)
    if axis == ():
        return
    if pool.draw.random() < 0.5:
        pool.add(f"v{k} - mean(v{k}, {axis})", lambda p: p[k] - np.mean(p[k], axis=axis, keepdims=True))
    else:
        pool.add(f"softmax(v{k}, {axis})", lambda p: _softmax(p[k], axis))


def cumulate(pool: Pool) -> None:
    """Running sums and products, differences."""
    k = pool.pick()
    if not pool.shape(k):
        return
    axis = pool.draw.randrange(-len(pool.shape(k)), len(pool.shape(k)))
    name = pool.draw.choice(["cumsum", "cumprod", "diff"])
    if name == "diff" and not pool.shape(k)[axis]:
        return
    f = getattr(np, name)
    pool.add(f"{name}(v{k}, axis={axis})", lambda p: f(p[k], axis=axis))


def movement(pool: Pool) -> None:
    """The elements of a value moved about."""
    k = pool.pick("f" if pool.smooth else "biuf")
    text, f = moves.movement(pool.draw, pool.shape(k))
    pool.add(text.format(f"v{k}"), lambda p: f(p[k]))


def index(pool: Pool) -> None:
    """A read at constant places."""
    k = pool.pick("f" if pool.smooth else "biuf")
    key = moves.index(pool.draw, pool.shape(k))
    pool.add(f"v{k}[{key}]", lambda p: p[k][key])


def join(pool: Pool) -> None:
    """Values side by side, or stacked."""
    k = pool.pick()
    axis = pool.draw.randrange(max(len(pool.shape(k)), 1))
    twins = pool.floats(lambda s: s == pool.shape(k))
    j, i = pool.draw.choice(twins), pool.draw.choice(twins)
    if pool.shape(k) and pool.draw.random() < 0.5:
        pool.add(f"concatenate([v{k}, v{j}], {axis})", lambda p: np.concatenate([p[k], p[j]], axis))
    else:
        pool.add(f"stack([v{k}, v{j}, v{i}], {axis})", lambda p: np.stack([p[k], p[j], p[i]], axis))


def contract(pool: Pool) -> None:
    """A product of matrices, a contraction."""
    k = pool.pick()
    shape = pool.shape(k)
    if not shape or 0 in shape:
        return
    right, left = numbers(pool.rng, (shape[-1], 3)) / 2, numbers(pool.rng, (2, shape[0])) / 2
    j = pool.draw.choice(pool.floats(lambda s: len(s) > 0))
    choices: list[tuple[str, Step]] = [
        (f"v{k} @ constant", lambda p: p[k] @ right),
        (f"constant . v{k}", lambda p: np.tensordot(left, p[k], axes=(1, 0))),
        (f"einsum(v{k}, v{k})", lambda p: np.einsum("i...,i...->...", p[k], p[k])),
        (f"v{k} @ v{k}.T", lambda p: p[k] @ np.swapaxes(p[k], -1, -2) if len(shape) > 1 else np.dot(p[k], p[k])),
        (f"outer(v{k}, v{j})", lambda p: np.outer(p[k][..., :2], p[j][..., :3])),
    ]
    text, run = pool.draw.choice(choices)
    pool.add(text, run)


def where(pool: Pool) -> None:
    """One value where it is large, another elsewhere."""
    k = pool.pick()
    j, level = pool.draw.choice(pool.floats(lambda s: _fits(pool.shape(k), s))), pool.draw.uniform(-1, 1)
    pool.add(f"where(v{k} > {level:.3f}, v{k}, v{j})", lambda p: np.where(p[k] > level, p[k], p[j]))


def update(pool: Pool) -> None:
    """x.at[i].mode(v), i with duplicates perhaps."""
    k = pool.pick()
    if not pool.shape(k) or 0 in pool.shape(k):
        return
    mode = pool.draw.choice(["set", "add", "multiply"] if pool.smooth else ["set", "add", "multiply", "min", "max"])
    key = moves.index(pool.draw, pool.shape(k))
    shape = np.shape(pool.values[k][key])
    if not shape or pool.draw.random() < 0.3:
        pool.add(f"v{k}.at[{key}].{mode}(0.5)", lambda p: at(p[k], key, mode, 0.5))
        return
    new = numbers(pool.rng, shape)
    if pool.draw.random() < 0.5:
        pool.add(f"v{k}.at[{key}].{mode}(v{k}[...] * ...)", lambda p: at(p[k], key, mode, p[k][key] * new))
    else:
        pool.add(f"v{k}.at[{key}].{mode}(v{k}.sum() + ...)", lambda p: at(p[k], key, mode, p[k].sum() + new))


def constant(pool: Pool) -> None:
    """A captured array meets a value."""
    k = pool.pick()
    table = numbers(pool.rng, pool.shape(k))
    pool.add(f"v{k} * captured", lambda p: p[k] * table)


def integer(pool: Pool) -> None:
    """The integers below a multiple of a value."""
    k = pool.pick()
    pool.add(f"floor(3 v{k} + 0.217).astype(int)", lambda p: np.floor(p[k] * 3 + 0.2171).astype(np.int64))


def edge(pool: Pool) -> None:
    """An integer value in a narrow or wide dtype meets a constant at its edges, wraps, and is an int64 again."""
    places = [j for j, v in enumerate(pool.values) if v.dtype.kind == "i"]
    if not places:
        return
    draw, k = pool.draw, pool.draw.choice(places)
    dtype = np.dtype(draw.choice(["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]))
    info, ndim = np.iinfo(dtype), len(pool.shape(k))
    a, b = (draw.choice([info.min, info.min + 1, 3, info.max // 2 + 1, info.max - 1, info.max]) for _ in "ab")
    low, high, table = min(a, b), max(a, b), np.full(pool.shape(k), a, dtype)
    x: Any = dtype.type(a)
    y: Any = dtype.type(b)
    choices: list[tuple[str, Callable[[Value], Value]]] = [
        (f"v * {a}", lambda v: v * a),
        (f"where(v > 1, {a}, v) + {b}", lambda v: np.where(v > 1, x, v) + y),
        (f"where(v > 1, {a}, {b}) * {b}", lambda v: np.where(v > 1, x, y) * y),
        (f"select([v > 1, v > 0], [{a}, v], {b}) - v", lambda v: np.select([v > 1, v > 0], [x, v], y) - v),
        (f"full_like(v, {a}) - v", lambda v: np.full_like(v, a) - v),
        (f"clip(v, {low}, {high}) + {b}", lambda v: np.clip(v, low, high) + y),
        (f"captured {a} + v", lambda v: table + v),
    ]
    if ndim:
        choices.append((f"pad(v, {a}) + {b}", lambda v: np.pad(v, ((0, 1),) * ndim, constant_values=x) + y))
    text, run = draw.choice(choices)

    def wrapped(p: list[Value]) -> Value:
        with np.errstate(over="ignore"):  # NumPy warns of scalars alone
            return run(p[k].astype(dtype)).astype(np.int64)

    pool.add(f"({text}).astype(int64) of v = v{k}.astype({dtype})", wrapped)


def compare(pool: Pool) -> None:
    """Booleans by comparisons."""
    k, level = pool.pick("biuf"), pool.draw.uniform(-1, 1)
    if pool.draw.random() < 0.5:
        pool.add(f"v{k} < {level:.3f}", lambda p: p[k] < level)
    else:
        pool.add(f"(v{k} >= {level:.3f}) & (v{k} != 2)", lambda p: (p[k] >= level) & (p[k] != 2))


def gather(pool: Pool) -> None:
    """Read at computed places."""
    k = pool.pick()
    places = [j for j in range(len(pool.values)) if pool.values[j].dtype.kind == "i" and pool.values[j].size < 9]
    if not places or not pool.shape(k) or not pool.shape(k)[0]:
        return
    j, n = pool.draw.choice(places), pool.shape(k)[0]
    pool.add(f"v{k}[v{j} % {n}]", lambda p: p[k][p[j] % n])


def argument(pool: Pool) -> None:
    """Where the largest is, no two being equal."""
    k = pool.pick()
    if not pool.shape(k) or not pool.shape(k)[-1]:
        return
    bias = np.random.default_rng(k).permutation(pool.shape(k)[-1]) * 0.001237
    pool.add(f"argmax(v{k} + bias, -1)", lambda p: np.argmax(p[k] + bias, axis=-1))


def matrix(pool: Pool) -> None:
    """A solution, a determinant or an inverse of matrices with a heavy diagonal."""
    k = pool.draw.choice(pool.floats(lambda s: len(s) > 1 and min(s[-2:]) > 1) or [-1])
    if k < 0:
        return
    n = min(pool.shape(k)[-2:])
    heavy = 4 * np.eye(n)
    kind = pool.draw.choice(["solve", "solve", "det", "inv"])

    def run(p: list[Value]) -> Value:
        x = p[k][..., :n, :n]
        a = np.sin(np.where(np.isfinite(x), x, 0.5)) + heavy  # of NaN LAPACK makes what the order of its steps makes
        if kind == "solve":
            return np.linalg.solve(a, np.swapaxes(p[k], -1, -2)[..., :n, :2])
        return np.linalg.det(a / 4) if kind == "det" else np.linalg.inv(a) * 2

    pool.add(f"{kind}(sin(v{k}) + heavy)", run)


def order(pool: Pool) -> None:
    """In ascending order along an axis, no two being equal."""
    k = pool.pick()
    if not pool.shape(k):
        return
    axis = pool.draw.randrange(-len(pool.shape(k)), len(pool.shape(k)))
    n = pool.shape(k)[axis]
    bias = np.random.default_rng(k).permutation(n) * 0.001237
    line = bias.reshape((n,) + (1,) * (-axis - 1 if axis < 0 else len(pool.shape(k)) - axis - 1))
    pool.add(f"sort(v{k} + bias, {axis})", lambda p: np.sort(p[k] + line, axis=axis))
