"""Products against NumPy: every combination of ranks, batches, dtypes, empty axes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import functrans.numpy as fnp
from functrans.errors import ArgumentValueError, AxisError, ShapeError
from functrans.ops.enums import Ops
from functrans.tensor import Tensor
from tests.numpy import laws
from tests.numpy.cases import check, same, values

PAIRS = [
    ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4)), ((2, 3), (5, 3, 4)),
    ((5, 2, 3), (5, 3, 4)), ((5, 1, 2, 3), (6, 3, 4)), ((3,), (5, 3, 4)), ((5, 2, 3), (3,)), ((1, 1), (1, 1)),
    ((2, 0), (0, 3)), ((0, 2), (2, 3)), ((0, 2, 3), (0, 3, 1)), ((2, 1), (1, 3)),
]  # fmt: skip
DTYPES = ["bool", "int8", "uint16", "int64", "float16", "float32", "float64", "complex64", "complex128"]


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_matmul_ranks(left, right):
    a, b = values(left, "float64", 1), values(right, "float64", 2)
    check("matmul", [a, b], rtol=1e-12)
    theirs = a @ b
    for ours in (Tensor(a) @ b, a @ Tensor(b), Tensor(a) @ Tensor(b)):
        same(ours, theirs, rtol=1e-12)


@pytest.mark.parametrize("dtype", DTYPES)
def test_matmul_dtypes(dtype):
    a, b = values((2, 3, 4), dtype, 1), values((4, 5), dtype, 2)
    check("matmul", [a, b], rtol=5e-3 if dtype == "float16" else 1e-5)
    check("matmul", [a, values((4,), "float32", 3)], rtol=5e-3 if dtype == "float16" else 1e-5)
    check("einsum", [], "ijk,kl->lij", a, b, rtol=5e-3 if dtype == "float16" else 1e-5)
    check("tensordot", [a, b], 1, rtol=5e-3 if dtype == "float16" else 1e-5)


def test_matmul_is_one_sum_over_the_last_axis():
    ops = [u.op for u in (Tensor(np.ones((2, 3))) @ Tensor(np.ones((3, 4)))).uop.toposort()]
    assert ops.count(Ops.REDUCE_AXIS) == 1 and ops.count(Ops.MUL) == 1


@pytest.mark.parametrize(
    ("left", "right"),
    [((), ()), ((), (2, 3)), ((3,), ()), ((3,), (3,)), ((2, 3), (3,)), ((2, 3), (3, 4)), ((2, 3), (5, 3, 4)),
     ((4, 2, 3), (3,))],
)  # fmt: skip
def test_dot(left, right):
    check("dot", [values(left, "float64", 1), values(right, "float64", 2)], rtol=1e-12)


def test_other_products():
    a, b = values((2, 3, 4), "float64", 1), values((5, 4), "float64", 2)
    check("inner", [a, b], rtol=1e-12)
    check("inner", [np.float64(2), b])
    check("outer", [a[0], b])
    check("kron", [a[0], b])
    check("kron", [a[0, 0], b])
    check("kron", [a, b])
    c, d = values((2, 3), "complex128", 3), values((2, 3), "complex128", 4)
    check("vdot", [c, d], rtol=1e-12)
    check("vecdot", [c, d], rtol=1e-12)
    check("vecdot", [a, b[0]], rtol=1e-12)
    check("vecdot", [a, a], axis=1, rtol=1e-12)
    same(np.outer(Tensor(b), b[0]), np.outer(b, b[0]))


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "int32", "bool"])
@pytest.mark.parametrize(
    ("matrix", "left", "right"),
    [((2, 3), (2,), (3,)), ((4, 2, 3), (2,), (4, 3)), ((2, 3), (5, 2), (5, 3)), ((4, 1, 0), (1,), (0,))],
)
def test_matrices_and_vectors(matrix, left, right, dtype):
    a = values(matrix, dtype, 1)
    check("matvec", [a, values(right, dtype, 2)], rtol=1e-5 if dtype == "float32" else 1e-12)
    check("vecmat", [values(left, dtype, 3), a], rtol=1e-5 if dtype == "float32" else 1e-12)


def test_matrices_and_vectors_by_the_laws():
    a, x = laws.lanes((3, 4)), laws.lanes((4,))
    laws.compiled(np.matvec, a[0], x[0])
    laws.mapped(np.matvec, a, x)
    laws.differentiated(np.matvec, a[0], x[0])
    laws.differentiated(np.vecmat, *laws.lanes((3,), 1, dtype="complex128"), a[0] * 1j)
    with pytest.raises(ShapeError, match="vecmat of matrices of shape"):
        fnp.vecmat(x[0], x[0])


@pytest.mark.parametrize(
    ("axes", "right"),
    [(0, (2,)), (1, (4, 5)), (2, (3, 4, 2)), (([1, 0], [2, 0]), (2, 5, 3)), ((1, 1), (2, 3)), ((-1, -1), (6, 4)),
     (3, (2, 3, 4))],
)  # fmt: skip
def test_tensordot(axes, right):
    check("tensordot", [values((2, 3, 4), "float64", 1), values(right, "float64", 2)], axes, rtol=1e-12)


def test_cross():
    a, b = values((4, 3), "float64", 1), values((3,), "float64", 2)
    check("cross", [a, b])
    check("cross", [b, a])
    check("cross", [a.T, a.T], axis=0)
    check("cross", [values((3, 2, 4), "float64"), values((2, 4, 3), "float64")], 0, 2, 1)
    with pytest.raises(ShapeError, match="3 elements"):
        fnp.cross(np.ones(2), np.ones(2))


SIZES = {"i": 2, "j": 3, "k": 4, "l": 5, "m": 1}


def operands(subscripts):
    terms = subscripts.replace(" ", "").partition("->")[0].split(",")
    shapes = [[(6, 7) if c == "." else (SIZES[c],) for c in t.replace("...", ".")] for t in terms]
    return [values([n for part in s for n in part], "float64", k) for k, s in enumerate(shapes)]


@pytest.mark.parametrize(
    "subscripts",
    ["ij,jk->ik", "ij,jk", "ij->ji", "ij", "ji", "ii", "ii->i", "iij->j", "iij->ji", "i,j->ij", "i,i", "i,i->", "ijk->",
     "ij,kl->ijkl", "ij,jk,kl->il", "ij,jk,ki->", "ij,ik,il->jkl", "ij,ij->ij", "i,ij,j", "...ij,...jk->...ik",
     "i...->...i", "...ii->...", "...,i->i...", "ij...,jk->k...i", "im,mj->ij", "ij , jk -> ki", "iij,jjk->ik",
     "i...->..."],
)  # fmt: skip
def test_einsum(subscripts):
    arrays = operands(subscripts)
    theirs = np.einsum(subscripts, *arrays)
    same(fnp.einsum(subscripts, *map(Tensor, arrays)), theirs, rtol=1e-11, what=subscripts)
    same(np.einsum(subscripts, *map(Tensor, arrays), optimize=True), theirs, rtol=1e-11, what=subscripts)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_einsum_of_random_subscripts(data):
    letters = st.text("ijkm", min_size=0, max_size=4)
    terms = data.draw(st.lists(letters, min_size=1, max_size=3))
    used = sorted(set("".join(terms)))
    out = "".join(data.draw(st.permutations(used)))[: data.draw(st.integers(0, len(used)))]
    subscripts = ",".join(terms) + data.draw(st.sampled_from(["", "->" + out]))
    arrays = operands(subscripts)
    same(fnp.einsum(subscripts, *arrays), np.einsum(subscripts, *arrays), rtol=1e-10, what=subscripts)


def test_einsum_of_labels_and_broadcast_ones():
    a, b = values((2, 3), "float64", 1), values((3, 4), "float64", 2)
    same(fnp.einsum(a, [0, 1], b, [1, 2], [2, 0]), np.einsum(a, [0, 1], b, [1, 2], [2, 0]), rtol=1e-12)
    same(fnp.einsum(a, [0, Ellipsis], [Ellipsis, 0]), np.einsum(a, [0, Ellipsis], [Ellipsis, 0]))
    same(fnp.einsum("ij,ij->ij", a, b[:, :1].T), np.einsum("ij,ij->ij", a, b[:, :1].T))
    same(fnp.einsum("...i,...i->...", a, np.ones((5, 1, 3))), np.einsum("...i,...i->...", a, np.ones((5, 1, 3))))
    same(fnp.einsum("ij->", a, dtype="float32"), np.einsum("ij->", a.astype("float32")), rtol=1e-5)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda a: a @ np.ones((4, 2)), ShapeError, r"matmul of shapes \(2, 3\) and \(4, 2\)"),
        (lambda a: a @ 2.0, ShapeError, "without axes"),
        (lambda a: fnp.matmul(np.ones((2, 3, 4)), np.ones((3, 4, 5))), ShapeError, "do not broadcast"),
        (lambda a: fnp.dot(a, a), ShapeError, r"dot: shapes \(2, 3\) and \(2, 3\) are not aligned"),
        (lambda a: fnp.tensordot(a, a, 3), AxisError, "3 axes"),
        (lambda a: fnp.einsum("ij,jk", a, a), ShapeError, "stands for sizes 3 and 2"),
        (lambda a: fnp.einsum("ijk", a), ShapeError, "do not fit an operand"),
        (lambda a: fnp.einsum("ij,jk", a), ArgumentValueError, "name 2 operands, 1 are given"),
        (lambda a: fnp.einsum("ij->ijz", a), ArgumentValueError, "label of its own|one of its own"),
        (lambda a: fnp.einsum("i1", a), ArgumentValueError, "expected letters"),
        (lambda a: fnp.vdot(a, a[0]), ShapeError, "as many elements"),
    ],
)
def test_errors(call, error, text):
    with pytest.raises(error, match=text) as caught:
        call(Tensor(np.ones((2, 3))))
    assert "test_contraction.py" in str(caught.value)
