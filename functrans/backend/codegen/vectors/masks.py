"""C of masks, which say yes or no of each number of a vector."""

from __future__ import annotations

import re
from functools import partialmethod

from functrans.backend.codegen.vectors.helpers import MASKS
from functrans.backend.codegen.vectors.moves import Moves


class Masks(Moves):
    """Masks from bytes, as bytes, and of numbers twice or half as long; comparisons and choices."""

    def _bytes(self, name: str) -> str:
        """A mask of bytes, each 0 for no."""
        plain = f"ft_i{self.shape} r; for (int k = 0; k < {self.lanes}; k++) r[k] = -(p[k] != 0); return ({self.m})r;"
        bits = f"{self.m} r = 0; for (int k = 0; k < {self.lanes}; k++) r |= ({self.m})((p[k] != 0) << k); return r;"
        read = (
            "typedef char v16 __attribute__((vector_size(16))); typedef long long v2 __attribute__((vector_size(16))); "
            f"long long b[2] = {{0, 0}}; __builtin_memcpy(b, p, {self.lanes}); const v16 x = (v16)(v2){{b[0], b[1]}};"
        )
        wide = f"{read} return ({self.m})__builtin_ia32_ptestmb128(x, x, (unsigned short)-1);"
        half = f"{read} return ({self.m})(({self.i})__builtin_ia32_pmovsxb{self.q}{self.b}(x) != 0);"
        special = [(f"{self._masked} && defined(__AVX512BW__)", wide), (self._masked, bits)] if self._masked else []
        if self.size in EXTENDED:
            special.append((f"defined({EXTENDED[self.size]}) && !defined(__clang__)", half))
        return self._define(self.m, name, "const unsigned char *p", plain, *special)

    def put_several(self, name: str, count: int) -> str:
        """So many masks as bytes, one behind the other, each 0 or 1."""
        letters = "abcd"[:count]
        given = ", ".join(f"{self.m} {x}" for x in letters)
        loops = " ".join(
            f"for (int k = 0; k < {self.lanes}; k++) p[{n * self.lanes} + k] = {{}};".format(f"{x}[k] & 1")
            for n, x in enumerate(letters)
        )
        special = [(f"{self._masked} && defined(__AVX512BW__)", self._bits_put(letters))] if self._masked else []
        special.append((self._masked, re.sub(r"(\w)\[k\] & 1", r"(\1 >> k) & 1", loops)))
        if self.size >= 16:
            special.append(("defined(__SSE2__) && !defined(__clang__)", self._packed(letters)))
        return self._define("void", name, f"unsigned char *p, {given}", loops, *special)

    _put = partialmethod(put_several, count=1)

    def _bits_put(self, letters: str) -> str:
        """Masks of bits, which one instruction spreads to bytes."""
        room = len(letters) * self.lanes
        size = max(16, room)
        every = (1 << self.lanes) - 1
        bits = " | ".join(f"(unsigned long long)({x} & {every}) << {n * self.lanes}" for n, x in enumerate(letters))
        of = {16: "unsigned short", 32: "unsigned", 64: "unsigned long long"}[size]
        return (
            f"typedef char v __attribute__((vector_size({size}))); "
            f"const v r = __builtin_ia32_cvtmask2b{8 * size}(({of})({bits})) & 1; __builtin_memcpy(p, &r, {room});"
        )

    def _packed(self, letters: str) -> str:
        """Masks of numbers, packed with saturation until each is a byte: 16 bytes at a time."""
        each = 16 * self.lanes // self.size
        left = [f"(v{each})__builtin_shufflevector({x}, {x}, {', '.join(str(k + n) for k in range(each))})"
                for x in letters for n in range(0, self.lanes, each)]  # fmt: skip
        while each < 16:
            pairs = zip(left[::2], left[1::2] or left, strict=True)
            pack = "(v4)__builtin_shufflevector((w4){}, (w4){}, 0, 2, 4, 6)" if each == 2 else _PACK[each]
            left, each = [pack.format(a, b) for a, b in pairs], 2 * each
        room = len(letters) * self.lanes
        stores = [
            f"r = {x} & 1; __builtin_memcpy(p + {16 * n}, &r, {min(16, room - 16 * n)});" for n, x in enumerate(left)
        ]
        text = f"v16 r; {' '.join(stores)}"
        used = {name: of for name, of in _PARTS.items() if f"({name})" in text or name == "v16"}
        types = (f"typedef {of} {name} __attribute__((vector_size(16)));" for name, of in used.items())
        return f"{' '.join(types)} {text}"

    def _putfirst(self, name: str) -> str:
        """The same of the first n."""
        plain = f"unsigned char q[{self.lanes}]; ft_put_m{self.shape}(q, x); __builtin_memcpy(p, q, (unsigned long)n);"
        return self._define("void", name, f"unsigned char *p, {self.m} x, int n", plain)

    def _converted(self, name: str, bits: int) -> str:
        """A mask of numbers of so many bits, for twice as long ones or half as long ones."""
        plain = f"return __builtin_convertvector(x, ft_i{self.shape});"
        return self._define(self.m, name, f"ft_m{bits}x{self.lanes} x", plain, (MASKS, "return x;"))

    _wide = partialmethod(_converted, bits=32)
    _narrow = partialmethod(_converted, bits=64)

    def _bytesfirst(self, name: str) -> str:
        """The same of the first n, and no in the others."""
        plain = (
            f"unsigned char q[{self.lanes}] = {{0}}; __builtin_memcpy(q, p, (unsigned long)n); "
            f"return ft_bytes_m{self.shape}(q);"
        )
        return self._define(self.m, name, "const unsigned char *p, int n", plain)

    def _same(self, name: str) -> str:
        """One answer for all lanes."""
        plain = f"return ft_splat_i{self.shape}(-(x != 0));"
        return self._define(self.m, name, "int x", plain, (self._masked, f"return ({self.m})-(x != 0);"))

    def _bit(self, name: str) -> str:
        """The answer for one lane."""
        wide = "return x >> k & 1;"
        signs = self._signs(">> k & 1")
        return self._define("_Bool", name, f"{self.m} x, int k", "return x[k] != 0;", (self._masked, wide), signs)

    def _lanes(self, name: str) -> str:
        """The lanes of which a mask says yes, as bits."""
        plain = f"unsigned r = 0; for (int k = 0; k < {self.lanes}; k++) r |= (unsigned)(x[k] != 0) << k; return r;"
        bits = f"return x & {(1 << self.lanes) - 1};"
        return self._define("unsigned", name, f"{self.m} x", plain, (self._masked, bits), self._signs(""))

    def _setbit(self, name: str) -> str:
        """A mask with another answer for one lane."""
        wide = f"return ({self.m})((x & ~(1 << k)) | (told != 0) << k);"
        here = f"({self.i}){{{', '.join(map(str, range(self.lanes)))}}} == ft_splat_i{self.shape}(k)"
        plain = f"const {self.m} here = {here}; return (x & ~here) | (here & -(told != 0));"
        return self._define(self.m, name, f"{self.m} x, int k, int told", plain, (self._masked, wide))

    def _any(self, name: str) -> str:
        """Whether a mask says yes of one lane at least."""
        plain = f"int r = 0; for (int k = 0; k < {self.lanes}; k++) r |= x[k] != 0; return r;"
        bits = f"return (x & {(1 << self.lanes) - 1}) != 0;"
        return self._define("int", name, f"{self.m} x", plain, (self._masked, bits), self._signs("!= 0"))

    def _signs(self, asked: str) -> tuple[str, str]:
        """What is asked of the signs of lanes, as bits: one instruction where each lane by itself would be two."""
        if self.size not in (16, 32):
            return "", ""
        wide, feature = ("256", "__AVX__") if self.size == 32 else ("", "__SSE2__")
        signs = f"__builtin_ia32_movmsk{self.p}{wide}((ft_f{self.shape})x)"
        return f"defined({feature}) && !defined(__clang__)", f"return {signs} {asked}".rstrip() + ";"

    def _comparison(self, stem: str, name: str) -> str:
        operator, code = COMPARISONS[stem]
        plain = f"return ({self.m})({operator});"
        if self.kind == "f":
            wide = f"return ({self.m})__builtin_ia32_cmp{self.p}{self.b}_mask(a, b, {code}, ({self.m})-1{self._end});"
        else:
            stem = f"{'u' if self.kind == 'u' else ''}cmp{self.q}{self.b}"
            wide = f"return ({self.m})__builtin_ia32_{stem}_mask(({self.i})a, ({self.i})b, {code}, ({self.m})-1);"
        return self._define(self.m, name, f"{self.v} a, {self.v} b", plain, (self._masked, wide))

    def _sel(self, name: str) -> str:
        """The number of a where the mask says yes, of b elsewhere."""
        plain = f"return ({self.v})((m & ({self.i})a) | (~m & ({self.i})b));"
        f = f"ft_f{self.shape}"
        wide = f"return ({self.v})__builtin_ia32_blendm{self.q}_{self.b}_mask(({self.i})b, ({self.i})a, m);"
        if self.kind == "f":
            wide = f"return __builtin_ia32_blendm{self.p}_{self.b}_mask(b, a, m);"
        half = f"return ({self.v})__builtin_ia32_blendv{self.p}256(({f})b, ({f})a, ({f})m);"
        return self._define(self.v, name, f"{self.m} m, {self.v} a, {self.v} b", plain,
                            (self._masked, wide), (self._avx2, half))  # fmt: skip


EXTENDED = {16: "__SSE4_1__", 32: "__AVX2__"}
_PARTS = {"v2": "long long", "v4": "int", "v8": "short", "v16": "char", "w4": "float"}
_PACK = {4: "__builtin_ia32_packssdw128({}, {})", 8: "__builtin_ia32_packsswb128({}, {})"}
COMPARISONS = {  # with what x86 calls them
    "lt": ("a < b", 1), "le": ("a <= b", 2), "eq": ("a == b", 0), "ne": ("a != b", 4), "nlt": ("~(a < b)", 5),
    "nle": ("~(a <= b)", 6),
}  # fmt: skip
