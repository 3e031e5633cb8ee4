"""The ``{benchmark-results}`` directive: the tables of the record that RESULTS.md was written from."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from result_tables import text
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from benchmarks.record import HERE, latest


class Results(SphinxDirective):
    """All tables."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        record = latest()
        if record is None:
            raise self.error("benchmarks/RESULTS.md names no record in benchmarks/results")
        self.env.note_dependency(str(HERE / "RESULTS.md"))
        holder = nodes.section()
        self.state.nested_parse(text(record), self.content_offset, holder, match_titles=True)  # type: ignore[arg-type]
        return holder.children


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("benchmark-results", Results)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
