import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

def rosenbrock(x):
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()

x = jnp.array([1.0, 2.0, 0.5, -1.0])
print(np.asarray(jax.grad(rosenbrock)(x)))
