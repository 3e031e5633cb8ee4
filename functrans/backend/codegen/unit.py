"""One translation unit: the kernels, and the entry point that calls them in order."""

from __future__ import annotations

from functrans.backend.codegen.lower import LoweredKernel
from functrans.backend.codegen.prelude import prelude
from functrans.backend.codegen.render_c import render_c
from functrans.backend.codegen.spelling import custom_function, custom_name
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp


def unit(kernels: list[LoweredKernel], position: dict[UOp, int], scratch: int, extents: dict[UOp, int]) -> str:
    """The C text. ``position`` says where in ``buffers`` each array lies, ``extents`` where in ``sizes`` each RANGE's
    number of values, and each variable; ``scratch`` is the position of the arena's free part.
    """
    calls = []
    for k in kernels:
        args = [f"buffers[{position[b]}]" for b in k.buffers]
        args.append(f"(char *)buffers[{scratch}]")
        args.extend(f"sizes[{extents[r]}]" for r in k.extents)
        loops = []
        for n, r in enumerate(k.outer):
            args.append(f"i{n}")
            loops.append(f"for (long long i{n} = 0; i{n} < sizes[{extents[r]}]; i{n}++) ")
        calls.append(f"  {''.join(loops)}{k.name}({', '.join(args)});")
    entry = "int ft_entry(void **buffers, const long long *sizes) {\n" + "\n".join(calls) + "\n  return 0;\n}"
    own = {custom_name(u): custom_function(u) for k in kernels for u in k.uops if u.op is Ops.CUSTOM}
    functions = "\n\n".join([*own.values(), *(render_c(k.uops) for k in kernels)])
    head = prelude(functions)
    return "\n\n".join(part for part in (head, functions, entry) if part) + "\n"
