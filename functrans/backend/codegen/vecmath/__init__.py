"""Elementary functions as C text: without a branch or a call, so that a loop over them becomes vector code.

A unit brings along those that it uses. See docs/decisions/0020-vector-mathematics.md.
"""
