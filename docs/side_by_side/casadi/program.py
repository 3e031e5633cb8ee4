import casadi as ca
import numpy as np

x = ca.SX.sym("x", 3)
cost = ca.sumsqr(x - 1) + ca.dot(x[1:], x[:-1])
options = {"print_time": False, "ipopt": {"print_level": 0, "sb": "yes", "tol": 1e-12}}
solver = ca.nlpsol("solver", "ipopt", {"x": x, "f": cost, "g": ca.sumsqr(x) - 1}, options)

found = solver(x0=np.full(3, 0.5), lbg=0, ubg=0)
print(np.array(found["x"]).ravel().round(4), solver.stats()["success"])
