"""Run the benchmark: ``python -m benchmarks [ROW or TABLE ...]``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from benchmarks.record import HERE, Record, Row
from benchmarks.report import line, write
from benchmarks.rows import TABLES
from benchmarks.sides import Absent
from benchmarks.smoke import smoke


def main(arguments: list[str] | None = None) -> int:
    """Measure the rows asked for, print them, and write JSON and RESULTS.md; 1 if one could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("rows", nargs="*", help="names of rows or tables (default: all)")
    parser.add_argument("--budget", type=float, default=1.5, help="seconds of timing for each side of a row")
    parser.add_argument("--smoke", action="store_true", help="tiny sizes, no peers, nothing timed or written")
    parser.add_argument("--list", action="store_true", help="print the names of the rows")
    options = parser.parse_args(arguments)
    known = {name for table, rows in TABLES.items() for name in (table, *rows)}
    unknown = sorted(set(options.rows) - known)
    if unknown:
        print(f"no row {', '.join(unknown)}; --list names them")
        return 2
    if options.list:
        print("\n".join(f"{table}: {' '.join(rows)}" for table, rows in TABLES.items()))
        return 0
    if options.smoke:
        return smoke(options.rows)
    return full(options.rows, options.budget)


def full(wanted: list[str], budget: float) -> int:
    """Measure rows, and write what there is after each of them."""
    record, failed = Record(), 0
    for table, rows in TABLES.items():
        for name, measured in rows.items():
            if not wanted or {table, name} & set(wanted):
                failed += _one(record, name, measured, budget)
    return int(failed > 0)


def _one(record: Record, name: str, measured: Callable[[float], Row], budget: float) -> int:
    try:
        row = measured(budget)
    except Absent as why:
        print(f"{name}: not measured, {why}", flush=True)
        return 1
    record.add(row)
    record.write()
    write(record, HERE / "RESULTS.md")
    print(line(row), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
