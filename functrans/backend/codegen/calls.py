"""C of calls of functions of rows: each function once, and a table of which is called with which rows.

A call in the text costs the compiler a quarter of a millisecond; a line of a table costs it nothing.
"""

from __future__ import annotations

from functrans import dtypes
from functrans.backend.codegen.spelling import NEAR, WAVES, ctype, literal, spell
from functrans.backend.elementary.expansion import LIMITS
from functrans.dtypes import DType
from functrans.ops.enums import Ops
from functrans.ops.kernel import Call
from functrans.ops.uop import UOp, toposort

UNIT = 16  # the number of lanes is a multiple of it
_HEAD = "(char *const *s, const int *a, const double *c, long long n) {"


def functions(node: UOp) -> list[str]:
    """The texts, from the first parenthesis on, of the functions that are called, each once."""
    arrays = {s.dtype: k for k, s in enumerate(node.src[1:])}
    return [_function(call, arrays, node.arg.width) for call in _distinct(node).values()]


def _distinct(node: UOp) -> dict[tuple[UOp, ...], Call]:
    found: dict[tuple[UOp, ...], Call] = {}
    for call in node.arg.calls:
        found.setdefault(call.results, call)
    return found


def lines(node: UOp, number: int, names: list[str], arrays: list[str], count: str) -> list[str]:
    """The table of the calls, a line each, and the loop that makes them. A line is the function, how many numbers
    follow, the rows it fills and those it is given, and the places of the numbers it is given.
    """
    which = {results: k for k, results in enumerate(_distinct(node))}
    place: dict[str, int] = {}
    rows = []
    for call in node.arg.calls:
        given = [place.setdefault(_number(x), len(place)) for x in call.numbers]
        words = (which[call.results], len(call.rows) + len(given), *call.rows, *given)
        rows.append(f"  {', '.join(map(str, words))},")
    calls, table, numbers = f"calls{number}", f"table{number}", f"numbers{number}"
    length = sum(2 + len(c.rows) + len(c.numbers) for c in node.arg.calls)
    parameters = "(char *const *, const int *, const double *, long long)"
    return [
        f"static void (*const {calls}[]){parameters} = {{{', '.join(names)}}};",
        f"static const double {numbers}[] = {{{', '.join(place) or '0'}}};",
        f"static const int {table}[] = {{",
        *rows,
        "};",
        f"char *const rows{number}[] = {{{', '.join(f'(char *){a}' for a in arrays)}}};",
        f"for (const int *a = {table}; a < {table} + {length}; a += 2 + a[1])",
        f"  {calls}[a[0]](rows{number}, a + 2, {numbers}, ({count}) / {UNIT});",
    ]


def _number(value: float) -> str:
    """A number of a table."""
    return literal(dtypes.float64, value)


def _function(call: Call, arrays: dict[DType, int], width: int) -> str:
    """The text of one function."""
    order = toposort(call.results)
    parts = [f"  {ctype(u.dtype)} *restrict o{k} = ({ctype(u.dtype)} *)s[{arrays[u.dtype]}] + a[{k}] * {width};"
             for k, u in enumerate(call.results)]  # fmt: skip
    text: dict[UOp, str] = {}
    for u in (u for u in order if u.op is Ops.PARAM):
        (kind, k), c = u.arg[0], ctype(u.dtype)
        if kind == "row":
            at = len(call.results) + k
            parts.append(f"  const {c} *restrict p{k} = (const {c} *)s[{arrays[u.dtype]}] + a[{at}] * {width};")
            text[u] = f"p{k}[i]"
        else:
            parts.append(f"  const {c} c{k} = ({c})c[a[{len(call.rows) + k}]];")
            text[u] = f"c{k}"
    loop = f"  for (long long i = 0; i < n * {UNIT}; i++) {{"
    (first, *others) = call.results
    if first.op in WAVES and not others and first.src[0].op is Ops.PARAM:
        return "\n".join([_HEAD, *parts, *_wave(first, loop), "}"])
    body: list[str] = []
    for u in order:
        if u.op is Ops.CONST:
            text[u] = literal(u.dtype, u.arg)
        elif u.op is not Ops.PARAM:
            text[u] = f"v{len(body)}"
            body.append(f"    const {ctype(u.dtype)} {text[u]} = {spell(u, [text[s] for s in u.src])};")
    stores = [f"    o{k}[i] = {text[u]};" for k, u in enumerate(call.results)]
    return "\n".join([_HEAD, *parts, "#pragma omp simd", loop, *body, *stores, "  }", "}"])


def _wave(node: UOp, loop: str) -> list[str]:
    """A sine, cosine or tangent: of near arguments, and then of those that are far, if one is."""
    near = spell(UOp(node.op, node.dtype, node.src, NEAR), ["x"])
    size, flag = ("fabsf", "int") if node.dtype.itemsize == 4 else ("fabs", "long long")
    limit = literal(node.dtype, LIMITS[node.dtype.itemsize])
    return [
        f"  {flag} far = 0;",
        loop,
        f"    const {ctype(node.dtype)} x = p0[i];",
        f"    o0[i] = {near};",
        f"    far |= {limit} < {size}(x);",
        "  }",
        f"  if (far) {loop.strip()} if ({limit} < {size}(p0[i])) o0[i] = {node.op.name.lower()}(p0[i]); }}",
    ]
