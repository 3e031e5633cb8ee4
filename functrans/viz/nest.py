"""The loops of kernels as nested boxes, and what a choice among ways was made of, as bars: one SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from functrans._lazy import html

_W, _ROW, _IN = 620, 22, 16  # pixels: width, height of a line, indentation of a box
_LABEL = 250  # of the names beside bars
_COLORS = {"lanes": "#9a76d1", "vectors": "#9a76d1", "reduces": "#d98e1f", "threads": "#2a9d8f", "batch": "#3d7cc9"}
_PLAIN = "#8a8a8a"
_TAKEN = "#3d7cc9"


class Loop(NamedTuple):
    """How deep it stands, what it says, and what it is for."""

    depth: int
    text: str
    roles: str


class Choice(NamedTuple):
    """What is decided about, the estimate of each way in picoseconds, the way that was taken, and why."""

    name: str
    ways: dict[str, float]
    taken: str
    why: str


def drawn(kernels: Sequence[tuple[str, Sequence[Loop]]], choices: Sequence[Choice]) -> str:
    """The picture: a stack of boxes a kernel, a group of bars a choice.

    >>> picture = drawn([("k0", [Loop(0, "for i < 9", "batch"), Loop(1, "for j < 4", "reduces")])], [])
    >>> picture.count("<rect"), picture.endswith("</svg>")
    (2, True)
    """
    parts: list[str] = []
    y = 4
    for name, loops in kernels:
        parts.append(_text(4, y + 15, name, ' font-weight="600"'))
        y = _boxes(loops, y + _ROW, parts) + 10
    for choice in choices:
        y = _bars(choice, y, parts) + 10
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {_W} {y}" width="{_W}" height="{y}" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="currentColor"><title>loops and choices</title>'
        f"{''.join(parts)}</svg>"
    )


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}"{more}>{html.escape(text)}</text>'


def _boxes(loops: Sequence[Loop], y: int, parts: list[str]) -> int:
    """Each loop encloses those that stand deeper after it; the y below the last."""
    ends: list[int] = []
    for k, loop in enumerate(loops):
        inner = next((n for n in range(k + 1, len(loops)) if loops[n].depth <= loop.depth), len(loops))
        ends.append(inner)
    for k, loop in enumerate(loops):
        color = next((c for word, c in _COLORS.items() if word in loop.roles), _PLAIN)
        deepest = max(n.depth for n in loops[k : ends[k]])
        x, top = 4 + _IN * loop.depth, y + _ROW * k + 2
        tall = _ROW * (ends[k] - k) - 4 + 2 * (deepest - loop.depth)
        parts.append(
            f'<rect x="{x}" y="{top}" width="{_W - 8 - 2 * _IN * loop.depth}" height="{tall}" rx="4" fill="{color}" '
            f'fill-opacity=".16" stroke="{color}"/>'
        )
        parts.append(_text(x + 8, top + 14, loop.text, ' font-family="ui-monospace, monospace"'))
        end = _W - 12 - _IN * loop.depth
        parts.append(_text(end, top + 14, loop.roles, ' text-anchor="end" opacity=".8"'))
    return y + _ROW * len(loops) + 2 * max((loop.depth for loop in loops), default=0)


def _bars(choice: Choice, y: int, parts: list[str]) -> int:
    """A bar a way, as long as what it would take; the one that was taken is filled."""
    parts.append(_text(4, y + 15, choice.name, ' font-weight="600"'))
    most = max(choice.ways.values(), default=0.0) or 1.0
    for k, (way, cost) in enumerate(choice.ways.items()):
        top = y + _ROW * (k + 1)
        wide = max(1.0, (_W - _LABEL - 90) * cost / most)
        filled = ".8" if way == choice.taken else ".12"
        parts.append(_text(16, top + 14, way, ' font-weight="600"' if way == choice.taken else ""))
        parts.append(
            f'<rect x="{_LABEL}" y="{top + 3}" width="{wide:.1f}" height="{_ROW - 8}" rx="2" fill="{_TAKEN}" '
            f'fill-opacity="{filled}" stroke="{_TAKEN}"/>'
        )
        parts.append(_text(_LABEL + wide + 6, top + 14, f"{cost:.0f} ps"))
    y += _ROW * (len(choice.ways) + 1)
    parts.append(_text(16, y + 14, choice.why, ' opacity=".8"'))
    return y + _ROW
