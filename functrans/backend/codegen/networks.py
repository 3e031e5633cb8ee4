"""C that sorts a few vectors in registers, with AVX-512 or AVX2.

Their columns go in order by Batcher's merge exchange, all at once; then neighboring columns are merged by bitonic
merges, twice as many each time (Knuth, The Art of Computer Programming, vol. 3, 5.2.2 and 5.3.4). What is missing to
the last vector is larger than every element. Twice as many vectors as there is room for are sorted by halves, and one
bitonic merge puts both in order: its first exchange divides them, then each half is finished in registers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from functrans.backend.codegen.sorted_vectors import LINE, WIDE, in_vectors, lanes_of, parts
from functrans.backend.policy import REGISTERS


def _merge_exchange(rows: int) -> list[tuple[int, int]]:
    """The pairs that Batcher's sort exchanges, in order.

    >>> _merge_exchange(4)
    [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)]
    """
    pairs, p = [], 1
    while p < rows:
        q = p
        while q:
            for j in range(q % p, rows - q, 2 * q):
                pairs += [(i, i + q) for i in range(j, min(j + q, rows - q)) if i // (2 * p) == (i + q) // (2 * p)]
            q //= 2
        p *= 2
    return pairs


class _Network:
    """The statements that sort some vectors of a type: columns, then columns merged, then read across."""

    spare: tuple[str, ...] = ("x",)  # vectors beside the rows

    def __init__(self, rows: int, s: str, width: int) -> None:
        self.rows, self.s, self.lanes = rows, s, lanes_of(s, width)
        self.near: list[str] = []
        self.lines: list[str] = []

    def fetch(self, fetched: Callable[[int], str]) -> None:
        """All rows, by the C of each from its first element."""
        rows = (f"v{i} = {fetched(i * self.lanes)}" for i in range(self.rows))
        self.lines.append(f"FT_V_{self.s} {', '.join([*self.spare, *rows])};")

    def sorted(self) -> str:
        """The n elements in order."""
        self.fetch(lambda at: f"FT_FETCH_{self.s}(k + {at}, n - {at})")
        for i, j in _merge_exchange(self.rows):
            self.exchange(i, j)
        for a in range(self.lanes.bit_length() - 1):
            self.merge(a)
        self.across()
        return "\n  ".join(self.lines)

    def merged(self) -> str:
        """The least n of them in order, where they rise and then fall or the other way: by rows, then by lanes."""
        self.fetch(lambda at: f"*(const FT_V_{self.s} *)(k + {at})")
        self.bitonic(self.rows // 2)
        for b in reversed(range(self.lanes.bit_length() - 1)):
            near = self.neighbors(b)
            self.lines += [self.meet(f"v{i}", i, i, near, b) for i in range(self.rows)]
        self.put([f"v{i}" for i in range(self.rows)])
        return "\n  ".join(self.lines)

    def indices(self, name: str, lane: Callable[[int], int]) -> str:
        """A constant vector of lanes, as what follows calls it."""
        self.lines.append(f"const FT_I_{self.s} {name} = {{{', '.join(str(lane(i)) for i in range(self.lanes))}}};")
        return name

    def neighbors(self, a: int) -> str:
        """Each lane's neighbor at a distance of 2**a."""
        return self.indices(f"near{a}", lambda i: i ^ (1 << a))

    def exchange(self, i: int, j: int) -> None:
        """The smaller elements to row i, the larger to row j."""
        low, high = (f"FT_{which}_{self.s}(v{i}, v{j})" for which in ("LOW", "HIGH"))
        self.lines.append(f"x = {low}; v{j} = {high}; v{i} = x;")

    def meet(self, to: str, i: int, j: int, order: str, bit: int) -> str:
        """Row i after an exchange with other lanes of row j: lanes with the bit have the larger."""
        high = sum(1 << k for k in range(self.lanes) if k >> bit & 1)
        return f"{to} = FT_MEET_{self.s}(v{i}, v{j}, {order}, {high});"

    def mix(self, one: str, other: str, order: str) -> str:
        """Lanes of two rows, those of the other counted on."""
        return f"FT_MIX_{self.s}({one}, {other}, {order})"

    def bitonic(self, half: int) -> None:
        """Rows exchanged with those so far away, then half as far, down to neighbors."""
        while half:
            for i in range(self.rows):
                if not i & half:
                    self.exchange(i, i + half)
            half //= 2

    def put(self, names: list[str]) -> None:
        """Rows one after the other into memory."""
        rows = ((i * self.lanes, name) for i, name in enumerate(names))
        self.lines += [f"FT_PUT_{self.s}(to + {at}, {name}, n - {at});" for at, name in rows]

    def merge(self, a: int) -> None:
        """Sorted runs of 2**a columns to runs of twice as many: the second backwards, then halves of halves."""
        flip = self.indices(f"flip{a}", lambda i: i ^ ((2 << a) - 1))
        self.near.append(self.neighbors(a))
        for i in range((self.rows + 1) // 2):
            j = self.rows - 1 - i
            self.lines.append(f"{self.meet('x', i, j, flip, a)} {self.meet(f'v{j}', j, i, flip, a)} v{i} = x;")
        for b in reversed(range(a)):
            self.lines += [self.meet(f"v{i}", i, i, self.near[b], b) for i in range(self.rows)]
        self.bitonic(self.rows // 2)

    def across(self) -> None:
        """Columns one after the other become rows: as often as rows halve, both halves of them go in turn."""
        n, names = self.lanes, [f"v{i}" for i in range(self.rows)]
        left = self.indices("left", lambda i: (i >> 1) + (i & 1) * n)
        right = self.indices("right", lambda i: (i >> 1) + (i & 1) * n + n // 2)
        for step in range(self.rows.bit_length() - 1):
            mixed = []
            for i in range(self.rows):
                one, other = names[i // 2], names[i // 2 + self.rows // 2]
                mixed.append(f"w{step}_{i}")
                self.lines.append(f"const FT_V_{self.s} {mixed[-1]} = {self.mix(one, other, (left, right)[i % 2])};")
            names = mixed
        self.put(names)


class _Narrow(_Network):
    """With AVX2 lanes go other ways by constants alone: the compiler chooses the instructions."""

    spare = ("x", "y")

    def indices(self, name: str, lane: Callable[[int], int]) -> str:
        """The lanes themselves."""
        return ", ".join(str(lane(i)) for i in range(self.lanes))

    def meet(self, to: str, i: int, j: int, order: str, bit: int) -> str:
        """Row i after an exchange with other lanes of row j: lanes with the bit have the larger."""
        low, high = (f"FT_{which}_{self.s}(v{i}, y)" for which in ("LOW", "HIGH"))
        chosen = ", ".join(str(k + self.lanes * (k >> bit & 1)) for k in range(self.lanes))
        other = f"__builtin_shufflevector(v{j}, v{j}, {order})"
        return f"y = {other}; {to} = __builtin_shufflevector({low}, {high}, {chosen});"

    def mix(self, one: str, other: str, order: str) -> str:
        """Lanes of two rows, those of the other counted on."""
        return f"__builtin_shufflevector({one}, {other}, {order})"


_HALVES = """\
static void FT_MERGED_{S}(const {T} *k, long long n, {T} *to) {{
  {merged} }}
static void ft_few{given}_{S}(const {T} *k, long long n, {T} *to) {{
  enum {{ HALF = {half} }};
  if (n <= HALF) {{ ft_few{few}_{S}(k, n, to); return; }}
  const FT_I_{S} back = {{{back}}};
  {T} t[2 * HALF];
  ft_few{few}_{S}(k, HALF, t);
  ft_few{few}_{S}(k + HALF, n - HALF, t + HALF);
  for (long long i = n; i < 2 * HALF; i++) t[i] = {top};
  for (int i = 0; i < HALF / 2; i += {L}) {{
    FT_V_{S} *const a = (FT_V_{S} *)(t + i), *const b = (FT_V_{S} *)(t + HALF - {L} - i);
    FT_V_{S} *const c = (FT_V_{S} *)(t + HALF + i), *const d = (FT_V_{S} *)(t + 2 * HALF - {L} - i);
    const FT_V_{S} x = *a, y = *b, z = FT_MIX_{S}(*d, *d, back), w = FT_MIX_{S}(*c, *c, back);
    *a = FT_LOW_{S}(x, z), *b = FT_LOW_{S}(y, w), *c = FT_HIGH_{S}(x, z), *d = FT_HIGH_{S}(y, w); }}
  FT_MERGED_{S}(t, HALF, to);
  FT_MERGED_{S}(t + HALF, n - HALF, to + HALF); }}
"""


@cache
def network(given: str, s: str, width: int) -> str:
    """The C function that sorts as many elements as so many lines hold, or fewer."""
    few = min(int(given), REGISTERS * width // LINE)
    rows, t = few * LINE // width, WIDE[s][0]
    made = (_Network if width == LINE else _Narrow)(rows, s, width)
    if few < int(given):
        lanes = ", ".join(map(str, reversed(range(made.lanes))))
        text = _HALVES.format(
            **parts(s, width), given=given, few=few, half=rows * made.lanes, back=lanes, merged=made.merged()
        )
    else:
        text = f"static void ft_few{given}_{s}(const {t} *k, long long n, {t} *to) {{\n  {made.sorted()} }}"
    return in_vectors(s, width, text)
