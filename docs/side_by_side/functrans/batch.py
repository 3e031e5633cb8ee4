import numpy as np
import functrans as ft

def step(state, steering, dt):               # a car: position, heading, speed
    x, y, heading, speed = state
    rates = np.stack([speed * np.cos(heading), speed * np.sin(heading), speed * np.tan(steering) / 2.5, 0 * speed])
    return state + dt * rates

cars = np.array([[0.0, 0.0, 0.1 * k, 10.0 + k] for k in range(3)])
steering = np.array([-0.1, 0.0, 0.1])
print(ft.vmap(step, in_axes=(0, 0, None))(cars, steering, 0.1).round(4))
