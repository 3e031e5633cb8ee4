"""Row 28: with debug_nans on, the op that made a NaN, the user's line and the element of the batch."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend import pipeline
from functrans.errors import NanError

X = np.arange(1.0, 25.0).reshape(2, 3, 4)
BAD = X.copy()
BAD[1, 2, 3] = -1.0


@pytest.fixture(autouse=True)
def on() -> Iterator[None]:
    with ft.config.override(debug_nans=True):
        yield


def line_of(f: Callable[..., Any], mark: str = "# here") -> int:
    lines, first = inspect.getsourcelines(f)
    return next(first + k for k, text in enumerate(lines) if mark in text)


def entropy(x: Any) -> Any:
    doubled = x * 2
    logs = np.log(doubled)  # here
    return (x * logs).sum() + 1


def caught(call: Callable[[], Any]) -> str:
    with pytest.raises(FloatingPointError) as error:
        call()
    assert isinstance(error.value, NanError)
    return str(error.value)


HERE = f"encountered in log (test_debug_nans.py:{line_of(entropy)})"
CALLS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "jit": (ft.jit(entropy), " at index (1, 2, 3);"),
    "vmap": (ft.vmap(entropy), " at batch index 1, index (2, 3);"),
    "vmap of another axis": (ft.vmap(entropy, in_axes=-1), " at batch index 3, index (1, 2);"),
    "vmap rewrite": (ft.vmap(entropy, method="rewrite"), " at index (1, 2, 3);"),
    "vmap pad_reduce": (ft.vmap(entropy, method="pad_reduce"), " at batch index 1, index (2, 3);"),
    "vmap outer": (ft.vmap(entropy, axis_type="outer"), " at batch index 1, index (2, 3);"),
    "vmap of vmap": (ft.vmap(ft.vmap(entropy)), " at batch index (1, 2), index 3;"),
    "jit of vmap": (ft.jit(ft.vmap(ft.vmap(ft.vmap(entropy)))), " at batch index (1, 2, 3);"),
    "vmap of jit": (ft.vmap(ft.jit(entropy)), " at batch index 1, index (2, 3);"),
    "jvp": (lambda x: ft.jvp(entropy, (x,), (x,)), " at index (1, 2, 3);"),
    "vmap of jvp": (ft.vmap(lambda x: ft.jvp(entropy, (x,), (x,))), " at batch index 1, index (2, 3);"),
    "jvp of vmap": (lambda x: ft.jvp(ft.vmap(entropy), (x,), (x,)), " at batch index 1, index (2, 3);"),
}


@pytest.mark.parametrize("how", CALLS)
def test_row_28_op_line_and_batch_index(how: str) -> None:
    call, where = CALLS[how]
    assert HERE + where in caught(lambda: call(BAD))
    call(X)  # no NaN, no error


def test_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "available", lambda: False)
    assert HERE in caught(lambda: ft.vmap(entropy)(BAD))


def test_a_derivative_that_is_nan_names_the_line_of_the_op_that_is_differentiated() -> None:
    def f(x: Any) -> Any:
        y = np.sqrt(x)  # here
        return y * 3

    text = caught(lambda: ft.jvp(f, (np.zeros(2),), (np.zeros(2),)))  # 0 * infinity
    assert f"encountered in mul (test_debug_nans.py:{line_of(f)}) at index 0" in text


def test_a_nan_that_no_result_holds_is_none() -> None:
    guarded = ft.jit(lambda x: np.where(x > 0, np.log(x), 0.0))
    assert guarded(BAD)[1, 2, 3] == 0
    counted = ft.jit(lambda x: np.isnan(np.log(x)).sum())
    assert counted(BAD) == 1


def test_of_two_nans_the_one_that_reaches_the_result() -> None:
    def f(x: Any) -> Any:
        lost = np.log(x)
        kept = np.arcsin(x)  # here
        return np.where(x < 0, 0.5, np.where(x > 20, kept, lost))

    assert f"encountered in asin (test_debug_nans.py:{line_of(f)}) at index (1, 2, 0)" in caught(lambda: ft.jit(f)(BAD))


def test_a_nan_of_the_caller() -> None:
    given = X.copy()
    given[0, 1, 2] = np.nan
    assert "a nan came in with leaf 1 of the arguments at index (0, 1, 2)" in caught(
        lambda: ft.jit(lambda s, x: s * x)(2.0, given)
    )
    text = caught(lambda: ft.vmap(lambda r: r * given[0])(X))
    assert "a nan came in with a captured array of 12 elements at index 6 (test_debug_nans.py:" in text
    assert "a nan came in with a constant" in caught(lambda: ft.jit(lambda x: x * np.nan)(X))


def test_a_function_that_was_called_before_knows_its_lines_too() -> None:
    f = ft.jit(entropy)
    with ft.config.override(debug_nans=False):
        assert np.isnan(f(BAD))
        assert np.isnan(f(BAD))
    assert HERE in caught(lambda: f(BAD))
    with ft.config.override(debug_nans=False):
        assert np.isnan(f(BAD))


def test_complex_numbers_and_out() -> None:
    out = np.zeros(2, complex)
    text = caught(lambda: ft.jit(lambda z: z / (z - z))(np.array([1 + 1j, 2j]), out=out))
    assert "encountered in fdiv" in text
    assert "encountered in sub" in caught(lambda: ft.jit(lambda z: z - z)(np.array([np.inf])))
