"""Arrays on files: windows are read where they are touched, never written, and never past the end of the file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.pipeline import Program
from functrans.ops import Ops
from functrans.ops.movement import flat
from functrans.tensor.reading import values

X = np.random.default_rng(5).normal(size=(6, 4, 5))
THREE = ("CPU", "CPU:1", "CPU:2")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with 24 bytes of something else, and then X."""
    made = tmp_path / "numbers.bin"
    made.write_bytes(b"\x7f" * 24 + X.tobytes())
    return made


def view_of(t: ft.Tensor) -> tuple[int, int]:
    """Size and offset of the BUFFER_VIEW that a Tensor is."""
    node = flat(t.uop)
    assert node.op is Ops.BUFFER_VIEW
    size, offset = node.arg
    return size, offset


def test_a_window_of_a_file(path: Path) -> None:
    t = ft.Tensor.from_file(path, np.float64, X.shape, offset=24)
    assert (t.shape, t.dtype, t.device) == (X.shape, np.float64, "CPU")
    assert view_of(t) == (120, 3)
    np.testing.assert_array_equal(t.numpy(), X)
    small = ft.Tensor.from_file(str(path), np.float32, 4, offset=24 + 8 * 7)
    np.testing.assert_array_equal(small.numpy(), X.reshape(-1)[7:9].view(np.float32))
    assert ft.Tensor.from_file(path, "u1", (), offset=3).item() == 0x7F


@pytest.mark.parametrize(
    ("key", "arg"),
    [
        (np.s_[2], (20, 43)),
        (np.s_[-1], (20, 103)),
        (np.s_[1:4], (60, 23)),
        (np.s_[3, 2], (5, 73)),
        (np.s_[3, 1:3], (10, 68)),
        (np.s_[0, 0, 1:4], (3, 4)),
        (np.s_[2:3, :, :], (20, 43)),
    ],
)
def test_a_leading_slice_is_another_window(path: Path, key: Any, arg: tuple[int, int]) -> None:
    t = ft.Tensor.from_file(path, np.float64, X.shape, offset=24)[key]
    assert view_of(t) == arg
    np.testing.assert_array_equal(t.numpy(), X[key])


@pytest.mark.usefixtures("compiler")
def test_windows_in_compiled_functions(path: Path) -> None:
    t = ft.Tensor.from_file(path, np.float64, X.shape, offset=24)
    f = ft.jit(lambda y: (t[4] * y, t[:, 1].sum(), t[1:3].T, t[::-2] + y))
    y = np.arange(5.0)
    for got, wanted in zip(f(y), (X[4] * y, X[:, 1].sum(), X[1:3].T, X[::-2] + y), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-14)
    sources = {ft.jit(lambda y, k=k: t[k] * y).lower(y).c_source for k in range(6)}
    assert len(sources) == 1  # wherever the window lies, the code is the same
    np.testing.assert_array_equal(ft.jit(np.sin)(t).numpy(), ft.jit(np.sin)(X))
    np.testing.assert_array_equal(ft.vmap(lambda r: r.sum())(t).numpy(), ft.vmap(lambda r: r.sum())(X))
    np.testing.assert_array_equal(ft.jit(np.sin)(t.shard(THREE, 1)).numpy(), ft.jit(np.sin)(X))
    np.testing.assert_array_equal(ft.jit(np.sin)(t[1:].shard(THREE, 0)).numpy(), ft.jit(np.sin)(X[1:]))


@pytest.fixture
def huge(tmp_path: Path) -> Path:
    """A terabyte, of which one kilobyte is there."""
    made = tmp_path / "huge.bin"
    with open(made, "wb") as file:
        try:
            file.truncate(2**40)
        except OSError:
            pytest.skip("no sparse files here")
        file.seek(2**39)
        file.write(np.arange(128.0).tobytes())
    return made


@pytest.mark.usefixtures("compiler")
def test_a_terabyte_is_not_read(huge: Path) -> None:
    rows = 2**30
    t = ft.Tensor.from_file(huge, np.float64, (rows, 128))
    row = np.arange(128.0)
    np.testing.assert_array_equal(t[rows // 2].numpy(), row)
    np.testing.assert_array_equal(t[rows // 2, 3:7].numpy(), row[3:7])
    f = ft.jit(lambda y: t[rows // 2] * y + t[rows // 2 - 1])
    np.testing.assert_array_equal(f(2.0), 2 * row)
    g = ft.jit(lambda x: x[rows // 2 :][0].sum())  # the whole file as an argument
    assert g(t).item() == row.sum()
    m = ft.Tensor(np.memmap(huge, np.float64, "r", shape=(rows, 128)))
    assert (m[rows // 2 - 1 : rows // 2 + 1].shard(THREE, 1) + 0).sum().item() == row.sum()


def test_a_memory_mapped_array_stays_in_its_file(path: Path) -> None:
    m = np.memmap(path, np.float64, "r", 24, X.shape)
    assert view_of(ft.Tensor(m)) == (120, 3)
    assert view_of(ft.Tensor(m[2:4])) == (40, 43)
    assert view_of(ft.Tensor(m[2:4][1])) == (20, 63)
    for key in (np.s_[:], np.s_[2:4], np.s_[5, 3], np.s_[1]):
        np.testing.assert_array_equal(ft.Tensor(m[key]).numpy(), X[key])
    turned = ft.Tensor(m.T)
    assert turned.uop.op is Ops.PERMUTE
    np.testing.assert_array_equal(turned.numpy(), X.T)
    fortran = np.memmap(path, np.float64, "r", 24, X.shape, order="F")
    np.testing.assert_array_equal(ft.Tensor(fortran).numpy(), fortran)


def test_a_far_offset_is_found(tmp_path: Path) -> None:
    """The mapping begins at a page, the array behind it."""
    path = tmp_path / "far.bin"
    x = np.arange(20000.0)
    x.tofile(path)
    t = ft.Tensor(np.memmap(path, np.float64, "r", 8 * 9001, (50, 20)))
    np.testing.assert_array_equal(t.numpy(), x[9001:10001].reshape(50, 20))
    np.testing.assert_array_equal(t[7].numpy(), x[9141:9161])
    late = ft.Tensor(np.memmap(path, np.float64, "r", 8 * 19000, (1000,)))
    os.truncate(path, 8 * 19500)
    np.testing.assert_array_equal(late[:500].numpy(), x[19000:19500])
    with pytest.raises(ft.ShapeError, match="ends at byte 156008"):
        late[:501].numpy()
    odd = ft.Tensor(np.memmap(path, np.float32, "r", 4 * 9001, (5,)))
    np.testing.assert_array_equal(odd.numpy(), x.view(np.float32)[9001:9006])


@pytest.mark.parametrize(
    "make",
    [
        lambda m: m[:, ::2],
        lambda m: m[:, 1],
        lambda m: m[::-1],
        lambda m: m.view(">f8"),
        lambda m: m + 1,
        lambda m: m.copy(),
        lambda m: m[:0],
    ],
)
def test_what_does_not_lie_in_order_is_copied_as_any_array_is(path: Path, make: Any) -> None:
    given = make(np.memmap(path, np.float64, "r", 24, X.shape))
    t = ft.Tensor(given)
    assert Ops.BUFFER_VIEW not in {u.op for u in t.uop.toposort()}
    np.testing.assert_array_equal(t.numpy(), given)


def test_unaligned_elements_are_copied(path: Path) -> None:
    given = np.memmap(path, np.float64, "r", 25, (3,))
    np.testing.assert_array_equal(ft.Tensor(given).numpy(), given)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("mode", ["r", "r+", "c"])
def test_the_file_is_never_written(path: Path, mode: Any) -> None:
    before = path.read_bytes()
    m = np.memmap(path, np.float64, mode, 24, X.shape)
    t = ft.Tensor(m)
    t.at[0].set(0.0).realize()
    (t * 2).realize()
    t.numpy()[...] = 0.0
    ft.jit(lambda x: x.at[1].add(1.0))(t)
    ft.jit(lambda x: x)(t).numpy()[...] = 0.0
    assert not values(t, "a test").flags.writeable
    assert path.read_bytes() == before
    np.testing.assert_array_equal(t.numpy(), X)


def test_changes_of_others_are_seen(path: Path) -> None:
    t = ft.Tensor.from_file(path, np.float64, X.shape, offset=24)
    np.memmap(path, np.float64, "r+", 24, X.shape)[0, 0, 0] = 7.0
    assert t[0, 0, 0].item() == 7.0


def test_an_array_outlives_the_name_and_the_mapping(path: Path) -> None:
    m = np.memmap(path, np.float64, "r", 24, X.shape)
    t = ft.Tensor(m)
    with pytest.raises(BufferError):
        m._mmap.close()
    del m
    os.remove(path)
    np.testing.assert_array_equal(t.numpy(), X)


@pytest.mark.usefixtures("compiler")
def test_a_file_that_became_shorter_is_an_error_not_a_crash(path: Path) -> None:
    t = ft.Tensor.from_file(path, np.float64, X.shape, offset=24)
    f, g = ft.jit(lambda: t * 2), ft.jit(lambda: t[0] * 2)
    np.testing.assert_array_equal(f(), X * 2)
    os.truncate(path, 24 + 8 * 30)
    for read in (t.numpy, f, lambda: ft.jit(np.sin)(t), lambda: t[5].sum().item(), lambda: (t + t).realize()):
        with pytest.raises(ft.ShapeError, match=r"numbers.bin' has 264 bytes.*\(test_files.py:\d+\).*become shorter"):
            read()
    np.testing.assert_array_equal(g(), X[0] * 2)  # what is still there can be read
    np.testing.assert_array_equal(t[0].numpy(), X[0])


@pytest.mark.parametrize(
    ("kwargs", "error", "text"),
    [
        ({"shape": (6, 4, 6)}, ft.ShapeError, r"numbers.bin' has 984 bytes; shape \(6, 4, 6\) of float64 .* 1176"),
        ({"offset": 32}, ft.ShapeError, "needs 992"),
        ({"offset": 5000, "shape": 0}, ft.ShapeError, "needs 5000"),
        ({"offset": 20}, ft.ArgumentError, "multiples of 8"),
        ({"offset": -8}, ft.ArgumentError, "negative"),
        ({"shape": (-1,)}, ft.ArgumentError, "negative"),
        ({"shape": 2.5}, ft.ArgumentError, "integer"),
        ({"offset": "0"}, ft.ArgumentError, "integer"),
        ({"dtype": ">f8"}, ft.DtypeError, "byte order"),
        ({"dtype": object}, ft.DtypeError, "not supported"),
        ({"path": "nowhere.bin"}, FileNotFoundError, "nowhere.bin"),
    ],
)
def test_windows_that_are_none(path: Path, kwargs: dict[str, Any], error: Any, text: str) -> None:
    given = {"path": path, "dtype": np.float64, "shape": X.shape, "offset": 24} | kwargs
    with pytest.raises(error, match=text):
        ft.Tensor.from_file(**given)


def test_an_empty_window(path: Path, tmp_path: Path) -> None:
    assert ft.Tensor.from_file(path, np.float64, (0, 3), offset=984).shape == (0, 3)
    empty = tmp_path / "empty.bin"
    empty.touch()
    assert ft.Tensor.from_file(empty, np.float64, 0).numpy().shape == (0,)


def test_a_window_elsewhere_is_the_same_plan(path: Path) -> None:
    t = ft.Tensor.from_file(path, np.float64, X.shape, offset=24)
    plans = {id(Program([(t[k] * 2).uop], []).plan) for k in range(6)}
    assert len(plans) == 1
