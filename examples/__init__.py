"""Worked examples; run one from the checkout as ``python -m examples.power_flow``."""
