"""Every kind of argument on the short way against the long way: the same bits, types and errors."""

from __future__ import annotations

import gc
import itertools
import os
import re
import subprocess
import sys
import threading
import weakref
from collections import namedtuple
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import functrans as ft
import functrans.numpy as fnp
from functrans import tree
from functrans.backend.runtime import launcher
from functrans.config import config
from functrans.transforms.jit import Jitted

ROOT = Path(__file__).parents[2]
Point = namedtuple("Point", "x y")


class Pair:
    """A registered pytree."""

    def __init__(self, a: Any, b: Any, note: Any = None) -> None:
        self.a, self.b, self.note = a, b, note


tree.register_pytree(Pair, lambda p: ((p.a, p.b), p.note), lambda info, c: Pair(*c, info))


class Celsius(float):
    """A subclass of float."""


class Own(np.ndarray[Any, Any]):
    """A subclass of array."""


@dataclass(frozen=True)
class Setting:
    """A static argument with an equality of its own."""

    order: int
    name: str = "s"


@pytest.fixture(autouse=True)
def compiled(compiler: None, session_cache: Path) -> Iterator[None]:
    with config.override(launcher=True, spec=False):
        if not launcher.has_headers():
            pytest.skip("no headers of Python")
        thread = launcher.build_in_background()
        if thread is not None:
            thread.join()
        assert launcher.ready() is not None
        yield


def taken(f: Jitted, *args: Any, **kwargs: Any) -> bool:
    """Whether a call goes the short way."""
    return f._launch.call(args, None, kwargs) is not NotImplemented


def outcome(call: Callable[[], Any]) -> Any:
    """What a call gives: types and bits of every leaf and the structure, or the error."""
    try:
        value = call()
    except ft.FunctransError as error:
        return type(error), re.sub(r"\([^()]*\.py:\d+\)", "", str(error))
    leaves, treedef = tree.flatten(value)
    return treedef, [(type(v), v.dtype, v.shape, np.asarray(v).tobytes()) for v in leaves]


def arrays() -> list[Any]:
    """Arrays of one value set in every layout."""
    base = np.array([[1.5, -2.0, 0.25], [np.nan, -0.0, np.inf]])
    wide = np.zeros((2, 3, 2))
    wide[..., 1] = base
    odd = np.zeros(base.nbytes + 1, np.uint8)[1:].view(np.float64).reshape(base.shape)
    odd[...] = base
    fixed = base.copy()
    fixed.flags.writeable = False
    return [
        base, wide[..., 1], np.asfortranarray(base), odd, fixed, base.view(Own), base.astype(">f8"), base[::-1, ::-1],
        base.astype(np.float32), base.astype(np.float16), np.broadcast_to(base[0], (2, 3)), base[:1], base[0],
        np.nan_to_num(base, posinf=0.0).astype(np.int32), base > 0, base + 1j, base.astype(">c16"), base[:0],
    ]  # fmt: skip


def numbers() -> list[Any]:
    """Numbers of every kind; NumPy's next to Python's."""
    python: list[Any] = [0.5, -0.0, float("nan"), 1e300, 3, -1, 2**62, 2**31, 300, True, False, 1 + 2j, Celsius(1.5)]
    of_numpy = [np.float64(0.5), np.float32(0.1), np.int64(3), np.int8(-3), np.uint64(2**63), np.bool_(True),
                np.complex64(1 - 1j), np.float16(2.0), np.longlong(4)]  # fmt: skip
    return [*python, *of_numpy, np.array(0.5), np.array(3), np.array(0.5, ">f8"), np.array(0.25).view(Own)]


def numbers_beside() -> list[tuple[Any, Any]]:
    """Each number beside an array of each dtype kind, where what gives way to what differs."""
    beside = [np.ones(3), np.ones(3, np.float32), np.ones(3, np.int32), np.ones(3, np.uint8), np.ones(3, bool)]
    return list(itertools.product(numbers(), beside))


def agree(f: Callable[..., Any], calls: list[tuple[tuple[Any, ...], dict[str, Any]]], **options: Any) -> int:
    """Make calls of one function in an order that mixes them, thrice; how many went the short way in the end."""
    short = ft.jit(f, **options)
    expected = []
    with config.override(launcher=False):
        for args, kwargs in calls:
            fresh = ft.jit(f, **options)
            expected.append(outcome(lambda: fresh(*args, **kwargs)))
    count = 0
    for turn in range(3):
        for k, (args, kwargs) in enumerate(calls):
            for _ in range(2):
                assert outcome(lambda: short(*args, **kwargs)) == expected[k], (args, kwargs)
            count += turn == 2 and not isinstance(expected[k][0], type) and taken(short, *args, **kwargs)
    return count


def test_numbers_of_every_kind_beside_arrays_of_every_dtype() -> None:
    calls = [(pair, {}) for pair in numbers_beside()]
    assert agree(lambda t, x: (t * x, x + t), calls) >= 80


def test_arrays_of_every_layout() -> None:
    assert agree(lambda x: {"a": x * 2, "b": x.T}, [((a,), {}) for a in arrays()]) >= 15


def test_float32_stays_float32_beside_a_python_float_alone() -> None:
    f = ft.jit(lambda t, x: t * x)
    x = np.ones(3, np.float32)
    for _ in range(3):
        assert [f(t, x).dtype for t in (0.5, np.float64(0.5), 2, np.float32(2), True, np.array(0.5))] == [
            np.float32, np.float64, np.float32, np.float32, np.float32, np.float64
        ]  # fmt: skip
    assert taken(f, 0.5, x) and taken(f, np.float64(0.5), x) and taken(f, np.array(0.5), x)


def test_an_integer_that_does_not_fit_is_refused_on_both_ways() -> None:
    f = ft.jit(lambda x, n: x + n)
    for dtype in (np.int8, np.uint8, np.int32, np.uint32, np.int16):
        x, info = np.ones(3, dtype), np.iinfo(dtype)
        for _ in range(3):
            for n in (int(info.min), int(info.max), 0):
                np.testing.assert_array_equal(f(x, n), x + dtype(n))
            for n in (int(info.min) - 1, int(info.max) + 1, 2**63, -(2**63) - 1, 2**64):
                with pytest.raises(ft.DtypeError):
                    f(x, n)
        assert taken(f, x, 0) and not taken(f, x, int(info.max) + 1)
    with pytest.raises(ft.DtypeError):
        f(np.ones(3), 2**63)


def leaves() -> st.SearchStrategy[Any]:
    numbers = [0.5, np.float64(2.0), 3, True, None]
    return st.sampled_from([*numbers, np.ones(3), np.arange(6.0)[::2], np.ones(3, np.float32)])


def trees() -> st.SearchStrategy[Any]:
    def above(x: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.one_of(
            st.lists(x, max_size=3), st.lists(x, max_size=3).map(tuple), st.tuples(x, x).map(lambda p: Point(*p)),
            st.dictionaries(st.sampled_from("abc"), x, max_size=3),
            st.tuples(x, x, notes()).map(lambda p: Pair(*p)),
            st.dictionaries(st.sampled_from([1, 2, 3]), x, max_size=2),
        )  # fmt: skip

    return st.recursive(leaves(), above, max_leaves=6)


def notes() -> st.SearchStrategy[Any]:
    return st.sampled_from([None, "a", 1, (1, "b")])


@settings(max_examples=60, deadline=None)
@given(st.lists(trees(), min_size=1, max_size=3), st.dictionaries(st.sampled_from("uvw"), trees(), max_size=2))
def test_trees_by_position_and_by_name(args: list[Any], kwargs: dict[str, Any]) -> None:
    def f(*args: Any, **kwargs: Any) -> Any:
        return tree.flatten((args, kwargs))[1].unflatten([x * 2 for x in tree.flatten((args, kwargs))[0]])

    other = dict(reversed(kwargs.items()))
    agree(f, [(tuple(args), kwargs), (tuple(args), other), (tuple(args[:-1]), kwargs), ((args,), {})])


def test_what_is_taken_apart_and_put_together() -> None:
    x = np.ones(3)
    for value in ([x, 0.5], (x, [x]), {"b": x, "a": (x, None)}, Point(x, 1.0), Pair(x, 2, "n"), [[], (), {}, x],
                  {"p": Pair(Point(x, x), [x])}):  # fmt: skip
        f = ft.jit(lambda v: tree.flatten(v)[1].unflatten([2.0 * k for k in tree.flatten(v)[0]]))
        for _ in range(3):
            f(value)
        assert taken(f, value)
        assert outcome(lambda: f(value)) == outcome(lambda: f.lower(value).compile()(value))
    f = ft.jit(lambda v: v["a"] - 2 * v["b"])
    for _ in range(3):
        assert f({"a": 3.0, "b": 1.0}) == f({"b": 1.0, "a": 3.0}) == 1.0
    others = [{"a": 3.0}, {"a": 3.0, "b": 1.0, "c": 2.0}, {"a": 3.0, "c": 1.0}, {"a": np.ones(1), "b": 1.0}, [3.0, 1.0]]
    assert not any(taken(f, v) for v in others)


def test_other_notes_of_a_class_are_other_signatures() -> None:
    f = ft.jit(lambda p: p.a * (10 if p.note == "ten" else 1))
    for _ in range(3):
        assert [f(Pair(1.0, 2.0, note)) for note in ("ten", None, "one")] == [10.0, 1.0, 1.0]
    assert taken(f, Pair(1.0, 2.0, "ten")) and not taken(f, Pair(1.0, 2.0, "two"))


def test_a_class_registered_later_is_taken_apart_as_it_then_is() -> None:
    class Late(Point):
        pass

    f = ft.jit(lambda p: p[0] if isinstance(p, tuple) else p)
    for _ in range(3):
        assert f(Late(1.0, 2.0)) == 1.0
    assert taken(f, Late(1.0, 2.0))
    tree.register_pytree(Late, lambda p: ((p.y, p.x), None), lambda _, c: Late(*c))
    assert f(Late(1.0, 2.0)) == 2.0


STATIC: list[Any] = [
    1, True, 1.0, 0, False, 0.0, -0.0, float("nan"), 1 + 0j, "1", b"1", None, (1, 2), (1.0, 2), (True, 2), (1, (2,)),
    Setting(1), Setting(2), np.sin, np.cos, int, Celsius(1.0), np.float64(1.0), np.int64(1), frozenset({1}),
    frozenset({True}), Point(1, 2), Point(True, 2), (Point(1.0, 2),),
]  # fmt: skip


@pytest.mark.parametrize("how", ["place", "name", "last"])
def test_static_arguments_that_are_equal_and_not_the_same(how: str) -> None:
    seen = []

    def f(x: Any, s: Any) -> Any:
        seen.append(s)
        return x + len(seen)

    jitted = ft.jit(f, **({"static_argnums": -1} if how == "last" else {"static_argnames": "s"}))

    def call(s: Any) -> float:
        return float(jitted(1.0, s=s) if how == "name" else jitted(1.0, s))

    first = [call(s) for s in STATIC]
    assert len(set(first)) == len(STATIC)
    for _ in range(3):  # one trace each, whatever stands at hand
        for s, value in zip(STATIC, first):
            assert call(s) == call(s) == value
    assert [type(a) for a in seen] == [type(s) for s in STATIC]
    shorts = []
    for s in STATIC:
        call(s), call(s)
        shorts.append(taken(jitted, 1.0, **{"s": s}) if how == "name" else taken(jitted, 1.0, s))
    assert sum(shorts) >= 20
    with pytest.raises(ft.ArgumentError, match="not hashable"):
        call([1])
    assert call(Setting(1)) == first[STATIC.index(Setting(1))]  # an equal one


def test_a_static_argument_whose_hash_changes_is_traced_anew() -> None:
    class Knob:
        def __init__(self) -> None:
            self.at = 1

        def __hash__(self) -> int:
            return hash(self.at)

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Knob) and self.at == other.at

    f = ft.jit(lambda x, k: x * k.at, static_argnums=1)
    knob = Knob()
    for _ in range(3):
        assert f(2.0, knob) == 2.0
    knob.at = 5
    for _ in range(3):
        assert f(2.0, knob) == 10.0


def test_a_type_that_changes_from_call_to_call() -> None:
    f = ft.jit(lambda t: t * 2)
    values = [1, 1.0, True, 1j, np.float32(1), np.int8(1), np.array(1.0), np.array([1.0])]
    for turn in range(4):
        for v in values[turn:] + values[:turn]:
            got, want = f(v), np.asarray(v) * 2
            assert (got.dtype, got.shape) == (want.dtype if type(v) is not np.int8 else np.int8, want.shape)


def test_errors_of_pytrees_are_those_of_the_long_way() -> None:
    class Broken(Pair):
        pass

    fail: list[BaseException] = []

    def flat(p: Any) -> Any:
        if fail:
            raise fail[0]
        return (p.a, p.b), None

    tree.register_pytree(Broken, flat, lambda _, c: Broken(*c))
    f = ft.jit(lambda p: p.a + p.b)
    for _ in range(3):
        assert f(Broken(1.0, 2.0)) == 3.0
    for error in (RuntimeError("mine"), KeyboardInterrupt()):
        fail[:] = [error]
        with pytest.raises(type(error)):
            f(Broken(1.0, 2.0))
    fail.clear()
    assert f(Broken(1.0, 2.0)) == 3.0


def test_a_list_that_another_thread_changes_meanwhile() -> None:
    f = ft.jit(lambda v: v[0] + v[1])
    shared: list[Any] = [np.ones(20_000), np.ones(20_000)]
    for _ in range(3):
        f(shared)
    done = threading.Event()

    def change() -> None:
        while not done.is_set():
            shared[0] = np.ones(20_000)
            shared[1] = np.ones(20_000)

    other = threading.Thread(target=change)
    other.start()
    try:
        for _ in range(300):
            assert (f(shared) == 2.0).all()
    finally:
        done.set()
        other.join()


def test_eight_threads_with_numbers_and_trees() -> None:
    f = ft.jit(lambda t, p, *, n: {"a": t * p["x"] + n, "b": (p["y"], t)}, static_argnames="n")
    wrong: list[Any] = []
    start = threading.Barrier(8)

    def work(k: int) -> None:
        start.wait()
        for turn in range(200):
            x = np.arange(50.0)[:: 1 + (turn % 2)] + k
            got = f(k + 0.5, {"y": k, "x": x}, n=k % 3)
            if not (np.array_equal(got["a"], (k + 0.5) * x + k % 3) and got["b"] == (k, k + 0.5)):
                wrong.append(got)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_counts_of_references_stay() -> None:
    x, note = np.ones((3, 4)), Setting(7)
    f = ft.jit(lambda t, p, s: {"q": p.a * t, "r": [p.b, None]}, static_argnums=2)
    pair, wrong = Pair(x, x.T, note), Pair(x, 1j, note)

    def calls() -> None:
        f(0.5, pair, note)
        taken(f, 0.5, wrong, note)
        taken(f, 0.5, pair, Setting(8))
        taken(f, "t", pair, note)

    for _ in range(5):
        calls()
    gc.collect()
    things = (x, note, pair, Pair, Setting, None)
    before = [sys.getrefcount(a) for a in things]
    for _ in range(200):
        calls()
    gc.collect()
    after = [sys.getrefcount(a) for a in things]
    assert all(abs(a - b) < 20 for a, b in zip(after, before)), (before, after)
    assert after[:3] == before[:3]


def test_a_function_that_its_own_static_argument_holds_is_collected() -> None:
    class Holder:
        f: Any = None

    holder = Holder()
    f = ft.jit(lambda x, h: x + 1.0, static_argnums=1)
    holder.f = f
    for _ in range(3):
        f(1.0, holder)
    assert taken(f, 1.0, holder)
    gone = weakref.ref(f), weakref.ref(holder)
    del f, holder
    gc.collect()
    assert [g() for g in gone] == [None, None]


# memory of results


def test_kept_memory_has_one_budget_whatever_the_functions() -> None:
    module = launcher.ready()
    held = []
    for k in range(6):
        f = ft.jit(lambda x, k=k: (x + k, (np.sin(x) / (1 + np.sin(x).sum()) * x)[::2]))
        x = np.ones(1_000_000 + 1000 * k)
        for _ in range(4):
            held.append(f(x))
            del held[:-1]
        assert module.kept() <= 1 << 25
    held.clear()
    assert 0 < module.kept() <= 1 << 25
    big = ft.jit(lambda x: x + 1.0)
    x = np.ones(1 << 23)
    for _ in range(4):
        y = big(x)
    before = module.kept()
    del y
    assert module.kept() == before  # larger than the budget: it goes back at once


def test_memory_used_least_recently_goes_first() -> None:
    module = launcher.ready()
    sizes = (1 << 20, (1 << 20) + 200_000, (1 << 20) + 400_000, (1 << 20) + 700_000)  # 8 to 14 MB
    fs = [ft.jit(lambda x: x + 1.0) for _ in sizes]
    for f, n in zip(fs, sizes):
        for _ in range(3):
            f(np.ones(n))
    assert module.kept() <= 1 << 25
    first = fs[-1](np.ones(sizes[-1])).ctypes.data
    assert fs[-1](np.ones(sizes[-1])).ctypes.data == first


ROUTES: dict[str, Callable[[], Any]] = {}


def route(make: Callable[[], Any]) -> Callable[[], Any]:
    ROUTES[make.__name__] = make
    return make


@route
def launched() -> Any:
    f = ft.jit(lambda x: (x * 2.0).T)
    for _ in range(3):
        y = f(np.ones((200, 100)))
    return y


@route
def first_call() -> Any:
    return ft.jit(lambda x: (x * 2.0).T)(np.ones((200, 100)))


@route
def two_results() -> Any:
    return ft.jit(lambda x: (x * 2.0, (x * 2.0).reshape(-1), x))(np.ones((200, 100)))[1]


@route
def cffi() -> Any:
    with config.override(launcher=False):
        f = ft.jit(lambda x: (x * 2.0).T)
        for _ in range(3):
            y = f(np.ones((200, 100)))
        return y


@route
def not_jitted() -> Any:
    return ft.vmap(lambda v: v * 2.0)(np.ones((200, 100)))


@route
def checked() -> Any:
    with config.override(debug_nans=True):
        return ft.jit(lambda x: x * 2.0)(np.ones((200, 100)))


@route
def by_numpy() -> Any:
    return ft.jit(lambda x: np.linalg.inv(x).T.reshape(-1))(np.eye(150))


@route
def an_argument() -> Any:
    return ft.jit(lambda x: x)(np.ones((200, 100)))


@route
def values() -> Any:
    return ft.spjacobian(lambda x: x * x).values(np.ones(20_000))


@route
def a_gradient() -> Any:
    return ft.grad(lambda x: (x * x).sum())(np.ones(20_000))


@pytest.mark.parametrize("name", ROUTES)
def test_a_result_is_resized_like_any_array(name: str) -> None:
    y = ROUTES[name]()
    assert type(y) is np.ndarray and y.base is None and y.flags.owndata and y.flags.writeable
    values = y.ravel().copy()
    size = y.size
    y.resize((size + 7,), refcheck=True)
    np.testing.assert_array_equal(y[:size], values)
    np.testing.assert_array_equal(y[size:], 0)
    y.resize((3, 5))
    np.testing.assert_array_equal(y, values[:15].reshape(3, 5))
    y.resize((300, 500))
    assert not y.ravel()[15:].any()


CALLS = """
import gc, resource, sys
import numpy as np, functrans as ft
from functrans.backend.runtime import launcher
launcher.build_in_background().join()
f = ft.jit(lambda t, p, n: {"a": t * p["x"], "b": [p["y"], len(n)]}, static_argnums=2)
g = ft.jit(lambda x: x + 1.0)
x, wide = np.ones(4), np.ones((4, 2))[:, 0]
def calls(n):
    for k in range(n):
        f(0.5, {"x": x, "y": k}, "s")
        f(np.float64(0.5), {"y": 1j, "x": wide}, ("s", 1.0))
        try:
            f(0.5, {"x": x, "y": 2**70}, "s")
        except TypeError:
            pass
def large(n):
    for k in range(n):
        y = g(z); y.resize(70_000 - 100 * (k % 5), refcheck=False)
z = np.ones(60_000)
calls(2000); large(200)
gc.collect(); before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
calls(int(sys.argv[1])); large(2000)
gc.collect(); print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.parametrize("options", [(), ("-X", "dev")], ids=["plain", "dev"])
def test_calls_without_end_take_no_memory(options: tuple[str, ...], tmp_path: Path) -> None:
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    run = subprocess.run(
        [sys.executable, *options, "-c", CALLS, "20000"],
        env=os.environ | {"PYTHONPATH": path, "FUNCTRANS_CACHE_DIR": str(tmp_path)},
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) < 4000, "kilobytes"


def test_where_there_is_no_launcher_nothing_else_changes() -> None:
    with config.override(launcher=False):
        f = ft.jit(lambda t, x: fnp.where(x > t, x, t))
        for _ in range(100):
            np.testing.assert_array_equal(f(1.0, np.arange(3.0)), [1, 1, 2])
        assert not taken(f, 1.0, np.arange(3.0))


DROPPED = """
import os
import numpy as np, functrans as ft
from functrans.backend.runtime import launcher
launcher.build_in_background().join()
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
functions = [ft.jit(lambda x, k=k: x * k) for k in range(1, 5)]
x = np.ones(5_000_000)  # more than malloc keeps for itself
for f in functions:
    f(np.ones(8))
before = resident()
for f in functions:
    for _ in range(6):
        f(x)
print((resident() - before) >> 20)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="asks Linux for the memory of the process")
def test_dropped_results_of_several_functions_have_one_budget(tmp_path: Path) -> None:
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    run = subprocess.run(
        [sys.executable, "-c", DROPPED], env=os.environ | {"PYTHONPATH": path, "FUNCTRANS_CACHE_DIR": str(tmp_path)},
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) < 64, "megabytes"


@pytest.mark.parametrize("many", [1, 127, 129, 600])
def test_any_number_of_arrays(many: int) -> None:
    """What a call lists lies on the stack or, where it is long, in memory of its own: the short way either way."""

    @ft.jit
    def f(xs: list[Any], s: Any) -> list[Any]:
        return [x * s + k for k, x in enumerate(xs)]

    few, xs = [np.arange(2.0)], [np.arange(3.0) + k for k in range(many)]
    for values in (few, xs, few, xs):
        f(values, 2.0)
    for values in (few, xs, few):
        assert taken(f, values, 2.0)
        for k, (got, x) in enumerate(zip(f(values, 2.0), values, strict=True)):
            np.testing.assert_array_equal(got, x * 2.0 + k)
    out = tuple(np.empty(3) for _ in range(many))
    g = ft.jit(lambda xs: tuple(x + 1 for x in xs))
    for _ in range(2):
        g(xs)
    assert g._launch.call((xs,), out, {}) is out
    np.testing.assert_array_equal(out, np.asarray(xs) + 1)
