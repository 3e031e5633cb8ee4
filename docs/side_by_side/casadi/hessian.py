import casadi as ca
import numpy as np

x = ca.SX.sym("x", 3)
energy = ca.log(1 + ca.sumsqr(x)) + x[0] * x[1] * x[2]
hessian = ca.Function("hessian", [x], [ca.hessian(energy, x)[0]])

print(np.array(hessian([1.0, 2.0, 3.0])).round(6))
