"""From a graph of arrays to kernels; `passes` has the list of what is done, in order."""
