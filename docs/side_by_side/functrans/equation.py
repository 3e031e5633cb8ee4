import numpy as np
import functrans as ft

def kepler(anomaly, mean, eccentricity):
    return anomaly - eccentricity * np.sin(anomaly) - mean

def solve(mean, eccentricity):
    return ft.implicit.root(kepler, mean, mean, eccentricity)

means = np.array([0.5, 1.0, 2.0])
print(ft.vmap(solve, in_axes=(0, None))(means, 0.3).round(6))
print(ft.vmap(ft.grad(solve, argnums=1), in_axes=(0, None))(means, 0.3).round(6))
