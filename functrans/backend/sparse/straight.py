"""The kernels of loops.c written out for one pattern: no index is read, rows under elimination are in registers.

The same operations in the same order, so the same bits. Functions of some hundred statements, as the time of a compiler
is not linear in those of one function.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from functrans.backend.sparse.residual import Residual
from functrans.ops.sparse_systems import Symbolic

__all__ = ["MOST", "kernels"]

MOST = 20_000
"""Products of a factorization up to which it is written out: some seconds of the compiler."""
_STATEMENTS = 400  # of one function


def kernels(s: Symbolic, residual: Residual, turned: bool) -> str:
    """What stands in the place of loops.c, for systems with the matrix or with its transpose."""
    factors, first = _functions("factor", "const W *a, V *lu", "a, lu", _rows(s))
    pieces = _turned(s) if turned else _substitution(s)
    substitutions, second = _functions("substitute", "const V *lu, V *y", "lu, y", pieces)
    return f"""{factors}
static void sparse_factor_Y(const sparse_pattern *s, const W *a, V *lu, V *w) {{
{first}}}
{substitutions}
static void sparse_substitute_Y(const sparse_pattern *s, const V *lu, V *y, int turned) {{
{second}}}
{_residual(residual)}"""


def _functions(name: str, given: str, passed: str, pieces: Iterable[list[str]]) -> tuple[str, str]:
    """Functions of whole pieces, and the calls of them."""
    bodies: list[list[str]] = [[]]
    for piece in pieces:
        if len(bodies[-1]) + len(piece) > _STATEMENTS and bodies[-1]:
            bodies.append([])
        bodies[-1] += piece
    head = f"static __attribute__((noinline)) IN_ORDER void sparse_{name}"
    text = "".join(
        f"{head}{k}_Y({given}) {{\n" + "\n".join(body) + "\n}\n"
        for k, body in enumerate(bodies)
    )
    return text, "".join(f"sparse_{name}{k}_Y({passed});\n" for k in range(len(bodies)))


def _rows(s: Symbolic) -> Iterator[list[str]]:
    ptr, indices, diagonal = s.indptr.tolist(), s.indices.tolist(), s.diagonal.tolist()
    above = s.above.tolist()
    given = dict(zip(s.entries.tolist(), range(s.nnz), strict=True))
    for i in range(s.n):
        row = range(diagonal[i] if s.symmetric else ptr[i], ptr[i + 1])
        made = ["{", *(f"V w{indices[p]} = {f'WIDE(a[{given[p]}])' if p in given else 'SAME(0)'};" for p in row)]
        for p in range(ptr[i], diagonal[i]):
            k = indices[p]
            if s.symmetric:
                made.append(f"const V w{k} = lu[{above[p]}] * lu[{diagonal[k]}]; lu[{p}] = w{k};")
            else:
                made.append(f"w{k} *= lu[{diagonal[k]}];")
            first = above[p] if s.symmetric else diagonal[k] + 1
            made += [f"w{indices[q]} = LESS(w{k}, lu[{q}], w{indices[q]});" for q in range(first, ptr[k + 1])]
        made += [f"lu[{p}] = {'SAME(1) / ' * (p == diagonal[i])}w{indices[p]};" for p in row]
        yield [*made, "}"]


def _substitution(s: Symbolic) -> Iterator[list[str]]:
    ptr, indices, diagonal = s.indptr.tolist(), s.indices.tolist(), s.diagonal.tolist()
    for i in range(s.n):
        yield [_sum(i, range(ptr[i], diagonal[i]), indices) + f"y[{i}] = t; }}"]
    for i in reversed(range(s.n)):
        yield [_sum(i, range(diagonal[i] + 1, ptr[i + 1]), indices) + f"y[{i}] = t * lu[{diagonal[i]}]; }}"]


def _sum(i: int, places: range, indices: list[int]) -> str:
    return f"{{ V t = y[{i}]; " + "".join(f"t = LESS(lu[{p}], y[{indices[p]}], t); " for p in places)


def _turned(s: Symbolic) -> Iterator[list[str]]:
    ptr, indices, diagonal = s.indptr.tolist(), s.indices.tolist(), s.diagonal.tolist()
    for i in range(s.n):
        after = [_less(p, indices[p]) for p in range(diagonal[i] + 1, ptr[i + 1])]
        yield [f"{{ const V t = y[{i}] * lu[{diagonal[i]}]; y[{i}] = t;", *after, "}"]
    for i in reversed(range(s.n)):
        before = [_less(p, indices[p]) for p in range(ptr[i], diagonal[i])]
        if before:
            yield [f"{{ const V t = y[{i}];", *before, "}"]


def _less(p: int, i: int) -> str:
    return f"y[{i}] = LESS(lu[{p}], t, y[{i}]);"


def _residual(r: Residual) -> str:
    starts, at, across = r.starts.tolist(), r.at.tolist(), r.across.tolist()
    pieces = []
    for i in range(len(starts) - 1):
        terms = [
            f"e = WIDE(a[{at[p]}]); t = x[{across[p]}]; left = LESS(e, t, left); bound += ABS(e * t);"
            for p in range(*starts[i : i + 2])
        ]
        first = f"{{ V e, t, left = b[{i}], bound = ABS(b[{i}]);"
        last = f"r[{i}] = left; *wrong |= NOT(LE(ABS(left), SAME(s->tolerance[{i}]) * bound)); }}"
        pieces.append([first, *terms, last])
    given = "const sparse_pattern *s, const W *a, const V *x, const V *b, V *r"
    text, calls = _functions("residual", f"{given}, M *wrong", "s, a, x, b, r, &wrong", pieces)
    body = f"M wrong = LT(SAME(1), SAME(0));\n{calls}return wrong;\n"
    return f"{text}\nstatic M sparse_residual_Y({given}) {{\n{body}}}\n"
