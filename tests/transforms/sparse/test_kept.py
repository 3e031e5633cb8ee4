"""What a process leaves of a problem on disk: found by the next one if it is the same problem, and by no other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend import kept
from functrans.backend.runtime import cache, library
from functrans.config import config
from functrans.errors import FunctransWarning
from functrans.transforms.sparse import detection, late
from tests.plans import plan_anew
from tests.transforms.sparse.programs import Program

pytestmark = pytest.mark.usefixtures("compiler")
X = np.linspace(0.5, 1.5, 6)


@pytest.fixture
def restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """An empty cache, and what makes the process know no more than a new one would."""
    tmp_path.chmod(0o700)
    monkeypatch.setattr(kept, "fingerprint", lambda: "this functrans")

    def again() -> None:
        plan_anew(monkeypatch)
        library.forget()
        cache._current.clear()

    again()
    with config.override(cache_dir=tmp_path):
        yield again
    cache._current.clear()


@pytest.fixture
def derived(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A word for each pattern that is detected and each method that is chosen."""
    done: list[str] = []

    def noted(word: str, f: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **more: Any) -> Any:
            done.append(word)
            return f(*args, **more)

        return call

    monkeypatch.setattr(detection.Dependence, "_walked", noted("detected", detection.Dependence._walked))
    monkeypatch.setattr(late.method, "choose", noted("chosen", late.method.choose))
    return done


def found(J: Any, *x: Any) -> tuple[Any, ...]:
    """The matrix, and the values into a prefilled buffer."""
    matrix = J(*x)
    return matrix, J.values(*x, out=J.empty_values(*x))


def same(got: tuple[Any, ...], want: tuple[Any, ...]) -> None:
    for g, w in zip(got, want, strict=True):
        assert type(g) is type(w)
        for a, b in [(g, w)] if isinstance(g, np.ndarray) else [(g.data, w.data), (g.indices, w.indices)]:
            assert a.dtype == b.dtype
            assert a.tobytes() == b.tobytes()


@pytest.mark.parametrize("seed", range(3))
def test_the_next_process_derives_nothing(seed: int, restart: Callable[[], None], derived: list[str]) -> None:
    program = Program(seed, smooth=True)
    want = found(ft.spjacobian(lambda *a: program(*a)), *program.args)
    assert {"detected", "chosen"} <= set(derived)
    derived.clear()
    restart()
    same(found(ft.spjacobian(lambda *a: program(*a)), *program.args), want)
    assert not derived


def test_values_beside_results_are_found_too(restart: Callable[[], None], derived: list[str]) -> None:
    want = ft.spjacobian(lambda x: np.exp(x[TABLE]) * x + x).value_and_jacobian(X)
    restart()
    derived.clear()
    same(ft.spjacobian(lambda x: np.exp(x[TABLE]) * x + x).value_and_jacobian(X), want)
    assert not derived


TABLE, OTHER = np.array([2, 0, 5, 1, 4, 3]), np.array([2, 0, 5, 1, 3, 4])  # read by a list
OTHERS: dict[str, Callable[[], Any]] = {
    "an array": lambda: ft.spjacobian(lambda x: np.exp(x[OTHER]) * x + x),
    "a number": lambda: ft.spjacobian(lambda x: np.exp(x[TABLE]) * x + 2.0 * x),
    "the order": lambda: ft.spjacobian(lambda x: np.exp(x[TABLE]) * x + x, format="csc"),
    "the method": lambda: ft.spjacobian(lambda x: np.exp(x[TABLE]) * x + x, method="compressed"),
    "a pattern": lambda: ft.spjacobian(lambda x: np.exp(x[TABLE]) * x + x, pattern=np_pattern()),
    "aux": lambda: ft.spjacobian(lambda x: (np.exp(x[TABLE]) * x + x, x), has_aux=True),
}


def np_pattern() -> Any:
    rows, cols = np.divmod(np.arange(36), 6)
    return rows, cols, (6, 6)


@pytest.mark.parametrize("what", OTHERS)
def test_another_problem_is_not_taken_for_it(what: str, restart: Callable[[], None], derived: list[str]) -> None:
    ft.spjacobian(lambda x: np.exp(x[TABLE]) * x + x)(X)
    restart()
    derived.clear()
    OTHERS[what]().values(X)
    assert "chosen" in derived


def test_a_rule_of_the_users_own_is_not_known_by_its_graph(restart: Callable[[], None], derived: list[str]) -> None:
    def rule(factor: float) -> Any:
        g = ft.custom_jvp(lambda x: x * x)
        g.defjvp(lambda p, t: (p[0] * p[0], factor * t[0]))
        return ft.spjacobian(lambda x: g(x))

    np.testing.assert_array_equal(rule(3.0)(X).data, 3.0)
    restart()
    np.testing.assert_array_equal(rule(5.0)(X).data, 5.0)


def test_calls_that_are_not_plain_are_derived_anew(restart: Callable[[], None], derived: list[str]) -> None:
    want = found(ft.spjacobian(lambda x: np.exp(x[TABLE]) * x + x), X)
    restart()
    J = ft.spjacobian(lambda x: np.exp(x[TABLE]) * x + x)
    values, every = J.values(X), np.zeros((len(want[1]), 2))
    J.values(X, out=every[:, 0])
    np.testing.assert_array_equal(every[:, 0], want[1])
    np.testing.assert_array_equal(ft.jit(J.values)(X), values)
    assert str(J.plan(X)).startswith("direct")


def test_a_file_that_makes_no_sense_is_made_anew(restart: Callable[[], None], tmp_path: Path) -> None:
    want = found(ft.spjacobian(lambda x: np.exp(x)), X)
    for path in tmp_path.glob("*.kept"):
        cache.current().put(path.name, b"\x10" + bytes(40))
    restart()
    with pytest.warns(FunctransWarning, match="makes no sense"):
        same(found(ft.spjacobian(lambda x: np.exp(x)), X), want)


def test_code_that_is_gone_is_compiled_anew(restart: Callable[[], None], tmp_path: Path) -> None:
    want = found(ft.spjacobian(lambda x: np.exp(x)), X)
    for path in tmp_path.glob("*.so"):
        path.unlink()
    restart()
    same(found(ft.spjacobian(lambda x: np.exp(x)), X), want)
