"""Pictures: every nonzero shows, nothing else does, and sizes stay bounded."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from functrans.transforms.sparse import draw
from functrans.transforms.sparse.pattern import SparsityPattern
from tests.transforms.sparse.checkers import entries, patterns

# Dot numbers of the braille standard, by (row, column).
DOTS = {(0, 0): 1, (1, 0): 2, (2, 0): 3, (0, 1): 4, (1, 1): 5, (2, 1): 6, (3, 0): 7, (3, 1): 8}


def marked(text: str) -> set[tuple[int, int]]:
    """Positions of the dots inside the frame."""
    dots = set()
    for i, line in enumerate(text.splitlines()):
        for j, character in enumerate(line[1:-1]):
            for (row, col), number in DOTS.items():
                if (ord(character) - 0x2800) >> (number - 1) & 1:
                    dots.add((4 * i + row, 2 * j + col))
    return dots


def painted(image: str) -> set[tuple[int, int]]:
    """Cells (row, column) that the paths of an SVG cover."""
    cells = set()
    for x, y, length in re.findall(r"M(\d+) (\d+)h([.\d]+)", image):
        cells |= {(int(y), int(x) + k) for k in range(max(1, int(float(length))))}
    return cells


@given(patterns(max_size=20))
def test_small_patterns_are_drawn_exactly(pattern: SparsityPattern) -> None:
    assert marked(pattern.spy()) == entries(pattern)
    image = pattern.to_svg()
    assert painted(image) == entries(pattern)
    assert ET.fromstring(image).tag == "{http://www.w3.org/2000/svg}svg"


def test_a_known_picture() -> None:
    rows, cols = np.nonzero(np.tri(8, 6))
    assert draw.spy(rows, cols, (8, 6)) == "⎡⣷⣄⠀⎤\n⎣⣿⣿⣷⎦"


@given(st.integers(1, 3000), st.integers(1, 3000), st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_large_patterns_shrink_and_lose_nothing(m: int, n: int, width: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    pattern = SparsityPattern(rng.integers(m, size=30), rng.integers(n, size=30), (m, n))
    lines = pattern.spy(width).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert len(lines[0]) - 2 <= width + 4 and len(lines) <= width / 2 + 4
    dots = marked(pattern.spy(width))
    assert 1 <= len(dots) <= pattern.nnz
    down, across = 4 * len(lines), 2 * (len(lines[0]) - 2)
    assert all(i < down and j < across for i, j in dots)
    assert 1 <= len(painted(pattern.to_svg())) <= pattern.nnz


def test_corners_stay_in_the_corners() -> None:
    size = 100_000
    text = draw.spy(np.array([0, size - 1]), np.array([0, size - 1]), (size, size), 10)
    assert marked(text) == {(0, 0), (19, 19)} and len(text.splitlines()) == 5
    image = draw.svg(np.array([0, size - 1]), np.array([0, size - 1]), (size, size))
    assert painted(image) == {(0, 0), (399, 399)}


def test_long_thin_matrices_stay_readable() -> None:
    rows, cols = np.indices((3, 90_000)).reshape(2, -1)
    text = draw.spy(rows, cols, (3, 90_000))
    assert marked(text) == {(i, j) for i in range(3) for j in range(120)}


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (5, 0)])
def test_empty_shapes(shape: tuple[int, int]) -> None:
    none = np.zeros(0, np.int32)
    assert draw.spy(none, none, shape) == "⎡⎤\n⎣⎦"
    assert "<path" not in draw.svg(none, none, shape)


@pytest.mark.parametrize("colors", [None, 3, 1000])
def test_a_million_nonzeros_fit_into_a_megabyte(colors: int | None) -> None:
    rng = np.random.default_rng(0)
    rows, cols = rng.integers(1_000_000, size=(2, 1_000_000))
    chosen = None if colors is None else rng.integers(colors, size=1_000_000)
    image = draw.svg(rows, cols, (1_000_000, 1_000_000), chosen)
    assert 1_000 < len(image) < 1_000_000


def test_colors_separate_neighbors_and_repeat_for_equal_numbers() -> None:
    rows, cols = np.zeros(4, np.int32), np.arange(4, dtype=np.int32)
    image = draw.svg(rows, cols, (1, 4), np.array([0, 1, 2, 0], np.int32))
    strokes = re.findall(r'<path stroke="(#[0-9a-f]{6})" d="([^"]*)"', image)
    assert len({stroke for stroke, _ in strokes}) == 3
    assert strokes[0][1] == "M0 0h.9M3 0h.9"


def test_axes_and_legend_say_what_is_drawn_on_any_ground() -> None:
    rows, cols = np.nonzero(np.tri(9, 7))
    texts = [e.text for e in ET.fromstring(draw.svg(rows, cols, (9, 7), cols % 3)).iter() if e.tag.endswith("}text")]
    assert texts == ["0", "6", "0", "8", "9 x 7 matrix, 42 nonzeros, 3 colors"]
    plain = draw.svg(rows, cols, (9, 7))
    assert "9 x 7 matrix, 42 nonzeros<" in plain
    assert set(re.findall(r'fill="([^"]+)"', plain)) == {"none", "currentColor"}  # no ground, text as that of the page


def test_an_axis_of_one_has_one_number_and_none_of_no_length() -> None:
    one, none = np.zeros(1, np.int32), np.zeros(0, np.int32)
    assert draw.svg(one, one, (1, 1)).count("<text") == 3  # one an axis, and the legend
    assert draw.svg(none, none, (0, 5)).count('text-anchor="end">0<') == 0
