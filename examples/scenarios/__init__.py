"""Ten million load scenarios of a power grid, in chunks, over processes or machines; a killed run is taken up again.

Run it as ``python -m examples.scenarios out/scenarios.zarr``; the same command again does the chunks that are missing.
Needs ``pip install functrans[scenarios]``.
"""
