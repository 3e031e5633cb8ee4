import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

def energy(x):
    return jnp.log(1 + (x ** 2).sum()) + x[0] * x[1] * x[2]

print(np.asarray(jax.hessian(energy)(jnp.array([1.0, 2.0, 3.0]))).round(6))
