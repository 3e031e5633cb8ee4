"""Run the Python examples of Markdown files: ``python docs/run_markdown.py README.md ...``.

Blocks fenced as ``python`` and ``{run}`` are run from top to bottom in one namespace a file; blocks fenced as ``pycon``
are doctests in the same namespace. Exits with 1 when an example fails or a file has none. A block of a package that is
not installed is left out, and named.
"""

from __future__ import annotations

import doctest
import re
import sys
from pathlib import Path
from types import CodeType
from typing import Any

FENCE = re.compile(r"^```(python|pycon|\{run\})\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTION = re.compile(r"^:([\w-]+): *(\w*)$", re.MULTILINE)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def run_file(path: Path) -> tuple[int, int]:
    """Run every block of ``path``; return how many ran and how many failed."""
    text = path.read_text()
    namespace: dict[str, Any] = {"__name__": "__main__"}
    ran = failed = 0
    for match in FENCE.finditer(text):
        language, code = match.groups()
        line = text.count("\n", 0, match.start(2))
        ran += 1
        if language != "pycon":
            options = dict(OPTION.findall(code)) if language == "{run}" else {}
            text_of = OPTION.sub("", code) if options else code
            failed += not _ran(compile("\n" * line + text_of, str(path), "exec"), namespace, options.get("raises"))
            continue
        runner = doctest.DocTestRunner(optionflags=FLAGS)
        test = doctest.DocTestParser().get_doctest(code, namespace, path.name, str(path), line)
        failed += runner.run(test, clear_globs=False).failed > 0
        namespace |= test.globs
    return ran, failed


def _ran(code: CodeType, namespace: dict[str, Any], expected: str | None) -> bool:
    """Run a block; False where it does not end in the error that it is meant to end in."""
    try:
        exec(code, namespace)
    except ModuleNotFoundError as error:
        print(f"{code.co_filename}: left out, {error}")
        return True
    except Exception as error:
        if type(error).__name__ != expected:
            raise
        return True
    return expected is None


def main(names: list[str]) -> int:
    """Run the files ``names`` and print one line each."""
    sys.path.insert(0, str(Path(__file__).parent.parent))  # the examples are no part of the package
    status = 0
    for name in names:
        ran, failed = run_file(Path(name))
        print(f"{name}: {ran} examples, {failed} failed")
        status |= failed > 0 or ran == 0
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
