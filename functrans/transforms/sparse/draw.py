"""Pictures of a sparsity pattern: braille text for terminals, SVG for pages.

Pure functions of ``(rows, cols, shape)``.  Large patterns are drawn on a coarser grid: a cell is marked when
any nonzero falls into it, so nothing vanishes and the size of the picture is bounded.
"""

from __future__ import annotations

import colorsys

import numpy as np
from numpy.typing import NDArray

__all__ = ["spy", "svg"]

Indices = NDArray[np.int32]

# Bit of each dot in a braille character, by (dot row, dot column); Unicode 1.1, block U+2800.
_DOTS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])
_DEFAULT_WIDTH = 60
_MIN_BINS = 8  # a long thin matrix keeps its short side readable
_MAX_BINS = 400
_MAX_RUNS = 50_000  # at most 16 bytes each in the SVG
_GAP_BINS = 100  # up to here cells are drawn apart from each other
_PALETTE = 120
_INK = "#4a86cf"  # like the palette neither dark nor light: it is seen on both grounds


def spy(rows: Indices, cols: Indices, shape: tuple[int, int], width: int = _DEFAULT_WIDTH) -> str:
    """Draw the pattern in braille dots inside a frame, 2x4 entries a character.

    A matrix wider than ``2 * width`` or higher than it is drawn coarser, aspect ratio kept as far as
    a picture of a long thin matrix stays readable.

    >>> print(spy(np.arange(8), np.arange(8), (8, 8)))
    ⎡⠑⢄⠀⠀⎤
    ⎣⠀⠀⠑⢄⎦
    """
    height_bins, width_bins = _grid(shape, 2 * width)
    if height_bins == 0 or width_bins == 0:
        return "⎡⎤\n⎣⎦"
    row, col = _bin(rows, shape[0], height_bins), _bin(cols, shape[1], width_bins)
    text = np.zeros((-(-height_bins // 4), -(-width_bins // 2)), np.int64)
    np.bitwise_or.at(text, (row // 4, col // 2), _DOTS[row % 4, col % 2])
    lines = ["".join(chr(0x2800 + dots) for dots in line) for line in text.tolist()]
    if len(lines) == 1:
        return f"[{lines[0]}]"
    left = "⎡" + "⎢" * (len(lines) - 2) + "⎣"
    right = "⎤" + "⎥" * (len(lines) - 2) + "⎦"
    return "\n".join(a + line + b for a, line, b in zip(left, lines, right))


def svg(rows: Indices, cols: Indices, shape: tuple[int, int], colors: Indices | None = None) -> str:
    """Draw the pattern as a self-contained SVG image of less than 1 MB.

    `colors` gives each nonzero a color number; a cell that stands for several nonzeros shows the color of
    the first. The picture has the first and last index on its axes, a legend below, and no ground of its own: text and
    frame have the color of the page's text, the marks are seen in light and dark.

    >>> image = svg(np.arange(3), np.arange(3), (3, 3))
    >>> image[:5], image[-6:], image.count("h.9")
    ('<svg ', '</svg>', 3)
    """
    limit = _MAX_BINS
    while True:
        height, width = _grid(shape, limit)
        cell_row, start, length, run_color = _runs(rows, cols, colors, shape, (height, width))
        if len(start) <= _MAX_RUNS:
            break
        limit //= 2  # only scattered entries of many colors get here
    paths, shown = [], {color: _rgb(color) for color in np.unique(run_color).tolist()}
    for color in shown:
        mine = run_color == color
        cells = zip(start[mine].tolist(), cell_row[mine].tolist(), length[mine].tolist())
        if max(height, width) <= _GAP_BINS:
            data = "".join(f"M{x + i} {y}h.9" for x, y, n in cells for i in range(n))
        else:
            data = "".join(f"M{x} {y}h{n}" for x, y, n in cells)
        stroke = _INK if colors is None else shown[color]
        paths.append(f'<path stroke="{stroke}" d="{data}"/>')
    return _svg_document("".join(paths), shape, len(rows), (height, width), None if colors is None else shown)


def _svg_document(
    paths: str, shape: tuple[int, int], nnz: int, bins: tuple[int, int], colors: dict[int, str] | None
) -> str:
    """Wrap the paths, drawn in units of cells, with frame, axes, legend and title; no ground: pages may be dark."""
    height, width = max(bins[0], 1), max(bins[1], 1)
    cell = min(16.0, _MAX_BINS / max(height, width))
    line = 0.9 if max(height, width) <= _GAP_BINS else 1
    left, top = 8 + _pixels(str(max(shape[0] - 1, 0))), 18
    right, bottom = left + width * cell, top + height * cell
    text, swatches = _legend(shape, nnz, colors, right)
    wide = max(right + 8, 4 + _pixels(text) + 14 * len(swatches))
    boxes = "".join(
        f'<rect x="{4 + 14 * k}" y="{bottom + 10:g}" width="10" height="10" fill="{color}"/>'
        for k, color in enumerate(swatches)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{wide:g}" height="{bottom + 26:g}" '
        f'viewBox="0 0 {wide:g} {bottom + 26:g}" font-family="system-ui, sans-serif" font-size="11" '
        f'fill="currentColor"><title>{text}</title>'
        f'<rect x="{left}" y="{top}" width="{width * cell:g}" height="{height * cell:g}" fill="none" '
        f'stroke="currentColor" stroke-opacity=".5"/>{_ticks(shape, (left, top, right, bottom))}'
        f'<g fill="none" stroke-width="{line}" transform="translate({left + cell * (1 - line) / 2:g} '
        f'{top + cell / 2:g}) scale({cell:g})">{paths}</g>'
        f'{boxes}<text x="{4 + 14 * len(swatches)}" y="{bottom + 19:g}">{text}</text></svg>'
    )


def _legend(shape: tuple[int, int], nnz: int, colors: dict[int, str] | None, wide: float) -> tuple[str, list[str]]:
    """Size and number of nonzeros, with the number of colors, and the colors if they fit below the picture."""
    text = f"{shape[0]} x {shape[1]} matrix, {nnz} nonzeros"
    if colors is None:
        return text, []
    swatches = list(colors.values()) if 14 * len(colors) <= wide else []
    return f"{text}, {len(colors)} color{'s' * (len(colors) != 1)}", swatches


def _pixels(text: str) -> float:
    """How wide a text of the axes or the legend is."""
    return 6.6 * len(text)


def _ticks(shape: tuple[int, int], frame: tuple[float, float, float, float]) -> str:
    """The first and the last index of each axis: columns above, rows at the left."""
    left, top, right, bottom = frame
    across = {0: f'x="{left}"', shape[1] - 1: f'x="{right:g}" text-anchor="end"'} if shape[1] else {}
    down = {0: top + 9, shape[0] - 1: max(bottom, top + 9)} if shape[0] else {}
    wanted = right - left > _pixels(f"0 {shape[1]} ")  # else the two of them would touch
    return "".join(
        [f'<text {at} y="{top - 5}">{k}</text>' for k, at in list(across.items())[: 2 if wanted else 1]]
        + [f'<text x="{left - 4}" y="{at:g}" text-anchor="end">{k}</text>'
           for k, at in list(down.items())[: 2 if bottom - top > 22 else 1]]
    )  # fmt: skip


def _grid(shape: tuple[int, int], limit: int) -> tuple[int, int]:
    """Cells down and across: one an entry where that fits into `limit`, else fewer, aspect ratio kept."""
    longest = max(shape)
    if longest <= limit:
        return shape
    height, width = (max(-(-size * limit // longest), min(size, _MIN_BINS)) for size in shape)
    return height, width


def _bin(index: Indices, size: int, bins: int) -> NDArray[np.int64]:
    """The cell of each index when `size` indices are spread evenly over `bins` cells."""
    return index.astype(np.int64) * bins // size


def _runs(
    rows: Indices, cols: Indices, colors: Indices | None, shape: tuple[int, int], bins: tuple[int, int]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Marked cells joined to horizontal runs of one color: row, first column, length and color of each."""
    empty = np.zeros(0, np.int64)
    if len(rows) == 0:
        return empty, empty, empty, empty
    key = _bin(rows, shape[0], bins[0]) * bins[1] + _bin(cols, shape[1], bins[1])
    cells, first = np.unique(key, return_index=True)
    cell_row, cell_col = np.divmod(cells, bins[1])
    color = np.zeros(len(cells), np.int64) if colors is None else colors[first].astype(np.int64) % _PALETTE
    starts = np.ones(len(cells), np.bool_)
    starts[1:] = (np.diff(cells) != 1) | (np.diff(cell_row) != 0) | (np.diff(color) != 0)
    begin = np.flatnonzero(starts)
    length = np.diff(begin, append=len(cells))
    return cell_row[begin], cell_col[begin], length, color[begin]


def _rgb(color: int) -> str:
    """A color of the palette: hues a golden angle apart, so that neighboring numbers differ clearly."""
    hue, lightness = color * 0.618034 % 1.0, (0.5, 0.62, 0.42)[color // 12 % 3]
    return "#" + "".join(f"{round(255 * part):02x}" for part in colorsys.hls_to_rgb(hue, lightness, 0.62))
