"""Run the example: ``python -m examples.power_flow``; the exit status is 1 if a tolerance fails."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import perf_counter

from .report import duration
from .scenarios import run_scenarios
from .study import solve_grid


def main(arguments: list[str] | None = None) -> int:
    """Solve both grids and the scenarios; return 0 if every check passed."""
    parser = argparse.ArgumentParser(prog="python -m examples.power_flow", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out"), help="where drawings go (default: out)")
    parser.add_argument("--scenarios", type=int, default=1000, help="load scenarios (default: 1000)")
    options = parser.parse_args(arguments)

    begin = perf_counter()
    print("AC power flow: equations in NumPy, compiled by functrans; reference: PYPOWER")
    small, large = solve_grid(118, options.out), solve_grid(300, options.out)
    checks = [*small.checks, *large.checks, *run_scenarios(small, options.scenarios)]

    failed = [check for check in checks if not check.passed]
    passed = len(checks) - len(failed)
    print(f"\n{passed} of {len(checks)} checks passed in {duration(perf_counter() - begin)}")
    for check in failed:
        print(check.line())
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
