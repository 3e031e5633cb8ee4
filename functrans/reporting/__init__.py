"""Seeing what was compiled: kernels, loops, times, and why; as text, and as one page of HTML."""
