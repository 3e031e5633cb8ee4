"""Run the benchmark: ``python -m benchmarks [ROW ...]``."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from functools import partial

from benchmarks.case import Case, load
from benchmarks.cases import CASES
from benchmarks.record import HERE, Record, compared
from benchmarks.report import line, write
from benchmarks.sides import OWN, Absent, Local, Remote, Side
from benchmarks.timing import measure

TABLES = ("dense", "sparse")


def main(arguments: list[str] | None = None) -> int:
    """Measure the rows asked for, print them, and write JSON and RESULTS.md; 1 if a row of ours is missing or wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("rows", nargs="*", help="names of rows or tables (default: all)")
    parser.add_argument("--budget", type=float, default=1.5, help="seconds of timing for each side of a row")
    parser.add_argument("--smoke", action="store_true", help="tiny sizes, no peers, nothing written")
    parser.add_argument("--list", action="store_true", help="print the names of the rows")
    options = parser.parse_args(arguments)
    known = [*TABLES, *(case.name for case in CASES)]
    unknown = sorted(set(options.rows) - set(known))
    if unknown or options.list:
        print("\n".join(known) if options.list else f"no row {', '.join(unknown)}; there are {', '.join(known)}")
        return 2 if unknown else 0
    chosen = [c for c in CASES if not options.rows or {c.name, c.table} & set(options.rows)]
    return smoke(chosen) if options.smoke else full(chosen, options.budget)


def smoke(chosen: list[Case]) -> int:
    """Build ours and the limit at tiny sizes in this process and hold them against NumPy."""
    failed = 0
    for case in chosen:
        own = dataclasses.replace(case, sides={s: b for s, b in case.sides.items() if s in OWN})
        found = measure(own, case.small, _local, budget=0.0, rounds=1)
        print(f"{case.name}: " + ", ".join(f"{s} {d:.0e}" for s, d in found.deviations.items()))
        for side, why in found.absent.items():
            print(f"    {side}: {why}")
        failed += any(not why.startswith("waits for") for why in found.absent.values())
    return int(failed > 0)


def _local(case: Case, side: str, size: int) -> Side:
    if side == "ours" and case.needs and not hasattr(load("functrans"), case.needs):
        raise Absent(f"waits for ft.{case.needs}")
    return Local(case, side, size)


def full(chosen: list[Case], budget: float) -> int:
    """Time every side in turn, each in a process of its own."""
    record, make = Record(), partial(Remote, threads=1)
    missing = 0
    for case in chosen:
        row = compared(measure(case, case.size, make, budget), case.table)
        record.add(row)
        record.write()
        write(record, HERE / "RESULTS.md")
        print(line(row), flush=True)
        missing += "ours" not in row["seconds"]
    return int(missing > 0)


if __name__ == "__main__":
    sys.exit(main())
