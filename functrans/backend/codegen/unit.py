"""One translation unit: the kernels, and the entry point that calls them in order."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import NamedTuple

from functrans.backend.codegen.lowered import LoweredKernel
from functrans.backend.codegen.outline import Outline
from functrans.backend.codegen.prelude import prelude
from functrans.backend.codegen.regions.lowered import OWN, LoweredRegion, without_twins
from functrans.backend.codegen.render_c import lines_of, render_c
from functrans.backend.codegen.rounds import Known, Rounds, known
from functrans.backend.codegen.spelling import custom_function, custom_name, literal, spell
from functrans.backend.codegen.split import Split
from functrans.backend.codegen.streams import Streams
from functrans.backend.codegen.strips import Strips
from functrans.backend.codegen.turns import Shares
from functrans.backend.policy import FAR_BYTES, L2_BYTES
from functrans.backend.runtime.protocol import PROTOCOL
from functrans.backend.schedule.memory import aligned
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, toposort


def unit(
    kernels: list[LoweredKernel], position: dict[UOp, int], scratch: int, extents: dict[UOp, int],
    splits: dict[LoweredKernel, Split], streamed: dict[LoweredKernel, Streams], together: Sequence[Strips] = (),
    fixed: Container[UOp] = (), clock: int | None = None,
) -> str:  # fmt: skip
    """The C text. ``position`` says where in ``buffers`` each array lies, ``extents`` where in ``sizes`` each RANGE's
    number of values, and each variable; ``scratch`` is the position of the arena's free part. All else that a call is
    given is in ``call.h``. The results of kernels that are ``streamed`` are written past the caches, where they are
    far. Kernels that go ``together`` do so where what lies between them is larger than the second cache. Extents that
    are ``fixed`` are the same wherever this text is used. With a ``clock``, by its number in the operating system, the
    time before each kernel is noted, and each goes alone.
    """
    calls: list[list[str]] = []  # of each kernel
    parts = []
    bounds = known(kernels, splits, streamed, _members(kernels, together), fixed)
    functions, called = _functions(kernels, splits, bounds, Outline())
    threads, pool, shares = "call->threads", "call->pool", Shares()
    for k in kernels:
        name = called[k]
        args = _arguments(k, position, scratch, extents)
        if isinstance(k, LoweredRegion):
            calls.append(_region(k, len(calls), args, threads, pool))
            parts.append(_part(k, name, args, len(k.buffers)))
            continue
        found = splits.get(k)
        if found is not None:
            count = f"sizes[{extents[found.range]}]"
            steps = _expression(found.loop.src[0], {found.argument: count})
            parts.append(_part(k, name, args, len(k.buffers)))
            number, far = len(calls), _far(streamed[k], position, count, scratch) if k in streamed else []
            call = shares.call(number, f"{k.name}_part", found, steps, "far ? rows : 0" if far else "0")
            calls.append([f"  case {number}: {{", *far, f"    {call}", "  }"] if far else [f"  case {number}: {call}"])
            continue
        calls.append([_call(k, name, args, extents)])
    own = _custom(kernels)
    for group in together if clock is None else ():
        name = f"{kernels[group.numbers[0]].name}_strips"
        members = [(f"{kernels[n].name}_part", f"sizes[{extents[splits[kernels[n]].range]}]") for n in group.numbers]
        parts.append(_strips(group, name, members, position, scratch))
        _call_strips(calls, group, shares.call(group.numbers[0], name, group, members[-1][1]), members[-1][1])
    if clock is not None:
        calls = _marked(calls)
        functions.append(_CLOCK.replace("CLOCK", str(clock)))
    body = "\n\n".join([*own.values(), *functions])
    inside = "\n".join(line for call in calls for line in call)
    if parts:
        inside = f"  switch (call->at[0]) {{ default:;\n{inside}\n  }}"
    head = "int ft_entry(void **buffers, const long long *sizes, ft_call *call) {"
    entry = f"{head}\n{inside}\n{_CLEARED}\n  return 0;\n}}"
    head = prelude(body + inside)
    return "\n\n".join(part for part in (head, body, *parts, PROTOCOL, shares.text(), entry) if part) + "\n"


class Parts(NamedTuple):
    """A unit in parts: C of the users', the kernels, and the lines that call them."""

    custom: dict[str, str]
    functions: list[str]
    calls: list[str]


def parts_of(kernels: list[LoweredKernel], position: dict[UOp, int], scratch: int, extents: dict[UOp, int]) -> Parts:
    """What nobody hosts: every kernel on one thread, to its end. Arguments are as those of `unit`."""
    bounds = known(kernels, {}, (), (), {r for k in kernels for r in k.extents})
    functions, called = _functions(kernels, {}, bounds, Outline())
    calls = []
    for k in kernels:
        args, sizes = _arguments(k, position, scratch, extents), [f"sizes[{extents[r]}]" for r in k.extents]
        if isinstance(k, LoweredRegion):
            calls.append(f"  {called[k]}({', '.join([*args, '0', k.steps(sizes), '0'])});")
        else:
            calls.append(_call(k, called[k], args, extents))
    return Parts(_custom(kernels), functions, calls)


def _arguments(k: LoweredKernel, position: dict[UOp, int], scratch: int, extents: dict[UOp, int]) -> list[str]:
    """What a kernel is called with: its buffers, scratch memory, extents and variables."""
    sizes = {r: f"sizes[{extents[r]}]" for r in k.extents}
    arrays = k.given({b: f"buffers[{position[b]}]" for b in k.buffers}, sizes)
    return [*arrays, f"(char *)buffers[{scratch}]", *sizes.values()]


def _call(k: LoweredKernel, name: str, args: list[str], extents: dict[UOp, int]) -> str:
    """The call of a kernel, once for each element of its OUTER ranges."""
    loops = [f"for (long long i{n} = 0; i{n} < sizes[{extents[r]}]; i{n}++) " for n, r in enumerate(k.outer)]
    return f"  {''.join(loops)}{name}({', '.join([*args, *(f'i{n}' for n in range(len(loops)))])});"


def _custom(kernels: list[LoweredKernel]) -> dict[str, str]:
    return {custom_name(u): custom_function(u) for k in kernels for u in k.uops if u.op is Ops.CUSTOM}


_CLOCK = """struct ft_time { long seconds, nanoseconds; };
int clock_gettime(int, struct ft_time *);

static void ft_mark(long long *marks, int k) {
  struct ft_time now;
  clock_gettime(CLOCK, &now);
  marks[k] = now.seconds * 1000000000LL + now.nanoseconds;
}"""


def _marked(calls: list[list[str]]) -> list[list[str]]:
    """The calls of each kernel with the time noted before them, and once in the end."""
    noted = [f"  ft_mark(call->marks, {k});" for k in range(len(calls) + 1)]
    return [*([note, *call] for note, call in zip(noted, calls, strict=False)), noted[-1:]]


def statement_lines(
    kernels: list[LoweredKernel], splits: dict[LoweredKernel, Split], streamed: dict[LoweredKernel, Streams],
    together: Sequence[Strips], fixed: Container[UOp], c_text: str,
) -> dict[str, list[tuple[UOp, int, int]]]:  # fmt: skip
    """For each kernel its statements and the lines of the unit, counted from 0, that each became."""
    outline = Outline()
    bounds = known(kernels, splits, streamed, _members(kernels, together), fixed)
    _, called = _functions(kernels, splits, bounds, outline)
    start: dict[str, int] = {}
    for n, line in enumerate(c_text.split("\n")):
        if line.startswith("static ") and line.endswith("{"):
            start.setdefault(line.partition(" void ")[2].partition("(")[0], n)
    found: dict[str, list[tuple[UOp, int, int]]] = {}
    for k in kernels:
        if isinstance(k, LoweredRegion):
            found[k.name] = []
            continue
        made = lines_of(k.uops, *_loop(k, splits, bounds), outline)
        lines = ((u, start[piece or called[k]], a, b) for u, piece, a, b in made)
        found[k.name] = [(u, at + a, at + b) for u, at, a, b in lines]
    return found


def _functions(
    kernels: list[LoweredKernel], splits: Mapping[LoweredKernel, Split], bounds: Known, outline: Outline
) -> tuple[list[str], dict[LoweredKernel, str]]:
    """The C functions, and which one each kernel is: steps that are written out one after the other are often the same
    but for the arrays that they are given.
    """
    texts: dict[str, str] = {}
    called: dict[LoweredKernel, str] = {}
    regions: list[str] = []
    for k in kernels:
        if isinstance(k, LoweredRegion):
            regions += k.functions
            called[k] = k.name
            continue
        if k.twin is not None:
            called[k] = called[k.twin]
            continue
        body = render_c(k.uops, *_loop(k, splits, bounds), outline).partition("(")[2]
        called[k] = texts.setdefault(body, k.name)
    # apart, since a loop has fewer registers where it stands in the middle of the entry
    own = [f"static __attribute__((noinline)) void {name}({body}" for body, name in texts.items()]
    return [*outline.functions(), *own, *without_twins(regions)], called


def _members(kernels: Sequence[LoweredKernel], together: Sequence[Strips]) -> list[list[LoweredKernel]]:
    return [[kernels[n] for n in group.numbers] for group in together]


def _loop(k: LoweredKernel, splits: Mapping[LoweredKernel, Split], bounds: Known) -> tuple[UOp | None, Rounds]:
    """The loop of a kernel that is gone through in portions, and how many rounds its loops have."""
    split = splits.get(k)
    return None if split is None else split.loop, Rounds(bounds.get(k.twin or k, ()), split)


# code of other people's that knows no AVX is up to ten times slower after code that leaves the upper halves of its
# registers set; compilers see to that with optimizations that we do without
_CLEARED = """#ifdef __AVX__
  __builtin_ia32_vzeroupper();
#endif"""


def _far(s: Streams, position: dict[UOp, int], count: str, scratch: int) -> list[str]:
    """C that tells whether the results of a call are far, and how they lie: what threads.c calls rows."""
    rows = [f"{position[b]}, {step}, {count} * {row}" for b, step, row in s.results]
    return [
        f"  const long long rows[] = {{{scratch + 1}, {s.steps}, {len(rows)}, {', '.join(rows)}}};",
        f"  const int far = call->pool && {count} * {s.row} > {FAR_BYTES};",
    ]


def _region(k: LoweredRegion, number: int, args: list[str], threads: str, pool: str) -> list[str]:
    """The call of a loop or branch, its lanes shared where they are worth it."""
    sizes = args[len(args) - len(k.extents) :]
    steps = k.steps(sizes)
    done = f"{{ call->at[0] = {number}; return FT_AGAIN; }}"
    own = f"if ({k.name}({', '.join([*args, '0', 'steps', 'call->at + 1'])})) {done}"
    head = [f"  case {number}: {{", f"    const long long steps = {steps};"]
    if not k.lanes:
        return [*head, f"    {own}", "  }"]
    worth = f"steps, {k.grain(sizes)}, least, {threads}"
    some = f"{pool}({k.name}_part, buffers, sizes, {worth}, call->at + 1, 0)"
    return [
        *head, f"    const long long least = {k.least(sizes)};",
        f"    if ({threads} > 1 && steps > {k.grain(sizes) if k.is_timed else 'least'}) {{",
        f"      if ({some}) {done}",
        f"    }} else {own}", "  }",
    ]  # fmt: skip


def _strips(
    s: Strips, name: str, members: list[tuple[str, str]], position: dict[UOp, int], scratch: int
) -> str:  # fmt: skip
    """Kernels that go together, from the last strip of a portion to the first. What is near lies where the portion
    begins, but at the ends of the array, where others may read it.
    """
    count, rest = members[-1][1], f"end - from > {2 * s.steps} ? end - {s.steps} : from"
    moved = [f"    own[{position[b]}] = (char *)buffers[{position[b]}] - near * {size};" for b, size in s.near]
    near = f"!start || end > {count} - {s.steps} ? 0 : start - from - {s.before}"
    calls = []
    for (part, n), (low, high) in zip(members, s.sides, strict=True):
        begin = f"start ? start - {-low} : 0" if low else "start"
        stop = f"end < {count} && end + {high} < {n} ? end + {high} : {n}"
        stop = stop if n != count or high else "end"
        calls.append(f"    {part}(own, sizes, {begin}, {stop}, place);")
    return "\n".join([
        f"static int {name}(void **buffers, const long long *sizes, long long from, long long to, long long place) {{",
        f"  void *own[{scratch + 1}];",
        f"  for (int k = 0; k < {scratch + 1}; k++) own[k] = buffers[k];",
        "  for (long long end = to, start; end > from; end = start) {",
        f"    start = {rest};",
        *([f"    const long long near = {near};", *moved] if moved else ()),
        *calls,
        "  }",
        "  return 0;",
        "}",
    ])  # fmt: skip


def _call_strips(calls: list[list[str]], s: Strips, call: str, count: str) -> None:
    """Put the call of kernels that go together before those of each alone."""
    number, behind = s.numbers[0], f"behind_{s.numbers[-1]}"
    case = f"  case {number}: "
    alone = calls[number]
    calls[number] = [
        f"{case}if ({count} * {s.bytes} > {L2_BYTES}) {{",
        f"    {call}",
        f"    goto {behind};",
        "  }",
        alone[0].replace(case, "  ", 1),
        *alone[1:],
    ]
    calls[s.numbers[-1]].append(f"  {behind}:;")


def _part(k: LoweredKernel, name: str, args: list[str], scratch: int) -> str:
    """The kernel as the threads run it: some steps of its loop, in the scratch memory of a place. A loop or branch that
    has run a while returns 1; it goes on with the same steps where ``from`` is -1.
    """
    own = list(args)
    if k.scratch:
        sizes = args[len(args) - len(k.extents) :]
        stride = k.stride_of(sizes) if isinstance(k, LoweredRegion) else aligned(k.scratch)
        own[scratch] += f" + place * {stride}"
    if isinstance(k, LoweredRegion):
        body = [
            f"  long long *const own = (long long *)({own[scratch]}) + {OWN};",
            "  if (from >= 0) { own[0] = from; own[1] = to; own[2] = 0; }",
            f"  return {name}({', '.join([*own, 'own[0]', 'own[1]', 'own + 2'])});",
        ]  # fmt: skip
    else:
        body = [f"  {name}({', '.join([*own, 'from', 'to'])});", "  return 0;"]
    parameters = "void **buffers, const long long *sizes, long long from, long long to, long long place"
    return "\n".join([f"static int {k.name}_part({parameters}) {{", *body, "}"])


def _expression(node: UOp, names: dict[UOp, str]) -> str:
    """The C of an index expression."""
    text = dict(names)
    for u in toposort((node,), enter=lambda u: u not in names):
        if u not in text:
            text[u] = literal(u.dtype, u.arg) if u.op is Ops.CONST else spell(u, [text[s] for s in u.src])
    return text[node]
