"""The thresholds of the schedule and of the code generator: a few facts of the machine, and what follows from them.

Each stands beside what fails without it. Only their order of magnitude matters. ``tests/architecture/thresholds.py``
says what counts as a threshold, and holds their number; what ``codegen/lanes`` compares with stands there.
"""

from __future__ import annotations

from functrans.ops.price import ADDITION

# The machine
LINE_BYTES = 64
"""Of a line of memory, and of the widest vector. Rows: all; with less, vectors are half as wide."""
NARROWEST_BYTES = 16
"""Of the narrowest vector that every machine has. Law: rests shorter than a vector are vectors too."""
L1_BYTES = 32 * 1024
"""Of the first cache: local arrays up to this are on the stack. Law: deep programs do not overflow it."""
L1_SHARE = L1_BYTES // 4
"""Of one array among several in it: packed copies, a lane's factor and sums. Rows: products in lanes."""
L2_BYTES = 512 * 1024
"""Of the second cache: matrices that are read where they are stored, packed copies. Rows: matrix products."""
L2_SHARE = L2_BYTES // 4
"""Of one array among several in it: tables of hoisted values, sums of a product. Rows: stage Jacobians, products."""
FAR_BYTES = 24 * 1024 * 1024
"""Of results that no cache keeps: they are written past it. Rows: elementwise, threads."""
LEVELS = ((L1_BYTES // 2, 3), (L2_BYTES, 5), (16 * 1024 * 1024, 8))
"""Picoseconds to load a byte in vector code, by the bytes of what is gone through. Law: bounded work; all fusion."""
STEP_BYTES = 1024
"""From one term of a product to the next, of a factor that is read where it is stored. Row: matmul, 1024 x 1024."""
NEAR_LINES = 16
"""Of memory that are surely in a cache when they are read again. Rows: columns, stencils."""

# Time
EXPENSIVE_ADDITIONS = 16
"""What an elementary function is worth at the least. Rows: chains of functions in one or two vectors a round."""
EXPENSIVE = EXPENSIVE_ADDITIONS * ADDITION
"""Picoseconds of a value from which on it matters in which loop it is computed. Law: computed once."""
STREAM_PICOSECONDS = 32
"""Of arithmetic for each byte written, beyond which a store need not be streamed. Rows: elementwise."""
THREAD_PICOSECONDS = 75_000_000
"""Of work from which on another thread is worth waking. Law: never slower on two threads."""
PORTION_PICOSECONDS = 5_000_000
"""Of work that a thread is given at a time, at the least. Rows: threads; smaller ones wait for one another."""
PORTION_TIMES = 16
"""As much as what is done again before each portion. Rows: threads, where tables are filled for each."""
TURN_PICOSECONDS = 10_000_000_000
"""Of work until a call looks whether it is to be left; in fact several times as many. Law: Ctrl-C ends a call."""

# Loops
FEW_ROUNDS = 4
"""Of a loop around long sums that is written out; of the least stretch of an axis. Rows: products of small matrices."""
SHORT_ROUNDS = 8
"""Of a loop that is written out, and columns of a narrow array. Rows: rows of 2 to 8 numbers, Runge-Kutta steps."""
VECTOR_ROUNDS = 16
"""From which on a loop is made for vectors, and up to which one over scalars is written out. Rows: rows from 16 on."""
SUM_ROUNDS = 32
"""From which on a reduction is split, part by part. Law: equal bits, whatever is fused; part of the meaning of sums."""
SUM_BLOCK = 4096
"""Elements that are summed at a time. Law: errors of long sums; part of the meaning of sums."""
PRODUCT_BLOCK = 256
"""Terms of a product that are summed at a time. Rows: products; part of the meaning of products."""
BLOCK_ROWS = 64
"""Of a product that are computed at a time. Rows: matrix products."""
SMALL_ARRAY = 64
"""Elements of an array that is kept in registers, or computed again beside its loop. Rows: loops."""

HALF = 2
"""Times the elements of a part that the whole has, from which on the part is the smaller one. Law: work is bounded."""

# The length of code
STRAIGHT_STATEMENTS = 64
"""That are written twice, or without a loop. Law: the time to compile is linear in the program."""
UNROLLED_STATEMENTS = 128
"""That all rounds of a loop may come to, where it is written out. Rows: elementwise, per-example gradients."""
LOOP_STATEMENTS = 256
"""Of one loop that others are fused with, or that takes values of around in. Law: the same."""
KERNEL_STATEMENTS = 1500
"""Of a kernel; one of more has its loops in functions of their own. Law: the same."""
EXPRESSION_CHARACTERS = 120
"""Of an expression that stands within another. Law: C that can be read."""
