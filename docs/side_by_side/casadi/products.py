import casadi as ca
import numpy as np

x, v, w = ca.SX.sym("x", 3), ca.SX.sym("v", 3), ca.SX.sym("w", 2)
y = ca.sin(x[1:]) * x[:-1]
forward = ca.Function("forward", [x, v], [ca.jtimes(y, x, v)])         # the Jacobian times v
reverse = ca.Function("reverse", [x, w], [ca.jtimes(y, x, w, True)])   # w times the Jacobian

at = [1.0, 2.0, 3.0]
print(np.array(forward(at, [1.0, 0.0, -1.0])).ravel().round(6), np.array(reverse(at, [1.0, 10.0])).ravel().round(6))
