"""Write the golden texts: ``python -m tests.golden.update``."""

from __future__ import annotations

import functrans as ft
from functrans.backend.codegen.vectors.target import written_for
from tests.golden.programs import CASES
from tests.golden.test_golden import TEXTS, WRITTEN_FOR

if __name__ == "__main__":
    TEXTS.mkdir(exist_ok=True)
    for old in TEXTS.glob("*.c"):
        old.unlink()
    for name, case in CASES.items():
        with written_for(WRITTEN_FOR):
            text = ft.jit(case.function).lower(*case.args).c_source
        (TEXTS / f"{name}.c").write_text(text)
