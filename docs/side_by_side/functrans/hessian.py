import numpy as np
import functrans as ft

def energy(x):
    return np.log(1 + (x ** 2).sum()) + x[0] * x[1] * x[2]

print(ft.hessian(energy)(np.array([1.0, 2.0, 3.0])).round(6))
