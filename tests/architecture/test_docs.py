"""What the pages for newcomers promise: what is there is shown, and is not called missing."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

import functrans as ft

ROOT = Path(__file__).parents[2]
SHOWN = {
    "docs/tutorials/quickstart.md": "jit vmap jvp grad hessian spjacobian sphessian nlp scan tree.map",
    "docs/howto/coming-from-casadi.md": "spjacobian sphessian lagrangian_hessian nlp",
}
# words for what pages used to call missing: what they would be called if it were there
MISSING = {
    "scan": "scan", "while_loop": "while_loop", "cond": "cond", "sparse Hessian": "sphessian", "`fft": "numpy.fft",
    "pytree": "tree", "Opti": "Opti", "`pmap": "pmap", "random": "random",
}  # fmt: skip


def exists(name: str) -> bool:
    at: object = ft
    for part in name.split("."):
        if not hasattr(at, part):
            return False
        at = getattr(at, part)
    return True


def not_built(text: str) -> str:
    """What a page calls not built: the section, or the paragraph, of that name."""
    found = re.search(
        r"^## Not built\n(.*?)(?=^#|\Z)|^\*\*Not built\*\*:(.*?)(?=^$|\Z)", text, re.DOTALL | re.MULTILINE
    )
    return (found[1] or found[2]) if found else ""


@pytest.mark.parametrize("page", SHOWN)
def test_newcomers_are_shown_what_they_look_for(page: str) -> None:
    text = (ROOT / page).read_text()
    assert [name for name in SHOWN[page].split() if not re.search(rf"\bft\.{re.escape(name)}\(", text)] == []


@pytest.mark.parametrize("page", ["docs/howto/coming-from-casadi.md", "docs/howto/coming-from-jax.md"])
def test_what_is_there_is_not_called_missing(page: str) -> None:
    missing = not_built((ROOT / page).read_text())
    assert missing
    assert [word for word, name in MISSING.items() if word in missing and exists(name)] == []


def script(path: str) -> ModuleType:
    """A script of the checkout that is no part of the package, as a module."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_the_picture_shows_what_is_compiled_now() -> None:
    made = script("scripts/make_picture.py")
    assert made.TARGET.read_text() == made.picture(), "python scripts/make_picture.py draws it anew"


def test_the_examples_of_the_readme_run() -> None:
    ran, failed = script("docs/run_markdown.py").run_file(ROOT / "README.md")
    assert (ran > 0, failed) == (True, 0)
