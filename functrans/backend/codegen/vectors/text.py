"""C of vectors: the types, and the functions of them that a unit uses.

A vector of eight float64 is an ``ft_f64x8``; ``ft_i64x8`` and ``ft_u64x8`` are its bits, and ``ft_m64x8`` says yes or
no of each number: a bit each where the machine has registers of masks, else all bits of a number. Where there is no
instruction that C has no operator for, a function is written number by number, and means the same.
"""

from __future__ import annotations

import re
from functools import cache, partialmethod

from functrans.backend.codegen.vectors.helpers import FUSED, MASKS, OF_C
from functrans.backend.codegen.vectors.masks import COMPARISONS, EXTENDED, Masks
from functrans.backend.codegen.vectors.rounding import Rounding
from functrans.backend.codegen.vectors.rows import Rows

_NAME = re.compile(r"ft_([a-z]+[0-9]*)_([fium])(32|64)x(\d+)")
_WORD = re.compile(r"ft_[fium]\w+")  # begins as it does for speed: with \b before it each letter is looked at
_TYPE = re.compile(r"ft_([fium])(32|64)x(\d+)(p?)")
_SIGN = {64: "0x7fffffffffffffffLL", 32: "0x7fffffff"}
_CONVERTED = re.compile(r"of([fiu])(32|64)")
_PUT = re.compile(r"put([24])")
_HALVES = re.compile(r"halves(\d+)")
_SHORT = re.compile(r"short([iu])(8|16)")
_GATHERED = re.compile(r"gather(first)?([iu](?:32|64))")
_NEON = "defined(__aarch64__) && defined(__ARM_NEON) && !defined(__clang__)"
_INSTRUCTIONS = {  # of x86, where gcc 12 has several for a conversion
    ("i32", "i64"): "pmovsxdq", ("i32", "u64"): "pmovsxdq", ("u32", "i64"): "pmovzxdq", ("u32", "u64"): "pmovzxdq",
    ("f32", "f64"): "cvtps2pd", ("i32", "f64"): "cvtdq2pd", ("u32", "f64"): "cvtudq2pd",
    ("i64", "i32"): "pmovqd", ("i64", "u32"): "pmovqd", ("u64", "i32"): "pmovqd", ("u64", "u32"): "pmovqd",
}  # fmt: skip


def vector_types(text: str) -> str:
    """The definitions of the types that a text names."""
    named = [match.groups() for match in map(_TYPE.fullmatch, set(_WORD.findall(text))) if match]
    shapes = sorted({(bits, lanes) for _, bits, lanes, _ in named})
    apart = {shape: sorted({k for k, *own, p in named if p and tuple(own) == shape}) for shape in shapes}
    return "\n".join(_types(int(bits), int(lanes), apart[bits, lanes]) for bits, lanes in shapes)


def _types(bits: int, lanes: int, apart: list[str]) -> str:
    """The types of one length, and those that stand anywhere in memory of some kinds."""
    size, shape = bits * lanes // 8, f"{bits}x{lanes}"
    lines = [
        f"typedef {OF_C[f'{kind}{bits}']} ft_{kind}{shape} __attribute__((vector_size({size})));" for kind in "fiu"
    ]
    anywhere = f"__attribute__((vector_size({size}), aligned({bits // 8}), may_alias));"
    lines += [f"typedef {OF_C[f'{kind}{bits}']} ft_{kind}{shape}p {anywhere}" for kind in apart]
    mask = f"typedef ft_i{shape} ft_m{shape};"
    if size >= 16:
        mask = f"#if {MASKS}\ntypedef unsigned {'char' if lanes <= 8 else 'short'} ft_m{shape};\n#else\n{mask}\n#endif"
    return "\n".join([*lines, mask])


@cache
def vector_helper(name: str) -> str | None:
    """The definition of a function of vectors that is no elementary one; None where there is none of that name."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    stem, kind, bits, lanes = match[1], match[2], int(match[3]), int(match[4])
    return _Helpers(kind, bits, lanes).text(stem, name)


class _Helpers(Masks, Rows, Rounding):
    """The functions of vectors of one kind of numbers and length."""

    def text(self, stem: str, name: str) -> str | None:
        """The definition."""
        if stem in COMPARISONS:
            return self._comparison(stem, name)
        source = _CONVERTED.fullmatch(stem)
        if source is not None:
            return self._of_numbers(name, source[1], source[2])
        short = _SHORT.fullmatch(stem)
        if short is not None:
            return self._of_short(name, short[1], int(short[2]))
        gathered = _GATHERED.fullmatch(stem)
        if gathered is not None:
            return self._gathered(name, gathered[2], gathered[1])
        halves = _HALVES.fullmatch(stem)
        if halves is not None:
            return self.by_halves(name, int(halves[1]))
        several = _PUT.fullmatch(stem)
        if several is not None:
            return self.put_several(name, int(several[1]))
        made = getattr(self, f"_{stem}", None)
        return None if made is None else made(name)

    def by_halves(self, name: str, count: int) -> str:
        """The sum of so many vectors, halves added until one is left. One that is called once is inlined."""
        left = [f"p[{k}]" for k in range(count)]
        while len(left) > 1:
            half = len(left) // 2
            left = [f"({a} + {b})" for a, b in zip(left[:half], left[half:], strict=True)]
        return f"static {self.v} {name}(const {self.v} *p) {{ return {left[0]}; }}"

    def _of_numbers(self, name: str, kind: str, bits: str) -> str:
        """Numbers of another dtype."""
        if kind == "f" and self.kind == "i":
            return self.of_reals(name, int(bits))
        source = f"ft_{kind}{bits}x{self.lanes}"
        plain = f"return __builtin_convertvector(x, {self.v});"
        stem = _INSTRUCTIONS.get((f"{kind}{bits}", f"{self.kind}{self.bits}"))
        if stem is None:
            return self._define(self.v, name, f"{source} x", plain)
        given = f"(ft_i{bits}x{self.lanes})x" if kind == "u" else "x"
        end = "-1, 4" if stem == "cvtps2pd" else "(unsigned char)-1"
        zeros = f"(ft_{'f' if self.kind == 'f' else 'i'}{self.shape}){{0}}"
        wide = f"return ({self.v})__builtin_ia32_{stem}512_mask({given}, {zeros}, {end});"
        half = f"return ({self.v})__builtin_ia32_{stem}256({given});"
        masked = MASKS if 64 in (self.size, int(bits) * self.lanes // 8) else ""
        has_half = self._avx2 and "u" not in stem and stem != "pmovqd"
        return self._define(self.v, name, f"{source} x", plain, (masked, wide), (self._avx2 if has_half else "", half))

    def _of_short(self, name: str, kind: str, bits: int) -> str:
        """Integers of 8 or 16 bits that stand side by side in memory."""
        number = ("unsigned " if kind == "u" else "signed ") + ("char" if bits == 8 else "short")
        plain = f"const {number} *q = p; {self.v} r; for (int k = 0; k < {self.lanes}; k++) r[k] = q[k]; return r;"
        read = (
            f"typedef {number.split()[1]} part __attribute__((vector_size(16))); "
            "typedef long long v2 __attribute__((vector_size(16))); "
            f"long long b[2] = {{0, 0}}; __builtin_memcpy(b, p, {self.lanes * bits // 8}); "
        )
        stem = f"pmov{'z' if kind == 'u' else 's'}x{'b' if bits == 8 else 'w'}d{8 * self.size}"
        special = ("", "")
        if self.size in EXTENDED:
            call = f"{read}return ({self.v})__builtin_ia32_{stem}((part)(v2){{b[0], b[1]}});"
            special = (f"defined({EXTENDED[self.size]}) && !defined(__clang__)", call)
        elif self.size == 64:
            read = (
                f"typedef {number.split()[1]} part "
                f"__attribute__((vector_size({self.lanes * bits // 8}), aligned({bits // 8}), may_alias)); "
            )
            given = f"*(const part *)p, ({self.i}){{0}}, (unsigned short)-1"
            special = (MASKS, f"{read}return ({self.v})__builtin_ia32_{stem}_mask({given});")
        return self._define(self.v, name, "const void *p", plain, special)

    def _sqrt(self, name: str) -> str:
        call = f"__builtin_sqrt{'f' if self.bits == 32 else ''}(x[k])"
        special = self._builtin("sqrt", "x", f"x, ({self.v}){{0}}")
        return self._define(self.v, name, f"{self.v} x", self._each(call), special)

    def _extreme(self, name: str, stem: str, sides: str) -> str:
        """One of two numbers, the second if they are equal or one is NaN: the instruction that x86 has."""
        shape = f"{self.kind}{self.shape}"
        plain = f"return ft_sel_{shape}(ft_lt_{shape}({sides}), a, b);"
        special = self._builtin(stem, "a, b", f"a, b, ({self.v}){{0}}")
        return self._define(self.v, name, f"{self.v} a, {self.v} b", plain, special)

    _larger = partialmethod(_extreme, stem="max", sides="b, a")
    _smaller = partialmethod(_extreme, stem="min", sides="a, b")

    def _of_numpy(self, name: str, instruction: str, stem: str) -> str:
        """The first NaN of two, else the larger or smaller, of equal ones the second."""
        shape = f"{self.kind}{self.shape}"
        if self.kind != "f":
            return self._of_integers(name, stem)
        plain = f"return ft_sel_{shape}(ft_eq_{shape}(a, a), ft_{instruction}_{shape}(a, b), a);"
        wide = self.b.replace("128", "")
        wide = f"return __builtin_ia32_{stem}{self.p}{wide}_mask(a, b, a, ft_eq_{shape}(a, a){self._end});"
        return self._define(self.v, name, f"{self.v} a, {self.v} b", plain, (self._masked, wide))

    _max = partialmethod(_of_numpy, instruction="larger", stem="max")
    _min = partialmethod(_of_numpy, instruction="smaller", stem="min")

    def _of_integers(self, name: str, stem: str) -> str:
        """The larger or smaller of two integers."""
        shape = f"{self.kind}{self.shape}"
        plain = f"return ft_sel_{shape}(ft_lt_{shape}({'b, a' if stem == 'max' else 'a, b'}), a, b);"
        of = f"return ({self.v})__builtin_ia32_p{stem}{'s' if self.kind == 'i' else 'u'}{self.q}{self.b}"
        a, b = f"({self.i})a", f"({self.i})b"
        special = [(self._masked, f"{of}_mask({a}, {b}, {a}, ({self.m})-1);")]
        if self.size < 64 and self.bits == 32:
            feature = "__AVX2__" if self.size == 32 else "__SSE4_1__"
            special.append((f"defined({feature}) && !defined(__clang__)", f"{of}({a}, {b});"))
        return self._define(self.v, name, f"{self.v} a, {self.v} b", plain, *special)

    def _fma(self, name: str) -> str:
        if self.kind != "f":
            return self._define(self.v, name, f"{self.v} a, {self.v} b, {self.v} c", "return a * b + c;")
        call = f"__builtin_fma{'f' if self.bits == 32 else ''}(a[k], b[k], c[k])"
        condition, body = self._builtin("vfmadd", "a, b, c", "a, b, c")
        special = [(f"{condition} && defined(__FMA__)" if 16 <= self.size < 64 else condition, body)]
        if self.size == 16:
            mode = "v2df" if self.bits == 64 else "v4sf"
            special.append((_NEON, f"return __builtin_aarch64_fma{mode}(a, b, c);"))
        special.append((FUSED, self._each(call)))
        return self._define(self.v, name, f"{self.v} a, {self.v} b, {self.v} c", "return a * b + c;", *special)

    def _fnma(self, name: str) -> str:
        """The difference c - a * b, rounded once where the target can."""
        plain = f"return ft_fma_{self.kind}{self.shape}(-a, b, c);"
        wide = self._builtin("vfnmadd", "", "a, b, c") if self.size == 64 else ("", "")
        return self._define(self.v, name, f"{self.v} a, {self.v} b, {self.v} c", plain, wide)

    def _abs(self, name: str) -> str:
        plain = f"return ({self.v})(({self.i})x & {_SIGN[self.bits]});"
        return self._define(self.v, name, f"{self.v} x", plain)

    def _copysign(self, name: str) -> str:
        plain = f"return ({self.v})((({self.i})a & {_SIGN[self.bits]}) | (({self.i})b & ~{_SIGN[self.bits]}));"
        return self._define(self.v, name, f"{self.v} a, {self.v} b", plain)

    def _nanif(self, name: str) -> str:
        """NaN under a condition that seldom holds, else a number, which stays in a register of vectors."""
        f = "f" if self.bits == 32 else ""
        branch = f'if (__builtin_expect(told, 0)) {{ x = __builtin_nan{f}(""); }}'
        special = ("defined(__SSE2__)", f'{branch} __asm__("" : "+x"(x)); return x;')
        return self._define(self.number, name, f"{self.number} x, int told", f"{branch} return x;", special)

    def _fold(self, name: str, of_numbers: str, of_vectors: str) -> str:
        """Halves combined until one number is left."""
        of_numbers = of_numbers.replace("{bits}", str(self.bits))
        half = self.lanes // 2
        if self.size == 16:
            plain, x = "", "x"
            while half > (self.kind == "f"):  # of integers, a number is one in a vector to the end
                turned = f"__builtin_shufflevector({x}, {x}, {', '.join(str(k ^ half) for k in range(self.lanes))})"
                of = of_vectors.replace("{shape}", f"{self.kind}{self.shape}").format(x, turned)
                x, before, half = f"y{half}", plain, half // 2
                plain = f"{before}const {self.v} {x} = {of}; "
            value = of_numbers.format(f"{x}[0]", f"{x}[1]") if self.kind == "f" else f"{x}[0]"
            return self._define(self.number, name, f"{self.v} x", f"{plain}return {value};")
        shape = f"{self.kind}{self.bits}x{half}"
        low, high = (", ".join(map(str, range(k, k + half))) for k in (0, half))
        pair = of_vectors.replace("{shape}", shape).format("a", "b")
        plain = (
            f"const ft_{shape} a = __builtin_shufflevector(x, x, {low}), b = __builtin_shufflevector(x, x, {high}); "
            f"return {name.rpartition('_')[0]}_{shape}({pair});"
        )
        return self._define(self.number, name, f"{self.v} x", plain)

    _foldadd = partialmethod(_fold, of_numbers="({} + {})", of_vectors="({} + {})")
    _foldmul = partialmethod(_fold, of_numbers="({} * {})", of_vectors="({} * {})")
    _foldmax = partialmethod(_fold, of_numbers="ft_max_f{bits}({}, {})", of_vectors="ft_max_{shape}({}, {})")
    _foldmin = partialmethod(_fold, of_numbers="ft_min_f{bits}({}, {})", of_vectors="ft_min_{shape}({}, {})")
    _foldlarger = partialmethod(_fold, of_numbers="({0} > {1} ? {0} : {1})", of_vectors="ft_larger_{shape}({}, {})")
    _foldsmaller = partialmethod(_fold, of_numbers="({0} < {1} ? {0} : {1})", of_vectors="ft_smaller_{shape}({}, {})")
