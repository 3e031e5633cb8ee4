"""Kernels run by the second oracle: their statements one by one, instead of their C."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from functrans.backend.codegen.lowered import LoweredKernel
from functrans.backend.codegen.statements import lower
from functrans.backend.schedule.kernels import kernels
from functrans.backend.schedule.passes import ranged
from functrans.backend.schedule.realize import root_of
from functrans.ops import Ops, UOp
from functrans.ops.execute import execute
from functrans.ops.source import stored
from functrans.ops.vmap import extent


def lowered(outputs: Sequence[UOp]) -> tuple[list[UOp], list[LoweredKernel]]:
    """The buffer of each output, and the statements that fill them."""
    buffers = ranged(outputs)
    of_root = dict(zip(dict.fromkeys(map(root_of, outputs)), buffers, strict=True))
    return [of_root[root_of(o)] for o in outputs], [lower(k) for k in kernels(buffers)]


def executed(outputs: Sequence[UOp], values: dict[UOp, np.ndarray]) -> list[np.ndarray]:
    """The arrays of the outputs, statement by statement."""
    results, made = lowered(outputs)
    memory: dict[UOp, np.ndarray] = {}
    for kernel in made:
        for b in kernel.buffers:
            memory.setdefault(b, _memory(b, values))
        run(kernel, [memory[b] for b in kernel.buffers])
    return [memory[b].reshape(b.arg.shape).reshape(o.sized) for o, b in zip(outputs, results, strict=True)]


def run(kernel: LoweredKernel, arrays: list[np.ndarray]) -> None:
    """All launches of a kernel on flat arrays, in the order of its buffers."""
    names = [u.arg.name for u in kernel.uops if u.op is Ops.DEFINE_GLOBAL]
    sizes = {f"n{k}": extent(r) for k, r in enumerate(kernel.extents)}
    for at in itertools.product(*(range(extent(r)) for r in kernel.outer)):
        outer = {f"i{k}": i for k, i in enumerate(at)}
        execute(kernel.uops, dict(zip(names, arrays, strict=True)), sizes | outer)


def _memory(b: UOp, values: dict[UOp, np.ndarray]) -> np.ndarray:
    if b.op is Ops.DEFINE_GLOBAL:
        node = b.src[0]
        return stored(node) if node.op is Ops.BUFFER else np.array(values[node]).reshape(-1)
    size = int(np.prod(b.arg.shape, dtype=int))
    return np.frombuffer(b"\xff" * (size * b.dtype.itemsize), b.dtype.numpy).copy()
