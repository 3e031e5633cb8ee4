"""A graph over several thread domains: which domain computes what, in which phase, and the threads that do it."""
