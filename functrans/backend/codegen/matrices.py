"""C functions of algorithms on matrices, for numbers and for vectors of lanes.

Both have the same steps in the same order, so that a lane has the bits of a matrix by itself. Matrices are row by row.
What a function works on it changes in place; it is never given an array twice. In the text V is a number or a vector of
them, M what comparing two of them gives, W a matrix's element, which all lanes may share. Of every elimination the
products are rounded, not fused: of a multiple of a row zero is left, and not what rounding lost. In sparse systems
LESS(a, b, c) is c - a b, rounded once where the target can.

Source: Golub and Van Loan, Matrix Computations (fourth edition, 2013), sections 3.1, 4.2 and 4.3; LAPACK's xGBTF2.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from functrans._records import record
from functrans.backend.codegen import blocked, complex_lanes, complex_panels, late, singular
from functrans.backend.codegen import decompositions as parts
from functrans.backend.codegen.eliminations import (
    ADJUGATE,
    ALONE,
    CHOLESKY,
    LU,
    PIVOT,
    ROOT,
    SOLVE,
    TOGETHER,
    cholesky,
    elimination,
)
from functrans.backend.codegen.held import rows_of
from functrans.ops.routines import Kind, Routine

_SUBSTITUTE = """
static M matrix_substitute_Y(const W *restrict t, V *restrict b, int lower, int transposed, int unit, long long n,
    long long m) {
  const long long down = transposed ? 1 : n, along = transposed ? n : 1;
  M refused = LT(SAME(1), SAME(0));
  for (long long s = 0; s < n; s++) {
    const long long j = lower ? s : n - 1 - s, first = lower ? j + 1 : 0, last = lower ? n : j;
    if (!unit) {
      const V p = WIDE(t[j * n + j]);
      V scale, inverse;
      matrix_reciprocal_X(p, &scale, &inverse);
      refused |= EQ(p, SAME(0));
      for (long long c = 0; c < m; c++) b[j * m + c] = b[j * m + c] * scale * inverse;
    }
    for (long long i = first; i < last; i++) matrix_subtract_X(b + i * m, WIDE(t[i * down + j * along]), b + j * m, m);
  }
  return refused;
}"""

_AFTER_LU = """
static void matrix_after_lu_Y(const W *restrict lu, const W *restrict rows, V *restrict b, V *restrict work,
    int transposed, long long n, long long m) {
  if (transposed) {
    matrix_substitute_Y(lu, b, 1, 1, 0, n, m);
    matrix_substitute_Y(lu, b, 0, 1, 1, n, m);
  }
  for (long long e = 0; e < n * m; e++) work[e] = b[e];
  for (long long i = 0; i < n; i++)
    for (long long c = 0; c < m; c++)
      if (transposed) EACH b[AT * m + c]LANE = work[i * m + c]LANE;
      else EACH b[i * m + c]LANE = work[AT * m + c]LANE;
  if (!transposed) {
    matrix_substitute_Y(lu, b, 1, 0, 1, n, m);
    matrix_substitute_Y(lu, b, 0, 0, 0, n, m);
  }
}"""

_TRIANGULAR = """
static void matrix_triangular_Y(const W *restrict t, V *restrict b, M *restrict refused, int lower, int transposed,
    int unit, long long n, long long m) {
  *refused = matrix_substitute_Y(t, b, lower != transposed, transposed, unit, n, m);
  matrix_refuse_X(*refused, b, n * m);
}"""

_BANDED = """
static void matrix_banded_X(const V *restrict bands, V *restrict b, V *restrict work, M *restrict refused, long long n,
    long long m, long long below, long long above) {
  const long long wide = 2 * below + above + 1;
  for (long long i = 0; i < n; i++)
    for (long long e = 0; e < wide; e++) {
      const long long j = i - below + e, row = above + i - j;
      work[i * wide + e] = j >= 0 && j < n && row >= 0 ? bands[row * n + j] : SAME(0);
    }
  *refused = LT(SAME(1), SAME(0));
  for (long long k = 0; k < n; k++) {
    V *const top = work + k * wide + below, largest = ABS(*top), at = SAME(0), scale, inverse;
    const long long last = k + below < n - 1 ? k + below : n - 1, reach = below + above + 1;
    const long long some = reach < n - k ? reach : n - k;
    for (long long i = k + 1; i <= last; i++) {
      const V size = ABS(work[i * wide + below - (i - k)]);
      const M more = LT(largest, size);
      largest = SEL(more, size, largest), at = SEL(more, SAME(i - k), at);
    }
    if (ANY(LT(SAME(0), at)))
      for (long long i = k + 1; i <= last; i++) {
        const M found = EQ(at, SAME(i - k));
        if (!ANY(found)) continue;
        matrix_exchange_X(found, top, work + i * wide + below - (i - k), some);
        matrix_exchange_X(found, b + k * m, b + i * m, m);
      }
    *refused |= EQ(*top, SAME(0));
    matrix_reciprocal_X(*top, &scale, &inverse);
    for (long long i = k + 1; i <= last; i++) {
      V *const row = work + i * wide + below - (i - k);
      const V f = *row * scale * inverse;
      matrix_subtract_X(row + 1, f, top + 1, some - 1);
      matrix_subtract_X(b + i * m, f, b + k * m, m);
    }
  }
  for (long long j = n - 1; j >= 0; j--) {
    V scale, inverse;
    matrix_reciprocal_X(work[j * wide + below], &scale, &inverse);
    for (long long c = 0; c < m; c++) b[j * m + c] = b[j * m + c] * scale * inverse;
    for (long long i = j - below - above < 0 ? 0 : j - below - above; i < j; i++)
      matrix_subtract_X(b + i * m, work[i * wide + below + j - i], b + j * m, m);
  }
  matrix_refuse_X(*refused, b, n * m);
}"""

_POSITIVE = """
static void matrix_positive_X(V *restrict bands, V *restrict b, M *restrict refused, long long n, long long m,
    long long below) {
  *refused = LT(SAME(1), SAME(0));
  for (long long k = 0; k < n; k++) {
    const V d = bands[k], root = SQRT(d), inverse = SAME(1) / root;
    const long long some = below < n - 1 - k ? below : n - 1 - k;
    *refused |= LE(d, SAME(0));
    bands[k] = inverse;
    for (long long c = 0; c < m; c++) b[k * m + c] *= inverse;
    for (long long e = 1; e <= some; e++) bands[e * n + k] *= inverse;
    for (long long e = 1; e <= some; e++) {
      for (long long g = 1; g <= e; g++) bands[(e - g) * n + k + g] -= bands[e * n + k] * bands[g * n + k];
      matrix_subtract_X(b + (k + e) * m, bands[e * n + k], b + k * m, m);
    }
  }
  for (long long k = n - 1; k >= 0; k--) {
    for (long long e = 1; e <= below && k + e < n; e++)
      matrix_subtract_X(b + k * m, bands[e * n + k], b + (k + e) * m, m);
    for (long long c = 0; c < m; c++) b[k * m + c] *= bands[k];
  }
  matrix_refuse_X(*refused, b, n * m);
}"""

_TEXTS = {
    Kind.SOLVE: (TOGETHER, PIVOT, ALONE, SOLVE), Kind.LU: (TOGETHER, PIVOT, ALONE, LU),
    Kind.AFTER_LU: (TOGETHER, _SUBSTITUTE, _AFTER_LU), Kind.TRIANGULAR: (TOGETHER, _SUBSTITUTE, _TRIANGULAR),
    Kind.ADJUGATE: (TOGETHER, ADJUGATE), Kind.CHOLESKY: (TOGETHER, ROOT, CHOLESKY), Kind.BANDED: (TOGETHER, _BANDED),
    Kind.POSITIVE: (TOGETHER, _POSITIVE), Kind.QR: (TOGETHER, parts.REFLECT, parts.QR),
    Kind.EIGENVALUES: (TOGETHER, parts.LEVEL, parts.TRIDIAGONAL, parts.TURN, parts.ITERATE, parts.RANKS,
                       parts.EIGENVALUES),
    Kind.EIGEN: (TOGETHER, parts.LEVEL, parts.TRIDIAGONAL, parts.BASIS, parts.TURN, parts.ITERATE, parts.RANKS,
                 parts.EIGEN),
    Kind.COMPLEX_LU: (TOGETHER, complex_panels.LU[-1]), Kind.AFTER_COMPLEX_LU: (TOGETHER, complex_panels.AFTER_LU[-1]),
    Kind.COMPLEX_SOLVE: (TOGETHER, *complex_lanes.SOLVE), Kind.COMPLEX_DET: (TOGETHER, *complex_lanes.DETERMINANT),
    Kind.COMPLEX_CHOLESKY: (TOGETHER, *complex_lanes.CHOLESKY),
    Kind.SVD: (TOGETHER, parts.LEVEL, singular.INNER, singular.REFLECTION, singular.TRIANGLE, singular.ORTHOGONAL,
               parts.RANKS, singular.SVD),
    Kind.SINGULAR_VALUES: (TOGETHER, parts.LEVEL, singular.INNER, singular.REFLECTION, singular.TRIANGLE,
                           singular.BIDIAGONAL, parts.TURN, parts.ITERATE, parts.RANKS, singular.VALUES),
}  # fmt: skip

_OF_LANES = {ALONE: elimination, CHOLESKY: cholesky}
"""Of vectors whole columns are in registers, and all rows are chosen among; numbers are exchanged."""
_OWN = re.compile(r"\b(matrix_(?:column[12]|back[12]|rows[12]|eliminate|backwards|solve|lu|cholesky))(?=_X\()")
"""What differs by how many rows are in registers."""
_PANELS = {
    PIVOT: (), ALONE: blocked.ELIMINATION, ROOT: (), CHOLESKY: blocked.CHOLESKY,
    _SUBSTITUTE: blocked.SUBSTITUTION, _AFTER_LU: (blocked.AFTER_LU,),
    complex_panels.LU[-1]: blocked.COMPLEX_ELIMINATION, complex_panels.AFTER_LU[-1]: complex_panels.AFTER_LU,
}  # fmt: skip
_BY_PANELS = re.compile(
    r"\b(matrix_(?:eliminate|backwards|solve|(?:after_)?(?:complex_)?lu|cholesky|substitute|through|triangular))(?=_[XY]\()"
)
"""What differs where columns are eliminated several at a time."""

NUMBERS = """\
static __inline__ unsigned char number_lt(double a, double b) { return a < b; }
static __inline__ unsigned char number_le(double a, double b) { return a <= b; }
static __inline__ unsigned char number_eq(double a, double b) { return a == b; }
static __inline__ double number_sel(unsigned char m, double a, double b) { return m ? a : b; }
static __inline__ double number_less(double a, double b, double c) { return ft_fma_f64(-a, b, c); }"""


@record
class Lanes:
    """What a function is written for: ``count`` lanes, 1 for numbers, and whether they ``share`` the matrix."""

    count: int = 1
    share: bool = False

    @property
    def suffix(self) -> str:
        """The end of the names of functions on such vectors."""
        return f"f64x{self.count}" if self.count > 1 else "f64"

    def text(self, template: str) -> str:
        """A template written for them."""
        return _written(self, template)


@lru_cache
def _written(lanes: Lanes, template: str) -> str:
    """A template written for lanes: few are, in each of many loops."""
    n, own = lanes.count, lanes.suffix
    if n > 1:
        calls = {c: f"ft_{c.lower()}_{own}" for c in ("SEL", "LT", "LE", "EQ", "ABS", "SQRT")}
        calls |= {"LESS": f"ft_fnma_{own}", "SAME": f"ft_splat_{own}"}
        calls |= {"ANY": f"ft_any_m64x{n}", "NOT": f"(ft_m64x{n})~", "BIT": f"ft_bit_m64x{n}"}
        words = {"V": f"ft_{own}", "M": f"ft_m64x{n}", "EACH": f"for (int l = 0; l < {n}; l++)"}
    else:
        calls = {c: f"number_{c.lower()}" for c in ("SEL", "LT", "LE", "EQ", "LESS")}
        calls |= {"ANY": "", "WIDE": "", "NOT": "!"}
        calls |= {"ABS": "__builtin_fabs", "SQRT": "__builtin_sqrt", "SAME": "(double)"}
        words = {"V": "double", "M": "unsigned char", "EACH": ""}
    shared = lanes.share or n == 1
    words["W"] = "double" if shared else words["V"]
    calls["WIDE"] = calls["SAME"] if shared and n > 1 else ""
    lane = "[l]" if n > 1 else ""
    text = template.replace("LANE", lane)
    text = text.replace("_X(", f"_{own}(").replace("_Y(", f"_{own}{'s' * lanes.share}(")
    text = re.sub(r"\bAT\b", f"(long long)rows[i]{'' if shared else lane}", text)
    text = re.sub(r"\b([A-Z]+)\(", lambda m: f"{calls.get(m[1], m[1])}(", text)
    return re.sub(r"\b(V|M|W|EACH)\b", lambda m: words[m[1]], text)


def functions(routine: Routine, lanes: Lanes) -> list[str]:
    """The C functions of a routine, the one that is called last."""
    numbers = [] if lanes.count > 1 else [NUMBERS]
    texts = late.sparse.templates(routine) if routine.symbolic is not None else _TEXTS[routine.kind]
    if _has_panels(routine, lanes):
        parts = (blocked.by_panels(_PANELS[t]) if t in _PANELS else [t] for t in texts)
        texts = [_BY_PANELS.sub(r"\1_panels", own) for part in parts for own in part]
    texts = [t.replace("P_ARRAY ", "V *restrict p, " * bool(routine.panel)) for t in texts]
    texts = [t.replace("P_GIVEN ", "p, " * bool(routine.panel)) for t in texts]
    if lanes.count > 1:
        texts = [own for t in texts for own in _OF_LANES.get(t, lambda n, t=t: (t,))(routine.rows)]
    if _is_held(routine, lanes):
        texts = [_OWN.sub(rf"\1_{rows_of(routine.rows)}", t) for t in texts]
    return [*numbers, *(lanes.text(t).strip() for t in texts)]


def _has_panels(routine: Routine, lanes: Lanes) -> bool:
    """Whether columns go several at a time: factors of one matrix of any size are read so."""
    return routine.panel > 0 or (lanes.count == 1 and routine.kind in (Kind.AFTER_LU, Kind.TRIANGULAR))


def _is_held(routine: Routine, lanes: Lanes) -> bool:
    """Whether columns are in registers."""
    return lanes.count > 1 and not _OF_LANES.keys().isdisjoint(_TEXTS.get(routine.kind, ()))


def call(routine: Routine, lanes: Lanes, arrays: Sequence[str]) -> str:
    """The call of it: the arrays that it reads or changes, those that it makes, and memory to work in."""
    n, m, flags = routine.rows, routine.columns, [int(routine.lower), int(routine.transposed), int(routine.unit)]
    end = "s" if lanes.share else ""
    form = f"_{rows_of(n)}" if _is_held(routine, lanes) else "_panels" * _has_panels(routine, lanes)
    if routine.symbolic is not None:
        return late.sparse.call(routine, f"{lanes.suffix}{end}", arrays)
    numbers = {
        Kind.SOLVE: [n, m], Kind.LU: [n, m], Kind.ADJUGATE: [n], Kind.CHOLESKY: [n], Kind.AFTER_LU: [flags[1], n, m],
        Kind.TRIANGULAR: [*flags, n, m], Kind.BANDED: [n, m, routine.below, routine.above],
        Kind.POSITIVE: [n, m, routine.below], Kind.QR: [n, m], Kind.EIGENVALUES: [n], Kind.EIGEN: [n],
        Kind.SVD: [n, m], Kind.SINGULAR_VALUES: [n, m], Kind.COMPLEX_LU: [n], Kind.AFTER_COMPLEX_LU: [n, m],
        Kind.COMPLEX_SOLVE: [n, m], Kind.COMPLEX_DET: [n], Kind.COMPLEX_CHOLESKY: [n],
    }[routine.kind]  # fmt: skip
    return f"matrix_{routine.kind.value}{form}_{lanes.suffix}{end}({', '.join([*arrays, *map(str, numbers)])});"
