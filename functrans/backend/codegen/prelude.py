"""C helpers that a translation unit brings along, each only where it is used. No #include anywhere."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from functrans.backend.codegen.elementary import ALWAYS, APART, function
from functrans.backend.codegen.exponential_integral import TEXT as EXPI
from functrans.backend.codegen.incomplete_gamma import LOWER, SHARES, UPPER
from functrans.backend.codegen.micro import tile_function
from functrans.backend.codegen.sorting import sort_function
from functrans.backend.codegen.vectors.functions import vector_function
from functrans.backend.codegen.vectors.target import target
from functrans.backend.codegen.vectors.text import vector_helper, vector_types
from functrans.backend.policy import SHORT_ROUNDS, STRAIGHT_STATEMENTS
from functrans.backend.runtime.flags import called_in

# name -> text; {S} is the suffix that stands for a type, {T} the type itself, {R} that of a real part
_GENERIC: dict[str, str] = {
    # two selections that compilers have instructions for; with an or of both conditions they branch. Of equal zeros
    # the second is taken, as NumPy does
    "ft_max": "{T} ft_max_{S}({T} a, {T} b) {{ const {T} m = a > b ? a : b; return a == a ? m : a; }}",
    "ft_min": "{T} ft_min_{S}({T} a, {T} b) {{ const {T} m = a < b ? a : b; return a == a ? m : a; }}",
    "ft_max_i": "{T} ft_max_{S}({T} a, {T} b) {{ return a > b ? a : b; }}",  # integers are never NaN
    "ft_min_i": "{T} ft_min_{S}({T} a, {T} b) {{ return a < b ? a : b; }}",
    "ft_sign": "{T} ft_sign_{S}({T} x) {{ return x != x ? x : ({T})((x > 0) - (x < 0)); }}",
    "ft_floordiv_i": (
        "{T} ft_floordiv_i_{S}({T} a, {T} b) {{ if (b == 0) return 0; "
        "if (b == ({T})-1 && ({T})-1 < 0) return ({T})(0 - a); "
        "{T} q = a / b; return q - (a % b != 0 && (a < 0) != (b < 0)); }}"
    ),
    "ft_floormod_i": (
        "{T} ft_floormod_i_{S}({T} a, {T} b) {{ if (b == 0 || (b == ({T})-1 && ({T})-1 < 0)) return 0; "
        "{T} m = a % b; return m != 0 && (m < 0) != (b < 0) ? m + b : m; }}"
    ),
    "ft_truncdiv": (
        "{T} ft_truncdiv_{S}({T} a, {T} b) {{ if (b == 0) return 0; "
        "if (b == ({T})-1 && ({T})-1 < 0) return ({T})(0 - a); return a / b; }}"
    ),
    "ft_truncmod": (
        "{T} ft_truncmod_{S}({T} a, {T} b) {{ return b == 0 || (b == ({T})-1 && ({T})-1 < 0) ? 0 : a % b; }}"
    ),
    "ft_shl": "{T} ft_shl_{S}({T} a, {T} b) {{ return b < 0 || b >= ({T})(8 * sizeof a) ? 0 : ({T})(a << b); }}",
    "ft_shr": (
        "{T} ft_shr_{S}({T} a, {T} b) {{ "
        "return b < 0 || b >= ({T})(8 * sizeof a) ? ({T})(a < 0 ? -1 : 0) : ({T})(a >> b); }}"
    ),
    "ft_pow_i": (
        "{T} ft_pow_i_{S}({T} a, {T} b) {{ {T} r = 1; "
        "if (b < 0) return a == 1 ? 1 : a == ({T})-1 ? (b & 1 ? ({T})-1 : 1) : 0; "
        "for (; b; b >>= 1, a *= a) if (b & 1) r *= a; return r; }}"
    ),
    # the remainder is exact, and so is a - q b in one rounding where q is the quotient or one more; for what is too
    # far apart for that, and for what is not finite, the C library's
    "ft_mod_f": (
        "{T} ft_mod_f_{S}({T} a, {T} b) {{\n#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)\n"
        "  {T} q = trunc{F}(a / b), r = __builtin_fma{F}(-q, b, a);\n"
        "  if (__builtin_expect(!(fabs{F}(q) < {Q}) || r != r, 0)) return fmod{F}(a, b);\n"
        "  const {T} s = copysign{F}(r, a);\n  return r == s ? s : r + copysign{F}(b, a);\n"
        "#else\n  return fmod{F}(a, b);\n#endif\n}}"
    ),
    "ft_floormod_f": (
        "{T} ft_floormod_f_{S}({T} a, {T} b) {{ const {T} m = ft_mod_f_{S}(a, b), s = copysign{F}(m, b); "
        "return m == s ? s : m + b; }}"
    ),
    "ft_floordiv_f": (
        "{T} ft_floordiv_f_{S}({T} a, {T} b) {{ if (b == 0) return a / b; {T} m = ft_mod_f_{S}(a, b), d = (a - m) / b; "
        "if (m != 0 && (b < 0) != (m < 0)) d -= 1; if (d == 0) return copysign{F}(0, a / b); "
        "{T} f = floor{F}(d); return d - f > ({T})0.5 ? f + 1 : f; }}"
    ),
    "ft_digamma": (
        "{T} ft_digamma_{S}({T} z) {{ double x = z, r = 0; const double pi = 3.141592653589793;\n"
        "  if (x <= 0) {{ double f = x - rint(x);\n"
        "    if (f == 0) return x == 0 ? copysign(__builtin_inf(), -x) : __builtin_nan(\"\");\n"
        "    r = -pi / ft_tan_f64(pi * f); x = 1 - x; }}\n"
        "  for (; x < 10; x += 1) r -= 1 / x;\n"
        "  double y = 1 / (x * x);\n"
        "  return r + ft_log_f64(x) - 0.5 / x - y * (1. / 12 - y * (1. / 120 - y * (1. / 252 - y * (1. / 240\n"
        "    - y * (1. / 132 - y * (691. / 32760 - y / 12)))))); }}"
    ),
    # the product of the way to [2, 3), in twice the precision, times a quotient of polynomials there (Cephes)
    "ft_gamma": (
        "{T} ft_gamma_{S}({T} z) {{ double y = z, h = 1, l = 0, d = 1, e = 0, p;\n"
        "  if (!(y < 171.65)) return y * __builtin_inf();\n"
        "  if (y <= 0 && floor(y) == y) return y == 0 ? 1 / z : __builtin_nan(\"\");\n"
        "  if (y < -190) return fmod(floor(y), 2) == 0 ? 0.0 : -0.0;\n"
        "  while (y >= 3) {{ y -= 1; p = h * y; l = ft_fma_f64(h, y, -p) + l * y; h = p; }}\n"
        "  while (y < 2) {{ p = d * y; e = ft_fma_f64(d, y, -p) + e * y; d = p; y += 1; }}\n"
        "  if (d - d != 0) return copysign(0.0, d);\n"
        "  y -= 2;\n"
        "  p = ((((((1.60119522476751861407E-4 * y + 1.19135147006586384913E-3) * y + 1.04213797561761569935E-2) * y\n"
        "    + 4.76367800457137231464E-2) * y + 2.07448227648435975150E-1) * y + 4.94214826801497100753E-1) * y + 1)\n"
        "    / (((((((-2.31581873324120129819E-5 * y + 5.39605580493303397842E-4) * y\n"
        "    - 4.45641913851797240494E-3) * y\n"
        "    + 1.18139785222060435552E-2) * y + 3.58236398605498653373E-2) * y - 2.34591795718243348568E-1) * y\n"
        "    + 7.14304917030273074085E-2) * y + 1);\n"
        "  return ft_fma_f64(p, h, p * l) / (d + e); }}"
    ),
    "ft_expi": EXPI,
    "ft_gammashare": SHARES,
    "ft_gammainc": LOWER,
    "ft_gammaincc": UPPER,
    "ft_nextafter": (  # of zeros of two signs C gives the second, NumPy's float16 the first
        "{T} ft_nextafter_{S}({T} a, {T} b) {{ if (a != a || b != b) return a + b;\n"
        "  if (a == b) return sizeof a == 2 ? a : b;\n"
        "  union {{ {T} x; {U} u; }} v = {{ .x = a }};\n"
        "  if (a == 0) {{ v.u = 1; return b < 0 ? -v.x : v.x; }}\n"
        "  v.u += (a < b) == (a > 0) ? 1 : -1; return v.x; }}"
    ),
    # Euler and Maclaurin, behind the first terms; below 0 what is there is the difference of two with q > 0
    "ft_zetaabove": (
        "{T} ft_zetaabove_{S}({T} s, {T} q) {{\n"
        "  if (s > 1e4) return ft_pow_{S}(q, -s);\n"
        "  if (q > 1e8) return (1 / (s - 1) + 0.5 / q) * ft_pow_{S}(q, 1 - s);\n"
        "  static const double c[] = {{ 1. / 12, -1. / 720, 1. / 30240, -1. / 1209600, 1. / 47900160,\n"
        "    -691. / 1307674368000, 1. / 74724249600, -3617. / 10670622842880000 }};\n"
        "  {T} w = q, b = 0, r = 0, e = 1;\n"
        "  for (int i = 0; i < 12; i++, w += 1) {{ b = ft_pow_{S}(w, -s); r += b; if (b <= 1e-17 * r) return r; }}\n"
        "  b = ft_pow_{S}(w, -s); e = b * s / w; r += b * (w / (s - 1) + 0.5);\n"
        "  for (int i = 0; i < 8; i++) {{ r += c[i] * e; e *= (s + 2 * i + 1) * (s + 2 * i + 2) / (w * w); }}\n"
        "  return r; }}"
    ),
    "ft_zeta": (
        "{T} ft_zeta_{S}({T} exponent, {T} from) {{ const double s = exponent, q = from;\n"
        "  if (!(s >= 1) || q != q) return __builtin_nan(\"\");\n"
        "  if (s == 1 || (q <= 0 && floor(q) == q)) return __builtin_inf();\n"
        "  if (q > 0) return ft_zetaabove_f64(s, q);\n"
        "  if (floor(s) != s) return __builtin_nan(\"\");\n"
        "  const double p = -q, f = p - floor(p), r = ft_zetaabove_f64(s, f) - ft_zetaabove_f64(s, p + 1);\n"
        "  return (fmod(s, 2) == 1 ? -r : r) + ft_zetaabove_f64(s, 1 - f); }}"
    ),
    # complex numbers: NumPy's formulas, which differ from C's at infinities and at signed zeros. Of a product and a sum
    # beside a product and a difference gcc 12 makes vfmaddsub, whatever -ffp-contract says, but not in what is left of
    # a loop: so products are fused by themselves, and quotients have sums alone
    "ft_mul": (
        "{T} ft_mul_{S}({T} a, {T} b) {{ {R} p = __real__ a, q = __imag__ a, r = __real__ b, s = __imag__ b; "
        "return __builtin_complex(ft_fma_{P}(p, r, -(q * s)), ft_fma_{P}(p, s, q * r)); }}"
    ),
    "ft_div": (
        "{T} ft_div_{S}({T} a, {T} b) {{ {R} p = __real__ a, q = __imag__ a, r = __real__ b, s = __imag__ b;\n"
        "  {R} k = fabs{F}(r), l = fabs{F}(s), t, u;\n"
        "  if (k >= l) {{ if (k == 0) return __builtin_complex(p / k, q / k);\n"
        "    t = s / r; u = 1 / (r + s * t); return __builtin_complex((p + q * t) * u, (q + -p * t) * u); }}\n"
        "  t = r / s; u = 1 / (s + r * t); return __builtin_complex((p * t + q) * u, (q * t + -p) * u); }}"
    ),
    "ft_recip": (
        "{T} ft_recip_{S}({T} a) {{ {R} r = __real__ a, s = __imag__ a, t, u;\n"
        "  if (fabs{F}(s) <= fabs{F}(r)) {{ t = s / r; u = r + s * t; return __builtin_complex(1 / u, -t / u); }}\n"
        "  t = r / s; u = s + r * t; return __builtin_complex(t / u, -1 / u); }}"
    ),
    "ft_rint_c": (
        "{T} ft_rint_c_{S}({T} z) {{ return __builtin_complex(rint{F}(__real__ z), rint{F}(__imag__ z)); }}"
    ),
    "ft_pow_c": (
        "{T} ft_pow_c_{S}({T} a, {T} b) {{ {R} r = __real__ b;\n"
        "  if (r == 0 && __imag__ b == 0) return 1;\n"
        "  if (a == 0) return r > 0 ? 0 : __builtin_complex(({R})__builtin_nan(\"\"), "
        "({R})__builtin_nan(\"\"));\n"
        "  if (__imag__ b == 0 && r > -100 && r < 100 && (int)r == r) {{\n"
        "    int n = (int)r; if (n == 1) return a; if (n == 2) return ft_mul_{S}(a, a);\n"
        "    if (n == 3) return ft_mul_{S}(a, ft_mul_{S}(a, a));\n"
        "    {T} p = 1; for (n = n < 0 ? -n : n;; a = ft_mul_{S}(a, a)) {{\n"
        "      if (n & 1) p = ft_mul_{S}(p, a); if (!(n >>= 1)) break; }}\n"
        "    return r < 0 ? ft_div_{S}(1, p) : p; }}\n"
        "  return cpow{F}(a, b); }}"
    ),
    "ft_sign_c": (
        "{T} ft_sign_c_{S}({T} z) {{ {R} x = __real__ z, y = __imag__ z, m = hypot{F}(x, y);\n"
        "  if (m != m) return __builtin_complex(m, m);\n"
        "  if (__builtin_isinf(m)) {{ const _Bool first = __builtin_isinf(x);\n"
        "    if (first && __builtin_isinf(y)) return __builtin_complex(m - m, m - m);\n"
        "    return __builtin_complex(({R})(first ? x > 0 ? 1 : -1 : 0), ({R})(first ? 0 : y > 0 ? 1 : -1)); }}\n"
        "  return m == 0 ? 0 : __builtin_complex(x / m, y / m); }}"
    ),
    "ft_scale_c": (
        "{T} ft_scale_c_{S}({T} z, {R} k) {{ return __builtin_complex(__real__ z * k, __imag__ z * k); }}"
    ),
    "ft_expm1_c": (
        "{T} ft_expm1_c_{S}({T} z) {{ {R} x = __real__ z, y = __imag__ z, a = sin{F}(y / 2);\n"
        "  return __builtin_complex(expm1{F}(x) * cos{F}(y) - 2 * a * a, exp{F}(x) * sin{F}(y)); }}"
    ),
    "ft_log1p_c": (
        "{T} ft_log1p_c_{S}({T} z) {{ {R} x = __real__ z, y = __imag__ z, u = x + 1;\n"
        "  return __builtin_complex(fabs{F}(x) < ({R})0.5 && fabs{F}(y) < ({R})0.5\n"
        "    ? log1p{F}(x * (2 + x) + y * y) / 2 : log{F}(hypot{F}(u, y)), atan2{F}(y, u)); }}"
    ),
}  # fmt: skip

# a stable merge sort of positions p by keys k, over runs sorted by insertion; what has a NaN comes last
_GENERIC["ft_argsort_c"] = (
    "void ft_argsort_c_{S}(const {T} *k, long long n, long long *p, long long *t) {{\n"
    "  for (long long a = 0; a < n; a += 8)\n"
    "    for (long long i = a; i < n && i < a + 8; i++) {{ long long j = i;\n"
    "      for (; j > a && ft_before_c_{S}(k[i], k[p[j - 1]]); j--) p[j] = p[j - 1];\n"
    "      p[j] = i; }}\n"
    "  long long *from = p, *to = t, *swap;\n"
    "  for (long long w = 8; w < n; w *= 2, swap = from, from = to, to = swap)\n"
    "    for (long long a = 0; a < n; a += 2 * w) {{\n"
    "      long long b = a + w < n ? a + w : n, e = b + w < n ? b + w : n, i = a, j = b;\n"
    "      for (long long o = a; o < e; o++)\n"
    "        to[o] = i < b && (j == e || !ft_before_c_{S}(k[from[j]], k[from[i]])) ? from[i++] : from[j++]; }}\n"
    "  if (from != p) for (long long i = 0; i < n; i++) p[i] = from[i]; }}"
)
# positions p in stable order of the keys k by whole numbers u that are in the order of the keys; t and v are spare
_SORT = (
    "void ft_argsort_{N}(const {{T}} *k, long long n, long long *p, long long *t, unsigned long long *u, "
    "unsigned long long *v) {{{{\n"
    "  for (long long i = 0; i < n; i++) u[i] = ft_rank_{N}(k[i]);\n"
    "  ft_order_u64(u, v, n, p, t); }}}}"
)
_GENERIC["ft_argsort_f"] = _SORT.format(N="f_{S}")
_GENERIC["ft_argsort_i"] = _SORT.format(N="i_{S}")
_GENERIC["ft_rank_i"] = (
    "unsigned long long ft_rank_i_{S}({T} x) {{ "
    "return (unsigned long long)x + (({T})-1 < 0 ? 1ull << (8 * sizeof x - 1) : 0); }}"
)
_GENERIC["ft_rank_f"] = (  # zeros are equal, NaN are equal and larger than every number
    "unsigned long long ft_rank_f_{S}({T} y) {{ const double x = (double)y + 0; unsigned long long b;\n"
    "  __builtin_memcpy(&b, &x, 8); return x != x ? ~0ull : b ^ (b >> 63 ? ~0ull : 1ull << 63); }}"
)
# A few are counted, each against all, without a branch; many go by one byte after the other, the last first (LSD radix
# sort: Knuth, The Art of Computer Programming, vol. 3, 5.2.5), but for bytes that are the same in all.
_GENERIC["ft_order"] = (
    "void ft_order_u64(unsigned long long *u, unsigned long long *v, long long n, long long *p, long long *t) {{\n"
    "  if (n <= 192) {{\n"
    "    for (long long i = 0; i < n; i++) {{ const unsigned long long x = u[i]; unsigned long long c = 0;\n"
    "      for (long long j = 0; j < i; j++) c += u[j] <= x ? 1 : 0;\n"
    "      for (long long j = i + 1; j < n; j++) c += u[j] < x ? 1 : 0;\n"
    "      p[c] = i; }}\n"
    "    return; }}\n"
    "  long long at[8][256] = {{{{0}}}}, *from = p, *to = t;\n"
    "  for (long long i = 0; i < n; i++) {{ p[i] = i; for (int b = 0; b < 8; b++) at[b][u[i] >> 8 * b & 255]++; }}\n"
    "  for (int b = 0; b < 8; b++) {{ long long *c = at[b], below = 0;\n"
    "    if (c[u[0] >> 8 * b & 255] == n) continue;\n"
    "    for (int d = 0; d < 256; d++) {{ const long long here = c[d]; c[d] = below; below += here; }}\n"
    "    for (long long i = 0; i < n; i++) {{ const long long o = c[u[i] >> 8 * b & 255]++;\n"
    "      v[o] = u[i]; to[o] = from[i]; }}\n"
    "    unsigned long long *w = u; u = v; v = w; long long *swap = from; from = to; to = swap; }}\n"
    "  if (from != p) for (long long i = 0; i < n; i++) p[i] = from[i]; }}"
)
_GENERIC["ft_before_c"] = (  # by real, then by imaginary part; what has a NaN comes last
    "_Bool ft_before_c_{S}({T} a, {T} b) {{ {R} p = __real__ a, q = __imag__ a, r = __real__ b, s = __imag__ b;\n"
    "  if (p < r) return q == q || s != s;\n"
    "  if (p > r) return s != s && q == q;\n"
    "  if (p == r || (p != p && r != r)) return q < s || (s != s && q == q);\n"
    "  return r != r; }}"
)

PURE = " __attribute__((const))"  # errno and exception flags are read by nobody
_UNARY = (
    "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p sqrt cbrt "
    "erf erfc lgamma floor ceil trunc rint fabs"
).split()
_BINARY = "pow atan2 hypot fmod copysign".split()
_COMPLEX = "csin ccos ctan casin cacos catan csinh ccosh ctanh casinh cacosh catanh cexp clog csqrt conj".split()
_PROTOTYPES = (  # names, the type of the result, those of the arguments
    (_UNARY, "T", "T"),
    (_BINARY, "T", "T, T"),
    (_COMPLEX, "T _Complex", "T _Complex"),
    (["cabs"], "T", "T _Complex"),
    (["cpow"], "T _Complex", "T _Complex, T _Complex"),
)
# the C library's functions that a text may call: their prototypes are written where they are
DECLARED = frozenset(
    f"{name}{f}" for names, *_ in _PROTOTYPES for name in names for f in ("", "f")
)
_TYPES = {
    "b": "unsigned char", "i8": "signed char", "i16": "short", "i32": "int", "i64": "long long",
    "u8": "unsigned char", "u16": "unsigned short", "u32": "unsigned", "u64": "unsigned long long",
    "f16": "_Float16", "f32": "float", "f64": "double", "c64": "float _Complex", "c128": "double _Complex",
}  # fmt: skip


def f2i_helper(to: str) -> str:
    """C that converts a double to an integer type, saturating, NaN to 0."""
    bits = int(to[1:])
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1)) if to[0] == "i" else (0, 2**bits)
    ends = (f"-{-low}.0" if low else "0.0"), f"{high}.0"
    top = f"({_TYPES[to]})0x{high - 1:x}ULL"
    bottom = f"(({_TYPES[to]})1 << {bits - 1})" if low else "0"
    return (
        f"static inline {_TYPES[to]} ft_f2i_{to}(double x) {{ return x != x ? 0 : x >= {ends[1]} ? {top} : "
        f"x <= {ends[0]} ? ({_TYPES[to]}){bottom} : ({_TYPES[to]})x; }}"
    )


def helper_text(name: str, width: int) -> str:
    """The definition of a helper named with its type suffix, as ``ft_max_f64``; where it has vectors, of ``width``
    bytes, 0 for none.
    """
    own = function(name) or tile_function(name, width) or sort_function(name, width)
    own = own or vector_function(name) or vector_helper(name)
    if own is not None:
        return own
    stem, suffix = name.rsplit("_", 1)
    if stem == "ft_f2i":
        return f2i_helper(suffix)
    single = suffix in ("f32", "c64")
    real, f = ("float", "f") if single else ("double", "")
    parts = {"S": suffix, "T": _TYPES[suffix], "R": real, "F": f, "P": "f32" if single else "f64"}
    parts["Q"] = "0x1p22f" if single else "0x1p51"  # quotients that have bits to spare
    parts["U"] = _TYPES.get(f"u{suffix[1:]}", "")  # of as many bits
    if stem in ("ft_max", "ft_min") and suffix[0] != "f":
        stem += "_i"
    return f"static inline {_GENERIC[stem].format(**parts)}"


_HELPER = re.compile(r"ft_[a-z0-9]+(?:_[a-z])?_[a-z]\d*(?:x\d+)?")
_OF_VECTORS = re.compile(r"_f\d\dx\d+$")


def _helpers_called(body: str) -> list[str]:
    """The names of helpers, in order, each as often as it is called."""
    called = called_in(body)
    names = {name for name in set(called) if _HELPER.fullmatch(name)}
    return [name for name in called if name in names]


def _helpers(body: str, width: int, own: str = "") -> dict[str, str]:
    """The helpers that ``body`` calls, those that they call first; ``own`` is what it defines itself."""
    found: dict[str, str] = {}
    for name in dict.fromkeys(_helpers_called(body)):
        if name not in found and name != own:
            found = found | _with_inner(name, width)
    return found


@cache
def _with_inner(name: str, width: int) -> dict[str, str]:
    text = helper_text(name, width)
    return _helpers(text, width, name) | {name: text}


def _called_rather_than_inlined(helpers: dict[str, str], body: str) -> dict[str, str]:
    """The helpers, elementary functions as functions of their own where so many are called that inlining is slow.

    Those with a twin for near arguments are left with the rare ones and are no inlined code: they do not count.
    """
    found = {name: n for name, n in Counter(_helpers_called(body)).items() if helpers[name].startswith(ALWAYS)}
    most = Counter[str]()  # in one function
    for text in body.split("\n}\n"):
        most |= Counter(_helpers_called(text))
    vectors = {name: n for name, n in found.items() if _OF_VECTORS.search(name)}
    often = {name for name, n in vectors.items() if most[name] > SHORT_ROUNDS or n > 2 * SHORT_ROUNDS}
    helpers |= {name: helpers[name].replace(ALWAYS, APART, 1) for name in often}
    found = {name: n for name, n in found.items() if not _OF_VECTORS.search(name)}
    rare = {name.replace("near_", "_") for name in found if "near_" in name}
    if sum(n for name, n in found.items() if name not in rare) <= STRAIGHT_STATEMENTS:
        return helpers
    return {name: text.replace(ALWAYS, APART, 1) if name in found else text for name, text in helpers.items()}


def prelude(body: str) -> str:
    """Prototypes and helpers for the names that ``body`` calls."""
    width = target().bytes if target().has_vectors else 0
    helpers = _called_rather_than_inlined(_helpers(body, width), body)
    text = "\n".join(helpers.values())
    called = {*called_in(body), *called_in(text)}
    lines = []
    for names, result, parameters in _PROTOTYPES:
        for name in names:
            for suffix, real in (("", "double"), ("f", "float")):
                if name + suffix in called:
                    lines.append(f"{result} {name}{suffix}({parameters}){PURE};".replace("T", real))
    types = vector_types(body + text)
    return "\n".join([*([types] if types else []), *lines, *helpers.values()])
