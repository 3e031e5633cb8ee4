"""Memory traffic of mapped functions by cachegrind: ``python -m benchmarks.traffic [ROW ...]`` (default: two).

Beside it stand what the schedule says and what inputs and outputs hold: a mapped function that is one kernel moves each
of them once. The C of a row is linked with a main function that calls it, and runs twice under valgrind's simulation of
a cache of 256 KB, with few calls and with many. The lines that the calls in which they differ miss, times 64 bytes, are
the bytes that they move; a written line counts where it is fetched. Valgrind knows no vectors of 512 bits, so the
code is compiled for AVX2. Nothing is timed; two rows take some seconds.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import functrans as ft
from benchmarks.case import LINE
from benchmarks.cases.elementwise import chain
from benchmarks.cases.logsumexp import logsumexp
from benchmarks.cases.softmax import softmax
from benchmarks.record import HERE, Record, Row
from benchmarks.report import line, write
from benchmarks.sides import Absent
from functrans.backend.launch import Record as Call

BATCH = 8_000
CALLS = (2, 12)
SLACK = 0.05  # of what the schedule says, besides a part of the simulated cache
ROWS: dict[str, tuple[Callable[..., Any], tuple[tuple[int, ...], ...]]] = {
    "softmax": (softmax, ((64,),)),
    "logsumexp": (logsumexp, ((64,),)),
    "elementwise": (chain, ((64,),)),
    "matmul6": (lambda a, b: a @ b, ((6, 6), (6, 6))),
    "columns": (lambda x: x * np.sum(x), ((64,),)),
}
DEFAULT = ("softmax", "logsumexp")
_FLAGS = (
    "-O1 -ftree-loop-vectorize -fvect-cost-model=dynamic -march=haswell -fno-math-errno -fno-trapping-math -fwrapv "
    "-fno-strict-aliasing -ffp-contract=off"
).split()
_CACHE = ["--cache-sim=yes", "--LL=262144,16,64", "--cachegrind-out-file=/dev/null"]
_MAIN = """
long long atoll(const char *);
void *aligned_alloc(unsigned long, unsigned long);

int main(int count, char **given) {{
  static const long long sizes[] = {{{sizes}}}, bytes[] = {{{bytes}}};
  void *buffers[{number} + {slices} + 1];
  for (int k = 0; k < {number}; k++) {{
    double *array = buffers[k] = aligned_alloc(64, (bytes[k] + 63) / 64 * 64);
    unsigned long long state = k + 1;
    for (long long i = 0; i < bytes[k] / 8; i++) {{
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      array[i] = (double)(long long)state / 9.3e18;
    }}
  }}
  static const long long offsets[] = {{{offsets}}};
  char *arena = aligned_alloc(64, {arena} / 64 * 64 + 64);
  for (int k = 0; k < {slices}; k++) buffers[{number} + k] = arena + offsets[k];
  for (long long n = count > 1 ? atoll(given[1]) : 1; n > 0; n--) {{
    ft_call call = {{0, 1, {{-1, 0}}, 0}};
    while (ft_entry(buffers, sizes, &call) == FT_AGAIN);
  }}
  return 0;
}}
"""


def main_function(call: Call) -> str:
    """C that calls the entry point as often as its argument says, on arrays of numbers between -1 and 1."""
    shapes = [*call.inputs, *call.outputs]
    bytes_ = [int(np.prod(shape)) * dtype.itemsize for shape, dtype in shapes]
    values = {"sizes": call.sizes or (0,), "bytes": bytes_, "offsets": call.offsets or (0,)}
    lists = {name: ", ".join(map(str, numbers)) for name, numbers in values.items()}
    return _MAIN.format(number=len(shapes), slices=len(call.offsets), arena=call.arena, **lists)


def misses(program: Path, calls: int) -> tuple[int, int]:
    """Lines that were missed by reads and by writes in a process of so many calls."""
    command = ["valgrind", "--tool=cachegrind", *_CACHE, str(program), str(calls)]
    done = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r"LL misses:\s+[\d,]+\s+\(\s*([\d,]+) rd\s+\+\s+([\d,]+) wr\)", done.stderr)
    if done.returncode or found is None:
        raise RuntimeError(f"cachegrind failed:\n{done.stderr[-2000:]}")
    reads, writes = (int(g.replace(",", "")) for g in found.groups())
    return reads, writes


def moved(f: Callable[..., Any], *shapes: tuple[int, ...]) -> tuple[list[int], list[int], list[int]]:
    """Bytes read and written by a call of the map of f over a batch: by cachegrind, by its schedule, of its arrays."""
    lowered = ft.jit(ft.vmap(f)).lower(*(ft.ShapeDtype((BATCH, *s)) for s in shapes))
    call = lowered.program.record()
    if call is None or call.captured:
        raise RuntimeError("a row has arguments and results alone")
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "row.c", Path(folder) / "row"
        source.write_text(lowered.c_source + main_function(call), encoding="utf-8")
        subprocess.run(["gcc", *_FLAGS, str(source), "-o", str(program), "-lm"], check=True)
        few, many = (misses(program, calls) for calls in CALLS)
    counted = [LINE * (b - a) // (CALLS[1] - CALLS[0]) for a, b in zip(few, many)]
    held = [sum(int(np.prod(s)) * d.itemsize for s, d in kinds) for kinds in (call.inputs, call.outputs)]
    spent = lowered.cost()
    return counted, [spent.bytes_read, spent.bytes_written], held


def row(name: str, budget: float = 0) -> Row:
    """A row of the table; met where the schedule is inputs plus outputs, and no more than that is moved."""
    if shutil.which("valgrind") is None:
        raise Absent("no valgrind")
    f, shapes = ROWS[name]
    counted, scheduled, held = moved(f, *shapes)
    met = scheduled == held and all(c <= (1 + SLACK) * s + 2**16 for c, s in zip(counted, scheduled))
    title = f"map of {name} over {BATCH} times {' and '.join('x'.join(map(str, s)) for s in shapes)}"
    return {"table": "traffic", "name": f"traffic-{name}", "title": title, "counted": counted,
            "scheduled": scheduled, "held": held, "met": met}  # fmt: skip


TABLE: dict[str, Callable[[float], Row]] = {f"traffic-{name}": partial(row, name) for name in DEFAULT}


def main(names: list[str]) -> int:
    """Measure rows and write them where the others are; 1 if one of them moves more than inputs and outputs."""
    record, failed = Record(), 0
    for name in names or DEFAULT:
        found = row(name)
        record.add(found)
        record.write()
        write(record, HERE / "RESULTS.md")
        print(line(found), flush=True)
        failed += not found["met"]
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
