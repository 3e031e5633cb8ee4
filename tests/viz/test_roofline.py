"""The roofline, as text and as SVG."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from functrans.viz.roofline import Point, Roof, Roofline

ROOFS = [Roof(1, 1e11, 3e11, 4e10), Roof(2, 2e11, 6e11, 6e10)]
POINTS = [Point("k0", 0.5, 2e9, "10 % memory"), Point("k<1>", 40.0, 5e10, "50 % flops"), Point("copy", 0.0, 0.0, "3 %")]


def test_the_roof_is_the_lower_of_two() -> None:
    roof = ROOFS[0]
    assert roof.at(1.0) == 4e10 and roof.at(100.0) == 1e11 and roof.at(0.1, near=True) == pytest.approx(3e10)


def test_svg_is_well_formed_and_names_what_it_shows(tmp_path: Path) -> None:
    text = Roofline("here & now", ROOFS, POINTS).to_svg(str(tmp_path / "r.svg"))
    assert (tmp_path / "r.svg").read_text() == text
    picture = ElementTree.fromstring(text)
    words = " ".join(picture.itertext())
    for word in ("here & now", "k0", "k<1>", "1 thread", "2 threads", "50 % flops"):
        assert word in words
    assert len([e for e in picture.iter() if e.tag.endswith("circle")]) == 2


def test_points_lie_where_they_belong() -> None:
    picture = ElementTree.fromstring(Roofline("", ROOFS, POINTS[:2]).to_svg())
    a, b = (e.attrib for e in picture.iter() if e.tag.endswith("circle"))
    assert float(a["cx"]) < float(b["cx"]) and float(a["cy"]) > float(b["cy"])


def test_text_names_roofs_and_points() -> None:
    lines = repr(Roofline("here", ROOFS, POINTS)).splitlines()
    assert lines[0] == "here"
    assert any("a k0: 2 Gflop/s at 0.5 flop/byte, 10 % memory of its roof" in line for line in lines)
    assert any("copy: moves data alone" in line for line in lines)
    grid = [line for line in lines if "|" in line]
    assert sum(line.partition("|")[2].count("a") for line in grid) == 1


def test_a_roofline_of_nothing() -> None:
    assert repr(Roofline("", [])) == "nothing was measured on this machine"
    assert "nothing was measured" in " ".join(ElementTree.fromstring(Roofline("", []).to_svg()).itertext())


def test_a_roofline_without_work() -> None:
    assert "1 thread" in repr(Roofline("", ROOFS)) and "<circle" not in Roofline("", ROOFS).to_svg()


def test_labels_do_not_cover_one_another() -> None:
    points = [Point(f"k{k}", 0.5, 2e9, "") for k in range(12)]
    picture = ElementTree.fromstring(Roofline("", ROOFS, points).to_svg())
    labels = [e.attrib for e in picture.iter() if (e.text or "").startswith("k") and "x" in e.attrib]
    at = [(float(a["x"]), float(a["y"])) for a in labels]
    assert len(at) == 12
    assert all(abs(x - u) >= 22 or abs(y - v) >= 11 for k, (x, y) in enumerate(at) for u, v in at[:k])
