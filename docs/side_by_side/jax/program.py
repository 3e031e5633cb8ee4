import jax
import jax.numpy as jnp
import scipy.optimize

jax.config.update("jax_enable_x64", True)

def cost(x):
    return ((x - 1) ** 2).sum() + (x[1:] * x[:-1]).sum()

def circle(x):
    return (x ** 2).sum() - 1

found = scipy.optimize.minimize(
    jax.jit(jax.value_and_grad(cost)), jnp.full(3, 0.5), jac=True, method="SLSQP", tol=1e-12,
    constraints={"type": "eq", "fun": jax.jit(circle), "jac": jax.jit(jax.grad(circle))},
)
print(found.x.round(4), found.success)
