"""C of the elementary functions: each expansion as a function of numbers, which compilers make vectors of.

Where the target fuses multiply-adds an expansion may differ from the one elsewhere; then the text has both. Sine,
cosine and tangent have two functions: one that is named ``near``, right up to a limit, and one for all arguments, which
calls the C library beyond it and is not inlined.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache

from functrans import dtypes
from functrans.backend.codegen.spelling import ctype, literal, spell, suffix
from functrans.backend.elementary.expansion import LIMITS, Expansion, arity, expansion, is_function
from functrans.backend.policy import EXPRESSION_CHARACTERS
from functrans.dtypes import DType
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, toposort

ALWAYS = "static inline __attribute__((always_inline)) "
APART = "static __attribute__((noinline, const)) "
FUSED = "#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)"
_NAME = re.compile(r"ft_([a-z0-9]+?)(near)?_(f32|f64)")
_DTYPE = {"f64": dtypes.float64, "f32": dtypes.float32}
LIMITED = frozenset({"sin", "cos", "tan"})


def _small_parts() -> dict[str, str]:
    """What expansions are spelled with: multiply-adds, bits of numbers, and a 1 that compilers do not know."""
    found = {f"ft_fma_{s}": f"#define ft_fma_{s}(a, b, c) ((a) * (b) + (c))" for s in ("i32", "u32", "i64", "u64")}
    for dtype, integer, f in ((dtypes.float64, dtypes.int64, ""), (dtypes.float32, dtypes.int32, "f")):
        s, real, whole = suffix(dtype), ctype(dtype), ctype(integer)
        copy = f"__builtin_memcpy(&y, &x, {dtype.itemsize}); return y;"
        found |= {
            f"ft_fma_{s}": f"{FUSED}\n#define ft_fma_{s}(a, b, c) __builtin_fma{f}(a, b, c)\n#else\n"
                           f"#define ft_fma_{s}(a, b, c) ((a) * (b) + (c))\n#endif",
            f"ft_bits_{s}": f"{ALWAYS}{whole} ft_bits_{s}({real} x) {{ {whole} y; {copy} }}",
            f"ft_float_{s}": f"{ALWAYS}{real} ft_float_{s}({whole} x) {{ {real} y; {copy} }}",
            f"ft_one_{s}": f"{APART}{real} ft_one_{s}(void) {{ return 1; }}",
        }  # fmt: skip
    return found


_PARTS = _small_parts()


@cache
def function(name: str) -> str | None:
    """The definition of a C function, as ``ft_exp_f64``, or None where there is none.

    One of float32 computes in float64 and rounds once where it has no expansion of its own.
    """
    if name in _PARTS:
        return _PARTS[name]
    match = _NAME.fullmatch(name)
    if match is None or not is_function(match[1]):
        return None
    stem, kind, dtype = match[1], match[2], _DTYPE[match[3]]
    if stem in LIMITED and kind != "near":
        return _of_all(stem, dtype)
    if kind == "near" and stem not in LIMITED:
        return None
    return _function(name, stem, dtype)


def _of_all(stem: str, dtype: DType) -> str:
    """A function of near arguments and of those for which the C library is called."""
    real, s, f = ctype(dtype), suffix(dtype), "f" if dtype.itemsize == 4 else ""
    near = f"__builtin_fabs{f}(x) <= {literal(dtype, LIMITS[dtype.itemsize])}"
    head = f"{APART}{real} ft_{stem}_{s}({real} x)"
    rounded = "(float)" if f else ""
    return f"{head} {{\n  return {near} ? ft_{stem}near_{s}(x) : {rounded}{stem}(x);\n}}"


def _function(name: str, stem: str, dtype: DType) -> str:
    real, letters = ctype(dtype), LETTERS[: arity(stem)]
    head = f"{ALWAYS}{real} {name}({', '.join(f'{real} {x}' for x in letters)}) {{"
    return by_target(head, lambda fused: _body(stem, dtype, fused, name))


def by_target(head: str, body: Callable[[bool], str]) -> str:
    """A function; its body may be another one where multiply-adds are fused."""
    fused, plain = body(True), body(False)
    if fused == plain:
        return f"{head}\n{fused}\n}}"
    return f"{head}\n{FUSED}\n{fused}\n#else\n{plain}\n#endif\n}}"


def _body(stem: str, dtype: DType, fused: bool, name: str) -> str:
    found = expansion(stem, dtype, fused=fused)
    if found is None:  # float32 by float64
        return f"  return (float){name.removesuffix('f32')}f64({', '.join(LETTERS[: arity(stem)])});"
    return _lines(found)


def _lines(found: Expansion) -> str:
    """The statements of an expansion. What is used more than once has a name, and so has what is selected: compilers
    make vectors of selections between values, not between computations.
    """
    order = toposort((found.result,))
    uses = Counter(s for u in order for s in u.src)
    selected = {s for u in order if u.op is Ops.WHERE for s in u.src[1:]}

    def write(u: UOp, text: Mapping[UOp, str]) -> str:
        if u.op is Ops.PARAM:
            return f"ft_one_{suffix(u.dtype)}()"
        return literal(u.dtype, u.arg) if u.op is Ops.CONST else spell(u, [text[s] for s in u.src])

    def is_named(u: UOp, text: str) -> bool:
        return u is not found.result and (uses[u] > 1 or u in selected or len(text) > EXPRESSION_CHARACTERS)

    return statements(found, ctype, write, is_named)


def statements(
    found: Expansion, kind: Callable[[DType], str], write: Callable[[UOp, Mapping[UOp, str]], str],
    is_named: Callable[[UOp, str], bool],
) -> str:  # fmt: skip
    """The statements of an expansion: its values as they are written, those with names that are to have one."""
    text: dict[UOp, str] = dict(zip(found.arguments, LETTERS, strict=False))
    lines: list[str] = []
    for u in toposort((found.result,)):
        if u in text:
            continue
        text[u] = write(u, text)
        if u.src and is_named(u, text[u]):
            lines.append(f"  const {kind(u.dtype)} v{len(lines)} = {text[u]};")
            text[u] = f"v{len(lines) - 1}"
    return "\n".join([*lines, f"  return {text[found.result]};"])


LETTERS = "xyuwz"  # of arguments
