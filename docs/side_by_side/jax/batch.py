import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

def step(state, steering, dt):               # a car: position, heading, speed
    x, y, heading, speed = state
    rates = jnp.stack([speed * jnp.cos(heading), speed * jnp.sin(heading), speed * jnp.tan(steering) / 2.5, 0 * speed])
    return state + dt * rates

cars = jnp.array([[0.0, 0.0, 0.1 * k, 10.0 + k] for k in range(3)])
steering = jnp.array([-0.1, 0.0, 0.1])
print(np.asarray(jax.jit(jax.vmap(step, in_axes=(0, 0, None)))(cars, steering, 0.1)).round(4))
