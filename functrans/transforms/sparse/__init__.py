"""Sparse derivatives: the pattern of the nonzeros, a coloring, compressed products, and the values back."""
