"""C texts of elimination with whole columns in registers, in the words of `codegen/matrices.py`.

A column goes through the pivots before it, one after the other, its rows in variables; below each pivot they move up
by one, so that the same text serves every pivot. Then its own pivot is chosen. Nothing is stored but what is final.
Products are subtracted in the order that row by row they have, so that the bits are the same.

Source: Golub and Van Loan, Matrix Computations (fourth edition, 2013), section 3.2.9 (gaxpy LU).
"""

from __future__ import annotations

from collections.abc import Callable

FORMS: dict[int, tuple[int, ...]] = {12: (2, 1), 24: (1,)}
"""By the most rows that are variables, the columns that go side by side: with what a pivot needs, 32 registers."""


_Text = Callable[[int], str]


def _steps(rows: int, first: int, left: str, of_row: _Text) -> str:
    """A statement a row, from the first on, up to as many as there are."""
    lines = [f"if ({left} > {i}) {{ {of_row(i)}" for i in range(first, rows)]
    return "\n".join([*lines, "}" * len(lines)])


def _each(columns: int, statement: str) -> str:
    """A statement for each column: C is its number."""
    return " ".join(statement.replace("#", str(c)) for c in range(columns))


def _variables(columns: int, rows: int, start: str = "") -> str:
    """The rows of columns, and what they are where not all of them are read."""
    return ", ".join(f"x{i}_{c}{start}" for i in range(rows) for c in range(columns))


def _read(columns: int, i: int) -> str:
    """Row I of columns from memory."""
    return f"{{ const V *const q = a + {i} * step; {_each(columns, f'x{i}_# = q[#];')} }}"


def _row(i: int, columns: int, statement: str) -> str:
    """A statement for each column of row I; x is what is there, y what is to be above it."""
    text = _each(columns, statement).replace("x_", f"x{i}_").replace("y_", f"x{i - 1}_")
    names = "".join(f"const {t} {n} = {source}[{i}]; " for t, n, source in (("M", "m", "found"), ("V", "g", "factors"))
                    if f"{n}," in text or f"{n} *" in text)  # fmt: skip
    return f"{{ {names}{text} }}"


def _pivot(columns: int, rows: int) -> str:
    """Columns through one pivot: what its row has becomes t, rows move up."""
    top = _steps(rows, 1, "left", lambda i: _row(i, columns, "t# = SEL(m, x_#, t#);"))
    moved = _steps(rows, 1, "left", lambda i: _row(i, columns, "y_# = SEL(m, o#, x_#) - g * t#;"))
    same = _steps(rows, 1, "left", lambda i: _row(i, columns, "y_# = x_# - g * t#;"))
    return f"""V {_each(columns, "o# = x0_#, t# = o#,")[:-1]};
if (*moved) {{
{top}
{moved}
}} else {{
{same}
}}
{_each(columns, "p[#] = t#;")}
p += step, factors += ROWS, found += ROWS, moved++, left--;"""


def _chosen(column: int, rows: int) -> str:
    """The pivot of a column, whose rows are exchanged and divided by it."""
    x = f"_{column}"
    sizes = _steps(rows, 1, "left", lambda i: f"{{ const V s = ABS(x{i}{x}); "
                   f"z{i % 4} = SEL(LT(z{i % 4}, s), s, z{i % 4}); }}")  # fmt: skip
    first = _steps(rows, 1, "left", lambda i: f"{{ const M e = EQ(ABS(x{i}{x}), z0); found[{i}] = e & NOT(before); "
                   "before |= e; }")  # fmt: skip
    exchanged = _steps(rows, 1, "left", lambda i: f"{{ const M m = found[{i}]; t = SEL(m, x{i}{x}, t); "
                       f"x{i}{x} = SEL(m, x0{x}, x{i}{x}); }}")  # fmt: skip
    scaled = _steps(rows, 1, "left", lambda i: f"factors[{i}] = matrix_factor_X(x{i}{x} * scale, inverse);")
    return f"""{{
V z0 = ABS(x0{x}), z1 = SAME(0), z2 = z1, z3 = z1, t = x0{x};
const V own = z0;
{sizes}
z1 = SEL(LT(z1, z2), z2, z1), z1 = SEL(LT(z1, z3), z3, z1), z0 = SEL(LT(z0, z1), z1, z0);
*moved = ANY(LT(own, z0));
if (*moved) {{
M before = NOT(LT(own, z0));
{first}
{exchanged}
}}
p[{column}] = t;
*refused |= EQ(t, SAME(0));
matrix_reciprocal_X(t, scales, inverses);
const V scale = *scales, inverse = *inverses;
{scaled}
scales++, inverses++;
}}"""


def _function(columns: int, rows: int) -> str:
    names = _variables(columns, rows)
    read = "\n".join(_read(columns, i) for i in range(rows))
    through = _pivot(columns, rows)
    chosen = _chosen(0, rows)
    if columns == 2:  # the second column goes through the pivot of the first one
        second = _pivot(1, rows).replace("_0", "_1").replace("p[0]", "p[1]")
        chosen += f"\n{{\n{second}\n}}\n{_chosen(1, rows)}"
    return f"""
static void matrix_column{columns}_X(V *restrict a, long long step, V *restrict factors, M *restrict found,
    int *restrict moved, V *restrict scales, V *restrict inverses, M *restrict refused, long long pivots) {{
  V {names}, *p = a;
  long long left = ROWS;
{read}
  for (long long k = 0; k < pivots; k++) {{
{through}
  }}
  if (!left) return;
{chosen}
}}"""


def _back(columns: int, rows: int) -> str:
    """Solutions of triangular systems, the last row first."""
    names = _variables(columns, rows, " = none")
    read = _steps(rows, 0, "n", lambda i: f"{{ const V *const q = b + (n - 1 - {i}) * step; "
                  f"{_each(columns, f'x{i}_# = q[#];')} }}")  # fmt: skip
    moved = _steps(rows, 1, "left", lambda i: f"{{ const V g = u[-{i} * wide]; "
                   f"{_each(columns, f'x{i - 1}_# = x{i}_# - g * t#;')} }}")  # fmt: skip
    return f"""
static void matrix_back{columns}_X(const V *restrict a, long long wide, V *restrict b, long long step,
    const V *restrict scales, const V *restrict inverses, long long n) {{
  const V none = SAME(0), *u = a + (n - 1) * (wide + 1);
  V {names};
{read}
  for (long long left = n; left; left--, u -= wide + 1) {{
    const V scale = scales[left - 1], inverse = inverses[left - 1];
    V *const p = b + (left - 1) * step;
    const V {_each(columns, "t# = x0_# * scale * inverse,")[:-1]};
    {_each(columns, "p[#] = t#;")}
    if (left == 1) return;
{moved}
  }}
}}"""


def _rows(columns: int, rows: int) -> str:
    """Columns of Cholesky's factor: those before them are subtracted, and what is left divided by its root."""
    names = _variables(columns, rows, " = none")
    read = _steps(rows, 0, "left", lambda i: _read(columns, i))
    less = _steps(rows, 0, "left", lambda i: f"{{ const V g = q[{i}]; {_each(columns, f'x{i}_# -= g * t#;')} }}")

    def ended(c: int) -> str:
        divided = _steps(rows, c + 1, "left", lambda i: f"own[{i}] = x{i}_{c} = matrix_factor_X(x{i}_{c}, inverse); "
                         f"a[{i} * step + {c}] = x{i}_{c};")  # fmt: skip
        return f"""{{
const V d = x{c}_{c}, root = SQRT(d), inverse = SAME(1) / root;
V *const own = factors + (j + {c}) * ROWS + j;
*refused |= LE(d, SAME(0));
a[{c} * step + {c}] = root;
{divided}
}}
"""

    second = _steps(rows, 1, "left", lambda i: f"x{i}_1 -= x{i}_0 * t;")
    then = f"{{ const V t = x1_0;\n{second}\n}}\n{ended(1)}" if columns == 2 else ""
    return f"""
static void matrix_rows{columns}_X(V *restrict a, long long step, V *restrict factors, M *restrict refused, long long j,
    long long left) {{
  const V none = SAME(0);
  V {names};
{read}
  for (long long k = 0; k < j; k++) {{
    const V *const q = factors + k * ROWS + j;
    const V {_each(columns, "t# = q[#],")[:-1]};
{less}
  }}
{ended(0)}{then}}}"""


def held_rows(n: int) -> tuple[str, ...]:
    """Texts for a positive definite matrix of n rows: columns of its factor."""
    return _texts(n, _rows)


def held(n: int) -> tuple[str, ...]:
    """Texts for a matrix of n rows: columns through the first pivots, and where rows are left, the choice of their own;
    columns through back substitution, of which what stands below them in the matrix is not read.
    """
    return _texts(n, _function, _back)


def _texts(n: int, *texts: Callable[[int, int], str]) -> tuple[str, ...]:
    rows = rows_of(n)
    return tuple(of(columns, rows).replace("ROWS", str(rows)) for of in texts for columns in columns_of(n))


def rows_of(n: int) -> int:
    """The rows of a column that are variables, of a matrix of n rows: all, or as many as there are registers for."""
    return min(n, max(FORMS))


def columns_of(n: int) -> tuple[int, ...]:
    """How many columns of a matrix of n rows go side by side."""
    return next(columns for rows, columns in FORMS.items() if rows_of(n) <= rows)
