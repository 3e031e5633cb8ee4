"""Draw ``docs/_static/jacobian.svg``: a Jacobian's pattern beside the C that stores it; a tall one for phones.

Run it as ``python scripts/make_picture.py`` when the C of the example changes; a test holds the file against `picture`.
Each entry has the color of the C statement that stores it: the index of each store is read out of the C and evaluated.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

import functrans as ft

STATIC = Path(__file__).parents[1] / "docs" / "_static"
TARGETS = {STATIC / "jacobian.svg": False, STATIC / "jacobian-tall.svg": True}
UNKNOWNS = 18
SOURCE = """def residual(u):
    left, mid, right = u[:-2], u[1:-1], u[2:]
    spread = left - 2 * mid + right
    return mid * (right - left) - 0.1 * spread

J = ft.spjacobian(residual)"""
STORE = re.compile(r"^ *o0\[(.*)\] = ")
CELL, LINE, LEFT, TOP = 15, 19, 16, 46
# The page's style sheet sets the same properties where its theme is chosen by hand.
STYLE = """svg.ft-jacobian{--ink:#1f2328;--rule:#d1d9e0;--paper:#f6f8fa;--s0:#0b63c4;--s1:#b3450e;--s2:#1a7f37}
@media (prefers-color-scheme:dark){svg.ft-jacobian{--ink:#e6edf3;--rule:#3d444d;--paper:#151b23;
--s0:#6cb6ff;--s1:#ffa35c;--s2:#6fdd8b}}
svg.ft-jacobian text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:var(--ink);white-space:pre}
svg.ft-jacobian text.t{font:600 14px system-ui,sans-serif}
svg.ft-jacobian .p{fill:var(--paper);stroke:var(--rule)}"""


def example() -> Any:
    """The function of the picture, compiled from its text, as `ft.spjacobian` of it."""
    scope: dict[str, Any] = {"ft": ft}
    exec(SOURCE, scope)
    return scope["J"]


def loop_of(c_source: str) -> list[str]:
    """The lines of the kernel's loop."""
    lines = c_source.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("  for (long long i0 = "))
    return [line[2:] for line in lines[start : lines.index("  }", start) + 1]]


def statement_of_each(lines: list[str], entries: int, rounds: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The number of the C statement that stores each entry, found by evaluating the index of each store."""
    stores = [found[1] for line in lines if (found := STORE.match(line))]
    owner = np.full(entries, -1)
    for number, index in enumerate(stores):
        places = [eval(index, {"i0": i}) for i in range(rounds)]
        if (owner[places] != -1).any():
            raise ValueError(f"two statements store one entry: {stores}")
        owner[places] = number
    if (owner == -1).any():
        raise ValueError(f"no statement of {stores} stores some entry")
    return owner


def text(x: float, y: float, line: str, how: str = "") -> str:
    """One line of text; spaces stand as they are."""
    return f'<text x="{x:g}" y="{y:g}"{how} xml:space="preserve">{escape(line)}</text>'


def picture(tall: bool) -> str:
    """The SVG, from what the library finds and compiles; ``tall``: the code below the pattern."""
    J, u = example(), np.linspace(0.0, 1.0, UNKNOWNS)
    pattern = J.pattern(u)
    lines = loop_of(ft.jit(J.values).lower(u).c_source)
    owner = statement_of_each(lines, pattern.nnz, pattern.shape[0])
    high, wide = pattern.shape
    right, top = (LEFT, TOP + high * CELL + 20) if tall else (LEFT + wide * CELL + 40, 0)
    code = top + TOP + LINE * (SOURCE.count("\n") + 2) + 20
    rows = [
        text(LEFT, 26, f"Jacobian: {high} x {wide}, {pattern.nnz} entries", ' class="t"'),
        f'<rect class="p" x="{LEFT}" y="{TOP}" width="{wide * CELL}" height="{high * CELL}"/>',
    ]
    for number in range(int(owner.max()) + 1):
        mine = owner == number
        cells = zip(pattern.cols[mine].tolist(), pattern.rows[mine].tolist())
        data = "".join(f"M{LEFT + x * CELL + 1.5:g} {TOP + y * CELL + 1.5:g}h12v12h-12z" for x, y in cells)
        rows.append(f'<path fill="var(--s{number})" d="{data}"/>')
    rows.append(text(right, top + 26, "NumPy in", ' class="t"'))
    rows += [text(right, top + TOP + 12 + LINE * i, line) for i, line in enumerate(SOURCE.splitlines()) if line]
    rows.append(text(right, code, "C out: one store for each color", ' class="t"'))
    number = 0
    for i, line in enumerate(lines):
        stores = STORE.match(line) is not None
        color = f' style="fill:var(--s{number})"' if stores else ""
        rows.append(text(right, code + 24 + LINE * i, line, color))
        number += stores
    height = max(TOP + high * CELL + 18, code + 24 + LINE * len(lines))
    width = 420 if tall else 730
    name = "A Jacobian of three diagonals beside the C loop that stores it, a color for each store"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ft-jacobian" role="img" aria-label="{name}" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"><title>{name}</title>'
        f"<style>{STYLE}</style>\n" + "\n".join(rows) + "</svg>\n"
    )


if __name__ == "__main__":
    for target, tall in TARGETS.items():
        target.write_text(picture(tall))
