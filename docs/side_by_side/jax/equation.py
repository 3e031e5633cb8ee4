import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

def newton(f, x):                            # JAX has the derivative of a solution; the iteration is ours
    step = lambda x, _: (x - f(x) / jax.grad(f)(x), None)
    return jax.lax.scan(step, x, None, 8)[0]

def solve(mean, eccentricity):
    kepler = lambda anomaly: anomaly - eccentricity * jnp.sin(anomaly) - mean
    return jax.lax.custom_root(kepler, mean, newton, lambda g, y: y / g(1.0))

means = jnp.array([0.5, 1.0, 2.0])
print(np.asarray(jax.vmap(solve, in_axes=(0, None))(means, 0.3)).round(6))
print(np.asarray(jax.vmap(jax.grad(solve, argnums=1), in_axes=(0, None))(means, 0.3)).round(6))
