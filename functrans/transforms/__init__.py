"""Transforms of functions: maps, derivatives, sparse derivatives; each interprets or rewrites the graph."""
