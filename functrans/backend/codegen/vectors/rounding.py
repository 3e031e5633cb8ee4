"""C of vectors of whole numbers: real numbers rounded or cut off, quotients that are rounded down, and remainders.

Each has the bits of the function of one number that `prelude` and the C library have for it.
"""

from __future__ import annotations

from functools import partialmethod

from functrans.backend.codegen.vectors.helpers import FUSED, MASKS, Helpers


class Rounding(Helpers):
    """Numbers rounded, signs, remainders."""

    def of_reals(self, name: str, bits: int) -> str:
        """Whole numbers of real ones, cut off: those beyond the ends become the ends, NaN becomes 0."""
        given, source = f"f{bits}x{self.lanes}", f"ft_f{bits}x{self.lanes}"
        if bits < self.bits:
            longer = f"f{self.shape}"
            plain = f"return ft_off{self.bits}_i{self.shape}(ft_off{bits}_{longer}(x));"
            return self._define(self.v, name, f"{source} x", plain)
        low, high = f"{-(1 << self.bits - 1)}.0", f"{1 << self.bits - 1}.0"
        numbers = f"x = ({source})((ft_i{bits}x{self.lanes})x & (ft_i{bits}x{self.lanes})(x == x)); "
        numbers += f"x = ft_larger_{given}(x, ft_splat_{given}({low})); "
        top = f"ft_splat_i{self.shape}({(1 << self.bits - 1) - 1}{'LL' if self.bits == 64 else ''})"
        ends = f"ft_sel_i{self.shape}(ft_le_{given}(ft_splat_{given}({high}), x), {top}, r)"
        if bits > self.bits:
            last = f"ft_splat_{given}({(1 << self.bits - 1) - 1}.0)"
            cut = f"{numbers}x = ft_smaller_{given}(x, {last}); return __builtin_convertvector(x, {self.v});"
        else:
            cut = f"{numbers}const {self.v} r = __builtin_convertvector(x, {self.v}); return {ends};"
        each = self._each(f"ft_f2i_i{self.bits}(x[k])")
        of_x86 = "defined(__SSE2__) && !defined(__clang__)"
        if self.bits == 32:
            return self._define(self.v, name, f"{source} x", each, (of_x86 if self.size >= 8 else "", cut))
        # there is no instruction before AVX-512: the bits of a number behind its point are shifted to their places
        shifted = (
            f"{numbers}const {self.v} b = ({self.v})x, m = (b & 0xfffffffffffffLL) | 0x10000000000000LL, "
            "e = ((b >> 52) & 2047) - 1075, s = b >> 63; "
            f"const {self.v} t = __builtin_ia32_psllv4di(m, e) | __builtin_ia32_psrlv4di(m, -e), r = (t ^ s) - s; "
            f"return {ends};"
        )
        return self._define(self.v, name, f"{source} x", each, (self._masked, cut), (self._avx2, shifted))

    def _rounded(self, name: str, stem: str, way: int) -> str:
        """The nearest whole number that way."""
        plain = self._each(f"{stem}{'f' if self.bits == 32 else ''}(x[k])")
        special = ("", "")
        if self.size == 64:
            special = MASKS, f"return __builtin_ia32_rndscale{self.p}_mask(x, {way}, x, -1, 4);"
        elif self.size >= 16:
            wide, feature = ("256", "__AVX__") if self.size == 32 else ("", "__SSE4_1__")
            call = f"return __builtin_ia32_round{self.p}{wide}(x, {way});"
            special = f"defined({feature}) && !defined(__clang__)", call
        return self._define(self.v, name, f"{self.v} x", plain, special)

    _floor = partialmethod(_rounded, stem="floor", way=9)
    _ceil = partialmethod(_rounded, stem="ceil", way=10)
    _trunc = partialmethod(_rounded, stem="trunc", way=11)
    _rint = partialmethod(_rounded, stem="rint", way=12)

    def _sign(self, name: str) -> str:
        of = f"f{self.shape}"
        one, minus, zero = (f"ft_splat_{of}({n})" for n in (1, -1, 0))
        chosen = f"ft_sel_{of}(ft_lt_{of}({zero}, x), {one}, ft_sel_{of}(ft_lt_{of}(x, {zero}), {minus}, {zero}))"
        return self._define(self.v, name, f"{self.v} x", f"return ft_sel_{of}(ft_eq_{of}(x, x), {chosen}, x);")

    def _mod(self, name: str) -> str:
        """The remainder as `prelude` has it for one number: that of the C library for what is too far apart."""
        of, m, f = f"f{self.shape}", f"m{self.shape}", "f" if self.bits == 32 else ""
        most = f"ft_splat_{of}({'0x1p22f' if self.bits == 32 else '0x1p51'})"
        body = (
            f"const {self.v} q = ft_trunc_{of}(a / b), r = ft_fnma_{of}(q, b, a), s = ft_copysign_{of}(r, a);\n"
            f"  const {self.m} far = ({self.m})(ft_nlt_{of}(ft_abs_{of}(q), {most}) | ft_ne_{of}(r, r));\n"
            f"  {self.v} y = ft_sel_{of}(ft_eq_{of}(r, s), s, r + ft_copysign_{of}(b, a));\n"
            f"  if (__builtin_expect(ft_any_{m}(far), 0))\n"
            f"    for (int k = 0; k < {self.lanes}; k++) if (ft_bit_{m}(far, k)) y[k] = fmod{f}(a[k], b[k]);\n"
            "  return y;"
        )
        each = self._each(f"fmod{f}(a[k], b[k])")
        return self._define(self.v, name, f"{self.v} a, {self.v} b", each, (FUSED, body))

    def _floormod(self, name: str) -> str:
        of = f"f{self.shape}"
        body = f"const {self.v} m = ft_mod_{of}(a, b), s = ft_copysign_{of}(m, b); "
        body += f"return ft_sel_{of}(ft_eq_{of}(m, s), s, m + b);"
        return self._define(self.v, name, f"{self.v} a, {self.v} b", body)

    def _floordiv(self, name: str) -> str:
        """The quotient less what is left of it, rounded down: of a division by zero what that is."""
        of, zero = f"f{self.shape}", f"ft_splat_f{self.shape}(0)"
        one, half = (f"ft_splat_{of}({n})" for n in ("1", "0.5f" if self.bits == 32 else "0.5"))
        body = (
            f"\n  const {self.v} q = a / b, m = ft_mod_{of}(a, b), z = {zero}; {self.v} d = (a - m) / b;\n"
            f"  const {self.m} less = ({self.m})(ft_lt_{of}(b, z) ^ ft_lt_{of}(m, z)), some = ft_ne_{of}(m, z);\n"
            f"  d = ft_sel_{of}(({self.m})(some & less), d - {one}, d); const {self.v} f = ft_floor_{of}(d);\n"
            f"  const {self.v} r = ft_sel_{of}(ft_lt_{of}({half}, d - f), f + {one}, f);\n"
            f"  const {self.m} none = ft_eq_{of}(d, z), by_zero = ft_eq_{of}(b, z);\n"
            f"  return ft_sel_{of}(by_zero, q, ft_sel_{of}(none, ft_copysign_{of}(z, q), r));"
        )
        return self._define(self.v, name, f"{self.v} a, {self.v} b", body)
