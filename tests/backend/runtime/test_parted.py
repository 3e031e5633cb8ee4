"""A unit as two texts for two compilers: each function in one of them, the same bits, errors where they are."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.runtime import cache, compiling, library
from functrans.backend.runtime.parted import parted
from functrans.backend.runtime.toolchain import find_compiler
from functrans.config import config
from functrans.errors import CompileError
from tests.plans import kept_apart

APART = "static __attribute__((noinline)) "
TEXT = (
    "static inline double twice(double x) {\n  return x + x;\n}\n"
    + "".join(f"{APART}double f{k}(const double *p,\n long n) {{\n  return twice(*p) * {k};\n}}\n\n" for k in range(3))
    + f"{APART}double f3(double x) {{ return x; }}\n"
    + f"{APART}double f4(const double *p) {{\n  return f3(f0(p, 1) + f1(p, 2) * f2(p, 3));\n}}\n\n"
    + "int ft_entry(void **buffers, const long long *sizes, void *call) {\n  *(double *)buffers[1] = f4(buffers[0]);\n"
    + "  return 0;\n}\n"
)  # fmt: skip


def attention(q: Any, k: Any, v: Any) -> Any:
    e = np.exp(q @ k.T - (q @ k.T).max(-1)[..., None])
    return np.tanh(e / e.sum(-1)[..., None] @ v)


def test_each_function_is_in_one_text_and_lines_keep_their_numbers() -> None:
    texts = parted(TEXT)
    assert len(texts) == 2
    whole = TEXT.split("\n")
    for name in ("f0", "f1", "f2", "f3", "f4"):
        assert sum(len(re.findall(rf"double {name}\([^{{;]*{{", text)) for text in texts) == 1, name
        assert sum(len(re.findall(rf"double {name}\([^{{;]*;", text)) for text in texts) >= 1, name
    for text in texts:
        for k, line in enumerate(text.split("\n")):
            assert line in ("", whole[k]) or line.endswith(";") or "hidden" in line, line
    assert ["ft_entry" in text for text in texts] == [True, False]


def test_conditions_of_the_preprocessor_are_closed_in_both_texts() -> None:
    """Functions for wide vectors and for others, as of sparse factors for each shape of a row."""
    functions, entry = TEXT.split("int ft_entry")
    both = f"#ifdef WIDE\n{functions}#else\n{functions}#endif\nint ft_entry{entry}"
    for text in parted(both):
        assert text.count("#if") == text.count("#endif") == 1


@pytest.mark.parametrize(
    "text",
    [TEXT.replace("ft_entry", "other"), TEXT.replace("twice", "custom_twice"), TEXT.replace(APART, "static ", 2)],
    ids=["no unit", "a user's lines", "few functions"],
)
def test_other_texts_are_left_whole(text: str) -> None:
    assert parted(text) == (text,)


def test_two_compilers_make_the_same_bits(compiler: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    arguments = [rng.normal(size=(40, 24)) for _ in range(3)]
    begun: list[tuple[str, ...]] = []
    begin: Callable[..., None] = compiling.Compiling._begin

    def counted(self: compiling.Compiling, *source: str, fed: bool = False) -> None:
        begun.append(source)
        begin(self, *source, fed=fed)

    monkeypatch.setattr(compiling.Compiling, "_begin", counted)
    found = []
    for threads in (1, 2):
        begun.clear()
        monkeypatch.setattr(library, "_entries", OrderedDict())
        monkeypatch.setattr(library, "_alive", {})
        with kept_apart(tmp_path / str(threads)), config.override(threads=threads):
            found.append(ft.jit(attention)(*arguments))
        assert len(begun) == (threads if find_compiler().takes_pipe else 1)
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("wrong", range(5))
def test_an_error_is_told_by_its_line(wrong: int, compiler: None) -> None:
    line = next(k for k, line in enumerate(TEXT.split("\n"), 1) if f"f{wrong}(" in line and line.startswith(APART))
    text = TEXT.replace(f"{APART}double f{wrong}(", f"{APART}double f{wrong}(no_type x, ")
    with config.override(threads=2), pytest.raises(CompileError, match=rf"entry\.c:{line}:"):
        compiling.compile_c(find_compiler(), text, cache.current())
