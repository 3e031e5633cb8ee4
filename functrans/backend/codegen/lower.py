"""A kernel as a list of statements: every value in the outermost scope where its ranges are open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from math import prod
from typing import NamedTuple

from functrans import dtypes
from functrans.backend.codegen.allocation import allocate
from functrans.backend.codegen.apart import apart
from functrans.backend.codegen.lanes import lanes, sums
from functrans.backend.codegen.lowered import LoweredKernel
from functrans.backend.codegen.merge import merged
from functrans.backend.codegen.nest import scratch_of
from functrans.backend.codegen.partial import partial
from functrans.backend.codegen.registers import registers
from functrans.backend.codegen.short import written_out
from functrans.backend.codegen.tail import tails
from functrans.backend.codegen.tiling import tiled
from functrans.backend.codegen.twins import Windows
from functrans.backend.codegen.vectors.choice import vectors
from functrans.backend.policy import L1_BYTES
from functrans.backend.schedule.independence import iterations_independent
from functrans.backend.schedule.kernels import Kernel
from functrans.backend.schedule.memory import aligned
from functrans.backend.schedule.outer import closed_by
from functrans.backend.schedule.parts import is_global, places_of, shape_of
from functrans.backend.schedule.reductions import in_one_loop
from functrans.dtypes import DType
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.indexing import MODE_OPS
from functrans.ops.kernel import GlobalArg, LocalArg
from functrans.ops.order import found_in, memory_of
from functrans.ops.origin import became
from functrans.ops.passes import Passes
from functrans.ops.reduce import identity
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent


@dataclass(eq=False)
class Scope:
    """The body of one loop, or of the kernel. ``range`` is the loop's in the ranged graph, ``loop`` in the list."""

    parent: Scope | None
    range: UOp | None
    loop: UOp | None
    open: frozenset[UOp]
    items: list[UOp | Scope] = field(default_factory=list)
    values: dict[UOp, UOp] = field(default_factory=dict)  # node of the ranged graph: node of the list
    placed: set[UOp] = field(default_factory=set)
    wanted: list[UOp] = field(default_factory=list)  # what it is there for: stores, or what is reduced
    together: dict[UOp, list[UOp]] | None = None  # for each REDUCE those that are made in one loop with it


class Pass(NamedTuple):
    """A step from statements to statements: its name, the function, and what it does."""

    name: str
    apply: Callable[[list[UOp]], list[UOp]]
    does: str


STATEMENTS: tuple[Pass, ...] = (
    Pass("short", written_out, "Unrolls loops of few rounds."),
    Pass("merge", merged, "Loop fusion of neighbors that walk the same rounds."),
    Pass("registers", registers, "Scalar replacement: local arrays at constant places become values."),
    Pass("tiling", tiled, "Loop tiling: what is stored along one axis and read along another goes in tiles."),
    Pass("lanes", lanes, "Outer-loop vectorization: the steps of an outer loop go side by side, each a lane."),
    Pass("sums", sums, "Loop fission: a sum over rows that are better off in lanes has them so, block by block."),
    Pass("apart", apart, "Packs components that are read at a stride again and again side by side."),
    Pass("vectors", vectors, "Writes loops over rows of any length with vectors of our own, the rest under a mask."),
    Pass("partial", partial, "Splits long reductions into 16 accumulators, 32 of short numbers, folded by halves."),
    Pass("tail", tails, "Loop fission: what follows the reductions of a row is done for 32 rows at once."),
)


_LOWER = "Writes the kernel as a list of statements: loops, loads, arithmetic, stores."
_ALLOCATION = "Gives each array of the kernel its place in scratch memory; arrays that never live together share one."


class Lowering:
    """Makes the list of one kernel; ``inside`` of the body of a loop extents are numbers."""

    def __init__(self, kernel: Kernel, inside: bool = False) -> None:
        self.kernel = kernel
        self.inside = set(kernel.roots)
        self.scratch = self.stack = self.locals = self.accumulators = self.numbers = 0
        self.outer = kernel.outer
        self.root = Scope(None, None, None, frozenset(self.outer), wanted=kernel.stores)
        self.loops: dict[UOp, UOp] = {}
        self.pointer: dict[UOp, UOp] = {}
        # the outermost loops run to arguments, so that another batch size is the same text
        leading = [kernel.lead] if kernel.lead is not None and not inside else []
        self.extents = list(dict.fromkeys([*self.outer, *leading]))
        self.size_of = {r: _argument(f"n{k}") for k, r in enumerate(self.extents)}
        self.variables = arguments_of([u for u in toposort(kernel.stores, self._enter) if u.op is Ops.DEFINE_VAR])
        self.windows: Windows = {}

    def statements(self) -> list[UOp]:
        """The list as it is before any pass."""
        reads, roots = self.kernel.reads, self.kernel.roots
        for prefix, nodes in (("a", reads), ("o", roots)):
            for k, node in enumerate(nodes):
                arg = GlobalArg(f"{prefix}{k}", written=prefix == "o")
                self.pointer[node] = self._place(UOp(Ops.DEFINE_GLOBAL, node.dtype, (), arg), self.root)
        for r, n in self.size_of.items():
            self.root.values[n] = self._place(n, self.root)
            if r in self.outer:
                self.loops[r] = _argument(f"i{self.numbers}")
                self.numbers += 1
        for v, argument in self.variables.items():
            self.root.values[v] = self._place(argument, self.root)
        for r, value in self.loops.items():
            self.root.values[r] = self._place(value, self.root)
        self._fill()
        return _flat(self.root)

    def run(self, passes: Passes) -> LoweredKernel:
        """The list; ``passes`` is told of each pass."""
        uops = passes.statements("lower", self.kernel.name, self.statements(), does=_LOWER)
        for step in STATEMENTS:
            if self._takes(step.name):
                uops = passes.statements(step.name, self.kernel.name, step.apply(uops), does=step.does)
            if any(u.op is Ops.RANGE and u.arg[1] is AxisType.LANES for u in uops):
                break
        uops, scratch = allocate(uops, scratch_of(uops))
        name = UOp(Ops.NAME, dtypes.void, (), self.kernel.name)
        results = [u for u in uops if u.op is Ops.STORE and u.src[0].src[0].op is Ops.DEFINE_GLOBAL]
        uops += [name, UOp(Ops.SINK, dtypes.void, (*dict.fromkeys(results), name))]
        passes.statements("allocation", self.kernel.name, uops, True, _ALLOCATION)
        return self.lowered(uops, scratch)

    def lowered(self, uops: list[UOp], scratch: int) -> LoweredKernel:
        """The kernel, as these statements."""
        buffers, sizes = [*self.kernel.reads, *self.kernel.roots], [*self.extents, *self.variables]
        return LoweredKernel(self.kernel.name, uops, buffers, sizes, self.outer, scratch)

    def _takes(self, what: str) -> bool:
        """Whether a pass applies; lanes where each step of the outermost loop writes places of its own."""
        if what != "lanes":
            return True
        r = self.kernel.lead
        return not self.outer and r is not None and iterations_independent(self.kernel, r)

    def _fill(self) -> None:
        inside = len(self.outer)
        self._stores([(s, b, closed_by(s)[inside:]) for b in self.kernel.roots for s in self.kernel.own(b)], self.root)

    def _enter(self, node: UOp) -> bool:
        return not (is_global(node) and node not in self.inside) and node.op is not Ops.DEFINE_GLOBAL

    def _below(self, node: UOp) -> bool:
        # what is sorted is computed in a loop of its own
        return self._enter(node) and not (node.op is Ops.PREFIX and node.arg in GroupOp.Order)

    def _place(self, node: UOp, scope: Scope) -> UOp:
        """The node, a statement of the scope: a value that stands there already is not computed again."""
        if node not in scope.placed:
            scope.placed.add(node)
            scope.items.append(node)
        return node

    def _const(self, dtype: DType, value: bool | int | float | complex) -> UOp:
        return self._place(UOp.const(dtype, value), self.root)

    def _open(self, r: UOp, scope: Scope) -> Scope:
        loop = self.loops.get(r)
        if loop is None:
            end = self.size_of[r] if r in self.size_of else self._const(dtypes.index, extent(r))
            loop = self.loops[r] = became(UOp(Ops.RANGE, dtypes.index, (end,), (self.numbers, r.arg[1])), r)
            self.numbers += 1
        return Scope(scope, r, loop, scope.open | {r}, values={r: loop}, placed={loop})

    @contextmanager
    def _loops(self, scope: Scope, ranges: Iterable[UOp], wanted: Sequence[UOp] = ()) -> Iterator[Scope]:
        """Loops over ranges, one in the other: the body of the innermost one."""
        scopes = [scope]
        for r in ranges:
            scopes.append(self._open(r, scopes[-1]))
            scopes[-1].wanted = list(wanted)
        yield scopes[-1]
        close(scopes)

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
            child.wanted = [store for store, _, _ in group]
            self._stores(group, child)
            scope.items.append(child)

    def _store(self, store: UOp, buffer: UOp, scope: Scope) -> None:
        arg = store.arg
        self._demand(store.src[: arg.first_range], scope)
        address = self._address(buffer, store.src[1 : 1 + arg.ndim], scope)
        value = self._value(store.src[0], scope)
        gate = (self._value(store.src[1 + arg.ndim], scope),) if arg.gated else ()
        if arg.mode == "set":
            scope.items.append(became(UOp(Ops.STORE, dtypes.void, (address, value, *gate)), store))
            return
        # executed where it stands: what is there may have changed since it was last read
        old = UOp(Ops.LOAD, buffer.dtype, (address,))
        new = UOp(MODE_OPS[arg.mode], buffer.dtype, (old, value))
        update: list[UOp | Scope] = [old, new, became(UOp(Ops.STORE, dtypes.void, (address, new)), store)]
        if gate:
            condition = UOp(Ops.IF, dtypes.void, gate)
            update = [condition, *update, UOp(Ops.ENDIF, dtypes.void, (condition,))]
        scope.items.extend(update)

    def _known(self, node: UOp, scope: Scope) -> bool:
        return node.free_ranges <= scope.open and node in self._home(node, scope).values

    def _demand(self, roots: tuple[UOp, ...], scope: Scope) -> None:
        """Compute the roots, and below them whatever can be computed with the ranges open here."""
        for node in toposort(roots, enter=lambda u: self._below(u) and not self._known(u, scope)):
            if not node.free_ranges <= scope.open:
                continue
            home = self._home(node, scope)
            if node in home.values:
                continue
            if node.op is Ops.BUFFERIZE:
                if not is_global(node):
                    self._local(node, home)
            elif node.op is Ops.REDUCE:
                self._reduce(node, home)
            elif node.op is Ops.PREFIX:
                self._scan(node, home)
            elif node.shape is not None:
                home.values[node] = became(self._let(node, home), node)

    def _value(self, node: UOp, scope: Scope) -> UOp:
        return self._home(node, scope).values[node]

    def _let(self, node: UOp, home: Scope) -> UOp:
        if node.op is Ops.INDEX:
            value = self._load(node, home)
        else:
            value = UOp(node.op, node.dtype, tuple(self._value(s, home) for s in node.src), node.arg)
        return self._place(value, home)

    def _load(self, node: UOp, scope: Scope) -> UOp:
        address = self._address(node.src[0], places_of(node), scope)
        gate = (self._const(node.dtype, 0), self._value(node.src[-1], scope)) if node.arg else ()
        return UOp(Ops.LOAD, node.dtype, (address, *gate))

    def _address(self, buffer: UOp, idx: tuple[UOp, ...], scope: Scope) -> UOp:
        first = len(self.windows.get(buffer, ()))
        idx, shape = idx[first:], shape_of(buffer)[first:]
        # an axis that a run-time loop walks from end to end has that loop's extent; a window of it has not
        sizes = tuple(
            self.size_of[i] if i in self.size_of and extent(i) == n else n for i, n in zip(idx, shape, strict=True)
        )
        flat = sym.flatten(idx, sizes)
        self._demand((flat,), scope)
        pointer = self.pointer[buffer] if buffer in self.pointer else self._value(buffer, scope)
        return self._place(UOp(Ops.INDEX, buffer.dtype, (pointer, self._value(flat, scope))), scope)

    def _accumulator(self, node: UOp, scope: Scope, running: bool = False) -> UOp:
        start = self._const(node.dtype, identity(node.arg, node.dtype, running))
        acc = UOp(Ops.DEFINE_ACC, node.dtype, (start,), self.accumulators)
        self.accumulators += 1
        return self._place(became(acc, node), scope)

    def _step(self, node: UOp, acc: UOp, scope: Scope) -> UOp:
        """One step of a reduction, executed where it stands; its value is the new one."""
        new = became(UOp(node.arg, node.dtype, (acc, self._value(node.src[0], scope))), node)
        assign = became(UOp(Ops.ASSIGN, node.dtype, (acc, new)), node)
        scope.items.extend((new, assign))
        return assign

    def _reduce(self, node: UOp, home: Scope) -> None:
        """A reduction, and those that share what they take in with it, in one loop."""
        if home.together is None:
            home.together = in_one_loop(toposort(home.wanted, enter=self._below))
        group = [u for u in home.together.get(node, [node]) if not self._known(u, home)]
        accs = [self._accumulator(u, home) for u in group]
        values = [u.src[0] for u in group]
        with self._loops(home, node.src[1:], values) as inner:
            self._demand(tuple(values), inner)
            for u, acc in zip(group, accs, strict=True):
                self._step(u, acc, inner)
        home.values.update(zip(group, accs, strict=True))

    def _scan(self, node: UOp, home: Scope) -> None:
        """The running value: its accumulator starts just outside the loop of its RANGE, which is ``home``."""
        assert home.parent is not None
        if node.arg in GroupOp.Order:
            at = UOp(Ops.INDEX, node.dtype, (self._order(node, home.parent), self._value(node.src[1], home)))
            home.values[node] = self._place(UOp(Ops.LOAD, node.dtype, (self._place(at, home),)), home)
            return
        acc = self._accumulator(node, home.parent, running=True)
        home.values[node] = self._step(node, acc, home)

    def _order(self, node: UOp, home: Scope) -> UOp:
        """The values of a RANGE in order, or the permutation that sorts them, in memory of its own before its loop."""
        value, r = node.src
        keys = self._memory(value.dtype, extent(r), home)
        memory = [self._memory(d, n, home) for d, n in memory_of(node.arg, value.dtype, extent(r))]
        loop = self._open(r, home)
        self._demand((value,), loop)
        at = self._place(UOp(Ops.INDEX, value.dtype, (keys, self._value(r, loop))), loop)
        loop.items.append(UOp(Ops.STORE, dtypes.void, (at, self._value(value, loop))))
        home.items.append(loop)
        home.items.append(UOp(node.arg, dtypes.void, (keys, *memory)))
        return found_in(node.arg, [keys, *memory])

    def _memory(self, dtype: DType, elements: int, home: Scope) -> UOp:
        """A local array, on the stack or in the arena."""
        size, offset = elements * dtype.itemsize, None
        if self.stack + size <= L1_BYTES:
            self.stack += size
        else:
            offset = self.scratch
            self.scratch += aligned(size)
        local = UOp(Ops.DEFINE_LOCAL, dtype, (), LocalArg(self.locals, elements, offset))
        self.locals += 1
        return self._place(local, home)

    def _local(self, node: UOp, home: Scope) -> None:
        # of this scope: a loop of the same RANGE inside, or after, has a buffer of its own
        home.values[node] = became(self._memory(node.dtype, prod(node.arg.shape), home), node)
        self._stores([(s, node, closed_by(s)) for s in node.src], home)


def close(scopes: list[Scope]) -> None:
    """Put each scope where it stands: in the one before it."""
    for outer, child in zip(scopes[-2::-1], scopes[:0:-1], strict=True):
        outer.items.append(child)


def _argument(name: str) -> UOp:
    return UOp(Ops.DEFINE_VAR, dtypes.index, (), (name, 0, sym.HUGE))


def arguments_of(variables: list[UOp]) -> dict[UOp, UOp]:
    """An argument for each run-time integer, whose C identifier is made of what of its name C takes.

    >>> n, m = (UOp(Ops.DEFINE_VAR, dtypes.index, (), (name, 0, 3)) for name in ("größe n", "gr__e_n"))
    >>> [v.arg for v in arguments_of([n, m]).values()]
    [('v_gr__e_n', 0, 3), ('v_gr__e_n_1', 0, 3)]
    """
    names: dict[str, UOp] = {}
    for v in variables:
        name = base = "v_" + "".join(c if c.isascii() and c.isalnum() else "_" for c in v.arg[0])[:40]
        more = count(1)
        while name in names:
            name = f"{base}_{next(more)}"
        names[name] = v
    return {v: UOp(Ops.DEFINE_VAR, dtypes.index, (), (name, *v.arg[1:3])) for name, v in names.items()}


def _flat(root: Scope) -> list[UOp]:
    """The statements of a scope and of the loops inside it, in order."""
    out: list[UOp] = []
    todo: list[UOp | Scope] = [root]
    while todo:
        item = todo.pop()
        if isinstance(item, UOp):
            out.append(item)
            continue
        if item.loop is not None:
            out.append(item.loop)
            todo.append(UOp(Ops.ENDRANGE, dtypes.void, (item.loop,)))
        todo.extend(reversed(item.items))
    return out
