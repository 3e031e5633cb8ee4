import jax
import jax.numpy as jnp
import numpy as np
import scipy.sparse

jax.config.update("jax_enable_x64", True)

def cost(z):
    return (z[1:] * z[:-1]).sum() + (z ** 4).sum()

def constraints(z):
    return jnp.sin(z[1:]) * z[:-1]

def lagrangian(z, multipliers):
    return cost(z) + multipliers @ constraints(z)

z, multipliers = jnp.linspace(0.5, 1.0, 5), jnp.ones(4)
dense = jax.jit(jax.hessian(lagrangian))(z, multipliers)               # every entry, zeros too
H = scipy.sparse.csc_array(np.tril(dense))
print(H.nnz, H.shape)
print(H.data.round(3))
