import numpy as np
import scipy.optimize
import functrans as ft

def cost(x):
    return ((x - 1) ** 2).sum() + (x[1:] * x[:-1]).sum()

def circle(x):
    return (x ** 2).sum() - 1

found = scipy.optimize.minimize(
    ft.value_and_grad(cost), np.full(3, 0.5), jac=True, method="SLSQP", tol=1e-12,
    constraints={"type": "eq", "fun": ft.jit(circle), "jac": ft.grad(circle)},
)
print(found.x.round(4), found.success)
