import numpy as np
import functrans as ft

def residual(u):                             # diffusion and reaction on a line
    padded = np.pad(u, 1)
    return padded[2:] - 2 * u + padded[:-2] + u * (1 - u ** 2)

u = np.linspace(0.0, 1.0, 6)
J = ft.spjacobian(residual)(u)               # a scipy.sparse.csr_array; the pattern is found
print(J.nnz, J.shape)
print(J.data.round(3))
