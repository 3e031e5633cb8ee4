"""The tables of a benchmark's record in Markdown, with the command that measures each of them again, the machine,
the date, and the rows in which another library is faster or a bar is missed.
"""

from __future__ import annotations

import math
import statistics
from html import escape
from typing import Any

from benchmarks.record import Row
from benchmarks.report import NOTES, TITLES, cells, header


def table(rows: list[Row]) -> list[str]:
    """Rows of one table, in Markdown."""
    lines = [header(rows[0]["table"]), ["---"] * len(header(rows[0]["table"])), *map(cells, rows)]
    return ["| " + " | ".join(c.replace("|", "/") for c in line) + " |" for line in lines] + [""]


def where(rows: list[Row], record: dict[str, Any]) -> list[str]:
    """The machine and the date of each row, the most common first."""
    here = f"commit {record['commit']} on {record['machine']['date']}, {record['machine']['processor']}"
    by_place: dict[str, list[str]] = {}
    for row in rows:
        by_place.setdefault(row.get("at", here), []).append(row["title"])
    if len(by_place) == 1:
        return [f"Measured at {next(iter(by_place))}.", ""]
    (most, _), *others = sorted(by_place.items(), key=lambda found: -len(found[1]))
    return [f"Measured at {most}; but", "", *(f"- at {place}: {'; '.join(titles)}." for place, titles in others), ""]


def faster(rows: list[Row]) -> list[str]:
    """Where the other side wins: libraries, C written by hand, bars."""
    peers = [r for r in rows if (r.get("peer_ratio") or 0.0) > 1.0]
    limits = [r["seconds"]["ours"][0] / r["seconds"]["limit"][0] for r in rows
              if r["table"] in ("dense", "sparse", "loops") and {"ours", "limit"} <= r["seconds"].keys()]  # fmt: skip
    missed = [r for r in rows if r.get("met") is False]
    lines = [f"- {r['title']}: {r['peer']} takes {1 / r['peer_ratio']:.2f} of the time of functrans." for r in peers]
    if limits:
        ahead = sum(ratio > 1.0 for ratio in limits)
        lines.append(
            f"- C that was written by hand for one problem is faster in {ahead} of the {len(limits)} rows that have "
            f"such C: functrans takes {statistics.median(limits):.2f} times as long in the median, {max(limits):.2f} "
            "at the most."
        )
    for r in missed:
        lines.append(f"- {TITLES[r['table']]}, {r['title']}: the bar, {_bar(r)}, is missed; measured {_measured(r)}.")
    return [*lines, ""]


def _bar(row: Row) -> str:
    bar = row["bar"]
    if isinstance(bar, str):
        return bar
    return f"{bar:.3g} of {'the limit' if row['bound'] in (None, 'limit') else row['bound']}"


def _measured(row: Row) -> str:
    return row["ours"] if isinstance(row.get("ours"), str) else f"{row['ratio']:.3g}"


_W, _ROW, _LEFT, _TOP = 460, 36, 8, 30
_COLORS = {"limit": "#d98e1f", "peer": "#3d7cc9"}


def picture(rows: list[Row]) -> str:
    """How many times as long C by hand and the best of the other libraries take: dots on a logarithmic axis, as SVG."""
    shown = [(row["title"].partition(" (")[0], _ratios(row)) for row in rows if "ours" in row.get("seconds", ())]
    shown = [(title, ratios) for title, ratios in shown if ratios]
    low, high = math.log10(0.5), math.ceil(math.log10(max(x for _, ratios in shown for _, _, x in ratios)))

    def at(ratio: float) -> float:
        return _LEFT + (_W - 90) * (math.log10(ratio) - low) / (high - low)

    ticks = [10.0**k for k in range(high + 1)]
    lines = "".join(f"M{at(t):.1f} {_TOP + _ROW * k + 16}v13" for k in range(len(shown)) for t in ticks)
    parts = [f'<text x="{at(t):.1f}" y="{_TOP - 12}" text-anchor="middle">{t:g} x</text>' for t in ticks]
    parts.append(f'<path d="{lines}" stroke="currentColor" opacity="0.4"/>')
    for k, (title, ratios) in enumerate(shown):
        y = _TOP + _ROW * k
        parts.append(f'<text x="{_LEFT}" y="{y + 12}">{escape(title)}</text>')
        for kind, name, ratio in ratios:
            parts.append(f'<circle cx="{at(ratio):.1f}" cy="{y + 22}" r="4.5" fill="{_COLORS[kind]}"/>')
            if kind == "peer":
                where = f'x="{at(ratio) + 9:.1f}" y="{y + 26}"'
                parts.append(f'<text {where} fill="{_COLORS[kind]}">{escape(name)}</text>')
    height = _TOP + _ROW * len(shown) + 4
    return (
        f'<figure class="picture"><svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {_W} {height}" '
        f'width="{_W}" height="{height}" font-family="system-ui, sans-serif" font-size="11.5" fill="currentColor">'
        f"<title>times of others in times of functrans</title>{''.join(parts)}</svg></figure>"
    )


def _ratios(row: Row) -> list[tuple[str, str, float]]:
    ours, seconds = row["seconds"]["ours"][0], row["seconds"]
    sides = [("limit", "limit"), ("peer", row["peer"])]
    return [(kind, side, seconds[side][0] / ours) for kind, side in sides if side in seconds]


def text(record: dict[str, Any]) -> list[str]:
    """The sections, in MyST."""
    rows: list[Row] = record["rows"]
    machine = record["machine"]
    place = f"{machine['processor']}, {machine['cores']} cores, Python {machine['python']}."
    if machine["load"] > 1:
        place += f" Other work ran beside it (load {machine['load']}): times are too long, ratios rough."
    last = f"On {machine['date']}, commit {record['commit']}: {place} Rows that were not run then keep what "
    last += "an earlier run measured; each table says which."
    lines = ["## The last run", "", last, "", "## Where others are faster, and bars that are missed", "", *faster(rows)]
    lines += ["## At a glance", "", "How long C by hand (orange) and the best other library (blue) take where "]
    lines[-1] += "functrans takes 1, on a logarithmic scale: left of 1 they are faster."
    lines += ["", "```{raw} html", picture(rows), "```", ""]
    for name, title in TITLES.items():
        own = [row for row in rows if row["table"] == name]
        if own:
            lines += [f"## {title}", "", "```shell", f"make bench ROWS={name}", "```", "", NOTES[name], "",
                      *where(own, record), *table(own)]  # fmt: skip
    absent = sorted({f"{r['title']}: {side} ({why})" for r in rows for side, why in r.get("absent", {}).items()})
    return [*lines, "## Not measured", "", *(f"- {entry}" for entry in absent), ""]
