"""A loop or branch for each lane, one lane after the other: C that calls bodies.

Carries have two places in scratch memory, which change roles from round to round.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod

from functrans.backend.codegen.regions.body import Body, body_of
from functrans.backend.codegen.spelling import element, literal
from functrans.backend.schedule.kernels import Kernel, RegionKernel
from functrans.backend.schedule.memory import ALIGN
from functrans.ops.enums import Ops
from functrans.ops.loops import Scan, Switch, While
from functrans.ops.uop import UOp


@dataclass(eq=False)
class LoweredRegion:
    """A kernel that is a loop or branch: its C functions, the last of which is the kernel, and what that takes."""

    name: str
    functions: list[str]
    buffers: list[UOp]
    extents: list[UOp]
    scratch: int
    bodies: list[Body]
    outer: tuple[UOp, ...] = ()
    uops: list[UOp] = field(default_factory=list)


def lower_region(kernel: RegionKernel, lower: Callable[[Kernel], object]) -> LoweredRegion:
    """The C of a loop or branch."""
    return _Writer(kernel, lower).run()


class _Writer:
    def __init__(self, kernel: RegionKernel, lower: Callable[[Kernel], object]) -> None:
        self.kernel, self.lower = kernel, lower
        self.lanes = kernel.lanes
        self.region = self.lanes.region
        self.lines: list[str] = []
        self.depth = 1
        self.scratch = 0
        self.bodies: list[Body] = []
        self.wanted = {b.src[0].arg: b for b in kernel.roots}  # result: buffer
        self.extents = list(self.lanes.ranges)
        if isinstance(self.region, Scan):
            self.extents.append(UOp.range(self.region.length))

    def run(self) -> LoweredRegion:
        reads, roots = self.kernel.reads, self.kernel.roots
        head = [f"const {element(b.dtype)} *restrict a{k}" for k, b in enumerate(reads)]
        head += [f"{element(b.dtype)} *restrict o{k}" for k, b in enumerate(roots)]
        head += ["char *restrict scratch", *(f"long long n{k}" for k in range(len(self.extents)))]
        self.array = {b: f"a{k}" for k, b in enumerate(reads)} | {b: f"o{k}" for k, b in enumerate(roots)}
        self.given = [self._constant(s, p) for s, p in zip(self.kernel.region.src, self._params(), strict=True)]
        for k in range(len(self.lanes.ranges)):
            self._open(f"for (long long l{k} = 0; l{k} < n{k}; l{k}++) {{")
        sources = [self._lane(k) for k in range(len(self.given))]
        if isinstance(self.region, Scan):
            self._scan(self.region, sources)
        elif isinstance(self.region, While):
            self._while(self.region, sources)
        else:
            self._switch(self.region, sources)
        while self.depth > 1:
            self._close()
        lines = [line.replace("SCRATCH", str(self.scratch)) for line in self.lines]  # known only now
        text = "\n".join([f"static void {self.kernel.name}({', '.join(head)}) {{", *lines, "}"])
        functions = [f for b in self.bodies for f in b.functions]
        size = self.scratch + max((b.scratch for b in self.bodies), default=0)
        return LoweredRegion(
            self.kernel.name, [*functions, text], [*reads, *roots], self.extents, size, self.bodies
        )  # fmt: skip

    # text

    def _line(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def _open(self, text: str) -> None:
        self._line(text)
        self.depth += 1

    def _close(self) -> None:
        self.depth -= 1
        self._line("}")

    # arrays

    def _params(self) -> list[tuple[int, UOp]]:
        """The elements that one lane of each source has, and what stands for it."""
        region = self.region
        if isinstance(region, Scan):
            ends = region.carries + region.sequences
            return [
                (prod(p.sized) * (region.length if region.carries <= k < ends else 1), p)
                for k, p in enumerate(region.body.params)
            ]
        if isinstance(region, While):
            return [(prod(p.sized), p) for p in region.body.params]
        index = UOp(Ops.CONST, self.kernel.region.src[0].dtype, (), 0)
        return [(1, index), *((prod(p.sized), p) for p in region.branches[0].params)]

    def _memory(self, dtype: object, elements: int) -> str:
        start = self.scratch
        self.scratch += -(-max(elements, 1) * dtype.itemsize // ALIGN) * ALIGN  # type: ignore[attr-defined]
        return f"({element(dtype)} *)(scratch + {start})"  # type: ignore[arg-type]

    def _constant(self, source: UOp, param: tuple[int, UOp]) -> str:
        """The array of a source; of a number one that is filled with it."""
        if source.op is not Ops.CONST:
            return self.array[source]
        n, name = param[0], f"f{self.scratch}"
        self._line(f"{element(source.dtype)} *const {name} = {self._memory(source.dtype, n)};")
        self._line(f"for (long long i = 0; i < {n}; i++) {name}[i] = {literal(source.dtype, source.arg)};")
        return name

    def _lane(self, k: int) -> str:
        """Where the lane at hand of a source begins."""
        size = self._params()[k][0]
        if isinstance(self.region, Scan) and self.region.carries <= k < self.region.carries + self.region.sequences:
            rows = f"n{len(self.extents) - 1} * {prod(self.region.body.params[k].sized)}"
        else:
            rows = str(size)
        return self._at(self.given[k], self.lanes.axes[k], rows)

    def _at(self, array: str, axes: tuple[int, ...], size: str) -> str:
        if not axes:
            return array
        place = f"l{axes[0]}"
        for j in axes[1:]:
            place = f"({place} * n{j} + l{j})"
        return f"{array} + {place} * {size}"

    def _result(self, k: int, size: str) -> str:
        """Where the lane at hand of a result begins."""
        return self._at(self.array[self.wanted[k]], tuple(range(len(self.lanes.ranges))), size)

    def _body(self, f: object, wanted: list[int]) -> str:
        name = f"{self.kernel.name}_f{len(self.bodies)}"
        self.bodies.append(body_of(f, wanted, name, self.lower))  # type: ignore[arg-type]
        return name

    # kinds

    def _carry(self, k: int, param: UOp, start: str) -> None:
        kind, n = element(param.dtype), prod(param.sized)
        self._line(f"{kind} *c{k} = {self._memory(param.dtype, n)}, *d{k} = {self._memory(param.dtype, n)};")
        self._line(f"__builtin_memcpy(c{k}, {start}, {n * param.dtype.itemsize});")

    def _turn(self, k: int, param: UOp) -> None:
        self._line(f"{{ {element(param.dtype)} *const c = c{k}; c{k} = d{k}; d{k} = c; }}")

    def _end(self, k: int, param: UOp) -> None:
        if k in self.wanted:
            n = prod(param.sized)
            self._line(f"__builtin_memcpy({self._result(k, str(n))}, c{k}, {n * param.dtype.itemsize});")

    def _scan(self, region: Scan, sources: list[str]) -> None:
        n, ends, params = region.carries, region.carries + region.sequences, region.body.params
        stacks = [k for k in range(n, len(region.results)) if k in self.wanted]
        name = self._body(region.body, [*range(n), *stacks])
        rounds = f"n{len(self.extents) - 1}"
        for k in range(n):
            self._carry(k, params[k], sources[k])
        if region.unroll > 1:
            self._line(f"#pragma GCC unroll {region.unroll}")
        self._open(f"for (long long u = 0; u < {rounds}; u++) {{")
        self._line(f"const long long t = {f'{rounds} - 1 - u' if region.reverse else 'u'};")
        args = [f"c{k}" for k in range(n)]
        args += [f"{sources[k]} + t * {prod(params[k].sized)}" for k in range(n, ends)]
        args += sources[ends:] + [f"d{k}" for k in range(n)]
        for k in stacks:
            m = prod(region.results[k][0][1:])
            args.append(f"{self._result(k, f'{rounds} * {m}')} + t * {m}")
        self._call(name, args)
        for k in range(n):
            self._turn(k, params[k])
        self._close()
        for k in range(n):
            self._end(k, params[k])

    def _while(self, region: While, sources: list[str]) -> None:
        n, params = region.carries, region.body.params
        test, name = self._body(region.condition, [0]), self._body(region.body, list(range(n)))
        for k in range(n):
            self._carry(k, params[k], sources[k])
        self._open("for (;;) {")
        self._line("unsigned char goes_on;")
        args = [*(f"c{k}" for k in range(n)), *sources[n:]]
        self._call(test, [*args, "&goes_on"])
        self._line("if (!goes_on) break;")
        self._call(name, [*args, *(f"d{k}" for k in range(n))])
        for k in range(n):
            self._turn(k, params[k])
        self._close()
        for k in range(n):
            self._end(k, params[k])

    def _switch(self, region: Switch, sources: list[str]) -> None:
        wanted = sorted(self.wanted)
        results = [self._result(k, str(prod(region.results[k][0]))) for k in wanted]
        last = len(region.branches) - 1
        self._line(f"const long long k = *({sources[0]});")
        self._open(f"switch (k < 0 ? 0 : k > {last} ? {last} : k) {{")
        for j, f in enumerate(region.branches):
            self._line(f"case {j}:" if j < last else "default:")
            self._call(self._body(f, wanted), [*sources[1:], *results])
            self._line("break;")
        self._close()

    def _call(self, name: str, args: list[str]) -> None:
        self._line(f"{name}({', '.join([*args, 'scratch + SCRATCH'])});")

