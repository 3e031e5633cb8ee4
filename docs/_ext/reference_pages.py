"""A page of the site for every public name: written before the build into ``docs/reference/names``.

``{api}`` on a page holds autodoc directives as reStructuredText would. It shows a list of the names and what they are
in a sentence; the documentation itself is on a page a name. ``{numpy-namespace}`` and its kin do so for whole modules.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import sections
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

import functrans
import functrans.numpy
import functrans.scipy

FOLDER = "reference/names"
BLOCK = re.compile(r"^```\{api\}\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ENTRY = re.compile(r"^\.\. (auto\w+):: (\S+)\n((?:   :.*\n)*)", re.MULTILINE)
MODULES = {
    "linalg": functrans.numpy.linalg, "fft": functrans.numpy.fft, "special": functrans.scipy.special,
    "scipy-linalg": functrans.scipy.linalg,
}  # fmt: skip
logger = logging.getLogger(__name__)


class Entry(NamedTuple):
    """One name: the directive that documents it, its full name, options, and the page that lists it."""

    directive: str
    name: str
    options: str
    page: str


def entries_of(text: str, page: str) -> list[Entry]:
    """The names in the text of an ``{api}`` block."""
    full = ((kind, name if name.startswith("functrans.") else f"functrans.{name}", options)
            for kind, name, options in ENTRY.findall(text + "\n"))
    return [Entry(kind, name, options, page) for kind, name, options in full]


def entries_of_module(module: Any, page: str) -> list[Entry]:
    """Those of a module that are its own."""
    own = [n for n in module.__all__ if getattr(getattr(module, n), "__module__", "").startswith("functrans")]
    own = [n for n in own if n not in functrans.__all__]  # errors have a page of their own
    kinds = {n: "autofunction" if inspect.isfunction(getattr(module, n)) else "autoclass" for n in own}
    root = "functrans.numpy" if ".numpy." in module.__name__ and module not in MODULES.values() else module.__name__
    return [Entry(kind, f"{root}.{name}", "", page) for name, kind in kinds.items()]


def modules_of_numpy() -> list[Any]:
    """The modules that functrans.numpy is made of, each a family of functions."""
    parts = [m for m in vars(functrans.numpy).values() if inspect.ismodule(m) and hasattr(m, "__all__")]
    return [m for m in parts if m.__name__.startswith("functrans.numpy.") and m not in MODULES.values()]


def every(source: Path) -> Iterator[Entry]:
    """All names that have a page."""
    for path in sorted((source / "reference").glob("*.md")):
        for block in BLOCK.findall(path.read_text(encoding="utf-8")):
            yield from entries_of(block, path.stem)
    for module in modules_of_numpy():
        yield from entries_of_module(module, "numpy")
    for page, module in MODULES.items():
        yield from entries_of_module(module, page.removeprefix("scipy-"))


def resolve(name: str) -> Any:
    """The object of a full name."""
    parts = name.split(".")
    for k in range(len(parts), 0, -1):
        try:
            value: Any = importlib.import_module(".".join(parts[:k]))
        except ImportError:
            continue
        if all(hasattr(value, p) for p in parts[k : k + 1]):
            return functools.reduce(getattr, parts[k:], value)
    raise LookupError(name)


def write_pages(app: Sphinx) -> None:
    """Write what is new or has changed, remove what is gone."""
    folder = Path(app.srcdir) / FOLDER
    folder.mkdir(exist_ok=True)
    wanted = {}
    for kind, name, options, page in every(Path(app.srcdir)):
        short = name.removeprefix("functrans.")
        wanted[f"{short}.md"] = (
            f"---\norphan: true\n---\n# {short}\n\n[](../{page}.md)\n\n"
            f"```{{eval-rst}}\n.. {kind}:: {name}\n{options}```\n"
        )
    for path in folder.glob("*.md"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    app.config.reference_names = frozenset(name.removesuffix(".md") for name in wanted)


def table(env: Any, entries: list[Entry]) -> nodes.Node:
    """A line a name: a link to its page, and what it is."""
    listed = nodes.definition_list(classes=["api"])
    for entry in entries:
        short = entry.name.removeprefix("functrans.")
        link = addnodes.pending_xref(
            "", refdomain="std", reftype="doc", reftarget=f"/{FOLDER}/{short}", refexplicit=True, refdoc=env.docname,
            refwarn=True,
        )  # fmt: skip
        link += nodes.literal(short, short)
        text = (inspect.getdoc(resolve(entry.name)) or "").partition("\n\n")[0].replace("\n", " ")
        text = re.sub(r"``?([^`]*)``?", r"\1", text)
        listed += nodes.definition_list_item(
            "", nodes.term("", "", link), nodes.definition("", nodes.paragraph("", text))
        )
    return listed


class Api(SphinxDirective):
    """Autodoc directives, each of which becomes a page."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the list of names."""
        return [table(self.env, entries_of("\n".join(self.content), ""))]


class OneModule(SphinxDirective):
    """The functions of one module: its key in ``MODULES``."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the list of names."""
        return [table(self.env, entries_of_module(MODULES[self.arguments[0]], ""))]


class NumpyNamespace(SphinxDirective):
    """A list for each module of functrans.numpy, and what is NumPy's own."""

    def run(self) -> list[nodes.Node]:
        """Return the lists."""
        made: list[nodes.Node] = []
        own: list[str] = []
        for module in modules_of_numpy():
            title = (module.__doc__ or "").strip().partition("\n")[0].rstrip(".").replace("`", "")
            listed = entries_of_module(module, "")
            made += [nodes.rubric("", title), table(self.env, listed)]
            named = {entry.name.rpartition(".")[2] for entry in listed}
            own += [name for name in module.__all__ if name not in named]
        own_names = nodes.paragraph()
        for k, name in enumerate(sorted(own, key=str.lower)):
            own_names += [nodes.Text(", " if k else ""), nodes.literal(name, name)]
        return [*made, nodes.rubric("", "NumPy's own, under the same names"), own_names]


def into_sections(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """Sort the docstring of what has a page."""
    if what in ("function", "class") and name.removeprefix("functrans.") in app.config.reference_names:
        lines[:] = sections.sections(lines, obj)
        texts = ["\n".join(lines), *(inspect.getdoc(part) or "" for part in (obj, *vars(obj).values()))]
        shown = any(">>>" in text for text in texts)
        if not shown:
            logger.warning("the page of %s has no example", name)


def of_one_document(app: Sphinx, doctree: nodes.document) -> None:
    """Let all nodes of a page name the page: those of ``{eval-rst}`` name a document of their own, with whose settings
    the environment, all that Sphinx knows, would be written for every page: a megabyte each, a sixth of the build.
    """
    for node in doctree.findall():
        node.document = doctree


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives and the writing of pages."""
    app.add_config_value("reference_names", frozenset(), "")
    app.add_directive("api", Api)
    app.add_directive("namespace", OneModule)
    app.add_directive("numpy-namespace", NumpyNamespace)
    app.connect("builder-inited", write_pages, priority=100)
    app.connect("doctree-read", of_one_document, priority=950)
    app.connect("autodoc-process-docstring", into_sections, priority=950)  # after fields and types were written
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
