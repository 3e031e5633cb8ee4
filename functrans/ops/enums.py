"""The words of the language: every op, grouped by the stage that introduces it."""

from __future__ import annotations

from functrans._members import Enum, auto


class AxisType(Enum):
    """What a RANGE is for.

    >>> import numpy as np, functrans as ft
    >>> {loop.arg[1] for loop in ft.make_graph(ft.vmap(np.sin))(np.ones((2, 3))).outputs[0].toposort()
    ...  if loop.op is ft.ops.Ops.RANGE}
    {AxisType.LOOP}
    """

    LOOP = auto()  # a loop inside the kernel
    OUTER = auto()  # the kernel is launched once per value
    REDUCE = auto()  # summed (or maximised ...) inside
    ORDERED = auto()  # a loop whose iterations depend on the ones before: never reordered
    VECTOR = auto()  # an innermost loop inside the kernel that is written with vectors
    LANES = auto()  # an outer loop inside the kernel whose rounds are the lanes of vectors

    def __lt__(self, other: AxisType) -> bool:
        return self.value < other.value


class Ops(Enum):
    """The ops. A comment says what a node passes on, where the name does not.

    Examples
    --------
    >>> import functrans as ft
    >>> ft.make_graph(lambda x: x + 1.0)(ft.ShapeDtype((3,))).outputs[0].op
    Ops.ADD
    """

    # framework
    SINK = auto()  # the roots of a graph
    NAME = auto()  # a name in the C text
    DEVICE = auto()  # a CPU thread domain
    UNIQUE = auto()  # makes two buffers of the same size two buffers
    NOOP = auto()  # its source
    COPY = auto()  # its source, on a domain
    MULTI = auto()  # the shards of one array, each on a domain
    CUSTOM_RULE = auto()  # its first source, the value of a call; its derivative is by a rule of the user's
    LINEAR = auto()  # a linear map of which only the transpose is known
    # data
    CONST = auto()  # a scalar, shape ()
    IOTA = auto()  # 0, 1, ..., n-1, shape (n,)
    PARAM = auto()  # a placeholder: an argument of the function being traced
    BUFFER = auto()  # a stored array, flat
    BUFFER_VIEW = auto()  # a window of a stored array, or of a file
    EMPTY = auto()  # an array whose values do not matter
    DEFINE_VAR = auto()  # a run-time integer with bounds
    BIND = auto()  # a DEFINE_VAR and the value it has
    # elementwise, one source
    NEG = auto()
    RECIP = auto()
    SQRT = auto()
    CBRT = auto()
    EXP = auto()
    EXP2 = auto()
    EXPM1 = auto()
    LOG = auto()
    LOG2 = auto()
    LOG10 = auto()
    LOG1P = auto()
    SIN = auto()
    COS = auto()
    TAN = auto()
    ASIN = auto()
    ACOS = auto()
    ATAN = auto()
    SINH = auto()
    COSH = auto()
    TANH = auto()
    ASINH = auto()
    ACOSH = auto()
    ATANH = auto()
    ERF = auto()
    ERFC = auto()
    LGAMMA = auto()
    DIGAMMA = auto()
    GAMMA = auto()
    EXPI = auto()  # the exponential integral Ei
    ABS = auto()
    SIGN = auto()
    FLOOR = auto()
    CEIL = auto()
    TRUNC = auto()
    RINT = auto()
    ISNAN = auto()
    ISINF = auto()
    SIGNBIT = auto()
    NOT = auto()
    REAL = auto()
    IMAG = auto()
    CONJ = auto()
    CAST = auto()
    BITCAST = auto()
    DETACH = auto()  # its source; no derivative passes
    CONTIGUOUS = auto()  # its source, stored; arg: how many leading axes are lanes, each stored on its own
    CONTIGUOUS_BACKWARD = auto()  # its source; its cotangent is stored
    # elementwise, two and three sources
    ADD = auto()
    SUB = auto()
    MUL = auto()
    FDIV = auto()
    POW = auto()
    MAX = auto()
    MIN = auto()
    IDIV = auto()  # truncates
    MOD = auto()  # sign of the dividend
    FLOORDIV = auto()  # NumPy's //
    FLOORMOD = auto()  # NumPy's %
    ATAN2 = auto()
    HYPOT = auto()
    COPYSIGN = auto()
    NEXTAFTER = auto()
    ZETA = auto()  # of Hurwitz; its derivatives are those of DIGAMMA
    GAMMAINC = auto()  # the regularized incomplete gamma function P
    GAMMAINCC = auto()  # Q, which is 1 - P
    CMPLT = auto()
    CMPLE = auto()
    CMPEQ = auto()
    CMPNE = auto()
    AND = auto()
    OR = auto()
    XOR = auto()
    SHL = auto()
    SHR = auto()
    WHERE = auto()
    MULACC = auto()
    # elementwise, any number of sources: C of the user's
    CUSTOMI = auto()  # an expression
    CUSTOM = auto()  # statements
    # movement
    RESHAPE = auto()
    PERMUTE = auto()
    EXPAND = auto()
    PAD = auto()
    SHRINK = auto()
    FLIP = auto()
    # joining
    STACK = auto()
    CAT = auto()
    # reductions and running reductions
    REDUCE_AXIS = auto()
    CUMULATE = auto()  # the running reduction along one axis
    # order
    ARGSORT = auto()  # the positions along the last axis in ascending order of their elements
    SORT = auto()  # the elements along the last axis in ascending order, where their positions are not asked for
    # matrices, the last two axes: steps between kernels
    SOLVE = auto()
    LU = auto()  # triangular factors that several solutions and determinants read
    CHOLESKY = auto()
    DET = auto()
    SLOGDET = auto()
    ADJUGATE = auto()
    ADJUGATE_ALONG = auto()  # its derivative
    EIGH = auto()
    SVD = auto()
    QR = auto()
    PINV = auto()
    TRIANGULAR = auto()
    BANDED = auto()
    POSITIVE = auto()  # definite, of bands
    # matrices of one pattern by their entries: steps between kernels
    SPFACTOR = auto()  # triangular factors, as one line of entries
    SPSOLVE = auto()
    SPSLOGDET = auto()
    SPINVERSE = auto()  # of the transposed inverse the entries at the places of the matrix
    # lines, the last axis: a step between kernels
    FFT = auto()
    # indexing by arrays
    INDEX = auto()  # tensor stage: gather along the leading axes; ranged stage: a read at index expressions
    SCATTER = auto()  # ordered updates of a base array at index arrays
    ASSIGN = auto()  # a new value of an array (kernel stage: of an accumulator), and that value
    # loops and branches with FUNCTION bodies: a tuple
    SCAN = auto()  # a known number of rounds
    WHILE = auto()  # as long as a condition holds
    SWITCH = auto()  # one of several
    ROUTINE = auto()  # an algorithm on matrices, with loops of its own
    RESULT = auto()  # one result of these
    # loops written by hand, of stores: they stand for no array that is computed, and become a SCAN where AFTER closes
    AFTER = auto()  # an array as it is in a round
    END = auto()  # a store for each value of a RANGE, in order
    # vmap brackets
    VMAPIN = auto()  # opens: a slice at RANGEs
    VMAPOUT = auto()  # closes: the axes of RANGEs reappear
    # ranged stage
    RANGE = auto()
    BUFFERIZE = auto()  # a buffer and the ordered stores that fill it
    STORE = auto()  # value to index expressions, closing ranges
    REDUCE = auto()  # reduce an expression over RANGEs
    PREFIX = (
        auto()
    )  # a value of an ORDERED range that others of it decide: a running reduction, the order of its elements
    REGION = auto()  # a loop or branch for each of some lanes, from buffers to buffers
    WMMA = auto()  # a sum of products over RANGEs, by tiles; kernel stage: one tile of such sums
    DEFINE_GLOBAL = auto()  # an array that a kernel is given
    # kernel stage: a list of nodes, each executed where it stands
    DEFINE_LOCAL = auto()  # a local array
    DEFINE_ACC = auto()  # an accumulator: its value
    LOAD = auto()  # what is at an INDEX
    CALLS = auto()  # functions of rows of arrays, one after the other, each for all lanes
    FOLD = auto()  # the elements of a local array in one: halves of it combined until one is left
    ENDRANGE = auto()
    IF = auto()
    ENDIF = auto()


class GroupOp:
    """Named sets of ops that rules speak of.

    Examples
    --------
    >>> import functrans as ft
    >>> ft.ops.Ops.ADD in ft.ops.GroupOp.Binary
    True
    """

    Unary = frozenset(o for o in Ops if Ops.NEG.value <= o.value <= Ops.CONTIGUOUS_BACKWARD.value)
    Binary = frozenset(o for o in Ops if Ops.ADD.value <= o.value <= Ops.SHR.value)
    Ternary = frozenset({Ops.WHERE, Ops.MULACC})
    Elementwise = Unary | Binary | Ternary
    Custom = frozenset({Ops.CUSTOM, Ops.CUSTOMI})
    # sources whose value is not fixed when a function is traced
    Open = frozenset({Ops.PARAM, Ops.EMPTY, Ops.DEFINE_VAR, Ops.BIND, Ops.RANGE})
    OfElements = Elementwise | Custom  # a union where a node is looked at costs as much as the node
    Compare = frozenset({Ops.CMPLT, Ops.CMPLE, Ops.CMPEQ, Ops.CMPNE})
    Movement = frozenset({Ops.RESHAPE, Ops.PERMUTE, Ops.EXPAND, Ops.PAD, Ops.SHRINK, Ops.FLIP})
    Join = frozenset({Ops.STACK, Ops.CAT})
    Reduce = frozenset({Ops.REDUCE_AXIS, Ops.CUMULATE})
    Order = frozenset({Ops.ARGSORT, Ops.SORT})
    Host = frozenset(o for o in Ops if Ops.SOLVE.value <= o.value <= Ops.FFT.value)
    SparseSystem = frozenset({Ops.SPFACTOR, Ops.SPSOLVE, Ops.SPSLOGDET, Ops.SPINVERSE})
    Region = frozenset({Ops.SCAN, Ops.WHILE, Ops.SWITCH, Ops.ROUTINE})
    VMap = frozenset({Ops.VMAPIN, Ops.VMAPOUT})
    Source = frozenset(
        {
            Ops.CONST, Ops.IOTA, Ops.PARAM, Ops.BUFFER, Ops.BUFFER_VIEW, Ops.EMPTY, Ops.DEFINE_VAR,
            Ops.BIND, Ops.RANGE,
        }
    )  # fmt: skip
