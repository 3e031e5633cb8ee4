import numpy as np
import functrans as ft

def flow(head):                              # over a weir: none below its crest
    return np.where(head > 0, 1.7 * np.sqrt(head) * head, 0.0)

heads = np.array([-1.0, 0.0, 1.0, 4.0])
print(ft.vmap(ft.grad(flow))(heads))
