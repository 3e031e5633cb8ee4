"""The thresholds of the schedule and of the code generator: a few facts of the machine, and what follows from them.

Each stands beside what changes with it: rows of the benchmark or bodies of its sweep whose C is another one at four
times the number or at a quarter of it, or a law of the tests. Only their order of magnitude matters.
``tests/architecture/thresholds.py`` says what counts as a threshold, and holds their number.
"""

from __future__ import annotations

from functrans.ops.price import ADDITION


def share(cache: int, arrays: int = 4) -> int:
    """The bytes of one array among several in a cache: a packed copy, a table, the sums of a product; what one of the
    lanes of a vector has.
    """
    return cache // arrays


# The machine
LINE_BYTES = 64
"""Of a line of memory, and of the widest vector. Rows: nearly all."""
NARROWEST_BYTES = 16
"""Of the narrowest vector that every machine has. Rows: matmul6, sorting, softmax of 40."""
L1_BYTES = 32 * 1024
"""Of the first cache, and of local arrays that lie on the stack. Rows: matmul1024, matvec and tanh of 40."""
L2_BYTES = 512 * 1024
"""Of the second cache: matrices that are read where they are stored, packed copies. Law: products, packed once."""
FAR_BYTES = 24 * 1024 * 1024
"""Of results that no cache keeps: they are written past it. Rows: layernorm, matmul6, count."""
LEVELS = ((L1_BYTES // 2, 3), (L2_BYTES, 5), (16 * 1024 * 1024, 8))
"""Picoseconds to load a byte in vector code, by the bytes of what is gone through. Law: of two ways the cheaper one."""
REGISTERS = 16
"""Vectors that are sorted in registers, and fields of records that are shuffled there. Rows: sorting, matvec of 33."""

# Time
EXPENSIVE_ADDITIONS = 16
"""What an elementary function is worth at the least, and a call. Rows: blackscholes, nested4, loop-kalman."""
STREAM_PICOSECONDS = 32
"""Of arithmetic for each byte written, beyond which a store need not be streamed. Rows: softmax, layernorm, norm."""
THREAD_PICOSECONDS = 75_000_000
"""Of work from which on another thread is worth waking. Rows: all on two threads."""
PORTION_TIMES = 15
"""As much as what is done again before each portion, and of what is worth a thread that part. Law: portions outweigh
what each repeats."""
TURN_PICOSECONDS = 10_000_000_000
"""Of work until a call looks whether it is to be left; in fact several times as many. Law: Ctrl-C ends a call."""
MOVED_VALUES = 2
"""Additions for each number that is moved by itself, from which on vectors pay. Rows: gaussian100, truss, atoms."""
PAIR_OPERATIONS = 8
"""The same of complex numbers, which lie as pairs. Law: complex numbers are pairs where that pays."""
REFILL_PICOSECONDS = 6_000
"""What a lane that takes the next instance costs beside its rounds. Rows: loop-escape, loop-newton-far."""

# Loops
INTERLEAVED = 4
"""Vectors, or rows of a product, that are computed side by side, so that none waits for itself. Rows: norm, loops."""
SIDES = ((INTERLEAVED, 24), (2, 64))
"""The same by the statements of a round at most: more do not fit in the registers. Rows: softmax, layernorm."""
IN_TURN = 8
"""Vectors that go through a piece of a long body one after the other. Rows: lorenz-10, odes."""
FEW_ROUNDS = 4
"""Of a loop around long sums that is written out; of the least stretch of an axis. Rows: mlp-hessians, roll."""
SHORT_ROUNDS = 8
"""Of a loop that is written out, rows of a tile of a product and columns of a narrow array among them; copies of one
text; lists by which a sum is read that is no vector. Rows: mlp-gradients, matmul6, pairwise, rubber."""
VECTOR_ROUNDS = 16
"""From which on a loop is made for vectors, and up to which one over scalars, or stretches of an axis, are written out.
Rows: logsumexp. Law: many seams are left."""
SUM_ROUNDS = 32
"""From which on a reduction is split, part by part. Rows: logsumexp; a part of the meaning of sums."""
SUM_BLOCK = 4096
"""Elements that are summed at a time. Law: errors of long sums; a part of their meaning."""
PRODUCT_BLOCK = 256
"""Terms of a product that are summed at a time. Rows: matmul1024; a part of the meaning of products."""
BLOCK_ROWS = share(L2_BYTES) // (8 * PRODUCT_BLOCK)
"""Of a product that are computed at a time: its sums, or the packed terms, fit. Rows: matmul1024, tanh of 40."""
LANE_ROUNDS = 40
"""Of an axis that lanes go through each by itself; along a longer one vectors, and LAPACK, are faster. Rows: solve16,
loop-recurrence."""
GAIN = 0.75
"""Lanes pay from there on: of two estimates, the greater is not sure to be the worse. Rows: nbody, sines of 33."""
SMALL_ARRAY = 64
"""Elements of an array that is kept in registers, or computed again beside its loop. Law: loops, in every order."""

# The length of code
STRAIGHT_STATEMENTS = 64
"""That are written twice, or without a loop. Law: the text of calls of functions is bounded."""
UNROLLED_STATEMENTS = 128
"""That all rounds of a loop may come to, where it is written out. Rows: matmul6, nested4, mlp-hessians."""
LOOP_STATEMENTS = 300
"""Of one loop that others are fused with, or that takes in values from around it; of a matrix that is written out; of
vectors whose rest is written, too. Rows: blackscholes, nbody-jvp, rubber."""
KERNEL_STATEMENTS = 1500
"""Of a kernel; one of more has its loops in functions of their own, one of twice as many no lanes. Law: the time to
compile is linear."""
EXPRESSION_CHARACTERS = 120
"""Of an expression that stands within another. Law: golden texts."""


def is_expensive(picoseconds: float) -> bool:
    """Whether it matters in which loop a value is computed that takes so long."""
    return picoseconds > EXPENSIVE_ADDITIONS * ADDITION
