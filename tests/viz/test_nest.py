"""The picture of loops and choices: boxes lie in each other as the loops do, bars are as long as their estimates."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np

import functrans as ft
from functrans.viz.nest import Choice, Loop, drawn

SVG = "{http://www.w3.org/2000/svg}"


def boxes(picture: str) -> list[tuple[float, float, float, float]]:
    """Left, top, right, bottom of every rectangle."""
    found = []
    for rect in ElementTree.fromstring(picture).iter(f"{SVG}rect"):
        x, y, w, h = (float(rect.get(name, "")) for name in ("x", "y", "width", "height"))
        found.append((x, y, x + w, y + h))
    return found


def holds(outer: tuple[float, ...], inner: tuple[float, ...]) -> bool:
    return outer[0] < inner[0] and outer[1] < inner[1] and outer[2] > inner[2] and outer[3] >= inner[3]


def test_a_box_holds_the_loops_inside_and_no_other() -> None:
    loops = [Loop(0, "for a < 2", ""), Loop(1, "for b < 2", ""), Loop(2, "for c < 2", ""), Loop(1, "for d < 2", ""),
             Loop(0, "for e < 2", "")]  # fmt: skip
    a, b, c, d, e = boxes(drawn([("k0", loops)], []))
    assert holds(a, b) and holds(b, c) and holds(a, d)
    assert b[3] <= d[1] and a[3] <= e[1]


def test_bars_are_as_long_as_the_estimates() -> None:
    picture = drawn([], [Choice("EXP & co", {"stored": 100.0, "again": 400.0}, "stored", "of cost")])
    lengths = [right - left for left, _, right, _ in boxes(picture)]
    assert np.isclose(lengths[1], 4 * lengths[0], rtol=0.01)
    opacity = [r.get("fill-opacity") for r in ElementTree.fromstring(picture).iter(f"{SVG}rect")]
    assert opacity == [".8", ".12"]
    assert "EXP & co" in "".join(ElementTree.fromstring(picture).itertext())


def test_an_explanation_draws_its_loops() -> None:
    found = ft.explain(ft.vmap(lambda x: x / x.sum()), ft.ShapeDtype((50, 3)))
    text = "".join(ElementTree.fromstring(found.to_svg()).itertext())
    assert all(f"for {loop.name} < {loop.extent}" in text for loop in found.kernels[0].loops)
