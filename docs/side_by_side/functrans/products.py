import numpy as np
import functrans as ft

def f(x):
    return np.sin(x[1:]) * x[:-1]

x, v, w = np.array([1.0, 2.0, 3.0]), np.array([1.0, 0.0, -1.0]), np.array([1.0, 10.0])
value, forward = ft.jvp(f, (x,), (v,))       # the Jacobian times v
value, pullback = ft.vjp(f, x)               # w times the Jacobian
print(forward.round(6), pullback(w)[0].round(6))
