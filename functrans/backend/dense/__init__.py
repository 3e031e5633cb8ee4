"""Linear algebra of small matrices in kernels: ops of LAPACK expanded into ops on their elements."""
