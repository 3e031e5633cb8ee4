"""Problems that other packages hold: taken from them once, by ``python -m benchmarks.data`` where they are installed.

``make bench-peers`` runs it. The 2 869-bus grid is MATPOWER's case2869pegase, as pandapower has it (S. Fliscounakis et
al., IEEE Trans. Power Systems 28(4), 2013; C. Josz et al., arXiv:1603.01533; CC BY 4.0); the mesh is the airfoil of
pyamg, refined twice.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.case import Absent, load

STORE = Path(__file__).resolve().parent / ".build" / "data"


def _grid() -> dict[str, Any]:
    net = load("pandapower.networks").case2869pegase()
    case = load("pandapower.converter.pypower.to_ppc").to_ppc(net, init="flat", calculate_voltage_angles=True)
    return {k: case[k] for k in ("baseMVA", "bus", "gen", "branch")}


def _mesh() -> dict[str, Any]:
    """Both directions of every edge, sorted; every triangle is divided into four, twice."""
    found = load("pyamg.gallery").load_example("airfoil")
    corners, points = found["elements"].astype(np.int64), len(found["vertices"])
    for _ in range(2):
        sides = np.sort(corners[:, [[0, 1], [1, 2], [2, 0]]], axis=-1)
        middles, which = np.unique(sides.reshape(-1, 2), axis=0, return_inverse=True)
        (a, b, c), (ab, bc, ca) = corners.T, which.reshape(-1, 3).T + points
        corners = np.concatenate([np.stack(t, 1) for t in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))])
        points += len(middles)
    source, target = np.unique(corners[:, [[0, 1], [1, 2], [2, 0], [1, 0], [2, 1], [0, 2]]].reshape(-1, 2), axis=0).T
    return {"source": source, "target": target, "points": np.array(points)}


MAKERS = {"grid2869": _grid, "airfoil": _mesh}


def there(name: str) -> bool:
    """Whether the problem is in the store."""
    return (STORE / f"{name}.npz").exists()


def stored(name: str) -> dict[str, Any]:
    """The arrays of a problem; a number where there is no axis. Raises Absent where it was not made."""
    if not there(name):
        raise Absent(f"its data is made by python -m benchmarks.data ({name})")
    with np.load(STORE / f"{name}.npz") as found:
        return {k: found[k] if found[k].ndim else found[k].item() for k in found}


if __name__ == "__main__":
    STORE.mkdir(parents=True, exist_ok=True)
    for name, make in MAKERS.items():
        if not there(name):
            np.savez_compressed(STORE / f"{name}.npz", **make())
