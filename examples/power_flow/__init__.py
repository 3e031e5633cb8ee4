"""AC power flow of the IEEE 118-bus and 300-bus grids by Newton's method.

The equations are plain NumPy (:mod:`.equations`); functrans compiles them and derives their sparse Jacobian.
Run it as ``python -m examples.power_flow``.
"""
