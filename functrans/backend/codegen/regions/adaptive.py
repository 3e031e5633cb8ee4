"""A WHILE with a light body whose lanes end at different times: masked or refilled, as its trip counts turn out.

Lanes that have ended wait under a mask for the last one of their block; a lane that is refilled waits for nobody, but
each instance then costs what it takes to begin it alone. Which is less depends on how trip counts are spread, which
only the run knows. So of each stretch of blocks the first ones are refilled, and tell how many rounds their instances
had; what masks would have wasted there decides about the rest. Where there are too few to tell, all are refilled: that
costs up to half as much again, in float32 up to .8, where masks cost several times as much. An instance goes through
the same rounds either way, so results do not depend on it.
"""

from __future__ import annotations

from functrans.backend.codegen.regions.lane_program import LaneProgram
from functrans.backend.codegen.regions.lanes import LaneWriter
from functrans.backend.codegen.regions.refill import RefillWriter
from functrans.backend.codegen.regions.ways import Ways, handed_on
from functrans.backend.codegen.vectors.values import Shape
from functrans.backend.policy import REFILL_PICOSECONDS

SAMPLE = 16  # blocks that tell, of lanes that are refilled
STRETCH = 2048  # blocks that are decided about at a time


class AdaptiveWriter(Ways):
    """Writes the C functions of such a loop: one of each kind, and the one that calls them."""

    times = 4  # as many blocks as tell; of fewer the first ones do not tell about the rest

    def __init__(self, program: LaneProgram, masked: Shape, refilled: Shape) -> None:
        self.masked = LaneWriter(program, masked)
        self.refilled = RefillWriter(program, refilled, self.masked.width)
        self.sample = -(-SAMPLE * self.refilled.width // self.masked.width)
        self.portion = self.times * self.sample
        super().__init__(program.kernel.name, {"masked": self.masked, "refilled": self.refilled})
        self.refilled.tells = True
        self.width, self.round = self.masked.width, self.masked.round

    @property
    def stride(self) -> str:
        """The C of the bytes of scratch memory of a thread, where they depend on numbers of rounds."""
        return self.masked.stride

    def run(self) -> str:
        """The C. In scratch memory lies where the stretch begins that is at hand, and what is done with it."""
        head = self.masked.head()
        given = handed_on(head[:-3])
        least = REFILL_PICOSECONDS * self.width * self.sample * self.width // max(self.round, 1)
        whole = ""  # whether few lanes are refilled: masks would be of twice as many
        if self.refilled.width < self.width:
            whole = f" || {' * '.join(f'n{k}' for k in self.masked.every)} <= {self.refilled.width}"
        return "\n".join([
            self.masked.run(), self.refilled.run(), f"static int {self.name}({', '.join(head)}) {{",
            "  long long *const state = (long long *)scratch + 2;",
            "  long long begin = at && *at ? state[0] : from, refills = at && *at ? state[1] : -1;",
            "  while (begin < to) {",
            f"    const long long end = begin + {STRETCH} < to ? begin + {STRETCH} : to;",
            f"    long long first = begin + {self.sample};",
            f"    if (end - begin < {self.portion}) {{ first = begin; refills = end - begin > 1{whole}; }}",
            "    if (refills < 0) {",
            f"      long long told[{1 + self.sample}] = {{0}}, wasted = 0;",
            "      state[0] = begin;",
            "      state[1] = -1;",
            "      const int goes_on = at && *at; /* it took long, which is when it pays */",
            f"      if ({self.name}_refilled({given}, begin, first, at, goes_on ? 0 : told)) return 1;",
            f"      for (int k = 1; k <= {self.sample}; k++) wasted += told[k] * {self.width};",
            f"      refills = goes_on || wasted - told[0] > {least};",
            "    }",
            "    state[0] = begin;",
            "    state[1] = refills;",
            f"    if (refills ? {self.name}_refilled({given}, first, end, at, 0)",
            f"                : {self.name}_masked({given}, first, end, at)) return 1;",
            "    begin = end;",
            "    refills = -1;",
            "  }",
            "  return 0;",
            "}",
        ])  # fmt: skip
