"""The short way of a call: arguments of a known signature straight into compiled code.

The compiled launcher takes every call whose signature was seen before: arrays, numbers, pytrees, by position and by
keyword, with static arguments.  Where it is not built, cffi takes positional arrays that are C-contiguous and aligned.
Any other call, and every call while somebody traces, is answered with NotImplemented, and goes the long way: the same
results, and all the errors.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import update_wrapper
from typing import Any, NamedTuple

import numpy as np

from functrans import tree
from functrans.backend.memory import Array
from functrans.backend.runtime.launcher import build_in_background, ready, running
from functrans.backend.runtime.library import Entry
from functrans.backend.signature import Kinds, Structure, array_arguments
from functrans.config import config

__all__ = ["Launch", "Record", "direct"]

Call = Callable[..., Any]
Unflatten = Callable[[list[Any]], Any] | bool | None
"""How results are put together: False for a single one, None for a tuple, a function for anything else."""

_PLAIN = 0x0001 | 0x0100  # NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED
_INTO = _PLAIN | 0x0400  # NPY_ARRAY_WRITEABLE
_KEPT = 8  # signatures of one function at hand; RECORDS in launch.c
_BUILD = 64  # calls of one function after which the launcher is worth its build


class Record(NamedTuple):
    """All that a short call needs: what comes in and out, and where it stands in the buffers of the entry point.

    The first ``flags`` bytes of the arena are zero unless a matrix was refused: then the long way tells of it.

    The buffers are the arguments, the captured arrays, the results and slices of the arena at ``offsets``. The address
    ``pool`` is 0 where one thread is enough; the arena is larger by ``scratch`` for each thread but the first.
    ``long``: it takes so long that other threads should run meanwhile; ``lasting``: so long that it may be left on the
    way. ``limits``: what an argument must lie between, where it is a Python integer that gives way to a narrow dtype.
    ``weak``: an argument is a Python number, for which an array is another signature.
    """

    entry: Entry
    inputs: Kinds
    captured: tuple[Array, ...]
    outputs: Kinds
    offsets: tuple[int, ...]
    arena: int
    flags: int
    sizes: tuple[int, ...]
    pool: int
    scratch: int
    long: bool
    lasting: bool
    limits: tuple[tuple[int, int] | None, ...]
    weak: bool


class Launch:
    """The short calls of one function: ``call(args, out, kwargs)`` is the result, or NotImplemented."""

    __slots__ = ("_calls", "_direct", "_module", "_records", "call")

    def __init__(self) -> None:
        self._records: dict[Hashable, tuple[Record, Structure]] = {}
        self._direct: dict[Kinds, Call] = {}  # of those that take positional arrays
        self._calls = 0
        self._module: Any = None
        self.call: Call = self._by_cffi

    def add(self, record: Record, results: tree.TreeDef) -> None:
        """One more signature, of positional arrays."""
        self.add_structure(record.inputs, record, array_arguments(record.inputs, results), results)

    def add_structure(self, key: Hashable, record: Record, structure: Structure, results: tree.TreeDef) -> None:
        """One more signature, known by ``key``; the oldest one gives way."""
        if key in self._records:
            return
        if len(self._records) == _KEPT:
            oldest, _ = self._records.pop(next(iter(self._records)))
            self._direct.pop(oldest.inputs, None)
        self._records[key] = record, structure
        if self._module is not None:
            _give(self.call, record, structure)
            return
        if structure == array_arguments(record.inputs, results):
            self._direct[record.inputs] = direct(record, _put_together(results))
        self._take_launcher()

    def writer(self, known: dict[int, Call], method: Callable[..., Any]) -> Callable[..., Any] | None:
        """``method``, but that ``f(*args, out=buffer)`` asks ``known`` first for the call of a buffer by its ``id``.

        None where there is no compiled launcher, which does that without a frame of Python's.
        """
        if self._module is None:
            return None
        found: Callable[..., Any] = update_wrapper(self._module.Writer(known, method), method)
        return found

    def _take_launcher(self) -> None:
        """Change over to the compiled launcher, if it is there."""
        module = ready()
        if module is None:
            return
        launch = module.Launch()
        for record, structure in list(self._records.values()):
            _give(launch, record, structure)
        self._module, self.call = module, launch
        self._direct.clear()

    def _by_cffi(self, args: tuple[Any, ...], out: Any, kwargs: dict[str, Any] | None = None) -> Any:
        if running or config.debug_nans:
            return NotImplemented
        self._calls += 1
        if self._calls >= _BUILD and not self._calls & (self._calls - 1):  # at powers of two: it costs time
            build_in_background()
            self._take_launcher()
        for inputs, call in self._direct.items() if not kwargs else ():
            if len(args) != len(inputs):
                continue
            for a, (shape, dtype) in zip(args, inputs):
                if type(a) is not np.ndarray or a.shape != shape or a.dtype is not dtype:
                    break
                if a.flags.num & _PLAIN != _PLAIN:
                    break
            else:
                return call(args, out)
        return NotImplemented


def _give(launch: Any, record: Record, structure: Structure) -> None:
    entry, *rest, _, _, _ = record
    launch.add(structure, entry.address, entry, *rest)


def _put_together(results: tree.TreeDef) -> Unflatten:
    if results == tree.LEAF:
        return False
    flat = results.kind is tuple and all(c == tree.LEAF for c in results.children)
    return None if flat else results.unflatten


def direct(record: Record, unflatten: Unflatten) -> Call:
    """A function that makes the call through cffi; nothing is left to find out but the addresses of the arrays."""
    pointer, function, integers = record.entry.pointer, record.entry.function, record.entry.integers
    through, begin = record.entry.through, record.entry.begin
    captured, outputs = list(map(pointer, record.captured)), record.outputs
    empty, byte = np.empty, np.dtype(np.uint8)
    # of one that takes no time, nothing is kept: all its calls may begin with the same
    sizes, nowhere, alone = integers(record.sizes), [pointer(empty(0, byte))] * len(record.offsets), begin(record.pool)

    def several(args: tuple[Array, ...], out: Any) -> Any:
        outs = None if out is None else places(out, args)
        if outs is NotImplemented:
            return NotImplemented
        threads = config.threads if record.pool else 1
        try:
            results = [empty(shape, dtype) for shape, dtype in outputs] if outs is None else outs
            arena = empty(record.arena + (threads - 1) * record.scratch, byte)
            arena[: record.flags] = 0
            memory = pointer(arena)
        except MemoryError:
            return NotImplemented  # the long way says how much was wanted for what
        slices = [memory + k for k in record.offsets]
        through([*map(pointer, args), *captured, *map(pointer, results), *slices], sizes, begin(record.pool, threads))
        if record.flags and arena[: record.flags].any():
            return NotImplemented
        return together(results, unflatten) if out is None else out

    shape, dtype = outputs[0] if outputs else ((), byte)

    def places(out: Any, args: tuple[Array, ...]) -> Any:
        """The arrays of ``out``, an array or a tuple of them, if the results can be written there."""
        outs = (out,) if unflatten is False else out
        if type(outs) is not tuple or len(outs) != len(outputs) or callable(unflatten):
            return NotImplemented
        for k, (a, (shape, dtype)) in enumerate(zip(outs, outputs)):
            if type(a) is not np.ndarray or a.shape != shape or a.dtype is not dtype:
                return NotImplemented
            if a.flags.num & _INTO != _INTO or any(np.may_share_memory(a, b) for b in (*args, *outs[:k])):
                return NotImplemented
        return outs

    def one(args: tuple[Array, ...], out: Any, _library: Entry = record.entry) -> Any:  # in use while this runs
        if out is not None and places(out, args) is NotImplemented:
            return NotImplemented
        try:
            result = empty(shape, dtype) if out is None else out
        except MemoryError:
            return NotImplemented
        function([*map(pointer, args), *captured, pointer(result), *nowhere], sizes, alone)
        return result

    return one if unflatten is False and shape and not record.arena and not record.lasting else several


def together(results: Sequence[Array], unflatten: Unflatten) -> Any:
    """Results as the function returned them; an array without axes is a NumPy scalar."""
    if unflatten is False:
        return results[0] if results[0].ndim else results[0][()]
    found = [r if r.ndim else r[()] for r in results]
    return unflatten(found) if callable(unflatten) else tuple(found)
