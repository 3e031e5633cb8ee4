import casadi as ca
import numpy as np

state, steering, dt = ca.SX.sym("state", 4), ca.SX.sym("steering"), ca.SX.sym("dt")
x, y, heading, speed = ca.vertsplit(state)   # a car: position, heading, speed
rates = ca.vertcat(speed * ca.cos(heading), speed * ca.sin(heading), speed * ca.tan(steering) / 2.5, 0)
step = ca.Function("step", [state, steering, dt], [state + dt * rates])

cars = np.array([[0.0, 0.0, 0.1 * k, 10.0 + k] for k in range(3)])
steering = np.array([-0.1, 0.0, 0.1])
batch = step.map("batch", "serial", 3, [2], [])         # argument 2 is common; a column for each car
print(np.array(batch(cars.T, steering, 0.1)).T.round(4))
