"""A plan found on disk: nothing is scheduled, any doubt is a miss, and no trouble changes a result."""

from __future__ import annotations

import os
import pickle
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import _sources
from functrans.backend import plan, ready
from functrans.backend.facts import Cost, Facts
from functrans.backend.runtime import cache, library
from functrans.backend.runtime.compiling import Compiling
from functrans.backend.structure import structure
from functrans.config import config
from functrans.errors import CompileError, FunctransWarning
from functrans.ops import Ops, UOp, dtypes, source
from functrans.ops import build as B
from functrans.testing import random_programs
from tests.backend.runtime.house import run_python
from tests.golden.programs import CASES
from tests.plans import plan_anew

X = np.linspace(-1.0, 1.0, 12).reshape(3, 4)
pytestmark = pytest.mark.usefixtures("compiler")


def f(x: Any) -> Any:
    y = np.sin(x) * 3.0
    return y, np.cumsum(y @ y.T, 0) - y.sum()


@pytest.fixture
def restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """An empty cache, and what makes the process know no more than a new one would."""
    tmp_path.chmod(0o700)
    monkeypatch.setattr(ready, "fingerprint", lambda: "this functrans")

    def again() -> None:
        plan_anew(monkeypatch, disk=True)
        library.forget()
        cache._current.clear()

    again()
    with config.override(cache_dir=tmp_path):
        yield again
    cache._current.clear()


@pytest.fixture
def scheduled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A word for each plan that is made and each text that is compiled."""
    done: list[str] = []

    def noted(word: str, f: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **more: Any) -> Any:
            done.append(word)
            return f(*args, **more)

        return call

    monkeypatch.setattr(plan, "scheduled", noted("planned", plan.scheduled))
    monkeypatch.setattr(library.late.compiling, "compile_c", noted("compiled", library.late.compiling.compile_c))
    return done


def same(got: Any, want: Any) -> None:
    for g, w in zip(got, want, strict=True):
        assert g.tobytes() == w.tobytes()


def test_a_filled_cache_schedules_nothing(restart: Callable[[], None], scheduled: list[str], tmp_path: Path) -> None:
    want = ft.jit(f)(X)
    assert scheduled == ["planned", "compiled"] and len(list(tmp_path.glob("*.plan"))) == 1
    restart()
    jitted = ft.jit(f)
    for _ in range(4):  # the second call asks for the record of the short way, which asks what a call costs
        same(jitted(X), want)
    assert scheduled == ["planned", "compiled"]
    assert len(jitted.lower(X).kernels) > 1  # what asks for the schedule gets it
    assert scheduled == ["planned", "compiled", "planned"]


def test_the_compiler_starts_before_the_schedule(
    restart: Callable[[], None], scheduled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as what is planned has to be compiled: another size of a batch has another plan and the same code."""

    def begin() -> Compiling | None:
        scheduled.append("begun")
        return library.begin()

    monkeypatch.setattr(ready, "begin", begin)
    monkeypatch.setattr(ready, "_compiled", [True])
    jitted = ft.jit(ft.vmap(lambda x: np.sin(x) * 2.0))
    want = [
        ["begun", "planned", "compiled"],
        ["begun", "planned"],  # in vain
        ["planned"],
        ["planned", "compiled"],  # something else
        ["begun", "planned", "compiled"],
    ]
    arguments = [np.ones(shape) for shape in ((3, 70), (5, 70), (7, 70), (3, 2, 2, 2, 2), (3, 1))]
    for x, words in zip(arguments, want, strict=True):
        same([jitted(x)], [ft.vmap(lambda x: np.sin(x) * 2.0)(x)])
        assert scheduled == words
        scheduled.clear()


def test_a_compiler_that_is_not_needed_leaves_nothing(
    restart: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    monkeypatch.setattr(ready, "_compiled", [True])
    seen: list[int] = []

    def fails(*_: Any) -> None:
        seen.append(len(list(scratch.iterdir())))
        raise KeyboardInterrupt

    before = len(os.listdir("/dev/fd"))
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(plan, "scheduled", fails)
        ft.jit(f)(X)
    assert seen == [1]
    assert list(scratch.iterdir()) == [] and len(os.listdir("/dev/fd")) == before


def test_in_a_new_process(tmp_path: Path) -> None:
    program = (
        "import numpy as np, functrans as ft\n"
        "from functrans.backend import plan\n"
        "scheduled, done = plan.scheduled, []\n"
        "plan.scheduled = lambda *a: done.append(1) or scheduled(*a)\n"
        "y = ft.jit(lambda x: np.exp(x).sum() * x)(np.arange(3.0))\n"
        "print(len(done), y.tobytes().hex())"
    )
    first, second, third = (run_python(program, FUNCTRANS_CACHE_DIR=str(tmp_path / "c")).split() for _ in range(3))
    assert first[1] == second[1] == third[1]
    assert [first[0], second[0], third[0]] == ["1", "0", "0"]


@pytest.mark.parametrize("seed", range(4))
def test_drawn_programs(seed: int, restart: Callable[[], None], scheduled: list[str]) -> None:
    pairs = list(random_programs(3, seed))
    want = [[np.asarray(y) for y in ft.jit(g)(*args)] for g, args in pairs]
    count = len(scheduled)
    restart()
    for (g, args), w in zip(pairs, want, strict=True):
        same([np.asarray(y) for y in ft.jit(g)(*args)], w)
    assert len(scheduled) == count


@pytest.mark.parametrize("damage", ["empty", "cut", "flipped", "nonsense", "fields", "numbers"])
def test_a_damaged_plan_is_made_anew(
    damage: str, restart: Callable[[], None], scheduled: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    want = ft.jit(f)(X)
    (path,) = tmp_path.glob("*.plan")
    whole = path.read_bytes()
    text = whole[: -cache._TRAILER]
    spoilt = {
        "empty": b"",
        "cut": whole[:-5],
        "flipped": bytes([whole[0] ^ 1]) + whole[1:],
        "nonsense": _sealed(b"\xff\x00 not a plan", path.name),
        "fields": _sealed(text.rsplit(b"\n", 1)[0], path.name),
        "numbers": _sealed(text.rsplit(b" ", 1)[0], path.name),
    }[damage]
    path.write_bytes(spoilt)
    restart()
    monkeypatch.setattr("functrans.debug._warned", set())
    with pytest.warns(FunctransWarning, match="made anew") as told:
        same(ft.jit(f)(X), want)
    assert len(told) == 1
    assert scheduled == ["planned", "compiled", "planned"] and path.read_bytes() == whole
    restart()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        same(ft.jit(f)(X), want)
    assert len(scheduled) == 3


def _sealed(data: bytes, name: str) -> bytes:
    return data + cache._seal(name, data)


def test_a_plan_without_its_code(restart: Callable[[], None], scheduled: list[str], tmp_path: Path) -> None:
    want = ft.jit(f)(X)
    for path in tmp_path.glob("*.so"):
        path.unlink()
    restart()
    same(ft.jit(f)(X), want)
    assert scheduled == ["planned", "compiled"] * 2


def test_a_plan_that_cannot_be_kept(restart: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    want, put = ft.jit(f)(X), cache.Cache.put
    restart()

    def full(self: cache.Cache, name: str, data: bytes) -> str:
        if name.endswith(".plan"):
            raise CompileError("the disk is full")
        return put(self, name, data)

    monkeypatch.setattr(cache.Cache, "put", full)
    monkeypatch.setattr(ready, "fingerprint", lambda: "another functrans")
    same(ft.jit(f)(X), want)


def test_another_functrans_plans_anew(
    restart: Callable[[], None], scheduled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ft.jit(f)(X)
    for other in ("another functrans", None, "this functrans"):
        restart()
        monkeypatch.setattr(ready, "fingerprint", lambda other=other: other)
        ft.jit(f)(X)
    assert scheduled == ["planned", "compiled", "planned", "planned"]  # the text is the same


def test_what_is_to_be_told_of_is_made(
    restart: Callable[[], None], scheduled: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ft.jit(f)(X)
    for settings in ({"debug": 2}, {"dump": tmp_path / "dump"}):
        restart()
        with config.override(**settings):
            ft.jit(f)(X)
    assert scheduled.count("planned") == 3 and list((tmp_path / "dump").iterdir())
    assert "scheduled" in capsys.readouterr().err


def test_one_code_has_few_plans(restart: Callable[[], None], tmp_path: Path) -> None:
    jitted = ft.jit(ft.vmap(lambda x: x / x.sum()))
    for n in range(1, 40):
        jitted(np.ones((n, 3)))
    assert len(list(tmp_path.glob("*.so"))) == 1 and len(list(tmp_path.glob("*.plan"))) == ready._WRITTEN


def test_each_batch_has_a_plan_of_its_own(restart: Callable[[], None]) -> None:
    g = ft.vmap(lambda x: np.cumsum(x) / x.sum())
    for n in (1, 2, 40, 7):
        want = g(np.arange(1.0, 1 + 3 * n).reshape(n, 3))
        restart()
        np.testing.assert_array_equal(ft.jit(g)(np.arange(1.0, 1 + 3 * n).reshape(n, 3)), want)


def test_a_compiled_function_is_pickled_as_its_graph(restart: Callable[[], None], scheduled: list[str]) -> None:
    jitted = ft.jit(f)
    compiled = jitted.lower(X).compile()
    want = [compiled(X), jitted(X), jitted(X), jitted(X)]
    data = [pickle.dumps(compiled), pickle.dumps(jitted._compiled)]
    restart()
    count = len(scheduled)
    same(pickle.loads(data[0])(X), want[0])
    (again,) = pickle.loads(data[1]).values()
    same(again(X), want[0])
    assert len(scheduled) == count


def test_facts_are_read_as_they_were_written() -> None:
    for facts in (
        Facts("a" * 64, (), 0, ((0, 0),), 0, False, Cost(0, 0, 0, 0, 0, 0)),
        Facts("b" * 64, (3, 2**40), 640, ((0, 64), (64, 640)), 576, True, Cost(1, 2, 3, 4, 5, 6, 7), True),
    ):
        assert Facts.read(facts.written()) == facts


def keys_of(change: str) -> str:
    shape = (4,) if change == "shape" else (3,)
    dtype = dtypes.float32 if change == "dtype" else dtypes.float64
    x, y = source.param(shape, dtype), source.param(shape, dtype)
    number = {"constant": 2.5, "last bit": np.nextafter(2.0, 3.0), "zero": 0.0, "minus zero": -0.0}.get(change, 2.0)
    z = B.mul(B.alu(Ops.COS if change == "op" else Ops.SIN, x), B.like(x, float(number)))
    z = B.sub(y, z) if change == "order" else B.sub(z, y)
    if change in ("sum", "maximum"):
        z = B.reduce_axis(z, Ops.ADD if change == "sum" else Ops.MAX, (0,))
    if change in ("captured", "window"):
        z = B.add(z, source.buffer(np.ones(shape)))
    roots = [z, x] if change == "results" else [z]
    return structure(roots, [y, x] if change == "params" else [x, y])


def test_whatever_differs_has_a_key_of_its_own() -> None:
    changes = "none constant op order shape dtype sum maximum captured results params zero".split()
    changes += ["last bit", "minus zero"]
    keys = {c: keys_of(c) for c in changes}
    assert len(set(keys.values())) == len(changes)
    assert all(keys_of(c) == k for c, k in keys.items())


def test_numbers_of_two_kinds_are_two() -> None:
    x = source.param((), dtypes.int64)
    ones = [UOp(Ops.CONST, d, (), v) for d, v in ((dtypes.int64, 1), (dtypes.bool_, True), (dtypes.float64, 1.0))]
    assert len({structure([x, one], [x]) for one in ones}) == 3


def test_what_is_not_known_is_found_by_nobody() -> None:
    node = UOp(Ops.NAME, dtypes.void, (), frozenset({1}))
    assert structure([node], []) != structure([node], [])


@pytest.mark.parametrize("name", CASES)
def test_all_that_is_planned_is_known(name: str) -> None:
    case = CASES[name]
    first, second = (ft.jit(case.function).lower(*case.args).program for _ in range(2))
    assert first.key == second.key


def test_a_fingerprint_changes_with_the_files(tmp_path: Path) -> None:
    package, now = tmp_path / "package", 2**62
    (package / "part").mkdir(parents=True)
    one, two = package / "one.py", package / "part" / "two.py"
    one.write_text("1")
    two.write_text("22")
    seen = [_sources.of_files(str(package), now)]
    two.write_text("333")  # another size
    seen.append(_sources.of_files(str(package), now))
    os.utime(one, ns=(1, 1))  # another time
    seen.append(_sources.of_files(str(package), now))
    (package / "three.py").write_text("")
    seen.append(_sources.of_files(str(package), now))
    seen.append(_sources.of_files(str(package), now, ("another NumPy",)))
    assert None not in seen and len(set(seen)) == len(seen)
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "one.pyc").write_text("1")
    assert _sources.of_files(str(package), now) == seen[3]


def test_no_fingerprint_where_files_are_newer_than_what_runs(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("1")
    written = (tmp_path / "one.py").stat().st_mtime_ns
    assert _sources.of_files(str(tmp_path), written + 10**10) is not None
    assert _sources.of_files(str(tmp_path), written - 1) is None
    os.utime(tmp_path / "one.py", ns=(1, 1))  # set back, as by cp -p: the file's entry was changed all the same
    assert _sources.of_files(str(tmp_path), written - 1) is None
    assert _sources.of_files(str(tmp_path / "archive.zip"), 2**62) is None
