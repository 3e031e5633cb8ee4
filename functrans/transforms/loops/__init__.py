"""Loops and branches that stay so: what a user types, and their derivatives."""
