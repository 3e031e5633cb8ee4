"""Run the example: ``python -m examples.scenarios STORE``; again after a kill, it goes on."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable
from concurrent.futures import Executor
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
    parser.add_argument("--part", default="0/1", metavar="K/N", help="only chunks k with k %% N == K, as one of N jobs")
    parser.add_argument("--verify", action="store_true", help="read all that is done; what is damaged is done again")
    options = parser.parse_args(arguments)

    job = PowerFlows(options.buses, options.count, options.chunk, options.seed)
    results = Results.open(options.store, job.settings, job.columns)
    if options.verify:
        print(f"damaged chunks: {results.damaged() or 'none'}")
    k, n = map(int, options.part.split("/"))
    begin = perf_counter()
    if missing := results.missing():
        job.solve(missing[0])  # into the cache: workers that share it compile nothing
        print(f"traced and compiled in {duration(perf_counter() - begin)}", flush=True)
        begin = perf_counter()
        pool, workers = _pool(options)
        try:
            did = run(options.store, job, pool, workers, part=(k, n))
        except Stopped as error:
            print(error, file=sys.stderr)
            return 1
        seconds = perf_counter() - begin
        print(f"{len(did)} chunks in {duration(seconds)}, {len(did) * job.chunk / seconds:.0f} scenarios a second")
    return _summary(results)


def _pool(options: argparse.Namespace) -> tuple[Callable[[], Executor], int]:
    if options.mpi:
        futures = importlib.import_module("mpi4py.futures")
        return futures.MPIPoolExecutor, importlib.import_module("mpi4py.MPI").COMM_WORLD.size
    if options.dask is None:
        return partial(processes, options.workers), options.workers
    client = importlib.import_module("distributed").Client(options.dask)
    return client.get_executor, sum(client.nthreads().values())


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
