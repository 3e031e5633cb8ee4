"""A kernel as loops and statements: every value in the outermost scope where its ranges are open."""

from __future__ import annotations

from dataclasses import dataclass, field

from functrans import dtypes
from functrans.backend.codegen.spelling import combine, ctype, literal, spell
from functrans.backend.schedule.kernels import Kernel, is_global, leading_range
from functrans.backend.schedule.outer import closed_by
from functrans.ops import symbolic as sym
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.indexing import MODE_OPS
from functrans.ops.reduce import identity
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent

STACK_BYTES = 32 * 1024  # local buffers beyond this lie in the arena
_INLINE = 100  # characters of an expression that is used once and written where it is used


@dataclass(eq=False)
class Scope:
    """The body of one loop, or of the kernel."""

    parent: Scope | None
    range: UOp | None
    open: frozenset[UOp]
    lines: list[str | Scope] = field(default_factory=list)
    names: dict[UOp, str] = field(default_factory=dict)
    header: str = ""


@dataclass(eq=False)
class LoweredKernel:
    """One C function: its text and what it takes, in order: buffers, scratch memory, extents, OUTER values."""

    name: str
    text: str
    buffers: list[UOp]
    extents: list[UOp]
    outer: tuple[UOp, ...]
    scratch: int


def lower(kernel: Kernel, name: str) -> LoweredKernel:
    """The C function of a kernel; linear in its nodes times its loop depth."""
    return _Lower(kernel).run(name)


class _Lower:
    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.inside = set(kernel.roots)
        self.scratch = self.stack = 0
        self.outer = kernel.outer
        self.ranges: dict[UOp, str] = {r: f"i{k}" for k, r in enumerate(self.outer)}
        self.count: dict[str, int] = {}
        self.root = Scope(None, None, frozenset(self.outer))
        self.pointer: dict[UOp, str] = {}
        # the outermost loops run to arguments, so that another batch size is the same text
        leading = [r for r in map(leading_range, kernel.roots) if r is not None]
        self.extents = list(dict.fromkeys([*self.outer, *leading]))
        self.size_of = {
            r: UOp(Ops.DEFINE_VAR, dtypes.index, (), (f"n{k}", 0, sym.HUGE)) for k, r in enumerate(self.extents)
        }
        order = toposort(kernel.roots, enter=self._enter)
        self.sole: dict[UOp, UOp | None] = {}
        for u in order:
            for s in u.src:
                self.sole[s] = u if s not in self.sole else None

    def _enter(self, node: UOp) -> bool:
        return not (is_global(node) and node not in self.inside) and node.op is not Ops.DEFINE_GLOBAL

    def run(self, name: str) -> LoweredKernel:
        reads = self.kernel.reads
        params = []
        for prefix, nodes in (("a", reads), ("o", self.kernel.roots)):
            for k, node in enumerate(nodes):
                self.pointer[node] = f"{prefix}{k}"
                const = "const " if prefix == "a" else ""
                params.append(f"{const}{ctype(node.dtype)} *restrict {prefix}{k}")
        inside = len(self.outer)
        self._stores([(s, root, closed_by(s)[inside:]) for root in self.kernel.roots for s in root.src], self.root)
        params.append("char *restrict scratch")
        params.extend(f"long long {v.arg[0]}" for v in self.size_of.values())
        params.extend(f"long long {self.ranges[r]}" for r in self.outer)
        body = "\n".join(_render(self.root, 1))
        text = f"static void {name}({', '.join(params)}) {{\n{body}\n}}"
        return LoweredKernel(name, text, [*reads, *self.kernel.roots], self.extents, self.outer, self.scratch)

    def _fresh(self, prefix: str) -> str:
        k = self.count.get(prefix, 0)
        self.count[prefix] = k + 1
        return f"{prefix}{k}"

    # scopes

    def _open(self, r: UOp, scope: Scope) -> Scope:
        name = self.ranges.setdefault(r, f"i{len(self.ranges)}")
        end = self.size_of[r].arg[0] if r in self.size_of else str(extent(r))
        return Scope(scope, r, scope.open | {r}, header=f"for (long long {name} = 0; {name} < {end}; {name}++) {{")

    def _home(self, node: UOp, scope: Scope) -> Scope:
        while scope.parent is not None and scope.range not in node.free_ranges:
            scope = scope.parent
        return scope

    def _stores(self, items: list[tuple[UOp, UOp, tuple[UOp, ...]]], scope: Scope) -> None:
        at = 0
        while at < len(items):
            store, buffer, loops = items[at]
            if not loops:
                self._store(store, buffer, scope)
                at += 1
                continue
            group = []
            while at < len(items) and items[at][2][:1] == loops[:1]:
                group.append((items[at][0], items[at][1], items[at][2][1:]))
                at += 1
            child = self._open(loops[0], scope)
            self._stores(group, child)
            scope.lines.append(child)

    def _store(self, store: UOp, buffer: UOp, scope: Scope) -> None:
        arg = store.arg
        self._demand(store.src[: arg.first_range], scope)
        place = f"{self.pointer[buffer]}[{self._flat(buffer, store.src[1 : 1 + arg.ndim], scope)}]"
        value = self._text(store.src[0], scope)
        if arg.mode != "set":
            value = combine(MODE_OPS[arg.mode], buffer.dtype, place, value)
        gate = f"if ({self._text(store.src[1 + arg.ndim], scope)}) " if arg.gated else ""
        scope.lines.append(f"{gate}{place} = {_bare(value)};")

    # values

    def _known(self, node: UOp, scope: Scope) -> bool:
        return node.free_ranges <= scope.open and node in self._home(node, scope).names

    def _demand(self, roots: tuple[UOp, ...], scope: Scope) -> None:
        """Compute the roots, and below them whatever can be computed with the ranges open here."""
        for node in toposort(roots, enter=lambda u: self._enter(u) and not self._known(u, scope)):
            if not node.free_ranges <= scope.open or self._known(node, scope):
                continue
            home = self._home(node, scope)
            if node.op is Ops.BUFFERIZE:
                if not is_global(node):
                    self._local(node, home)
            elif node.op is Ops.REDUCE:
                self._reduce(node, home)
            elif node.op is Ops.SCAN:
                self._scan(node, home)
            elif node.shape is not None:
                self._let(node, home)

    def _text(self, node: UOp, scope: Scope) -> str:
        return self._home(node, scope).names[node]

    def _let(self, node: UOp, home: Scope) -> None:
        if node.op is Ops.RANGE:
            text = self.ranges[node]
        elif node.op is Ops.CONST:
            text = literal(node.dtype, node.arg)
        elif node.op is Ops.DEFINE_VAR:
            text = node.arg[0]
        elif node.op is Ops.INDEX:
            text = self._load(node, home)
        else:
            text = spell(node, [self._text(s, home) for s in node.src])
        if not self._written_in_place(node, text):
            name = self._fresh("v")
            home.lines.append(f"const {ctype(node.dtype)} {name} = {_bare(text)};")
            text = name
        home.names[node] = text

    def _written_in_place(self, node: UOp, text: str) -> bool:
        """Whether the expression stands where it is used, rather than in a variable of its own."""
        if node.op in (Ops.RANGE, Ops.CONST, Ops.DEFINE_VAR):
            return True
        if len(text) > _INLINE:
            return False
        if node.dtype == dtypes.index and node.op is not Ops.CAST:
            return True
        user = self.sole.get(node)
        if user is None or user.op is Ops.WHERE:
            return False
        if user.op in (Ops.STORE, Ops.REDUCE, Ops.SCAN):
            closed = closed_by(user) if user.op is Ops.STORE else user.src[1:]
            return bool(closed) and user.src[0] is node and closed[-1] in node.free_ranges
        return user.op in GroupOp.Elementwise and user.free_ranges == node.free_ranges

    def _load(self, node: UOp, scope: Scope) -> str:
        buffer = node.src[0]
        idx = node.src[1:-1] if node.arg else node.src[1:]
        text = f"{self.pointer[buffer]}[{self._flat(buffer, idx, scope)}]"
        return f"({self._text(node.src[-1], scope)} ? {text} : {literal(node.dtype, 0)})" if node.arg else text

    def _flat(self, buffer: UOp, idx: tuple[UOp, ...], scope: Scope) -> str:
        shape = buffer.arg.shape if buffer.op is Ops.BUFFERIZE else buffer.src[0].sized
        # an axis that a run-time loop walks from end to end has that loop's extent; a window of it has not
        sizes = tuple(
            self.size_of[i] if i in self.size_of and extent(i) == n else n for i, n in zip(idx, shape, strict=True)
        )
        flat = sym.flatten(idx, sizes)
        self._demand((flat,), scope)
        return _bare(self._text(flat, scope))

    def _reduce(self, node: UOp, home: Scope) -> None:
        acc = self._fresh("acc")
        home.lines.append(f"{ctype(node.dtype)} {acc} = {literal(node.dtype, identity(node.arg, node.dtype))};")
        scopes = [home]
        for r in node.src[1:]:
            scopes.append(self._open(r, scopes[-1]))
        inner = scopes[-1]
        self._demand(node.src[:1], inner)
        step = combine(node.arg, node.dtype, acc, self._text(node.src[0], inner))
        inner.lines.append(f"{acc} = {_bare(step)};")
        for outer, child in zip(scopes[-2::-1], scopes[:0:-1], strict=True):
            outer.lines.append(child)
        home.names[node] = acc

    def _scan(self, node: UOp, home: Scope) -> None:
        """The running value: its accumulator starts just outside the loop of its RANGE, which is ``home``."""
        acc = self._fresh("acc")
        assert home.parent is not None
        start = literal(node.dtype, identity(node.arg, node.dtype, running=True))
        home.parent.lines.append(f"{ctype(node.dtype)} {acc} = {start};")
        step = combine(node.arg, node.dtype, acc, self._text(node.src[0], home))
        home.lines.append(f"{acc} = {_bare(step)};")
        home.names[node] = acc

    def _local(self, node: UOp, home: Scope) -> None:
        name = self._fresh("s")
        self.pointer[node] = name
        elements = 1
        for n in node.arg.shape:
            elements *= n
        size, kind = elements * node.dtype.itemsize, ctype(node.dtype)
        if self.stack + size <= STACK_BYTES:
            self.stack += size
            home.lines.append(f"{kind} {name}[{max(elements, 1)}];")
        else:
            home.lines.append(f"{kind} *restrict {name} = ({kind} *)(scratch + {self.scratch});")
            self.scratch += -(-size // 64) * 64
        home.names[node] = name
        self._stores([(s, node, closed_by(s)) for s in node.src], home)


def _bare(text: str) -> str:
    """The expression without parentheses that enclose all of it."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for k, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0 and k < len(text) - 1:
            return text
    return text[1:-1]


def _render(scope: Scope, depth: int) -> list[str]:
    out: list[str] = []
    pad = "  " * depth
    for line in scope.lines:
        if isinstance(line, str):
            out.append(pad + line)
        else:
            out.append(pad + line.header)
            out.extend(_render(line, depth + 1))
            out.append(pad + "}")
    return out
