"""explain: what a function was compiled into, and what its parts take."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from functrans import tree
from functrans._records import record
from functrans.backend import stopwatch
from functrans.backend.pipeline import Program
from functrans.backend.report import KernelFact, ProgramFacts, facts
from functrans.backend.runtime import cache as cache_module
from functrans.backend.runtime.compiling import vector_loops
from functrans.backend.runtime.library import available, state
from functrans.backend.runtime.machine import Machine, machine
from functrans.backend.runtime.toolchain import find_compiler
from functrans.backend.schedule.host import HostStep
from functrans.config import config
from functrans.errors import ArgumentError, TracedValueError, at_user_line
from functrans.ops import origin
from functrans.reporting import page, text
from functrans.tensor.constants import is_traced
from functrans.tensor.core import Tensor
from functrans.trace import ShapeDtype, as_array, check_bound, tracing
from functrans.transforms.jit import Jitted, Lowered, jit
from functrans.transforms.sparse.function import SparseFunction
from functrans.viz.page import write
from functrans.viz.roofline import Roofline

_RUNS, _SECONDS = 30, 0.3  # calls that are timed, and after how long they are enough


@record
class Build:
    """How the compiled code of one unit was come by: "compiled", "cached" or "loaded" already, and the seconds."""

    how: str
    seconds: float
    lines: int


@dataclass
class Explanation:
    """What a function was compiled into; prints, shows itself in a notebook, and writes a page of HTML.

    Attributes
    ----------
    units : list
        The compiled units: one, or one for each segment between host steps or part on a thread domain; each with its
        kernels and buffers.
    call : float | None
        Nanoseconds of one call, the median of ``calls``; None where nothing was run.
    """

    what: str
    signature: str
    units: list[ProgramFacts]
    builds: list[Build]
    lowered: Lowered
    threads: int
    machine: Machine | None = None
    shared: Machine | None = None
    call: float | None = None
    calls: int = 0
    host: list[tuple[HostStep, float | None]] = field(default_factory=list)
    note: str = ""

    @property
    def kernels(self) -> list[KernelFact]:
        """The kernels of all units, in the order they run."""
        return [k for u in self.units for k in u.kernels]

    @property
    def c_source(self) -> str:
        """The C text."""
        return self.lowered.c_source

    def roof(self, kernel: KernelFact) -> Machine | None:
        """The machine as the kernel uses it: one thread of it, or all that a call may use."""
        return self.shared if kernel.shared else self.machine

    def __repr__(self) -> str:
        """Kernels with their loops, what each takes, and why buffers are there."""
        return text.as_text(self)

    def _repr_html_(self) -> str:
        """The same for a notebook."""
        return page.fragment(self)

    def to_html(self, path: str | PathLike[str] | None = None) -> str:
        """One page of HTML with the graph after every pass beside the C; written to ``path`` if that is given.

        The page needs nothing but itself. Linear in nodes times passes. Raises OSError where it cannot be written.

        >>> import numpy as np, functrans as ft
        >>> ft.explain(np.sin, np.zeros(3)).to_html().startswith("<!doctype html>")
        True
        """
        return write(page.whole(self), path)

    def to_svg(self, path: str | PathLike[str] | None = None) -> str:
        """A picture of the loops, boxes in boxes, and of each choice between storing and computing again, as bars.

        The bars are estimates for an element and all reads of it; the way that was taken is filled. Raises OSError
        where the file cannot be written.

        >>> import numpy as np, functrans as ft
        >>> ft.explain(np.sin, ft.ShapeDtype((3,))).to_svg().startswith("<svg")
        True
        """
        return write(page.picture(self), path)

    @property
    def roofline(self) -> Roofline:
        """The kernels under the roofs of this machine: prints as text, ``.to_svg(path)``; empty where nothing ran."""
        return page.roofline(self)


def explain(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Explanation:
    """What is compiled for a call ``f(*args)``: kernels, fusion and why not, lanes, bytes, flops, times.

    f is any function of arrays: plain, transformed (`vmap`, `grad`, ...), jitted, or a sparse derivative, whose
    ``values`` are explained. It is traced, compiled and called some 30 times, for a third of a second at the most; with
    a `ShapeDtype` among the arguments nothing runs and there are no times. The first explanation on a machine measures
    its memory and arithmetic, which takes about a second.

    Raises ArgumentError for what is no function and for bad arguments, TracedValueError inside a traced function.

    >>> import numpy as np, functrans as ft
    >>> found = ft.explain(ft.vmap(lambda x: x / x.sum()), np.ones((1000, 3)))
    >>> [(k.name, k.cost.bytes_read, k.loops[0].roles[0]) for k in found.kernels]
    [('k0', 24000, 'batch')]

    Source: the roofline model, Williams, Waterman and Patterson, Communications of the ACM 52 (2009).
    """
    lowered, leaves = _lowered(f, args, kwargs)
    program = lowered.program
    runs = available()
    named = program.leaves
    recorded = [(title, leaf, leaf.recorded()) for title, leaf in named]
    builds, units = [], []
    for title, leaf, passes in recorded:
        passes.title = title
        builds += [_build(leaf)] if runs else []
        vectors = vector_loops(find_compiler(), passes.c_text, cache_module.current()) if runs else None
        units.append(facts(title, leaf.plan, passes, vectors))
    shapes = ", ".join(f"{'x'.join(map(str, p.shape or ())) or 'scalar'} {p.dtype.name}" for p in lowered.traced.params)
    found = Explanation(lowered.what.removeprefix("jit of "), shapes, units, builds, lowered, config.threads)
    found.host = [(s, None) for s in program.host_steps]
    if not runs:
        found.note = "no C compiler: the NumPy interpreter answers, and nothing below is run"
        return found
    found.machine = machine(1)
    found.shared = machine(config.threads) if config.threads > 1 else found.machine
    if any(isinstance(x, ShapeDtype) for x in leaves):
        found.note = "not run: an argument is a ShapeDtype"
    else:
        _measure(found, program, [leaf for _, leaf in named], leaves)
    return found


def _lowered(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Lowered, list[Any]]:
    """The function traced, every node with the line of the user's that made it; and the leaves of its arguments."""
    if isinstance(f, SparseFunction):
        f = f.values
    if not callable(f):
        raise ArgumentError(
            f"explain explains a function, but got {f!r} of type {type(f).__name__}{at_user_line()}; give the function "
            "and its arguments, as in ft.explain(f, x), not the result of a call"
        )
    jitted = f if isinstance(f, Jitted) else jit(f)
    leaves = tree.flatten((args, kwargs))[0]
    if not tracing():
        check_bound(leaves, "explain")
    if tracing() or any(isinstance(x, Tensor) and is_traced(x.uop) for x in leaves):
        raise TracedValueError(
            f"explain is called inside a function that is being traced{at_user_line()}; it times calls, so call it "
            "outside, on arrays"
        )
    with origin.recorded():
        return jitted.lowered(args, kwargs)


def _build(leaf: Program) -> Build:
    before, start = state(leaf.c_source), time.perf_counter()
    leaf.compile()
    how = {"absent": "compiled"}.get(before, before)
    return Build(how, time.perf_counter() - start, leaf.c_source.count("\n"))


def _measure(found: Explanation, program: Program, leaves: list[Program], arguments: list[Any]) -> None:
    arrays = [as_array(x) for x in arguments]
    with stopwatch.measured() as watch:
        results = program(arrays)  # compiles
        watch.kernels.clear()
        watch.steps.clear()
        calls = _timed(lambda: program(arrays, results))
    found.call, found.calls = median(calls), len(calls)
    for unit, leaf in zip(found.units, leaves, strict=True):
        for kernel, spent in zip(unit.kernels, zip(*watch.kernels[leaf], strict=True), strict=True):
            kernel.nanoseconds = median(spent)
    found.host = [(s, median(watch.steps[s])) for s in program.host_steps]


def median(values: Sequence[int]) -> float:
    """The middle one, or of two the mean.

    >>> median([3, 1, 2]), median([4, 1])
    (2.0, 2.5)
    """
    ranked = sorted(values)
    return (ranked[(len(ranked) - 1) // 2] + ranked[len(ranked) // 2]) / 2


def _timed(run: Callable[[], Any]) -> list[int]:
    spent: list[int] = []
    begun = time.perf_counter()
    while len(spent) < 3 or (len(spent) < _RUNS and time.perf_counter() - begun < _SECONDS):
        start = time.perf_counter_ns()
        run()
        spent.append(time.perf_counter_ns() - start)
    return spent
