"""Pictures of results as SVG text: a map of numbers, curves in a plane; nothing but NumPy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_SHADES = np.array([[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]], float)
COLORS = ("#1f3b63", "#c0392b", "#2a9d8f", "#e9a23b", "#7d5ba6", "#8a8a8a")


def heatmap(values: Floats, size: int = 240) -> str:
    """A matrix as colored cells, the least number dark and the largest bright."""
    low, high = float(values.min()), float(values.max())
    at = (values - low) / (high - low or 1.0) * (len(_SHADES) - 1)
    below = np.minimum(at.astype(int), len(_SHADES) - 2)
    part = (at - below)[..., None]
    colors = (_SHADES[below] * (1 - part) + _SHADES[below + 1] * part).round().astype(int)
    rows, cols = values.shape
    cells = "".join(
        f'<rect x="{j}" y="{i}" width="1.05" height="1.05" fill="rgb({",".join(map(str, colors[i, j]))})"/>'
        for i in range(rows)
        for j in range(cols)
    )
    title = f"values from {low:.3g} to {high:.3g}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{size}" height="{size * rows / cols:g}" '
        f'viewBox="0 0 {cols} {rows}"><title>{title}</title>{cells}</svg>'
    )


def curves(
    lines: Sequence[tuple[str, Floats, Floats]], size: tuple[int, int] = (460, 240), *, equal: bool = False,
    logarithmic: bool = False, dots: bool = False, circles: Sequence[tuple[float, float, float]] = (),
) -> str:  # fmt: skip
    """Curves (name, x, y) in a frame; ``equal`` scales, a ``logarithmic`` y, ``dots`` alone, circles (x, y, radius)."""
    points = [(np.asarray(x, float), np.log10(y) if logarithmic else np.asarray(y, float)) for _, x, y in lines]
    low = np.array([min(float(p[k].min()) for p in points) for k in (0, 1)])
    high = np.array([max(float(p[k].max()) for p in points) for k in (0, 1)])
    for a, b, r in circles:
        low, high = np.minimum(low, [a - r, b - r]), np.maximum(high, [a + r, b + r])
    room = np.array(size, float) - [70, 40]
    scale = room / np.where(high > low, high - low, 1.0)
    if equal:
        scale[:] = scale.min()

    def place(x: Floats, y: Floats) -> tuple[Floats, Floats]:
        return 55 + (x - low[0]) * scale[0], size[1] - 25 - (y - low[1]) * scale[1]

    parts = []
    for a, b, r in circles:
        x, y = place(np.array(a), np.array(b))
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r * scale[0]:.1f}" fill="#ddd" stroke="#999"/>')
    for k, ((name, _, _), (x, y)) in enumerate(zip(lines, points, strict=True)):
        pairs, color = list(zip(*place(x, y), strict=True)), COLORS[k % len(COLORS)]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in pairs)
        if dots:
            parts.extend(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="1.8" fill="{color}"/>' for a, b in pairs)
        else:
            parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="1.6"/>')
        parts.append(f'<text x="{size[0] - 8}" y="{16 + 14 * k}" text-anchor="end" fill="{color}">{name}</text>')
    for value, at in ((low[1], size[1] - 25), (high[1], size[1] - 25 - (high[1] - low[1]) * scale[1])):
        shown = 10.0**value if logarithmic else value
        parts.append(f'<text x="50" y="{at + 4:.1f}" text-anchor="end">{shown:.3g}</text>')
    for value, anchor in ((low[0], "start"), (high[0], "end")):
        x, _ = place(np.array(value), np.array(0.0))
        parts.append(f'<text x="{x:.1f}" y="{size[1] - 8}" text-anchor="{anchor}">{value:.3g}</text>')
    frame = f'<rect x="55" y="15" width="{room[0]:g}" height="{room[1]:g}" fill="none" stroke="#bbb"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{size[0]}" height="{size[1]}" font-size="11" '
        f'font-family="sans-serif">{frame}{"".join(parts)}</svg>'
    )
