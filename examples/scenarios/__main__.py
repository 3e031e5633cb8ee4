"""Run the example: ``python -m examples.scenarios STORE``; again after a kill, it goes on."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from functools import partial
from time import perf_counter

import numpy as np

from examples.power_flow.report import duration

from .job import PowerFlows
from .run import Stopped, processes, run
from .store import Results


def main(arguments: list[str] | None = None) -> int:
    """Do what is missing and print a summary; 1 where the run was stopped, or parts of other runs are missing."""
    parser = argparse.ArgumentParser(prog="python -m examples.scenarios", description=__doc__)
    parser.add_argument("store", help="the Zarr group of the results, a directory or a URL")
    parser.add_argument("--count", type=int, default=PowerFlows.count, help="scenarios (default: %(default)s)")
    parser.add_argument("--chunk", type=int, default=PowerFlows.chunk, help="of them a task (default: %(default)s)")
    parser.add_argument("--buses", type=int, default=PowerFlows.buses, help="118 or 300")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (default: one a CPU)")
    parser.add_argument("--dask", metavar="ADDRESS", help="the scheduler of a Dask cluster, instead of processes")
    parser.add_argument("--mpi", action="store_true", help="ranks of mpiexec, instead of processes")
    parser.add_argument("--part", type=_part, default=(0, 1), metavar="K/N", help="one of N jobs: k %% N == K")
    parser.add_argument("--verify", action="store_true", help="read all that is done; what is damaged is done again")
    options = parser.parse_args(arguments)

    job = PowerFlows(options.buses, options.count, options.chunk, options.seed)
    try:
        results = Results.open(options.store, job.settings, job.columns)
    except ValueError as error:
        parser.error(str(error))
    if options.verify:
        print(f"damaged chunks: {results.damaged() or 'none'}")
    begin = perf_counter()
    if missing := results.missing():
        job.solve(missing[0])  # into the cache: workers that share it compile nothing
        print(f"traced and compiled in {duration(perf_counter() - begin)}", flush=True)
        begin = perf_counter()
        try:
            with _pool(options) as (pool, workers):
                did = run(options.store, job, pool, workers, part=options.part)
        except Stopped as error:
            print(error, file=sys.stderr)
            return 1
        seconds = perf_counter() - begin
        print(f"{len(did)} chunks in {duration(seconds)}, {len(did) * job.chunk / seconds:.0f} scenarios a second")
    return _summary(results)


def _part(text: str) -> tuple[int, int]:
    k, n = map(int, text.split("/"))
    if not 0 <= k < n:
        raise ValueError(text)
    return k, n


@contextmanager
def _pool(options: argparse.Namespace) -> Iterator[tuple[Callable[[], Executor], int]]:
    """What makes a pool, and how many workers it has."""
    if options.mpi:
        futures, mpi = (importlib.import_module(f"mpi4py.{name}") for name in ("futures", "MPI"))
        yield futures.MPIPoolExecutor, mpi.COMM_WORLD.size
    elif options.dask is not None:
        with importlib.import_module("distributed").Client(options.dask) as client:
            yield client.get_executor, sum(client.nthreads().values())
    else:
        yield partial(processes, options.workers), options.workers


def _summary(results: Results) -> int:
    missing = len(results.missing())
    if missing:
        print(f"{missing} of {results.marks.shape[0]} chunks are still missing")
        return 1
    lowest, iterations = results.group["lowest_voltage"][:], results.group["iterations"][:]
    solved = np.isfinite(lowest)
    print(f"{solved.sum()} of {results.count} solved, in {iterations[solved].max()} steps at most")
    for part in (0, 0.001, 0.5):
        print(f"  lowest voltage, quantile {part:<5}  {np.quantile(lowest[solved], part):.4f} p.u.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
