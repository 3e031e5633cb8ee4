import numpy as np
import functrans as ft

def rosenbrock(x):
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()

x = np.array([1.0, 2.0, 0.5, -1.0])
print(ft.grad(rosenbrock)(x))
