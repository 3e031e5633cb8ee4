"""Prepare a release: ``python scripts/release.py 0.2.0``.

Writes the version into ``functrans/__init__.py`` and ``CITATION.cff``, and turns the Unreleased section of the
changelog into one of this version and today's date, below a new and empty Unreleased. pyproject.toml and the site read
the version from the package.
"""

from __future__ import annotations

import datetime
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSION = re.compile(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?")
PLACES = {
    "functrans/__init__.py": re.compile(r'(?m)^(__version__ = ")[^"]+(")$'),
    "CITATION.cff": re.compile(r"(?m)^(version: )\S+()$"),
}


def changelog(text: str, version: str, date: str) -> str:
    """The changelog with its Unreleased section named after a version."""
    if f"## [{version}]" in text:
        raise SystemExit(f"CHANGELOG.md has a section of {version} already")
    if text.count("## [Unreleased]\n") != 1:
        raise SystemExit("CHANGELOG.md must have one section ## [Unreleased]")
    return text.replace("## [Unreleased]\n", f"## [Unreleased]\n\n## [{version}] - {date}\n")


def main(arguments: list[str]) -> int:
    """Write the files; 2 for a version that is none."""
    if len(arguments) != 1 or not VERSION.fullmatch(arguments[0]):
        sys.stderr.write("one argument, a version: 0.2.0\n")
        return 2
    (version,) = arguments
    log = ROOT / "CHANGELOG.md"
    log.write_text(changelog(log.read_text(encoding="utf-8"), version, datetime.date.today().isoformat()), "utf-8")
    for name, pattern in PLACES.items():
        path = ROOT / name
        path.write_text(pattern.sub(rf"\g<1>{version}\g<2>", path.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
