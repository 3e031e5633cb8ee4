import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

def f(x):
    return jnp.sin(x[1:]) * x[:-1]

x, v, w = jnp.array([1.0, 2.0, 3.0]), jnp.array([1.0, 0.0, -1.0]), jnp.array([1.0, 10.0])
value, forward = jax.jvp(f, (x,), (v,))      # the Jacobian times v
value, pullback = jax.vjp(f, x)              # w times the Jacobian
print(np.asarray(forward).round(6), np.asarray(pullback(w)[0]).round(6))
