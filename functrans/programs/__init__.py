"""Nonlinear programs: everything that a solver asks for, and solvers that are given it."""
