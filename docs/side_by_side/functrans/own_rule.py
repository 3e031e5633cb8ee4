import numpy as np
import functrans as ft

@ft.custom_jvp
def softplus(x):
    return np.where(x > 30, x, np.log1p(np.exp(np.minimum(x, 30))))

@softplus.defjvp
def tangent(primals, tangents):
    (x,), (dx,) = primals, tangents
    return softplus(x), dx / (1 + np.exp(-x))

x = np.array([-30.0, 0.0, 2.0, 800.0])
print(ft.vmap(ft.grad(softplus))(x).round(6))
