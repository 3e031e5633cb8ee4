import casadi as ca
import numpy as np

z, multipliers = ca.SX.sym("z", 5), ca.SX.sym("multipliers", 4)
cost = ca.sum1(z[1:] * z[:-1]) + ca.sum1(z ** 4)
constraints = ca.sin(z[1:]) * z[:-1]
hessian, gradient = ca.hessian(cost + ca.dot(multipliers, constraints), z)
lower = ca.Function("lower", [z, multipliers], [ca.tril(hessian)])

H = lower(np.linspace(0.5, 1.0, 5), np.ones(4)).sparse()
print(H.nnz, H.shape)
print(H.data.round(3))
