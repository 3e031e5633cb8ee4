"""What cannot be exported, and what does not fit: named, with the way out."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.export.names import identifiers
from tests.export.samples import exported

X = np.ones(3)


NAMES = ["", "2x", "a b", "größe", "a-b", "int", "class", "sin", "expf", "ft_x", "main", "x" * 49, "_x"]


@pytest.mark.parametrize("name", NAMES)
def test_names_that_c_does_not_take(name: str, tmp_path: Path) -> None:
    with pytest.raises(ft.ArgumentValueError, match=r"name=.* of export_c"):
        ft.export_c(np.sin, X, name=name, path=tmp_path / "f.c")
    assert not list(tmp_path.iterdir())


def test_names_of_arguments_become_identifiers(tmp_path: Path) -> None:
    assert identifiers(["λ", "p['a b']", "p[0].x", "p_a_b"]) == ["v", "p_a_b", "p_0_x", "p_a_b_2"]

    def f(double: Any, arg: Any, λ: Any) -> Any:
        return {"for": double * arg + λ}

    _, library = exported(f, (X, X, X), tmp_path, derivatives=("jac",))
    found = ft.load_c(library, "f")
    assert [v.name for v in (*found.inputs, *found.outputs)] == ["double_", "arg_", "v", "y_for"]
    assert found(X, 2 * X, X).tolist() == [3, 3, 3]


def test_options(tmp_path: Path) -> None:
    def go(error: type[Exception], text: str, f: Any = np.sin, *specs: Any, **options: Any) -> None:
        with pytest.raises(error, match=text):
            ft.export_c(f, *(specs or (X,)), **({"name": "f", "path": tmp_path / "f.c"} | options))

    go(ft.ArgumentValueError, "abi='lisp' of export_c.*plain, casadi, acados", abi="lisp")
    go(ft.ArgumentValueError, "integer='long long int' of export_c with abi='acados'.*one of int", abi="acados",
       integer="long long int")  # fmt: skip
    go(ft.ArgumentValueError, "'hess' is none of jac, fwd1, adj1, jac_adj1", derivatives=("hess",))
    go(ft.ArgumentValueError, r"does not end on \.c", path=tmp_path / "f.h")
    go(ft.ArgumentValueError, "there is no directory", path=tmp_path / "none" / "f.c")
    go(ft.ArgumentError, "name= of export_c is 3", name=3)
    go(ft.ArgumentError, "takes a function, but got 3", 3)
    go(ft.ArgumentError, r"2 specs for a function of \(x\)", lambda x: x, X, X)
    go(ft.ArgumentError, "argument x of export_c.*is 'a'", lambda x: x, "a")
    go(ft.DtypeError, "argument x .* is complex128.*real floats", lambda x: x, X + 1j)
    go(ft.DtypeError, "argument x .* is float32.*float64 alone", lambda x: x, X.astype(np.float32), abi="casadi")
    go(ft.DtypeError, r"result y\[1\] .* is int64", lambda x: (x, np.argsort(x)), abi="casadi")
    go(ft.UnsupportedError, r"argument x .* shape \(1, 1, 3\).*vectors and matrices", lambda x: x, X[None, None],
       abi="casadi")  # fmt: skip
    go(ft.ArgumentValueError, "no argument that is an array of floats.*derivatives=", lambda k: k * 2.5, np.arange(3))
    go(ft.ArgumentValueError, "no result that is an array of floats", np.argsort)
    go(ft.UnsupportedError, "FFT in export_c.*between kernels", lambda x: np.abs(np.fft.fft(x)), derivatives=())
    go(ft.UnsupportedError, r"reverse mode.*while_loop.*derivatives=.*adj1.*\('jac', 'fwd1'\)",
       lambda x: ft.while_loop(lambda c: c.sum() < 9.0, lambda c: 2.0 * c, x))  # fmt: skip
    go(ft.UnsupportedError, "run-time integer", lambda n, x: x * n, ft.Variable("n", 1, 3).bind(2), X)
    assert not list(tmp_path.iterdir())


def test_row_68_null_and_short_memory_write_nothing(tmp_path: Path) -> None:
    """Each pointer in turn, results and memory among them: a status that is not zero, and no result is touched."""
    w = np.linspace(1, 2, 49).reshape(7, 7) + 9 * np.eye(7)
    made, library = exported(lambda x, y: (np.linalg.solve(w, x) * y, x @ y), (np.ones(7), np.ones(7)), tmp_path,
                             derivatives=())  # fmt: skip
    f = ctypes.CDLL(str(library)).f
    size = int(ctypes.CDLL(str(library)).f_work())
    arrays = [np.full(7, 2.0), np.full(7, 3.0), np.full(7, -1.0), np.full(1, -1.0), np.zeros(size)]
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in arrays]
    assert size > 0 and len(made.functions) == 1
    for k in range(5):
        given = [None if n == k else p for n, p in enumerate(pointers)]
        assert f(*given, ctypes.c_size_t(size)) == (2 if k == 4 else 1)
    assert f(*pointers, ctypes.c_size_t(size - 1)) == 2
    assert (arrays[2] == -1).all() and arrays[3] == -1
    assert f(*pointers, ctypes.c_size_t(size)) == 0
    np.testing.assert_allclose(arrays[2], 3 * np.linalg.solve(w, arrays[0]), rtol=1e-12)
    assert arrays[3] == 42


def test_what_load_c_is_given(tmp_path: Path) -> None:
    _, library = exported(lambda x, w: x * w, (X, np.ones(3, np.float32)), tmp_path, derivatives=())
    f = ft.load_c(library, "f")
    with pytest.raises(ft.ArgumentError, match="f takes 2 arguments, not 1"):
        f(X)
    with pytest.raises(ft.ShapeError, match=r"argument x of f has shape \(4,\).*expected \(3,\)"):
        f(np.ones(4), X)
    with pytest.raises(ft.DtypeError, match=r"argument x of f is complex128.*expected float64"):
        f(X + 1j, X)
    with pytest.raises(ft.ArgumentValueError, match="has no function g of export_c"):
        ft.load_c(library, "g")
    with pytest.raises(ft.ArgumentValueError, match="no library that loads"):
        ft.load_c(tmp_path / "none.so", "f")
    (tmp_path / "text.so").write_text("no library")
    with pytest.raises(ft.ArgumentValueError, match="no library that loads"):
        ft.load_c(tmp_path / "text.so", "f")


def test_a_file_written_anew_is_loaded_anew(tmp_path: Path) -> None:
    _, library = exported(lambda x: x * 2.0, (X,), tmp_path, derivatives=())
    first, before = ft.load_c(library, "f"), library.read_bytes()
    with library.open("rb") as held:  # as a process that has loaded it
        exported(lambda x: x * 3.0, (X,), tmp_path, derivatives=())
        assert held.read() == before
    assert (first(X)[0], ft.load_c(library, "f")(X)[0]) == (2, 3)
