"""Transformed functions in another process: equal bits, whatever the word of transforms; graphs for what was traced."""

from __future__ import annotations

import gc
import itertools
import multiprocessing
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend import kept, pipeline
from functrans.ops import parcel, uop
from functrans.ops.source import buffer, stored

pytestmark = pytest.mark.usefixtures("compiler")  # other processes have one, and bits are compared

X = np.array([0.3, -1.2, 2.5])
TABLE = np.array([1.5, 0.25, -2.0])


def smooth(x: Any) -> Any:
    """Of any shape, to its shape: so that words of transforms fit together."""
    return np.sin(x) * x + x * x


class Total:
    """A scalar function of a module; a callable that is pickled with what it holds."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self.f = f

    def __call__(self, x: Any) -> Any:
        return sum(leaf.sum() for leaf in ft.tree.leaves(self.f(x)))


class Along:
    """The tangent along ones, or the cotangent of ones: jvp and vjp as functions of the point."""

    def __init__(self, f: Callable[..., Any], kind: str) -> None:
        self.f, self.kind = f, kind

    def __call__(self, x: Any) -> Any:
        if self.kind == "jvp":
            return ft.jvp(self.f, (x,), (np.ones_like(x),))[1]
        if self.kind == "linearize":
            return ft.linearize(self.f, x)[1](np.ones_like(x))
        value, pullback = ft.vjp(self.f, x)
        return pullback(ft.tree.map(np.ones_like, value))[0]


LETTERS: dict[str, Callable[[Any], Any]] = {
    "vmap": ft.vmap,
    "rewrite": lambda f: ft.vmap(f, 0, -1, method="rewrite", axis_type="outer"),
    "jit": ft.jit,
    "jvp": lambda f: Along(f, "jvp"),
    "vjp": lambda f: Along(f, "vjp"),
    "linearize": lambda f: Along(f, "linearize"),
    "grad": lambda f: ft.grad(Total(f)),
    "value_and_grad": lambda f: ft.value_and_grad(Total(f)),
    "jacfwd": ft.jacfwd,
    "jacrev": ft.jacrev,
    "hessian": lambda f: ft.hessian(Total(f)),
    "checkpoint": ft.checkpoint,
    "spjacobian": lambda f: ft.spjacobian(f).values,
    "sphessian": lambda f: ft.sphessian(Total(f)).values,
}
INPUTS = [X, np.outer(X, X), np.multiply.outer(np.outer(X, X), X), X[0]]


def evaluated(f: Callable[..., Any]) -> list[Any]:
    """The leaves of the result at the first input that the word is made for, or the kind of error at each."""
    for x in INPUTS[1:] + INPUTS[:1]:
        try:
            return [(np.asarray(a).shape, np.asarray(a).tobytes()) for a in ft.tree.leaves(f(x))]
        except (ft.FunctransError, TypeError):
            continue
    return ["no input fits"]


def all_evaluated(functions: Iterable[Callable[..., Any]]) -> list[list[Any]]:
    """Each by the interpreter, which takes a tenth of the time, but for every fourth: those run compiled C."""
    found = []
    for k, f in enumerate(functions):
        with pytest.MonkeyPatch.context() as patched:
            if k % 4:
                patched.setattr(pipeline, "available", lambda: False)
            found.append(evaluated(f))
    return found


def all_loaded(data: list[bytes]) -> list[list[Any]]:
    return all_evaluated(map(pickle.loads, data))


def settle(cache: Path, cc: str) -> None:
    """The settings of the tests in another process, so that each text is compiled once."""
    ft.config.cache_dir, ft.config.cc = cache, cc
    kept.fingerprint = lambda: None  # what is interpreted here is not found compiled there


@pytest.fixture(scope="module")
def elsewhere(session_cache: Path, unoptimized: str) -> Iterator[ProcessPoolExecutor]:
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, spawn, initializer=settle, initargs=(session_cache, unoptimized)) as pool:
        yield pool


def made(word: tuple[str, ...]) -> Any:
    f: Any = smooth
    for letter in word:
        f = LETTERS[letter](f)
    return f


SHORT = [(a,) for a in LETTERS] + list(itertools.product(LETTERS, repeat=2))
LONG = list(itertools.product(LETTERS, repeat=3))
WORDS = SHORT + LONG[:: len(LONG) // 20]  # all three letters at every place; the whole of it takes minutes


def test_words_have_equal_bits_elsewhere(elsewhere: ProcessPoolExecutor) -> None:
    functions = [made(word) for word in WORDS]
    data = [pickle.dumps(f) for f in functions]
    found = elsewhere.submit(all_loaded, data).result()
    wanted = all_evaluated(functions)
    assert [w for w, a, b in zip(WORDS, wanted, found, strict=True) if a != b] == []
    assert sum(w != ["no input fits"] for w in wanted) > len(WORDS) * 0.6


def test_every_word_of_three_is_pickled_as_it_was_made() -> None:
    for word in LONG:
        again = pickle.loads(pickle.dumps(made(word)))
        assert type(again) is type(made(word))


def applied(data: bytes, *args: Any) -> Any:
    return pickle.loads(data)(*args)


def closure(a: Any) -> Any:
    return lambda x: np.cumsum(x) * a + TABLE


@pytest.mark.parametrize("f", [closure(TABLE * 3), lambda x: ft.scan(lambda c, y: (c + y, c * y), 0.0, x)[1]])
def test_what_was_traced_travels_as_its_graph(elsewhere: ProcessPoolExecutor, f: Any) -> None:
    for g in (f, ft.vmap(f), ft.jacfwd(f)):
        x = np.outer(X, X) if repr(g).startswith("<vmap") else X
        jitted = ft.jit(g)
        want = jitted(x)
        for thing in (jitted, jitted.lower(x).compile()):
            np.testing.assert_array_equal(elsewhere.submit(applied, pickle.dumps(thing), x).result(), want)
        again = pickle.loads(pickle.dumps(jitted))
        assert again(x).tobytes() == want.tobytes()
        with pytest.raises(ft.ArgumentError, match="came as the graphs of its jit"):
            again(x.astype(np.float32))
        with pytest.raises(ft.ArgumentError, match="came as the graphs of its jit"):
            ft.vmap(again)(x[None])


def test_lowered_functions_and_linear_maps(elsewhere: ProcessPoolExecutor) -> None:
    f = closure(TABLE)
    lowered = pickle.loads(pickle.dumps(ft.jit(f).lower(X)))
    assert lowered.compile()(X).tobytes() == ft.jit(f)(X).tobytes()
    pullback = ft.vjp(f, X)[1]
    transposed = ft.linear_transpose(lambda x: x[1:] - x[:-1], X)
    for linear, v in ((pullback, X), (ft.linearize(f, X)[1], X), (transposed, X[:2])):
        want, found = linear(v), elsewhere.submit(applied, pickle.dumps(linear), v).result()
        for a, b in zip(ft.tree.leaves(want), ft.tree.leaves(found), strict=True):
            assert a.tobytes() == b.tobytes()
    with pytest.raises(ft.ShapeError, match="corresponding output of the function"):
        pickle.loads(pickle.dumps(pullback))(X[:2])


def test_arrays_with_one_number_in_two_processes_are_two(monkeypatch: pytest.MonkeyPatch) -> None:
    data = []
    for x in (X, TABLE):  # each process counts for itself
        monkeypatch.setattr(uop, "_fresh", itertools.count(10**12))
        data.append(pickle.dumps(parcel.Parcel(buffer(x))))
        gc.collect()
    monkeypatch.undo()
    nodes = [pickle.loads(d) for d in data]
    for node, x in zip(nodes, (X, TABLE), strict=True):
        np.testing.assert_array_equal(stored(node), x)


def test_what_closes_over_a_value_is_frozen_with_its_graph() -> None:
    held = [np.ones(3)]
    jitted = ft.jit(lambda x: x + held[0])
    jitted(X)
    data = pickle.dumps(jitted)
    held[0] = np.zeros(3)
    assert pickle.loads(data)(X).tolist() == (X + 1).tolist()


def test_a_lambda_that_was_not_traced_is_named() -> None:
    for f in (ft.vmap(lambda x: x), ft.jit(lambda x: x), ft.grad(lambda x: x)):
        with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
            pickle.dumps(f)


def test_parcels_of_another_version_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    jitted = ft.jit(smooth)
    data = pickle.dumps(jitted.lower(X))
    monkeypatch.setattr(parcel, "_version", lambda: "0-other")
    with pytest.raises(ft.SpecError, match="another version of functrans"):
        pickle.loads(data)


def test_a_pickle_may_be_what_loads_functrans() -> None:
    data = [pickle.dumps(t) for t in (ft.vmap(np.cumsum), ft.jit(np.cumsum), ft.spjacobian(np.cumsum).values)]
    code = "import pickle, sys, numpy as np; [f(np.ones((2, 3)) if k == 0 else np.ones(3)) for k, f in enumerate("
    code += "map(pickle.loads, pickle.load(sys.stdin.buffer)))]"
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(data), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


@ft.vmap
def rows(x: Any) -> Any:
    return x.sum()


def test_a_decorated_function_is_pickled_by_its_name() -> None:
    assert pickle.loads(pickle.dumps(rows)) is rows
