"""From a tree of loops to C: vectors, lanes, matrix products, and the texts of what no loop expresses."""
