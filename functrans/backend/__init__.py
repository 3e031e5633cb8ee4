"""The machine: scheduling, code generation, and running what comes of them."""
