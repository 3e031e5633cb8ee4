"""Tables of what was measured: lines on the terminal, and RESULTS.md."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.record import Record, Row

TITLES = {
    "dense": "Dense transforms, one thread",
    "sparse": "Sparse Jacobians: all values, pattern known",
    "families": "Sparse derivatives of families that were not tuned for, at three sizes",
    "loops": "Loops that stay loops, mapped over many instances",
    "threads": "Two threads against one",
    "small": "Small things people feel",
    "setup": "Set-up of sparse Jacobians",
    "growth": "How cost grows",
    "traffic": "Memory traffic",
    "solvers": "Whole solves by solvers of CasADi",
}
NOTES = {
    "dense": "Median of the rounds, least in brackets. Limit: hand-written C. The ratio is of ours to the faster of "
    "limit and peers, the median over the rounds.",
    "sparse": "As above. Ours is `J.values(x, out=J.empty_values(x))`.",
    "families": "As above. Limits are element after element, or a line of cells after the other; where there is none, "
    "there is no ratio. CasADi's scalar expressions are made at the sizes where that takes a bearable time.",
    "loops": "As above; the bound is JAX's own loop, or diffrax.",
    "threads": "How many times faster two threads are than one, on two cores, timed in turn: the median over the "
    "rounds, that of the least times, and the median times. The limit is hand-written C in two threads that each stay "
    "on a core, have half of the rows and never wait for each other: what the machine allows.",
    "small": "First results and imports are medians of a few new processes.",
    "setup": "One new process each, empty cache: trace, detection, planning (coloring too), compiling and first "
    "values; then the last of these from a filled cache; peak memory beyond that of the imports.",
    "traffic": "Bytes read + written by one call: of inputs and outputs, by the schedule, and counted by cachegrind "
    "with a cache of 256 KB.",
    "solvers": "Optimal control by multiple shooting. Functions are from functrans (compiled with the vectors of the "
    "machine), or CasADi's own: scalar expressions (SX) or a map over the stages (MX), in its virtual machine (vm) or "
    "as the C it writes, compiled with -O3 for the machine (C); the faster form stands here. Evaluation is that of a "
    "whole solve, as the solver counts it; least times of solves in turn. Bars: no more iterations to the same point, "
    "evaluation 0.2 of the virtual machine and 1 of the C, solve 1.05 of that with the C. sqpmethod starts from the "
    "solution for a goal that then moves, with PIQP; its linear algebra is the quadratic programs.",
    "growth": "The exponent is the slope of log cost by log size over the upper sizes: 1 is linear.",
}


def duration(seconds: float | None) -> str:
    """Three digits and a unit."""
    if seconds is None:
        return "-"
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def verdict(met: bool | None) -> str:
    return {True: "yes", False: "no", None: "-"}[met]


def header(table: str) -> list[str]:
    """The columns of a table."""
    if table in ("dense", "sparse", "families", "loops"):
        return ["row", "ours", "limit", "ratio", "bar", "met", "best peer", "ours / peer", "first result"]
    if table == "growth":
        return ["what", "cost by size", "exponent"]
    if table == "solvers":
        return ["problem, solver", "iterations: ours, CasADi's", "evaluation: ours; CasADi", "ours / vm, / C",
                "solve: ours; CasADi", "ours / C", "set-up", "of our solve: evaluation, linear algebra",
                "met"]  # fmt: skip
    if table == "traffic":
        return ["what", "inputs + outputs", "schedule", "cachegrind", "met"]
    return ["what", "ours", "peers", "bar", "met"]


def cells(row: Row) -> list[str]:
    """One row of its table."""
    if row["table"] in ("dense", "sparse", "families", "loops"):
        return _compared(row)
    if row["table"] == "growth":
        points = ", ".join(f"{n:g}: {_point(s, row.get('unit', 's'))}" for n, s in row["points"])
        return [row["title"], points, "-" if row["exponent"] is None else f"{row['exponent']:.2f}"]
    if row["table"] == "traffic":
        sizes = [" + ".join(f"{n / 2**20:.2f} MiB" for n in row[key]) for key in ("held", "scheduled", "counted")]
        return [row["title"], *sizes, verdict(row["met"])]
    if row["table"] == "solvers":
        ratios, shares = [f"{r:.2f}" for r in row["ratios"]], [f"{s} %" for s in row["shares"]]
        return [row["title"], row["iterations"], row["evaluation"], ", ".join(ratios[:2]), row["solve"], ratios[2],
                row["setup"], ", ".join(shares), verdict(row["met"])]  # fmt: skip
    peers = ", ".join(f"{name} {shown}" for name, shown in row.get("peers", {}).items()) or "-"
    return [row["title"], row["ours"], peers, row["bar"], verdict(row["met"])]


def _compared(row: Row) -> list[str]:
    seconds, peer = row["seconds"], row["peer"]

    def shown(side: str) -> str:
        if side not in seconds:
            return row["absent"].get(side, "-")  # type: ignore[no-any-return]
        return f"{duration(seconds[side][0])} ({duration(seconds[side][1])})"

    bound = "" if row["bound"] in (None, "limit") else f" {row['bound']}"
    best = "-" if peer is None else f"{peer} {duration(seconds[peer][0])}"
    first = duration(row["first"].get("ours"))
    return [row["title"], shown("ours"), shown("limit"), _times(row["ratio"]), f"{row['bar']:g} x{bound}",
            verdict(row["met"]), best, _times(row["peer_ratio"]), first]  # fmt: skip


def _point(found: float | str, unit: str) -> str:
    if isinstance(found, str):
        return found
    return duration(found) if unit == "s" else f"{found / 2**20:.3g} MiB"


def _times(ratio: float | None) -> str:
    return "-" if ratio is None else f"{ratio:.2f}" if ratio < 100 else f"{ratio:.0f}"


def _elsewhere(rows: list[Row]) -> list[str]:
    """What is said of rows that an earlier run measured."""
    places = sorted({row["at"] for row in rows if "at" in row})
    of = {at: [row["name"] for row in rows if row.get("at") == at] for at in places}
    return [f"Measured at {at}{'' if len(of[at]) == len(rows) else ': ' + ', '.join(of[at])}." for at in places]


def line(row: Row) -> str:
    """A row for the terminal."""
    names, values = header(row["table"])[1:], cells(row)
    return f"{values[0]}\n    " + "  ".join(f"{n}: {v}" for n, v in zip(names, values[1:]) if v != "-")


def write(record: Record, path: Path) -> None:
    """Write RESULTS.md from all the rows of a commit."""
    m: dict[str, Any] = record.machine
    busy = f" Other work ran beside it (load {m['load']} at the start): times are too long, ratios rough."
    place = f"{m['processor']}, {m['cores']} cores, Python {m['python']}.{busy if m['load'] > 1 else ''}"
    text = [
        "# Results\n",
        f"Written by `make bench` at commit {record.commit} on {m['date']}: {place} How it is measured: "
        "docs/explanation/benchmarks.md.\n",
    ]
    for table, title in TITLES.items():
        rows = [row for row in record.rows if row["table"] == table]
        if rows:
            text.append(f"## {title}\n")
            text.append(f"{NOTES[table]}\n")
            text.extend(f"{note}\n" for note in _elsewhere(rows))
            names = header(table)
            text.append("| " + " | ".join(names) + " |\n| " + " | ".join("---" for _ in names) + " |")
            text.extend("| " + " | ".join(c.replace("|", "/") for c in cells(row)) + " |" for row in rows)
            text.append("")
    absent = sorted({f"{r['title']}: {side} ({why})" for r in record.rows for side, why in r.get("absent", {}).items()})
    if absent:
        text.append("## Not measured\n")
        text.extend(f"- {entry}" for entry in absent)
        text.append("")
    path.write_text("\n".join(text), encoding="utf-8")
