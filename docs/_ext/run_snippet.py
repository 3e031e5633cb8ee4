"""The ``{run}`` directive: Python code that runs while the page is built, shown with what it printed.

Options: ``:hide-code:`` shows the output alone, ``:hide-output:`` the code alone, ``:language:`` says how to color the
output (``c``, ``text``, ...; ``svg`` shows it as a picture), ``:raises:`` names an error the code is meant to end in,
whose message is then shown. All snippets of a page share one namespace. Any other error fails the build.

A page is read again when the library or an example has changed: its output is of their source.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import re
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

WIDE = re.compile(r'<svg[^>]* width="[6-9][0-9]{2}"')  # pictures whose text a phone would make too small
LONGEST = 110  # of a line of text; longer ones are sentences, and are wrapped


class RunSnippet(SphinxDirective):
    """Run the body, keep its standard output."""

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "hide-code": directives.flag,
        "hide-output": directives.flag,
        "language": directives.unchanged,
        "raises": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        """Return the literal blocks: code, output."""
        self.env.metadata[self.env.docname]["ran"] = self.config.what_ran
        code = "\n".join(self.content)
        text = self._execute(code)
        blocks: list[nodes.Node] = []
        if "hide-code" not in self.options:
            blocks.append(nodes.literal_block(code, code, language="python"))
        if "hide-output" not in self.options and text:
            language = self.options.get("language", "text")
            if language == "svg":
                drawn = f'<div class="wide">{text}</div>' if WIDE.search(text) else text
                blocks.append(nodes.raw(text, f'<figure class="picture">{drawn}</figure>', format="html"))
            else:
                wrapped = language == "text" and max(map(len, text.splitlines())) > LONGEST
                classes = ["output", "wrapped"] if wrapped else ["output"]
                blocks.append(nodes.literal_block(text, text, language=language, classes=classes))
        return blocks

    def _execute(self, code: str) -> str:
        namespace = self.env.temp_data.setdefault("run_snippet", {"__name__": "__main__"})
        # compiled under the page's path and line, so that error messages that quote the line point into it
        page, line = self.get_source_info()
        padded = "\n" * (line or 0) + code
        out = io.StringIO()
        expected = self.options.get("raises")
        try:
            with contextlib.redirect_stdout(out):
                exec(compile(padded, page, "exec"), namespace)
        except Exception as error:
            if type(error).__name__ != expected:
                raise self.error(f"snippet raised {type(error).__name__}: {error}") from error
            return f"{out.getvalue()}{type(error).__name__}: {error}".rstrip()
        if expected:
            raise self.error(f"snippet was meant to raise {expected} and did not")
        return out.getvalue().rstrip()


def state(app: Sphinx, config: Any) -> None:
    """Take the hash of all that snippets import from the checkout."""
    root = Path(app.srcdir).parent
    files = sorted(path for folder in ("functrans", "examples") for path in (root / folder).rglob("*.py"))
    config.what_ran = hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in files)).hexdigest()


def stale(app: Sphinx, env: BuildEnvironment, *_: set[str]) -> list[str]:
    """The pages whose snippets ran with other sources."""
    now = app.config.what_ran
    return [page for page, known in env.metadata.items() if known.get("ran", now) != now]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("run", RunSnippet)
    app.add_config_value("what_ran", "", "")
    app.connect("config-inited", state)
    app.connect("env-get-outdated", stale)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
