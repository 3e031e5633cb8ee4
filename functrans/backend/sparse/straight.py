"""The kernel of factor.c written out for one pattern: no index is read, rows under elimination are in registers.

The same operations in the same order, so the same bits. Functions of some hundred statements, as the time of a compiler
is not linear in those of one function. Residuals are not written out, nor the solutions of refinement: they read each
number once, and the code is longer than the loop takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from functrans.ops.sparse_pattern import Symbolic

__all__ = ["MOST", "QUICK", "factorization", "kernel"]

MOST = 20_000
"""Products of a factorization up to which it is written out: some seconds of the compiler."""
QUICK = 3_000
"""The same of one system alone, and in the body of a loop: a second of the compiler."""
_STATEMENTS = 400  # of one function


def kernel(s: Symbolic) -> str:
    """What stands in the place of factor.c and finish.c."""
    finish = _function("finish", "const V *restrict lu, V *restrict y, V *restrict x", "lu, y, x",
                       "const sparse_pattern *s, {}", _unknowns(s))  # fmt: skip
    return factorization(s) + finish


def factorization(s: Symbolic) -> str:
    """What stands in the place of factor.c."""
    return _function("factor", "const W *restrict a, const V *restrict b, V *restrict lu, V *restrict y",
                     "a, b, lu, y", "const sparse_pattern *s, {}, V *w", _rows(s))  # fmt: skip


def _function(name: str, given: str, handed: str, head: str, pieces: Iterable[list[str]]) -> str:
    """A function that calls others of whole pieces."""
    bodies: list[list[str]] = [[]]
    for piece in pieces:
        if len(bodies[-1]) + len(piece) > _STATEMENTS and bodies[-1]:
            bodies.append([])
        bodies[-1] += piece
    kind = f"static __attribute__((noinline)) IN_ORDER void sparse_{name}"
    text = "".join(f"{kind}{k}_Y({given}) {{\n" + "\n".join(body) + "\n}\n" for k, body in enumerate(bodies))
    calls = "".join(f"sparse_{name}{k}_Y({handed});\n" for k in range(len(bodies)))
    return f"{text}static void sparse_{name}_Y({head.format(given)}) {{\n{calls}}}\n"


def _unknowns(s: Symbolic) -> Iterator[list[str]]:
    ptr, indices, diagonal, order = s.indptr.tolist(), s.indices.tolist(), s.diagonal.tolist(), s.col_order.tolist()
    for i in reversed(range(s.n)):
        made = [f"{{ V t = y[{i}];"]
        made += [f"t = LESS(lu[{p}], y[{indices[p]}], t);" for p in reversed(range(diagonal[i] + 1, ptr[i + 1]))]
        yield [*made, f"t *= lu[{diagonal[i]}]; y[{i}] = t; x[{order[i]}] = t; }}"]


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
