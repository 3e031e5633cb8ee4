"""Pictures of results as SVG text: maps of numbers, curves in a plane, meshes; nothing but NumPy.

They have no ground of their own, and the color of the text around them: a page may be light or dark.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_SHADES = np.array([[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]], float)
COLORS = ("#3d7cc9", "#d9503f", "#2a9d8f", "#b87514", "#9a76d1", "#8a8a8a")
_LEFT, _TOP, _BELOW = 55, 15, 25  # of the frame, in pixels


def shades(values: Floats, limits: tuple[float, float] | None = None) -> list[str]:
    """The color of each number, one of 65: the least dark, the largest bright."""
    low, high = limits or (float(values.min()), float(values.max()))
    at = np.clip((values.ravel() - low) / (high - low or 1.0), 0, 1)
    at = np.round(at * 64) / 64 * (len(_SHADES) - 1)
    below = np.minimum(at.astype(int), len(_SHADES) - 2)
    part = (at - below)[:, None]
    colors = (_SHADES[below] * (1 - part) + _SHADES[below + 1] * part).round().astype(int)
    return [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in colors]


def _painted(paths: Sequence[str], colors: Sequence[str], stroke: float) -> str:
    # one path a color: a page with a path a cell takes megabytes
    of: dict[str, list[str]] = {}
    for path, color in zip(paths, colors, strict=True):
        of.setdefault(color, []).append(path)
    width = f'stroke-width="{stroke}"'
    return "".join(
        f'<path fill="{color}" stroke="{color if stroke else "none"}" {width} d="{"".join(some)}"/>'
        for color, some in of.items()
    )


def _svg(size: tuple[float, float], body: str, box: str = "", title: str = "") -> str:
    named = f"<title>{title}</title>" if title else ""
    # the style is that of the picture, which the style of the site would give a white ground
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{size[0]:g}" height="{size[1]:g}" '
        f'viewBox="{box or f"0 0 {size[0]:g} {size[1]:g}"}" style="background:none" font-size="11" '
        f'font-family="sans-serif" fill="currentColor">{named}{body}</svg>'
    )


def legend(what: str, low: float, high: float) -> str:
    """What the colors of a map mean: a bar from the least number to the largest."""
    count, width = 65, 130
    bar = "".join(
        f'<rect x="{55 + k * width / count:.1f}" y="4" width="{width / count + 0.5:.1f}" height="10" fill="{color}"/>'
        for k, color in enumerate(shades(np.arange(float(count))))
    )
    ends = f'<text x="50" y="13" text-anchor="end">{low:.3g}</text><text x="{60 + width}" y="13">{high:.3g}</text>'
    body = f'{bar}{ends}<text x="{55 + width / 2:g}" y="28" text-anchor="middle">{what}</text>'
    return f'<span class="legend">{_svg((width + 110, 34), body, title=f"{what}, from {low:.3g} to {high:.3g}")}</span>'


def captioned(picture: str, caption: str) -> str:
    """A picture of a row of several, with a line of text below."""
    return f'<span class="captioned">{picture}<small>{caption}</small></span>'


def heatmap(values: Floats, size: int = 240, *, limits: tuple[float, float] | None = None) -> str:
    """A matrix as colored cells, the least number dark and the largest bright."""
    rows, cols = values.shape
    cells = _painted([f"M{k % cols} {k // cols}h1v1h-1z" for k in range(values.size)], shades(values, limits), 0)
    title = f"values from {values.min():.3g} to {values.max():.3g}"
    body = f'<g shape-rendering="crispEdges">{cells}</g>'
    return _svg((size, size * rows / cols), body, f"0 0 {cols} {rows}", title)


class Frame:
    """A frame with ticks around a part of the plane; `place` gives pixels."""

    def __init__(self, low: Floats, high: Floats, size: tuple[int, int], *, equal: bool = False) -> None:
        self.low, self.high, self.size = low, high, size
        self.room = np.array(size, float) - [_LEFT + 15, _TOP + _BELOW]
        self.scale = self.room / np.where(high > low, high - low, 1.0)
        if equal:
            self.scale[:] = self.scale.min()

    def place(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Pixels of points."""
        x, y = (x - self.low[0]) * self.scale[0], (y - self.low[1]) * self.scale[1]
        return _LEFT + x, self.size[1] - _BELOW - y

    def ticks(self, k: int) -> Floats:
        """About five round numbers on an axis."""
        wide = self.room[k] / self.scale[k]
        rough = wide / 5
        unit = 10.0 ** np.floor(np.log10(rough))
        step = unit * next(m for m in (1, 2, 5, 10) if m * unit >= rough)
        return np.arange(np.ceil(self.low[k] / step), np.floor((self.low[k] + wide) / step + 1e-9) + 1) * step + 0.0

    def drawn(self, logarithmic: tuple[bool, bool], labels: tuple[str, str]) -> str:
        """The frame, its ticks, and what the axes are."""
        right, floor = _LEFT + self.room[0], self.size[1] - _BELOW
        parts = [f'<rect x="{_LEFT}" y="{_TOP}" width="{self.room[0]:g}" height="{self.room[1]:g}" fill="none" '
                 'stroke="currentColor" stroke-opacity="0.4"/>']  # fmt: skip
        for k, log in enumerate(logarithmic):
            ticks = self.ticks(k)
            for t in ticks[np.round(ticks) == ticks] if log else ticks:
                x, y = self.place(t, t)
                path = f"M{x:.1f} {floor}V{_TOP}" if k == 0 else f"M{_LEFT} {y:.1f}H{right:g}"
                at = f'x="{x:.1f}" y="{floor + 13}" text-anchor="middle"' if k == 0 else (
                    f'x="{_LEFT - 5}" y="{y + 4:.1f}" text-anchor="end"')  # fmt: skip
                shown = f"1e{t:.0f}" if log else f"{t:.6g}"
                parts.append(f'<path d="{path}" stroke="currentColor" stroke-opacity="0.12"/><text {at}>{shown}</text>')
        parts.append(f'<text x="{right:g}" y="{floor + 22}" text-anchor="end">{labels[0]}</text>')
        parts.append(f'<text x="{_LEFT}" y="{_TOP - 4}">{labels[1]}</text>')
        return "".join(parts)


def curves(
    lines: Sequence[tuple[str, Floats, Floats]], size: tuple[int, int] = (460, 240), *, equal: bool = False,
    logarithmic: bool | tuple[bool, bool] = False, dots: bool | Sequence[str] = False,
    circles: Sequence[tuple[float, float, float]] = (), bands: Sequence[tuple[Floats, Floats, Floats]] = (),
    labels: tuple[str, str] = ("", ""), behind: str = "", within: tuple[Floats, Floats] | None = None,
    palette: Sequence[str] = COLORS,
) -> str:  # fmt: skip
    """Curves (name, x, y) in a frame.

    ``equal`` scales; ``logarithmic`` y, or (x, y); ``dots`` alone, or the names of those that are dots; circles
    (x, y, radius); bands (x, low, high); ``labels`` of the axes; a picture ``behind`` fills the frame, which is
    ``within`` two corners; a ``palette`` of colors. A name that comes again is written once, and has one color.
    """
    logs = logarithmic if isinstance(logarithmic, tuple) else (False, logarithmic)
    taken = [np.log10 if log else np.asarray for log in logs]
    points = [(taken[0](np.asarray(x, float)), taken[1](np.asarray(y, float))) for _, x, y in lines]
    ribbons = [(taken[0](np.concatenate([x, x[::-1]])), taken[1](np.concatenate([a, b[::-1]]))) for x, a, b in bands]
    corners = [np.array([[f(p[k]) for k in (0, 1)] for p in points + ribbons]) for f in (np.min, np.max)]
    low, high = within or (corners[0].min(0), corners[1].max(0))
    for a, b, r in circles:
        low, high = np.minimum(low, [a - r, b - r]), np.maximum(high, [a + r, b + r])
    frame = Frame(low, high, size, equal=equal)
    parts = [behind and f'<g transform="translate({_LEFT},{_TOP})">{behind}</g>', frame.drawn(logs, labels)]
    for a, b, r in circles:
        x, y = frame.place(np.array(a), np.array(b))
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r * frame.scale[0]:.1f}" fill="#888" '
                     'fill-opacity="0.15" stroke="#888" stroke-opacity="0.5"/>')  # fmt: skip
    for band in ribbons:
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(*frame.place(*band), strict=True))
        parts.append(f'<polygon points="{path}" fill="{COLORS[0]}" fill-opacity="0.22"/>')
    names = list(dict.fromkeys(name for name, _, _ in lines))
    for (name, _, _), at in zip(lines, points, strict=True):
        color, pairs = palette[names.index(name) % len(palette)], zip(*frame.place(*at), strict=True)
        if dots if isinstance(dots, bool) else name in dots:
            parts.extend(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="1.8" fill="{color}"/>' for a, b in pairs)
        else:
            path = " ".join(f"{a:.1f},{b:.1f}" for a, b in pairs)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="1.6"/>')
    spans = (f'<tspan dx="12" fill="{palette[k % len(palette)]}">{name}</tspan>' for k, name in enumerate(names))
    parts.append(f'<text x="{size[0] - 15}" y="{_TOP - 4}" text-anchor="end">{"".join(spans)}</text>')
    title = ", ".join(name for name in (*names, *labels) if name.strip())
    return _svg(size, "".join(parts), title=f"a diagram: {title}")


def track(
    edges: Sequence[Floats], way: Floats, values: Floats, limits: tuple[float, float], size: tuple[int, int]
) -> str:
    """A way (n, 2) between two edges, in a frame in meters; a number for each of its points gives the color."""
    low, high = np.min([e.min(0) for e in edges], 0), np.max([e.max(0) for e in edges], 0)
    frame = Frame(low, high, size, equal=True)
    ground = np.concatenate([edges[0], edges[1][::-1]])
    parts = [frame.drawn((False, False), ("m", "m"))]
    corners = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(*frame.place(*ground.T), strict=True))
    parts.append(f'<polygon points="{corners}" fill="#9aa0a6"/>')
    x, y = frame.place(*way.T)
    pieces = [f"M{x[k]:.1f} {y[k]:.1f}L{x[k + 1]:.1f} {y[k + 1]:.1f}" for k in range(len(way) - 1)]
    parts.append(f'<g fill="none" stroke-linecap="round">{_painted(pieces, shades(values[:-1], limits), 3)}</g>')
    return _svg(size, "".join(parts), title="the way between the edges of a track")


def meshes(
    bodies: Sequence[tuple[Floats, Ints, Floats]], width: int = 460, *, limits: tuple[float, float] | None = None
) -> str:
    """Meshes in one plane: points (n, 2), polygons (cells, corners), and a number for the color of each polygon."""
    low = np.min([points.min(0) for points, _, _ in bodies], 0)
    high = np.max([points.max(0) for points, _, _ in bodies], 0)
    values = np.concatenate([values for _, _, values in bodies])
    limits = limits or (float(values.min()), float(values.max()))
    scale = width / (high[0] - low[0])
    parts = []
    for points, cells, numbers in bodies:
        at = (points - low) * [scale, -scale] + [0, (high[1] - low[1]) * scale]
        paths = ["M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners) + "z" for corners in at[cells]]
        parts.append(_painted(paths, shades(numbers, limits), 0.6))
    title = f"values from {limits[0]:.3g} to {limits[1]:.3g}"
    return _svg((width, round((high[1] - low[1]) * scale)), "".join(parts), title=title)


def network(
    points: Floats, edges: Ints, loads: Floats, values: Floats, sizes: Floats, size: tuple[int, int] = (560, 420)
) -> str:
    """Discs in the colors of ``values``, and lines (edges, 2) between them: thick by ``loads``, and red near 1."""
    low, high = points.min(0), points.max(0)
    at = 20 + (points - low) / (high - low) * (np.array(size) - 40)
    parts = []
    for (a, b), load in zip(edges, loads, strict=True):
        color = COLORS[1] if load > 0.99 else "currentColor"
        ends = f"M{at[a, 0]:.1f} {at[a, 1]:.1f}L{at[b, 0]:.1f} {at[b, 1]:.1f}"
        parts.append(f'<path d="{ends}" stroke="{color}" stroke-opacity="0.8" stroke-width="{1 + 5 * load:.1f}"/>')
    for k, ((x, y), color) in enumerate(zip(at, shades(values), strict=True)):
        disc = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{sizes[k]:.1f}" fill="{color}" stroke="#888"/>'
        parts.append(f"<g><title>{k + 1}: {values[k]:.3g}</title>{disc}</g>")
    return _svg(size, "".join(parts), title="a network")
