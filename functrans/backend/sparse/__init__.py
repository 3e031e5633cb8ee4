"""Systems with sparse matrices of one pattern: orderings, patterns of factors, and the steps that compute them."""
