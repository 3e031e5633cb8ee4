"""Sparse Jacobians without seeds: terms carried through the graph, each structural nonzero by its own expression."""
