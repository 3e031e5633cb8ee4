"""Write functrans/backend/runtime/_abi.py, the cffi description of the one entry point of generated C.

An inline ``cdef`` would parse the prototype with pycparser in every process (35 ms); this parses it once,
ahead.  Run it after changing the prototype, and commit what it writes: ``python scripts/make_abi.py``.
"""

from __future__ import annotations

from pathlib import Path

from cffi import FFI

PROTOTYPE = "int ft_entry(void **buffers, const long long *sizes);"

if __name__ == "__main__":
    ffi = FFI()
    ffi.cdef(PROTOTYPE)
    ffi.set_source("functrans.backend.runtime._abi", None)
    ffi.compile(tmpdir=str(Path(__file__).resolve().parent.parent))
