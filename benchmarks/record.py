"""What one run of the benchmark keeps: rows by name, as plain data that JSON holds, one file a commit."""

from __future__ import annotations

import json
import os
import platform
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


def machine() -> dict[str, Any]:
    """Where the numbers come from; ``load`` is how many processes wanted the cores when the run began."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        model = next(line.split(":", 1)[1].strip() for line in text.splitlines() if line.startswith("model name"))
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


class Record:
    """The rows measured at one commit; a run of some rows replaces those and keeps the others."""

    def __init__(self) -> None:
        self.commit = commit()
        self.path = HERE / "results" / f"{self.commit}.json"
        self.machine = machine()
        self.rows: list[Row] = []
        if self.path.exists():
            kept = json.loads(self.path.read_text(encoding="utf-8"))
            self.rows = kept["rows"]
            self.machine["load"] = max(self.machine["load"], kept["machine"]["load"])

    def add(self, row: Row) -> None:
        """Keep a row, in place of one of the same table and name."""
        for k, old in enumerate(self.rows):
            if (old["table"], old["name"]) == (row["table"], row["name"]):
                self.rows[k] = row
                return
        self.rows.append(row)

    def earlier(self) -> list[dict[str, Any]]:
        """What other commits kept, the last first: commit, machine, and the rows that no later one has."""
        others = [p for p in self.path.parent.glob("*.json") if p != self.path]
        kept = [json.loads(p.read_text(encoding="utf-8")) for p in others]
        had = {(row["table"], row["name"]) for row in self.rows}
        found = []
        for last in sorted(kept, key=lambda k: (k["machine"]["date"], len(k["rows"])), reverse=True):
            rows = [row for row in last["rows"] if (row["table"], row["name"]) not in had]
            had.update((row["table"], row["name"]) for row in rows)
            if rows:
                found.append({**last, "rows": rows})
        return found

    def write(self) -> None:
        """Write the JSON of this commit, one row a line."""
        self.path.parent.mkdir(exist_ok=True)
        rows = ",\n".join("  " + json.dumps(row) for row in self.rows)
        head = f'"commit": {json.dumps(self.commit)},\n "machine": {json.dumps(self.machine)}'
        self.path.write_text(f'{{{head},\n "rows": [\n{rows}\n]}}\n', encoding="utf-8")
