"""The closed loops as animated pictures: SVG text, nothing but NumPy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from examples.mpc.control import PERIOD, Task
from examples.mpc.models import BENDS, LENGTH, OBSTACLE, WAVE, WIDTH
from examples.mpc.run import Run
from examples.quadrotor import SIZE

Floats = NDArray[np.float64]
MARGIN = 0.75  # the share of an obstacle's size that is drawn; the rest is the car's own, and a margin
EDGE = WIDTH + 0.15  # of the track that is drawn; the car's middle keeps to WIDTH
PLAN = 'fill="none" stroke="#f2a900" stroke-width="2.5"'
_S = np.linspace(0, LENGTH, 2001)
_TURN = 2 * np.pi / LENGTH * _S + WAVE / BENDS * np.sin(2 * np.pi * BENDS / LENGTH * _S)
_STEP = 0.5 * LENGTH / 2000 * np.stack([f(_TURN[1:]) + f(_TURN[:-1]) for f in (np.cos, np.sin)], axis=1)
_CENTER = np.concatenate([np.zeros((1, 2)), np.cumsum(_STEP, axis=0)])


def plane(s: Floats, side: Floats) -> Floats:
    """Points of the track in the plane."""
    lap = s % LENGTH
    center = np.stack([np.interp(lap, _S, _CENTER[:, k]) for k in (0, 1)], axis=-1)
    turn = np.interp(lap, _S, _TURN)
    return np.asarray(center + side[..., None] * np.stack([-np.sin(turn), np.cos(turn)], axis=-1))


def oblique(points: Floats) -> Floats:
    """Points of space in the plane, seen from above and a little from the front."""
    x, y, z = np.moveaxis(points, -1, 0)
    return np.stack([x, y + 0.3 * z], axis=-1)


class Frame:
    """A picture in the making, of what lies between two corners."""

    def __init__(self, points: Floats, width: int) -> None:
        low, high = points.min(axis=0), points.max(axis=0)
        self.low, self.high, self.scale = low, high, (width - 20) / (high[0] - low[0])
        self.size = width, int((high[1] - low[1]) * self.scale) + 20
        self.parts: list[str] = []

    def at(self, points: Floats) -> str:
        """Points as SVG has them."""
        placed = (points - [self.low[0], self.high[1]]) * [self.scale, -self.scale] + 10
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)

    def line(self, points: Floats, style: str) -> None:
        """A line through points."""
        self.parts.append(f'<polyline points="{self.at(points)}" {style}/>')

    def moving(self, lines: Floats, seconds: float, style: str) -> None:
        """A line that is another one from time to time."""
        values = ";".join(self.at(points) for points in lines)
        self.parts.append(
            f'<polyline points="{self.at(lines[0])}" {style}><animate attributeName="points" values="{values}" '
            f'dur="{seconds:g}s" calcMode="discrete" repeatCount="indefinite"/></polyline>'
        )

    def traveller(self, way: Floats, seconds: float, shape: str) -> None:
        """A shape on a way that was gone at equal times."""
        places = [pair.replace(",", " ") for pair in self.at(way).split()]
        times = ";".join(f"{t:.4f}" for t in np.linspace(0, 1, len(places)))
        arcs = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(way, axis=0).T))])
        points = ";".join(f"{v:.4f}" for v in arcs / arcs[-1])
        path, shown = " L".join(places), '<set attributeName="visibility" to="visible"/>'
        self.parts.append(
            f'<g visibility="hidden">{shown}{shape}<animateMotion path="M{path}" dur="{seconds:g}s" '
            f'repeatCount="indefinite" '
            f'rotate="auto" calcMode="linear" keyTimes="{times}" keyPoints="{points}"/></g>'
        )

    def text(self, title: str) -> str:
        """The picture."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{self.size[0]}" height="{self.size[1]}" '
            f'viewBox="0 0 {self.size[0]} {self.size[1]}" style="background:none"><title>{title}</title>'
            f"{''.join(self.parts)}</svg>"
        )


def race(run: Run, task: Task, width: int = 560) -> str:
    """The track, the obstacles as they come and go, the way that was driven, the car and its plan as time passes."""
    edges = [plane(_S, np.full_like(_S, side)) for side in (-EDGE, EDGE)]
    seconds = len(run.states) * PERIOD
    frame = Frame(np.concatenate(edges), width)
    frame.parts.append(f'<polygon points="{frame.at(np.concatenate([edges[0], edges[1][::-1]]))}" fill="#9aa0a6"/>')
    for edge in edges:
        frame.line(edge, 'fill="none" stroke="currentColor" stroke-opacity="0.5"')
    angle = np.linspace(0, 2 * np.pi, 40)
    ellipse = MARGIN * np.stack([OBSTACLE[0] * np.cos(angle), OBSTACLE[1] * np.sin(angle)])
    for k in range(len(task.schedule[0][1]) // 2):
        shown = []
        for t in np.arange(0, seconds, 0.5):
            s, side = [p for begin, p in task.schedule if begin <= t][-1][2 * k : 2 * k + 2]
            shown.append(plane(s + ellipse[0], side + ellipse[1]))
        frame.moving(np.array(shown), seconds, 'fill="#c0392b" stroke="none"')
    way = plane(run.states[:, 0], run.states[:, 1])
    frame.line(way[::4], 'fill="none" stroke="#0b6e64" stroke-width="1.2"')
    frame.moving(plane(run.plans[:, :, 0], run.plans[:, :, 1]), seconds, PLAN)
    car = '<rect x="-8" y="-4" width="16" height="8" rx="2" fill="#1f3b63" stroke="#fff"/>'
    frame.traveller(way[::5], seconds, car)
    return frame.text("a car races around a track with obstacles")


def flight(run: Run, task: Task, width: int = 560) -> str:
    """The ball, the goals, the way that was flown, the quadrotor and its plan."""
    seconds = len(run.states) * PERIOD
    goals, ball = np.array([p[:3] for _, p in task.schedule]), np.array(task.schedule[0][1][3:])
    around = oblique(ball) + SIZE * np.array([[-1.0, -1.0], [1.0, 1.0]])
    everything = [around, oblique(run.states[:, :3]), oblique(run.plans[:, :, :3]).reshape(-1, 2), oblique(goals)]
    frame = Frame(np.concatenate(everything), width)
    x, y = frame.at(oblique(ball[None])).split(",")
    size = MARGIN * SIZE * frame.scale
    frame.parts.append(f'<circle cx="{x}" cy="{y}" r="{size:.1f}" fill="#c0392b" opacity="0.8"/>')
    for goal in goals:
        x, y = frame.at(oblique(goal[None])).split(",")
        frame.parts.append(f'<circle cx="{x}" cy="{y}" r="5" fill="none" stroke="#9a76d1" stroke-width="2"/>')
    way = oblique(run.states[:, :3])
    frame.line(way[::4], 'fill="none" stroke="#2a9d8f" stroke-width="1.2"')
    frame.moving(oblique(run.plans[:, :, :3]), seconds, PLAN)
    frame.traveller(way[::5], seconds, '<circle r="6" fill="#1f3b63" stroke="#fff"/>')
    return frame.text("a quadrotor flies from goal to goal around a ball")
