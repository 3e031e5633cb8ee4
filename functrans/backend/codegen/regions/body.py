"""The body of a loop or branch as a C function: from the arrays of its parameters to those of its outputs.

It is scheduled as any graph, and calls its kernels in order; what lies between them is in scratch memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from functrans._records import record
from functrans.backend.codegen.outline import Outline
from functrans.backend.codegen.regions.in_place import Update
from functrans.backend.codegen.regions.lowered import LoweredRegion
from functrans.backend.codegen.render_c import render_c
from functrans.backend.codegen.spelling import custom_function, custom_name, element
from functrans.backend.schedule.kernels import Kernel, kernels
from functrans.backend.schedule.memory import aligned, plan_memory
from functrans.backend.schedule.passes import scheduled
from functrans.backend.schedule.realize import distinct
from functrans.errors import UnsupportedError
from functrans.ops.enums import Ops
from functrans.ops.function import Function
from functrans.ops.opdef import is_host
from functrans.ops.origin import line_of
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent


@record
class Body:
    """A C function, those that it calls, and the bytes of scratch memory that it takes."""

    name: str
    functions: tuple[str, ...]
    scratch: int


class Lowered(Protocol):
    """A kernel in C, whatever it is made of."""

    name: str
    buffers: list[UOp]
    extents: list[UOp]
    scratch: int
    uops: list[UOp]


def body_of(f: Function, wanted: Sequence[int], name: str, lower: Callable[[Kernel], Lowered]) -> Body:
    """The C function of some outputs of a FUNCTION, its parameters before them and scratch memory behind."""
    host = next((u for u in toposort(f.outputs) if is_host(u)), None)
    if host is not None:
        raise UnsupportedError(
            f"{host.op.name} in the body of a loop or branch{line_of(host)}: it is a step between kernels, and a loop "
            "is one kernel; what numpy.linalg has is computed in it, and spsolve; else use a Python loop"
        )
    return _function(f.params, scheduled(distinct(f.outputs[k] for k in wanted)), name, lower)


def update_of(u: Update, name: str, lower: Callable[[Kernel], Lowered]) -> Body:
    """The C function that changes a carry in place."""
    return _function(u.params, [u.buffer], name, lower)


def _function(params: Sequence[UOp], buffers: list[UOp], name: str, lower: Callable[[Kernel], Lowered]) -> Body:
    """The C function that fills buffers."""
    inner = kernels(buffers)
    for kernel in inner:
        kernel.name = f"{name}_{kernel.name}"
    lowered = [lower(kernel) for kernel in inner]
    memory = plan_memory(inner, set(buffers), 0)
    text = {u: f"x{k}" for k, u in enumerate(params)} | {u: f"y{k}" for k, u in enumerate(buffers)}
    for b, (start, _) in zip(memory.buffers, memory.slices, strict=True):
        text[b] = f"({element(b.dtype)} *)(scratch + {start})"
    free = aligned(memory.size)
    functions: list[str] = []
    calls = []
    for made in lowered:
        functions += _texts(made)
        arrays = [_given(text[b.src[0]] if b.op is Ops.DEFINE_GLOBAL else text[b], b) for b in made.buffers]
        sizes = [str(extent(r)) for r in made.extents]
        args = [*arrays, f"scratch + {free}", *sizes]
        if isinstance(made, LoweredRegion):
            args += ["0", made.steps(sizes), "0"]
        calls.append(f"  {made.name}({', '.join(args)});")
    head = [f"const {element(p.dtype)} *restrict x{k}" for k, p in enumerate(params)]
    head += [f"{element(b.dtype)} *restrict y{k}" for k, b in enumerate(buffers)]
    functions.append("\n".join([f"static void {name}({', '.join([*head, 'char *restrict scratch'])}) {{", *calls, "}"]))
    return Body(name, tuple(functions), free + max((made.scratch for made in lowered), default=0))


def _given(name: str, array: UOp) -> str:
    """The argument for an array; a kernel may take complex numbers as pairs of numbers."""
    return f"(void *){name}" if array.dtype.kind == "c" else name


def _texts(lowered: Lowered) -> list[str]:
    """The C functions of a kernel: of a loop in the loop those that it has, of any other the one that it is."""
    found = getattr(lowered, "functions", None)
    if found is not None:
        return list(found)
    outline = Outline(prefix=f"{lowered.name}_")
    own = {custom_name(u): custom_function(u) for u in lowered.uops if u.op is Ops.CUSTOM}
    text = render_c(lowered.uops, outline=outline)
    return [*own.values(), *outline.functions(), text]
