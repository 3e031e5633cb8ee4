"""The ``{thumbnail}`` directive: the last picture of another page, or the first, drawn small.

The picture is that which the page's ``{run}`` snippets drew: nothing is computed twice.
"""

from __future__ import annotations

import posixpath
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

logger = logging.getLogger(__name__)
PICTURE = '<figure class="picture">'


class thumbnail(nodes.General, nodes.Element):
    """Stands for the picture until all pages are read."""


class Thumbnail(SphinxDirective):
    """One argument: the page, from the folder of this one. With ``:first:`` its first picture."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {"first": directives.flag}

    def run(self) -> list[nodes.Node]:
        """Return the place of the picture."""
        page = posixpath.normpath(posixpath.join(posixpath.dirname(self.env.docname), self.arguments[0]))
        return [thumbnail(page=page, which=0 if "first" in self.options else -1)]


def draw(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put the pictures in; a page without one is a warning, and so fails the build."""
    for place in list(doctree.findall(thumbnail)):
        page = place["page"]
        if page not in app.env.found_docs:
            logger.warning("no page %s for a thumbnail", page, location=docname)
            place.parent.remove(place)
            continue
        found = [r.astext() for r in app.env.get_doctree(page).findall(nodes.raw) if r.astext().startswith(PICTURE)]
        if not found:
            logger.warning("page %s has no picture for a thumbnail", page, location=docname)
        text = found[place["which"]].replace(PICTURE, '<figure class="picture thumbnail">') if found else ""
        place.replace_self(nodes.raw(text, text, format="html"))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_node(thumbnail)
    app.add_directive("thumbnail", Thumbnail)
    app.connect("doctree-resolved", draw)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
