"""Write the golden texts: ``python -m tests.golden.update``."""

from __future__ import annotations

import functrans as ft
from tests.golden.programs import CASES
from tests.golden.test_golden import TEXTS

if __name__ == "__main__":
    TEXTS.mkdir(exist_ok=True)
    for old in TEXTS.glob("*.c"):
        old.unlink()
    for name, case in CASES.items():
        (TEXTS / f"{name}.c").write_text(ft.jit(case.function).lower(*case.args).c_source)
