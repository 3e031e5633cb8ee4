import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

def flow(head):                              # over a weir: none below its crest
    above = jnp.where(head > 0, head, 1.0)   # without this the derivative below the crest is NaN
    return jnp.where(head > 0, 1.7 * jnp.sqrt(above) * above, 0.0)

heads = jnp.array([-1.0, 0.0, 1.0, 4.0])
print(np.asarray(jax.vmap(jax.grad(flow))(heads)))
