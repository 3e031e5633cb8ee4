"""Reading values out: what works, and what a traced Tensor says instead."""

import contextlib
import copy
import math
import operator
import pickle

import numpy as np
import pytest
import scipy.sparse

import functrans as ft
from functrans.errors import ArgumentError, LeakedValueError, TracedValueError, UnsupportedError
from functrans.ops import UOp, dtypes, source
from functrans.ops.enums import Ops
from functrans.tensor import Tensor, reading


def placeholder(shape=(), dtype=dtypes.float64):
    return Tensor.from_uop(source.param(shape, dtype))


def ranged():
    """A value inside a mapped axis: it holds no placeholder but an open RANGE."""
    zero = UOp.const(dtypes.index, 0)
    return Tensor(np.ones((3, 2))).vmapin((UOp.range(3), zero))[0]


READS = {
    "bool": bool, "if": lambda t: 1 if t > 0 else 2, "not": operator.not_, "float": float, "int": int,
    "complex": complex, "item": lambda t: t.item(), "tolist": lambda t: t.tolist(), "numpy": lambda t: t.numpy(),
    "realize": lambda t: t.realize(), "asarray": np.asarray, "array": lambda t: np.array([t, t]),
    "array of one": lambda t: np.array([t, 1.0]), "r_": lambda t: np.r_[t, t], "full": lambda t: np.full(3, t),
    "dot": lambda t: np.ones(2).dot(t), "format": lambda t: f"{t:.2f}", "math": math.sin, "pickle": pickle.dumps,
    "in": lambda t: 1.0 in t, "dlpack": np.from_dlpack, "max": lambda t: max(t, 1.0), "tobytes": lambda t: t.tobytes(),
    "assignment": lambda t: operator.setitem(np.ones(3), slice(None), t),
}  # fmt: skip


@pytest.mark.parametrize("read", READS.values(), ids=READS)
@pytest.mark.parametrize("make", [placeholder, ranged])
def test_traced_values_cannot_be_read(read, make):
    text = r"reads a traced value of shape \(\) and dtype .*test_reading.py:\d+"
    with pytest.raises(TracedValueError, match=text) as caught:
        read(make())
    assert isinstance(caught.value, TypeError)


INDEXES = {
    "index": lambda t: [1, 2, 3][t], "range": range, "ndarray": lambda t: np.arange(3)[t],
    "ndarray of two": lambda t: np.ones((3, 3))[t, 0], "write": lambda t: operator.setitem(np.ones(3), t, 1.0),
}  # fmt: skip


@pytest.mark.parametrize("read", INDEXES.values(), ids=INDEXES)
def test_traced_indices_of_other_things(read):
    with pytest.raises(TracedValueError, match=r"Tensor\(a\)\[t\]"):
        read(placeholder(dtype=dtypes.int64))


@pytest.mark.parametrize(
    ("read", "replacement"),
    [
        (lambda t: np.array([t, t]), "fnp.stack"), (lambda t: np.r_[t, t], "fnp.concatenate"),
        (lambda t: np.full(3, t), "fnp.full"), (lambda t: np.ones(2).dot(t), "a @ t"),
        (lambda t: bool(t > 0), "fnp.where.*number of rounds"), (float, r"at\[i\].set"),
    ],
)  # fmt: skip
def test_the_replacement_is_named(read, replacement):
    with pytest.raises(TracedValueError, match=replacement):
        read(placeholder())


@pytest.mark.parametrize("multiply", [lambda A, t: A @ t, lambda A, t: A.dot(t), lambda A, t: A * t])
def test_sparse_matrices_name_the_replacement(multiply):
    with pytest.raises(TracedValueError, match=r"ft.sparse\(A\) @ t"):
        multiply(scipy.sparse.csr_array(np.eye(2)), placeholder((2,)))


def test_writing_a_traced_value_into_an_array_says_why():
    out = np.zeros(3)
    with pytest.raises(ValueError) as caught:  # NumPy's own, with ours as its cause
        out[0] = placeholder()
    assert isinstance(caught.value.__cause__, TracedValueError) and "at[i].set" in str(caught.value.__cause__)


def test_shape_len_and_repr_of_traced_values_work():
    t = placeholder((3, 2))
    assert (t.shape, t.dtype, len(t), t.ndim, t.size) == ((3, 2), np.float64, 3, 2, 6)
    assert repr(t) == f"{t}" == "Tensor(traced, shape=(3, 2), dtype=float64)"
    assert [row.shape for row in t] == [(2,)] * 3
    *_, last = t
    assert last.shape == (2,)
    assert copy.deepcopy(t).uop is t.uop


def test_constants_of_a_trace_can_be_read():
    t = placeholder((3,))
    assert len(t) == float(Tensor(3.0)) and bool(Tensor(t.ndim) == 1)


def test_values():
    x = np.arange(6.0).reshape(2, 3)
    t = Tensor(x) + 1
    assert t.uop.op is Ops.ADD
    np.testing.assert_array_equal(t.numpy(), x + 1)
    assert t.tolist() == (x + 1).tolist() and t.item(1, 2) == 6.0 and t[0, 1].item() == 2.0
    assert t.tobytes() == (x + 1).tobytes()
    assert (int(t[0, 0]), float(t[0, 1]), complex(t[0, 2])) == (1, 2.0, 3 + 0j)
    assert bool(t[0, 0]) and not bool(t[0, 0] - 1) and 6.0 in t and 9.0 not in t
    assert [1, 2, 3][Tensor(1)] == 2 and list(range(Tensor(2))) == [0, 1]
    assert f"{t[0, 1]:.3f}" == "2.000" and str(t) == str(x + 1)
    with pytest.raises(ValueError, match="ambiguous"):
        bool(t)
    with pytest.raises(TypeError):
        [1, 2][Tensor(1.0)]


def test_a_tensor_is_computed_once():
    t = Tensor(np.ones(3)) * 2
    t.numpy()
    node = t.uop
    assert node.op is Ops.RESHAPE or node.op is Ops.BUFFER
    t.realize()
    assert t.uop is node and t.realize() is t


def test_results_are_fresh():
    t = Tensor(np.ones(3)) * 2
    for read in (lambda: t.numpy(), lambda: np.array(t), lambda: np.asarray(t)):
        read()[:] = 5
        assert t.tolist() == [2.0, 2.0, 2.0]
    assert np.asarray(t, dtype="float32").dtype == np.float32
    assert np.asarray(Tensor(2.0)).shape == ()


def test_repr():
    assert repr(Tensor(2.5)) == "Tensor(2.5, dtype=float64)"
    assert repr(Tensor([1, 2]) * 2) == "Tensor([2, 4], dtype=int64)"
    assert repr(Tensor(np.eye(2, dtype=np.float32))) == "Tensor([[1., 0.],\n        [0., 1.]], dtype=float32)"


def test_pickle_and_copies():
    t = Tensor(np.arange(3.0)) * 2
    for other in (pickle.loads(pickle.dumps(t)), copy.copy(t), copy.deepcopy(t)):
        assert other is not t and other.dtype == t.dtype and other.tolist() == t.tolist()


def test_hash_is_identity():
    a, b = Tensor(1.0), Tensor(1.0)
    assert a.uop is b.uop and len({a, b}) == 2


def test_without_axes():
    t = Tensor(1.0)
    for call in (len, iter, list):
        with pytest.raises(ArgumentError, match="without axes"):
            call(t)


def test_no_change_in_place():
    t = Tensor(np.ones(3))
    with pytest.raises(TypeError, match=r"x = x.at\[i\].set\(v\)"):
        t[0] = 1.0
    with pytest.raises(TypeError, match=r"at\[i\].add"):
        t[0] += 1.0
    with pytest.raises(TypeError, match="full_like"):
        t.fill(0.0)
    before = t
    t += 1  # a new Tensor under the name
    assert before.tolist() == [1.0, 1.0, 1.0] and t.tolist() == [2.0, 2.0, 2.0]
    with pytest.raises(UnsupportedError, match="a = a \\+ t"):
        a = np.ones(3)
        a += t


def test_long_chains():
    t = Tensor(np.ones(2))
    for _ in range(2_000):
        t = t * 0.5 + 1.0
    assert t.tolist() == [2.0, 2.0]


def test_whoever_knows_of_leaks_is_asked_first(monkeypatch):
    def leaked(x, what):
        raise LeakedValueError(f"{what} of shape {x.shape} is given a value of f, which has returned")

    monkeypatch.setattr(reading, "before_refusal", [leaked])
    with pytest.raises(LeakedValueError, match=r"float\(\) of shape \(\) is given a value of f"):
        float(placeholder())


SIZES = {
    "zeros": lambda n: np.zeros(n), "ones": lambda n: np.ones((n, 2)), "eye": lambda n: np.eye(n),
    "linspace": lambda n: np.linspace(0, 1, n), "range": lambda n: sum(1.0 for _ in range(n)),
    "reshape": lambda n: np.arange(4.0).reshape(n, 2), "slice": lambda n: Tensor([1.0, 2.0])[:n],
    "random": lambda n: np.random.default_rng(0).normal(size=n), "repeated": lambda n: [0.0] * n,
    "repeated from the left": lambda n: n * (1.0, 2.0),
}  # fmt: skip


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_a_size_that_is_an_argument_is_refused_with_the_way_to_make_it_constant(size):
    with pytest.raises(TracedValueError, match=r"(?s)test_reading.py.*static_argnums") as caught:
        ft.jit(size)(2)
    assert type(caught.value) is TracedValueError
    assert ft.jit(size, static_argnums=0)(2) is not None


def test_what_numpy_raises_in_place_of_a_refusal_becomes_the_refusal_again():
    def fill(x):
        out = np.zeros((2, 2))
        out[0, 0] = x[0]
        return out

    with pytest.raises(TracedValueError, match=r"float\(\) reads .*test_reading.py") as caught:
        ft.jit(fill)(np.ones(2))
    assert type(caught.value.__cause__) is ValueError

    def own(x):
        with contextlib.suppress(TypeError):
            float(x)
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine") as caught:
        ft.jit(own)(1.0)
    assert type(caught.value) is ValueError


def test_a_list_times_a_number_that_is_no_integer_is_a_product():
    np.testing.assert_array_equal(ft.jit(lambda x: [1.0, 2.0] * x)(2.0), [2.0, 4.0])
    np.testing.assert_array_equal(ft.jit(lambda x: [1, 2] * x)(np.array([2, 3])), [2, 6])


def test_storing_by_a_mask_names_where():
    def cut(x):
        x[x > 1] = 0.0
        return x

    with pytest.raises(ArgumentError, match=r"x = fnp.where\(mask, v, x\)"):
        ft.jit(cut)(np.arange(3.0))
