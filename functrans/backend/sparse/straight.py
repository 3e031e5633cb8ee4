"""The kernel of factor.c written out for one pattern: no index is read, rows under elimination are in registers.

The same operations in the same order, so the same bits. Functions of some hundred statements, as the time of a compiler
is not linear in those of one function. Substitutions and residuals are not written out: they read each number once, and
the code is longer than the loop takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from functrans.ops.sparse_systems import Symbolic

__all__ = ["MOST", "kernel"]

MOST = 20_000
"""Products of a factorization up to which it is written out: some seconds of the compiler."""
_STATEMENTS = 400  # of one function


def kernel(s: Symbolic) -> str:
    """What stands in the place of factor.c."""
    functions, calls = _functions(_rows(s))
    given = "const sparse_pattern *s, const W *restrict a, const V *restrict b, V *restrict lu, V *restrict y, V *w"
    return f"{functions}static void sparse_factor_Y({given}) {{\n{calls}}}\n"


def _functions(pieces: Iterable[list[str]]) -> tuple[str, str]:
    """Functions of whole pieces, and the calls of them."""
    bodies: list[list[str]] = [[]]
    for piece in pieces:
        if len(bodies[-1]) + len(piece) > _STATEMENTS and bodies[-1]:
            bodies.append([])
        bodies[-1] += piece
    head = "static __attribute__((noinline)) IN_ORDER void sparse_factor"
    given = "const W *restrict a, const V *restrict b, V *restrict lu, V *restrict y"
    text = "".join(f"{head}{k}_Y({given}) {{\n" + "\n".join(body) + "\n}\n" for k, body in enumerate(bodies))
    return text, "".join(f"sparse_factor{k}_Y(a, b, lu, y);\n" for k in range(len(bodies)))


def _rows(s: Symbolic) -> Iterator[list[str]]:
    ptr, indices, diagonal = s.indptr.tolist(), s.indices.tolist(), s.diagonal.tolist()
    above, order = s.above.tolist(), s.row_order.tolist()
    given = dict(zip(s.entries.tolist(), range(s.nnz), strict=True))
    for i in range(s.n):
        row = range(diagonal[i] if s.symmetric else ptr[i], ptr[i + 1])
        made = [f"{{ V t = b[{order[i]}];"]
        made += [f"V w{indices[p]} = {f'WIDE(a[{given[p]}])' if p in given else 'SAME(0)'};" for p in row]
        for p in range(ptr[i], diagonal[i]):
            k = indices[p]
            if s.symmetric:
                made.append(f"const V w{k} = lu[{above[p]}] * lu[{diagonal[k]}]; lu[{p}] = w{k};")
            else:
                made.append(f"w{k} *= lu[{diagonal[k]}];")
            made.append(f"t = LESS(w{k}, y[{k}], t);")
            first = above[p] if s.symmetric else diagonal[k] + 1
            made += [f"w{indices[q]} = LESS(w{k}, lu[{q}], w{indices[q]});" for q in range(first, ptr[k + 1])]
        made += [f"lu[{p}] = {'SAME(1) / ' * (p == diagonal[i])}w{indices[p]};" for p in row]
        yield [*made, f"y[{i}] = t; }}"]
