"""What the engine's laws are worth: each condition under which it moves, shares or skips work is broken once. By hand.

``python -m tests.legality [part of a name or path]`` tries them as `tests.mutants` tries those of maps; a mutant is one
that a program somewhere would be computed wrongly by.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tests import legality_values
from tests.legality_values import AREAS
from tests.mutants import Mutant, tried

MERGE, HOIST, TOGETHER = "backend/codegen/merge.py", "backend/schedule/hoist.py", "backend/schedule/together.py"
ACCESSES, MEMORY, ALLOCATION = (
    "backend/schedule/accesses.py",
    "backend/schedule/memory.py",
    "backend/codegen/allocation.py",
)
VECTORS, JAM, ALONG = (
    "backend/codegen/vectors/analysis.py",
    "backend/codegen/regions/jam.py",
    "backend/schedule/along.py",
)
UNIFORM, SETTLED = "backend/codegen/regions/uniform.py", "backend/codegen/regions/settled.py"
VARYING = "backend/codegen/varying.py"
IN_PLACE, GREEDY, RULES = (
    "backend/codegen/regions/in_place.py",
    "transforms/sparse/greedy.py",
    "transforms/sparse/rules.py",
)
JOINING = "transforms/sparse/direct/joining.py"

TESTS = [  # the quickest first
    "tests/backend/test_merge.py", "tests/backend/test_in_place.py", "tests/backend/test_allocation.py",
    "tests/backend/test_hoist.py", "tests/transforms/sparse/test_coloring.py",
    "tests/transforms/sparse/direct/test_joining.py",
    "tests/backend/test_together.py", "tests/transforms/sparse/test_every_op.py", "tests/backend/test_vectors.py",
    "tests/backend/test_regions.py", "tests/transforms/sparse/test_detection.py", "tests/backend/test_schedule.py",
    "tests/backend/test_compiled_law.py", "tests/laws/test_compiled_law.py", "tests/laws/test_loops.py",
    "tests/backend/test_round_by_round.py", "tests/backend/test_by_rounds.py", "tests/transforms/sparse/test_loops.py",
]  # fmt: skip
NEAREST = {
    MEMORY: ["tests/backend/test_allocation.py", "tests/backend/test_schedule.py", "tests/backend/test_compiled_law.py",
             "tests/laws/test_compiled_law.py"],
    ALLOCATION: ["tests/backend/test_allocation.py", "tests/laws/test_compiled_law.py"],
    "backend/schedule/hoist.py": ["tests/backend/test_hoist.py", "tests/laws/test_compiled_law.py"],
    "backend/schedule/accesses.py": ["tests/backend/test_schedule.py", "tests/backend/test_compiled_law.py",
                                     "tests/laws/test_compiled_law.py"],
    TOGETHER: ["tests/backend/test_together.py", "tests/backend/test_merge.py", "tests/laws/test_compiled_law.py"],
    MERGE: ["tests/backend/test_merge.py", "tests/backend/test_together.py", "tests/backend/test_compiled_law.py",
            "tests/laws/test_compiled_law.py", "tests/backend/test_by_columns.py"],
    "backend/codegen/regions": [
        "tests/backend/test_in_place.py", "tests/backend/test_settled.py", "tests/backend/test_regions.py",
        "tests/laws/test_loops.py", "tests/backend/test_refill.py", "tests/backend/test_round_by_round.py",
    ],
    VARYING: ["tests/backend/test_settled.py", "tests/backend/test_regions.py", "tests/laws/test_loops.py"],
    "backend/codegen/vectors": ["tests/backend/test_vectors.py", "tests/laws/test_compiled_law.py"],
    "backend/schedule/along.py": ["tests/backend/test_round_by_round.py", "tests/backend/test_by_rounds.py"],
    "transforms/sparse": [
        "tests/transforms/sparse/test_coloring.py", "tests/transforms/sparse/direct/test_joining.py",
        "tests/transforms/sparse/test_every_op.py", "tests/transforms/sparse/test_detection.py",
        "tests/transforms/sparse/test_loops.py", "tests/transforms/sparse/test_assembly.py",
    ],
}  # fmt: skip

MUTANTS = [
    # loop fusion
    Mutant(
        "fused over a store that is read",
        MERGE,
        "ours.isdisjoint(theirs | later.loads.keys())",
        "ours.isdisjoint(theirs)",
    ),
    Mutant("fused over a read of what is stored", MERGE, "or not theirs.isdisjoint(self.loads.keys())", ""),
    Mutant("fused over a changed accumulator", MERGE, "not self.changes.isdisjoint(later.uses) or", ""),
    Mutant("fused at several places", MERGE, "if len(places) > 1:", "if len(places) > 99:"),
    Mutant("fused where rounds share a place", MERGE, "if not terms.get(r) or any(", "if any("),
    Mutant("moved over a store", MERGE, " and self.stored.isdisjoint(self.loads)", ""),
    Mutant("a known value outlives a store", MERGE, "if place.src[0] is not array}", "}"),
    Mutant(
        "a read outlives a store",
        MERGE,
        "                self.had = set()\n        if item.op in",
        "                pass\n        if item.op in",
    ),
    Mutant("extents not compared", MERGE, "end is not second.range.src[0] or", ""),
    Mutant("an ordered loop fused", MERGE, "if AxisType.ORDERED in (", "if None in ("),
    Mutant("results that read one another in a loop", TOGETHER, "self._apart = above |", "self._apart = set() |"),
    Mutant("parts that overlap side by side", TOGETHER, "len({idx[axis] for idx, _ in reads}) == len(reads)", "True"),
    # values computed elsewhere
    Mutant(
        "a table without a loop that changes it",
        HOIST,
        "over = tuple(r for r in loops[depth:] if r in free)",
        "over = tuple(r for r in loops[depth + 1:] if r in free)",
    ),
    Mutant("computed before the loop that changes it", HOIST, "count = max((k + 1 for", "count = max((k for"),
    Mutant(
        "reads of several elements as one",
        ACCESSES,
        "found.setdefault((self.loops(access), access.element), access)",
        "found.setdefault(self.loops(access), access)",
    ),
    Mutant(
        "nested in loops in any order",
        ACCESSES,
        "if any(not (outer <= other or other <= outer) for other in chain):",
        "if False:",
    ),
    Mutant(
        "inside of a reduction it is not part of",
        ACCESSES,
        "if not self._same_host(r, store) or not around <= place:",
        "if False:",
    ),
    Mutant(
        "an ordered loop reordered",
        ACCESSES,
        "if not any(r.arg[1] is AxisType.ORDERED for r in closed):\n            closed = tuple",
        "if True:\n            closed = tuple",
    ),
    # memory
    Mutant("arrays share bytes a step early", MEMORY, "if spans[other][1] >= born)", "if spans[other][1] > born)"),
    Mutant("a buffer dies with its first reader", MEMORY, "dies[b] = k", "dies.setdefault(b, k)"),
    Mutant(
        "scratch at the bytes of buffers",
        MEMORY,
        "(top, top + scratch), top + scratch)",
        "(0, scratch), max(top, scratch))",
    ),
    Mutant(
        "a local array dies in a loop that reads it again",
        ALLOCATION,
        "last[u] if entered is None else ends[entered]",
        "last[u]",
    ),
    # vectors
    Mutant("rounds that read what others write", VECTORS, "any(places.values()) and self._meet(places)", "False"),
    Mutant(
        "rounds a few elements apart",
        VECTORS,
        "least = min(self.body.rounds, INTERLEAVED * LINE_BYTES // 4)",
        "least = 1",
    ),
    Mutant(
        "places along different axes",
        VECTORS,
        "        if len(set(bases)) > 1:\n            return True",
        "        if len(set(bases)) > 1:\n            return False",
    ),
    Mutant(
        "what is guarded is in lanes",
        VECTORS,
        "not self._is_side_by_side(u)} | self._guarded()",
        "not self._is_side_by_side(u)}",
    ),
    Mutant(
        "stores at any place in lanes",
        VECTORS,
        "return bool(self._moves(place) == 1 or",
        "return bool(self._moves(place) or",
    ),
    Mutant("a table that is written is gathered", VECTORS, "return None if stored or", "return None if"),
    Mutant("sums in order in lanes", VECTORS, 'return "its sums would be taken one by one"', "pass"),
    # loops of lanes
    Mutant(
        "a loop that lanes leave apart is uniform",
        UNIFORM,
        "all_of_them or c.start.array.varying or c.next.varying",
        "c.start.array.varying or c.next.varying",
    ),
    Mutant(
        "a branch that lanes choose is uniform",
        UNIFORM,
        "chosen or any(made[k].varying for made in item.made)",
        "any(made[k].varying for made in item.made)",
    ),
    Mutant(
        "stores at places of lanes are uniform",
        VARYING,
        "elif u.op is Ops.STORE and not found.isdisjoint((u, *conditions)):",
        "elif u.op is Ops.STORE and not found.isdisjoint((*u.src[1:], *conditions)):",
    ),
    Mutant(
        "sums under conditions of lanes are uniform",
        VARYING,
        "elif u.op is Ops.ASSIGN and not found.isdisjoint((u, *conditions)):",
        "elif u.op is Ops.ASSIGN and u in found:",
    ),
    Mutant(
        "in place though read afterwards",
        SETTLED,
        "in now and (done or u.src[0].src[1] is not store.src[0].src[1])",
        "in now and u.src[0].src[1] is not store.src[0].src[1]",
    ),
    Mutant(
        "in place though read elsewhere",
        SETTLED,
        "in now and (done or u.src[0].src[1] is not store.src[0].src[1])",
        "in now and done",
    ),
    Mutant(
        "in place though another reads the carry",
        SETTLED,
        "if _touches(x, c.now) or _touches(x, c.next):",
        "if False:",
    ),
    Mutant(
        "in place though not all is stored",
        SETTLED,
        "            if rounds != elements:\n                return False\n",
        "",
    ),
    Mutant(
        "updated in place though read as a whole",
        IN_PLACE,
        "if any(u in own and u is not node for u in toposort((output,))):",
        "if False:",
    ),
    Mutant("passed on though read beside the loop", IN_PLACE, "or readers.get(param) != [loop]", ""),
    Mutant("rows jammed that read what rows store", JAM, "or (u.op is Ops.LOAD and u.src[0].src[0] in stored)", ""),
    Mutant("rows jammed that carry", JAM, "if carried or is_bound(u)", "if is_bound(u)"),
    Mutant("a row too few", JAM, "if rest:\n            self._some", "if rest > 1:\n            self._some"),
    Mutant(
        "an element along two axes",
        ALONG,
        "if not same_axis(self.axes.setdefault(s, k), k):",
        "if self.axes.setdefault(s, k) == -1:",
    ),
    # sparse
    Mutant(
        "columns that meet in the last entry of a row",
        GREEDY,
        "first = first[first + lag <= last[first]]",
        "first = first[first + lag < last[first]]",
    ),
    Mutant(
        "a color past the first window",
        GREEDY,
        "colors[column] = base + free.bit_length() - 1",
        "colors[column] = free.bit_length() - 1",
    ),
    Mutant("known zeros cut the other side", RULES, "Ops.FDIV: {0: (1,)}", "Ops.FDIV: {0: (1,), 1: (0,)}"),
    Mutant("a power's exponent cut by its base", RULES, "Ops.POW: {1: (0, 1)}", "Ops.POW: {1: (0, 1), 0: (0, 1)}"),
    Mutant("arrays that read one another joined", JOINING, " + (u in arrays)", ""),
    Mutant("joined arrays not cleared", JOINING, "if all(x.full for x in group)", "if True"),
]


def tests_of(mutant: Mutant) -> Sequence[str]:
    """The tests of the code that a mutant is in."""
    return next((tests for path, tests in {**AREAS, **NEAREST}.items() if mutant.path.startswith(path)), TESTS)


if __name__ == "__main__":
    tried([*legality_values.MUTANTS, *MUTANTS], tests_of, sys.argv[1] if len(sys.argv) > 1 else "")
