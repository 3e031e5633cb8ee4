"""What a call needs, and arrays beside it, on disk: so that a new process need not derive again what it runs.

A file stands under a hash of what it was made from, of functrans itself and of the vectors it was written for. It holds
numbers, arrays and the hash of the C text; the code is a file of its own.
"""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from typing import Any

import numpy as np

from functrans._lazy import hashlib
from functrans._sources import fingerprint
from functrans.backend.codegen.vectors.target import target
from functrans.backend.launch import Record
from functrans.backend.memory import Array
from functrans.backend.runtime import cache
from functrans.backend.runtime.library import available, find
from functrans.backend.runtime.threads import pool
from functrans.backend.structure import structure
from functrans.config import config
from functrans.debug import log, warn_once
from functrans.errors import CompileError
from functrans.ops.uop import UOp

__all__ = ["find_kept", "hash_of", "keep_on_disk"]

_BEGIN = 64  # bytes that an array is aligned to


def hash_of(
    roots: Sequence[UOp], params: Sequence[UOp], order: Sequence[UOp], arrays: Sequence[Array], *asked: str
) -> str:
    """What graphs have in common that are the same, with arrays of the same content and the same wishes.

    ``order`` are the nodes below the roots, sources first.
    """
    graph = structure(roots, params, order=order)
    contents = (hashlib.sha256(np.ascontiguousarray(a).data).hexdigest() for a in arrays)
    kinds = [(a.dtype.str, a.shape) for a in arrays]
    return cache.digest(graph, repr(kinds), *asked, *contents)


def find_kept(what: str, made_from: str) -> tuple[Record | None, list[Array]] | None:
    """The record and the arrays that were kept of ``what`` made from something with this hash; None where there are
    none, or where the code is gone.
    """
    name = _name(what, made_from)
    if name is None or not available():
        return None
    data = cache.current().view(name)
    if data is None:
        return None
    try:
        facts, arrays = _read(data)
        if facts is None:
            return None, arrays
        code, *rest = facts
        entry = find(code)
        return None if entry is None else (_record(entry, rest, arrays), arrays[rest[0] :])
    except (ValueError, TypeError, EOFError, IndexError) as error:
        warn_once("kept", f"the cached file {name} makes no sense ({error}); made anew")
        return None


def keep_on_disk(what: str, made_from: str, code: str, record: Record | None, arrays: Sequence[Array]) -> None:
    """Keep a record, the hash of the C text of its entry, and arrays for other processes."""
    name = _name(what, made_from)
    every = [*(() if record is None else record.captured), *arrays]
    if name is None or sum(a.nbytes for a in every) > config.cache_max_size:
        return
    facts = None
    if record is not None:
        kinds = [[(shape, dtype.str) for shape, dtype in part] for part in (record.inputs, record.outputs)]
        plain = record.offsets, record.arena, record.flags, record.sizes, record.scratch
        facts = (code, len(record.captured), *kinds, *plain, record.long, record.lasting, record.limits, record.weak)
    try:
        cache.current().put(name, *_written(facts, every))
    except CompileError as error:  # what runs is loaded, which is all that this process needs
        log(1, f"{what} is not kept: {error}")


def _record(entry: Any, facts: Sequence[Any], arrays: Sequence[Array]) -> Record:
    count, inputs, outputs, offsets, arena, flags, sizes, scratch, long, lasting, limits, weak = facts
    given, made = ((tuple((shape, np.dtype(d)) for shape, d in part)) for part in (inputs, outputs))
    shared = pool() if lasting else 0
    return Record(
        entry, given, tuple(arrays[:count]), made, offsets, arena, flags, sizes, shared, scratch, long, lasting, limits,
        weak,
    )  # fmt: skip


def _name(what: str, made_from: str) -> str | None:
    functrans = fingerprint()
    if functrans is None or config.debug >= 2 or config.dump is not None:  # schedule and C are to be told of
        return None
    return cache.digest("kept", functrans, repr(target()), what, made_from) + ".kept"


def _written(facts: Any, arrays: Sequence[Array]) -> list[bytes | memoryview]:
    """The parts of a file; the arrays are in it as they are."""
    head = marshal.dumps((facts, [(a.dtype.str, a.shape) for a in arrays]))
    parts: list[bytes | memoryview] = [len(head).to_bytes(8, "little"), head]
    at = 8 + len(head)
    for a in arrays:
        parts += [bytes(-at % _BEGIN), np.ascontiguousarray(a).reshape(-1).view(np.uint8).data]
        at += -at % _BEGIN + a.nbytes
    return parts


def _read(data: memoryview) -> tuple[Any, list[Array]]:
    """What a file holds; the arrays are views of it."""
    at = 8 + int.from_bytes(data[:8], "little")
    facts, kinds = marshal.loads(data[8:at])
    arrays = []
    for d, shape in kinds:
        at += -at % _BEGIN
        dtype, count = np.dtype(d), int(np.prod(shape, dtype=np.int64))
        arrays.append(np.frombuffer(data, dtype, count, at).reshape(shape))
        at += count * dtype.itemsize
    return facts, arrays
