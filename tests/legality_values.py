"""Mutants of `tests.legality` in what computes: chains of products, powers, edges, elimination, tiles, pieces, threads,
systems, parcels.
"""

from __future__ import annotations

from tests.mutants import Mutant

DIRECT = "transforms/sparse/direct/"
CHAINS, POWERS, SUMS, SYMMETRY = DIRECT + "chains.py", DIRECT + "powers.py", DIRECT + "sums.py", DIRECT + "symmetry.py"
MIRRORED, PARCEL, THREADS = "transforms/mirrored.py", "ops/parcel.py", "backend/runtime/threads.c"
ELIMINATIONS, TILES, OUTLINE = (
    "backend/codegen/eliminations.py",
    "backend/codegen/micro.py",
    "backend/codegen/outline.py",
)
SETTLED, BUDGET = "backend/codegen/regions/settled.py", "backend/schedule/budget.py"
STRAIGHT, FACTOR, LANES = "backend/sparse/straight.py", "backend/sparse/factor.c", "backend/sparse/lanes.c"

ASSEMBLIES = "tests/transforms/sparse/test_assembly.py"
AREAS = {  # by the beginning of a mutant's path; the quickest tests first
    CHAINS: ["tests/transforms/sparse/direct/test_chains.py"],
    POWERS: ["tests/transforms/sparse/direct/test_powers.py"],
    DIRECT: [ASSEMBLIES],
    MIRRORED: ["tests/transforms/test_mirrored.py"],
    PARCEL: ["tests/transforms/test_pickles.py"],
    THREADS: ["tests/backend/runtime/test_threads.py", "tests/backend/test_interrupt.py",
              "tests/backend/test_streams.py"],
    ELIMINATIONS: ["tests/backend/test_dense.py", "tests/numpy/test_linalg.py", "tests/backend/test_shared_factors.py"],
    TILES: ["tests/backend/test_compiler_law.py", "tests/backend/test_contractions.py",
            "tests/backend/test_products.py"],
    OUTLINE: ["tests/backend/test_outline.py"],
    SETTLED: ["tests/backend/test_settled.py", "tests/backend/test_regions.py", "tests/laws/test_loops.py",
              "tests/backend/test_in_place.py", "tests/backend/test_refill.py"],
    BUDGET: ["tests/laws/test_bounded_work.py"],
    "backend/sparse": ["tests/tensor/test_sparse_systems.py", "tests/tensor/test_sparse_bodies.py"],
}  # fmt: skip

MUTANTS = [
    # chains of products
    Mutant(
        "a label that nobody has",
        CHAINS,
        "if all(k in told or self._size[k] == 1 for k in labels) else None",
        "if told else None",
    ),
    Mutant("a part of an array for all", CHAINS, " if known == source.size else None", ""),
    Mutant("summed though both have it", CHAINS, "- set(outer.left) - set(source.labels)", "- set(outer.left)"),
    Mutant("differences as sums", CHAINS, "B.sub(*parts) if u.op is Ops.SUB else ", ""),
    Mutant("negatives left out", CHAINS, "B.neg(*parts) if u.op is Ops.NEG", "parts[0] if u.op is Ops.NEG"),
    Mutant(
        "one of two products for both",
        CHAINS,
        "only = shorter.get(node.src[0], found.get(node.src[0]))",
        "only = next(iter(found.values()), None)",
    ),
    Mutant(
        "a product for its negative",
        CHAINS,
        "only = shorter.get(node.src[0], found.get(node.src[0]))",
        "only = next(iter(found.values())) if len(found) == 1 else None",
    ),
    # powers
    Mutant("odd powers of sizes", POWERS, "x if p == int(p) else B.alu(Ops.ABS, x)", "B.alu(Ops.ABS, x)"),
    Mutant("broken powers of signs", POWERS, "x if p == int(p) else B.alu(Ops.ABS, x)", "x"),
    Mutant("a root by its power at zero", POWERS, "if p <= 0:", "if p <= 1:"),
    Mutant("divided at infinity", POWERS, "B.lt(x, B.like(x, np.inf))", "B.lt(x, B.like(x, np.nan))"),
    Mutant("divided at zero", POWERS, "B.lt(B.like(x, 0), x)", "B.lt(B.like(x, -1), x)"),
    Mutant("the root of -0", POWERS, "B.add(B.alu(Ops.SQRT, x), B.like(x, 0))", "B.alu(Ops.SQRT, x)"),
    Mutant("a known power computed again", POWERS, "elif larger not in stored:", "else:"),
    # edges
    Mutant("sines without their sign", MIRRORED, "np.where(i <= j, 1, -1)", "np.where(i <= j, 1, 1)"),
    Mutant("cosines with a sign", MIRRORED, "if u.op in ODD:", "if True:"),
    Mutant("a zero with a sign", MIRRORED, "B.add(B.mul(self.sign, each), B.like(each, 0))", "B.mul(self.sign, each)"),
    Mutant("pairs by the sum of their ends", MIRRORED, "low * source.size + high", "low + high"),
    Mutant("ends of two arrays", MIRRORED, "or len(sources) != 1 or", "or"),
    # elimination
    Mutant("a row kept where it is exchanged", ELIMINATIONS, "= SEL(m, o{k}, z[{k}]) - g", "= z[{k}] - g"),
    Mutant("the pivot's row kept", ELIMINATIONS, '{" ".join(f"top[c + {k}] = t{k};" for k in ks)}', ""),
    Mutant("two columns twice", ELIMINATIONS, "'    c += 2;' + chr(10) if k == 2 else ''", "''"),
    Mutant("several rows exchanged", ELIMINATIONS, "found[i] = more & NOT(later);", "found[i] = more;"),
    Mutant(
        "the first larger pivot",
        ELIMINATIONS,
        "for (long long i = below - 1; i >= 0; i--) {\n      const M more",
        "for (long long i = 0; i < below; i++) {\n      const M more",
    ),
    Mutant("exchanges without a sign", ELIMINATIONS, "turned = SEL(m, -turned, turned);", ""),
    Mutant("factors not exchanged", ELIMINATIONS, "*z = SEL(m, old, x);", "*z = x;"),
    Mutant(
        "rows of L not exchanged",
        ELIMINATIONS,
        "matrix_exchange_X(found[which[e]], top, top + (which[e] + 1) * n, k);",
        "",
    ),
    Mutant("rows not numbered anew", ELIMINATIONS, "matrix_exchange_X(found[which[e]], rows + k, rows + k + 1 +", "//"),
    Mutant("singular unseen", ELIMINATIONS, "refused |= EQ(pivot, SAME(0));", ""),
    Mutant("small pivots not scaled", ELIMINATIONS, "SAME(0x1p100), SAME(1));", "SAME(1), SAME(1));"),
    Mutant("a determinant out of range", ELIMINATIONS, "far += SEL(large, SAME(1),", "far += SEL(large, SAME(0),"),
    Mutant("an unknown without its scale", ELIMINATIONS, "* scales[j] * inverses[j];", "* inverses[j];", "SOLVE"),
    Mutant("columns of an adjugate as they stand", ELIMINATIONS, "a[(long long)columns[i]LANE * n", "a[i * n"),
    Mutant("a column exchanged without a sign", ELIMINATIONS, "sign = SEL(right, -sign, sign);", ""),
    Mutant("an adjugate by a pivot it has not", ELIMINATIONS, "row[c] *= last;", "row[c] *= SAME(1);"),
    # tiles of products
    Mutant("multiply-adds not fused", TILES, "{fma}(x, y[j], s[i][j])", "x * y[j] + s[i][j]"),
    Mutant("a tile not added", TILES, 'if found[1] else "s[i][j]"', "if False else 's[i][j]'"),
    Mutant("the first rows alone", TILES, "a + (i0 + i < rows ? i0 + i : rows - 1)", "a + (i < rows ? i : rows - 1)"),
    # pieces of long kernels
    Mutant("a piece changes sums outside", OUTLINE, "(u.op is Ops.ASSIGN and u.src[0] not in own) or", ""),
    Mutant("a loop of threads is a piece", OUTLINE, "or uops[at] is split", ""),
    Mutant("numbers of other pieces", OUTLINE, 'return u.op is Ops.CONST and u.dtype.kind == "f"', "return False"),
    Mutant(
        "a piece is the first of its length", OUTLINE, "self.names.setdefault(text,", "self.names.setdefault(text[:99],"
    ),
    # carries in place
    Mutant("joined though it starts elsewhere", SETTLED, " or d.start != Part(c.now)", ""),
    Mutant("joined though it is read later", SETTLED, " or any(_touches(y, c.now) for y in others)", ""),
    Mutant(
        "joined though two start there",
        SETTLED,
        "if any(e.start.array is c.now for e in inner.carries if e is not d):",
        "if False:",
    ),
    Mutant("joined though it was there", SETTLED, "any(_touches(y, c.next) for y in earlier) or", ""),
    Mutant("lanes that have ended go on", SETTLED, "c.now.settled = item.test is not None", "c.now.settled = False"),
    Mutant("read after it is stored", SETTLED, "(stored and now) or (new and not stored)", "new and not stored"),
    Mutant("stored twice", SETTLED, "if stored or len(stores) > 1 or not", "if stored or not"),
    Mutant("stored under a condition", SETTLED, "r.op is Ops.IF or r.src[0]", "r.op is not Ops.IF and r.src[0]"),
    # threads
    Mutant(
        "what was left is dropped",
        THREADS,
        "if (goes_on) goes_on = j->run(j->buffers, j->sizes, -1, -1, place);",
        "if (goes_on) goes_on = 0;",
    ),
    Mutant("one place gone on with twice", THREADS, "j->left[place / 64] &= ~(1ULL << place % 64);", ""),
    Mutant("the memory of what was left is free", THREADS, "j.taken[k] = j.left[k];", "j.taken[k] = 0;"),
    Mutant("left and forgotten", THREADS, "(is_left ? j->left : j->taken)[place / 64]", "j->taken[place / 64]"),
    Mutant(
        "done when all is handed out",
        THREADS,
        "if (j.next >= n && !count(j.left, &first)) return 0;",
        "if (j.next >= n) return 0;",
    ),
    Mutant("the first portion twice", THREADS, "j.next = begun;", "j.next = 0;"),
    Mutant("more steps than there are", THREADS, "if (*to > j->n) *to = j->n;", ""),
    Mutant("results past their end", THREADS, "(stop < row[2] ? stop : row[2]) - start", "stop - start"),
    Mutant(
        "a step is skipped",
        THREADS,
        "for (long long i = from; i < to; i += tile)",
        "for (long long i = from; i + 1 < to; i += tile)",
    ),
    # sums of elements
    Mutant("elements equal by their last list", SUMS, "number = number * width + at", "number = at.astype(np.int64)"),
    Mutant(
        "the second addend twice",
        SUMS,
        "at[begin[g] + p] for p in range(count[g[0]])",
        "at[begin[g] + min(p, 1)] for p in range(count[g[0]])",
    ),
    Mutant(
        "sums of the first in the place of all", SUMS, "number = number[first]", "number = number[np.minimum(first, 0)]"
    ),
    # sparse systems
    Mutant("two rows: the second keeps its own", FACTOR, "LESS(l, z, w[2 * p + 1])", "w[2 * p + 1]"),
    Mutant("two rows: L of U though not symmetric", FACTOR, "(s->symmetric ? right : w[2 * own + 1])", "right"),
    Mutant("two rows: of one right-hand side", FACTOR, "V u = b[s->row_order[i + 1]];", "V u = b[s->row_order[i]];"),
    Mutant("one row: not all is zero before", FACTOR, "for (int p = 0; p < size; p++) w[p] = SAME(0);", ""),
    Mutant("two rows: not all is zero before", FACTOR, "for (int p = 0; p < 2 * size; p++) w[p] = SAME(0);", ""),
    Mutant("the order of columns forgotten", FACTOR, "x[s->col_order[i]] = y[i]", "x[i] = y[i]"),
    Mutant(
        "written out: symmetric from the diagonal on",
        STRAIGHT,
        "above[p] if s.symmetric else diagonal[k] + 1",
        "diagonal[k] + 1",
    ),
    Mutant("written out: a pivot is not inverted", STRAIGHT, "'SAME(1) / ' * (p == diagonal[i])", "''"),
    Mutant("a line before the first lane", LANES, "(k < lanes ? k : lanes - 1) * step", "0 * step"),
    Mutant("failures of the first lane", LANES, "BIT(bad, k)", "BIT(bad, 0)"),
    Mutant("other columns of the first", LANES, "if (c > 0) sparse_load_Y", "if (c > 1) sparse_load_Y"),
    Mutant("one matrix for all", LANES, "own = first == 0 || j->next_a != 0,", "own = first == 0,"),
    # bounded work
    Mutant("nothing is paid", BUDGET, "if any(n < min(self.left[k], 0.0) for k, n in left.items()):", "if False:"),
    Mutant("paid for every read", BUDGET, "unpaid -= first", "pass"),
    Mutant("not spent", BUDGET, "self.left.update(left)", "pass"),
    # parcels
    Mutant("numbers of the other process", PARCEL, "known.setdefault((kind, old), fresh())", "old"),
    Mutant("a number for every read", PARCEL, "known.setdefault((kind, old), fresh())", "fresh()"),
    Mutant("stored arrays by their number", PARCEL, "if op is Ops.UNIQUE:", "if False:"),
]
