"""What becomes a Tensor, what is refused, and that nothing is shared with the caller."""

import numpy as np
import pytest
import scipy.sparse

import functrans.numpy as fnp
from functrans.errors import ArgumentError, DtypeError, ShapeError, UnsupportedError
from functrans.ops.enums import Ops
from functrans.tensor import Tensor

NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
BASE = np.arange(24).reshape(2, 3, 4)


@pytest.mark.parametrize("name", NAMES)
def test_every_dtype_in_and_out(name):
    x = BASE.astype(name)
    t = Tensor(x)
    assert (t.dtype, t.shape, t.ndim, t.size, t.itemsize, t.nbytes) == (
        x.dtype, x.shape, x.ndim, x.size, x.itemsize, x.nbytes)  # fmt: skip
    np.testing.assert_array_equal(t.numpy(), x)
    for scalar in (x[1, 2, 3], x[:0]):
        assert Tensor(scalar).dtype == x.dtype
    assert Tensor(BASE, dtype=name).dtype == x.dtype


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x[::2, ::-1], lambda x: x.T, lambda x: np.asfortranarray(x), lambda x: x[1, 2, 3],
        lambda x: np.broadcast_to(x[0], (5, 3, 4)), lambda x: x[:, 0:0], lambda x: np.array(x[0, 0, 0]),
        lambda x: x.astype(">f8"), lambda x: x.astype(">i4"), lambda x: x.astype(">c16"),
        lambda x: np.frombuffer(b"\0" + x.astype("f8").tobytes(), np.uint8)[1:].view("f8"),
    ],
)  # fmt: skip
def test_any_layout(view):
    x = view(BASE)
    if isinstance(x, np.ndarray):
        x.flags.writeable = False
    t = Tensor(x)
    np.testing.assert_array_equal(t.numpy(), x)
    assert t.shape == x.shape and t.dtype == x.dtype.newbyteorder("=") and t.numpy().dtype.isnative
    np.testing.assert_array_equal((t + 0).numpy(), x)


def test_arrays_are_copied_both_ways():
    x = np.ones(3)
    t = Tensor(x)
    later = t * 2
    x[:] = 5
    y = t.numpy()
    y[:] = 7
    assert t.tolist() == [1.0, 1.0, 1.0] and later.tolist() == [2.0, 2.0, 2.0]


@pytest.mark.parametrize(
    ("value", "dtype"),
    [(True, "bool"), (3, "int64"), (2.5, "float64"), (1j, "complex128"), ([1, 2.5], "float64"), ([], "float64"),
     ([[True], [False]], "bool"), ((1, 2), "int64"), (np.float16(1), "float16"), (range(3), "int64")],
)  # fmt: skip
def test_numbers_and_sequences(value, dtype):
    t = Tensor(value)
    assert t.dtype == dtype
    np.testing.assert_array_equal(t.numpy(), np.asarray(value))


def test_numbers_are_constants_and_arrays_are_buffers():
    assert Tensor(2.0).uop.op is Ops.CONST and Tensor(np.float32(2)).uop.op is Ops.CONST
    assert Tensor(2.0).uop is Tensor(2.0).uop
    assert Tensor(np.array(2.0)).uop.op is not Ops.CONST  # a captured array is never printed into C


def test_tensor_of_a_tensor():
    t = Tensor([1, 2])
    assert Tensor(t).uop is t.uop
    assert Tensor(t, dtype="float32").dtype == np.float32
    assert Tensor.from_uop(t.uop).uop is t.uop


@pytest.mark.parametrize(
    "value",
    [np.array([object()]), np.array(["a"]), np.array([b"a"]), np.datetime64("2020-01-01"), np.array([1], "m8[s]"),
     np.longdouble(1), np.zeros(2, [("a", "f8")]), "text", None, object(), {1: 2}],
)  # fmt: skip
def test_other_dtypes_are_refused(value):
    with pytest.raises(DtypeError, match=r"(?s)expected one of bool, int8.*complex128.*test_lift.py:\d+"):
        Tensor(value)
    with pytest.raises(DtypeError):
        Tensor([1.0]) + np.asarray(value) if value is not None else Tensor(None)


def test_unknown_dtype_argument():
    with pytest.raises(DtypeError, match="'nonsense' is not a dtype"):
        Tensor([1.0], dtype="nonsense")


def test_sequences_of_tensors_name_stack():
    t = Tensor(1.0)
    for value in ([t, t], [[t], [2.0]], (1.0, (t,))):
        with pytest.raises(ArgumentError, match=r"fnp.stack.*fnp.array"):
            Tensor(value)
    assert fnp.array([[t], [2.0]]).shape == (2, 1)


def test_ragged_sequences():
    with pytest.raises(ShapeError, match="rows of equal length"):
        Tensor([[1, 2], [3]])


def test_masked_and_sparse_arrays_name_the_replacement():
    with pytest.raises(UnsupportedError, match=r"x.filled\(value\)"):
        Tensor(np.ma.array([1.0, 2.0], mask=[True, False]))
    for use in (Tensor, lambda A: Tensor([1.0, 2.0]) @ A, lambda A: Tensor([1.0, 2.0]) * A):
        with pytest.raises(UnsupportedError, match=r"ft.sparse\(A\) @ x"):
            use(scipy.sparse.csr_array(np.eye(2)))


def test_python_integers_that_do_not_fit():
    with pytest.raises(DtypeError, match=f"Python integer {2**64} is out of bounds for int64"):
        Tensor(2**64)
    with pytest.raises(DtypeError, match="-1 is out of bounds for uint8"):
        Tensor(np.zeros(2, np.uint8)) - -1
    with pytest.raises(DtypeError, match="too large for float64"):
        Tensor(1.0) * 10**400
