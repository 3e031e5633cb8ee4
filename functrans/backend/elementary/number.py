"""Numbers to write expansions with: each operator makes a node, so that a formula is the graph it stands for."""

from __future__ import annotations

from types import ModuleType

from functrans import dtypes
from functrans._records import record
from functrans.backend.elementary import coefficients, coefficients32
from functrans.dtypes import DType
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.uop import UOp

INTEGER = {8: dtypes.int64, 4: dtypes.int32}
UNSIGNED = {8: dtypes.uint64, 4: dtypes.uint32}
FLOAT = {8: dtypes.float64, 4: dtypes.float32}


@record(eq=False)
class Num:
    """A scalar node with Python's operators. Comparisons give booleans; a plain number takes the other side's dtype."""

    uop: UOp

    @property
    def dtype(self) -> DType:
        """The dtype of the node."""
        return self.uop.dtype

    def _other(self, x: Num | float) -> UOp:
        return x.uop if isinstance(x, Num) else UOp.const(self.dtype, x)

    def _binary(self, op: Ops, a: UOp, b: UOp) -> Num:
        return Num(UOp(op, dtypes.bool_ if op in GroupOp.Compare else a.dtype, (a, b)))

    def __add__(self, x: Num | float) -> Num:
        return self._binary(Ops.ADD, self.uop, self._other(x))

    def __radd__(self, x: float) -> Num:
        return self._binary(Ops.ADD, self._other(x), self.uop)

    def __sub__(self, x: Num | float) -> Num:
        return self._binary(Ops.SUB, self.uop, self._other(x))

    def __rsub__(self, x: float) -> Num:
        return self._binary(Ops.SUB, self._other(x), self.uop)

    def __mul__(self, x: Num | float) -> Num:
        return self._binary(Ops.MUL, self.uop, self._other(x))

    def __rmul__(self, x: float) -> Num:
        return self._binary(Ops.MUL, self._other(x), self.uop)

    def __truediv__(self, x: Num | float) -> Num:
        return self._binary(Ops.FDIV, self.uop, self._other(x))

    def __rtruediv__(self, x: float) -> Num:
        return self._binary(Ops.FDIV, self._other(x), self.uop)

    def __neg__(self) -> Num:
        return Num(UOp(Ops.NEG, self.dtype, (self.uop,)))

    def __abs__(self) -> Num:
        return Num(UOp(Ops.ABS, self.dtype, (self.uop,)))

    def __lt__(self, x: Num | float) -> Num:
        return self._binary(Ops.CMPLT, self.uop, self._other(x))

    def __gt__(self, x: Num | float) -> Num:
        return self._binary(Ops.CMPLT, self._other(x), self.uop)

    def __le__(self, x: Num | float) -> Num:
        return self._binary(Ops.CMPLE, self.uop, self._other(x))

    def same(self, x: Num | float) -> Num:
        """Whether two numbers, or two booleans, are equal."""
        return self._binary(Ops.CMPEQ, self.uop, self._other(x))

    def differs(self, x: Num | float) -> Num:
        """Whether they are not: True for a NaN."""
        return self._binary(Ops.CMPNE, self.uop, self._other(x))

    def __and__(self, x: Num | int) -> Num:
        return self._binary(Ops.AND, self.uop, self._other(x))

    def __or__(self, x: Num | int) -> Num:
        return self._binary(Ops.OR, self.uop, self._other(x))

    def __xor__(self, x: Num | int) -> Num:
        return self._binary(Ops.XOR, self.uop, self._other(x))

    def __invert__(self) -> Num:
        return Num(UOp(Ops.NOT, self.dtype, (self.uop,)))

    def __lshift__(self, n: int) -> Num:
        """The bits n places up; zeros come in."""
        return self._shifted(Ops.SHL, n)

    def __rshift__(self, n: int) -> Num:
        """The bits n places down; zeros come in, for signed integers too."""
        return self._shifted(Ops.SHR, n)

    def _shifted(self, op: Ops, n: int) -> Num:
        unsigned = self.cast(UNSIGNED[self.dtype.itemsize])
        return unsigned._binary(op, unsigned.uop, unsigned._other(n)).cast(self.dtype)

    def cast(self, dtype: DType) -> Num:
        """The number in another dtype."""
        return Num(UOp(Ops.CAST, dtype, (self.uop,)))

    @property
    def bits(self) -> Num:
        """The bits of a floating-point number, as a signed integer."""
        return Num(UOp(Ops.BITCAST, INTEGER[self.dtype.itemsize], (self.uop,)))

    @property
    def float(self) -> Num:
        """The floating-point number of these bits."""
        return Num(UOp(Ops.BITCAST, FLOAT[self.dtype.itemsize], (self.uop,)))


def where(condition: Num, a: Num | float, b: Num | float) -> Num:
    """The number a where the condition holds, else b."""
    if not isinstance(a, Num):
        assert isinstance(b, Num), "of two plain numbers the dtype is not known"
        a = Num(UOp.const(b.dtype, a))
    return Num(UOp(Ops.WHERE, a.dtype, (condition.uop, a.uop, a._other(b))))


def constant(value: float, like: Num) -> Num:
    """A constant of another number's dtype."""
    return Num(UOp.const(like.dtype, value))


def sqrt(x: Num) -> Num:
    """The square root."""
    return Num(UOp(Ops.SQRT, x.dtype, (x.uop,)))


def copysign(x: Num | float, sign: Num) -> Num:
    """A number with the sign of another."""
    return Num(UOp(Ops.COPYSIGN, sign.dtype, (sign._other(x), sign.uop)))


def argument(k: int, dtype: DType) -> Num:
    """Argument k of a function."""
    return Num(UOp(Ops.PARAM, dtype, (), (("argument", k), ())))


@record
class Arithmetic:
    """What an expansion computes in: a dtype, and whether the target fuses multiply-adds."""

    dtype: DType
    fused: bool

    def number(self, x: float) -> Num:
        """A constant."""
        return Num(UOp.const(self.dtype, x))

    @property
    def one(self) -> Num:
        """1, where compilers may not know it.

        Of a selection of constants gcc 12 makes a comparison and a masked move, of one between the very numbers that
        are compared the one instruction that machines have for it.
        """
        return Num(UOp(Ops.PARAM, self.dtype, (), ("one", ())))

    @property
    def shift(self) -> float:
        """What rounds a number that is added to it: the sum ends on the bits of a whole number."""
        return 1.5 * 2.0 ** (52 if self.dtype.itemsize == 8 else 23)

    @property
    def once(self) -> float:
        """The same for exponents: the sum ends on the bits of one as a number has it, once biased."""
        return self.shift + (1023 if self.dtype.itemsize == 8 else 127)

    @property
    def biased(self) -> float:
        """The same, biased as in a product of two powers of two."""
        return 2 * self.once - self.shift

    def fma(self, a: Num | float, b: Num | float, c: Num | float) -> Num:
        """The sum a * b + c, rounded once where the target can."""
        src = (a, b, c)
        return Num(UOp(Ops.MULACC, self.dtype, tuple(self._operand(x) for x in src)))

    def _operand(self, x: Num | float) -> UOp:
        return x.uop if isinstance(x, Num) else UOp.const(self.dtype, x)

    def constant(self, name: str, part: int = 0) -> float:
        """One part of a constant that is carried in several numbers."""
        value: float = self._source.CONSTANTS[name][part]
        return value

    def polynomial(self, name: str, x: Num, square: Num | None = None) -> Num:
        """A polynomial of the tables at x. With the square of x it is taken by pairs of terms, which a processor
        computes before it needs them; the constant term, which decides the last bit, by itself.
        """
        terms: list[Num | float] = list(self._source.TABLES[name])
        if square is None:
            return self._horner(terms, x)
        pairs: list[Num | float] = [self._horner(terms[k : k + 2], x) for k in range(1, len(terms), 2)]
        return self.fma(self._horner(pairs, square), x, terms[0])

    def either_polynomial(self, condition: Num, first: str, second: str, x: Num) -> Num:
        """One polynomial or the other, of the same degree."""
        tables = self._source.TABLES
        pairs = zip(tables[first], tables[second], strict=True)
        return self._horner([where(condition, self.number(a), b) for a, b in pairs], x)

    def _horner(self, terms: list[Num | float], x: Num) -> Num:
        total = terms[-1]
        for term in terms[-2::-1]:
            total = self.fma(total, x, term)
        return total if isinstance(total, Num) else self.number(total)

    @property
    def _source(self) -> ModuleType:
        return coefficients32 if self.dtype == dtypes.float32 else coefficients
