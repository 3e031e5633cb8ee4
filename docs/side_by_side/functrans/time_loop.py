import numpy as np
import functrans as ft

def lorenz(s, rho):
    x, y, z = s
    return np.stack([10 * (y - x), x * (rho - z) - y, x * y - 8 / 3 * z])

def rk4(s, rho, h=0.01):
    k1 = lorenz(s, rho)
    k2 = lorenz(s + h / 2 * k1, rho)
    k3 = lorenz(s + h / 2 * k2, rho)
    k4 = lorenz(s + h * k3, rho)
    return s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

def end(rho):
    return ft.scan(lambda s, _: (rk4(s, rho), None), np.array([1.0, 1.0, 1.0]), None, 100)[0]

print(end(28.0).round(5), ft.jacfwd(end)(28.0).round(5))
