"""An explanation as text."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from functrans.backend.report import BufferFact, KernelFact, LocalFact, LoopFact
from functrans.backend.schedule.decision import Why
from functrans.backend.stopwatch import duration
from functrans.ops.enums import Ops
from functrans.ops.origin import Place, place_of
from functrans.ops.uop import UOp

if TYPE_CHECKING:
    from functrans.reporting.explain import Explanation

Fact = TypeVar("Fact", LoopFact, LocalFact)
MAX_LISTED = 20  # kernels and buffers


def as_text(e: Explanation) -> str:
    """All of it, a line for each loop and each buffer."""
    parts = [head(e), _table(e)]
    parts += [loops(k) for k in listed(e)[0]]
    parts += [buffers(e)]
    return "\n\n".join(p for p in parts if p)


def listed(e: Explanation) -> tuple[list[KernelFact], int]:
    """The kernels to be shown, the slowest (or else those with most bytes) if there are many; and how many are not."""

    def weight(k: KernelFact) -> float:
        return k.nanoseconds if k.nanoseconds is not None else k.cost.bytes_read + k.cost.bytes_written

    kept = {id(k) for k in sorted(e.kernels, key=weight, reverse=True)[:MAX_LISTED]}
    return [k for k in e.kernels if id(k) in kept], len(e.kernels) - len(kept)


def head(e: Explanation) -> str:
    """What it is, what one call takes, and how the code was come by."""
    cost, asked = e.lowered.cost(), sum(u.demanded for u in e.units)
    many = "s" if cost.kernels != 1 else ""
    lines = [
        f"{e.what}({e.signature}): {cost.kernels} kernel{many}, {amount(cost.flops)}flop "
        f"({amount(asked)}flop with each element once), "
        f"{size(cost.bytes_read + cost.bytes_written)} through memory, {size(cost.temporaries)} of intermediate values"
    ]
    if e.call is not None:
        inside = sum(k.nanoseconds or 0 for k in e.kernels) + sum(t or 0 for _, t in e.host)
        lines.append(
            f"one call takes {duration(e.call)} (median of {e.calls}), {duration(inside)} of it in kernels"
            f"{' and host steps' if e.host else ''}; {threads(e)}"
        )
    for b, u in zip(e.builds, e.units, strict=False):
        where = f" of {u.title}" if u.title else ""
        lines.append(f"{b.lines} lines of C{where}: {_how(b.how)} {duration(b.seconds * 1e9)}")
    lines += [e.note] if e.note else []
    return "\n".join(lines)


def _how(how: str) -> str:
    known = {"compiled": "not in the cache, compiled in", "cached": "found in the cache, loaded in"}
    return known.get(how, "loaded already, found in")


def threads(e: Explanation) -> str:
    """How many threads work."""
    shared = [k for k in e.kernels if k.shared]
    if not shared or e.threads == 1:
        return "1 thread" + ("" if e.threads == 1 else ", as no kernel has enough work for a second")
    return f"{e.threads} threads in {', '.join(k.name for k in shared[:8])}{' ...' if len(shared) > 8 else ''}"


COLUMNS = ("kernel", "time", "share", "reads", "writes", "flops", "flop/byte", "GB/s", "Gflop/s", "of the roof")


def rows(e: Explanation) -> list[tuple[str, ...]]:
    """The table of kernels, and of host steps after them."""
    total = sum(k.nanoseconds or 0 for k in e.kernels) + sum(t or 0 for _, t in e.host)
    found: list[tuple[str, ...]] = []
    for k in listed(e)[0]:
        c, ns = k.cost, k.nanoseconds
        traffic = c.bytes_read + c.bytes_written
        static = (size(c.bytes_read), size(c.bytes_written), amount(c.flops), f"{c.flops / max(traffic, 1):.2g}")
        if ns is None:
            found.append((k.name, "", "", *static, "", "", ""))
        else:
            rates = (f"{traffic / max(ns, 1):.3g}", f"{c.flops / max(ns, 1):.3g}", of_roof(e, k))
            found.append((k.name, duration(ns), f"{100 * ns / max(total, 1):.0f} %", *static, *rates))
    for step, spent in e.host:
        time = ("", "") if spent is None else (duration(spent), f"{100 * spent / max(total, 1):.0f} %")
        found.append((step.name, *time, "", "", "", "", "", "", ""))
    return found


def of_roof(e: Explanation, k: KernelFact) -> str:
    """Which part the kernel reaches of what this machine can do with so many operations and bytes."""
    machine, traffic = e.roof(k), k.cost.bytes_read + k.cost.bytes_written
    if machine is None or not k.nanoseconds or not (traffic or k.cost.flops):
        return ""
    moving = traffic / machine.bandwidth_at(traffic)
    counting = k.work / (machine.flops32 if k.single else machine.flops64)
    return f"{100 * max(moving, counting) / (k.nanoseconds * 1e-9):.2g} % {'memory' if moving >= counting else 'flops'}"


def _table(e: Explanation) -> str:
    body = [COLUMNS, *rows(e)]
    used = [c for c in range(len(COLUMNS)) if c == 0 or any(r[c] for r in body[1:])]
    width = {c: max(len(r[c]) for r in body) for c in used}
    lines = ["  ".join(r[c].ljust(width[c]) for c in used).rstrip() for r in body]
    left = listed(e)[1]
    return "\n".join([*lines, f"and {left} kernels that take less"] if left else lines)


def loops(k: KernelFact) -> str:
    """The loops of a kernel, a line each, and its local arrays."""
    lines = [f"{k.name}, lines {k.lines[0] + 1} to {k.lines[1]} of the C" + (", no loop" if not k.loops else "")]
    runs = _runs(k.loops, lambda loop: (loop.depth, loop.extent, loop.roles))
    pads = [f"{'  ' * (run[0].depth + 1)}for {_named(run)} < {run[0].extent}" for run in runs]
    wide = max(map(len, pads), default=0)
    shown = [f"{p.ljust(wide)}  {', '.join(run[0].roles)}".rstrip() for p, run in zip(pads, runs, strict=True)]
    lines += shown if len(shown) <= MAX_LISTED else [*shown[:MAX_LISTED], f"  and {len(shown) - MAX_LISTED} more"]
    if k.routines:
        lines.append(f"  C routines: {', '.join(k.routines)}")
    if k.why:
        lines.append(f"  lane by lane, each round calls kernels: {k.why}")
    arrays = _runs(k.locals, lambda a: (a.elements, a.dtype, a.on_stack))
    for run in arrays[:MAX_LISTED]:
        lines.append(f"  {_named(run)}: {run[0].elements} {run[0].dtype} {_each(run)}{_place(run[0])}")
    return "\n".join([*lines, f"  and {len(arrays) - MAX_LISTED} more" if len(arrays) > MAX_LISTED else ""]).rstrip()


def _runs(items: Sequence[Fact], key: Callable[[Fact], object]) -> list[list[Fact]]:
    """Neighbors that differ in their names alone, together."""
    runs: list[list[Fact]] = []
    for item in items:
        if runs and key(runs[-1][-1]) == key(item):
            runs[-1].append(item)
        else:
            runs.append([item])
    return runs


def _named(run: Sequence[LoopFact | LocalFact]) -> str:
    return run[0].name if len(run) == 1 else f"{run[0].name} to {run[-1].name}"


def _each(run: Sequence[LocalFact]) -> str:
    return "each " if len(run) > 1 else ""


def _place(array: LocalFact) -> str:
    return "on the stack" if array.on_stack else "in the arena"


def buffers(e: Explanation) -> str:
    """The buffers of all units, a line each, those that are stored first."""
    parts = []
    for u in e.units:
        known = [b for b in u.buffers if b.decision.why is not Why.RESULT]
        stays = sorted((b for b in known if b.decision.stays), key=lambda b: (b.local, b.written_out))
        goes = [b for b in known if not b.decision.stays]
        lines: list[str] = []
        for some in (stays, goes):
            count = Counter(map(buffer, some))
            lines += [f"  {line}{f', {n} times' if n > 1 else ''}" for line, n in [*count.items()][:MAX_LISTED]]
            left = sum([*count.values()][MAX_LISTED:])
            lines += [f"  and {left} more"] if left else []
        where = f" of {u.title}" if u.title else ""
        counts = f"{len(stays)} stored, {len(goes)} computed where they are read" if known else "none"
        parts.append("\n".join([f"buffers{where} besides the results: {counts}", *lines]))
    if e.lowered.program.handed:
        parts.append("\n".join(["between segments:", *(f"  {_handed(*h)}" for h in e.lowered.program.handed)]))
    return "\n\n".join(parts)


def _handed(node: UOp, readers: list[str]) -> str:
    inside = node.src[0] if node.op is Ops.VMAPOUT else node
    shape = "x".join(map(str, node.sized)) or "scalar"
    return f"stored: {inside.op.name}, {shape} {node.dtype.name}{_at(place_of(inside))}, read by {', '.join(readers)}"


def _at(place: Place | None) -> str:
    return f" ({os.path.basename(place[0])}:{place[1]})" if place else ""


def buffer(b: BufferFact) -> str:
    """A buffer: where it lies, what it holds, and why."""
    d = b.decision
    shape = "x".join(map(str, d.buffer.arg.shape)) or "scalar"
    where = _at(b.place)
    fate = f"stored {b.memory}" if d.stays else "not stored"
    return f"{fate}: {b.op}, {shape} {d.buffer.dtype.name}{where}, as {d.why.value} ({d.price})"


def size(count: float) -> str:
    """Bytes to be read.

    >>> size(24), size(24000), size(1.5e9)
    ('24 B', '24 kB', '1.5 GB')
    """
    for unit, value in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= value:
            return f"{count / value:.3g} {unit}"
    return f"{count:.0f} B"


def amount(count: float) -> str:
    """A number to be read, before its unit."""
    return size(count).removesuffix("B")
