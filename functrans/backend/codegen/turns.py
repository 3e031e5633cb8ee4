"""Kernels whose steps threads may share: a row of a table and one call each, and one C function that all go through.

Whether threads share the steps, and when one of them stops to be called again, is the same code for every kernel. It
stands once, since that of some twenty kernels was a third of what the compiler had to do for a recurrence. Of one
kernel the compiler puts it where it is called.
"""

from __future__ import annotations

from functrans.backend.codegen.split import Split
from functrans.backend.codegen.strips import Strips

# Strips are handed out in four portions for each thread: where a portion begins, what is near is in no cache.
_TURN = """\
typedef struct ft_shared { ft_part *run; long long number, grain, least, turn, shortest, strip; } ft_shared;
static const ft_shared ft_shares[] = {
ROWS
};

static int ft_turn(void **buffers, const long long *sizes, ft_call *call,
    const ft_shared *s, long long n, const long long *rows) {
  if (rows || (call->threads > 1 && n > s->least)) {
    const long long strips = s->strip ? n / (4 * call->threads * s->strip) * s->strip : 0;
    const long long grain = strips > s->grain ? strips : s->grain;
    if (!call->pool(s->run, buffers, sizes, n, grain, s->least, call->threads, call->at + 1, rows)) return 0;
  } else {
    const long long at = call->at[1], to = n - at > s->turn + s->shortest ? at + s->turn : n;
    s->run(buffers, sizes, at, to, 0);
    call->at[1] = to < n ? to : 0;
    if (to >= n) return 0;
  }
  call->at[0] = s->number;
  return FT_AGAIN;
}"""


class Shares:
    """The table of a unit."""

    def __init__(self) -> None:
        self._rows: list[str] = []

    def call(self, number: int, run: str, worth: Split | Strips, count: str, rows: str = "0") -> str:
        """The call of a part, by its name in C, for ``count`` steps of the kernel with a number. ``rows`` is what
        threads.c calls so: how results lie that are written past the caches.
        """
        shortest, strip = (worth.shortest, 0) if isinstance(worth, Split) else (worth.steps, worth.steps)
        numbers = (number, worth.grain, worth.least, worth.turn, shortest, strip)
        self._rows.append(f"  {{{', '.join([run, *map(str, numbers)])}}},")
        row = f"ft_shares + {len(self._rows) - 1}"
        return f"if (ft_turn(buffers, sizes, call, {row}, {count}, {rows})) return FT_AGAIN;"

    def text(self) -> str:
        """The C of the table and of the function; nothing where there is no row."""
        return _TURN.replace("ROWS", "\n".join(self._rows)) if self._rows else ""
