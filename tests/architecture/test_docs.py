"""What the pages for newcomers promise: what is there is shown, and is not called missing."""

from __future__ import annotations

import importlib.util
import inspect
import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import functrans as ft
from benchmarks.rows import TABLES

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
    for target, tall in made.TARGETS.items():
        assert target.read_text() == made.picture(tall), "python scripts/make_picture.py draws it anew"


def test_readme_and_first_page_name_the_same_numbers() -> None:
    pages = [(ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/index.md")]
    tables = [re.search(r"^One thread of .*?\n\n((?:\|.*\n)+)", page, re.MULTILINE) for page in pages]
    assert tables[0] and tables[1] and tables[0][0] == tables[1][0]
    rows = re.findall(r"`make bench ROWS=([\w-]+)`", tables[0][1])
    assert len(rows) == 3 and set(rows) <= {name for table in TABLES.values() for name in table}


def test_blocks_of_pages_are_run_in_order_and_must_end_as_they_say(tmp_path: Path) -> None:
    made = script("docs/run_markdown.py")
    page = tmp_path / "a.md"
    blocks = ("{run}\n:hide-code:\nx = 1", "python\ny = x + 1", "python\nimport no_such_package",
              "{run}\n:raises: ValueError\nraise ValueError", "text\nno(")  # fmt: skip
    page.write_text("".join(f"```{block}\n```\n" for block in blocks))
    assert made.run_file(page) == (4, 0)
    page.write_text("```{run}\n:raises: ValueError\nx = 1\n```\n")
    assert made.run_file(page) == (1, 1)
    page.write_text("```python\nraise ValueError\n```\n")
    with pytest.raises(ValueError):
        made.run_file(page)


def test_links_of_the_checkout_lead_somewhere() -> None:
    made = script("docs/check_links.py")
    pages = (p for p in sorted((ROOT / "docs").rglob("*.md")) if "_build" not in p.parts)
    assert made.of_markdown([*sorted(ROOT.glob("*.md")), *pages]) == []


def test_links_that_lead_nowhere_are_found(tmp_path: Path) -> None:
    made = script("docs/check_links.py")
    links = "[a](#two-words) [b](#none) [c](no.md) [d](b.md#x) [e](https://x.org/y)\n"
    (tmp_path / "a.md").write_text("# Two words\n```python\n[x](gone.md)\n```\n" + links)
    (tmp_path / "b.md").write_text("(x)=\n# Y\n")
    wrong = made.of_markdown([tmp_path / "a.md"])
    assert [w.split()[1] for w in wrong] == ["#none", "no.md"]
    page = '<h1 id="top"></h1><a href="#top"></a><a href="#gone"></a><a href="b.html#k"></a><img src="p.png">'
    (tmp_path / "a.html").write_text(page + '<a href="//x.org/y"></a>')
    (tmp_path / "b.html").write_text('<p id="k">')
    assert [w.split()[1] for w in made.of_site(tmp_path)] == ["#gone", "p.png"]


# Pages list these namespaces by directives of the site; tests/numpy holds every function to an example that runs.
LISTED = {"numpy", "scipy", "ops", "dtypes"}


def public() -> list[str]:
    """Every public name of functrans, and those of the namespaces that are no copies of others."""
    names = []
    for name in ft.__all__:
        value = getattr(ft, name)
        if not isinstance(value, ModuleType):
            names.append(name)
        elif name not in LISTED:
            names += [f"{name}.{inner}" for inner in value.__all__]
    return names


def has_example(name: str, pages: str) -> bool:
    """Whether its docstring has one, or, for what shows itself in use, its section of a reference page."""
    value: object = ft
    for part in name.split("."):
        value = getattr(value, part)
    if ">>>" in (inspect.getdoc(value) or ""):
        return True
    section = re.search(rf"^#+ {re.escape(name)}\n(.*?)(?=^#+ )", pages + "\n# ", re.MULTILINE | re.DOTALL)
    return section is not None and re.search(r"^```\{(doctest|run)\}", section[1], re.MULTILINE) is not None


def test_every_public_name_has_an_entry_with_an_example() -> None:
    pages = "\n".join(p.read_text() for p in sorted((ROOT / "docs" / "reference").glob("*.md")))
    entries = set(re.findall(r"^ *\.\. (?:auto\w+|py:data):: (?:functrans\.)?(\S+)$", pages, re.MULTILINE))
    assert len(public()) > 90
    assert [name for name in public() if name not in entries] == []
    assert [name for name in public() if not has_example(name, pages)] == []


def test_every_task_is_there_in_three_libraries_and_on_the_page() -> None:
    folder = ROOT / "docs" / "side_by_side"
    shown = re.findall(r"^```\{side-by-side\} (\w+)$", (ROOT / "docs/howto/side-by-side.md").read_text(), re.MULTILINE)
    assert len(shown) > 9
    for kind in ("functrans/*.py", "jax/*.py", "casadi/*.py", "output/*.txt"):
        assert sorted(p.stem for p in folder.glob(kind)) == sorted(shown)
    assert all(p.stat().st_size > 0 for p in folder.glob("output/*.txt"))


@pytest.mark.parametrize("space", ["np", "scipy.special"])
def test_the_tables_of_names_say_what_happens(space: str) -> None:
    made = script("docs/_ext/name_answers.py")
    module = made.MODULES[space]
    ufuncs = [n for n in made.names_of(module) if isinstance(getattr(module, n), np.ufunc)]
    answers = {n: made.answer(space, n)[0] for n in ufuncs}
    for name in [n for n in ufuncs if answers[n] != "here"]:
        f = getattr(module, name)
        with pytest.raises(ft.UnsupportedError):
            ft.make_graph(lambda *x, f=f: f(*x))(*[ft.ShapeDtype((3,))] * f.nin)
    for name in {"np": ("sin", "hypot", "logaddexp"), "scipy.special": ("erf", "log1p", "ndtr")}[space]:
        f = getattr(module, name)
        assert answers[name] == "here"
        ft.make_graph(lambda *x, f=f: f(*x))(*[ft.ShapeDtype((3,))] * f.nin)


def test_one_version_everywhere() -> None:
    assert f"\nversion: {ft.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert 'dynamic = ["version"]' in (ROOT / "pyproject.toml").read_text()
    made = script("scripts/release.py")
    log = made.changelog((ROOT / "CHANGELOG.md").read_text(), "9.9.9", "2030-01-31")
    assert re.findall(r"^## .*$", log, re.MULTILINE)[:2] == ["## [Unreleased]", "## [9.9.9] - 2030-01-31"]
    with pytest.raises(SystemExit):
        made.changelog(log, "9.9.9", "2030-01-31")


def test_benchmark_results_say_where_others_are_faster() -> None:
    made = script("docs/_ext/result_tables.py")
    row = {
        "table": "dense", "name": "a", "title": "a chain", "size": 1, "first": {"ours": 0.5}, "bar": 1.5,
        "seconds": {"ours": [2.0, 2.0], "limit": [1.0, 1.0], "jax": [1.6, 1.6]}, "absent": {"torch": "no module"},
        "bound": "limit", "ratio": 2.0, "met": False, "peer": "jax", "peer_ratio": 1.25,
    }  # fmt: skip
    kept = {**row, "title": "a sum", "peer_ratio": 0.5, "met": True, "at": "commit 0 on 2020-01-01, another"}
    machine = {"processor": "P", "cores": 2, "python": "3.11", "load": 4.0, "date": "2030-01-31"}
    found = "\n".join(made.text({"commit": "1", "machine": machine, "rows": [row, row, kept]}))
    for said in (
        "On 2030-01-31, commit 1: P, 2 cores", "Other work ran beside it", "make bench ROWS=dense",
        "- a chain: jax takes 0.80 of the time of functrans.", "faster in 3 of the 3 rows",
        "a chain: the bar, 1.5 of the limit, is missed; measured 2.", "commit 0 on 2020-01-01, another: a sum.",
        "- a chain: torch (no module)",
    ):  # fmt: skip
        assert said in found, said
    assert "a sum: jax" not in found
    assert found.count("<circle") == 6 and found.count(">jax</text>") == 3
