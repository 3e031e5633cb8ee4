import casadi as ca
import numpy as np

head = ca.SX.sym("head")                     # over a weir: none below its crest
above = ca.if_else(head > 0, head, 1.0)      # without this the derivative below the crest is NaN
flow = ca.if_else(head > 0, 1.7 * ca.sqrt(above) * above, 0.0)
slope = ca.Function("slope", [head], [ca.gradient(flow, head)])

print(np.array(slope(ca.DM([-1.0, 0.0, 1.0, 4.0]).T)).ravel())
