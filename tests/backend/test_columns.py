"""Columns that are copied to rows: the same bits as rows, and only where lanes would keep too much."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen import lanes as package
from functrans.config import config
from functrans.ops.kernel import closing
from tests.backend.executed import executed, lowered
from tests.backend.test_lanes import BODIES, ROUGH, always, drawn, never, one_by_one, softmax
from tests.plans import plan_anew

TILE = "ft_min_i64(8, (n0 + "


@pytest.fixture
def by_rows(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """Whether columns are rows wherever that can be, or nowhere."""

    def set_(wanted: bool) -> None:
        monkeypatch.setattr(package, "chosen", always if wanted else never)
        monkeypatch.setattr(package, "share", lambda cache, arrays: -1 if wanted else 1 << 60)
        monkeypatch.setattr(package, "pays", lambda loop: True)
        plan_anew(monkeypatch)

    return set_


def shifted(x: Any) -> Any:
    """Rows of the column from another than the first on, and turned."""
    e = np.exp(x[2:] - x[1:-1].max())
    return e / e.sum() + x[::-1][1:-1]


def halved(x: Any) -> Any:
    """A column of numbers of four bytes, 16 to a line."""
    return softmax(x.astype(np.float64))


def several(x: Any) -> Any:
    e = np.exp(x - x.max())
    return e / e.sum(), e.sum(), np.cumsum(e)[::2]


NAMES = ("softmax", "softmax-7", "waves", "gathered", "padded", "narrow", "layers", "summed", "long", "longer")
COLUMNS: dict[str, tuple[Callable[[Any], Any], int]] = {
    **{name: BODIES[name] for name in NAMES},
    "shifted": (shifted, 41), "several": (several, 37), "halved": (halved, 50),
}  # fmt: skip


def stacked(results: Any) -> list[np.ndarray]:
    return [np.asarray(r) for r in results] if isinstance(results, tuple) else [np.asarray(results)]


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("name", COLUMNS)
def test_the_bits_are_those_of_rows_in_every_batch(name: str, by_rows: Callable[[bool], None]) -> None:
    f, n = COLUMNS[name]
    x = drawn(27, n).astype(np.float32 if name == "halved" else float)
    by_rows(False)
    want = stacked(ft.jit(ft.vmap(lambda r: f(r)))(x))
    by_rows(True)
    g = ft.jit(ft.vmap(lambda r: f(r), in_axes=1))
    for batch in (0, 1, 7, 8, 9, 16, 27):
        for count in (1, 3):
            with config.override(threads=count):
                got = stacked(g(np.ascontiguousarray(x[:batch].T)))
            for a, b in zip(got, want, strict=True):
                np.testing.assert_array_equal(a, b[:batch])
    if name in ("softmax", "shifted", "several", "halved", "long"):
        assert (TILE if x.itemsize == 8 else TILE.replace("8", "16", 1)) in g.lower(np.ascontiguousarray(x.T)).c_source


@pytest.mark.usefixtures("compiler")
def test_two_arrays_and_a_shared_one(by_rows: Callable[[bool], None]) -> None:
    def f(x: Any, y: Any, w: Any) -> Any:
        e = np.exp(x - (w * y).max())
        return e / e.sum() + y

    x, y, w = drawn(21, 40), drawn(21, 40) * 2, drawn(1, 40)[0]
    by_rows(False)
    want = ft.jit(ft.vmap(f, in_axes=(0, 0, None)))(x, y, w)
    by_rows(True)
    for axes, other in (((1, 1, None), y.T), ((1, 0, None), y)):
        g = ft.jit(ft.vmap(lambda *a: f(*a), in_axes=axes))
        args = (np.ascontiguousarray(x.T), np.ascontiguousarray(other), w)
        np.testing.assert_array_equal(g(*args), want)
        assert (TILE in g.lower(*args).c_source) == (axes[1] == 1)


@pytest.mark.parametrize("batch", [1, 8, 19])
@pytest.mark.parametrize("name", ["softmax", "waves", "padded", "long"])
def test_the_statements_mean_what_the_arrays_mean(name: str, batch: int, by_rows: Callable[[bool], None]) -> None:
    by_rows(True)
    f, n = BODIES[name]
    x = drawn(batch, n)
    found = ft.jit(ft.vmap(f, in_axes=1)).lower(np.ascontiguousarray(x.T))
    outputs, params = found.program.outputs, found.program.params
    (got,) = executed(outputs, dict(zip(params, [np.ascontiguousarray(x.T)], strict=True)))
    rough = ROUGH.get(name, 1e-9)
    np.testing.assert_allclose(got, one_by_one(f, x), rtol=rough, atol=rough)
    for kernel in lowered(outputs)[1]:
        closing(kernel.uops)


@pytest.mark.parametrize(
    "shape, out_axis, dtype, wanted",
    [
        ((9000, 4), 0, float, True),
        ((9000, 4), 1, float, False),  # columns are written too: as many lanes as there are
        ((100, 4), 0, float, False),  # 16 columns stay at hand
        ((9000, 4), 0, np.float32, True),
        ((9000, 4), 0, np.float16, False),
        ((2_000_000, 4), 0, float, False),  # the copies would be larger than any cache
    ],
)
def test_where_lanes_keep_too_much(shape: tuple[int, ...], out_axis: int, dtype: Any, wanted: bool) -> None:
    source = ft.jit(ft.vmap(softmax, in_axes=1, out_axis=out_axis)).lower(np.ones(shape, dtype)).c_source
    assert (f"ft_min_i64({64 // np.dtype(dtype).itemsize}, (n0 + " in source) == wanted
