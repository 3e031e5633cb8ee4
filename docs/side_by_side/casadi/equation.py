import casadi as ca
import numpy as np

anomaly, p = ca.SX.sym("anomaly"), ca.SX.sym("p", 2)
kepler = {"x": anomaly, "p": p, "g": anomaly - p[1] * ca.sin(anomaly) - p[0]}
newton = ca.rootfinder("newton", "newton", kepler, {"abstol": 1e-12})

mean, eccentricity = ca.MX.sym("mean"), ca.MX.sym("eccentricity")
solution = newton(x0=mean, p=ca.vertcat(mean, eccentricity))["x"]
solve = ca.Function("solve", [mean, eccentricity], [solution, ca.jacobian(solution, eccentricity)])

values, slopes = solve.map(3)(np.array([[0.5, 1.0, 2.0]]), 0.3)
print(np.array(values).ravel().round(6))
print(np.array(slopes).ravel().round(6))
