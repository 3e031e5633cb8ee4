"""The programs of the page that shows functrans beside JAX and CasADi: ``python -m benchmarks.side_by_side``.

Runs each in a process of its own, those of JAX and CasADi by the interpreter that ``make bench-peers`` makes, and holds
what it prints against ``docs/side_by_side/output``. ``--record`` writes what functrans prints, the date and the
versions, provided that all print the same.
"""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.processes import python
from benchmarks.sides import ROOT, Absent, environment

HERE = ROOT / "docs" / "side_by_side"
LIBRARIES = ("functrans", "jax", "casadi")
VERSIONS = "import json, importlib.metadata as m; print(json.dumps([m.version(n) for n in {}]))"


def tasks() -> list[str]:
    """The names of the tasks."""
    return sorted(path.stem for path in (HERE / "functrans").glob("*.py"))


def printed(library: str, *arguments: str) -> str:
    """What a process of a library's interpreter prints; Absent where there is none, or where it fails."""
    found = subprocess.run(
        [python(library), "-P", *arguments], cwd=HERE, env=environment(1) | {"PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    if found.returncode != 0:
        raise Absent((found.stderr.strip().splitlines() or ["failed"])[-1])
    return found.stdout


def versions() -> dict[str, str]:
    """Those of what ran."""
    ours = json.loads(printed("functrans", "-c", VERSIONS.format(["numpy"])))
    peers = json.loads(printed("jax", "-c", VERSIONS.format(["jax", "casadi"])))
    return {"Python": sys.version.split()[0], "NumPy": ours[0], "JAX": peers[0], "CasADi": peers[1]}


def differing(task: str, expected: str) -> list[str]:
    """The libraries whose program prints something else, with what it prints."""
    wrong = []
    for library in LIBRARIES:
        try:
            found = printed(library, f"{library}/{task}.py")
        except Absent as why:
            wrong.append(f"{library}: {why}")
            continue
        if found.split() != expected.split():
            wrong.append(f"{library} printed\n{found}")
    return wrong


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all programs; 0 where each prints what is recorded."""
    parser = argparse.ArgumentParser("benchmarks.side_by_side", description=__doc__)
    parser.add_argument("--record", action="store_true", help="write what functrans prints, date and versions")
    given = parser.parse_args(arguments)
    failed = 0
    for task in tasks():
        output = HERE / "output" / f"{task}.txt"
        expected = printed("functrans", f"functrans/{task}.py") if given.record else _text(output)
        wrong = differing(task, expected)
        print(task, *(wrong or ["all the same"]), sep=": " if not wrong else "\n  ")
        failed += bool(wrong)
        if given.record and not wrong:
            output.write_text(expected, encoding="utf-8")
    if given.record and not failed:
        record = {"date": datetime.date.today().isoformat(), "versions": versions()}
        (HERE / "recorded.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return int(bool(failed))


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


if __name__ == "__main__":
    sys.exit(main())
