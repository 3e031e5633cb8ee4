"""From a graph to something that runs: schedule, lower, compile, bind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from functrans.backend import late, stopwatch
from functrans.backend.facts import Cost, Facts
from functrans.backend.launch import Record
from functrans.backend.memory import Array, allocate, shaped
from functrans.backend.ready import Code, code_of
from functrans.backend.runtime.library import NoPlace, available, give_up
from functrans.backend.runtime.threads import pool
from functrans.backend.schedule.memory import ALIGN
from functrans.backend.schedule.realize import root_of
from functrans.backend.schedule.variables import unbind
from functrans.backend.structure import structure
from functrans.config import config
from functrans.errors import ArgumentError, LeakedValueError, at_user_line
from functrans.ops.collapse import collapse
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.failure import raises
from functrans.ops.interpret import interpret
from functrans.ops.opdef import is_host
from functrans.ops.placement import HOST, Layout, is_placed, pm_view
from functrans.ops.prepare import prepared
from functrans.ops.rewrite import graph_rewrite
from functrans.ops.source import in_file, stored
from functrans.ops.uop import UOp, toposort
from functrans.ops.weak import check_fit, limits_of, narrowed

if TYPE_CHECKING:
    from functrans.backend.plan import Plan
    from functrans.backend.schedule.host import HostStep
    from functrans.backend.schedule.kernels import Kernel
    from functrans.ops.passes import Recorded

_MIN_OPERATIONS = 2000  # of a call that releases the GIL: a few microseconds


class Program:
    """A graph made runnable: arrays for its PARAMs in, new arrays for its outputs out.

    The graph is scheduled when its kernels are first asked for and compiled when it is first called. Its code is found
    by its structure, or else by its text: another batch size is the same text.

    Attributes
    ----------
    outputs, params : the graph as it was traced
    fixed : whether its sizes are those of a pattern, and no other batch is to have the same text
    roots, arrays, captured, variables : what is planned: results, arguments, stored arrays and run-time integers
    """

    def __init__(self, outputs: Sequence[UOp], params: Sequence[UOp], fixed: bool = False) -> None:
        self.outputs, self.params, self.fixed = tuple(outputs), tuple(params), fixed
        plain = prepared(self.outputs)
        placed = is_placed(toposort(plain))
        written: Sequence[UOp] = plain
        self._flags: list[tuple[UOp, UOp]] = []  # results behind those of the outputs, and the op each speaks of
        if not placed and any(map(_is_expanded, toposort(plain))):
            written, self._flags = late.dense.written(plain)
        unbound, self._bound = unbind([*written, *(flag for flag, _ in self._flags)])
        self._root_of = [root_of(o) for o in graph_rewrite(unbound, pm_view)]
        self.roots = list(dict.fromkeys(self._root_of))
        order = toposort(self.roots)
        self.variables = [p for p in self.params if p.op is Ops.DEFINE_VAR] + list(self._bound)
        self._check_params(order)
        self._narrowed = narrowed(order)
        windowed = {u.src[0] for u in order if u.op is Ops.BUFFER_VIEW}
        read = {s for u in order if u.op is not Ops.BUFFER_VIEW for s in u.src}.union(self.roots)
        self.captured = [
            u for u in order if u.op is Ops.BUFFER_VIEW or (u.op is Ops.BUFFER and (u not in windowed or u in read))
        ]
        self._unbound = [u for u in order if u.op is Ops.DEFINE_VAR and len(u.arg) == 3]
        self._holds_custom = any(u.op in GroupOp.Custom for u in order)
        self._domains = late.domains.OverDomains(plain, self.params, _of_one_thread) if placed else None
        self.arrays = [p for p in self.params if p.op is not Ops.DEFINE_VAR]
        self.variables += self._unbound
        self._plan: Plan | None = None
        self._code: Code | None = None
        self._one_thread = False
        host = self._domains is None and any(map(is_host, order))
        self._steps = late.steps.Steps(self.roots, Program) if host else None

    def _check_params(self, order: list[UOp]) -> None:
        known = {*self.params, *self.variables}
        for u in order:
            if (u.op is Ops.PARAM or (u.op is Ops.DEFINE_VAR and len(u.arg) > 3)) and u not in known:
                raise LeakedValueError(
                    f"a traced value of shape {u.shape} and dtype {u.dtype.name} is used outside the trace that made "
                    "it; return it from the traced function instead of keeping it"
                )

    def _check_variables(self) -> None:
        """Raise where a variable reaches the run without a value."""
        for u in self._unbound:
            name, low, high = u.arg
            raise ArgumentError(
                f"variable {name!r} has no value{at_user_line()}: bind it to an integer from {low} to {high}, as in "
                f"{name}.bind({low}), and use what bind returns, or give that as an argument"
            )

    @property
    def plan(self) -> Plan:
        """Kernels, C text and memory, made on first use."""
        if self._plan is None:
            self._plan = late.plan.plan_of(self)
        return self._plan

    @property
    def code(self) -> Code:
        """Compiled code and what a call of it needs; found, or planned and compiled, on first use."""
        if self._code is None:
            self._code = code_of(self) if self._plan is None else (self._plan.entry, self._plan.facts)
        return self._code

    @cached_property
    def key(self) -> str:
        """Equal for graphs that share a plan."""
        return structure(self.roots, self.arrays, self.variables) + "fixed" * self.fixed

    @property
    def root_of(self) -> list[UOp]:
        """The array that each output is in, and behind them those of flags: a matrix was refused, say, where one is
        set.
        """
        return self._root_of

    @property
    def bound(self) -> list[int]:
        """The values of run-time integers that are in the graph."""
        return [int(n) for n in self._bound.values()]

    @property
    def unbound(self) -> list[UOp]:
        """Run-time integers without a value."""
        return self._unbound

    @property
    def over_domains(self) -> bool:
        """Whether thread domains share it."""
        return self._domains is not None

    @property
    def binds(self) -> bool:
        """Whether run-time integers have their values in the graph."""
        return bool(self._bound)

    @property
    def facts(self) -> Facts:
        """What a call needs, by the plan where nothing is compiled yet."""
        return self.plan.facts if self._code is None else self._code[1]

    def __getstate__(self) -> dict[str, Any]:
        """Pickled as its graph: the plan is made, and the code found or compiled, where it is unpickled."""
        return self.__dict__ | {"_plan": None, "_code": None}

    def recorded(self) -> Recorded:
        """What every pass makes of the graph, in a plan made anew; of one thread domain and segment, see `leaves`."""
        self._plan, passes = late.plan.recorded_plan(self)
        self._code = None
        return passes

    @property
    def leaves(self) -> list[tuple[str, Program]]:
        """The programs that are compiled each by itself, and what each is: segments between host steps, the parts of
        thread domains, or else this one.
        """
        if self._steps is not None:
            return [(f"segment {k}", p) for k, p in enumerate(self._steps.programs)]
        return [("", self)] if self._domains is None else self._domains.programs

    @property
    def handed(self) -> list[tuple[UOp, list[str]]]:
        """What segments between host steps store for others: each node, and who reads it."""
        return [] if self._steps is None else self._steps.handed

    @property
    def host_steps(self) -> list[HostStep]:
        """What NumPy evaluates between kernels, in order."""
        return [] if self._steps is None else [s for part in self._steps.parts for s in part.steps]

    @property
    def kernels(self) -> list[Kernel]:
        """The kernels, in the order they run; those of one phase domain by domain."""
        return [k for phase in self.phases for kernels in phase.values() for k in kernels]

    @property
    def phases(self) -> list[dict[str, list[Kernel]]]:
        """What runs at once: phase by phase the kernels of each thread domain, which run in order."""
        if self._steps is not None:
            return [{HOST: [k for p in self._steps.programs for k in p.kernels]}]
        return [{HOST: self.plan.kernels}] if self._domains is None else self._domains.kernels

    @property
    def layouts(self) -> list[Layout | None]:
        """How each result lies over thread domains; None where it was not asked for."""
        return [None] * len(self.outputs) if self._domains is None else self._domains.phases.layouts

    @property
    def c_source(self) -> str:
        """The C text of the translation unit; of several domains, every text once; of segments between host steps,
        one after the other.
        """
        if self._steps is not None:
            return "\n".join(p.c_source for p in self._steps.programs)
        return self.plan.c_source if self._domains is None else self._domains.c_source

    def cost(self) -> Cost:
        """What one run costs by the schedule; of host steps, how many there are."""
        if self._steps is not None:
            largest = max((p.cost().temporaries for p in self._steps.programs), default=0)
            return late.cost.cost(self.kernels, largest, len(self.host_steps))
        if self._domains is not None:
            return late.cost.cost(self.kernels, self._domains.temporaries)
        return self.plan.cost if self._code is None else self._code[1].cost

    def compile(self) -> None:
        """Compile and load now rather than at the first call."""
        if self._steps is not None:
            for p in self._steps.programs:
                p.compile()
        elif self._domains is None:
            _ = self.code
        else:
            self._domains.compile()

    def __call__(self, arrays: Sequence[Array], out: Sequence[Array] | None = None) -> list[Array]:
        """Run on C-contiguous arrays of the params, in their order, into ``out`` where it is given.

        The arrays of ``out`` have the shapes and dtypes of the outputs and overlap neither one another nor ``arrays``.
        """
        self._check_variables()
        if self._narrowed:
            bound = {v: np.asarray(n) for v, n in self._bound.items()}
            check_fit(self._narrowed, dict(zip(self.params, arrays, strict=True)) | bound)
        results = self.run(arrays, out)
        if config.debug_nans:
            late.nans.check_nans(collapse(self.outputs), results, dict(zip(self.params, arrays, strict=True)))
        return results

    def run(self, arrays: Sequence[Array], out: Sequence[Array] | None = None) -> list[Array]:
        """A call without the checks of arguments and results that settings ask for."""
        if available():
            try:
                return self._run(arrays, out)
            except NoPlace as error:
                give_up(error)
                if available():
                    raise
        results = interpret(collapse(self.outputs), dict(zip(self.params, arrays, strict=True)))
        return _hand_over([np.array(r) for r in results], out)

    def _run(self, arrays: Sequence[Array], out: Sequence[Array] | None) -> list[Array]:
        """A call of compiled code. Raises NoPlace, with nothing run yet, where there is no place for that."""
        if self._domains is not None:
            return self._domains.run(arrays, out)
        if self._steps is not None:
            bound = {v: np.asarray(n) for v, n in self._bound.items()}
            found = self._steps.run(dict(zip(self.params, arrays, strict=True)) | bound)
            return _hand_over(self._results(dict(zip(self.roots, found, strict=True))), out)
        timed = stopwatch.wanted()
        facts = self.plan.facts if timed else self.code[1]
        filled = self._places(out)
        threads = config.threads if self.shares else 1
        arena = allocate((facts.arena + (threads - 1) * facts.scratch,), np.dtype(np.uint8), "intermediate values")
        slices = [arena[a:b] for a, b in facts.slices]
        given = list(zip(self.params, arrays, strict=True))
        values = [int(a) for p, a in given if p.op is Ops.DEFINE_VAR]
        buffers = [a for p, a in given if p.op is not Ops.DEFINE_VAR]
        places = [*buffers, *map(stored, self.captured), *filled.values(), *slices]
        sizes = [*facts.sizes, *values, *self._bound.values()]
        shared = pool() if threads > 1 or facts.far else 0
        if timed:
            stopwatch.enter(self, self.plan, places, sizes, shared, threads)
        else:
            self.code[0](places, sizes, shared, threads)
        return _hand_over(self._results(filled), out)

    def _results(self, made: Mapping[UOp, Array]) -> list[Array]:
        """The arrays of the outputs. Raises LinAlgError where a flag is set."""
        count = len(self.outputs)
        for (flag, op), root in zip(self._flags, self._root_of[count:], strict=True):
            late.failures.check_flag(op, shaped(made[root], flag.sized))
        return [shaped(made[root], o.sized) for o, root in zip(self.outputs, self._root_of[:count], strict=True)]

    def short(self) -> Record | None:
        """What a short call needs, of one entry point, or of several between which nothing is Python's; else None."""
        limits = limits_of(self._narrowed, self.params)
        values = self._unbound or self._bound or any(p.op is not Ops.PARAM for p in self.params)
        if self._steps is None or limits is None or values or config.debug >= 2 or not available():
            return self.record()
        return late.chained.chained(self, self._steps, limits, any(len(p.arg) > 2 for p in self.params))

    def record(self) -> Record | None:
        """What a short call needs; None where a call takes more than arrays, memory and the entry point."""
        if self._domains is not None or self._steps is not None or self._unbound:
            return None
        limits = limits_of(self._narrowed, self.params)
        if limits is None:
            return None
        if config.debug >= 2:  # each call is to be timed, and told of
            return None
        if len(set(self._root_of)) < len(self._root_of) or any(p.op is not Ops.PARAM for p in self.params):
            return None
        if any(map(in_file, self.captured)) or not available():
            return None
        try:
            entry, facts = self.code
        except NoPlace as error:
            give_up(error)
            return None
        spent = facts.cost
        flags = list(accumulate((-(-flag.size // ALIGN) * ALIGN for flag, _ in self._flags), initial=0))
        return Record(
            entry,
            tuple((p.sized, p.dtype.numpy) for p in self.params),
            tuple(map(stored, self.captured)),
            tuple((o.sized, o.dtype.numpy) for o in self.outputs),
            (*flags[:-1], *(flags[-1] + start for start, _ in facts.slices)),
            facts.arena + flags[-1],
            flags[-1],
            (*facts.sizes, *self._bound.values()),
            pool() if facts.threads_pay and not self._one_thread else 0,
            facts.scratch,
            spent.flops + (spent.bytes_read + spent.bytes_written) // 8 > _MIN_OPERATIONS or self._holds_custom,
            facts.threads_pay,
            limits,
            any(len(p.arg) > 2 for p in self.params),
        )

    @property
    def shares(self) -> bool:
        """Whether there is work in it that pays more than one thread, and threads for it."""
        return self.facts.threads_pay and not self._one_thread and config.threads > 1 and pool() != 0

    def _places(self, out: Sequence[Array] | None) -> dict[UOp, Array]:
        given: dict[UOp, Array] = {}
        for root, array in zip(self._root_of, out or (), strict=False):  # none is given for a flag
            if array.flags.c_contiguous and array.flags.aligned:
                given.setdefault(root, array)
        shapes = {root: root.sized for root in self.roots}
        shapes |= {root: o.sized for o, root in zip(self.outputs, self._root_of, strict=False)}
        return {
            root: given[root] if root in given else allocate(shape, root.dtype.numpy, "a result")
            for root, shape in shapes.items()
        }


def _is_expanded(node: UOp) -> bool:
    """Whether an op may become others, or a flag, before anything is planned."""
    return node.op in GroupOp.Host or node.op in GroupOp.Region or raises(node)


def _hand_over(results: list[Array], out: Sequence[Array] | None) -> list[Array]:
    """The results, each in memory that it owns, as any array of NumPy's, or in the arrays the caller gave."""
    if out is not None:
        for target, result in zip(out, results, strict=True):
            if not np.may_share_memory(target, result):
                target[...] = result
        return list(out)
    owners: set[int] = set()
    mine = []
    for r in results:
        again = id(r) in owners or not r.flags.owndata
        owners.add(id(r))
        mine.append(r.copy() if again else r)
    return mine


def _of_one_thread(outputs: Sequence[UOp], params: Sequence[UOp]) -> Program:
    """The program of what one thread domain runs, while others run theirs."""
    made = Program(outputs, params)
    made._one_thread = True
    return made
