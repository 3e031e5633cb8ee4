"""The ``{side-by-side}`` directive: one task in functrans, JAX and CasADi, in tabs, with what the programs print.

The programs are in ``docs/side_by_side``. The one of functrans runs while the page is built, and must print what is
recorded in ``docs/side_by_side/output``; ``python -m benchmarks.side_by_side`` holds the others to the same text.
"""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

HERE = Path(__file__).parents[1] / "side_by_side"
LIBRARIES = {"functrans": "functrans", "jax": "JAX", "casadi": "CasADi"}


def printed(program: Path) -> str:
    """What a program prints, run here."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(program.read_text(encoding="utf-8"), str(program), "exec"), {"__name__": "__main__"})
    return out.getvalue()


class SideBySide(SphinxDirective):
    """One argument: the task."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the tabs, after a run of the program of functrans."""
        task = self.arguments[0]
        output = (HERE / "output" / f"{task}.txt").read_text(encoding="utf-8")
        ours = HERE / "functrans" / f"{task}.py"
        found = printed(ours)
        if found.split() != output.split():
            raise self.error(f"{ours.name} printed\n{found}\nand not what is recorded:\n{output}")
        lines = ["`````{tab-set}", ":sync-group: library", ""]
        for folder, title in LIBRARIES.items():
            program = HERE / folder / f"{task}.py"
            self.env.note_dependency(str(program))
            code = program.read_text(encoding="utf-8").rstrip().splitlines()
            lines += [f"````{{tab-item}} {title}", f":sync: {folder}", "", "```python", *code, "```", "", "````", ""]
        lines += ["`````", ""]
        holder = nodes.section()
        self.state.nested_parse(lines, self.content_offset, holder)  # type: ignore[arg-type]
        text = output.rstrip()
        return [*holder.children, nodes.literal_block(text, text, language="text", classes=["output"])]


class RecordedWith(SphinxDirective):
    """When, and with which versions, the programs were run last."""

    def run(self) -> list[nodes.Node]:
        """Return one paragraph."""
        record = json.loads((HERE / "recorded.json").read_text(encoding="utf-8"))
        versions = ", ".join(f"{name} {version}" for name, version in record["versions"].items())
        return [nodes.paragraph("", f"Run last on {record['date']} with {versions}.")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives."""
    app.add_directive("side-by-side", SideBySide)
    app.add_directive("side-by-side-versions", RecordedWith)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
