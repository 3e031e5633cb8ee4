"""C of vectors: the types, and the functions of them that a unit uses.

A vector of eight float64 is an ``ft_f64x8``; ``ft_i64x8`` and ``ft_u64x8`` are its bits, and ``ft_m64x8`` says yes or
no of each number: a bit each where the machine has registers of masks, else all bits of a number. Where there is no
instruction that C has no operator for, a function is written number by number, and means the same.
"""

from __future__ import annotations

import re
from functools import cache

SMALL = "static __inline__ __attribute__((always_inline)) "
_NAME = re.compile(r"ft_([a-z]+[0-9]*)_([fium])(32|64)x(\d+)")
_TYPE = re.compile(r"\bft_([fium])(32|64)x(\d+)(p?)\b")
_MASKS = "defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)"
_FUSED = "defined(__FMA__) || defined(__ARM_FEATURE_FMA)"
_OF_C = {
    "f64": "double", "f32": "float", "i64": "long long", "i32": "int", "u64": "unsigned long long", "u32": "unsigned",
}  # fmt: skip
_SIGN = {64: "0x7fffffffffffffffLL", 32: "0x7fffffff"}


def vector_types(text: str) -> str:
    """The definitions of the types that a text names."""
    named = _TYPE.findall(text)
    apart = {(bits, lanes): {k for k, *shape, p in named if p and shape == [bits, lanes]} for _, bits, lanes, _ in named}
    return "\n".join(_types(int(bits), int(lanes), sorted(kinds)) for (bits, lanes), kinds in sorted(apart.items()))


def _types(bits: int, lanes: int, apart: list[str]) -> str:
    """The types of one length, and those that stand anywhere in memory of some kinds."""
    size, shape = bits * lanes // 8, f"{bits}x{lanes}"
    lines = [
        f"typedef {_OF_C[f'{kind}{bits}']} ft_{kind}{shape} __attribute__((vector_size({size})));" for kind in "fiu"
    ]
    anywhere = f"__attribute__((vector_size({size}), aligned({bits // 8}), may_alias));"
    lines += [f"typedef {_OF_C[f'{kind}{bits}']} ft_{kind}{shape}p {anywhere}" for kind in apart]
    mask = f"typedef ft_i{shape} ft_m{shape};"
    if size >= 16:
        mask = f"#if {_MASKS}\ntypedef unsigned {'char' if lanes <= 8 else 'short'} ft_m{shape};\n#else\n{mask}\n#endif"
    return "\n".join([*lines, mask])


@cache
def vector_helper(name: str) -> str | None:
    """The definition of a function of vectors that is no elementary one; None where there is none of that name."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    stem, kind, bits, lanes = match[1], match[2], int(match[3]), int(match[4])
    return _Helpers(kind, bits, lanes).text(stem, name)


class _Helpers:
    """The functions of vectors of one kind of numbers and length."""

    def __init__(self, kind: str, bits: int, lanes: int) -> None:
        self.bits, self.lanes, self.size = bits, lanes, bits * lanes // 8
        self.shape = f"{bits}x{lanes}"
        self.kind, self.v, self.m = kind, f"ft_{kind}{self.shape}", f"ft_m{self.shape}"
        self.i, self.number = f"ft_i{self.shape}", _OF_C.get(f"{kind}{bits}", "")
        self.p = "pd" if bits == 64 else "ps"
        self.b = str(8 * self.size)
        self.q = "q" if bits == 64 else "d"  # of integers

    def text(self, stem: str, name: str) -> str | None:
        """The definition."""
        if stem in _COMPARISONS:
            return self._comparison(stem, name)
        source = _CONVERTED.fullmatch(stem)
        if source is not None:
            return self._of_numbers(name, source[1], source[2])
        made = getattr(self, f"_{stem}", None)
        return None if made is None else made(name)

    def _define(self, result: str, name: str, arguments: str, plain: str, *special: tuple[str, str]) -> str:
        """A function, with the bodies that some targets have for it before the plain one."""
        head = f"{SMALL}{result} {name}({arguments}) {{"
        chosen = [(condition, body) for condition, body in special if condition]
        if not chosen:
            return f"{head} {plain} }}"
        parts = [f"#{'el' if k else ''}if {condition}\n  {body}" for k, (condition, body) in enumerate(chosen)]
        return "\n".join([head, *parts, f"#else\n  {plain}\n#endif\n}}"])

    def _each(self, body: str) -> str:
        """A body that fills ``r`` number by number."""
        return f"{self.v} r; for (int k = 0; k < {self.lanes}; k++) r[k] = {body}; return r;"

    @property
    def _masked(self) -> str:
        return _MASKS if self.size >= 16 else ""

    @property
    def _end(self) -> str:
        """The end of a list of arguments: the way to round, which vectors of 512 bits have beside their masks."""
        return ", 4" if self.size == 64 else ""

    def _builtin(self, stem: str, arguments: str, masked: str) -> tuple[str, str]:
        """The instruction of x86 for floating-point vectors, as ``maxpd``."""
        if self.size == 64:
            return _MASKS, f"return __builtin_ia32_{stem}{self.p}512_mask({masked}, ({self.m})-1, 4);"
        wide, feature = ("256", "__AVX__") if self.size == 32 else ("", "__SSE2__")
        return f"defined({feature}) && !defined(__clang__)", f"return __builtin_ia32_{stem}{self.p}{wide}({arguments});"

    # memory

    def _splat(self, name: str) -> str:
        plain = f"return ({self.v}){{{', '.join('x' * self.lanes)}}};"
        return self._define(self.v, name, f"{self.number} x", plain)

    def _within(self, name: str) -> str:
        """A number in all lanes, or one as far as any that it is compared with where it is farther."""
        far = 1 << 30
        number = f"d < -{far} ? -{far} : d > {far} ? {far} : (int)d" if self.bits == 32 else "d"
        return self._define(self.v, name, "long long d", f"return ft_splat_i{self.shape}({number});")

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
        return self._define(self.v, name, given, plain, (self._masked, by_mask), (self._avx2, by_mask))

    def _loadif(self, name: str) -> str:
        """The numbers where a mask says yes, and zeros."""
        zeros, of_bits = f"({self.v}){{0}}", f"(const {_OF_C[f'i{self.bits}']} *)p, ({self.i}){{0}}"
        wide = f"return ({self.v})__builtin_ia32_loaddqu{_DI[self.bits]}{self.b}_mask({of_bits}, m);"
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

    def _back(self, name: str) -> str:
        """Numbers from the last to the first."""
        order = ", ".join(map(str, reversed(range(self.lanes))))
        of = f"ft_load_{self.kind}{self.shape}(p - {self.lanes - 1})"
        plain = f"const {self.v} x = {of}; return __builtin_shufflevector(x, x, {order});"
        return self._define(self.v, name, f"const {self.number} *p", plain)

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
            wide = f"__builtin_ia32_storedqu{_DI[self.bits]}{self.b}_mask(({_OF_C[f'i{self.bits}']} *)p, ({self.i})x, {first});"
            half = f"__builtin_ia32_maskstore{self.q}256(({self.i} *)p, {first}, ({self.i})x);"
        plain = " ".join(f"if ({k} < n) p[{k}] = x[{k}];" for k in range(self.lanes))
        return self._define("void", name, arguments, plain, (self._masked, wide), (self._avx2, half))

    @property
    def _avx2(self) -> str:
        return "defined(__AVX2__) && !defined(__clang__)" if self.size == 32 else ""

    # masks

    def _first(self, name: str) -> str:
        """The first n lanes."""
        lanes = ", ".join(map(str, range(self.lanes)))
        plain = f"return ({self.i}){{{lanes}}} < ft_splat_i{self.shape}(n);"
        return self._define(self.m, name, "int n", plain, (self._masked, f"return ({self.m})((1u << n) - 1);"))

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
        return self._define(self.m, name, f"ft_m{bits}x{self.lanes} x", plain, (_MASKS, "return x;"))

    def _bytesfirst(self, name: str) -> str:
        """The same of the first n, and no in the others."""
        plain = (
            f"unsigned char q[{self.lanes}] = {{0}}; __builtin_memcpy(q, p, (unsigned long)n); "
            f"return ft_bytes_m{self.shape}(q);"
        )
        return self._define(self.m, name, "const unsigned char *p, int n", plain)

    def _any(self, name: str) -> str:
        """Whether a mask says yes of one lane at least."""
        plain = f"int r = 0; for (int k = 0; k < {self.lanes}; k++) r |= x[k] != 0; return r;"
        return self._define("int", name, f"{self.m} x", plain, (self._masked, f"return (x & {(1 << self.lanes) - 1}) != 0;"))

    def _comparison(self, stem: str, name: str) -> str:
        operator, code = _COMPARISONS[stem]
        plain = f"return ({self.m})({operator});"
        if self.kind == "f":
            wide = f"return __builtin_ia32_cmp{self.p}{self.b}_mask(a, b, {code}, ({self.m})-1{self._end});"
        else:
            sign = "u" if self.kind == "u" else ""
            wide = f"return __builtin_ia32_{sign}cmp{self.q}{self.b}_mask(({self.i})a, ({self.i})b, {code}, ({self.m})-1);"
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

    # arithmetic

    def _of_numbers(self, name: str, kind: str, bits: str) -> str:
        """Numbers of another dtype."""
        source = f"ft_{kind}{bits}x{self.lanes}"
        plain = f"return __builtin_convertvector(x, {self.v});"
        stem = _INSTRUCTIONS.get((f"{kind}{bits}", f"{self.kind}{self.bits}"))
        if stem is None:
            return self._define(self.v, name, f"{source} x", plain)
        given = f"(ft_i{bits}x{self.lanes})x" if kind == "u" else "x"
        mode = ", 4" if kind == "f" else ""
        wide = f"return ({self.v})__builtin_ia32_{stem}512_mask({given}, (ft_{'f' if self.kind == 'f' else 'i'}{self.shape}){{0}}, -1{mode});"
        half = f"return ({self.v})__builtin_ia32_{stem}256({given});"
        masked = _MASKS if 64 in (self.size, int(bits) * self.lanes // 8) else ""
        has_half = self._avx2 and "u" not in stem and stem != "pmovqd"
        return self._define(self.v, name, f"{source} x", plain, (masked, wide), (self._avx2 if has_half else "", half))

    def _sqrt(self, name: str) -> str:
        call = f"__builtin_sqrt{'f' if self.bits == 32 else ''}(x[k])"
        special = self._builtin("sqrt", "x", f"x, ({self.v}){{0}}")
        return self._define(self.v, name, f"{self.v} x", self._each(call), special)

    def _larger(self, name: str) -> str:
        return self._extreme(name, "max", "lt", "b, a")

    def _smaller(self, name: str) -> str:
        return self._extreme(name, "min", "lt", "a, b")

    def _extreme(self, name: str, stem: str, comparison: str, sides: str) -> str:
        """One of two numbers, the second if they are equal or one is NaN: the instruction that x86 has."""
        shape = f"{self.kind}{self.shape}"
        plain = f"return ft_sel_{shape}(ft_{comparison}_{shape}({sides}), a, b);"
        special = self._builtin(stem, "a, b", f"a, b, ({self.v}){{0}}")
        return self._define(self.v, name, f"{self.v} a, {self.v} b", plain, special)

    def _max(self, name: str) -> str:
        return self._of_numpy(name, "larger", "max")

    def _min(self, name: str) -> str:
        return self._of_numpy(name, "smaller", "min")

    def _of_numpy(self, name: str, instruction: str, stem: str) -> str:
        """The first NaN of two, else the larger or smaller, of equal ones the second."""
        shape = f"{self.kind}{self.shape}"
        if self.kind != "f":
            return self._of_integers(name, stem)
        plain = f"return ft_sel_{shape}(ft_eq_{shape}(a, a), ft_{instruction}_{shape}(a, b), a);"
        wide = f"return __builtin_ia32_{stem}{self.p}{self.b.replace('128', '')}_mask(a, b, a, ft_eq_{shape}(a, a){self._end});"
        return self._define(self.v, name, f"{self.v} a, {self.v} b", plain, (self._masked, wide))

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
        call = f"__builtin_fma{'f' if self.bits == 32 else ''}(a[k], b[k], c[k])"
        condition, body = self._builtin("vfmadd", "a, b, c", "a, b, c")
        special = [(condition if self.size == 64 else f"{condition} && defined(__FMA__)", body)]
        special.append((_FUSED, self._each(call)))
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
        branch = f'if (__builtin_expect(told, 0)) x = __builtin_nan{f}("");'
        special = ("defined(__SSE2__)", f'{branch} __asm__("" : "+x"(x)); return x;')
        return self._define(self.number, name, f"{self.number} x, int told", f"{branch} return x;", special)

    # folds

    def _foldadd(self, name: str) -> str:
        return self._fold(name, "({} + {})", "({} + {})")

    def _foldmul(self, name: str) -> str:
        return self._fold(name, "({} * {})", "({} * {})")

    def _foldmax(self, name: str) -> str:
        return self._fold(name, f"ft_max_f{self.bits}({{}}, {{}})", "ft_max_{shape}({}, {})")

    def _foldmin(self, name: str) -> str:
        return self._fold(name, f"ft_min_f{self.bits}({{}}, {{}})", "ft_min_{shape}({}, {})")

    def _foldlarger(self, name: str) -> str:
        return self._fold(name, "({0} > {1} ? {0} : {1})", "ft_larger_{shape}({}, {})")

    def _foldsmaller(self, name: str) -> str:
        return self._fold(name, "({0} < {1} ? {0} : {1})", "ft_smaller_{shape}({}, {})")

    def _fold(self, name: str, of_numbers: str, of_vectors: str) -> str:
        """Halves combined until one number is left."""
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


_CONVERTED = re.compile(r"of([fiu])(32|64)")
_INSTRUCTIONS = {  # of x86, where gcc 12 has several for a conversion
    ("i32", "i64"): "pmovsxdq", ("i32", "u64"): "pmovsxdq", ("u32", "i64"): "pmovzxdq", ("u32", "u64"): "pmovzxdq",
    ("f32", "f64"): "cvtps2pd", ("i32", "f64"): "cvtdq2pd", ("u32", "f64"): "cvtudq2pd",
    ("i64", "i32"): "pmovqd", ("i64", "u32"): "pmovqd", ("u64", "i32"): "pmovqd", ("u64", "u32"): "pmovqd",
}  # fmt: skip
_DI = {64: "di", 32: "si"}  # of what integers the instructions of x86 are called after
_COMPARISONS = {  # with what x86 calls them
    "lt": ("a < b", 1), "le": ("a <= b", 2), "eq": ("a == b", 0), "ne": ("a != b", 4), "nlt": ("~(a < b)", 5),
    "nle": ("~(a <= b)", 6),
}  # fmt: skip
