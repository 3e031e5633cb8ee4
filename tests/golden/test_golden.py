"""Golden C and golden kernel counts: how a program is fused is a promise, kept here to the letter.

After a deliberate change, ``python -m tests.golden.update`` writes the new texts; read their diff.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen.vectors.target import Target, written_for
from tests.golden.programs import CASES, ONE_TEXT
from tests.plans import plan_anew

TEXTS = Path(__file__).parent / "texts"
WRITTEN_FOR = Target(64, masks=True)  # so that the texts are the same on every machine


@pytest.fixture
def one_target(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    plan_anew(monkeypatch)
    with written_for(WRITTEN_FOR):
        yield


as_text = pytest.mark.usefixtures("one_target")


@as_text
@pytest.mark.parametrize("name", CASES)
def test_kernel_count(name: str) -> None:
    case = CASES[name]
    made = ft.jit(case.function).lower(*case.args).kernels
    assert [k.launches for k in made] == [case.launches] * case.kernels


@as_text
@pytest.mark.parametrize("name", CASES)
def test_c_text(name: str) -> None:
    case = CASES[name]
    path = TEXTS / f"{name}.c"
    assert path.exists(), f"no golden text of {name}; run: python -m tests.golden.update"
    assert ft.jit(case.function).lower(*case.args).c_source == path.read_text()


@as_text
@pytest.mark.parametrize("method", ["vmapin", "rewrite", "pad_reduce"])
@pytest.mark.parametrize("name", ONE_TEXT)
def test_every_method_has_one_text(name: str, method: str) -> None:
    f, axis, kind = ONE_TEXT[name]
    lowered = ft.jit(ft.vmap(f, axis, method=method, axis_type=kind)).lower(*CASES[name].args)
    assert lowered.c_source == (TEXTS / f"{name}.c").read_text()
    assert [k.launches for k in lowered.kernels] == [CASES[name].launches] * CASES[name].kernels


@pytest.mark.parametrize("name", CASES)
def test_value(name: str) -> None:
    """With the vectors of this machine, as users run it."""
    case = CASES[name]
    got, want = case.function(*case.args), case.plain(*case.args)
    for g, w in zip(*((r if isinstance(r, tuple) else (r,)) for r in (got, want)), strict=True):
        np.testing.assert_allclose(g, w, rtol=1e-12, atol=1e-14)


def test_no_text_without_a_program() -> None:
    assert {p.stem for p in TEXTS.glob("*.c")} == set(CASES)
