"""Errors of the elementary functions of float32 on every float32: ``python -m benchmarks.every [NAME ...]``.

Half a minute of C a function, against that of float64, whose own errors are nothing beside a unit of float32. Waves are
measured as far as they are float32's; beyond, they are the C library's.
"""

from __future__ import annotations

import sys

import numpy as np

from functrans.backend.codegen.prelude import prelude
from functrans.backend.elementary.circular32 import LIMIT
from functrans.backend.elementary.expansion import BINARY, SINGLE
from functrans.backend.runtime.library import load

WAVES = ("sin", "cos", "tan")
NAMES = tuple(name for name in SINGLE if name not in BINARY)
"""The functions of one argument that have C of their own."""
_TEXT = """
static inline float ft_single(unsigned b) { float x; __builtin_memcpy(&x, &b, 4); return x; }

int ft_entry(void **buffers, const long long *sizes) {
  static float x[4096], y[4096];
  static double off[4096];
  double *worst = buffers[0];
  for (unsigned block = 0; block < 4096; block++) {
    const unsigned first = ((unsigned)sizes[0] << 24) + (block << 12);
    for (int i = 0; i < 4096; i++) {
      const float a = ft_single(first + i);
      x[i] = __builtin_fabsf(a) > LIMIT ? 0.0f : a;
    }
    for (int i = 0; i < 4096; i++) y[i] = SINGLE(x[i]);
    for (int i = 0; i < 4096; i++) off[i] = DOUBLE((double)x[i]);
    for (int i = 0; i < 4096; i++) {
      const double t = off[i], z = y[i], top = 0x1p128;  /* infinity counts as the next number */
      double unit = ft_float_f64(ft_bits_f64(t) & 0x7ff0000000000000LL);
      unit = unit < 0x1p-126 ? 0x1p-126 : unit > 0x1p127 ? 0x1p127 : unit;
      const double e = __builtin_fabs((z > top ? top : z < -top ? -top : z) - (t > top ? top : t < -top ? -top : t));
      const _Bool lost = (t != t) != (z != z) || (z == 0 && (ft_bits_f64(t) ^ ft_bits_f64(z)) < 0);
      off[i] = lost ? __builtin_inf() : t != t ? 0.0 : e / unit * 0x1p23;
    }
    for (int i = 0; i < 4096; i++) if (off[i] > worst[0]) { worst[0] = off[i]; worst[1] = x[i]; }
  }
  return 0;
}
"""


def every(name: str) -> tuple[float, float]:
    """The largest error of a function in units in the last place, and its argument."""
    stem = f"{name}near" if name in WAVES else name
    limit = f"{LIMIT!r}f" if name in WAVES else "__builtin_inff()"
    text = _TEXT.replace("SINGLE", f"ft_{stem}_f32").replace("DOUBLE", f"ft_{stem}_f64").replace("LIMIT", limit)
    entry, worst = load(prelude(text) + text), np.zeros(2)
    for part in range(256):
        entry([worst], [part])
    return float(worst[0]), float(worst[1])


def main() -> int:
    """Measure and print."""
    for name in sys.argv[1:] or NAMES:
        error, at = every(name)
        print(f"{name}: {error:.3f} at {at:.9g}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
