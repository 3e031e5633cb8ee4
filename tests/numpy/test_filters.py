"""convolve, correlate and sliding windows against NumPy: modes, dtypes, sizes, derivatives, patterns, maps."""

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.errors import ArgumentValueError, AxisError, ShapeError, UnsupportedError
from functrans.tensor import Tensor
from tests.numpy import laws
from tests.numpy.cases import check, same, values

DTYPES = ["float64", "float32", "float16", "int64", "int8", "uint8", "bool", "complex64", "complex128"]
MODES = ["valid", "same", "full"]
windows = np.lib.stride_tricks.sliding_window_view


@pytest.mark.parametrize("name", ["convolve", "correlate"])
@pytest.mark.parametrize("mode", MODES)
def test_sizes_and_dtypes(name, mode):
    for m, n in [(1, 1), (5, 1), (1, 4), (7, 3), (3, 7), (4, 4), (6, 5), (2, 6)]:
        check(name, [values((m,), "float64"), values((n,), "float64", 1)], mode)
        check(name, [values((m,), "complex128"), values((n,), "complex128", 1)], mode=mode)
    for dtype in DTYPES:
        rtol = 5e-3 if dtype == "float16" else None
        check(name, [values((7,), dtype), values((3,), dtype, 1)], mode, rtol=rtol)
        check(name, [values((3,), "int8"), values((7,), dtype, 1)], mode, rtol=rtol)
    check(name, [values((), "float64"), values((3,), "float64")], mode) if name == "convolve" else None


@pytest.mark.parametrize("name", ["convolve", "correlate"])
def test_infinite_elements_touch_only_what_they_meet(name):
    a, v = np.array([1.0, 0.0, np.inf, 2.0, 0.0, -1.0]), np.array([0.0, np.inf, 1.0])
    for mode in MODES:
        check(name, [a, v], mode)
        check(name, [v, a], mode)


@pytest.mark.parametrize("name", ["convolve", "correlate"])
@pytest.mark.parametrize("mode", MODES)
def test_compiled_mapped_and_differentiated(name, mode):
    f = getattr(np, name)
    a, v = laws.lanes((6,)), laws.lanes((3,), seed=8)
    laws.compiled(lambda x, y: getattr(fnp, name)(x, y, mode), a[0], v[0])
    laws.compiled(lambda x, y: getattr(fnp, name)(x, y, mode), v[0], a[0])
    laws.mapped(lambda x, y: f(x, y, mode), a, v)
    laws.mapped(lambda y: f(a[0], y, mode), v)
    laws.differentiated(lambda x, y: f(x, y, mode), a[0], v[0])
    laws.differentiated(lambda x, y: f(x, y, mode), a[0] + 1j * a[1], v[0] - 1j * v[1])


@pytest.mark.parametrize("mode", MODES)
def test_pattern_by_a_constant_kernel_is_its_band(mode):
    x, kernel = values((6,), "float64"), np.array([1.0, 0.0, 2.0])
    want = np.stack([np.convolve(row, kernel, mode) for row in np.eye(6)], 1)
    laws.patterned(lambda t: np.convolve(t, kernel, mode), x, want)
    want = np.stack([np.correlate(row, kernel, mode) for row in np.eye(6)], 1)
    laws.patterned(lambda t: np.correlate(t, kernel, mode), x, want)
    want = np.stack([np.convolve(row, x, mode) for row in np.eye(3)], 1)
    laws.patterned(lambda t: np.convolve(x, t, mode), kernel, want)


CASES = [((7,), 3, None), ((7,), (1,), None), ((4, 3, 5), (2, 3, 1), None), ((4, 3, 5), 2, 1),
         ((4, 3, 5), (2, 4), (0, -1)), ((4, 5), (2, 2), (0, 0)), ((3,), 3, 0), ((3,), 0, None),
         ((0, 4), 2, 1), ((4, 0), 2, 0)]  # fmt: skip


@pytest.mark.parametrize(("shape", "window", "axis"), CASES)
def test_windows(shape, window, axis):
    for dtype in ("float64", "int8", "bool", "complex64"):
        x = values(shape, dtype)
        want = windows(x, window, axis)
        same(windows(Tensor(x), window, axis), want)
        same(fnp.sliding_window_view(x, window, axis), want)
    laws.compiled(lambda t: fnp.sliding_window_view(t, window, axis), values(shape, "float64"))


def test_windows_mapped_differentiated_and_their_pattern():
    x = laws.lanes((4, 3, 5))
    laws.mapped(lambda t: windows(t, (2, 3), (0, 2)), x)
    laws.mapped(lambda t: windows(t, 3, 2).max(-1), x)
    laws.differentiated(lambda t: windows(t, (2, 3), (0, 2)) ** 2, x[0])
    want = np.zeros((4, 3, 6))
    for i in range(4):
        want[i, [0, 1, 2], [i, i + 1, i + 2]] = 1
    laws.patterned(lambda t: windows(t, 3), np.arange(6.0), want.reshape(12, 6))


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda t: np.convolve(t[:0], t), ShapeError),
        (lambda t: np.convolve(t, t[:0]), ShapeError),
        (lambda t: np.correlate(t, t[:0]), ShapeError),
        (lambda t: np.convolve(t.reshape(1, 3), t), ShapeError),
        (lambda t: np.correlate(t, t, "odd"), ArgumentValueError),
        (lambda t: np.convolve(t, t, 3), ArgumentValueError),
        (lambda t: windows(t, 4), ShapeError),
        (lambda t: windows(t, (2, 2)), ShapeError),
        (lambda t: windows(t, -1), ArgumentValueError),
        (lambda t: windows(t, 1, 1), AxisError),
    ],
)
def test_errors_are_those_of_numpy(call, error):
    with pytest.raises(error) as ours:
        call(Tensor(np.ones(3)))
    with pytest.raises(ValueError):
        call(np.ones(3))
    assert isinstance(ours.value, ValueError)


def test_windows_are_values():
    with pytest.raises(UnsupportedError, match=r"x.at\[i\].set"):
        windows(Tensor(np.ones(3)), 2, writeable=True)
    x = np.arange(4.0)
    assert ft.jit(lambda t: windows(t, 2))(x).flags.writeable
