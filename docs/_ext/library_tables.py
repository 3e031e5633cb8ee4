"""Pages made from the library itself: the ops, the passes, and a check that no name is left out.

``{uop-reference}`` lists the ops, ``{uop-words}`` the words of the design that are no ops, ``{pass-list}`` the passes.
A public name of functrans that no page documents is a warning, and so fails the build.
"""

from __future__ import annotations

import inspect
import re
from typing import Any, TypeVar

import pass_list
import uop_reference
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

import functrans
import functrans.numpy
import functrans.scipy

logger = logging.getLogger(__name__)
LABEL = re.compile(r"^(What|Why|Fix): ")
FIELD = re.compile(r"^:(ivar|type|vartype) ([^:]+): ?(.*)$")
SUMMARY = re.compile(r"^:type: ([^`]+)$")
MODULUS = re.compile(r"(?<![`\w])\|(\w+)\|")


def parsed(directive: SphinxDirective, lines: list[str]) -> list[nodes.Node]:
    # MyST takes its text from the list alone
    holder = nodes.section()
    directive.state.nested_parse(lines, directive.content_offset, holder)
    return holder.children


class UopReference(SphinxDirective):
    """One table a kind, a row an op."""

    def run(self) -> list[nodes.Node]:
        """Return the tables."""
        return parsed(self, uop_reference.reference())


class UopWords(SphinxDirective):
    """The words that are no ops, what stands in for each, and where that was decided."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        return parsed(self, uop_reference.words())


class PassList(SphinxDirective):
    """What each pass does, and an example: ``graphs`` or ``statements``."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the list."""
        return parsed(self, pass_list.lines(self.arguments[0]))


def label_paragraphs(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Make a paragraph of its own of each ``What: / Why: / Fix:`` of an error's docstring."""
    if what == "exception":
        for k in range(len(lines) - 1, -1, -1):
            if LABEL.match(lines[k]):
                lines[k : k + 1] = ["", LABEL.sub(r"**\1:** ", lines[k])]


def words_of_docstrings(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Keep words from being read as markup: types given in words, several names on one line, ``|x|``."""
    made = []
    for line in lines:
        line = MODULUS.sub(r"\\|\1\\|", line)
        summary = SUMMARY.match(line)
        if what == "property" and summary:  # napoleon took "Word: rest" for a type and its description
            made[0] = f"{summary[1]}: {made[0]}"
            continue
        field = FIELD.match(line)
        if field is None:
            made.append(line)
            continue
        kind, names, text = field.groups()
        if "type" in kind and text and not set("`*") & set(text):
            text = f"*{text}*"
        made += [f":{kind} {one}: {text}" for one in names.split(", ")]
    lines[:] = made


class TensorForItsBases:
    """Show the classes that Tensor is put together from as Tensor.

    An object and not a function: Sphinx keeps no function, and would build all pages anew each time.
    """

    def __call__(self, annotation: Any, config: Any) -> str | None:
        """The text of an annotation, or None for the usual one."""
        if inspect.isclass(annotation) and annotation.__module__ == "functrans.tensor.handle":
            return ":py:class:`~functrans.Tensor`"
        if inspect.isclass(annotation) and annotation in functrans.Tensor.__mro__[1:-1]:
            return ":py:class:`~functrans.Tensor`"
        return self(annotation.__bound__, config) if isinstance(annotation, TypeVar) else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorForItsBases)

    def __hash__(self) -> int:
        return hash(TensorForItsBases)


def every_name_documented(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of each public name that no page documents."""
    known = {name.rpartition(".")[2] for name in env.get_domain("py").objects}  # type: ignore[attr-defined]
    for name in functrans.__all__:
        if name not in known and not inspect.ismodule(getattr(functrans, name)):
            logger.warning("functrans.%s is public, and no page documents it", name)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives and the check."""
    app.add_directive("uop-reference", UopReference)
    app.add_directive("uop-words", UopWords)
    app.add_directive("pass-list", PassList)
    app.connect("autodoc-process-docstring", label_paragraphs)
    app.connect("autodoc-process-docstring", words_of_docstrings, priority=900)  # after napoleon made the fields
    app.connect("env-check-consistency", every_name_documented)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
