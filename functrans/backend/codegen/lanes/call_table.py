"""Call tables: straight-line code with many elementary functions as calls of functions of rows of numbers.

Each elementary function, and each stretch of arithmetic between two of them, is a function that is called for all
lanes of a strip: it takes rows of numbers and fills others. What is called over and over is compiled once, and the
calls are a table: the compiler has no more to do for a thousand sines than for one.
"""

from __future__ import annotations

from collections.abc import Iterable

from functrans import dtypes
from functrans.backend.codegen.lanes.uniformity import Uniformity
from functrans.backend.codegen.nest import Loop, Writer, loops_of, nest
from functrans.backend.codegen.spelling import ELEMENTARY, WAVES
from functrans.backend.policy import INTERLEAVED, L1_BYTES, STRAIGHT_STATEMENTS
from functrans.backend.schedule.inline import simplest
from functrans.dtypes import DType
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.kernel import Call, CallsArg, number_of, row_of
from functrans.ops.uop import UOp, toposort

WAVE = 3  # what a sine counts for among them
WIDTH = 128  # lanes of a strip
UNIT = 16  # lanes are whole vectors of the narrowest numbers


def as_call_table(uops: list[UOp]) -> list[UOp] | None:
    """Replace the last loop by a call table; None if it is not straight-line code with many elementary functions, or
    reads at places that are read from memory. Its iterations are independent, and the loops before it compute what they
    share. Linear in the statements.
    """
    if sum(u.op in ELEMENTARY for u in uops) < 2 * INTERLEAVED:
        return None
    top = nest(uops)
    loops = loops_of(top)
    if not loops or loops[-1].range.arg[1] is not AxisType.LOOP:
        return None
    found = _Found(loops[-1])
    if not found.suits() or not pays(found.values):
        return None
    writer = _Strips(uops, found, _Rows(found))
    writer.items(top)
    return writer.out


def pays(values: Iterable[UOp]) -> bool:
    """Whether calls of rows are better than the loop as it is. Of more functions than are inlined they are; of fewer
    where these wait for each other longer than vectors side by side hide. What is independent runs at once in one
    loop, and a sixth faster than in rows.
    """
    count = 0
    depth: dict[UOp, int] = {}
    for u in values:
        own = u.op in ELEMENTARY
        count += (WAVE if u.op in WAVES else 1) * own
        depth[u] = own + max((depth.get(s, 0) for s in u.src), default=0)
    return count > STRAIGHT_STATEMENTS or max(depth.values(), default=0) >= 2 * INTERLEAVED


class _Found:
    """What stands in the loop: what all lanes share, values, stores; and what of all is moved to rows first."""

    def __init__(self, loop: Loop) -> None:
        self.loop, self.facts = loop, Uniformity(loop)
        self.shared: list[UOp] = []
        self.values: dict[UOp, None] = {}
        self.stores: list[tuple[UOp, UOp]] = []  # with what is stored
        self.entries: dict[UOp, None] = {}
        self.stands: dict[UOp, UOp] = {}  # accumulators, and what is computed of them: what stands for each now

    def suits(self) -> bool:
        """Whether the loop can be calls of rows."""
        if not all(isinstance(u, UOp) and self._is_known(u) for u in self.loop.items):
            return False
        for u in self.values:
            for s in u.src:
                if s not in self.values and s.op is not Ops.CONST:
                    self.entries[s] = None
        for _, u in self.stores:
            if u not in self.values and u in self.facts.varying:
                self.entries[u] = None
        return all(_is_number(u) for u in (*self.values, *self.entries))

    def _is_known(self, u: UOp) -> bool:
        """Take in a statement; whether its kind is one of those that can be."""
        facts = self.facts
        if u.op is Ops.STORE:
            array, place = u.src[0].src
            self.stores.append((u, self.stands.get(u.src[1], u.src[1])))
            known = array.op is Ops.DEFINE_GLOBAL and len(u.src) == 2
            return known and bool(facts.stride(place)) and facts.rematerializable(place)
        if u not in facts.varying:
            self.shared.append(u)
            return u.op in _SHARED and facts.lasts(u)
        if u.op is Ops.DEFINE_ACC:
            self.stands[u] = u.src[0]
            return True
        if u.op is Ops.ASSIGN:
            acc, new = u.src
            self.stands[u] = self.stands.get(new, new)
            known, self.stands[acc] = acc in self.stands, self.stands[u]
            return known
        if u.op is Ops.INDEX or facts.rematerializable(u):
            return True
        return u.op in GroupOp.Elementwise and self._takes_in(u)

    def _takes_in(self, u: UOp) -> bool:
        """Take in a value, of accumulators as they are now; whether it is one of rows, or of places alone."""
        if any(s.dtype == dtypes.index and s in self.facts.varying for s in u.src):
            self.entries[u] = None
            return all(map(self.facts.rematerializable, u.src))
        if any(s in self.stands for s in u.src):
            self.stands[u] = u.replace(tuple(self.stands.get(s, s) for s in u.src))
        self.values[self.stands.get(u, u)] = None
        return True


_SHARED = GroupOp.Elementwise | {Ops.CONST, Ops.INDEX, Ops.LOAD}


def _is_number(u: UOp) -> bool:
    return u.dtype.kind in "biuf" and u.dtype not in (dtypes.index, dtypes.float16)


class _Rows:
    """The calls, and the rows that hold what one of them computes and a later one needs."""

    def __init__(self, found: _Found) -> None:
        self.steps = _steps(found.values)
        self.free: dict[DType, list[int]] = {}
        self.count: dict[DType, int] = {}  # rows of each dtype
        self.row: dict[UOp, int] = {}
        made = {u: k for k, step in enumerate(self.steps) for u in step}
        last: dict[UOp, int] = {}
        for k, step in enumerate(self.steps):
            for u in step:
                for s in u.src:
                    if made.get(s) != k:
                        last[s] = k
        for _, u in found.stores:
            last[u] = len(self.steps)
        ends: list[list[UOp]] = [[] for _ in range(len(self.steps) + 1)]
        for u, k in last.items():
            if u in made or u in found.entries:
                ends[k].append(u)
        for u in found.entries:
            self._take(u)
        self.calls = []
        for step, gone in zip(self.steps, ends, strict=False):
            results = [u for u in step if u in last]
            for u in results:
                self._take(u)
            if results:
                self.calls.append(self._call(step, results))
            for u in gone:
                self.free.setdefault(u.dtype, []).append(self.row[u])

    def _take(self, u: UOp) -> None:
        free = self.free.get(u.dtype)
        if free:
            self.row[u] = free.pop()
        else:
            self.row[u] = self.count.get(u.dtype, 0)
            self.count[u.dtype] = self.row[u] + 1

    def _call(self, step: list[UOp], results: list[UOp]) -> Call:
        here: dict[UOp, UOp] = {}
        rows: list[int] = [self.row[u] for u in results]
        given = len(rows)
        numbers: list[float] = []
        several = len(step) > 1 or step[0].op not in ELEMENTARY
        for u in step:
            for s in u.src:
                if s in here:
                    continue
                if s.op is not Ops.CONST:
                    here[s] = row_of(len(rows) - given, s.dtype)
                    rows.append(self.row[s])
                elif several and s.dtype.kind == "f":
                    here[s] = number_of(len(numbers), s.dtype)
                    numbers.append(float(s.dtype.numpy.type(s.arg)))
                else:
                    here[s] = s
            here[u] = UOp(u.op, u.dtype, tuple(here[s] for s in u.src), u.arg)
        return Call(tuple(here[u] for u in results), tuple(rows), tuple(numbers))


def _steps(values: Iterable[UOp]) -> list[list[UOp]]:
    """The statements in as many functions: each elementary function is one, and what lies between two of them."""
    steps: list[list[UOp]] = []
    is_open = False
    for u in values:
        alone = u.op in ELEMENTARY and u.dtype.kind == "f"
        if alone or not is_open or len(steps[-1]) >= STRAIGHT_STATEMENTS:
            steps.append([])
        steps[-1].append(u)
        is_open = not alone
    return steps


class _Strips(Writer):
    """Writes the loop over strips: rows are filled from the arrays, the calls, rows are stored."""

    def __init__(self, uops: list[UOp], found: _Found, rows: _Rows) -> None:
        super().__init__(uops)
        self.found, self.rows = found, rows

    def loop(self, loop: Loop, kind: AxisType | None = None) -> None:
        """Write a loop, the one that was found in strips."""
        if loop is self.found.loop:
            self.strip(loop)
        else:
            super().loop(loop, kind)

    def strip(self, loop: Loop) -> None:
        """Write the loop."""
        t, self.first, count = self.strips(loop.range, WIDTH)
        whole = self.value(sym.mul(sym.div(sym.add(count, sym.const(UNIT - 1)), UNIT), UNIT))
        for u in self.found.shared:
            self.copy(u)
        self.memory = {d: self.near_array(d, n * WIDTH, L1_BYTES) for d, n in self.rows.count.items()}
        self._fill(count, whole)
        arg = CallsArg(WIDTH, tuple(self.rows.calls))
        calls = self.statement(UOp(Ops.CALLS, dtypes.void, (whole, *self.memory.values()), arg))
        for u in self.found.values:
            self.become(u, calls)
        self._store(count)
        self.close(t)

    def _at(self, u: UOp, lane: UOp) -> UOp:
        """The place of a lane in the row of a value."""
        return sym.add(sym.const(self.rows.row[u] * WIDTH), lane)

    def _fill(self, count: UOp, whole: UOp) -> None:
        """Fill rows from the arrays; the lanes beyond the end are like the last one."""
        if not self.found.entries:
            return
        lane = self.open(self.fresh(count))
        here = {self.found.loop.range: self.value(sym.add(self.first, lane))}
        for u in self.found.entries:
            place = self.at(self.memory[u.dtype], self._at(u, lane))
            self.statement(UOp(Ops.STORE, dtypes.void, (place, self._moved(u, here))))
        self.close(lane)
        beyond = UOp(Ops.MIN, dtypes.index, (sym.const(UNIT - 1), sym.sub(whole, count)))  # so that its bound is seen
        rest = self.open(self.fresh(self.value(beyond)))
        for u in self.found.entries:
            last = self.load(self.memory[u.dtype], self._at(u, sym.sub(count, sym.const(1))))
            self.store(self.memory[u.dtype], self._at(u, sym.add(count, rest)), last)
        self.close(rest)

    def _store(self, count: UOp) -> None:
        lane = self.open(self.fresh(count))
        here = {self.found.loop.range: self.value(sym.add(self.first, lane))}
        for store, u in self.found.stores:
            known = u in self.rows.row
            value = self.load(self.memory[u.dtype], self._at(u, lane)) if known else self.value(self.now(u))
            new = UOp(Ops.STORE, dtypes.void, (self._moved(store.src[0], here), value))
            self.become(store, self.statement(new))
        self.close(lane)

    def _moved(self, node: UOp, here: dict[UOp, UOp]) -> UOp:
        """Rematerialize a place in the loop that is open."""
        for u in toposort((node,), enter=lambda u: u in self.found.facts.varying and u not in here):
            if u in self.found.facts.varying and u not in here:
                src = tuple(here[s] if s in here else self.now(s) for s in u.src)
                index = u.dtype == dtypes.index and u.op is not Ops.CAST
                here[u] = simplest(u, src) if index else u.replace(src)
        return self.value(here[node] if node in here else self.now(node))
