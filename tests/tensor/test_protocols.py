"""NumPy's own functions on Tensors: ufuncs and their methods, functions, SciPy's ufuncs, refusals."""

import numpy as np
import pytest
import scipy.special
from hypothesis import given, settings
from hypothesis import strategies as st

import functrans as ft
import functrans.numpy as fnp
from functrans.errors import DtypeError, UnsupportedError
from functrans.tensor import Tensor
from tests.numpy.cases import quiet, same, values

A = values((2, 3, 4), "float64")


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "minimum", "logical_and", "logical_or"])
@pytest.mark.parametrize("options", [{}, {"axis": 1}, {"axis": None}, {"axis": (0, 2), "keepdims": True}])
def test_reduce(name, options):
    ufunc = getattr(np, name)
    for dtype in ("float64", "int8", "bool"):
        x = A.astype(dtype)
        same(ufunc.reduce(Tensor(x), **options), ufunc.reduce(x, **options), rtol=1e-12)


@pytest.mark.parametrize("name", ["bitwise_and", "bitwise_or"])
def test_bitwise_reduce(name):
    ufunc = getattr(np, name)
    for dtype in ("bool", "int8", "uint16"):
        x = values((3, 4), dtype)
        for axis in (0, None):
            same(ufunc.reduce(Tensor(x), axis=axis), ufunc.reduce(x, axis=axis))
        mask = x > 0
        same(ufunc.reduce(Tensor(x), where=mask), ufunc.reduce(x, where=mask))


@pytest.mark.parametrize("way", [{}, {"axis": 1}, {"axis": None}, {"axis": (0, 2)}, {"keepdims": True, "axis": 1}])
def test_logarithms_of_sums(way):
    high = np.concatenate([A * 300, np.full_like(A, -np.inf)], 1)
    for x in (A, high, A.astype("float32"), A.astype(int)):
        same(np.logaddexp.reduce(Tensor(x), **way), np.logaddexp.reduce(x, **way), rtol=2e-6)
        same(np.logaddexp.reduce(Tensor(x), initial=0.5, **way), np.logaddexp.reduce(x, initial=0.5, **way), rtol=1e-6)
    same(
        np.logaddexp.reduce(Tensor(A), where=A > 0, initial=-np.inf, **way),
        np.logaddexp.reduce(A, where=A > 0, initial=-np.inf, **way), rtol=1e-12,
    )  # fmt: skip


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "minimum"])
def test_accumulate(name):
    ufunc = getattr(np, name)
    for axis in (0, 1, -1):
        same(ufunc.accumulate(Tensor(A), axis=axis), ufunc.accumulate(A, axis=axis), rtol=1e-12)


def test_outer_and_dtype():
    same(np.subtract.outer(Tensor(A[0]), A[1, 0]), np.subtract.outer(A[0], A[1, 0]))
    same(np.add.outer(A[0, 0], Tensor(2.0)), np.add.outer(A[0, 0], 2.0))
    same(np.add(Tensor(A), 1, dtype="float32"), np.add(A, 1, dtype="float32", casting="unsafe"), rtol=1e-6)
    same(np.divmod(Tensor(A), 0.5), np.divmod(A, 0.5))
    same(np.vecdot(Tensor(A), A), np.vecdot(A, A), rtol=1e-12)


SPECIAL = {
    "erf": (-3, 3), "erfc": (-3, 3), "expit": (-40, 40), "logit": (0.01, 0.99), "ndtr": (-5, 5), "gammaln": (0.1, 20),
    "psi": (0.1, 20), "entr": (-1, 3),
}  # fmt: skip


@pytest.mark.parametrize("name", SPECIAL)
def test_scipy_special(name):
    ufunc = getattr(scipy.special, name)
    low, high = SPECIAL[name]
    for dtype in ("float64", "float32", "float16", "int8", "int64"):
        x = values((2, 3), dtype, low=low, high=high)
        same(ufunc(Tensor(x)), quiet(ufunc, x), rtol=1e-12 if dtype in ("float64", "int64") else 1e-5)
    with pytest.raises(DtypeError):
        ufunc(Tensor(values((2,), "complex128")))


@pytest.mark.parametrize("name", ["xlogy", "xlog1py", "rel_entr"])
def test_scipy_special_of_two(name):
    ufunc = getattr(scipy.special, name)
    x = np.array([0.0, 0.5, 2.0, -1.0, np.nan, np.inf])
    same(ufunc(Tensor(x[:, None]), x), quiet(ufunc, x[:, None], x), rtol=1e-13)


def test_scipy_special_extremes():
    x = np.array([-np.inf, -1000.0, -30.0, 0.0, 30.0, 1000.0, np.inf, np.nan])
    for name in ("expit", "ndtr", "erf", "erfc"):
        same(getattr(scipy.special, name)(Tensor(x)), getattr(scipy.special, name)(x), rtol=1e-12)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda t: np.spacing(Tensor(4.0)), "spacing is not supported"),
        (lambda t: np.roots(t), "np.roots is not supported.*functrans.numpy lists"),
        (lambda t: np.nextafter.reduce(t), "nextafter.reduce is not supported"),
        (lambda t: np.sin(t, out=np.empty(3)), "out=.*write y = sin"),
        (lambda t: np.add(np.ones(3), np.ones(3), out=t), "out="),
        (lambda t: np.sum(t, out=np.empty(())), r"np.sum with out="),
        (lambda t: np.mean(t, 0, None, np.empty(())), "mean with out="),
        (lambda t: np.sin(t, where=[True, False, True]), r"fnp.where\(condition, sin\(...\), other\)"),
        (lambda t: np.add.at(np.ones(3), [0, 0, 1], t), r"x.at\[i\].add\(v\)"),
        (lambda t: np.maximum.at(np.ones(3), [0, 0, 1], t), r"x.at\[i\].max\(v\)"),
        (lambda t: np.add.reduceat(t, [0, 1]), "add.reduceat"),
        (lambda t: np.hypot.reduce(t), "hypot.reduce"),
        (lambda t: np.copyto(np.ones(3), t), "fnp.full.*at"),
        (lambda t: np.put(t, [0], 1.0), "at"),
        (lambda t: np.linalg.eig(t), "np.linalg.eig is not supported"),
        (lambda t: np.frompyfunc(abs, 1, 1)(t), "not supported"),
        (lambda t: scipy.special.jv(1, t), "jv is not supported"),
        (lambda t: np.round(t, 1, np.empty(3)), "round with out="),
        (lambda t: np.einsum("i->", t, out=np.empty(())), "out="),
        (lambda t: np.pad(t, 1, nonsense=3), "nonsense="),
    ],
)
def test_refusals_name_what_to_write(call, text):
    with pytest.raises(UnsupportedError, match=text) as caught:
        call(Tensor(np.ones(3)))
    assert "test_protocols.py" in str(caught.value)


def test_errors_inside_our_functions_stay_what_they_are():
    with pytest.raises(TypeError) as caught:
        np.sum(Tensor(1.0), nonsense=3)
    assert "nonsense" in str(caught.value)


def test_other_array_classes_are_asked_first():
    class Other:
        def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
            return "theirs"

        def __radd__(self, other):
            return "theirs"

    assert np.add(Tensor(1.0), Other()) == "theirs"

    class Refusing:
        __array_ufunc__ = None

        def __rmatmul__(self, other):
            return "theirs"

        __radd__ = __rmatmul__

    assert Tensor([1.0]) @ Refusing() == Tensor([1.0]) + Refusing() == "theirs"


class Answers:
    """Another class with methods of its own, which is no array."""

    def answer(self, other):
        return "theirs"

    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = __rmatmul__ = answer
    __rdivmod__ = __rand__ = __ror__ = __rxor__ = __rlshift__ = __rrshift__ = answer
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = answer
    __hash__ = object.__hash__


class AnswersFirst(Answers):
    __array_priority__ = 1e6

    def __array__(self, dtype=None, copy=None):
        return np.ones(2)


class AnswersAlone(AnswersFirst):
    __array_priority__ = -1.0
    __array_ufunc__ = None


class AsArray(AnswersFirst):
    __array_priority__ = 15.0


class Handles(Answers):
    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return "theirs"


BINARY = [
    lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a / b, lambda a, b: a // b,
    lambda a, b: a % b, lambda a, b: a**b, lambda a, b: a @ b, divmod, lambda a, b: a < b, lambda a, b: a <= b,
    lambda a, b: a > b, lambda a, b: a >= b, lambda a, b: a == b, lambda a, b: a != b,
]  # fmt: skip


@pytest.mark.parametrize("operator", BINARY)
@pytest.mark.parametrize("kind", [Answers, AnswersFirst, AnswersAlone, Handles, AsArray])
def test_an_operand_with_an_answer_is_asked(operator, kind):
    def run(t):
        if kind is AsArray:
            assert isinstance(operator(t, kind()), Tensor | tuple)
        elif not (kind is Handles and operator is divmod):
            assert operator(t, kind()) == "theirs"
            if kind is AnswersFirst:  # as NumPy has it, whose arrays have priority 0
                assert operator(np.ones(2), kind()) == "theirs"
        return t

    run(Tensor([1.0, 2.0]))
    ft.jit(run)(np.ones(2))


def test_what_no_side_can_add():
    for other in (object(), {1}, lambda x: x):
        for run in (lambda t, o: t + o, lambda t, o: o * t, lambda t, o: t < o, lambda t, o: t @ o):
            with pytest.raises(TypeError, match=r"not supported|unsupported"):
                run(Tensor([1.0]), other)
        assert (Tensor([1.0]) == other) is False
    assert (Tensor([1.0]) + range(2)).shape == (2,)


OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "<", "<=", "==", "!=", ">", ">="]


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_operators_as_numpy(data):
    dtype = st.sampled_from(["int8", "uint8", "int64", "float32", "float64"])
    pairs = [((2, 3), (3,)), ((2, 1), (1, 3)), ((), (4,)), ((0, 2), (2,)), ((3, 2), (3, 2))]
    shapes = data.draw(st.sampled_from(pairs))
    a, b = (abs(values(s, data.draw(dtype), k)) for k, s in enumerate(shapes))
    symbol = data.draw(st.sampled_from(OPERATORS))
    run = eval(f"lambda x, y: x {symbol} y")
    theirs = quiet(run, a, b)
    for ours in (run(Tensor(a), Tensor(b)), run(Tensor(a), b), run(a, Tensor(b))):
        same(ours, theirs, rtol=1e-5 if np.asarray(theirs).dtype == np.float32 else 1e-12)


def test_integer_operators():
    a, b = np.array([6, -7, 12]), np.array([3, 2, 1])
    for run in (lambda x, y: x & y, lambda x, y: x | y, lambda x, y: x ^ y, lambda x, y: x << y, lambda x, y: x >> y):
        for ours in (run(Tensor(a), b), run(a, Tensor(b)), run(Tensor(a), 2), run(5, Tensor(b))):
            assert isinstance(ours, Tensor)
        same(run(Tensor(a), b), run(a, b))
        same(run(5, Tensor(b)), run(5, b))
    same(divmod(Tensor(a), b), divmod(a, b))
    same(divmod(20, Tensor(b)), divmod(20, b))
    same([-Tensor(a), +Tensor(a), abs(Tensor(a)), ~Tensor(a), round(Tensor(a))], [-a, +a, abs(a), ~a, a])


def test_comparison_with_what_is_no_array():
    t = Tensor([1.0])
    assert (t == None) is False and (t != None) is True and (t == "a") is False  # noqa: E711
    with pytest.raises(TypeError):
        t + None
    with pytest.raises(TypeError):
        t < "a"


def test_namespace_and_device():
    t = Tensor([1.0])
    assert t.__array_namespace__() is fnp and t.device == "CPU" and t.to_device("cpu") is t
    with pytest.raises(UnsupportedError, match="'CPU:1'"):
        t.to_device("gpu")
    assert np.array_repr(t) == repr(t) and np.array_str(t) == "[1.]" and np.array2string(t, precision=1) == "[1.]"
