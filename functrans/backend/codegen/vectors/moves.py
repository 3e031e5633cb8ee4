"""C that reads and writes vectors."""

from __future__ import annotations

from functools import partialmethod

from functrans.backend.codegen.vectors.helpers import DI, OF_C, SMALL, Helpers

APART = "static __attribute__((noinline)) "


class Moves(Helpers):
    """Reads and writes: side by side, the first ones, under a mask, at a stride, or from where other numbers say."""

    def _load(self, name: str) -> str:
        return self._define(self.v, name, f"const {self.number} *p", f"return *(const {self.v}p *)p;")

    def _store(self, name: str) -> str:
        return self._define("void", name, f"{self.number} *p, {self.v} x", f"*({self.v}p *)p = x;")

    def _loadfirst(self, name: str) -> str:
        """The first n numbers, and zeros."""
        of, shape = f"{self.kind}{self.shape}", self.shape
        by_mask = f"return ft_loadif_{of}(p, ft_first_m{shape}(n));"
        plain = f"return ({self.v}){{{', '.join(f'{k} < n ? p[{k}] : 0' for k in range(self.lanes))}}};"
        given = f"const {self.number} *p, int n"
        masked = self._masked if self.lanes > 2 else ""  # of two numbers the first is one
        return self._define(self.v, name, given, plain, (masked, by_mask), (self._avx2, by_mask))

    def _loadsome(self, name: str) -> str:
        """The first n numbers, and the last of them over and over."""
        first, last = f"ft_first_m{self.shape}(n)", f"ft_splat_{self.kind}{self.shape}(p[n - 1])"
        of_bits = f"(const {OF_C[f'i{self.bits}']} *)p, ({self.i}){last}"
        wide = f"return ({self.v})__builtin_ia32_loaddqu{DI[self.bits]}{self.b}_mask({of_bits}, {first});"
        if self.kind == "f":
            wide = f"return __builtin_ia32_loadu{self.p}{self.b}_mask(p, {last}, {first});"
        plain = f"return ({self.v}){{{', '.join(f'p[{k} < n ? {k} : n - 1]' for k in range(self.lanes))}}};"
        of = f"{self.kind}{self.shape}"
        half = f"return ft_sel_{of}({first}, ft_loadif_{of}(p, {first}), {last});"
        return self._define(
            self.v, name, f"const {self.number} *p, int n", plain, (self._masked, wide), (self._avx2, half)
        )

    def _loadif(self, name: str) -> str:
        """The numbers where a mask says yes, and zeros."""
        zeros, of_bits = f"({self.v}){{0}}", f"(const {OF_C[f'i{self.bits}']} *)p, ({self.i}){{0}}"
        wide = f"return ({self.v})__builtin_ia32_loaddqu{DI[self.bits]}{self.b}_mask({of_bits}, m);"
        half = f"return ({self.v})__builtin_ia32_maskload{self.q}256((const {self.i} *)p, m);"
        if self.kind == "f":
            wide = f"return __builtin_ia32_loadu{self.p}{self.b}_mask(p, {zeros}, m);"
            half = f"return __builtin_ia32_maskload{self.p}256((const {self.v} *)p, m);"
        plain = f"return ({self.v}){{{', '.join(f'm[{k}] ? p[{k}] : 0' for k in range(self.lanes))}}};"
        given = f"const {self.number} *p, {self.m} m"
        return self._define(self.v, name, given, plain, (self._masked, wide), (self._avx2, half))

    def _every(self, name: str) -> str:
        """Numbers that lie as far apart as is said."""
        plain = f"return ({self.v}){{{', '.join(f'p[{k} * step]' for k in range(self.lanes))}}};"
        return self._define(self.v, name, f"const {self.number} *p, long long step", plain)

    def _everyfirst(self, name: str) -> str:
        """The first n of those, and zeros."""
        plain = f"return ({self.v}){{{', '.join(f'{k} < n ? p[{k} * step] : 0' for k in range(self.lanes))}}};"
        return self._define(self.v, name, f"const {self.number} *p, long long step, int n", plain)

    def _gathered(self, name: str, places: str, first: str | None) -> str:
        """Numbers from the places that stand side by side, the first n or all: one by one, no machine is slow at that.
        Places are read again for each vector, as compilers keep them in more registers than there are.
        """
        one = "{0} < n ? p[i[{0}]] : 0" if first else "p[i[{0}]]"
        plain = f'__asm__("" : "+r"(i)); return ({self.v}){{{", ".join(one.format(k) for k in range(self.lanes))}}};'
        given = f"const {self.number} *p, const {OF_C[places]} *i{', int n' if first else ''}"
        return self._define(self.v, name, given, plain)

    def _back(self, name: str) -> str:
        """Numbers from the last to the first."""
        order = ", ".join(map(str, reversed(range(self.lanes))))
        of = f"ft_load_{self.kind}{self.shape}(p - {self.lanes - 1})"
        plain = f"const {self.v} x = {of}; return __builtin_shufflevector(x, x, {order});"
        return self._define(self.v, name, f"const {self.number} *p", plain)

    def _turnin(self, name: str) -> str:
        """As many numbers of each of as many records: the first number of all of them as one vector, and so on."""
        read = " ".join(f"{self.v} x{k} = ft_load_{self.kind}{self.shape}(p + {k} * row);" for k in range(self.lanes))
        write = " ".join(f"to[{k}] = x{k};" for k in range(self.lanes))
        return self._transposition(name, f"const {self.number} *p, long long row, {self.v} *to", read, write, APART)

    def _turnout(self, name: str) -> str:
        """Vectors to as many numbers of each of as many records."""
        read = " ".join(f"{self.v} x{k} = from[{k}];" for k in range(self.lanes))
        write = " ".join(f"ft_store_{self.kind}{self.shape}(p + {k} * row, x{k});" for k in range(self.lanes))
        return self._transposition(name, f"{self.number} *p, long long row, const {self.v} *from", read, write, APART)

    def _rowstaken(self, name: str) -> str:
        """Those of lanes where a mask says yes; elsewhere a vector keeps what it has."""
        f = f"f{self.shape}"
        kept = f"to[{{0}}] = ({self.v})ft_sel_{f}(m, (ft_{f}){{1}}, (ft_{f})to[{{0}}]);"
        return self._rows_read(name, f", {self.m} m", kept)

    def _rows_read(self, name: str, mask: str, put: str) -> str:
        """So many numbers from one place on of the row of each lane, a vector of lanes for each number: ``put`` says
        where a number goes, and the vector.
        """
        of, n = f"{self.kind}{self.shape}", self.lanes
        read = f"long long e = 0; for (; e + {n} <= count; e += {n}) {{ const {self.number} *const q = p + at + e; "
        read += " ".join(f"{self.v} x{k} = ft_load_{of}(q + row[{k}] * size);" for k in range(n))
        write = " ".join(put.format(f"e + {k}", f"x{k}") for k in range(n))
        last = put.format("e", f"ft_getrows_{of}(p, row, size, at + e)")
        write += f" }} for (; e < count; e++) {last}"
        return self._transposition(name, f"const {self._in_rows}, {self.v} *to{mask}", read, write, APART)

    _rowsin = partialmethod(_rows_read, mask="", put="to[{0}] = {1};")

    def _rowsput(self, name: str) -> str:
        """To the rows of lanes where a mask says yes: others stay as they are."""
        where = f"if (ft_bit_m{self.shape}(m, {{0}})) "
        return self._rows_written(name, f", {self.m} m", where, "ft_putrows_{of}(p, row, size, at + e, from[e], m);")

    def _rows_written(self, name: str, mask: str, where: str, last: str) -> str:
        """The same back: ``where`` says whether a lane is written."""
        of, n = f"{self.kind}{self.shape}", self.lanes
        read = f"long long e = 0; for (; e + {n} <= count; e += {n}) {{ {self.number} *const q = p + at + e; "
        read += " ".join(f"{self.v} x{k} = from[e + {k}];" for k in range(n))
        write = " ".join(f"{where.format(k)}ft_store_{of}(q + row[{k}] * size, x{k});" for k in range(n))
        write += f" }} for (; e < count; e++) {last.format(of=of)}"
        return self._transposition(name, f"{self._in_rows}, const {self.v} *from{mask}", read, write, APART)

    _rowsout = partialmethod(_rows_written, mask="", where="", last="ft_setrows_{of}(p, row, size, at + e, from[e]);")

    @property
    def _in_rows(self) -> str:
        return f"{self.number} *p, const long long *row, long long size, long long at, long long count"

    def _turninfirst(self, name: str) -> str:
        """The same of records of fewer numbers, ``row`` of them."""
        of = f"ft_loadfirst_{self.kind}{self.shape}"
        read = " ".join(f"{self.v} x{k} = {of}(p + {k} * row, (int)row);" for k in range(self.lanes))
        write = " ".join(f"if ({k} < row) {{ to[{k}] = x{k}; }}" for k in range(self.lanes))
        return self._transposition(name, f"const {self.number} *p, long long row, {self.v} *to", read, write, SMALL)

    def _turnoutfirst(self, name: str) -> str:
        """The same back."""
        of = f"ft_storefirst_{self.kind}{self.shape}"
        read = " ".join(f"{self.v} x{k} = {k} < row ? from[{k}] : ({self.v}){{0}};" for k in range(self.lanes))
        write = " ".join(f"{of}(p + {k} * row, x{k}, (int)row);" for k in range(self.lanes))
        return self._transposition(name, f"{self.number} *p, long long row, const {self.v} *from", read, write, SMALL)

    def _transposition(self, name: str, given: str, read: str, write: str, kind: str) -> str:
        """A function that transposes a square of numbers: halves are exchanged at each distance."""
        lines, n = [read], self.lanes
        for d in (1 << k for k in range(n.bit_length() - 1)):
            low = ", ".join(str(n + k - d if k & d else k) for k in range(n))
            high = ", ".join(str(n + k if k & d else k + d) for k in range(n))
            for i in (i for i in range(n) if not i & d):
                pair = f"const {self.v} a = x{i}, b = x{i + d};"
                first, second = (f"__builtin_shufflevector(a, b, {order})" for order in (low, high))
                lines.append(f"{{ {pair} x{i} = {first}; x{i + d} = {second}; }}")
        body = "\n  ".join([*lines, write])
        return f"{kind}void {name}({given}) {{\n  {body}\n}}"

    def _even(self, name: str) -> str:
        """Every second number."""
        of, order = f"{self.kind}{self.shape}", ", ".join(str(2 * k) for k in range(self.lanes))
        pair = f"a = ft_load_{of}(p), b = ft_loadfirst_{of}(p + {self.lanes}, {self.lanes - 1})"
        plain = f"const {self.v} {pair}; return __builtin_shufflevector(a, b, {order});"
        return self._define(self.v, name, f"const {self.number} *p", plain)

    def _storefirst(self, name: str) -> str:
        """The first n numbers go to memory."""
        arguments = f"{self.number} *p, {self.v} x, int n"
        first = f"ft_first_m{self.shape}(n)"
        wide = f"__builtin_ia32_storeu{self.p}{self.b}_mask(p, x, {first});"
        half = f"__builtin_ia32_maskstore{self.p}256(({self.v} *)p, {first}, x);"
        if self.kind != "f":
            to = f"({OF_C[f'i{self.bits}']} *)p"
            wide = f"__builtin_ia32_storedqu{DI[self.bits]}{self.b}_mask({to}, ({self.i})x, {first});"
            half = f"__builtin_ia32_maskstore{self.q}256(({self.i} *)p, {first}, ({self.i})x);"
        plain = " ".join(f"if ({k} < n) {{ p[{k}] = x[{k}]; }}" for k in range(self.lanes))
        masked = self._masked if self.lanes > 2 else ""
        return self._define("void", name, arguments, plain, (masked, wide), (self._avx2, half))
