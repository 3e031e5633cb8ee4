"""Complex lowering: each complex number becomes two real ones, which lanes make vector code of.

The compiler keeps the two parts of a complex number side by side in a register, and mixes them up under conditions (gcc
12). Here every complex value is two, every local array two arrays, and an array of memory one of twice as many real
numbers. Products and quotients are the formulas of ``ft_mul`` and ``ft_div``, so the bits are the same.
"""

from __future__ import annotations

from collections.abc import Callable

from functrans import dtypes
from functrans._records import replace
from functrans.backend.codegen.nest import Writer
from functrans.dtypes import DType
from functrans.ops import symbolic as sym
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, toposort

Pair = tuple[UOp, UOp]


def is_complex(u: UOp) -> bool:
    """Whether a statement reads or computes complex numbers."""
    return u.dtype.kind == "c" or any(s.dtype.kind == "c" for s in u.src)


def lower_complex(uops: list[UOp]) -> list[UOp] | None:
    """Lower every complex number to two real ones; None where an operation has no formula here. Linear
    but for sums: what each takes in is looked through.
    """
    if not all(u.op in _MEMORY or u.op in _FORMULAS for u in uops if is_complex(u)):
        return None
    writer = _Pairs(uops)
    for u in uops:
        writer.write(u)
    return writer.out if writer.possible else None


class _Pairs(Writer):
    def __init__(self, uops: list[UOp]) -> None:
        super().__init__(uops)
        self.possible = True
        self.parts: list[dict[UOp, Pair]] = [{}]  # what stands for complex nodes, in each open scope

    def write(self, u: UOp) -> None:
        """Write a statement of the old list."""
        if u.op in (Ops.RANGE, Ops.IF):
            self.parts.append({})
            self.become(u, self.open(u.replace(tuple(map(self.now, u.src)))))
        elif u.op in (Ops.ENDRANGE, Ops.ENDIF):
            opened = self.now(u.src[0])
            self.parts.pop()
            self.close(opened)
            self.out[-1] = UOp(u.op, dtypes.void, (opened,))
        elif not is_complex(u):
            self.copy(u)
        elif u.op in _MEMORY:
            self._memory(u)
        else:
            made = _FORMULAS[u.op](self, u)
            self._are(u, made)

    def _are(self, u: UOp, made: Pair | UOp) -> None:
        if isinstance(made, UOp) and u.dtype.kind != "c":
            self.become(u, made)
        elif isinstance(made, UOp):  # a real number as a complex one
            self.parts[-1][u] = made, self.value(UOp.const(made.dtype, 0.0))
        else:
            self.parts[-1][u] = made

    def pair(self, u: UOp) -> Pair:
        """The parts of a complex node."""
        return next(parts[u] for parts in reversed(self.parts) if u in parts)

    def apply(self, op: Ops, *src: UOp) -> UOp:
        """Write an operation on real numbers."""
        kind = dtypes.bool_ if op in _CONDITIONS else src[-1].dtype
        return self.value(UOp(op, kind, src))

    # arrays and accumulators

    def _memory(self, u: UOp) -> None:
        real = real_of(u.dtype) if u.dtype.kind == "c" else dtypes.void
        if u.op is Ops.DEFINE_GLOBAL:
            self.become(u, self.statement(UOp(u.op, real, (), u.arg)))
        elif u.op is Ops.DEFINE_LOCAL:
            self._are(u, (self._local(u, real, 0), self._local(u, real, 1)))
        elif u.op is Ops.INDEX:
            self._are(u, self._address(u, real))
        elif u.op is Ops.LOAD:
            other = self.pair(u.src[1]) if len(u.src) > 1 else ()
            gate = tuple(map(self.now, u.src[2:]))
            sources = ((a, *other[k : k + 1], *gate) for k, a in enumerate(self.pair(u.src[0])))
            first, second = (self.statement(UOp(u.op, real, src)) for src in sources)
            self._are(u, (first, second))
        elif u.op is Ops.STORE:
            gate = tuple(map(self.now, u.src[2:]))
            for a, v in zip(self.pair(u.src[0]), self.pair(u.src[1]), strict=True):
                self.statement(UOp(u.op, dtypes.void, (a, v, *gate)))
        elif u.op is Ops.DEFINE_ACC:
            first, second = self.pair(u.src[0])
            self.accumulators += 1
            self._are(u, (self.statement(UOp(u.op, real, (first,), u.arg)),
                          self.statement(UOp(u.op, real, (second,), self.accumulators - 1))))  # fmt: skip
        else:
            self._assign(u)

    def _local(self, u: UOp, real: DType, part: int) -> UOp:
        arg = u.arg
        if part:
            offset = None if arg.offset is None else arg.offset + arg.elements * real.itemsize
            arg = replace(arg, number=self.locals, offset=offset)
            self.locals += 1
        return self.statement(UOp(u.op, real, (), arg))

    def _address(self, u: UOp, real: DType) -> Pair:
        array, place = u.src[0], self.now(u.src[1])
        if array.op is Ops.DEFINE_LOCAL:
            first, second = self.pair(array)
            return self.value(UOp(u.op, real, (first, place))), self.value(UOp(u.op, real, (second, place)))
        memory, twice = self.now(array), sym.mul(place, 2)
        first, second = (self.value(at) for at in (twice, sym.add(twice, sym.const(1))))
        return self.value(UOp(u.op, real, (memory, first))), self.value(UOp(u.op, real, (memory, second)))

    def _assign(self, u: UOp) -> None:
        (first, second), (x, y) = self.pair(u.src[0]), self.pair(u.src[1])
        if first in toposort((y,)):  # it would see the new first part
            self.possible = False
        a = self.statement(UOp(u.op, first.dtype, (first, x)))
        self._are(u, (a, self.statement(UOp(u.op, second.dtype, (second, y)))))

    # formulas

    def part(self, u: UOp, k: int) -> UOp:
        """One part as a value of its own: an accumulator is another one later."""
        found = self.pair(u)[k]
        if found.op in (Ops.DEFINE_ACC, Ops.ASSIGN):
            return self.apply(Ops.ADD, found, self.value(UOp.const(found.dtype, -0.0)))
        return found

    def each(self, u: UOp) -> Pair:
        """An operation on both parts alike."""
        first, second = zip(*(self.pair(s) for s in u.src), strict=True)
        return self.apply(u.op, *first), self.apply(u.op, *second)

    def product(self, u: UOp) -> Pair:
        """As ``ft_mul``."""
        (p, q), (r, s) = self.pair(u.src[0]), self.pair(u.src[1])
        do = self.apply
        real = do(Ops.MULACC, p, r, do(Ops.NEG, do(Ops.MUL, q, s)))
        return real, do(Ops.MULACC, p, s, do(Ops.MUL, q, r))

    def quotient(self, u: UOp) -> Pair:
        """As ``ft_div``, both of its ways computed and one taken."""
        (p, q), (r, s) = self.pair(u.src[0]), self.pair(u.src[1])
        do, k = self.apply, self.apply(Ops.ABS, r)
        first = do(Ops.CMPLE, do(Ops.ABS, s), k)
        zero = do(Ops.AND, first, do(Ops.CMPEQ, k, self.value(UOp.const(k.dtype, 0.0))))
        large, small = do(Ops.WHERE, first, r, s), do(Ops.WHERE, first, s, r)
        t = do(Ops.FDIV, small, large)
        one = self.value(UOp.const(r.dtype, 1.0))
        scale = do(Ops.FDIV, one, do(Ops.ADD, large, do(Ops.MUL, small, t)))
        pt, qt = do(Ops.MUL, p, t), do(Ops.MUL, q, t)
        real = do(Ops.WHERE, first, do(Ops.ADD, p, qt), do(Ops.ADD, pt, q))
        imag = do(Ops.WHERE, first, do(Ops.SUB, q, pt), do(Ops.SUB, qt, p))
        real, imag = do(Ops.MUL, real, scale), do(Ops.MUL, imag, scale)
        return do(Ops.WHERE, zero, do(Ops.FDIV, p, k), real), do(Ops.WHERE, zero, do(Ops.FDIV, q, k), imag)

    def reciprocal(self, u: UOp) -> Pair:
        """As ``ft_recip``: the larger part divides the smaller one."""
        (r, s), do = self.pair(u.src[0]), self.apply
        first = do(Ops.CMPLE, do(Ops.ABS, s), do(Ops.ABS, r))
        large, small = do(Ops.WHERE, first, r, s), do(Ops.WHERE, first, s, r)
        t = do(Ops.FDIV, small, large)
        whole = do(Ops.ADD, large, do(Ops.MUL, small, t))
        one = self.value(UOp.const(r.dtype, 1.0))
        over, under = do(Ops.FDIV, one, whole), do(Ops.FDIV, t, whole)
        real, imag = do(Ops.WHERE, first, over, under), do(Ops.WHERE, first, under, over)
        return real, do(Ops.NEG, imag)

    def choice(self, u: UOp) -> Pair:
        """One of two numbers."""
        condition = self.now(u.src[0])
        (a, b), (c, d) = self.pair(u.src[1]), self.pair(u.src[2])
        return self.apply(Ops.WHERE, condition, a, c), self.apply(Ops.WHERE, condition, b, d)

    def constant(self, u: UOp) -> Pair:
        """The parts of a constant."""
        kind, value = real_of(u.dtype), complex(u.arg)
        return self.value(UOp.const(kind, value.real)), self.value(UOp.const(kind, value.imag))

    def conjugate(self, u: UOp) -> Pair:
        """The second part negated."""
        return self.part(u.src[0], 0), self.apply(Ops.NEG, self.pair(u.src[0])[1])

    def cast(self, u: UOp) -> Pair | UOp:
        """To and from complex numbers, and from one width to the other."""
        (x,) = u.src
        if x.dtype.kind != "c":
            kind = real_of(u.dtype)
            return self._to(self.now(x), kind), self.value(UOp.const(kind, 0.0))
        first, second = (self.part(x, k) for k in range(2))
        if u.dtype.kind == "c":
            return self._to(first, real_of(u.dtype)), self._to(second, real_of(u.dtype))
        if u.dtype != dtypes.bool_:
            return self._to(first, u.dtype)
        zero = self.value(UOp.const(first.dtype, 0.0))
        return self.apply(Ops.OR, self.apply(Ops.CMPNE, first, zero), self.apply(Ops.CMPNE, second, zero))

    def _to(self, value: UOp, kind: DType) -> UOp:
        return value if value.dtype == kind else self.value(UOp(Ops.CAST, kind, (value,)))

    def both(self, u: UOp) -> UOp:
        """A comparison or a test of both parts."""
        first, second = self.each(u)
        return self.apply(Ops.AND if u.op is Ops.CMPEQ else Ops.OR, first, second)


def real_of(dtype: DType) -> DType:
    """The dtype of the parts of a complex number."""
    return dtypes.float32 if dtype.itemsize == 8 else dtypes.float64


_CONDITIONS = frozenset({Ops.CMPLE, Ops.CMPEQ, Ops.CMPNE, Ops.AND, Ops.OR, Ops.ISNAN, Ops.ISINF})
_MEMORY = frozenset(
    {Ops.DEFINE_GLOBAL, Ops.DEFINE_LOCAL, Ops.DEFINE_ACC, Ops.INDEX, Ops.LOAD, Ops.STORE, Ops.ASSIGN}
)  # fmt: skip
_FORMULAS: dict[Ops, Callable[[_Pairs, UOp], Pair | UOp]] = {
    Ops.ADD: _Pairs.each, Ops.SUB: _Pairs.each, Ops.NEG: _Pairs.each, Ops.MUL: _Pairs.product,
    Ops.FDIV: _Pairs.quotient, Ops.RECIP: _Pairs.reciprocal,
    Ops.WHERE: _Pairs.choice, Ops.RINT: _Pairs.each,
    Ops.CONST: _Pairs.constant, Ops.CONJ: _Pairs.conjugate, Ops.CAST: _Pairs.cast,
    Ops.REAL: lambda w, u: w.part(u.src[0], 0), Ops.IMAG: lambda w, u: w.part(u.src[0], 1),
    Ops.CMPEQ: _Pairs.both, Ops.CMPNE: _Pairs.both, Ops.ISNAN: _Pairs.both, Ops.ISINF: _Pairs.both,
    Ops.ABS: lambda w, u: w.apply(Ops.HYPOT, *w.pair(u.src[0])),
}  # fmt: skip
