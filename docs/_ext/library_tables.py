"""Pages made from the library itself: the op table, the error classes, and a check that no name is left out.

``{op-table}`` lists the OpDef records, ``{error-classes}`` documents every `FunctransError`. A public name of
functrans that no page documents is a warning, and so fails the build.
"""

from __future__ import annotations

import inspect
import re
from collections import defaultdict
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

import functrans
import functrans.errors
from functrans.ops.enums import Ops
from functrans.ops.opdef import TABLE, OpDef

logger = logging.getLogger(__name__)
LABEL = re.compile(r"^(What|Why|Fix): ")


def _parse(directive: SphinxDirective, lines: list[str]) -> list[nodes.Node]:
    # MyST takes its text from the list alone
    holder = nodes.section()
    directive.state.nested_parse(lines, directive.content_offset, holder)
    return holder.children


def _derivative(record: OpDef) -> str:
    if record.kind != "elementwise":
        return "by kind"
    partials = record.partials or ()
    return ", ".join("0" if p is None else "∂" for p in partials) or "none"


class OpTable(SphinxDirective):
    """One table a kind, a row an op."""

    def run(self) -> list[nodes.Node]:
        """Return the tables."""
        by_kind: dict[str, list[Ops]] = defaultdict(list)
        for op in Ops:
            if op in TABLE:
                by_kind[TABLE[op].kind].append(op)
        lines = []
        for kind, ops in by_kind.items():
            lines += ["", f"**{kind}**", "", "| op | meaning | derivative |", "| --- | --- | --- |"]
            for op in ops:
                meaning = TABLE[op].meaning.replace("|", "\\|")
                lines.append(f"| `{op.name}` | {meaning} | {_derivative(TABLE[op])} |")
        return _parse(self, lines)


class ErrorClasses(SphinxDirective):
    """A section with an anchor for every error class."""

    option_spec: ClassVar[dict[str, Any]] = {"class": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        """Return the documentation of each class, in the order of the module."""
        lines: list[str] = []
        for name, cls in vars(functrans.errors).items():
            if inspect.isclass(cls) and cls.__module__ == "functrans.errors":
                lines += [f"({name})=", "```{eval-rst}", f".. autoexception:: functrans.{name}",
                          "   :show-inheritance:", "```", ""]
        return _parse(self, lines)


def label_paragraphs(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Make a paragraph of its own of each ``What: / Why: / Fix:`` of an error's docstring."""
    if what == "exception":
        for k in range(len(lines) - 1, -1, -1):
            if LABEL.match(lines[k]):
                lines[k : k + 1] = ["", LABEL.sub(r"**\1:** ", lines[k])]


def every_name_documented(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of each public name that no page documents."""
    known = {name.rpartition(".")[2] for name in env.get_domain("py").objects}  # type: ignore[attr-defined]
    for name in functrans.__all__:
        if name not in known and not inspect.ismodule(getattr(functrans, name)):
            logger.warning("functrans.%s is public, and no page documents it", name)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives and the check."""
    app.add_directive("op-table", OpTable)
    app.add_directive("error-classes", ErrorClasses)
    app.connect("autodoc-process-docstring", label_paragraphs)
    app.connect("env-check-consistency", every_name_documented)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
