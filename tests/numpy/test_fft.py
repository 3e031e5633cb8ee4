"""np.fft on Tensors against NumPy: directions, sizes, axes, norms, dtypes, derivatives, patterns, maps, segments."""

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.errors import ArgumentValueError, AxisError, DtypeError, ShapeError, UnsupportedError
from functrans.tensor import Tensor
from tests.numpy import laws
from tests.numpy.cases import quiet, same, traced, values

LINES = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
REAL = {"rfft", "ihfft", "rfft2", "rfftn"}  # those that take real numbers alone
SPACES = ["fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"]


def check_fft(name, x, *args, rtol=None, **options):
    """fnp.fft.name eager, np.fft.name of a Tensor, and of a placeholder, against NumPy."""
    theirs = quiet(getattr(np.fft, name), x, *args, **options)
    ours = getattr(fnp.fft, name)
    same(ours(Tensor(x), *args, **options), theirs, rtol, name)
    same(getattr(np.fft, name)(Tensor(x), *args, **options), theirs, rtol, name)
    (leaf,), (found,) = traced(lambda t: ours(t, *args, **options), [x])
    assert (leaf.shape, leaf.dtype) == (found.shape, found.dtype) == (theirs.shape, theirs.dtype)


@pytest.mark.parametrize("name", LINES)
def test_lines(name):
    for dtype in ("float64", "float32", "float16", "int8", "bool", "complex64", "complex128"):
        if name in REAL and dtype[0] == "c":
            continue
        rtol = 2e-2 if dtype == "float16" else 1e-5 if dtype in ("float32", "complex64") else 1e-12
        x = values((4, 3, 5), dtype)
        for options in ({}, {"axis": 0}, {"n": 3}, {"n": 8, "axis": 1}, {"n": 1}, {"axis": -2, "n": 7}):
            for norm in (None, "backward", "ortho", "forward"):
                check_fft(name, x, norm=norm, rtol=rtol, **options)
    check_fft(name, np.zeros((0, 4)))
    check_fft(name, np.ones(1), n=1)
    check_fft(name, np.ones((2, 0)), n=3)


@pytest.mark.parametrize("name", SPACES)
def test_spaces(name):
    for dtype in ("float64", "float32", "complex128"):
        if name in REAL and dtype[0] == "c":
            continue
        x, rtol = values((4, 3, 5), dtype), 1e-5 if dtype == "float32" else 1e-12
        sized = {"s": (3, 6), "axes": (1, 2)}, {"s": (-1, 2), "axes": (0, 1)}
        for options in ({}, {"axes": (0, 2)}, {"axes": (2, 0)}, *sized):
            for norm in (None, "ortho", "forward"):
                check_fft(name, x, norm=norm, rtol=rtol, **options)


@pytest.mark.parametrize("name", ["fftshift", "ifftshift"])
def test_shifts(name):
    for shape in ((5,), (4, 3, 5), (0, 2), (1,)):
        x = values(shape, "float64")
        for axes in (None, 0, -1, (0, len(shape) - 1)):
            check_fft(name, x, axes=axes) if axes is None or len(shape) > 1 else check_fft(name, x, axes=0)


def test_frequencies():
    for n in (1, 4, 5):
        for d in (1.0, 0.25, 2):
            same(fnp.fft.fftfreq(n, d), np.fft.fftfreq(n, d))
            same(fnp.fft.rfftfreq(n, d), np.fft.rfftfreq(n, d))
    np.testing.assert_allclose(ft.jacfwd(lambda d: fnp.fft.fftfreq(4, d))(0.5), -np.fft.fftfreq(4, 1.0) * 4)


@pytest.mark.parametrize("name", LINES + SPACES)
def test_compiled_mapped_and_differentiated(name):
    f = getattr(np.fft, name)
    x = laws.lanes((4, 5))
    for norm in (None, "ortho"):
        laws.differentiated(lambda t: f(t, norm=norm), x[0])
        if name not in REAL:
            laws.differentiated(lambda t: f(t, norm=norm), x[0] + 1j * x[1])
    laws.mapped(f, x, rtol=1e-11)
    laws.mapped(lambda t: abs(f(t * t)) + t.sum(), x, rtol=1e-11)
    laws.compiled(lambda t: abs(getattr(fnp.fft, name)(t * 2)) ** 2, x[0])


@pytest.mark.parametrize("n", [4, 5])
def test_odd_and_even_sizes_backward(n):
    x = laws.lanes((7,))
    for name in LINES:
        laws.differentiated(lambda t, f=getattr(np.fft, name): f(t, n), x[0])
        laws.differentiated(lambda t, f=getattr(np.fft, name): f(t, 2 * n + 1), x[0])


def test_second_derivatives_and_a_filter():
    x = values((6,), "float64")
    gain = 1 / (1 + np.arange(4.0))

    def smooth(t):
        return np.fft.irfft(np.fft.rfft(t) * gain, 6)

    matrix = np.stack([np.fft.irfft(np.fft.rfft(e) * gain, 6) for e in np.eye(6)], 1)
    np.testing.assert_allclose(ft.jacfwd(smooth)(x), matrix, atol=1e-14)
    np.testing.assert_allclose(ft.jacrev(smooth)(x), matrix, atol=1e-14)
    np.testing.assert_allclose(ft.hessian(lambda t: (smooth(t) ** 2).sum())(x), 2 * matrix.T @ matrix, atol=1e-13)
    np.testing.assert_allclose(ft.vmap(ft.jacrev(smooth))(np.stack([x, x * 2])), [matrix] * 2, atol=1e-14)


def test_a_line_is_a_dense_block():
    x = values((3, 4), "float64")
    laws.patterned(lambda t: np.fft.irfft(np.fft.rfft(t), 4), x, np.kron(np.eye(3), np.ones((4, 4))))


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda t: np.fft.fft(t, 0), ArgumentValueError),
        (lambda t: np.fft.fft(t[:0]), ArgumentValueError),
        (lambda t: np.fft.fft(t, norm="none"), ArgumentValueError),
        (lambda t: np.fft.fft(t, axis=1), AxisError),
        (lambda t: np.fft.rfft(t * 1j), DtypeError),
        (lambda t: np.fft.fftn(t, s=(1, 2), axes=(0,)), ShapeError),
        (lambda t: np.fft.fftn(t, axes=(1,)), AxisError),
        (lambda t: np.fft.fft(t.sum()), ShapeError),
        (lambda t: fnp.fft.fftfreq(0.5), ArgumentValueError),
    ],
)
def test_errors(call, error):
    with pytest.raises(error):
        call(Tensor(np.ones(3)))


def test_no_out():
    with pytest.raises(UnsupportedError, match="out="):
        np.fft.fft(Tensor(np.ones(3)), out=np.empty(3, complex))
