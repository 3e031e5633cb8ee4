"""Innermost loops written with vectors of our own: which of them, and their C."""
