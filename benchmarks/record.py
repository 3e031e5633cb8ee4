"""What one run of the benchmark keeps: rows by name, as plain data that JSON holds, one file a commit."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import time
from pathlib import Path
from typing import Any

from benchmarks.timing import Measured

HERE = Path(__file__).parent
Row = dict[str, Any]


def compared(found: Measured, table: str) -> Row:
    """A row of ours against a bound."""
    row: Row = {"table": table, "name": found.case.name, "title": found.case.title, "size": found.size}
    row["seconds"] = {s: [_short(found.median(s)), _short(found.least(s))] for s in found.seconds}
    row["first"] = {s: _short(found.first[s]) for s in found.seconds}
    row["bar"], row["bound"], row["absent"] = found.case.bar, found.bound, found.absent
    ours = "ours" in found.seconds
    row["ratio"] = _short(found.ratio("ours", found.bound)) if ours and found.bound else None
    row["met"] = None if row["ratio"] is None else row["ratio"] <= found.case.bar
    row["peer"] = found.peers[0] if found.peers else None
    row["peer_ratio"] = _short(found.ratio("ours", found.peers[0])) if ours and found.peers else None
    return row


def _short(number: float) -> float:
    return float(f"{number:.3g}")


_VECTORS = {"avx512f": "AVX-512", "avx2": "AVX2"}


def machine() -> dict[str, Any]:
    """Where the numbers come from; ``load`` is how many processes wanted the cores when the run began."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        model = next(line.split(":", 1)[1].strip() for line in text.splitlines() if line.startswith("model name"))
        # hosts rent out processors of several generations under one name
        model += next((f" ({name})" for flag, name in _VECTORS.items() if f" {flag} " in text), "")
    except (OSError, StopIteration):
        model = platform.processor() or "unknown"
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 1),
        "date": time.strftime("%Y-%m-%d"),
    }


def commit() -> str:
    """The commit that is checked out, with a plus where files of it were changed."""
    head = _git("rev-parse", "--short=10", "HEAD")
    return (head or "unknown") + ("+" if _git("status", "--porcelain", "--", "functrans") else "")


def _git(*arguments: str) -> str:
    found = subprocess.run(["git", *arguments], cwd=HERE, capture_output=True, text=True, check=False)
    return found.stdout.strip()


def latest() -> dict[str, Any] | None:
    """The record that RESULTS.md was written from: commit, machine, rows."""
    named = re.search(r"at commit (\w+\+?) on", (HERE / "RESULTS.md").read_text(encoding="utf-8"))
    path = HERE / "results" / f"{named[1] if named else ''}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def earlier() -> list[Row]:
    """The rows that RESULTS.md shows, each with where and when it was measured."""
    kept = latest()
    if kept is None:
        return []
    at = f"commit {kept['commit']} on {kept['machine']['date']}, {kept['machine']['processor']}"
    return [{"at": at, **row} for row in kept["rows"]]


class Record:
    """The rows measured at one commit; a run of some rows replaces those and keeps the others, from before as well."""

    def __init__(self) -> None:
        self.commit = commit()
        self.path = HERE / "results" / f"{self.commit}.json"
        self.machine = machine()
        self.rows: list[Row] = []
        if self.path.exists():
            kept = json.loads(self.path.read_text(encoding="utf-8"))
            self.rows = kept["rows"]
            self.machine["load"] = max(self.machine["load"], kept["machine"]["load"])
        else:
            self.rows = earlier()

    def add(self, row: Row) -> None:
        """Keep a row, in place of one of the same table and name."""
        for k, old in enumerate(self.rows):
            if (old["table"], old["name"]) == (row["table"], row["name"]):
                self.rows[k] = row
                return
        self.rows.append(row)

    def write(self) -> None:
        """Write the JSON of this commit, one row a line."""
        self.path.parent.mkdir(exist_ok=True)
        rows = ",\n".join("  " + json.dumps(row) for row in self.rows)
        head = f'"commit": {json.dumps(self.commit)},\n "machine": {json.dumps(self.machine)}'
        self.path.write_text(f'{{{head},\n "rows": [\n{rows}\n]}}\n', encoding="utf-8")
