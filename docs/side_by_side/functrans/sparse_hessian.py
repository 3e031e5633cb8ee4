import numpy as np
import functrans as ft

def cost(z):
    return (z[1:] * z[:-1]).sum() + (z ** 4).sum()

def constraints(z):
    return np.sin(z[1:]) * z[:-1]

z, multipliers = np.linspace(0.5, 1.0, 5), np.ones(4)
H = ft.lagrangian_hessian(cost, constraints, format="csc")(z, multipliers, 1.0)    # its lower triangle
print(H.nnz, H.shape)
print(H.data.round(3))
