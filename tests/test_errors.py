"""Each error is what a user would catch, and points at the user's line."""

from __future__ import annotations

import builtins
import inspect
import os
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans
from functrans import errors
from functrans.transforms.out import OverlapError

CAUGHT_AS = {
    "ShapeError": "ValueError",
    "ArgumentValueError": "ValueError",
    "WeightsError": "ValueError RuntimeError",
    "AxisError": "ValueError IndexError",
    "DtypeError": "TypeError",
    "TracedValueError": "TypeError",
    "LeakedValueError": "RuntimeError",
    "LinAlgError": "ValueError",
    "ConvergenceError": "RuntimeError",
    "SpecError": "ValueError",
    "SparsityError": "ValueError",
    "UnsupportedError": "NotImplementedError",
    "ArgumentError": "TypeError",
    "IndexOutOfRange": "IndexError",
    "IntegerOutOfRange": "TypeError OverflowError",
    "NanError": "FloatingPointError",
    "OutOfMemory": "MemoryError",
    "ConfigError": "ValueError",
    "CompileError": "RuntimeError",
    "CompilerNotFound": "RuntimeError",
}


@pytest.mark.parametrize("name", CAUGHT_AS)
def test_is_a_functrans_error_and_the_builtin(name: str) -> None:
    kind = getattr(errors, name)
    for builtin in CAUGHT_AS[name].split():
        text = rf"^text\n  see: python -m functrans error {name}$"
        with pytest.raises(getattr(builtins, builtin), match=text) as caught:
            raise kind("text")
        assert caught.value.message == errors.text_of(caught.value) == "text"
    assert issubclass(kind, errors.FunctransError)


def test_classes_within_the_library_name_the_public_one_that_they_are() -> None:
    assert str(OverlapError("text")) == "text\n  see: python -m functrans error ArgumentError"
    assert repr(OverlapError("text")) == "OverlapError('text')"


def test_an_error_in_the_message_of_another_has_no_line_of_its_own() -> None:
    with pytest.raises(errors.AxisError) as caught:
        functrans.vmap(np.sin, in_axes=((0,),))(np.ones(3))
    assert str(caught.value).count("see: ") == 1 and "error AxisError" in str(caught.value)


@pytest.mark.parametrize("name", CAUGHT_AS)
def test_docstring_says_what_why_and_fix(name: str) -> None:
    text = inspect.getdoc(getattr(errors, name)) or ""
    for word in ("What:", "Why:", "Fix:"):
        assert f"\n{word} " in text


def test_nothing_public_is_missing() -> None:
    classes = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, (errors.FunctransError, Warning))
    }
    assert classes == {*CAUGHT_AS, "FunctransError", "FunctransWarning"}
    assert classes < set(errors.__all__)


BASES = {
    **{name: getattr(builtins, builtin) for name, builtin in CAUGHT_AS.items() if " " not in builtin},
    "AxisError": np.exceptions.AxisError,
    "LinAlgError": np.linalg.LinAlgError,
}


@pytest.mark.parametrize("name", [n for n in BASES if n != "CompilerNotFound"])
def test_the_bases_are_exactly_those_promised(name: str) -> None:
    kind = getattr(errors, name)
    assert kind.__bases__ == (errors.FunctransError, BASES[name])
    assert getattr(functrans, name) is kind and name in functrans.__all__
    assert errors.CompilerNotFound.__bases__ == (errors.CompileError,)


def test_an_axis_error_is_that_of_numpy() -> None:
    with pytest.raises(np.exceptions.AxisError, match="axis 2 is out of bounds for array of dimension 1") as caught:
        functrans.jit(lambda x: x.sum(axis=2))(np.ones(3))
    back = pickle.loads(pickle.dumps(caught.value))
    assert type(back) is errors.AxisError and str(back) == str(caught.value)
    assert caught.value.__reduce__() == (errors.AxisError, (caught.value.message,))


def test_compiler_not_found_is_a_compile_error() -> None:
    assert issubclass(errors.CompilerNotFound, errors.CompileError)


def test_compile_error_keeps_its_facts_through_pickle() -> None:
    error = errors.CompileError("text", command=["cc", "x.c"], stderr="no", source="/x.c")
    back = pickle.loads(pickle.dumps(error))
    assert (back.message, back.command, back.stderr, back.source) == ("text", ("cc", "x.c"), "no", "/x.c")


def inside(path: str, source: str) -> Any:
    """A function whose code claims to come from `path`."""
    space: dict[str, Any] = {"__name__": "somewhere"}
    exec(compile(source, path, "exec"), space)
    return space["call"]


def here(call: Callable[..., Any]) -> tuple[str, int] | None:
    place: tuple[str, int] | None = call(errors.user_frame)
    return place


LINE = here.__code__.co_firstlineno + 1


def test_frames_of_functrans_are_skipped() -> None:
    package = os.path.dirname(errors.__file__)
    deep = inside(os.path.join(package, "ops", "uop.py"), "def call(f): return f()")
    assert here(deep) == (__file__, LINE)


def test_a_folder_that_only_begins_like_the_package_is_the_user() -> None:
    path = os.path.dirname(errors.__file__) + "_models/power.py"
    assert here(inside(path, "\n\ndef call(f): return f()")) == (path, 3)


def test_frames_of_numpy_are_skipped() -> None:
    seen: list[tuple[str, int] | None] = []

    def through_numpy(user_frame: Callable[[], tuple[str, int] | None]) -> tuple[str, int] | None:
        package = os.path.dirname(errors.__file__)
        deep = inside(os.path.join(package, "x.py"), "def call(f): return lambda row: f()")
        np.apply_along_axis(lambda row: seen.append(deep(user_frame)(row)) or 0, 0, np.ones((2, 1)))
        return seen[0]

    here(through_numpy)
    place = seen[0]
    assert place is not None and place[0] == __file__ and LINE < place[1]


def test_no_user_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "_is_internal", lambda filename, module: True)
    assert errors.user_frame() is None
    assert errors.at_user_line() == ""


def test_at_user_line_ends_a_sentence() -> None:
    path = "/home/someone/model.py"
    assert inside(path, "\n\n\ndef call(f): return f()")(errors.at_user_line) == " (model.py:4)"
