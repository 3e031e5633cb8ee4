"""The examples of the gallery: what they solve, at a size that takes moments, and their derivatives."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest

import functrans as ft
from examples import bicycle, brusselator, bundle_adjustment, pictures
from functrans.testing import check_pattern, check_spjacobian


def test_brusselator_takes_the_same_way_with_differences() -> None:
    n = 8
    f, y = brusselator.brusselator(n), brusselator.start(n)
    check_spjacobian(f, (0.0, y), 1)
    check_pattern(f, (0.0, y), 1)
    assert ft.spjacobian(f, argnums=1).pattern(0.0, y).nnz == 12 * n * n
    ours = brusselator.integrate(n, 1.3)
    differences = brusselator.integrate(n, 1.3, exact=False)
    assert ours.solution.success and ours.calls < differences.calls
    np.testing.assert_allclose(ours.solution.y, differences.solution.y, rtol=1e-3, atol=1e-4)


def test_bundle_adjustment_leaves_the_noise() -> None:
    scene = bundle_adjustment.make_scene(5, 40)
    f = bundle_adjustment.residual(scene)
    check_spjacobian(f, (scene.truth,))
    pattern = ft.spjacobian(f).pattern(scene.truth)
    assert (np.diff(pattern.indptr) == bundle_adjustment.CAMERA + 3).all()
    found, first, _ = bundle_adjustment.adjust(scene)
    assert found.success and bundle_adjustment.spread(f, first) > 3
    assert bundle_adjustment.spread(f, found.x) < 0.3


def test_bicycle_finds_a_way_around() -> None:
    problem = bicycle.Problem(stages=30)
    found = bicycle.solve(problem.cost, problem.defects, problem.start())
    assert max(found.history[-1]) < 1e-9 and len(found.history) < 60
    states, _, last = problem.split(found.z)
    np.testing.assert_allclose(last, bicycle.LAST, atol=1e-8)
    assert np.abs(states[:, 1]).max() > 0.5
    np.testing.assert_allclose(np.asarray(ft.jit(problem.defects)(found.z)), 0, atol=1e-9)
    check_spjacobian(problem.defects, (found.z,))


@pytest.mark.parametrize("values", [np.arange(6.0).reshape(2, 3), np.zeros((1, 1))])
def test_heatmaps_have_a_cell_a_number(values: np.ndarray) -> None:
    picture = ET.fromstring(pictures.heatmap(values))
    paths = picture.findall(".//{*}path")
    assert sum(p.attrib["d"].count("M") for p in paths) == values.size and len(paths) == len(np.unique(values))


def test_meshes_have_a_polygon_a_cell_inside_of_the_picture() -> None:
    points, cells = np.array([[0.0, 0], [2, 0], [2, 1], [0, 1]]), np.array([[0, 1, 2], [0, 2, 3]])
    picture = ET.fromstring(pictures.meshes([(points, cells, np.arange(2.0)), (points + 1, cells, np.zeros(2))], 300))
    paths = picture.findall("{*}path")
    corners = "".join(p.attrib["d"] for p in paths).replace("M", "").replace("z", "L").strip("L").split("L")
    at = [[float(v) for v in pair.split()] for pair in corners]
    assert len(at) == 12 and np.min(at, 0).tolist() == [0, 0] and np.max(at, 0).tolist() == [300, 200]
    assert len(paths) == 3 and paths[0].attrib["fill"] == paths[2].attrib["fill"] != paths[1].attrib["fill"]


def test_legends_say_what_colors_mean() -> None:
    picture = ET.fromstring(pictures.legend("speed", -1.0, 2.5))
    assert [t.text for t in picture.findall("{*}svg/{*}text")] == ["-1", "2.5", "speed"]
    bar = [r.attrib["fill"] for r in picture.findall("{*}svg/{*}rect")]
    assert [bar[0], bar[-1]] == pictures.shades(np.array([-1.0, 2.5]))


def test_a_way_has_the_colors_of_its_numbers() -> None:
    way, edge = np.array([[0.0, 0], [1, 0], [2, 1]]), np.array([[0.0, 1], [2, 2]])
    picture = ET.fromstring(pictures.track([edge - 2, edge], way, np.arange(3.0), (0.0, 2.0), (300, 200)))
    lines = picture.findall("{*}g/{*}path")
    assert [p.attrib["stroke"] for p in lines] == pictures.shades(np.array([0.0, 1.0]), (0.0, 2.0))


def test_networks_have_a_disc_a_point_and_full_lines_are_red() -> None:
    points, edges = np.array([[0.0, 0], [1, 2], [3, 1]]), np.array([[0, 1], [1, 2]])
    picture = ET.fromstring(pictures.network(points, edges, np.array([0.4, 1.0]), np.arange(3.0), np.full(3, 5.0)))
    assert len(picture.findall(".//{*}circle")) == 3
    assert [p.attrib["stroke"] for p in picture.findall("{*}path")] == ["currentColor", pictures.COLORS[1]]


def test_curves_of_one_name_have_one_color_and_ticks_are_round() -> None:
    x = np.array([0.0, 1.0])
    text = pictures.curves([("a", x, x), ("b", x, x), ("a", x, 2 * x)], dots=["b"], bands=[(x, x, 2 * x)])
    picture = ET.fromstring(text)
    first, second = picture.findall("{*}polyline")
    assert first.attrib["stroke"] == second.attrib["stroke"]
    assert len(picture.findall("{*}circle")) == 2 and len(picture.findall("{*}polygon")) == 1
    written = [t.text for t in [*picture.findall("{*}text"), *picture.findall("{*}text/{*}tspan")] if t.text]
    assert written == ["0", "0.2", "0.4", "0.6", "0.8", "1", "0", "0.5", "1", "1.5", "2", "a", "b"]


def test_curves_are_drawn_inside_of_the_frame() -> None:
    x = np.linspace(-3, 5, 20)
    text = pictures.curves([("a", x, np.exp(x)), ("b", x, np.exp(-x))], logarithmic=True)
    lines = ET.fromstring(text).findall("{*}polyline")
    points = [[float(v) for v in pair.split(",")] for line in lines for pair in line.attrib["points"].split()]
    assert len(lines) == 2 and (np.min(points, 0) >= [54, 14]).all() and (np.max(points, 0) <= [446, 216]).all()
    around = pictures.curves([("way", x, x)], equal=True, circles=[(0.0, 0.0, 9.0)])
    assert len(ET.fromstring(around).findall("{*}circle")) == 1


@pytest.mark.parametrize("example", [brusselator, bundle_adjustment, bicycle])
def test_they_run(example: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    if example is brusselator:
        monkeypatch.setattr(brusselator, "integrate", lambda n, exact=True: INTEGRATE(10, 0.5, exact=exact))
    assert example.main() == 0  # type: ignore[attr-defined]
    assert "matrix" in capsys.readouterr().out


INTEGRATE = brusselator.integrate
