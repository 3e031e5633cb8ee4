import casadi as ca
import numpy as np

u = ca.SX.sym("u", 6)
padded = ca.vertcat(0, u, 0)                 # diffusion and reaction on a line
residual = padded[2:] - 2 * u + padded[:-2] + u * (1 - u ** 2)
jacobian = ca.Function("jacobian", [u], [ca.jacobian(residual, u)])

J = jacobian(np.linspace(0.0, 1.0, 6)).sparse().tocsr()                # columns first: a csc_matrix
J.sort_indices()
print(J.nnz, J.shape)
print(J.data.round(3))
