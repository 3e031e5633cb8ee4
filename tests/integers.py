"""Random programs of integers with constants at the edges of their dtypes, many in one compiled function.

``python -m tests.integers [programs] [seed]`` compares that many with NumPy, bit for bit, and prints those that differ.
What NumPy refuses, or leaves to the machine (a float beyond the integers it is cast to), is not drawn.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import functrans as ft
from functrans.errors import FunctransError

Value = Any
Step = Callable[[list[Value]], Value]
INTEGERS = tuple(np.dtype(f"{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64))
DTYPES = (np.dtype(bool), *INTEGERS)
FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
Shapes = tuple[tuple[int, ...], ...]
SHAPES: Shapes = ((), (5,), (3, 5))
SCALARS: Shapes = ((), (), ())
MOST = 60  # elements of a value


def edges(dtype: np.dtype[Any]) -> list[int]:
    """Numbers of a dtype at its edges, at those of narrower dtypes, around 0, and of many digits."""
    if dtype.kind == "b":
        return [0, 1]
    info = np.iinfo(dtype)
    near = [0, 1, 2, 3, 7, -1, -2, -7, 1000, 3_000_000, 0x9E3779B1, 0x9E3779B97F4A7C15]
    ends = [s * (1 << k) + d for k in (7, 8, 15, 16, 31, 32, 62, 63, 64) for s in (1, -1) for d in (-1, 0, 1)]
    fit = [n for n in (*near, *ends) if info.min <= n <= info.max]
    return [*fit, *[info.min, info.min + 1, info.max, info.max - 1] * 3]


def arguments(rng: random.Random, lanes: int | None = None, shapes: Shapes = SHAPES) -> list[Value]:
    """An array of each dtype and shape; with ``lanes`` as many of them along a first axis."""
    made: list[Value] = []
    for dtype in (*DTYPES, *FLOATS):
        for shape in shapes:
            whole = shape if lanes is None else (lanes, *shape)
            of = dtype if dtype.kind != "f" else np.dtype(np.int16)
            drawn = np.array([rng.choice(edges(of)) for _ in range(int(np.prod(whole)))], of).reshape(whole)
            made.append(drawn / dtype.type(8) if dtype.kind == "f" else drawn)
    return made


class IntegerProgram:
    """A function of a list of arrays as `arguments` makes them, its steps valid on the ``values`` given."""

    def __init__(self, rng: random.Random, values: list[Value], steps: int = 6) -> None:
        self.rng, self.given = rng, len(values)
        self.common = rng.choice(DTYPES)  # of most constants: of many dtypes most of what meets is a wide one
        self.weak: list[int] = []  # the Python numbers of the step that is drawn
        self.values, self.steps, self.texts = list(values), [], []  # type: tuple[list[Value], list[Step], list[str]]
        kinds, tries = KINDS if any(v.ndim for v in values) else ELEMENTWISE, 0
        while len(self.steps) < steps or tries < steps:
            tries += 1
            self._try(rng.choice(kinds))

    def __call__(self, args: list[Value]) -> Value:
        """The last value, of ndarrays or of Tensors."""
        values = list(args)
        for step in self.steps:
            value = step(values)
            values.append(np.asarray(value) if isinstance(value, np.generic) else value)
        return values[-1]

    def __repr__(self) -> str:
        shown = [f"v{self.given + k} = {text}  # {v.dtype}{np.shape(v)}"
                 for k, (text, v) in enumerate(zip(self.texts, self.values[self.given :], strict=True))]  # fmt: skip
        return "\n".join(shown)

    def _try(self, kind: Callable[[IntegerProgram], tuple[str, Step]]) -> None:
        self.weak.clear()
        text, step = kind(self)
        try:
            value = np.asarray(step(self.values))
            if kind is where and not all(_holds(value.dtype, c) for c in self.weak):
                return  # NumPy wraps it, functrans refuses it
        except (TypeError, ValueError, OverflowError, IndexError):
            return  # NumPy refuses it
        if value.size <= MOST and value.dtype in (*DTYPES, *FLOATS):
            self.values.append(value)
            self.steps.append(step)
            self.texts.append(text)

    def pick(self, kinds: str = "iu", ranked: bool = False) -> int:
        """The place of a value, mostly of the last one: what has one use is no variable in C."""
        places = [k for k, v in enumerate(self.values) if v.dtype.kind in kinds and (v.ndim or not ranked)]
        last = places[-1]
        return last if last >= self.given and self.rng.random() < 0.85 else self.rng.choice(places)

    def condition(self) -> tuple[str, Step]:
        """A boolean value, or whether a value is large."""
        if self.rng.random() < 0.4:
            c = self.pick("b")
            return f"v{c}", lambda v: v[c]
        k = self.pick("iu")
        level = self.rng.choice([0, 1, 100])
        return f"v{k} > {level}", lambda v: v[k] > level

    def constant(self, dtype: np.dtype[Any] | None = None) -> Value:
        """A Python number, a NumPy scalar or a captured array, at the edges of the dtype or of any."""
        rng = self.rng
        of = dtype if dtype is not None and dtype.kind != "f" and rng.random() < 0.5 else self.common
        way, value = rng.random(), rng.choice(edges(of))
        if way < 0.5:
            return bool(value) if of.kind == "b" else value
        if way < 0.8:
            return of.type(value)
        return np.array([rng.choice(edges(of)) for _ in range(5)], of)

    def operand(self, k: int) -> tuple[str, Step]:
        """Something to meet the value at a place: a constant or another value."""
        if self.rng.random() < 0.6:
            c = self.constant(self.values[k].dtype)
            self.weak += [c] if type(c) is int else []
            return repr(c), lambda v: c
        j = self.pick("biu")
        return f"v{j}", lambda v: v[j]


BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "floor_divide": np.floor_divide,
    "remainder": np.remainder, "fmod": np.fmod, "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
    "left_shift": np.left_shift, "right_shift": np.right_shift, "maximum": np.maximum, "minimum": np.minimum,
    "true_divide": np.true_divide, "logical_and": np.logical_and, "logical_xor": np.logical_xor,
    "power": lambda a, b: np.power(a, b % 5 if np.ndim(b) or not isinstance(b, bool) else b),
}  # fmt: skip
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "less": np.less, "less_equal": np.less_equal, "greater": np.greater, "equal": np.equal, "not_equal": np.not_equal,
}  # fmt: skip
UNARY: dict[str, Callable[[Any], Any]] = {
    "negative": np.negative, "absolute": np.absolute, "sign": np.sign, "invert": np.invert, "square": np.square,
    "positive": np.positive, "logical_not": np.logical_not, "signbit": lambda x: x < 0, "real": np.real,
    "imag": np.imag, "conj": np.conj, "floor": np.floor, "trunc": np.trunc,
}  # fmt: skip
REDUCE: dict[str, Callable[..., Any]] = {
    "sum": np.sum, "prod": np.prod, "max": np.max, "min": np.min, "any": np.any, "all": np.all,
    "argmax": np.argmax, "argmin": np.argmin, "count_nonzero": np.count_nonzero, "cumsum": np.cumsum,
    "cumprod": np.cumprod, "sort": np.sort, "argsort": lambda x, axis: np.argsort(x, axis=axis, kind="stable"),
    "diff": np.diff, "flip": np.flip,
    "narrow sum": lambda x, axis: np.sum(x, axis=axis, dtype=x.dtype),
    "narrow cumsum": lambda x, axis: np.cumsum(x, axis=axis, dtype=x.dtype),
}  # fmt: skip


def binary(p: IntegerProgram) -> tuple[str, Step]:
    """Arithmetic with a constant or a value, either first."""
    k, (name, f) = p.pick("biu"), p.rng.choice(list(BINARY.items()))
    text, other = p.operand(k)
    if p.rng.random() < 0.3:
        return f"{name}({text}, v{k})", lambda v: f(other(v), v[k])
    return f"{name}(v{k}, {text})", lambda v: f(v[k], other(v))


def compare(p: IntegerProgram) -> tuple[str, Step]:
    """A comparison, of mixed signs too."""
    k, (name, f) = p.pick("biu"), p.rng.choice(list(COMPARE.items()))
    text, other = p.operand(k)
    return f"{name}(v{k}, {text})", lambda v: f(v[k], other(v))


def unary(p: IntegerProgram) -> tuple[str, Step]:
    """A function of one value."""
    k, (name, f) = p.pick("biu"), p.rng.choice(list(UNARY.items()))
    return f"{name}(v{k})", lambda v: f(v[k])


def cast(p: IntegerProgram) -> tuple[str, Step]:
    """The value in another dtype, wrapped."""
    k, dtype = p.pick("biu"), p.rng.choice(DTYPES)
    return f"v{k}.astype({dtype})", lambda v: v[k].astype(dtype)


def wider(p: IntegerProgram) -> tuple[str, Step]:
    """The value as more digits, or fewer, show it: cast, divided, shifted, compared."""
    k = p.pick("iu")
    ways: list[tuple[str, Step]] = [
        (f"v{k}.astype(int64)", lambda v: v[k].astype(np.int64)),
        (f"v{k}.astype(uint64)", lambda v: v[k].astype(np.uint64)),
        (f"v{k}.astype(float64)", lambda v: v[k].astype(np.float64)),
        (f"v{k} / 2.0**32", lambda v: v[k] / 2.0**32),
        (f"v{k} >> 7", lambda v: v[k] >> 7),
        (f"v{k} < 0", lambda v: v[k] < 0),
        (f"v{k} > 100", lambda v: v[k] > 100),
    ]
    return p.rng.choice(ways)


def chosen(p: IntegerProgram) -> tuple[str, Step]:
    """Two constants chosen by a condition, and one step on."""
    c, condition = p.condition()
    j, of = p.pick("iu"), p.common
    if of.kind == "b" or p.rng.random() < 0.3:  # Python numbers, which are int64
        a, b, k = (p.rng.choice([0, 1, 1000, 3_000_000, 2**31 - 1, -(2**31), 2**31, 2**62]) for _ in "abk")
    else:
        a, b, k = (of.type(p.rng.choice(edges(of))) for _ in "abk")
    name, f = p.rng.choice([("*", np.multiply), ("+", np.add), ("-", np.subtract)])
    if p.rng.random() < 0.7:
        return f"where({c}, {a!r}, {b!r}) {name} {k!r}", lambda v: f(np.where(condition(v), a, b), k)
    return f"where({c}, {a!r}, {b!r}) {name} v{j}", lambda v: f(np.where(condition(v), a, b), v[j])


def where(p: IntegerProgram) -> tuple[str, Step]:
    """Constants and values chosen by a condition."""
    k, (c, condition) = p.pick("biu"), p.condition()
    (first, a), (second, b) = p.operand(k), p.operand(k)
    if p.rng.random() < 0.3:
        (third, e), (d, other) = p.operand(k), p.condition()
        return (
            f"select([{c}, {d}], [{first}, {second}], {third})",
            lambda v: np.select([condition(v), other(v)], [a(v), b(v)], e(v)),
        )
    return f"where({c}, {first}, {second})", lambda v: np.where(condition(v), a(v), b(v))


def fixed(p: IntegerProgram) -> tuple[str, Step]:
    """An array of constants: full, full_like, pad, clip."""
    k = p.pick("biu", ranked=True)
    dtype = p.values[k].dtype
    way, a, b = p.rng.choice(["full", "full_like", "pad", "clip"]), *(p.rng.choice(edges(dtype)) for _ in "ab")
    shape = p.values[k].shape
    if way == "full":
        return f"full({shape}, {a}, {dtype}) + v{k}", lambda v: np.full(shape, a, dtype) + v[k]
    if way == "full_like":
        return f"full_like(v{k}, {a}) ^ v{k}", lambda v: np.full_like(v[k], a) ^ v[k]
    if way == "pad":
        width, ends = ((0, 0),) * (len(shape) - 1) + ((1, 2),), (dtype.type(a), dtype.type(b))
        return f"pad(v{k}, {width}, {a}, {b})", lambda v: np.pad(v[k], width, constant_values=ends)
    low, high = sorted((a, b))
    return f"clip(v{k}, {low}, {high})", lambda v: np.clip(v[k], low, high)


def reduce(p: IntegerProgram) -> tuple[str, Step]:
    """A reduction, a running one, an order."""
    k, (name, f) = p.pick("biu", ranked=True), p.rng.choice(list(REDUCE.items()))
    axis = p.rng.randrange(p.values[k].ndim)
    return f"{name}(v{k}, {axis})", lambda v: f(v[k], axis=axis)


def contract(p: IntegerProgram) -> tuple[str, Step]:
    """A product of matrices, of a constant too."""
    k, j = p.pick("iu", ranked=True), p.pick("iu", ranked=True)
    n, dtype = p.values[k].shape[-1], p.values[k].dtype
    table = np.array([p.rng.choice(edges(dtype)) for _ in range(n * 3)], dtype).reshape(n, 3)
    if p.rng.random() < 0.5 or np.result_type(dtype, p.values[j]).kind == "f":  # floats are added in any order
        return f"v{k} @ {table.tolist()}", lambda v: v[k] @ table
    return f"einsum(v{k}, v{j})", lambda v: np.einsum("...i,...i->...", v[k], v[j])


def gather(p: IntegerProgram) -> tuple[str, Step]:
    """Read at computed places."""
    k, j = p.pick("biu", ranked=True), p.pick("iu")
    n = p.values[k].shape[0]
    factor = p.rng.choice(edges(np.dtype(np.int64)))
    if p.rng.random() < 0.5:
        return f"v{k}[v{j} % {n}]", lambda v: v[k][v[j] % n]
    return f"v{k}[(arange({n}) * {factor} + v{j}) % {n}]", lambda v: v[k][
        (np.arange(n) * np.int64(factor) + v[j].astype(np.int64)) % n
    ]


def floating(p: IntegerProgram) -> tuple[str, Step]:
    """A float of an integer, compared, rounded, chosen, or cast back where it fits."""
    way = p.rng.randrange(4)
    if way == 0:
        k, dtype = p.pick("biu"), p.rng.choice(FLOATS)
        return f"v{k}.astype({dtype}) / 2.0**20", lambda v: v[k].astype(dtype) / dtype.type(2.0**20)
    k = p.pick("f")
    text, other = p.operand(k)
    if way == 1:
        return f"v{k} < {text}", lambda v: v[k] < other(v)
    if way == 2:
        return f"floor(v{k}) - {text}", lambda v: np.floor(v[k]) - other(v)
    dtype = p.rng.choice(INTEGERS)
    low, high = _whole(dtype, p.values[k].dtype)
    return (
        f"v{k}.clip({low}, {high}).astype({dtype})",
        lambda v: np.where(v[k] == v[k], np.clip(v[k], low, high), 0).astype(dtype),
    )


def _whole(dtype: np.dtype[Any], of: np.dtype[Any]) -> tuple[float, float]:
    """The floats of a dtype nearest to the ends of an integer dtype, inside it."""
    info = np.iinfo(dtype)
    high = of.type(info.max)
    return float(info.min), float(high if int(high) <= info.max else np.nextafter(high, of.type(0)))


ELEMENTWISE: tuple[Callable[[IntegerProgram], tuple[str, Step]], ...] = (
    binary, binary, binary, binary, binary, compare, unary, unary, cast, cast, where, chosen, wider, wider, wider,
    floating,
)  # fmt: skip
KINDS = (*ELEMENTWISE, fixed, fixed, reduce, contract, gather)


def _holds(dtype: np.dtype[Any], c: int) -> bool:
    return dtype.kind == "f" or np.iinfo(dtype).min <= c <= np.iinfo(dtype).max


def drawn(count: int, seed: int, values: list[Value]) -> list[IntegerProgram]:
    """Programs on the values, the same for a seed."""
    with np.errstate(all="ignore"):
        return [IntegerProgram(random.Random(f"{seed}-{k}"), values) for k in range(count)]


def differing(
    seed: int, count: int, lanes: int | None = None, shapes: Shapes = SHAPES, run: Callable[..., Any] = ft.jit
) -> list[str]:
    """Compare programs with NumPy, all in one function that ``run`` compiles; with ``lanes`` mapped over so many rows.
    The programs that differ, each with what came out.
    """
    rng = random.Random(seed)
    given = arguments(rng, lanes, shapes)
    first = given if lanes is None else [x[0] for x in given]
    programs = drawn(count, seed, first)
    refused: dict[int, str] = {}

    def one(k: int, args: list[Value]) -> Value:
        try:
            return programs[k](args)
        except FunctransError as error:
            refused[k] = repr(error)
            return args[0]

    def every(args: list[Value]) -> list[Value]:
        return [one(k, args) for k in range(count)]

    got = run(every if lanes is None else ft.vmap(every))(given)
    rows = [first] if lanes is None else [[x[k] for x in given] for k in range(lanes)]
    with np.errstate(all="ignore"):
        wanted = [[np.asarray(p(row)) for row in rows] for p in programs]
    wrong = []
    for k, (p, y, w) in enumerate(zip(programs, got, wanted, strict=True)):
        expected = w[0] if lanes is None else np.stack(w)
        if k in refused:
            wrong.append(f"seed {seed}, program {k}, lanes {lanes}:\n{p!r}\nrefused: {refused[k]}")
        elif y.dtype != expected.dtype or not np.array_equal(y, expected, equal_nan=y.dtype.kind == "f"):
            wrong.append(f"seed {seed}, program {k}, lanes {lanes}:\n{p!r}\ngot {y!r}\nfor {expected!r}")
    return wrong


def main(programs: int, seed: int) -> None:
    """Run the hunt: mostly on scalars, which are cheap to compile, one in twelve on arrays; alone and in lanes."""
    start, found, done, batch = time.perf_counter(), 0, 0, seed
    while done < programs:
        lanes = (None, 5)[batch % 2]
        rounds: list[tuple[int, int | None, Shapes]] = [(500, None, SCALARS)] * 4
        for count, mapped, shapes in (*rounds, (100, lanes, SCALARS), (100, lanes, SHAPES)):
            wrong = differing(batch, count, mapped, shapes)
            found, done, batch = found + len(wrong), done + count, batch + 1
            for text in wrong:
                sys.stdout.write(f"{text}\n\n")
        batch += 1  # six batches a round: the other lanes come next
        sys.stdout.write(f"{done} programs, {found} differ, {time.perf_counter() - start:.0f} s\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*(int(n) for n in (*sys.argv[1:], *("100000", "0")[len(sys.argv) - 1 :])))
