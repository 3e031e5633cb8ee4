"""``{names} numpy``: every function of a module of NumPy or SciPy, whether it is here, and what to write instead.

Made from the modules that are installed, from what functrans has under the same names, and from the hints of its error
messages, so that the table says what an error would say.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from name_answers import MODULES, answer, names_of
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Names(SphinxDirective):
    """A count, a table of what is to be written otherwise, and lists of what is here, is not, and is NumPy's own."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return them."""
        space = self.arguments[0]
        answers = {name: answer(space, name) for name in names_of(MODULES[space])}
        kinds = ("here", "instead", "not here", "constants")
        of = {kind: [n for n, (k, _) in answers.items() if k == kind] for kind in kinds}
        count = f"{len(answers)} functions: {len(of['here'])} are here, {len(of['instead'])} have a replacement, "
        made: list[nodes.Node] = [nodes.paragraph("", f"{count}{len(of['not here'])} are not here.")]
        made += [nodes.rubric("", "Here"), self.listed(space, of["here"])]
        if of["instead"]:
            made += [nodes.rubric("", "Write instead"), self.table({n: answers[n][1] for n in of["instead"]})]
        if of["not here"]:
            made += [nodes.rubric("", "Not here"), self.listed("", of["not here"])]
        if of["constants"]:
            title = "NumPy's own: functions of constants, and of files, which never ask a Tensor"
            made += [nodes.rubric("", title), self.listed("", of["constants"])]
        return made

    def listed(self, space: str, names: list[str]) -> nodes.paragraph:
        """Names in a row; those of functrans lead to their pages."""
        row = nodes.paragraph(classes=["names"])
        for k, name in enumerate(names):
            row += nodes.Text(", " if k else "")
            page = space.replace("np", "numpy", 1) + "." + name
            if space and page in self.config.reference_names:
                row += addnodes.pending_xref(
                    "", nodes.literal(name, name), refdomain="std", reftype="doc",
                    reftarget=f"/reference/names/{page}", refexplicit=True, refdoc=self.env.docname, refwarn=True,
                )  # fmt: skip
            else:
                row += nodes.literal(name, name)
        return row

    def table(self, hints: dict[str, str]) -> nodes.table:
        """A row a function: its name, the expression, and a remark."""
        body = nodes.tbody()
        for name, text in hints.items():
            code, _, remark = text.partition("; ")
            cells = [nodes.literal(name, name)], [nodes.literal(code, code)], [nodes.Text(remark)]
            body += nodes.row("", *(nodes.entry("", nodes.paragraph("", "", *cell)) for cell in cells))
        titles = nodes.row("", *(nodes.entry("", nodes.paragraph("", t)) for t in ("function", "write", "remark")))
        widths = (nodes.colspec(colwidth=w) for w in (20, 50, 30))
        group = nodes.tgroup("", *widths, nodes.thead("", titles), body, cols=3)
        return nodes.table("", group, classes=["hints"])


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("names", Names)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
