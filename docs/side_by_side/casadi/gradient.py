import casadi as ca
import numpy as np

x = ca.SX.sym("x", 4)
y = ca.sum1(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)
gradient = ca.Function("gradient", [x], [ca.gradient(y, x)])

print(np.array(gradient([1.0, 2.0, 0.5, -1.0])).ravel())
