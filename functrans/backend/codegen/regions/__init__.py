"""Loops and branches in C: their bodies as functions of arrays, and the loops over lanes and rounds around calls."""
