import casadi as ca
import numpy as np

s, rho, h = ca.SX.sym("s", 3), ca.SX.sym("rho"), 0.01
x, y, z = ca.vertsplit(s)
lorenz = ca.Function("lorenz", [s, rho], [ca.vertcat(10 * (y - x), x * (rho - z) - y, x * y - 8 / 3 * z)])
k1 = lorenz(s, rho)
k2 = lorenz(s + h / 2 * k1, rho)
k3 = lorenz(s + h / 2 * k2, rho)
k4 = lorenz(s + h * k3, rho)
rk4 = ca.Function("rk4", [s, rho], [s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)])

r = ca.MX.sym("r")
last = rk4.mapaccum(100)(ca.DM.ones(3), ca.repmat(r, 1, 100))[:, -1]
end = ca.Function("end", [r], [last, ca.jacobian(last, r)])

value, slope = end(28.0)
print(np.array(value).ravel().round(5), np.array(slope).ravel().round(5))
