"""C of masks, which say yes or no of each number of a vector."""

from __future__ import annotations

from functrans.backend.codegen.vectors.helpers import MASKS
from functrans.backend.codegen.vectors.moves import Moves


class Masks(Moves):
    """Masks from bytes, as bytes, and of numbers twice or half as long; comparisons and choices."""

    def _bytes(self, name: str) -> str:
        """A mask of bytes, each 0 for no."""
        plain = f"ft_i{self.shape} r; for (int k = 0; k < {self.lanes}; k++) r[k] = -(p[k] != 0); return ({self.m})r;"
        bits = f"{self.m} r = 0; for (int k = 0; k < {self.lanes}; k++) r |= ({self.m})((p[k] != 0) << k); return r;"
        wide = (
            "typedef char v16 __attribute__((vector_size(16))); typedef long long v2 __attribute__((vector_size(16))); "
            f"long long b[2] = {{0, 0}}; __builtin_memcpy(b, p, {self.lanes}); const v16 x = (v16)(v2){{b[0], b[1]}}; "
            f"return ({self.m})__builtin_ia32_ptestmb128(x, x, (unsigned short)-1);"
        )
        special = [(f"{self._masked} && defined(__AVX512BW__)", wide), (self._masked, bits)]
        return self._define(self.m, name, "const unsigned char *p", plain, *(special if self._masked else ()))

    def _put(self, name: str) -> str:
        """A mask as bytes, each 0 or 1."""
        bits = "p[k] = (x >> k) & 1"
        wide = (
            "typedef char v16 __attribute__((vector_size(16))); const v16 r = __builtin_ia32_cvtmask2b128(x) & 1; "
            f"__builtin_memcpy(p, &r, {self.lanes});"
        )
        loop = f"for (int k = 0; k < {self.lanes}; k++)"
        return self._define(
            "void", name, f"unsigned char *p, {self.m} x", f"{loop} p[k] = x[k] & 1;",
            (f"{self._masked} && defined(__AVX512BW__)" if self._masked else "", wide),
            (self._masked, f"{loop} {bits};"),
        )  # fmt: skip

    def _putfirst(self, name: str) -> str:
        """The same of the first n."""
        plain = f"unsigned char q[{self.lanes}]; ft_put_m{self.shape}(q, x); __builtin_memcpy(p, q, (unsigned long)n);"
        return self._define("void", name, f"unsigned char *p, {self.m} x, int n", plain)

    def _wide(self, name: str) -> str:
        """A mask for numbers twice as long."""
        return self._converted(name, 32)

    def _narrow(self, name: str) -> str:
        """A mask for numbers half as long."""
        return self._converted(name, 64)

    def _converted(self, name: str, bits: int) -> str:
        plain = f"return __builtin_convertvector(x, ft_i{self.shape});"
        return self._define(self.m, name, f"ft_m{bits}x{self.lanes} x", plain, (MASKS, "return x;"))

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
        return self._define("_Bool", name, f"{self.m} x, int k", "return x[k] != 0;", (self._masked, wide))

    def _lanes(self, name: str) -> str:
        """The lanes of which a mask says yes, as bits."""
        plain = f"unsigned r = 0; for (int k = 0; k < {self.lanes}; k++) r |= (unsigned)(x[k] != 0) << k; return r;"
        bits = f"return x & {(1 << self.lanes) - 1};"
        return self._define("unsigned", name, f"{self.m} x", plain, (self._masked, bits))

    def _setbit(self, name: str) -> str:
        """A mask with another answer for one lane."""
        wide = f"return ({self.m})((x & ~(1 << k)) | (told != 0) << k);"
        plain = "x[k] = -(told != 0); return x;"
        return self._define(self.m, name, f"{self.m} x, int k, int told", plain, (self._masked, wide))

    def _any(self, name: str) -> str:
        """Whether a mask says yes of one lane at least."""
        plain = f"int r = 0; for (int k = 0; k < {self.lanes}; k++) r |= x[k] != 0; return r;"
        bits = f"return (x & {(1 << self.lanes) - 1}) != 0;"
        return self._define("int", name, f"{self.m} x", plain, (self._masked, bits))

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


COMPARISONS = {  # with what x86 calls them
    "lt": ("a < b", 1), "le": ("a <= b", 2), "eq": ("a == b", 0), "ne": ("a != b", 4), "nlt": ("~(a < b)", 5),
    "nle": ("~(a <= b)", 6),
}  # fmt: skip
