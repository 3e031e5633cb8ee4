"""What the tests of maps are worth: each rule is broken once, and some test must notice. Run by hand.

``python -m tests.mutants [part of a name or path]`` copies the project, changes one line at a time, runs the tests
below until one fails, and prints a table of what noticed. A mutant whose text is not found is an error: the code moved.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
LAWS = "tests/laws/test_vmap_law.py"
TESTS = [  # the quickest first
    "tests/ops/test_axes.py",
    f"{LAWS}::test_every_mix_of_ways_gives_the_same_bits", "tests/transforms/vmap/test_rewriting.py",
    "tests/golden", "tests/backend/test_outer.py", "tests/transforms/vmap/test_by_hand.py",
    "tests/transforms/vmap/test_cost.py", "tests/transforms/vmap/test_ways.py",
    "tests/transforms/test_seed_constructs.py", LAWS,
]  # fmt: skip
REWRITING, COLLAPSE, AXES = "transforms/vmap/rewriting.py", "ops/collapse.py", "ops/axes.py"
MOVEMENT, REDUCE, BRACKET, WINDOW = "ops/movement.py", "ops/reduce.py", "ops/vmap.py", "ops/window.py"
RULES, SLICES, OUTER = "backend/schedule/slice_rules.py", "backend/schedule/slices.py", "backend/schedule/outer.py"
RANGEIFY, KERNELS = "backend/schedule/rangeify.py", "backend/schedule/kernels.py"
METHODS, MAPPED = "transforms/vmap/methods.py", "transforms/vmap/mapped.py"
PATIENCE = 900  # seconds


_IN_A_HURRY = """
from hypothesis import Phase
settings.register_profile("first", phases=[Phase.explicit, Phase.generate])
settings.load_profile("first")

@pytest.fixture(scope="session")
def session_cache():
    path = TESTS.parent / "compiled"
    path.mkdir(mode=0o700, exist_ok=True)
    return path
"""  # the first failure will do, and what one mutant has compiled the next need not


class Mutant(NamedTuple):
    """One change of one file: the first place where ``old`` stands after ``after``."""

    name: str
    path: str
    old: str
    new: str
    after: str = ""


MUTANTS = [
    # the axes map of a record: axes put in front
    Mutant(
        "RESHAPE batched at the end",
        AXES,
        "(*map(fill, lead), *(node.arg[k] for k in kept))",
        "(*(node.arg[k] for k in kept), *map(fill, lead))",
    ),
    Mutant(
        "EXPAND without the lanes",
        MOVEMENT,
        "for_each_axis(lambda size: size)",
        "for_each_axis(lambda size: 1)",
        "Ops.EXPAND",
    ),
    Mutant(
        "PERMUTE not shifted",
        MOVEMENT,
        "(*range(len(lead)), *(rank[a] for a in axes))",
        "(*(rank[a] for a in axes), *range(len(lead)))",
    ),
    Mutant("FLIP not shifted", MOVEMENT, "for_each_axis(lambda size: False)", "for_each_axis(lambda size: True)"),
    Mutant("REDUCE_AXIS not shifted", REDUCE, "len(lead) + left.index(a)", "left.index(a)"),
    Mutant("CUMULATE not shifted", REDUCE, "len(lead) + kept.index(n.arg[1])", "kept.index(n.arg[1])"),
    Mutant("STACK and CAT not shifted", AXES, "len(lead) + kept.index(node.arg)", "kept.index(node.arg)"),
    Mutant(
        "PAD: the lanes padded", REWRITING, "(0, 0 if pads else n) for n in lead", "(0, 1 if pads else n) for n in lead"
    ),
    # the context of the rewriting
    Mutant(
        "nesting order swapped", REWRITING, "key=self.depth.__getitem__)", "key=self.depth.__getitem__, reverse=True)"
    ),
    Mutant("ranges in order of name", REWRITING, "key=self.depth.__getitem__)", "key=lambda r: str(r.arg[0]))"),
    Mutant(
        "a free range forgotten",
        REWRITING,
        "for r in item.ranges}.union(more)",
        "for r in item.ranges[:1]}.union(more)",
    ),
    Mutant(
        "gather without lanes", REWRITING, "(x.value, *_lanes(x.ranges, ranges, at[0].sized), *at)", "(x.value, *at)"
    ),
    Mutant(
        "gather: lanes reversed",
        REWRITING,
        "*_lanes(x.ranges, ranges, at[0].sized)",
        "*_lanes(x.ranges, ranges, at[0].sized)[::-1]",
    ),
    Mutant(
        "scatter without lanes",
        REWRITING,
        "(base, value, *_lanes(ranges, ranges, at[0].sized), *at)",
        "(base, value, *at)",
    ),
    Mutant(
        "scatter: lanes reversed",
        REWRITING,
        "*_lanes(ranges, ranges, at[0].sized), *at))",
        "*_lanes(ranges, ranges, at[0].sized)[::-1], *at))",
    ),
    Mutant(
        "opened axes left in place",
        REWRITING,
        "(*(axes[r] for r in ranges), *rest)",
        "tuple(sorted((*axes.values(), *rest)))",
    ),
    Mutant("closed axes left in front", REWRITING, "(*map(ranges.index, outer), *inner)", "tuple(range(value.ndim))"),
    Mutant(
        "a closed value not broadcast",
        REWRITING,
        "ctx.aligned([ctx.of(node.src[0])], *closing)\n    outer",
        "ctx.aligned([ctx.of(node.src[0])])\n    outer",
    ),
    Mutant(
        "REDUCE over the wrong axis",
        REWRITING,
        "tuple(ranges.index(r) for r in closing))\n    others",
        "tuple(range(len(closing))))\n    others",
    ),
    Mutant(
        "a window at one place for all lanes",
        REWRITING,
        "own_place = [k for k, start in at.items() if start.ranges]",
        "own_place = []",
    ),
    Mutant("lanes of contiguous not told apart", REWRITING, "lanes or None", "None"),
    Mutant(
        "a result without lanes not repeated",
        REWRITING,
        "[align(ctx.of(v), (r,)) for v in values]",
        "[ctx.of(v).value for v in values]",
    ),
    # brackets
    Mutant("VMAPOUT closes nothing", BRACKET, "closes=lambda n: ranges_of(n.src[1:]), ", ""),
    Mutant("REDUCE closes nothing", REDUCE, "closes=lambda n: n.src[1:], ", ""),
    Mutant("extents not compared", BRACKET, "extent(a) != n", "extent(a) < 0"),
    Mutant("an open RANGE opened again", BRACKET, "a in x.free_ranges", "a in ()"),
    Mutant("one RANGE twice", BRACKET, "len(set(ranges)) == len(ranges)", "ranges"),
    Mutant("any constant in a varg", BRACKET, "a is not _ZERO:", "a.op is not Ops.CONST:", "_wrong_varg"),
    # collapse
    Mutant("filled with +0", WINDOW, "UOp.const(x.dtype, B.neutral(x.dtype))", "UOp.const(x.dtype, 0)"),
    Mutant("any zero is exact", COLLAPSE, 'node.dtype.kind in "fc" and', "False and"),
    Mutant("collapsed to the wrong axis", COLLAPSE, "at.get(k, _ZERO)", "at.get(ndim - 1 - k, _ZERO)"),
    Mutant("collapsed though it walks a part", COLLAPSE, " and extent(r) == whole[k]", ""),
    Mutant("collapsed beside other widths", COLLAPSE, "at and fits and others", "at and fits"),
    Mutant("collapsed on the diagonal", COLLAPSE, " and len(set(at.values())) == len(at)", ""),
    Mutant(
        "collapsed for any reduction",
        COLLAPSE,
        'node.arg is not (Ops.OR if node.dtype.kind == "b" else Ops.ADD)',
        "False",
    ),
    Mutant("collapsed over another RANGE", COLLAPSE, "not set(at.values()) <= set(closed)", "False"),
    Mutant(
        "other RANGEs of a sum forgotten", COLLAPSE, "node.replace((placed, *others)) if others else placed", "placed"
    ),
    Mutant("nothing collapsed", COLLAPSE, '        (UPat(Ops.REDUCE, name="node"), _place),\n', ""),
    Mutant(
        "general sums over the last axes",
        COLLAPSE,
        "tuple(range(len(ranges)))",
        "tuple(range(every.ndim - len(ranges), every.ndim))",
    ),
    Mutant(
        "static widths with -0", WINDOW, "x = B.pad(x, tuple(still))", "x = x if starts else B.pad(x, tuple(still))"
    ),
    # slices towards the arguments
    Mutant("no slices moved", SLICES, "if not any(u.op is Ops.VMAPIN for u in order):", "if True:"),
    Mutant("readers need not agree", SLICES, "tuple(p if p is q else ZERO for", "tuple(p for"),
    Mutant("EXPAND: repeated axes sliced", RULES, " and source.sized[j] == node.sized[k]", ""),
    Mutant(
        "RESHAPE: every axis sliced as its own",
        MOVEMENT,
        "prod(shape[axis + 1 :]) == prod(node.arg[axis + 1 :])",
        "True",
    ),
    Mutant("RESHAPE: no axis sliced", MOVEMENT, "Axes(_kept_axis,", "Axes(lambda n, k: None,"),
    Mutant("PERMUTE: axes as they stand", MOVEMENT, "lambda n, axis: n.arg[axis]", "lambda n, axis: axis"),
    Mutant("PERMUTE: order kept of the whole", MOVEMENT, "enumerate(sorted(axes))", "enumerate(axes)"),
    Mutant("PAD: padded axes sliced", MOVEMENT, "k if n.arg[k] == (0, 0) else None", "k"),
    Mutant("SHRINK: cut axes sliced", MOVEMENT, "k if n.arg[k] == (0, n.src[0].sized[k]) else None", "k"),
    Mutant("FLIP: turned axes sliced", MOVEMENT, "None if n.arg[k] else k", "k"),
    Mutant("STACK: the new axis not moved", AXES, "kept.index(node.arg)", "node.arg"),
    Mutant("CAT: the joined axis sliced", REDUCE, "all_but(lambda n: n.arg)", "all_but(lambda n: -1)"),
    Mutant("REDUCE_AXIS: axes not moved", REDUCE, "len(lead) + left.index(a) for", "len(lead) + a for"),
    Mutant("CUMULATE: its axis sliced", REDUCE, "all_but(lambda n: n.arg[1])", "all_but(lambda n: -1)"),
    Mutant("ARGSORT: its axis sliced", "ops/order.py", "all_but(lambda n: n.ndim - 1)", "all_but(lambda n: -1)"),
    Mutant("gather: lanes of another extent", RULES, "and extent(varg[axis]) == node.src[0].sized[j]", ""),
    Mutant("gather: lanes not seen", RULES, "if varg[axis] is not ZERO and extent", "if False and extent"),
    Mutant(
        "gather: the wrong lane", RULES, "lanes.get(j, ZERO) for j in", "lanes.get(len(indices) - 1 - j, ZERO) for j in"
    ),
    Mutant("scatter: any axis sliced", RULES, "ZERO if k < indices and k not in lanes else a", "a"),
    Mutant("scatter: base and value of different lanes", RULES, "at[axis] = r\n", "at[0] = r\n"),
    Mutant("contiguous: everything sliced", RULES, "k < (node.arg or 0)),", "True),"),
    Mutant("a narrow index counts lanes", RULES, "node.arg - 1 > highest", "False"),
    Mutant(
        "a counted lane is the first",
        RULES,
        "UOp(Ops.CAST, node.dtype, (varg[0],))",
        "UOp(Ops.CAST, node.dtype, (ZERO,))",
    ),
    # OUTER
    Mutant("OUTER not closed in full", OUTER, "if not any(map(is_outer, order)):", "if True:"),
    Mutant(
        "OUTER: axes in another order than reads", OUTER, "(store.src[0], *ranges,", "(store.src[0], *ranges[::-1],"
    ),
    Mutant("OUTER loops not in front", OUTER, "sorted(ranges, key=lambda r: not is_outer(r))", "ranges"),
    Mutant(
        "OUTER: added loops forgotten",
        OUTER,
        "outer_first((*ranges, *store.src[first:]))",
        "outer_first(store.src[first:])",
    ),
    Mutant(
        "OUTER part of a joined buffer",
        RANGEIFY,
        "(whole or not any(map(is_outer, node.src[1:])))",
        "True",
    ),
    Mutant(
        "kernels of other launches joined",
        KERNELS,
        "[c for c in candidates if made[c].outer == outer]",
        "candidates",
    ),
    Mutant("batch axes inside", RANGEIFY, "(*around, *ranges_of(varg))", "(*ranges_of(varg), *around)"),
    Mutant("running loops unmarked", RANGEIFY, "AxisType.ORDERED if i == axis else AxisType.LOOP", "AxisType.LOOP"),
    Mutant("scatter loops unmarked", RANGEIFY, "UOp.range(n, None, AxisType.ORDERED) for n", "UOp.range(n) for n"),
    # the methods
    Mutant("rewrite: always LOOP", METHODS, "UOp.range(r.src[0], None, r.arg[1])", "UOp.range(r.src[0])"),
    Mutant(
        "rewrite: always axis 0",
        METHODS,
        "leave(enter(y, mark, 0), mark, axis) for",
        "leave(enter(y, mark, 0), mark, 0) for",
    ),
    Mutant("pad_reduce: bools added", METHODS, 'Ops.OR if y.dtype.kind == "b" else Ops.ADD', "Ops.ADD"),
    Mutant(
        "pad_reduce: the slice after",
        METHODS,
        "(r, r + 1) if k == axis",
        "(extent(r) - 1 - r, extent(r) - r) if k == axis",
    ),
    Mutant(
        "pad_reduce: placed from the end",
        METHODS,
        "(r, extent(r) - 1 - r) if k == axis",
        "(extent(r) - 1 - r, r) if k == axis",
    ),
    Mutant(
        "vmapin: the axis from the end",
        METHODS,
        "r if i == axis else const(0)",
        "r if i == ndim - 1 - axis else const(0)",
    ),
    Mutant("always LOOP", MAPPED, "options.axis_size), None, options.kind)", "options.axis_size))"),
]


def noticed(tree: Path, mutant: Mutant, tests: Sequence[str]) -> str | None:
    """The first test that fails on the mutant, or what ended the tests; None if it survives."""
    path = tree / "functrans" / mutant.path
    text = path.read_text()
    start = text.index(mutant.after)
    at = text.find(mutant.old, start)
    if at < 0:
        raise SystemExit(f"{mutant.name}: {mutant.path} has no {mutant.old!r}")
    path.write_text(text[:at] + mutant.new + text[at + len(mutant.old) :])
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--no-header", *tests]
    try:
        run = subprocess.run(command, cwd=tree, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return "no end"
    finally:
        path.write_text(text)
    found = re.search(r"^(?:FAILED|ERROR) (tests/.*?)(?: - .*)?$", run.stdout, re.MULTILINE)
    if found is None and run.returncode:
        last = [*run.stdout.splitlines(), *run.stderr.splitlines()][-1:]
        return f"tests ended by {run.returncode}: {''.join(last)[:100]}"
    return found.group(1) if found else None


def tried(mutants: Sequence[Mutant], tests: Callable[[Mutant], Sequence[str]], part: str) -> None:
    """Try all mutants with a name or path that has a part, and print a line each. What notices must pass without."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        tree.mkdir()
        for name in ("benchmarks", "examples", "functrans", "tests"):
            shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__", ".venv*"))
        shutil.copy(ROOT / "pyproject.toml", tree)
        with (tree / "tests/conftest.py").open("a") as conftest:
            conftest.write(_IN_A_HURRY)
        passed: set[str] = set()
        for mutant in mutants:
            if part not in mutant.name and part not in mutant.path:
                continue
            found = noticed(tree, mutant, tests(mutant))
            if found is not None and found.startswith("tests/") and found not in passed:
                if noticed(tree, mutant._replace(new=mutant.old), [found]) is not None:
                    raise SystemExit(f"without a mutant {found} fails already")
                passed.add(found)
            sys.stdout.write(f"| {mutant.name} | {mutant.path} | {found or '**survived**'} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    tried(MUTANTS, lambda mutant: TESTS, sys.argv[1] if len(sys.argv) > 1 else "")
