"""Random tensor-stage graphs, brackets and all, for laws about the backend."""

from __future__ import annotations

import random

import numpy as np

from functrans.ops import Ops, UOp, dtypes, source
from functrans.ops import build as B

ZERO = UOp.const(dtypes.index, 0)
UNARY = [Ops.NEG, Ops.SIN, Ops.EXP, Ops.TANH, Ops.ABS, Ops.ATAN, Ops.SIGN, Ops.FLOOR, Ops.CONTIGUOUS]
BINARY = [Ops.ADD, Ops.SUB, Ops.MUL, Ops.MAX, Ops.MIN, Ops.ATAN2]
INTEGERS = [d for d in dtypes.ALL if d.kind in "iu"]
_UNARY = [Ops.NEG, Ops.ABS, Ops.SIGN, Ops.NOT, Ops.CONTIGUOUS]
_BINARY = [Ops.ADD, Ops.SUB, Ops.MUL, Ops.MAX, Ops.XOR, Ops.IDIV, Ops.MOD, Ops.FLOORDIV, Ops.FLOORMOD, Ops.SHL, Ops.SHR]
# by dtype, where it is not float64; in float32 only what is rounded correctly, so that results can be compared
UNARY_OF = {
    "float32": [Ops.NEG, Ops.ABS, Ops.SIGN, Ops.FLOOR, Ops.CONTIGUOUS],
    **{d.name: _UNARY for d in INTEGERS},
    "bool": [Ops.NOT, Ops.CONTIGUOUS],
    "complex128": [Ops.NEG, Ops.CONJ, Ops.CONTIGUOUS],
}
BINARY_OF = {
    "float32": [Ops.ADD, Ops.SUB, Ops.MUL, Ops.MAX, Ops.MIN],
    **{d.name: _BINARY for d in INTEGERS},
    "bool": [Ops.ADD, Ops.MUL, Ops.MAX, Ops.AND, Ops.OR, Ops.XOR],
    "complex128": [Ops.ADD, Ops.SUB, Ops.MUL],
}
_REDUCE = [Ops.ADD, Ops.MAX, Ops.MIN, Ops.AND, Ops.OR]
REDUCE_OF = {**{d.name: _REDUCE for d in INTEGERS}, "bool": [Ops.AND, Ops.OR, Ops.MAX, Ops.ADD],
             "complex128": [Ops.ADD]}  # fmt: skip
DTYPES = [dtypes.float64, dtypes.float32, dtypes.bool_, dtypes.complex128]


class Graph:
    """Grows a graph op by op; ``pool`` holds the values built so far. ``casts`` brings in other dtypes, ``hosts``
    steps that run between kernels, ``again`` arrays over all values of a RANGE inside its own bracket.
    """

    def __init__(
        self, seed: int, depth: int = 2, sizes: tuple[int, ...] = (1, 2, 3, 4), casts: bool = False,
        hosts: bool = False, again: bool = False,
    ) -> None:  # fmt: skip
        self.rng = random.Random(seed)
        self.depth, self.sizes, self.casts, self.hosts, self.again = depth, sizes, casts, hosts, again
        self.brackets: list[UOp] = []
        shapes = [tuple(self.rng.choice(sizes) for _ in range(self.rng.randint(0, 3))) for _ in range(3)]
        self.params = [source.param(s, dtypes.float64) for s in shapes]
        self.pool: list[UOp] = list(self.params)

    def values(self) -> list[np.ndarray]:
        """Distinct random arrays for the params."""
        r = np.random.default_rng(self.rng.randrange(2**32))
        return [np.asarray(r.uniform(-2, 2, p.shape)) for p in self.params]

    def grow(self, steps: int) -> UOp:
        """Add ``steps`` values; the last one is returned."""
        for _ in range(steps):
            self.pool.append(self.step())
        return self.pool[-1]

    def pick(self) -> UOp:
        """A value, recent ones more often."""
        k = min(int(self.rng.expovariate(0.4)), len(self.pool) - 1)
        return self.pool[-1 - k]

    def step(self) -> UOp:
        """One more value."""
        if self.casts and self.rng.random() < 0.15:
            return B.cast(self.pick(), self.rng.choice([self.rng.choice(DTYPES), self.rng.choice(INTEGERS)]))
        if self.again and self.rng.random() < 0.4:
            return self.around() if self.brackets and self.rng.random() < 0.6 else self.vmap()
        kinds = [
            self.unary, self.binary, self.binary, self.movement, self.movement, self.reduce, self.join, self.gather,
            self.scatter, self.where, self.cumulate, self.order, self.vmap,
        ]  # fmt: skip
        kinds += [self.edge] * self.casts + [self.matrix] * self.hosts
        return self.rng.choice(kinds)()

    def fit(self, x: UOp, shape: tuple[int, ...], dtype: dtypes.DType | None = None) -> UOp:
        """X brought to a shape somehow: flattened, cut or padded, reshaped; and to a dtype."""
        if dtype is not None:
            x = B.cast(x, dtype)
        if x.shape == shape:
            return x
        n = int(np.prod(shape, dtype=int))
        flat = B.reshape(x, (x.size,))
        flat = B.pad(flat, ((0, n - x.size),)) if n > x.size else B.shrink(flat, ((0, n),))
        return B.reshape(flat, shape)

    def unary(self) -> UOp:
        x = self.pick()
        return B.alu(self.rng.choice(UNARY_OF.get(x.dtype.name, UNARY)), x)

    def binary(self) -> UOp:
        a, b = self.pick(), self.pick()
        return B.alu(self.rng.choice(BINARY_OF.get(a.dtype.name, BINARY)), a, self.fit(b, a.sized, a.dtype))

    def where(self) -> UOp:
        a = self.pick()
        b = self.fit(self.pick(), a.sized, a.dtype)
        c = B.eq(a, b) if a.dtype.kind == "c" else B.lt(a, b)
        return B.where(c, b, B.alu(Ops.SIN, a) if a.dtype.name == "float64" else a)

    def edge(self) -> UOp:
        """Constants at the edges of an integer dtype: chosen, and one step on."""
        x = self.pick()
        d = x.dtype if x.dtype in INTEGERS else self.rng.choice(INTEGERS)
        x = B.cast(x, d)
        a, b, c = (B.like(x, self.rng.choice([d.low, d.low + 1, 0, 1, 3, d.high - 1, d.high])) for _ in "abc")
        chosen = B.where(B.lt(x, a), b, self.rng.choice([c, x]))
        return B.alu(self.rng.choice([Ops.ADD, Ops.MUL, Ops.SUB, Ops.MAX]), chosen, self.rng.choice([a, x]))

    def movement(self) -> UOp:
        x, rng = self.pick(), self.rng
        kind = rng.choice(["reshape", "permute", "expand", "pad", "shrink", "flip", "stride"])
        if x.ndim == 0 or kind == "expand":
            return B.broadcast(x, (rng.choice(self.sizes), *x.sized)) if x.ndim < 4 else x
        if kind == "reshape":
            return B.reshape(x, rng.choice([(x.size,), (1, *x.sized), (x.size, 1), tuple(reversed(x.sized))]))
        if kind == "permute":
            axes = list(range(x.ndim))
            rng.shuffle(axes)
            return B.permute(x, tuple(axes))
        if kind == "pad":
            return B.pad(x, tuple((rng.randint(0, 1), rng.randint(0, 1)) for _ in x.sized)) if x.size < 300 else x
        if kind == "shrink":
            return B.shrink(x, tuple((min(rng.randint(0, 1), max(d - 1, 0)), d) for d in x.sized))
        if kind == "stride":
            flat = B.reshape(x, (x.size,))
            even = B.pad(flat, ((0, x.size % 2),))
            half = even.size // 2
            return B.reshape(B.shrink(B.reshape(even, (half, 2)), ((0, half), (0, 1))), (half,))
        return B.flip(x, tuple(rng.random() < 0.5 for _ in x.sized))

    def reduce(self) -> UOp:
        x = self.pick()
        axes = tuple(i for i in range(x.ndim) if self.rng.random() < 0.6)
        if not axes or 0 in x.sized:
            return x
        y = B.reduce_axis(x, self.rng.choice(REDUCE_OF.get(x.dtype.name, [Ops.ADD, Ops.MAX, Ops.MIN])), axes)
        if self.rng.random() < 0.5:
            kept = tuple(1 if i in axes else d for i, d in enumerate(x.sized))
            return B.alu(Ops.XOR if x.dtype.kind == "b" else Ops.SUB, x, B.expand(B.reshape(y, kept), x.sized))
        return y

    def join(self) -> UOp:
        a = self.pick()
        parts = [a] + [self.fit(self.pick(), a.sized, a.dtype) for _ in range(self.rng.randint(1, 2))]
        if a.ndim and self.rng.random() < 0.5:
            return B.cat(tuple(parts), self.rng.randrange(a.ndim))
        return B.stack(tuple(parts), self.rng.randint(0, a.ndim))

    def index(self, n: int, shape: tuple[int, ...]) -> UOp:
        if self.rng.random() < 0.5:
            raw = self.fit(self.pick(), shape)
            if raw.dtype.kind in "bc":
                return B.cast(raw, dtypes.int64)
            return B.cast(B.mul(raw, B.like(raw, 2)), dtypes.int64)
        values = np.array([self.rng.randint(-1, n) for _ in range(int(np.prod(shape, dtype=int)))], np.int64)
        return source.buffer(values.reshape(shape))

    def gather(self) -> UOp:
        x = self.pick()
        if not x.ndim or 0 in x.sized:
            return x
        k = self.rng.randint(1, x.ndim)
        shape = tuple(self.rng.choice(self.sizes) for _ in range(self.rng.randint(0, 2)))
        return B.gather(x, *(self.index(n, shape) for n in x.sized[:k]))

    def scatter(self) -> UOp:
        x = self.pick()
        if not x.ndim or 0 in x.sized:
            return x
        k = self.rng.randint(1, x.ndim)
        shape = tuple(self.rng.choice(self.sizes) for _ in range(self.rng.randint(0, 2)))
        value = self.fit(self.pick(), (*shape, *x.sized[k:]), x.dtype)
        mode = self.rng.choice(["set", "add", "multiply", "min", "max"][: 3 if x.dtype.kind == "c" else 5])
        return B.scatter(x, value, tuple(self.index(n, shape) for n in x.sized[:k]), mode)

    def cumulate(self) -> UOp:
        x = self.pick()
        if not x.ndim:
            return x
        op = Ops.ADD if x.dtype.kind == "c" else self.rng.choice([Ops.ADD, Ops.MAX])
        return UOp(Ops.CUMULATE, x.dtype, (x,), (op, self.rng.randrange(x.ndim)))

    def order(self) -> UOp:
        """Sorted values: rounding may swap neighbors, which are then alike. Of integers also their positions."""
        x = self.pick()
        if not x.ndim or 0 in x.sized:
            return x
        at = B.argsort(x)
        if x.dtype.kind in "biu" and self.rng.random() < 0.5:
            return at
        lanes = (
            B.broadcast(B.reshape(B.iota(n), (n, *(1 for _ in x.sized[k + 1 :]))), x.sized)
            for k, n in enumerate(x.sized[:-1])
        )
        return B.gather(x, *lanes, at)

    def matrix(self) -> UOp:
        """A host step: a well-conditioned matrix of one value, right-hand sides of another."""
        n, k = self.rng.randint(0, 3), self.rng.randint(0, 3)
        a = B.alu(Ops.SIN, self.fit(self.pick(), (n, n), dtypes.float64))
        row, col = (B.broadcast(B.reshape(B.iota(n), s), (n, n)) for s in ((n, 1), (1, n)))
        a = B.where(B.eq(row, col), B.add(a, B.like(a, 5)), a)
        if k == 0:
            return UOp(self.rng.choice([Ops.DET, Ops.ADJUGATE]), a.dtype, (a,))
        return B.solve(a, self.fit(self.pick(), (n, k), dtypes.float64))

    def vmap(self) -> UOp:
        """A bracket around a smaller random graph over slices of some values and all of others."""
        if self.depth == 0:
            return self.unary()
        self.depth -= 1
        n = self.rng.choice(self.sizes)
        r = UOp.range(n)
        outer = self.pool
        inner: list[UOp] = []
        for x in (self.pick(), self.pick()):
            axis = self.rng.randint(0, min(x.ndim, 2))
            shape = (*x.sized[:axis], n, *x.sized[axis:])
            batched = self.fit(x, shape)
            inner.append(batched.vmapin(tuple(r if i == axis else ZERO for i in range(len(shape)))))
        self.pool = [self.pick(), *inner]
        around = self.brackets
        self.brackets = [*around, r] if self.again else []
        y = self.grow(self.rng.randint(1, 5))
        self.brackets = around
        self.pool = outer
        self.depth += 1
        axis = self.rng.randint(0, y.ndim)
        return y.vmapout(tuple(r if i == axis else ZERO for i in range(y.ndim + 1)))

    def around(self) -> UOp:
        """A value for every value of an open RANGE, changed as a whole, and opened again at the same RANGE."""
        x, r = self.pick(), self.rng.choice(self.brackets)
        axis = self.rng.randint(0, x.ndim)
        varg = tuple(r if i == axis else ZERO for i in range(x.ndim + 1))
        whole = x.vmapout(varg)
        kind = self.rng.choice(["flip", "running", "centered"])
        if kind == "flip":
            whole = B.flip(whole, tuple(i == axis for i in range(whole.ndim)))
        elif kind == "running" and x.dtype.kind != "c":
            whole = UOp(Ops.CUMULATE, x.dtype, (whole,), (Ops.MAX, axis))
        elif kind == "centered" and x.dtype.kind in "fi" and whole.size:
            kept = tuple(1 if i == axis else d for i, d in enumerate(whole.sized))
            total = B.reshape(B.reduce_axis(whole, Ops.ADD, (axis,)), kept)
            whole = B.sub(whole, B.expand(total, whole.sized))
        return whole.vmapin(varg)
