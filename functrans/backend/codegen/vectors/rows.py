"""C that gives lanes of a vector rows of their own: which row each has, and an element of it in or out of memory.

Rows are numbers of 64 bits, whatever the vector is of. Where the machine has no instruction, lanes go in turn.
"""

from __future__ import annotations

from functrans.backend.codegen.vectors.helpers import MASKS, Helpers

EIGHT = range(8)  # rows, as many as a vector of 512 bits holds
SLOW = "".join(f" && !defined(__znver{n}__)" for n in (3, 4, 5))  # where gathers are slower than lanes in turn
ORDER = ", ".join(map(str, EIGHT))


class Rows(Helpers):
    """Rows of lanes, and what lies there."""

    def _nextrows(self, name: str) -> str:
        """The lanes of a mask take the rows from ``next`` on, past the end the last row; which took one before that."""
        one = "row[k] = next < last ? next : last - 1;"
        plain = (
            f"{self.m} r = ft_same_m{self.shape}(0); "
            f"{self._in_turn(f'{one} r = ft_setbit_m{self.shape}(r, k, next < last); next++;')} return r;"
        )
        steps = " ".join(
            f"{{ const unsigned char some = {self._some(h)}; "
            f"ft_i64x8p *const at = (ft_i64x8p *)(row{self._behind(h)}); "
            f"const ft_i64x8 i = ft_splat_i64x8(next) + (ft_i64x8){{{ORDER}}}, "
            "x = __builtin_ia32_expanddi512_mask(i, *at, some); *at = ft_min_i64x8(x, ft_splat_i64x8(last - 1)); "
            f"r |= ({self.m})((some & ft_lt_i64x8(x, ft_splat_i64x8(last))) << {8 * h}); "
            "next += __builtin_popcount(some); }"
            for h in self._halves
        )
        given = f"long long *row, {self.m} m, long long next, long long last"
        return self._define(self.m, name, given, plain, (self._whole_vectors, f"{self.m} r = 0; {steps} return r;"))

    def _takenext(self, name: str) -> str:
        """The numbers from place ``next`` on in the lanes where a mask says yes, the given ones elsewhere. Lanes have
        the rows that they have taken.
        """
        of = f"{self.kind}{self.shape}"
        plain = f"return ft_takerows_{of}(x, p, row, 1, 0, m);"
        wide = f"__builtin_ia32_expand{'d' if self.bits == 64 else 's'}{'f' if self.kind == 'f' else 'i'}512_mask"
        near = f"({self.v}){wide}({self._bits(f'ft_load_{of}(p + next)')}, {self._bits('x')}, m)"
        given = f"{self.v} x, const {self.number} *p, const long long *row, {self.m} m, long long next, long long last"
        fast = f"if (next + {self.lanes} <= last) return {near}; {plain}"
        return self._define(self.v, name, given, plain, (self._whole_vectors, fast))

    def _takerows(self, name: str) -> str:
        """Numbers at one place of the row of each lane where a mask says yes, the given ones elsewhere."""
        of = f"{self.kind}{self.shape}"
        one = f"ft_setbit_m{self.shape}(ft_same_m{self.shape}(0), k, 1)"
        plain = self._in_turn(f"x = ft_sel_{of}({one}, ft_splat_{of}(p[row[k] * size + at]), x);") + " return x;"
        parts = [f"__builtin_ia32_gather{self._stem}({self._part(h)}, (const void *)p, {self._places(h)}, "
                 f"{self._some(h)}, {self.bits // 8})" for h in self._halves]  # fmt: skip
        together = parts[0]
        if len(parts) > 1:
            together = f"__builtin_shufflevector({', '.join(parts)}, {ORDER}, {', '.join(map(str, range(8, 16)))})"
        given = f"{self.v} x, const {self.number} *p, const long long *row, long long size, long long at, {self.m} m"
        fast = self._whole_vectors and self._whole_vectors + SLOW
        return self._define(self.v, name, given, plain, (fast, f"return ({self.v}){together};"))

    def _getrows(self, name: str) -> str:
        """Numbers at one place of the row of each lane: number by number, which no machine is slow at."""
        plain = f"return ({self.v}){{{', '.join(f'p[row[{k}] * size + at]' for k in range(self.lanes))}}};"
        given = f"const {self.number} *p, const long long *row, long long size, long long at"
        return self._define(self.v, name, given, plain)

    def _setrows(self, name: str) -> str:
        """Numbers to one place of the row of each lane, number by number."""
        plain = " ".join(f"p[row[{k}] * size + at] = x[{k}];" for k in range(self.lanes))
        given = f"{self.number} *p, const long long *row, long long size, long long at, {self.v} x"
        return self._define("void", name, given, plain)

    def _putrows(self, name: str) -> str:
        """Numbers to one place of the row of each lane where a mask says yes."""
        plain = self._in_turn("p[row[k] * size + at] = x[k];")
        wide = " ".join(f"__builtin_ia32_scatter{self._stem}((void *)p, {self._some(h)}, {self._places(h)}, "
                        f"{self._part(h)}, {self.bits // 8});" for h in self._halves)  # fmt: skip
        given = f"{self.number} *p, const long long *row, long long size, long long at, {self.v} x, {self.m} m"
        return self._define("void", name, given, plain, (self._whole_vectors, wide))

    @property
    def _whole_vectors(self) -> str:
        return MASKS if self.size == 64 else ""

    @property
    def _halves(self) -> range:
        return range(max(self.lanes // 8, 1))

    @property
    def _stem(self) -> str:
        """What x86 calls gathers and scatters by places of 64 bits, eight at a time."""
        kind = "f" if self.kind == "f" else "i"
        return f"div8d{kind}" if self.bits == 64 else f"div16s{kind}"

    def _in_turn(self, text: str) -> str:
        """C of lane k, for each lane of the mask."""
        head = f"for (unsigned b = ft_lanes_m{self.shape}(m); b; b &= b - 1)"
        return f"{head} {{ const int k = __builtin_ctz(b); {text} }}"

    def _bits(self, text: str) -> str:
        return text if self.kind == "f" else f"({self.i}){text}"

    def _behind(self, half: int) -> str:
        return f" + {8 * half}" if half else ""

    def _some(self, half: int) -> str:
        """The mask of eight lanes."""
        return f"(unsigned char)(m >> {8 * half})" if half else "(unsigned char)m"

    def _part(self, half: int) -> str:
        """The numbers of eight lanes."""
        if self.lanes <= 8:
            return self._bits("x")
        order = ", ".join(str(8 * half + k) for k in EIGHT)
        return f"__builtin_shufflevector({self._bits('x')}, {self._bits('x')}, {order})"

    def _places(self, half: int) -> str:
        """Where the numbers of eight lanes lie."""
        at = f"*(const ft_i64x8p *)(row{self._behind(half)})"
        return f"{at} * ft_splat_i64x8(size) + ft_splat_i64x8(at)"
