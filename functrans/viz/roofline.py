"""Work under the roofs of a machine: operations a second over operations a byte, as text and as SVG.

Source: S. Williams, A. Waterman, D. Patterson, "Roofline: an insightful visual performance model for multicore
architectures", Communications of the ACM 52 (2009).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from os import PathLike

from functrans._lazy import html
from functrans._records import record

_MIN_INTENSITY, _MAX_INTENSITY = 1 / 64, 128.0  # operations a byte
_WIDE, _HIGH = 64, 18  # characters of a picture in text
_W, _H, _LEFT, _TOP, _RIGHT, _BELOW = 640, 380, 62, 24, 24, 46
_ROOFS = ("#3b82f6", "#c46a08")
_POINT = "#dc2660"
_NOTHING = "nothing was measured on this machine"


@record
class Roof:
    """What so many threads can do at the most: operations a second, bytes a second in the nearest cache and memory."""

    threads: int
    peak: float
    cache: float
    memory: float

    def at(self, intensity: float, near: bool = False) -> float:
        """The most operations a second for so many operations a byte, its data in memory, or ``near``."""
        return min(self.peak, intensity * (self.cache if near else self.memory))

    @property
    def name(self) -> str:
        """How it is called in pictures."""
        return f"{self.threads} thread{'s' * (self.threads != 1)}"


@record
class Point:
    """Some work: operations a byte, operations a second, and which part of its roof that is."""

    name: str
    intensity: float
    rate: float
    share: str


@dataclass
class Roofline:
    """Roofs and what is under them; prints as text, and is an SVG picture in a notebook."""

    title: str
    roofs: list[Roof]
    points: list[Point] = field(default_factory=list)

    def __repr__(self) -> str:
        """The picture in characters."""
        return "\n".join(_text(self))

    def _repr_svg_(self) -> str:
        """The picture for a notebook."""
        return self.to_svg()

    def to_svg(self, path: str | PathLike[str] | None = None) -> str:
        """The picture as SVG, written to a file if one is given. Raises OSError where it cannot be written.

        >>> Roofline("", [Roof(1, 1e11, 3e11, 4e10)]).to_svg().startswith("<svg")
        True
        """
        text = _svg(self)
        if path is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return text

    @property
    def drawn(self) -> list[Point]:
        """What has a place in the picture: work without operations has none."""
        return [p for p in self.points if p.intensity > 0 and p.rate > 0]

    @property
    def span(self) -> tuple[float, float, float, float]:
        """The least and most operations a byte, and operations a second, that the picture shows."""
        known = self.drawn
        left = min([_MIN_INTENSITY, *(p.intensity / 2 for p in known)])
        right = max([_MAX_INTENSITY, *(p.intensity * 2 for p in known)])
        low = min([r.at(left) for r in self.roofs] + [p.rate / 2 for p in known])
        return left, right, low, 2 * max([r.peak for r in self.roofs] + [p.rate for p in known])


def _text(r: Roofline) -> Iterator[str]:
    if not r.roofs:
        yield _NOTHING
        return
    left, right, low, high = r.span
    across, up = math.log(right / left), math.log(high / low)
    grid = [[" "] * _WIDE for _ in range(_HIGH)]

    def row(rate: float) -> int:
        return min(_HIGH - 1, max(0, round((_HIGH - 1) * (1 - math.log(rate / low) / up))))

    for number, roof in enumerate(r.roofs):
        for c in range(_WIDE):
            x = left * math.exp(across * c / (_WIDE - 1))
            for near, mark in ((True, "·"), (False, "-=~"[number % 3])):
                grid[row(roof.at(x, near))][c] = mark
    names = {p.name: "abcdefghijklmnopqrstuvwxyz"[k % 26] for k, p in enumerate(r.drawn)}
    for p in r.drawn:
        grid[row(p.rate)][round((_WIDE - 1) * math.log(p.intensity / left) / across)] = names[p.name]
    yield r.title
    for k, line in enumerate(grid):
        rate = low * math.exp(up * (1 - k / (_HIGH - 1)))
        yield f"{rate / 1e9:8.3g} |{''.join(line).rstrip()}" if k % 4 == 1 else f"{'':8} |{''.join(line).rstrip()}"
    yield f"{'Gflop/s':>8} +{'-' * _WIDE}"
    marks = [" "] * (_WIDE + 8)
    for k in range(0, 6):
        at = left * math.exp(across * k / 5)
        label = f"{at:.2g}"
        start = 10 + round((_WIDE - 1) * k / 5) - len(label) // 2
        marks[start : start + len(label)] = label
    yield "".join(marks).rstrip() + "  flop/byte"
    for number, roof in enumerate(r.roofs):
        yield (
            f"  {'-=~'[number % 3]} {roof.name}: {roof.peak / 1e9:.4g} Gflop/s, memory {roof.memory / 1e9:.3g} GB/s, "
            f"nearest cache {roof.cache / 1e9:.3g} GB/s (·)"
        )
    for p in r.points:
        yield f"  {names.get(p.name, ' ')} {p.name}: {_facts(p)}"


def _facts(p: Point) -> str:
    rate = f"{p.rate / 1e9:.3g} Gflop/s at {p.intensity:.2g} flop/byte" if p.rate else "moves data alone"
    return f"{rate}, {p.share} of its roof" if p.share else rate


def _svg(r: Roofline) -> str:
    if not r.roofs:
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_W} 30"><text y="20">{_NOTHING}</text></svg>'
    left, right, low, high = r.span
    wide, tall = _W - _LEFT - _RIGHT, _H - _TOP - _BELOW

    def x(intensity: float) -> float:
        return round(_LEFT + wide * math.log(intensity / left) / math.log(right / left), 1)

    def y(rate: float) -> float:
        return round(_TOP + tall * (1 - math.log(rate / low) / math.log(high / low)), 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_W} {_H}" width="{_W}" role="img" '
        f'aria-label="{html.escape(r.title)}" font-family="system-ui, sans-serif" font-size="11" fill="currentColor">',
        f'<text x="{_LEFT}" y="14" font-weight="600" font-size="12">{html.escape(r.title)}</text>',
    ]
    for value in _decades(left, right):
        parts.append(f'<path d="M{x(value)} {_TOP}V{_TOP + tall}" stroke="currentColor" opacity="0.12"/>')
        parts.append(f'<text x="{x(value)}" y="{_TOP + tall + 15}" text-anchor="middle" opacity="0.7">{value:g}</text>')
    for value in _decades(low / 1e9, high / 1e9):
        parts.append(f'<path d="M{_LEFT} {y(value * 1e9)}H{_LEFT + wide}" stroke="currentColor" opacity="0.12"/>')
        at = y(value * 1e9) + 4
        parts.append(f'<text x="{_LEFT - 7}" y="{at}" text-anchor="end" opacity="0.7">{value:g}</text>')
    parts.append(
        f'<path d="M{_LEFT} {_TOP}V{_TOP + tall}H{_LEFT + wide}" fill="none" stroke="currentColor" opacity="0.5"/>'
        f'<text x="{_LEFT + wide / 2}" y="{_H - 8}" text-anchor="middle">operations a byte</text>'
        f'<text transform="translate(13 {_TOP + tall / 2}) rotate(-90)" text-anchor="middle">Gflop/s</text>'
    )
    for k, (color, roof) in enumerate(zip(_ROOFS, r.roofs, strict=False)):
        for near in (True, False):
            knee = roof.peak / (roof.cache if near else roof.memory)
            begin = max(left, low / (roof.cache if near else roof.memory))
            dash = ' stroke-dasharray="3 4"' if near else ""
            d = f"M{x(begin)} {y(roof.at(begin, near))}L{x(knee)} {y(roof.peak)}H{_LEFT + wide}"
            parts.append(f'<path d="{d}" fill="none" stroke="{color}" stroke-width="2"{dash}/>')
        note = f"{roof.name}: {roof.peak / 1e9:.3g} Gflop/s, memory {roof.memory / 1e9:.3g} GB/s"
        below = _TOP + tall - 10 - 15 * k  # where no roof is: roofs of one height would write over each other
        parts.append(f'<text x="{_LEFT + wide - 5}" y="{below}" text-anchor="end" fill="{color}">{note}</text>')
    labels: list[tuple[float, float]] = []
    for p in r.drawn:
        spot = _beside(x(p.intensity) + 9, y(p.rate) + 4, labels)
        parts.append(
            f"<g><title>{html.escape(p.name)}: {_facts(p)}</title>"
            f'<circle cx="{x(p.intensity)}" cy="{y(p.rate)}" r="5.5" fill="{_POINT}" stroke="#fff" stroke-width="1.5"/>'
            f'<text x="{spot[0]}" y="{spot[1]}" font-weight="600">{html.escape(p.name)}</text></g>'
        )
    return "".join([*parts, "</svg>"])


def _beside(x: float, y: float, taken: list[tuple[float, float]]) -> tuple[float, float]:
    """A place for a label at a point or near it, where no other is; and it is taken."""
    for column in range(6):
        for shift in (0, 12, -12, 24, -24):
            at = (x + 24 * column, y + shift)
            if all(abs(at[0] - a) >= 22 or abs(at[1] - b) >= 11 for a, b in taken):
                taken.append(at)
                return at
    return x, y


def _decades(low: float, high: float) -> Iterator[float]:
    for k in range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1):
        yield 10.0**k
