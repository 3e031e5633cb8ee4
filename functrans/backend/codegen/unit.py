"""One translation unit: the kernels, and the entry point that calls them in order."""

from __future__ import annotations

from functrans.backend.codegen.lower import LoweredKernel
from functrans.backend.codegen.prelude import prelude
from functrans.backend.codegen.render_c import render_c
from functrans.backend.codegen.spelling import custom_function, custom_name, literal, spell
from functrans.backend.codegen.split import Split
from functrans.backend.schedule.memory import ALIGN
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, toposort


def unit(
    kernels: list[LoweredKernel], position: dict[UOp, int], scratch: int, extents: dict[UOp, int],
    splits: dict[LoweredKernel, Split],
) -> str:  # fmt: skip
    """The C text. ``position`` says where in ``buffers`` each array lies, ``extents`` where in ``sizes`` each RANGE's
    number of values, and each variable; ``scratch`` is the position of the arena's free part. Behind that lies the
    function that runs parts of a kernel on several threads, and their number behind the sizes.
    """
    calls, parts = [], []
    functions, called = _functions(kernels, {k: s.loop for k, s in splits.items()})
    threads, pool = f"sizes[{len(extents)}]", f"((ft_pool *)buffers[{scratch + 1}])"
    for k in kernels:
        name = called[k]
        args = [f"buffers[{position[b]}]" for b in k.buffers]
        args.append(f"(char *)buffers[{scratch}]")
        args.extend(f"sizes[{extents[r]}]" for r in k.extents)
        found = splits.get(k)
        if found is not None:
            steps = _expression(found.loop.src[0], {found.argument: f"sizes[{extents[found.range]}]"})
            parts.append(_part(k, name, args, len(k.buffers)))
            shared = f"{pool}({k.name}_part, buffers, sizes, {steps}, {found.grain}, {threads})"
            calls.append(f"  if ({threads} > 1 && {steps} > {found.least}) {shared};")
            calls.append(f"  else {name}({', '.join([*args, '0', steps])});")
            continue
        loops = []
        for n, r in enumerate(k.outer):
            args.append(f"i{n}")
            loops.append(f"for (long long i{n} = 0; i{n} < sizes[{extents[r]}]; i{n}++) ")
        calls.append(f"  {''.join(loops)}{name}({', '.join(args)});")
    entry = "int ft_entry(void **buffers, const long long *sizes) {\n" + "\n".join(calls) + "\n  return 0;\n}"
    own = {custom_name(u): custom_function(u) for k in kernels for u in k.uops if u.op is Ops.CUSTOM}
    body = "\n\n".join([*own.values(), *functions])
    head = prelude(body + "\n".join(calls))
    return "\n\n".join(part for part in (head, body, *([_POOL, *parts] if parts else []), entry) if part) + "\n"


def _functions(
    kernels: list[LoweredKernel], loops: dict[LoweredKernel, UOp]
) -> tuple[list[str], dict[LoweredKernel, str]]:
    """The C functions, and which one each kernel is: steps that are written out one after the other are often the same
    but for the arrays that they are given.
    """
    texts: dict[str, str] = {}
    called: dict[LoweredKernel, str] = {}
    for k in kernels:
        body = render_c(k.uops, loops.get(k)).partition("(")[2]
        called[k] = texts.setdefault(body, k.name)
    return [f"static void {name}({body}" for body, name in texts.items()], called


_POOL = """typedef void ft_part(void **, const long long *, long long, long long, long long);
typedef void ft_pool(ft_part *, void **, const long long *, long long, long long, long long);"""


def _part(k: LoweredKernel, name: str, args: list[str], scratch: int) -> str:
    """The kernel as the threads run it: some steps of its loop, in scratch memory of the thread's own."""
    own = list(args)
    if k.scratch:
        own[scratch] += f" + who * {scratch_of(k)}"
    return (
        f"static void {k.name}_part(void **buffers, const long long *sizes, long long from, long long to, "
        f"long long who) {{\n  {name}({', '.join([*own, 'from', 'to'])});\n}}"
    )


def _expression(node: UOp, names: dict[UOp, str]) -> str:
    """The C of an index expression."""
    text = dict(names)
    for u in toposort((node,), enter=lambda u: u not in names):
        if u not in text:
            text[u] = literal(u.dtype, u.arg) if u.op is Ops.CONST else spell(u, [text[s] for s in u.src])
    return text[node]


def scratch_of(k: LoweredKernel) -> int:
    """The bytes of scratch memory that each thread needs."""
    return -(-k.scratch // ALIGN) * ALIGN
