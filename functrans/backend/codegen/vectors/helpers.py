"""What the functions of vectors are written with: conditions on the target, and bodies for several of them."""

from __future__ import annotations

SMALL = "static __inline__ __attribute__((always_inline)) "
MASKS = "defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)"
FUSED = "defined(__FMA__) || defined(__ARM_FEATURE_FMA)"
OF_C = {
    "f64": "double", "f32": "float", "i64": "long long", "i32": "int", "u64": "unsigned long long", "u32": "unsigned",
}  # fmt: skip
DI = {64: "di", 32: "si"}  # of what integers the instructions of x86 are called after


class Helpers:
    """The functions of vectors of one kind of numbers and length."""

    def __init__(self, kind: str, bits: int, lanes: int) -> None:
        self.bits, self.lanes, self.size = bits, lanes, bits * lanes // 8
        self.shape = f"{bits}x{lanes}"
        self.kind, self.v, self.m = kind, f"ft_{kind}{self.shape}", f"ft_m{self.shape}"
        self.i, self.number = f"ft_i{self.shape}", OF_C.get(f"{kind}{bits}", "")
        self.p = "pd" if bits == 64 else "ps"
        self.b = str(8 * self.size)
        self.q = "q" if bits == 64 else "d"  # of integers

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
        return MASKS if self.size >= 16 else ""

    @property
    def _end(self) -> str:
        """The end of a list of arguments: the way to round, which vectors of 512 bits have beside their masks."""
        return ", 4" if self.size == 64 else ""

    def _builtin(self, stem: str, arguments: str, masked: str) -> tuple[str, str]:
        """The instruction of x86 for floating-point vectors, as ``maxpd``; shorter ones than it has go in turn."""
        if self.size < 16:
            return "", ""
        if self.size == 64:
            every = "-1" if self.bits == 32 or stem == "sqrt" else f"({self.m})-1"  # masks with a sign, and without
            return MASKS, f"return __builtin_ia32_{stem}{self.p}512_mask({masked}, {every}, 4);"
        wide, feature = ("256", "__AVX__") if self.size == 32 else ("", "__SSE2__")
        return f"defined({feature}) && !defined(__clang__)", f"return __builtin_ia32_{stem}{self.p}{wide}({arguments});"

    @property
    def _avx2(self) -> str:
        return "defined(__AVX2__) && !defined(__clang__)" if self.size == 32 else ""

    def _splat(self, name: str) -> str:
        plain = f"return ({self.v}){{{', '.join('x' * self.lanes)}}};"
        return self._define(self.v, name, f"{self.number} x", plain)

    def _within(self, name: str) -> str:
        """A number in all lanes, or one as far as any that it is compared with where it is farther."""
        far = 1 << 30
        number = f"d < -{far} ? -{far} : d > {far} ? {far} : (int)d" if self.bits == 32 else "d"
        return self._define(self.v, name, "long long d", f"return ft_splat_i{self.shape}({number});")

    def _first(self, name: str) -> str:
        """The first n lanes."""
        lanes = ", ".join(map(str, range(self.lanes)))
        plain = f"return ({self.i}){{{lanes}}} < ft_splat_i{self.shape}(n);"
        return self._define(self.m, name, "int n", plain, (self._masked, f"return ({self.m})((1u << n) - 1);"))
