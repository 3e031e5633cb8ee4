"""Write functrans/backend/runtime/_abi.py: what cffi knows of generated C, and a function of mathematics to look for.

An inline ``cdef`` would parse the prototype with pycparser in every process (35 ms); this parses it once,
ahead.  Run it after changing ``call.h`` or the prototype, and commit what it writes: ``python scripts/make_abi.py``.
"""

from __future__ import annotations

import re
from pathlib import Path

from cffi import FFI

RUNTIME = Path(__file__).resolve().parent.parent / "functrans" / "backend" / "runtime"
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
PROTOTYPE = "int ft_entry(void **buffers, const long long *sizes, ft_call *call); double sin(double);"  # is it there?

if __name__ == "__main__":
    ffi = FFI()
    ffi.cdef(COMMENT.sub("", (RUNTIME / "call.h").read_text()) + PROTOTYPE)
    ffi.set_source("functrans.backend.runtime._abi", None)
    ffi.compile(tmpdir=str(Path(__file__).resolve().parent.parent))
